"""The smallest hallucination: Hypothesis searches for one and shrinks it, program and all.

It is found apart from the rates, which no search may touch.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from nsdbg.claim import Call, Goal, Middle, Verdict
from nsdbg.measure.hallucination.asking import Question
from nsdbg.measure.hallucination.programs import Program, Source
from nsdbg.report.rated import Smallest
from nsdbg.source import call_text, first_line
from nsdbg.state import Event, Frame, State, Value

# Programs that Hypothesis tries until it finds a hallucination to shrink.
MOST_EXAMPLES = 300
_LONGEST = 160
_SHORT = 40  # lines of a module that is shown whole


@dataclass(frozen=True, slots=True)
class Hallucination:
    """A refuted answer: what was asked, of whom, and the verdict."""

    question: Question
    proposer: str
    verdict: Verdict

    @property
    def size(self) -> tuple[int, int, int]:
        """How much there is to read: lines and characters of the program, then of the claim."""
        text = source_of(self.question)
        return text.count("\n"), len(text), len(claim_text(self))


class _TimeIsUp(BaseException):
    """Ends Hypothesis from within; an Exception would be taken for a failure of the program."""


def smallest(
    source: Source,
    hallucinations: Callable[[Program], Sequence[Hallucination]],
    seed: int,
    budget_s: float,
) -> Hallucination | None:
    """Return the smallest hallucination found within a budget; None when there was none.

    It is the smallest of all that were met, on the way of the shrinking as well.
    """
    from hypothesis import HealthCheck, Phase, find, settings
    from hypothesis.errors import HypothesisException

    best: list[Hallucination] = []
    known: dict[object, bool] = {}
    ends = time.perf_counter() + budget_s

    def has_one(program: Program) -> bool:
        key = program.subject.ref, program.calls
        if key not in known:
            if time.perf_counter() > ends:
                raise _TimeIsUp
            found = hallucinations(program)
            known[key] = bool(found)
            best[:] = sorted([*found, *best], key=lambda one: one.size)[:1]
        return known[key]

    wanted = settings(
        database=None, deadline=None, max_examples=MOST_EXAMPLES,
        phases=[Phase.generate, Phase.shrink], suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    with suppress(HypothesisException, _TimeIsUp):  # it found none, or had no more time
        find(source.small(), has_one, settings=wanted, random=random.Random(seed))
    return best[0] if best else None


def told(found: Hallucination) -> Smallest:
    """Return a hallucination as text."""
    question = found.question
    return Smallest(
        source_of(question), call_text(question.recorded, question.call), question_text(question),
        claim_text(found), really(found), found.proposer,
    )  # fmt: skip


def source_of(question: Question) -> str:
    """Return the source that a person has to read: a short module, else the function alone."""
    subject = question.subject
    if subject.node is None or len(subject.lines) <= _SHORT:
        return subject.text.strip("\n")
    return "\n".join(subject.lines[first_line(subject.node) - 1 : subject.node.end_lineno])


def question_text(question: Question) -> str:
    """Return what was asked, in words."""
    name = question.subject.ref.qualname
    if question.start is not None:
        stop = state_text(question.start.state)
        return f"in {name}, {stop}: where does `{question.action}` lead?"
    if question.goal.previous:
        return f"in {name}, {_goal_text(question.goal)}: what was the state one step earlier?"
    return f"{name} {_end_text(question.goal)}: with which arguments?"


def state_text(state: State) -> str:
    """Return a state in words: event, line, function where it is another, and values."""
    frame = state.frame
    words = f"at line {frame.lineno}" if state.event is Event.LINE else _event_text(state)
    if len(state.stack) > 1:
        words += f" in {frame.function}"
    names = [f"{name} = {_short(value.repr)}" for name, value in frame.locals or ()]
    if names:
        words += f", with {', '.join(names)}"
    return words + (f", having printed {_short(repr(state.output))}" if state.output else "")


def _event_text(state: State) -> str:
    lineno = state.frame.lineno
    if state.event is Event.RETURN:
        given = f" {_short(state.arg.repr)}" if state.arg else ""
        return f"returning{given} at line {lineno}"
    if state.event is Event.EXCEPTION:
        raised = f"{state.arg.type}: {_short(state.arg.repr)}" if state.arg else "an exception"
        return f"raising {raised} at line {lineno}"
    return f"called at line {lineno}"


def _goal_text(goal: Goal) -> str:
    names = tuple((name, Value(text, "object")) for name, text in goal.locals)
    site = goal.chain[-1]
    arg = None if goal.value is None else Value(goal.value, "object")
    if goal.exception is not None:
        arg = Value(goal.exception.message or "", goal.exception.type)
    return state_text(State(goal.event, (Frame("", site.lineno or 0, site.function, names),), arg))


def _end_text(goal: Goal) -> str:
    if goal.exception is None:
        return f"returns {_short(goal.value or '')}"
    line = goal.chain[-1].lineno
    return f"raises {goal.exception.type}: {_short(goal.exception.message or '')} at line {line}"


def claim_text(found: Hallucination) -> str:
    """Return what was proposed, in words."""
    proposal = found.verdict.proposal
    if proposal.predicted is not None:
        return state_text(proposal.predicted)
    if isinstance(proposal.start, Middle):
        return f"{state_text(proposal.start.state)}; `{proposal.action}` leads there"
    assert isinstance(proposal.start, Call)
    return call_text(found.question.subject, proposal.start)


def really(found: Hallucination) -> str:
    """Return what re-execution saw instead, in words."""
    evidence, proposal = found.verdict.evidence, found.verdict.proposal
    if proposal.action is None:
        if evidence.raised is not None:
            return f"raises {evidence.raised.type}: {_short(evidence.raised.message)}"
        if evidence.value is not None:
            return f"returns {_short(evidence.value.repr)}"
    elif evidence.observed is not None:
        return state_text(evidence.observed)
    told = [f"{one.field}: {_short(one.observed)}" for one in found.verdict.differences]
    reason = found.verdict.reason.slug
    return f"{reason}: {'; '.join(told) or evidence.detail}".removesuffix(": ")


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
