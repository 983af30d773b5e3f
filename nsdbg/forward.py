"""Forward: a state and a debugger's command give the next state; and judging others' proposals.

Nothing is predicted here: the next state is what re-execution shows, twice.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from nsdbg.claim import FunctionRef, Goal, Middle, Proposal, Stats, Status, Verdict
from nsdbg.errors import ProposalError, StateError
from nsdbg.source import Subject
from nsdbg.state import Action
from nsdbg.statefile import StateClaim, Submission, Unreadable, middle_from, read_proposals
from nsdbg.verify.verifier import Followed


class Following(Protocol):
    """What `step` needs of `verify.Verifier`."""

    def follow(self, entry: FunctionRef, start: Middle, action: Action) -> Followed:
        """Return where an action leads from a state."""
        ...


class Confirming(Protocol):
    """What `verify_proposals` needs of `verify.Verifier`."""

    def confirm(self, goal: Goal, proposal: Proposal) -> Verdict:
        """Return the final verdict on one proposal."""
        ...


def step(claim: StateClaim, subject: Subject, action: Action, verifier: Following) -> Followed:
    """Return the verdict on where an action leads; its evidence holds the next state.

    CONFIRMED says that from this state the action leads there, not that any call reaches the
    state.  Raises StateError for a claim that is no state to start from.
    """
    if claim.where:
        raise StateError(
            f"a state to start from has values, not constraints: {claim.where[0]!r} is no value"
        )
    return verifier.follow(subject.ref, middle_from(claim, subject), action)


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of one line of a proposals file."""

    submission: Submission
    verdict: Verdict

    @property
    def lineno(self) -> int:
        """The line of the file, from 1."""
        return self.submission.lineno


def verify_proposals(
    submissions: Iterable[Submission | Unreadable], verifier: Confirming
) -> Iterator[Judged | Unreadable]:
    """Judge proposals made by anybody, in order; what cannot be read is named and passed over."""
    for submission in submissions:
        if isinstance(submission, Unreadable):
            yield submission
        else:
            yield Judged(submission, verifier.confirm(submission.goal, submission.proposal))


def open_proposals(
    argument: str, root: Path | None = None
) -> list[Submission | Unreadable]:  # fmt: skip
    """Read a proposals file; `-` is standard input.

    Relative files in it are looked for beside it.  Raises ProposalError when it cannot be read.
    """
    if argument == "-":
        return list(read_proposals(sys.stdin, Path(), root))
    path = Path(argument)
    try:
        with path.open(encoding="utf-8") as lines:
            return list(read_proposals(lines, path.resolve().parent, root))
    except (OSError, UnicodeDecodeError) as error:
        raise ProposalError(
            f"cannot read proposals from {argument!r}: "
            f"{getattr(error, 'strerror', None) or error}; give a file of JSON lines, or -"
        ) from error


def counts(results: Iterable[Judged | Unreadable], seconds: float) -> Stats:
    """Return how many proposals there were, and what became of them."""
    verdicts = [result.verdict for result in results if isinstance(result, Judged)]
    reasons: dict[str, int] = {}
    for verdict in verdicts:
        if verdict.status is Status.UNKNOWN:
            reasons[verdict.reason.slug] = reasons.get(verdict.reason.slug, 0) + 1
    return Stats(
        proposed=len(verdicts),
        executed=sum(verdict.evidence.runs > 0 for verdict in verdicts),
        confirmed=sum(verdict.status is Status.CONFIRMED for verdict in verdicts),
        refuted=sum(verdict.status is Status.REFUTED for verdict in verdicts),
        unknown=sum(verdict.status is Status.UNKNOWN for verdict in verdicts),
        seconds=seconds,
        unknown_reasons=tuple(sorted(reasons.items())),
    )
