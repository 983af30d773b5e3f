"""Judging answers: the verifier decides, the oracle is asked about what it confirmed.

Proposals are screened in batches, and what matched is confirmed from fresh processes.  Of a search,
which answers by the dozen, only the first of a batch is shown to anybody: what else matched in its
one run is not refuted, and is held against no oracle, since nobody would see it as CONFIRMED.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from nsdbg.claim import Call, Goal, Middle, Proposal, Reason, Status, Verdict
from nsdbg.measure.hallucination.asking import Question
from nsdbg.measure.hallucination.judged import Borne, Direction, Judged
from nsdbg.measure.hallucination.programs import Program
from nsdbg.measure.hallucination.smallest import Hallucination
from nsdbg.measure.oracle.facts import Facts
from nsdbg.propose.codec import alike
from nsdbg.solve import Judging
from nsdbg.source import Subject
from nsdbg.state import ActionKind, State


class Holding(Protocol):
    """What is asked of `oracle.Oracle`, which shares no line with the verifier."""

    def facts(self, file: str, root: str, module: str, calls: Sequence[tuple[str, Call]]) -> Facts:
        """Run calls of a file's functions and return what was seen."""
        ...

    def borne_out(self, goal: Goal, proposal: Proposal, facts: Facts | None = None) -> Borne:
        """Say whether a proposal is so."""
        ...


@dataclass(slots=True)
class Work:
    """How much judging there was: counts of proposals, seconds of wall time.

    `matched`: in the one run of the screening, and not run again.
    """

    screened: int = 0
    confirmed: int = 0
    matched: int = 0
    oracle_s: float = 0.0

    def add(self, other: Work) -> None:
        """Add the judging of other proposals."""
        self.screened += other.screened
        self.confirmed += other.confirmed
        self.matched += other.matched
        self.oracle_s += other.oracle_s


@dataclass(frozen=True, slots=True)
class Closed:
    """What was judged about one program; `wrong` was shown as CONFIRMED, and is not so."""

    judged: list[Judged]
    work: Work
    wrong: list[Hallucination] = field(default_factory=list)


class Judge:
    """Judges the answers to the questions about one program after the other.

    `pure` says whether a function may be run many times in one process.
    """

    def __init__(
        self,
        verifier: Judging,
        pure: Callable[[Subject], bool],
        oracle: Holding | None = None,
    ) -> None:
        self._work = Work()
        self._verifier, self._pure, self._oracle = verifier, pure, oracle
        self._judged: list[tuple[Judged, Question, Verdict]] = []
        self._purity: dict[object, bool] = {}

    def judge(
        self,
        question: Question,
        proposer: str,
        proposals: Sequence[Proposal],
        *,
        first_only: bool = False,
    ) -> list[Verdict]:
        """Return the verdicts on the answers to a question, and keep them."""
        verdicts = self.verdicts(question, proposals, self._work, first_only=first_only)
        for verdict in verdicts:
            one = _judged(question, proposer, verdict)
            self._judged.append((one, question, verdict))
        return verdicts

    def verdicts(
        self,
        question: Question,
        proposals: Sequence[Proposal],
        work: Work | None = None,
        *,
        first_only: bool = False,
    ) -> list[Verdict]:
        """Return the verdicts on the answers to a question, and keep nothing of them.

        With `first_only`, calls that match after one that was confirmed are not run again.
        """
        ref, work = question.subject.ref, work or Work()
        if ref not in self._purity:
            self._purity[ref] = self._pure(question.subject)
        verdicts = self._verifier.screen(
            question.goal, proposals, pure=self._purity[ref], guided=False
        )
        work.screened += len(verdicts)
        shown = False
        for place, verdict in enumerate(verdicts):
            if verdict.reason is not Reason.NOT_REPEATED:
                continue
            if shown and isinstance(verdict.proposal.start, Call):
                work.matched += 1
                continue
            verdicts[place] = final = self._verifier.confirm(question.goal, verdict.proposal)
            work.confirmed += 1
            shown = first_only and final.status is Status.CONFIRMED
        return verdicts

    def close(self, program: Program) -> Closed:
        """Return what was judged since the last program, held against the oracle."""
        kept, self._judged = self._judged, []
        work, self._work = self._work, Work()
        closed = Closed([one for one, _, _ in kept], work)
        shown = [at for at, (one, _, _) in enumerate(kept) if is_shown(one)]
        if self._oracle is None or not shown:
            return closed
        started = time.perf_counter()
        facts = None
        if any(isinstance(kept[at][2].proposal.start, Middle) for at in shown):
            ref = program.subject.ref
            calls = [(ref.qualname, call) for call in program.calls]
            facts = self._oracle.facts(ref.file, ref.root, ref.module, calls)
        for at in shown:
            one, question, verdict = kept[at]
            borne = self._oracle.borne_out(question.goal, verdict.proposal, facts)
            closed.judged[at] = replace(one, oracle=borne)
            if borne is Borne.WRONG:
                closed.wrong.append(Hallucination(question, one.proposer, verdict))
        work.oracle_s += time.perf_counter() - started
        return closed


def is_shown(one: Judged) -> bool:
    """Tell whether a proposal was confirmed as whatever nsdbg shows as CONFIRMED is."""
    return one.status is Status.CONFIRMED and one.reason is not Reason.NOT_REPEATED


def _judged(question: Question, proposer: str, verdict: Verdict) -> Judged:
    proposal = verdict.proposal
    word, status = question.word, verdict.status
    if verdict.reason is Reason.NOT_REPEATED:
        status = Status.CONFIRMED
    if question.direction is Direction.INVERSE and proposal.action is not None:
        word = proposal.action.kind.value
    return Judged(
        program=question.program, proposer=proposer, source=proposal.source,
        direction=question.direction, action=word, horizon=question.horizon,
        status=status, reason=verdict.reason, fields=tuple(_fields(question, proposal)),
        logp=proposal.logp, aliased=question.aliased,
    )  # fmt: skip


def _fields(question: Question, proposal: Proposal) -> list[tuple[str, bool]]:
    """Return which fields of a state are those of the recorded run."""
    truth = question.truth
    if truth is None:
        return []
    if question.direction is Direction.INVERSE:
        if not isinstance(proposal.start, Middle):
            return []
        told = proposal.start.state
        return [("line", _same_line(told, truth)), ("locals", alike.same_locals(told, truth))]
    if proposal.predicted is None:
        return []
    told = proposal.predicted
    found = [("line", _same_line(told, truth)), ("event", told.event is truth.event)]
    # What became of the locals on the way to a return is not asked.
    if question.action is None or question.action.kind is not ActionKind.RETURN:
        found.append(("locals", alike.same_locals(told, truth)))
    if truth.arg is not None:
        found.append(("argument", alike.same_arg(told, truth)))
    return found


def _same_line(told: State, truth: State) -> bool:
    one, other = told.frame, truth.frame
    return (one.file, one.lineno, len(told.stack)) == (other.file, other.lineno, len(truth.stack))
