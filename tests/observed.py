"""Runs and goals of a function nobody wrote, made by hand for the tests of the judge."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from nsdbg.claim import (
    Call,
    Ending,
    ExceptionClaim,
    FileCoverage,
    FunctionRef,
    Goal,
    Hit,
    Middle,
    Observation,
    Proposal,
    Raised,
    Reason,
    Site,
)
from nsdbg.state import Action, ActionKind, Event, Frame, State, Trace, Value
from nsdbg.verify.judge import judge

FILE = "/shop/orders.py"
ENTRY = FunctionRef(FILE, "total", "orders", "/shop")
CALL = Proposal(Call((("items", "[1, 2]"),)), "search:0")


def lit(value: object) -> Value:
    return Value(repr(value), type(value).__name__, True)


def frame(lineno: int, function: str = "total", /, **names: object) -> Frame:
    return Frame(FILE, lineno, function, tuple((name, lit(v)) for name, v in names.items()))


def returned(value: object, **names: object) -> Observation:
    """Return a run of lines 2, 3 and 4 that returned a value at line 4."""
    state = State(Event.RETURN, (frame(4, **names),), lit(value))
    return Observation(
        Ending.RETURNED,
        0.01,
        value=lit(value),
        hits=(Hit(state),),
        visits=1,
        distance=0.0,
        path=tuple(Site(FILE, line, "total") for line in (2, 3, 4)),
        coverage=(FileCoverage(FILE, (2, 3, 4), ((-1, 2), (2, 3), (3, 4)), (2, 3, 4, 5)),),
    )


def raised(type_: str, message: str, lineno: int = 3, *above: Frame) -> Observation:
    state = State(Event.EXCEPTION, (*above, frame(lineno)), Value(message, type_))
    sites = tuple(Site(f.file, f.lineno, f.function) for f in state.stack)
    return Observation(
        Ending.RAISED,
        0.01,
        raised=Raised(type_, message, sites),
        hits=(Hit(state),),
        visits=1,
        path=(Site(FILE, 9, "main"), *(Site(FILE, line, "total") for line in (2, 3))),
        coverage=(FileCoverage(FILE, (2, 3, 9), (), (2, 3, 4, 9)),),
    )


def at_line(lineno: int, **names: object) -> Observation:
    hit = Hit(State(Event.LINE, (frame(lineno, **names),)))
    return replace(returned(0), hits=(hit,))


def return_goal(value: str | None = "3", **fields: Any) -> Goal:
    chain = fields.pop("chain", (Site(FILE, fields.pop("lineno", None), "total"),))
    return Goal(ENTRY, Event.RETURN, chain, value=value, **fields)


def line_goal(lineno: int = 3, **fields: Any) -> Goal:
    return Goal(ENTRY, Event.LINE, (Site(FILE, lineno, "total"),), **fields)


def exception_goal(type_: str = "KeyError", message: str | None = "'x'", **fields: Any) -> Goal:
    chain = fields.pop("chain", (Site(FILE, 3, "total"),))
    claim = ExceptionClaim(type_, message, fields.pop("prefix", False))
    return Goal(ENTRY, Event.EXCEPTION, chain, exception=claim, **fields)


def reason(goal: Goal, *runs: Observation, proposal: Proposal = CALL) -> Reason:
    return judge(goal, proposal, runs).reason


def twice(goal: Goal, run: Observation) -> Reason:
    return reason(goal, run, replace(run, seconds=run.seconds + 1))


def middle(**names: object) -> Middle:
    return Middle(State(Event.LINE, (frame(2, **names),)))


def stepping(*states: State, **fields: Any) -> Observation:
    call = State(Event.CALL, (frame(2, **dict.fromkeys((), 0)),))
    return replace(returned(0), hits=(), trace=Trace((call, *states)), **fields)


def line(lineno: int, output: str = "", **names: object) -> State:
    return State(Event.LINE, (frame(lineno, **names),), output=output)


def step_to(
    predicted: State | None, kind: ActionKind = ActionKind.STEP, lineno: int | None = None
) -> Proposal:
    return Proposal(middle(n=1), "neural:x", Action(kind, lineno), predicted)


RUN = stepping(line(2, n=1), line(3, n=2), State(Event.RETURN, (frame(3, n=2),), lit(2)))
