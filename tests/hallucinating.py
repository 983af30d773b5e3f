"""What the tests of measuring hallucinations share: a program on disk, and askers that know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from nsdbg.claim import Call, Middle, Proposal
from nsdbg.measure.hallucination.asking import ARGUMENTS, Question
from nsdbg.measure.hallucination.judged import Direction
from nsdbg.measure.hallucination.programs import Program, written
from nsdbg.measure.hallucination.proposers import Judging
from nsdbg.state import Action, ActionKind, State, Value

TOTAL = """\
def total(prices, rate):
    whole = 0
    for price in prices:
        whole += price
    return whole * rate
"""


def program_of(folder: Path, text: str, entry: str, *calls: tuple[str, ...]) -> Program:
    return written(folder, text, entry, calls, f"test {entry}")


def total(folder: Path) -> Program:
    return program_of(folder, TOTAL, "total", ("[3, 3, 4]", "2"), ("[]", "5"))


class Truthful:
    """Says what was recorded."""

    name = "truthful"

    def takes(self, question: Question) -> bool:
        return True

    def prepare(self, questions: Sequence[Question], seed: int) -> None:
        pass

    def answer(self, question: Question, seed: int, judge: Judging) -> bool:
        judge([self.proposal(question)])
        return True

    def proposal(self, question: Question) -> Proposal:
        if question.word == ARGUMENTS:
            return Proposal(question.call, self.name, logp=-0.1)
        assert question.truth is not None
        if question.direction is Direction.INVERSE:
            start = Middle(State(question.truth.event, question.truth.stack))
            return Proposal(start, self.name, Action(ActionKind.NEXT))
        assert question.start is not None
        below = tuple(replace(frame, locals=None) for frame in question.truth.stack[:-1])
        predicted = replace(question.truth, stack=(*below, question.truth.frame))
        return Proposal(question.start, self.name, question.action, predicted)


class Liar(Truthful):
    """Says what differs in one thing from what was recorded."""

    name = "liar"

    def proposal(self, question: Question) -> Proposal:
        true = super().proposal(question)
        if isinstance(true.start, Call):
            return replace(true, start=Call((("nobody", "1"), *true.start.arguments)))
        if true.predicted is None:
            assert isinstance(true.start, Middle)
            return replace(true, start=replace(true.start, state=lie(true.start.state)))
        return replace(true, predicted=lie(true.predicted))


def lie(state: State) -> State:
    """Return a state with a local that is not there."""
    frame = state.frame
    more = (*(frame.locals or ()), ("nobody", Value("1", "int", literal=True)))
    return replace(state, stack=(*state.stack[:-1], replace(frame, locals=more)))
