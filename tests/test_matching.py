"""When a run reaches its goal: chains, events, locals, conditions, exceptions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from running import call, goal_for, line_of

from nsdbg.claim import Ending, ExceptionClaim, Site
from nsdbg.state import Event, Value
from nsdbg.verify.runner import Runner


def test_an_exception_is_matched_through_the_frames_of_its_traceback(
    runner: Runner, target: Path
) -> None:
    file = str(target)
    chain = (
        Site(file, line_of(target, "return inner(values)"), "outer"),
        Site(file, line_of(target, "last = 10 // value"), "inner"),
    )
    claim = ExceptionClaim("ZeroDivisionError", "integer division", message_prefix=True)
    goal = goal_for(target, "outer", Event.EXCEPTION, chain, exception=claim)
    found = runner.single(goal, call(items="[5, 0]"))
    assert found.raised is not None
    assert found.raised.sites == chain
    assert found.hits[0].state.frame.local("last") == Value("2", "int", literal=True)
    assert found.hits[0].state.stack[0].local("items") == Value("[5, 0]", "list", literal=True)
    assert runner.single(goal, call(items="[5]")).hits == ()


def test_the_target_s_own_exceptions_are_named_as_printed(runner: Runner, target: Path) -> None:
    goal = goal_for(target, "fails", Event.EXCEPTION, exception=ExceptionClaim("Bad", "no luck"))
    found = runner.single(goal, call(text="'luck'"))
    assert found.raised is not None
    assert (found.raised.type, found.raised.message) == ("target.Bad", "no luck")
    assert len(found.hits) == 1


@pytest.mark.parametrize(
    "claim",
    [ExceptionClaim("KeyError"), ExceptionClaim("Bad", "no"), ExceptionClaim("other.Bad")],
)
def test_another_exception_is_near_but_no_hit(
    runner: Runner, target: Path, claim: ExceptionClaim
) -> None:
    found = runner.single(
        goal_for(target, "fails", Event.EXCEPTION, exception=claim), call(text="'luck'")
    )
    assert found.hits == ()
    assert found.near is not None
    assert found.near.state.arg == Value("no luck", "target.Bad")


def test_a_line_is_matched_by_its_locals_and_conditions(runner: Runner, target: Path) -> None:
    chain = (Site(str(target), line_of(target, "last = 10 // value"), "inner"),)
    goal = goal_for(
        target, "inner", Event.LINE, chain,
        locals=(("last", "5"),), where=("value > 2", "all(v >= value for v in [value])", "missing"),
    )  # fmt: skip
    found = runner.single(goal, call(values="[2, 1, 3]"))
    assert found.visits == 3
    assert found.hits == ()
    assert found.near is not None
    assert found.near.where == (False, True, None)
    held = replace(goal, where=goal.where[:2])
    hit = runner.single(held, call(values="[2, 5, 1]")).hits[0]
    assert hit.where == (True, True)
    assert hit.state.frame.local("value") == Value("5", "int", literal=True)


def test_the_entry_s_own_return_is_meant_and_no_recursive_one(runner: Runner, target: Path) -> None:
    found = runner.single(goal_for(target, "countdown", value="0"), call(n="4"))
    assert (found.visits, len(found.hits)) == (1, 1)
    assert found.hits[0].state.frame.local("n") == Value("4", "int", literal=True)


def test_a_chain_may_skip_frames_only_when_it_is_not_exact(runner: Runner, target: Path) -> None:
    line = line_of(target, "return 0")
    again = line_of(target, "return countdown(n - 1)")
    file = str(target)
    chain = (Site(file, again, "countdown"), Site(file, line, "countdown"))
    exact = goal_for(target, "countdown", Event.LINE, chain)
    assert runner.single(exact, call(n="3")).hits == ()
    assert len(runner.single(exact, call(n="1")).hits) == 1
    loose = replace(exact, exact_chain=False)
    assert len(runner.single(loose, call(n="3")).hits) == 1


def test_the_frames_of_decorators_may_be_left_out_or_named(runner: Runner, target: Path) -> None:
    goal = goal_for(target, "wrapped")
    assert len(runner.single(goal, call(n="1")).hits) == 1
    line = line_of(target, "return function(*args, **kwargs)")
    chain = (Site(str(target), line, "wrapper"), *goal.chain)
    named = replace(goal, chain=chain)
    assert len(runner.single(named, call(n="1")).hits) == 1


def test_an_eq_that_lies_matches_nothing(runner: Runner, target: Path) -> None:
    found = runner.single(goal_for(target, "awkward", value="[1, 2]"), call(n="1"))
    assert found.ending is Ending.RETURNED
    assert found.hits == ()
    assert found.value is not None
    assert found.value.truncated
