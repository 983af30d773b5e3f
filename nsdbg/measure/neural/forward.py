"""The next state for a debugger's command: asked, read, compared with the run.

One greedy answer a question, and another where it cannot be read; nothing is executed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from nsdbg.measure.neural import baselines
from nsdbg.measure.neural.baselines import COPY, EVALUATOR, LINE
from nsdbg.measure.neural.counting import MODEL, Counts
from nsdbg.measure.neural.literal import spells_all
from nsdbg.measure.neural.questions import Question
from nsdbg.propose.codec import answer as answers
from nsdbg.propose.codec import forward
from nsdbg.propose.codec.alike import (
    alike,
    same_arg,
    same_locals,
    same_place,
    same_return,
    same_value,
)
from nsdbg.propose.codec.answer import Answer
from nsdbg.propose.codec.following import followed
from nsdbg.propose.codec.pointing import points
from nsdbg.propose.codec.situation import Situation
from nsdbg.propose.neural.engine import Engine
from nsdbg.propose.neural.predict import LONGEST, RETRIES, next_states
from nsdbg.report.measured import Table
from nsdbg.state import ActionKind, State

_AT_ONCE = 16
FIELDS = ("line", "event", "locals, all of a state", "locals, each", "locals, each that changed",
          "argument", "output")  # fmt: skip

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Told:
    """What the network said to a question; `answer` and `after` None where it cannot be read.

    `without` is what those say that have no network, by name.
    """

    question: Question
    answer: Answer | None
    after: Situation | None
    without: tuple[tuple[str, Situation | None], ...] = ()

    @property
    def all(self) -> tuple[tuple[str, Situation | None], ...]:
        """What everybody said, the network first."""
        return ((MODEL, self.after), *self.without)

    @property
    def right(self) -> bool:
        """Whether the state is the one of the run."""
        return is_right(self.question, self.after)

    @property
    def spelled(self) -> bool:
        """Whether the answer spells out what it says."""
        return self.answer is not None and spells_all(self.question.run.view, self.answer)


def is_right(question: Question, after: Situation | None) -> bool:
    """Whether a state is the one of the run; after `return` its locals are not asked for."""
    if question.action.kind is ActionKind.RETURN:
        return same_return(after, question.truth)
    return alike(after, question.truth)


def ask(engine: Engine, questions: Sequence[Question], tell: Tell) -> list[Told]:
    """Ask all questions, many at a time."""
    told: list[Told] = []
    for first in range(0, len(questions), _AT_ONCE):
        chosen = questions[first : first + _AT_ONCE]
        prompts = [prompt_of(one) for one in chosen]
        for one, found in zip(chosen, engine.greedy(prompts, LONGEST), strict=True):
            after = forward.read(one.run.view, one.before, one.action, found.ids)
            if after is None:
                after = _second(engine, one)
            told.append(Told(one, answers.read(found.ids), after, without(one)))
        tell(f"{len(told)} of {len(questions)} states")
    return told


def _second(engine: Engine, question: Question) -> Situation | None:
    """Return the likeliest answer that can be read, as `nsdbg step --predict` does."""
    view, before = question.run.view, question.before
    found = next_states(engine, view, before, question.action, RETRIES)
    return found[0].situation if found else None


def prompt_of(question: Question) -> list[int]:
    """Return a question as the network reads it."""
    return forward.prompt(question.run.view, question.before, question.action)


def without(question: Question) -> tuple[tuple[str, Situation | None], ...]:
    """Return the answers of those that have no network."""
    view, before = question.run.view, question.before
    return (
        (COPY, baselines.copied(before)),
        (LINE, baselines.next_line(view, before)),
        (EVALUATOR, followed(view, before, question.action)),
    )


def count(counts: Counts, row: str, told: Iterable[Told]) -> None:
    """Count whole states under one row."""
    for one in told:
        for who, after in one.all:
            counts.add(row, is_right(one.question, after), who)


def whole_states(told: Sequence[Told], left_out: Counter[str]) -> Table:
    """Return the table of whole next states; `told` answers `step` and `next` alone."""
    counts = Counts(["step, whole state", "next, whole state", "step, event and line",
                     "next, event and line"])  # fmt: skip
    counts.left_out = left_out
    for one in told:
        kind = one.question.action.kind.value
        for who, after in one.all:
            truth = one.question.truth
            counts.add(f"{kind}, whole state", alike(after, truth), who)
            placed = after is not None and same_place(after.state, truth)
            counts.add(f"{kind}, event and line", placed, who)
    about = "one answer a state, exact in every field. " + baselines.LEGEND
    return counts.table("next state", about)


def fields(told: Sequence[Told]) -> Table:
    """Return the table by field, of the same answers."""
    counts = Counts(FIELDS)
    for one in told:
        for who, after in one.all:
            _count_fields(counts, one.question, after.state if after else None, who)
    return counts.table("by field", "of the same answers; argument and output where there is one")


def _count_fields(counts: Counts, question: Question, told: State | None, who: str) -> None:
    truth = question.truth
    same_depth = told is not None and len(told.stack) == len(truth.stack)
    where = told is not None and same_depth and (
        (told.frame.file, told.frame.lineno) == (truth.frame.file, truth.frame.lineno)
    )  # fmt: skip
    counts.add("line", where, who)
    counts.add("event", told is not None and told.event is truth.event, who)
    counts.add("locals, all of a state", told is not None and same_locals(told, truth), who)
    if truth.arg is not None:
        counts.add("argument", told is not None and same_arg(told, truth), who)
    if truth.output:
        counts.add("output", told is not None and told.output == truth.output, who)
    before = _same_frame(question)
    values = dict(told.frame.locals or ()) if told is not None and same_depth else {}
    for name, value in truth.frame.locals or ():
        right = name in values and same_value(values[name], value)
        counts.add("locals, each", right, who)
        if before.get(name) != value:
            counts.add("locals, each that changed", right, who)


def _same_frame(question: Question) -> dict[str, object]:
    """Return the locals that the frame of the new state had before; none of a new frame."""
    stack, depth = question.before.state.stack, len(question.truth.stack)
    return dict(stack[depth - 1].locals or ()) if depth <= len(stack) else {}


def evaluators_part(told: Sequence[Told]) -> Table:
    """Return how much the evaluator does for the network, of the same answers."""
    counts = Counts()
    for one in told:
        pointing = one.answer is not None and points(one.answer)
        counts.add("answers that can be read", one.answer is not None)
        counts.add("answers that point at a line", pointing)
        counts.add("answers of literals only", one.spelled)
        counts.add("whole, as answered", one.right)
        counts.add("whole, nothing pointed at", one.right and not pointing)
        counts.add("whole, literals only", one.right and one.spelled)
    return counts.table(
        "the evaluator's part",
        "an answer may be an expression over the state, or point at what the line at hand says, "
        "and the evaluator works it out; the last two rows take such answers for wrong",
    )
