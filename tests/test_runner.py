"""What the runner shows: one run, two fresh ones, many in a batch, and probes."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from running import call, goal_for, line_of, run, value_of, write

from nsdbg.claim import Call, Ending
from nsdbg.state import Event, State, Value
from nsdbg.verify.runner import Runner, RunnerConfig


def test_a_run_shows_its_value_path_coverage_output_and_state(runner: Runner, target: Path) -> None:
    found = run(runner, target, "add", a=3)
    first = line_of(target, "total = a + b")
    assert found.ending is Ending.RETURNED
    assert found.value == Value("5", "int", literal=True)
    assert found.output == "sum 5\n"
    assert [site.lineno for site in found.path] == [first, first + 1, first + 3, first + 4]
    assert {(site.file, site.function) for site in found.path} == {(str(target), "add")}
    (covered,) = found.coverage
    assert covered.file == str(target)
    assert covered.lines == (first, first + 1, first + 3, first + 4)
    assert (first - 1) * -1 in {arc[0] for arc in covered.arcs}
    assert set(covered.lines) < set(covered.possible)
    assert first - 1 in covered.possible
    (hit,) = found.hits
    assert hit.state.frame.local("total") == Value("5", "int", literal=True)
    assert hit.state.arg == found.value
    assert found.distance == 0.0


@pytest.mark.parametrize(
    "arguments",
    [
        {"a": "1"},
        {"a": "1", "b": "4"},
        {"a": "1", "*rest": "(5, 6)"},
        {"a": "1", "b": "4", "*rest": "[5]", "c": "7", "**more": "{'d': 8}"},
        {"c": "1", "a": "2"},
        {"a": "1", "**more": "dict(e=2)"},
    ],
)
def test_arguments_reach_their_parameters(
    runner: Runner, target: Path, arguments: dict[str, str]
) -> None:
    rest = eval(arguments.get("*rest", "()"))
    plain = {name: eval(text) for name, text in arguments.items() if "*" not in name}
    more = eval(arguments.get("**more", "{}"))
    expected = plain["a"] + plain.get("b", 2) + sum(rest) + plain.get("c", 0) + sum(more.values())
    assert value_of(run(runner, target, "add", **arguments)) == str(expected)


def test_positional_parameters_that_are_left_out_take_their_defaults(
    runner: Runner, target: Path
) -> None:
    assert value_of(run(runner, target, "positional", a=1, c=3)) == "(1, 5, 3)"
    assert value_of(run(runner, target, "positional", a=1, b=2)) == "(1, 2, 7)"


@pytest.mark.parametrize(
    ("arguments", "detail"),
    [
        ({"items": "missing"}, "items=missing: NameError"),
        ({"items": "1 +"}, "items=1 +: SyntaxError"),
        ({"items": "exit()"}, "an argument raises SystemExit"),
        ({"thing": "1"}, "there is no parameter thing"),
    ],
)
def test_an_argument_that_cannot_be_given_is_a_bad_start(
    runner: Runner, target: Path, arguments: dict[str, str], detail: str
) -> None:
    found = run(runner, target, "first", **arguments)
    assert found.ending is Ending.BAD_START
    assert detail in found.detail


def test_an_argument_that_takes_too_long_ends_the_run(runner: Runner, target: Path) -> None:
    found = run(runner, target, "first", items="[endless(1)]")
    assert found.ending is Ending.TIMED_OUT


def test_arguments_see_the_imports_of_the_call_and_the_target_does_not(
    runner: Runner, target: Path
) -> None:
    start = Call((("items", "[fractions.Fraction(1, 2)]"),), ("import fractions",))
    found = runner.single(goal_for(target, "first"), start)
    assert value_of(found) == "Fraction(1, 2)"
    assert run(runner, target, "first", items="[fractions]").ending is Ending.BAD_START


def test_a_missing_argument_is_an_exception_of_the_call(runner: Runner, target: Path) -> None:
    found = run(runner, target, "first")
    assert found.raised is not None
    assert found.raised.type == "TypeError"
    assert "items" in found.raised.message


@pytest.mark.parametrize(
    ("qualname", "arguments", "expected"),
    [
        ("Thing.grow", {"self": "Thing(3)", "by": "2"}, "5"),
        ("Thing.double", {"n": "4"}, "8"),
        ("Thing.make", {"cls": "Thing", "size": "6"}, "6"),
        ("Thing.make", {"size": "6"}, "6"),
        ("Thing.area", {"self": "Thing(3)"}, "9"),
        ("Thing.cached", {"self": "Thing(3)"}, "3"),
        ("Thing.__secret", {"self": "Thing(3)"}, "'secret'"),
        ("wrapped", {"n": "1"}, "2"),
        ("barely", {"n": "5", "m": "3"}, "2"),
        ("generate", {"n": "3"}, "[0, 1, 4]"),
        ("managed", {"n": "1"}, "[2]"),
        ("later", {"n": "1"}, "2"),
        ("stream", {"n": "3"}, "[0, 1, 2]"),
    ],
)
def test_every_kind_of_function_is_called(
    runner: Runner, target: Path, qualname: str, arguments: dict[str, str], expected: str
) -> None:
    goal = goal_for(target, qualname, value=expected)
    found = runner.single(goal, call(**arguments))
    assert value_of(found) == expected
    assert len(found.hits) == 1, found
    assert found.hits[0].state.arg == found.value


def test_an_iterator_that_is_no_generator_is_a_value(runner: Runner, target: Path) -> None:
    assert value_of(run(runner, target, "lazy", n=2)) == "<map object at 0x...>"


def test_an_endless_generator_is_cut(runner: Runner, target: Path) -> None:
    found = run(runner, target, "endless_generator")
    assert found.ending is Ending.CUT
    assert found.detail == "the generator was cut after 10000 items"
    assert found.hits == ()


def test_a_function_inside_another_cannot_be_called(runner: Runner, target: Path) -> None:
    found = run(runner, target, "Thing.make_local.<locals>.local")
    assert found.ending is Ending.NOT_STARTED
    assert "cannot be called from outside" in found.detail


# Two fresh runs.


def test_fresh_runs_differ_in_hash_seed_and_date(runner: Runner, target: Path) -> None:
    for function in ("seeded", "today"):
        first, second = runner.fresh(goal_for(target, function), Call())
        assert value_of(first) != value_of(second), function


def test_fresh_runs_of_a_pure_function_agree(runner: Runner, target: Path) -> None:
    goal = goal_for(target, "add", value="5")
    first, second = runner.fresh(goal, call(a=3))
    assert first.hits == second.hits != ()
    assert (first.path, first.coverage, first.output) == (
        second.path, second.coverage, second.output,
    )  # fmt: skip


def test_a_full_trace_has_every_state(runner: Runner, target: Path) -> None:
    goal = goal_for(target, "outer")
    trace = runner.fresh(goal, call(items="[5]"), full_trace=True)[1].trace
    assert trace is not None
    assert trace.complete
    told = [(state.event.value, state.frame.function, len(state.stack)) for state in trace.states]
    assert told == [
        ("call", "outer", 1), ("line", "outer", 1), ("line", "outer", 1), ("call", "inner", 2),
        ("line", "inner", 2), ("line", "inner", 2), ("line", "inner", 2), ("line", "inner", 2),
        ("line", "inner", 2), ("return", "inner", 2), ("return", "outer", 1),
    ]  # fmt: skip
    assert trace.activations == (0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 0)
    assert trace.states[6].frame.locals == (
        ("values", Value("[5]", "list", literal=True)),
        ("last", Value("None", "NoneType", literal=True)),
        ("value", Value("5", "int", literal=True)),
    )
    assert trace.states[-1].arg == Value("2", "int", literal=True)


def test_a_generator_keeps_its_number_in_a_trace(runner: Runner, target: Path) -> None:
    found, _ = runner.fresh(goal_for(target, "generate"), call(n="2"), full_trace=True)
    assert found.trace is not None
    calls = [place for place, state in enumerate(found.trace.states) if state.event is Event.CALL]
    assert len(calls) == 3
    assert set(found.trace.activations) == {0}
    assert found.trace.generators == {0}


def test_an_exception_that_leaves_a_frame_returns_without_a_value(
    runner: Runner, target: Path
) -> None:
    found, _ = runner.fresh(goal_for(target, "fails"), call(text="'x'"), full_trace=True)
    assert found.trace is not None
    last: tuple[State, ...] = found.trace.states[-2:]
    assert [(state.event, state.arg) for state in last] == [
        (Event.EXCEPTION, Value("no x", "target.Bad")), (Event.RETURN, None),
    ]  # fmt: skip


def test_a_trace_that_is_too_long_says_so(target: Path) -> None:
    goal = goal_for(target, "inner")
    with Runner(RunnerConfig(roots=(target.parent,), limit_s=20.0)) as patient:
        found, _ = patient.fresh(goal, call(values="range(1, 15000)"), full_trace=True)
    assert found.trace is not None
    assert not found.trace.complete
    assert len(found.trace.states) == 20000


# Batches.


def test_a_batch_goes_on_after_a_run_that_was_killed(runner: Runner, target: Path) -> None:
    starts = [call(n=n) for n in (6, 2, 7, 1, 3, 8, 5, 9)]
    found = runner.batch(goal_for(target, "leaves"), starts)
    assert [each.ending for each in found] == [
        Ending.RETURNED, Ending.DIED, Ending.RETURNED, Ending.EXITED, Ending.DIED, Ending.RETURNED,
        Ending.OUT_OF_MEMORY, Ending.RETURNED,
    ]  # fmt: skip
    assert [each.value.repr for each in found if each.value] == ["6", "7", "8", "9"]


def test_each_run_of_a_batch_has_its_own_limit(runner: Runner, target: Path) -> None:
    starts = [call(n=n) for n in (0, 10**12, 3, 10**12, 4)]
    found = runner.batch(goal_for(target, "busy_in_c"), starts)
    timed_out = Ending.TIMED_OUT
    assert [each.ending for each in found] == [
        Ending.RETURNED, timed_out, Ending.RETURNED, timed_out, Ending.RETURNED,
    ]  # fmt: skip


def test_what_a_batch_has_no_time_for_is_cut(runner: Runner, target: Path) -> None:
    starts = [call(n=1)] * 20
    started = time.monotonic()
    found = runner.batch(goal_for(target, "endless"), starts, budget_s=0.5)
    assert time.monotonic() - started < 3
    assert found[0].ending is Ending.TIMED_OUT
    assert found[-1].ending is Ending.CUT
    assert found[-1].detail == "not run within the batch's time"


def test_a_batch_of_nothing_is_nothing(runner: Runner, target: Path) -> None:
    assert runner.batch(goal_for(target, "add"), []) == []


def test_a_batch_waits_less_for_an_entry_whose_starts_were_seen_not_to_end(
    runner: Runner, target: Path
) -> None:
    starts = [call(n=1)] * 5
    runner.batch(goal_for(target, "endless"), starts, budget_s=30.0)
    later = runner.batch(goal_for(target, "endless"), starts, budget_s=30.0)
    assert {one.ending for one in later} == {Ending.TIMED_OUT}
    assert max(one.seconds for one in later) < runner.config.batch_limit_s / 2
    assert runner.batch(goal_for(target, "add"), [call(a=1)] * 8)[7].ending is Ending.RETURNED


def test_a_run_of_a_batch_has_new_arguments(runner: Runner, target: Path) -> None:
    starts = [call(self="Thing(1)", by="1")] * 3
    found = runner.batch(goal_for(target, "Thing.grow"), starts)
    assert [value_of(each) for each in found] == ["2", "2", "2"]


def test_without_a_trace_only_the_ending_is_shown(runner: Runner, target: Path) -> None:
    (found,) = runner.batch(goal_for(target, "add"), [call(a=1)], trace=False)
    assert value_of(found) == "3"
    assert (found.path, found.coverage, found.hits) == ((), (), ())


# Probes.


def test_a_probe_measures_distances_without_a_trace(runner: Runner, target: Path) -> None:
    goal = goal_for(target, "first", value="'abcd'")
    texts = ("['zzzzzzz']", "['zbzzz']", "['abzz']", "['abcz']", "['abcd']")
    found = runner.probe(goal, [call(items=text) for text in texts])
    distances = [each.distance for each in found]
    assert None not in distances
    assert distances == sorted(distances, reverse=True)  # type: ignore[type-var]
    assert distances[-1] == 0.0 < distances[-2]  # type: ignore[operator]
    assert all(each.path == () for each in found)


def test_the_first_few_starts_are_probed_without_a_twin(runner: Runner, target: Path) -> None:
    goal = goal_for(target, "inner", value="5")
    hit, miss = runner.probe(goal, [call(values="[2]"), call(values="[3]")])
    assert (hit.distance, len(hit.hits)) == (0.0, 1)
    assert (miss.distance, miss.near is None) == (None, False)
    again = runner.probe(goal, [call(values="[3]")])[0]
    assert again.distance is not None
    assert again.distance > 0


def test_a_probe_leaves_the_target_of_the_other_runs_alone(runner: Runner, target: Path) -> None:
    goal = goal_for(target, "inner", value="3")
    probed = runner.probe(goal, [call(values="[3]")] * 5)[0]
    assert probed.distance == 0.0
    assert probed.hits == ()
    traced = runner.batch(goal, [call(values="[3]")])[0]
    assert probed.value == traced.value
    assert {site.function for site in traced.path} == {"inner"}


def test_a_run_whose_recording_is_full_does_not_use_up_its_time(tmp_path: Path) -> None:
    file = write(tmp_path, "endless.py", "def spin(n):\n    while True:\n        n += 1\n")
    with Runner(RunnerConfig(roots=(tmp_path,), limit_s=20.0)) as patient:
        found, _ = patient.fresh(goal_for(file, "spin"), call(n="1"), full_trace=True)
    assert found.ending is Ending.TIMED_OUT
    assert found.trace is not None
    assert not found.trace.complete
    assert found.seconds < 20
