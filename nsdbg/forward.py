"""Forward: a state and a debugger's command give the next state; and judging others' proposals.

The next state is what re-execution shows, twice.  What a network expects is told apart from it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from nsdbg.claim import Difference, FunctionRef, Goal, Middle, Proposal, Stats, Status, Verdict
from nsdbg.errors import ProposalError, StateError
from nsdbg.propose.neural.model import Model
from nsdbg.source import Subject
from nsdbg.state import Action, State
from nsdbg.statefile import StateClaim, Submission, Unreadable, middle_from, read_proposals
from nsdbg.verify.comparison import state_findings
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
    return verifier.follow(subject.ref, _start(claim, subject), action)


def _start(claim: StateClaim, subject: Subject) -> Middle:
    if claim.where:
        raise StateError(
            f"a state to start from has values, not constraints: {claim.where[0]!r} is no value"
        )
    return middle_from(claim, subject)


@dataclass(frozen=True, slots=True)
class Foreseen:
    """Where a network expects an action to lead; nothing was run for it, and nothing checked.

    `state` None: its answer could not be read.  A truncated value in it is one that it does not
    tell.  `remaining` is what loops around the state would have yet to give; `logp` is in nats.
    """

    start: Middle
    action: Action
    source: str
    state: State | None = None
    logp: float | None = None
    remaining: tuple[tuple[int, str], ...] = ()


def foresee(claim: StateClaim, subject: Subject, action: Action, model: Model) -> Foreseen:
    """Return where a network expects an action to lead.

    Raises StateError for a claim that is no state to start from, ModelError without a model.
    """
    from nsdbg.propose.codec.view import View
    from nsdbg.propose.neural import situations
    from nsdbg.propose.neural.predict import next_state

    start = _start(claim, subject)
    engine = model.opened()
    view = View.of_subject(subject)
    found = next_state(engine, view, situations.of_start(view, start), action)
    if found is None:
        return Foreseen(start, action, model.name)
    left = situations.left(view, found.situation)
    return Foreseen(start, action, model.name, found.situation.state, found.logp, left)


def differences(foreseen: Foreseen, followed: Followed) -> tuple[Difference, ...] | None:
    """Return in what a run was not as foreseen; None when there is nothing to compare.

    To the network a comprehension is part of its line, as it is since Python 3.12: its own frame,
    which older ones have, cannot be foreseen.
    """
    from nsdbg.propose.codec.track import INLINED

    seen = followed.verdict.evidence.observed
    if followed.verdict.status is not Status.CONFIRMED or seen is None or foreseen.state is None:
        return None
    if seen.frame.function.rpartition(".")[2] in INLINED:
        return None
    return tuple(finding.difference for finding in state_findings(foreseen.state, seen))


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
