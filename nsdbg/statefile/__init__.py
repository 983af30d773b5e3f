"""STATE as JSON, and proposals as JSON lines: read, checked, and made into goals and starts.

Nothing of what is read is evaluated: values stay text until the child reads them.
"""

from nsdbg.statefile.goals import goal_from_state, middle_from, state_from
from nsdbg.statefile.proposals import Submission, Unreadable, parse_action, read_proposals
from nsdbg.statefile.states import (
    StateClaim,
    claim_from,
    parse_state,
    read_state_text,
    state_to_json,
)

__all__ = [
    "StateClaim",
    "Submission",
    "Unreadable",
    "claim_from",
    "goal_from_state",
    "middle_from",
    "parse_action",
    "parse_state",
    "read_proposals",
    "read_state_text",
    "state_from",
    "state_to_json",
]
