"""Who is asked, and how: proposers, the network, and the smallest hallucination in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hallucinating import TOTAL, Truthful, total
from scripted_engine import Scripted

from nsdbg.claim import Call, Evidence, Goal, Middle, Proposal, Reason, Site, Verdict
from nsdbg.measure.hallucination.asking import ARGUMENTS, Question
from nsdbg.measure.hallucination.judged import Direction
from nsdbg.measure.hallucination.programs import Program, Source
from nsdbg.measure.hallucination.proposers import ANSWERS, SEARCH_ANSWERS, Inverse, Network
from nsdbg.measure.hallucination.recording import whole_call
from nsdbg.measure.hallucination.smallest import Hallucination, smallest, state_text, told
from nsdbg.propose.codec import forward
from nsdbg.propose.codec.seen import UNTOLD
from nsdbg.propose.codec.situation import Situation
from nsdbg.propose.neural.model import Model
from nsdbg.proposer import Proposer
from nsdbg.source import Subject
from nsdbg.state import Action, ActionKind, Event, Frame, State, Value
from nsdbg.statefile.states import value_of


class Talker:
    """Proposes calls without end, ten at a time; keeps what it was told."""

    def __init__(self, name: str, silent: int = 0) -> None:
        self.name, self.silent = name, silent
        self.asked: list[int] = []
        self.told: list[Verdict] = []

    def start(self, goal: Goal, subject: Subject, seed: int) -> Talker:
        return self

    def ask(self, count: int) -> list[Proposal]:
        self.asked.append(count)
        if len(self.asked) <= self.silent:
            return []
        return [Proposal(Call((("prices", str(at)),)), self.name) for at in range(min(10, count))]

    def tell(self, verdicts: Sequence[Verdict]) -> None:
        self.told += verdicts


def confirmed(proposals: Sequence[Proposal]) -> list[Verdict]:
    return [Verdict(one, Reason.GOAL_REACHED, Evidence(2)) for one in proposals]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    return total(tmp_path_factory.mktemp("drawn"))


@pytest.fixture
def arguments(program: Program) -> Question:
    goal = whole_call(program.subject, "20")
    return Question(
        program.id, program.subject, program.calls[0], program.subject, goal,
        Direction.INVERSE, ARGUMENTS,
    )  # fmt: skip


@pytest.fixture
def ahead(program: Program) -> Question:
    """Where does `next` lead from line 2?"""
    subject = program.subject
    names = (("prices", value_of("[1]")), ("rate", value_of("2")))
    frame = Frame(subject.ref.file, 2, "total", names)
    start = Middle(State(Event.LINE, (frame,)))
    after = replace(frame, lineno=3, locals=(*names, ("whole", value_of("0"))))
    goal = Goal(subject.ref, Event.LINE, (Site(frame.file, 2, "total"),), previous=True)
    return Question(
        program.id, subject, program.calls[0], subject, goal, Direction.FORWARD, "next",
        State(Event.LINE, (after,)), Action(ActionKind.NEXT), start, Situation(start.state, ((),)),
        0,
    )  # fmt: skip


def answered(talker: Talker, question: Question, answers: int | None = None) -> int:
    judged: list[Proposal] = []

    def judge(proposals: Sequence[Proposal]) -> list[Verdict]:
        judged.extend(proposals)
        return confirmed(proposals)

    asker = Inverse(cast(Proposer, talker), answers)
    assert asker.answer(question, 0, judge) == bool(judged)
    assert [one.proposal for one in talker.told] == judged
    return len(judged)


def test_a_search_is_asked_until_it_gave_enough_though_all_is_confirmed(
    arguments: Question,
) -> None:
    assert answered(Talker("search"), arguments) == SEARCH_ANSWERS
    assert answered(Talker("search"), arguments, 25) == 25


def test_others_are_asked_for_what_they_say_first(arguments: Question) -> None:
    talker = Talker("mine")
    assert answered(talker, arguments) == 10
    assert talker.asked == [ANSWERS]


def test_who_answers_nothing_is_asked_a_few_times_more(arguments: Question) -> None:
    assert answered(Talker("mine", silent=2), arguments) == 10
    assert answered(Talker("mine", silent=3), arguments) == 0
    assert answered(Talker("smt", silent=8), arguments) == 10


def test_proposers_take_only_questions_of_what_was_before(
    arguments: Question, ahead: Question
) -> None:
    back = replace(ahead, direction=Direction.INVERSE)
    for name, takes in (("rules", True), ("search", False)):
        asker = Inverse(cast(Proposer, Talker(name)))
        assert asker.takes(arguments)
        assert asker.takes(back) is takes
        assert not asker.takes(ahead)


def network(monkeypatch: pytest.MonkeyPatch, said: Situation | None) -> Network:
    """Return a network whose answer is read as this situation."""
    scripted = Scripted(lambda prompt, number: [[number]])
    model = SimpleNamespace(name="neural:x", opened=lambda: scripted)
    monkeypatch.setattr(forward, "read", lambda *_: said)
    return Network(cast(Model, model), cast(Proposer, Talker("neural")))


def test_a_network_claims_the_state_that_its_likeliest_answer_tells(
    monkeypatch: pytest.MonkeyPatch, ahead: Question
) -> None:
    assert ahead.truth is not None
    asker = network(monkeypatch, Situation(ahead.truth))
    asker.prepare([ahead], 0)
    heard: list[Proposal] = []
    assert asker.answer(ahead, 0, lambda found: heard.extend(found) or [])  # type: ignore[func-returns-value]
    [told] = heard
    assert (told.start, told.action, told.predicted) == (ahead.start, ahead.action, ahead.truth)
    assert (told.source, told.logp) == ("neural:x", -1.0)


def test_an_answer_that_leaves_a_value_untold_claims_no_state(
    monkeypatch: pytest.MonkeyPatch, ahead: Question
) -> None:
    assert ahead.truth is not None
    frame = replace(ahead.truth.frame, locals=(("prices", UNTOLD),))
    for said in (None, Situation(replace(ahead.truth, stack=(frame,)))):
        asker = network(monkeypatch, said)
        asker.prepare([ahead], 0)
        assert not asker.answer(ahead, 0, lambda found: pytest.fail("nothing was claimed"))


class Numbers:
    """Programs that differ in nothing but the number that they return."""

    name = "numbers"

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def drawn(self) -> Any:
        return self.small()

    def small(self) -> Any:
        from hypothesis import strategies as st

        from nsdbg.measure.hallucination.programs import written

        def program(number: int) -> Program:
            text = f"def f(x):\n    return {number}\n"
            return written(self._folder, text, "f", (("1",),), "test f")

        return st.integers(0, 2000).map(program)


def wrong_about(program: Program) -> list[Hallucination]:
    """Return a hallucination about any program that returns more than 40."""
    if int(program.subject.lines[1].split()[-1]) <= 40:
        return []
    goal = whole_call(program.subject, "1")
    call = program.calls[0]
    asked = Question(
        program.id, program.subject, call, program.subject, goal, Direction.INVERSE, ARGUMENTS
    )  # fmt: skip
    evidence = Evidence(1, value=value_of(program.subject.lines[1].split()[-1]))
    verdict = Verdict(Proposal(call, "mine"), Reason.VALUE_DIFFERS, evidence)
    return [Hallucination(asked, "mine", verdict)]


def test_hypothesis_shrinks_the_program_of_a_hallucination(tmp_path: Path) -> None:
    found = smallest(cast(Source, Numbers(tmp_path)), wrong_about, 0, 60.0)
    assert found is not None
    one = told(found)
    assert one.program == "def f(x):\n    return 41"
    assert (one.call, one.claim, one.really) == ("f(1)", "f(1)", "returns 41")
    assert one.question == "f returns 1: with which arguments?"


def test_without_a_hallucination_or_time_nothing_is_shown(tmp_path: Path) -> None:
    source = cast(Source, Numbers(tmp_path))
    assert smallest(source, lambda program: [], 0, 60.0) is None
    assert smallest(source, wrong_about, 0, 0.0) is None


def test_a_hallucination_ahead_is_told_in_words(ahead: Question) -> None:
    claimed = Truthful().proposal(ahead)
    seen = replace(ahead.truth, event=Event.RETURN, arg=value_of("'x'"))  # type: ignore[type-var]
    verdict = Verdict(claimed, Reason.EVENT_DIFFERS, Evidence(2, observed=cast(State, seen)))
    one = told(Hallucination(ahead, "mine", verdict))
    assert one.program == TOTAL.strip("\n")
    assert one.call == "total([3, 3, 4], 2)"
    assert one.question == (
        "in total, at line 2, with prices = [1], rate = 2: where does `next` lead?"
    )
    assert one.claim == "at line 3, with prices = [1], rate = 2, whole = 0"
    assert one.really == "returning 'x' at line 3, with prices = [1], rate = 2, whole = 0"


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (State(Event.CALL, (Frame("a.py", 1, "f"), Frame("a.py", 7, "g"))),
         "called at line 7 in g"),
        (State(Event.EXCEPTION, (Frame("a.py", 2, "f"),), Value("'k'", "KeyError")),
         "raising KeyError: 'k' at line 2"),
        (State(Event.LINE, (Frame("a.py", 2, "f", ()),), output="hi\n"),
         "at line 2, having printed 'hi\\n'"),
        (State(Event.LINE, (Frame("a.py", 2, "f", (("x", Value("y" * 300, "str")),)),)),
         f"at line 2, with x = {'y' * 157}..."),
    ],
)  # fmt: skip
def test_states_are_told_in_words(state: State, words: str) -> None:
    assert state_text(state) == words
