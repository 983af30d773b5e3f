"""Inputs that end too early, for a script that reads past its end.

A proposer that lives on the others' proposals: it cuts the inputs that it is told of.  Runs
nothing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from nsdbg.claim import (
    Goal,
    Proposal,
    Script,
    Verdict,
)
from nsdbg.proposer import ProposerSession
from nsdbg.source import Subject

READ_PAST_THE_END = ("EOFError", "StopIteration")
MOST_CUTS = 6


class CutProposer:
    """Proposes scripts whose input lacks its last lines."""

    name = "cut"

    def start(self, goal: Goal, subject: Subject, seed: int) -> ProposerSession:
        """Begin on a goal; only a script that ran out of input is of interest."""
        raised = goal.exception.type if goal.exception else ""
        return _Session(subject.node is None and raised in READ_PAST_THE_END)


class _Session:
    def __init__(self, interested: bool) -> None:
        self._interested = interested
        self._todo: deque[Proposal] = deque()

    def ask(self, count: int) -> Sequence[Proposal]:
        """Return what was cut since."""
        return [self._todo.popleft() for _ in range(min(count, len(self._todo)))]

    def tell(self, verdicts: Sequence[Verdict]) -> None:
        """Take the others' scripts, and cut their inputs line by line from the end."""
        for verdict in verdicts if self._interested else ():
            start = verdict.proposal.start
            if not isinstance(start, Script) or verdict.proposal.source == "cut:0":
                continue
            lines = start.stdin.splitlines(keepends=True)
            for kept in range(len(lines) - 1, max(-1, len(lines) - 1 - MOST_CUTS), -1):
                shorter = Script(start.argv, "".join(lines[:kept]))
                self._todo.append(Proposal(shorter, "cut:0"))
