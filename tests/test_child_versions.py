"""The child on every interpreter that is here."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from running import call, goal_for, line_of, run, value_of

from nsdbg.claim import Ending, ExceptionClaim, Site
from nsdbg.state import Event, Value
from nsdbg.verify.interpreters import Interpreter, find_interpreters
from nsdbg.verify.runner import Runner, RunnerConfig

INTERPRETERS = find_interpreters()


@pytest.fixture(
    scope="module", params=INTERPRETERS, ids=lambda found: ".".join(map(str, found.version[:2]))
)
def any_runner(request: pytest.FixtureRequest, target: Path) -> Iterator[Runner]:
    interpreter: Interpreter = request.param
    config = RunnerConfig(python=interpreter.path, roots=(target.parent,), limit_s=1.0)
    with Runner(config) as runner:
        assert runner.interpreter.version == interpreter.version
        yield runner


def test_runs_are_the_same_on_every_version(any_runner: Runner, target: Path) -> None:
    assert value_of(run(any_runner, target, "add", a=3)) == "5"
    assert value_of(run(any_runner, target, "stream", n=2)) == "[0, 1]"
    goal = goal_for(target, "fails", Event.EXCEPTION, exception=ExceptionClaim("Bad", "no x"))
    for found in any_runner.fresh(goal, call(text="'x'"), full_trace=True):
        assert len(found.hits) == 1
        assert found.trace is not None
        assert [state.event.value for state in found.trace.states] == [
            "call", "line", "exception", "return",
        ]  # fmt: skip
    line = line_of(target, "last = 10 // value")
    loop = goal_for(target, "inner", Event.LINE, (Site(str(target), line, "inner"),))
    assert any_runner.single(loop, call(values="[1, 2]")).visits == 2


def test_lines_and_arcs_are_the_same_on_every_version(any_runner: Runner, target: Path) -> None:
    found = run(any_runner, target, "inner", values="[1, 2]")
    line = line_of(target, "last = None")
    (covered,) = found.coverage
    assert covered.lines == (line, line + 1, line + 2, line + 3)
    assert set(covered.arcs) == {
        (-(line - 1), line), (line, line + 1), (line + 1, line + 2), (line + 2, line + 1),
        (line + 1, line + 3), (line + 3, -(line - 1)),
    }  # fmt: skip
    assert set(covered.lines) <= set(covered.possible)
    assert line + 4 not in covered.possible


def test_generators_are_followed_on_every_version(any_runner: Runner, target: Path) -> None:
    found, _ = any_runner.fresh(goal_for(target, "generate"), call(n="2"), full_trace=True)
    assert found.trace is not None
    events = [(state.event.value, state.arg and state.arg.repr) for state in found.trace.states]
    returns = [arg for event, arg in events if event == "return"]
    assert returns == ["0", "1", "None"]
    assert set(found.trace.activations) == {0}
    assert found.hits[0].state.arg == Value("[0, 1]", "list", literal=True)


def test_probes_work_on_every_version(any_runner: Runner, target: Path) -> None:
    goal = goal_for(target, "first", value="7")
    starts = [call(items="[70]"), call(items="[8]"), *[call(items="[6]")] * 3]
    far, near, *_ = any_runner.probe(goal, starts)
    assert far.distance is not None
    assert near.distance is not None
    assert far.distance > near.distance > 0


def test_the_recursion_limit_is_met_where_the_program_meets_it(
    any_runner: Runner, target: Path
) -> None:
    found = run(any_runner, target, "deep", n=0)
    assert found.raised is not None
    assert found.raised.type == "RecursionError"
    assert found.raised.message == "maximum recursion depth exceeded"
    caught = run(any_runner, target, "catches_recursion", n=0)
    assert caught.ending is Ending.CUT
    assert caught.value == Value("998", "int", literal=True)
