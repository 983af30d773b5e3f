"""Who proposes: the protocol of asking and telling that every proposer keeps.

A proposer reads a goal, a function's source and verdicts; it executes nothing.
`tests/test_proposers.py` holds each of them to the same promises.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from nsdbg.claim import Goal, Proposal, Verdict
from nsdbg.source import Subject


class Proposer(Protocol):
    """Whoever can make proposals for goals.  A proposer is pure: it executes nothing.

    `name` is the word for `--proposers`.
    """

    name: str

    def start(self, goal: Goal, subject: Subject, seed: int) -> ProposerSession:
        """Begin on a goal.  Same goal, subject, seed and told verdicts: same proposals."""
        ...


class ProposerSession(Protocol):
    """One proposer at work on one goal: ask for proposals, tell what became of them."""

    def ask(self, count: int) -> Sequence[Proposal]:
        """Return at most `count` new proposals, best first; an empty answer means no more now."""
        ...

    def tell(self, verdicts: Sequence[Verdict]) -> None:
        """Take verdicts on proposals, one's own or another proposer's."""
        ...
