"""Questions about recorded calls, their text, and the answers that are read from text."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hallucinating import Truthful, program_of, total

from nsdbg.claim import Call, Middle, Proposal, Status
from nsdbg.measure.hallucination.asking import (
    ARGUMENTS,
    Question,
    ahead,
    arguments,
    before,
    questions_of,
)
from nsdbg.measure.hallucination.judged import Direction
from nsdbg.measure.hallucination.judging import Judge
from nsdbg.measure.hallucination.programs import Program
from nsdbg.measure.hallucination.prompts import prompt_of, proposal_of
from nsdbg.measure.hallucination.recording import Missed, Recorded, record
from nsdbg.state import Action, ActionKind, Event
from nsdbg.verify.runner import Runner, RunnerConfig
from nsdbg.verify.verifier import Verifier

NEXT = Action(ActionKind.NEXT)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("drawn")


@pytest.fixture(scope="module")
def running(folder: Path) -> Iterator[Runner]:
    with Runner(RunnerConfig(roots=(folder,))) as runner:
        yield runner


@pytest.fixture(scope="module")
def recorded(running: Runner, folder: Path) -> Recorded:
    """`total([3, 3, 4], 2)`, state for state."""
    return made(running, total(folder))


def made(runner: Runner, program: Program, number: int = 0) -> Recorded:
    found = record(runner, program, program.calls[number])
    assert isinstance(found, Recorded), found
    return found


def stands(recorded: Recorded, lineno: int, visit: int = 0) -> int:
    """Return the index of a visit of a line."""
    found = [at for at, state in enumerate(recorded.states)
             if state.event is Event.LINE and state.frame.lineno == lineno]  # fmt: skip
    return found[visit]


def question(recorded: Recorded, at: int, action: Action) -> Question:
    found = ahead(recorded, at, action)
    assert found is not None
    return found


def test_a_question_ahead_knows_the_state_and_how_far_it_is(recorded: Recorded) -> None:
    asked = question(recorded, stands(recorded, 2), Action(ActionKind.UNTIL, 4))
    assert asked.truth is not None
    assert asked.truth.frame.lineno == 4
    price = asked.truth.frame.local("price")
    assert price is not None
    assert price.repr == "3"
    assert (asked.word, asked.horizon, asked.direction) == ("until", 1, Direction.FORWARD)
    assert asked.start == Middle(recorded.states[stands(recorded, 2)])


def test_the_start_says_what_the_loops_have_yet_to_give(recorded: Recorded) -> None:
    asked = question(recorded, stands(recorded, 4, 1), NEXT)
    assert asked.start is not None
    assert asked.start.remaining == ((3, "[4]"),)


def test_equal_states_with_different_futures_are_aliased(running: Runner, folder: Path) -> None:
    text = "def f(n):\n    k = 0\n    for x in [0, 0, 0]:\n        k = 0\n    return k\n"
    loop = made(running, program_of(folder, text, "f", ("1",)))
    assert question(loop, stands(loop, 3, 1), NEXT).aliased
    assert not question(loop, stands(loop, 4), NEXT).aliased
    assert not question(loop, stands(loop, 2), NEXT).aliased


def test_the_state_before_is_asked_by_what_is_known_of_it(recorded: Recorded) -> None:
    asked = before(recorded, stands(recorded, 4, 2))
    assert asked is not None
    assert asked.goal.previous
    assert dict(asked.goal.locals) == {
        "prices": "[3, 3, 4]", "rate": "2", "whole": "6", "price": "4"
    }  # fmt: skip
    assert asked.truth is not None
    assert asked.truth.frame.lineno == 3
    assert (asked.word, asked.horizon) == ("next", 0)


def test_the_arguments_are_asked_by_the_end_of_a_call(recorded: Recorded) -> None:
    asked = arguments(recorded)
    assert asked is not None
    assert (asked.goal.value, asked.word, asked.horizon) == ("20", ARGUMENTS, None)


def test_an_exception_is_an_end_too(running: Runner, folder: Path) -> None:
    text = "def inner(x):\n    return [1][x]\n\ndef f(x):\n    return inner(x)\n"
    asked = arguments(made(running, program_of(folder, text, "f", ("3",))))
    assert asked is not None
    assert asked.goal.exception is not None
    assert asked.goal.exception.type == "IndexError"
    assert [(site.function, site.lineno) for site in asked.goal.chain] == [("f", 5), ("inner", 2)]


def test_nothing_is_asked_across_the_end_of_a_frame(running: Runner, folder: Path) -> None:
    text = "def inner(x):\n    return x\n\ndef f(x):\n    y = inner(x)\n    return y\n"
    calls = made(running, program_of(folder, text, "f", ("3",)))
    inside = stands(calls, 2)
    assert question(calls, inside, NEXT).subject.ref.qualname == "inner"
    ends = next(at for at, state in enumerate(calls.states) if state.event is Event.RETURN)
    assert ahead(calls, ends, NEXT) is None
    assert ahead(calls, inside, Action(ActionKind.CONTINUE, 6)) is None


def test_a_step_into_a_function_has_its_caller_below(running: Runner, folder: Path) -> None:
    text = "def inner(x):\n    return x\n\ndef g(x):\n    y = inner(x)\n    return y\n"
    calls = made(running, program_of(folder, text, "g", ("3",)))
    asked = question(calls, stands(calls, 5), Action(ActionKind.STEP))
    assert asked.truth is not None
    assert [frame.function for frame in asked.truth.stack] == ["g", "inner"]
    told = {"event": "call", "function": "inner", "lineno": 1, "locals": {"x": "3"}}
    assert judged(running, asked, proposal(asked, told)) is Status.CONFIRMED


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="comprehensions have no frame here")
def test_a_step_into_the_frame_of_a_comprehension_is_not_asked(
    running: Runner, folder: Path
) -> None:
    text = "def g(x):\n    y = [len(a) for a in x]\n    z = [a for a in y]\n    return z\n"
    calls = made(running, program_of(folder, text, "g", ("['a']",)))
    places = [stands(calls, line) for line in (2, 3, 4)]
    assert calls.entering == set(places[:2])
    steps = [ahead(calls, at, Action(ActionKind.STEP)) for at in places]
    assert [asked is None for asked in steps] == [True, True, False]
    for at in places:
        asked = question(calls, at, NEXT)
        assert asked.truth is not None
        assert judged(running, asked, Truthful().proposal(asked)) is Status.CONFIRMED


@pytest.mark.parametrize(
    ("text", "call", "why"),
    [
        ("def f(x):\n    open('/nowhere/at/all', 'w')\n", "1", "it wants what the guard refuses"),
        ("def f(x):\n    while True: pass\n", "1", "its run ended as timed-out"),
        ("def f(x):\n    return x\n", "1 +", "its arguments cannot be made, or do not fit"),
        ("def f(x):\n    for i in range(500): x += i\n", "1", "its run is too long to be recorded"),
        ("def f(x):\n    return hash('a')\n", "1", "two runs of it differ"),
    ],
)
def test_a_call_that_is_not_recorded_has_its_reason(
    folder: Path, text: str, call: str, why: str
) -> None:
    program = program_of(folder, text, "f", (call,))
    with Runner(RunnerConfig(roots=(folder,), limit_s=0.3)) as runner:
        assert record(runner, program, program.calls[0]) == Missed(why)


def judged(runner: Runner, question: Question, told: Proposal) -> Status:
    judge = Judge(Verifier(runner), lambda subject: True)
    return judge.verdicts(question, [told])[0].status


def test_what_was_recorded_is_never_refuted(running: Runner, recorded: Recorded) -> None:
    told = Truthful()
    every = [
        *(ahead(recorded, at, action) for at in range(0, len(recorded.states), 3)
          for action in (NEXT, Action(ActionKind.RETURN), Action(ActionKind.UNTIL, 5))),
        *(before(recorded, to) for to in range(1, len(recorded.states), 4)), arguments(recorded),
    ]  # fmt: skip
    asked = [one for one in every if one is not None]
    found = [judged(running, one, told.proposal(one)) for one in asked]
    assert Status.REFUTED not in found
    assert found.count(Status.CONFIRMED) > 0.6 * len(found) > 6


def test_the_same_seed_asks_the_same(recorded: Recorded) -> None:
    asked = questions_of(recorded, random.Random(1))
    assert asked == questions_of(recorded, random.Random(1))
    assert {one.word for one in asked} >= {"step", "next", "return", ARGUMENTS}
    assert len({(one.start, one.action, one.goal) for one in asked}) == len(asked)


def proposal(question: Question, told: object) -> Proposal:
    found = proposal_of(question, f"Well: {json.dumps(told)} it is.", "mine")
    assert found is not None
    return found


def test_a_prompt_holds_source_state_and_command(recorded: Recorded) -> None:
    text = prompt_of(question(recorded, stands(recorded, 4, 1), Action(ActionKind.UNTIL, 5)))
    assert "   4         whole += price\n" in text
    assert '"locals": {"prices": "[3, 3, 4]", "rate": "2", "whole": "3", "price": "3"}' in text
    assert '"remaining": {"3": "[4]"}' in text
    assert "The command is `until 5`." in text
    assert "drawn_" not in text  # the folder and file are nobody's business


def test_a_told_state_is_judged_as_it_is_told(running: Runner, recorded: Recorded) -> None:
    asked = question(recorded, stands(recorded, 2), NEXT)
    names = {"prices": "[3, 3, 4]", "rate": "2", "whole": "0"}
    true: dict[str, object] = {"event": "line", "lineno": 3, "locals": names}
    assert judged(running, asked, proposal(asked, true)) is Status.CONFIRMED
    lies: list[dict[str, object]] = [
        {"lineno": 4}, {"locals": {**names, "whole": "False"}}, {"output": "x"},
        {"event": "call"}, {"lineno": 999},
    ]  # fmt: skip
    for lie in lies:
        assert judged(running, asked, proposal(asked, {**true, **lie})) is Status.REFUTED


def test_told_arguments_and_earlier_states_are_proposals(recorded: Recorded) -> None:
    asked = arguments(recorded)
    assert asked is not None
    told = proposal(asked, {"arguments": {"rate": "2", "prices": "[10]"}, "logp": -0.5})
    assert told.start == Call((("rate", "2"), ("prices", "[10]")))
    assert told.logp == -0.5
    back = before(recorded, stands(recorded, 3))
    assert back is not None
    earlier = proposal(back, {"lineno": 2, "locals": {"prices": "[1]", "rate": "2"}})
    assert isinstance(earlier.start, Middle)
    assert earlier.start.state.frame.lineno == 2
    assert earlier.action == NEXT


@pytest.mark.parametrize(
    "text",
    ["", "I do not know", "[1]", '{"lineno": "2"}', '{"event": "line", "lineno": 2, "locals": 3}',
     '{"event": "line", "lineno": 3, "locals": {"a": "f(1)"}}', '{"arguments": {"a": "1"}}',
     "{" * 9000],
)  # fmt: skip
def test_what_is_no_answer_is_none(recorded: Recorded, text: str) -> None:
    assert proposal_of(question(recorded, stands(recorded, 2), NEXT), text, "mine") is None
