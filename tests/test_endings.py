"""How runs end, however the target behaves."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from running import call, goal_for, run, value_of

from nsdbg.claim import Call, Ending
from nsdbg.verify.runner import Runner


@pytest.mark.parametrize("function", ["endless", "stubborn", "deaf"])
def test_an_endless_run_ends_in_time(runner: Runner, target: Path, function: str) -> None:
    started = time.monotonic()
    assert run(runner, target, function, n=1).ending is Ending.TIMED_OUT
    assert time.monotonic() - started < 4


def test_what_loops_in_c_is_killed(runner: Runner, target: Path) -> None:
    found = run(runner, target, "busy_in_c", n=10**12)
    assert found.ending is Ending.TIMED_OUT
    assert found.detail == "killed after its time limit, which it did not heed"


@pytest.mark.parametrize(
    ("n", "ending", "detail"),
    [
        (1, Ending.EXITED, "exit status 3"),
        (2, Ending.DIED, "the process ended itself with status 4"),
        (3, Ending.DIED, "killed by signal 11"),
        (4, Ending.DIED, "the process ended itself with status 70"),
        (5, Ending.OUT_OF_MEMORY, ""),
        (6, Ending.RETURNED, ""),
    ],
)
def test_each_way_to_end_has_its_name(
    runner: Runner, target: Path, n: int, ending: Ending, detail: str
) -> None:
    found = run(runner, target, "leaves", n=n)
    assert (found.ending, found.detail) == (ending, detail)


def test_endless_output_is_bounded(runner: Runner, target: Path) -> None:
    found = run(runner, target, "chatty")
    assert found.ending is Ending.TIMED_OUT
    assert 60000 < len(found.output) <= 65536


def test_a_closed_stdout_keeps_what_was_printed(runner: Runner, target: Path) -> None:
    found = runner.batch(goal_for(target, "closes"), [Call(), Call()])
    assert [(value_of(each), each.output) for each in found] == [("1", "before\n")] * 2


def test_a_function_that_reads_finds_the_end_of_input(runner: Runner, target: Path) -> None:
    found = run(runner, target, "reads")
    assert found.raised is not None
    assert found.raised.type == "EOFError"


def test_a_thread_that_outlives_the_call_does_not_hold_it_up(runner: Runner, target: Path) -> None:
    started = time.monotonic()
    found = runner.batch(goal_for(target, "starts_thread"), [Call()] * 3)
    assert [value_of(each) for each in found] == ["1"] * 3
    assert time.monotonic() - started < 3


def test_a_run_that_takes_the_trace_function_away_leaves_its_goal_open(
    runner: Runner, target: Path
) -> None:
    found = run(runner, target, "untraced", n=1)
    assert found.ending is Ending.CUT
    assert found.detail == "the program took the trace function away"


def test_what_the_guard_refused_is_told_though_the_target_swallows_it(
    runner: Runner, target: Path, tmp_path: Path
) -> None:
    victim = tmp_path / "victim"
    found = run(runner, target, "writes", path=repr(str(victim)))
    assert found.ending is Ending.BLOCKED
    assert f"open-write:{victim}" in found.blocked
    assert not victim.exists()


def test_a_recursion_limit_that_a_run_lowers_is_put_back(runner: Runner, target: Path) -> None:
    found = runner.batch(goal_for(target, "shrinks"), [call(n=1), call(n=2)])
    assert [value_of(each) for each in found] == ["[1]", "[2]"]


def test_a_run_that_swallows_its_time_limit_and_returns_is_out_of_time(
    runner: Runner, target: Path
) -> None:
    assert run(runner, target, "swallows_all").ending is Ending.TIMED_OUT
