"""What a start in the middle means: a call, loops around it, what may be one object.

Reads states and syntax; runs nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from nsdbg.claim import Call, FunctionRef, Goal, Middle, Site
from nsdbg.state import Event, State
from nsdbg.verify.child.literals import NotALiteral, parse
from nsdbg.verify.refusals import subject_of


def goal_at(entry: FunctionRef, state: State) -> Goal:
    """Return the goal of standing where a state stands, whatever its values."""
    chain = tuple(Site(frame.file, frame.lineno, frame.function) for frame in state.stack)
    return Goal(entry, state.event, chain, previous=True)


def loop_bodies(entry: FunctionRef) -> dict[int, range]:
    """Return the lines of each `for` statement's body; none where it shares the loop's line."""
    subject = subject_of(entry)
    loops = (
        [node for node in ast.walk(subject.tree) if isinstance(node, ast.For)] if subject else []
    )
    return {
        loop.lineno: range(loop.body[0].lineno, (loop.body[-1].end_lineno or 0) + 1)
        for loop in loops
        if loop.body[0].lineno > loop.lineno
    }


def call_of(entry: FunctionRef, state: State) -> Call:
    """Return the call that a state at a call event is: its locals are the arguments."""
    subject = subject_of(entry)
    stars = {p.name: p.argument_name for p in subject.parameters} if subject else {}
    given = tuple((stars.get(n, n), value.repr) for n, value in state.frame.locals or ())
    return Call(given, of_state=True)


def unwritten(state: State) -> str | None:
    """Return the first argument of a state at a call event that no expression stands for."""
    for name, value in state.frame.locals or ():
        try:
            ast.parse(value.repr, mode="eval")
        except (SyntaxError, ValueError, MemoryError, RecursionError):
            return name
    return None


def may_hold_exception(state: State) -> bool:
    """Tell whether an exception is raised at a state, or may be among its locals."""
    values = [value for _, value in state.frame.locals or ()]
    return state.event is Event.EXCEPTION or any(not value.literal for value in values)


def may_alias(start: Middle) -> bool:
    """Tell whether a start holds equal mutable values in two places: they may be one object."""
    if start.state.event is Event.CALL:
        return False  # a call's arguments are made one by one
    texts = [value.repr for _, value in start.state.frame.locals or ()]
    seen: set[str] = set()
    for text in [*texts, *(items for _, items in start.remaining)]:
        try:
            parts = list(_mutable_parts(parse(text)))
        except NotALiteral:
            continue
        for part in parts:
            if part in seen:
                return True
            seen.add(part)
    return False


def _mutable_parts(value: Any) -> Iterator[str]:
    if isinstance(value, list | dict | set | bytearray):
        yield f"{type(value).__name__}:{value!r}"
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for item in value:
            yield from _mutable_parts(item)
