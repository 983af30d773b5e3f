"""One step back: the statement that ran before, and the locals it may have started from.

The program's order of lines is read off its tree, as a debugger's `step` would visit them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from nsdbg.propose.inversion.backward import Backward
from nsdbg.propose.inversion.elements import element_of, target_names
from nsdbg.propose.inversion.expression import Solution, constrained

_WAYS = 8  # states proposed for one statement
Loop = ast.For | ast.AsyncFor


@dataclass(frozen=True, slots=True)
class Earlier:
    """A state one step earlier: its line, its locals, and what `for` loops around it still give."""

    lineno: int
    solution: Solution
    remaining: tuple[tuple[int, list[Any]], ...] = ()


def states_before(back: Backward, statement: ast.stmt, demand: Solution) -> Iterator[Earlier]:
    """Yield states from which one step leads to a statement, with these locals there."""
    for before, entered in _predecessors(back, statement):
        if entered is None:
            for found in islice(back.undo(before, demand), _WAYS):
                yield _earlier(back, before, found)
        else:
            yield from _headers(back, before, entered, demand)


def states_at(back: Backward, statement: ast.stmt, demand: Solution) -> Iterator[Earlier]:
    """Yield states at a statement itself: a `return` or a raise is a step from its own line."""
    yield _earlier(back, statement, demand)


def _earlier(
    back: Backward,
    statement: ast.stmt,
    found: Solution,
    remaining: tuple[tuple[int, list[Any]], ...] = (),
) -> Earlier:
    needed = {node.id for node in _own_nodes(statement)
              if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}  # fmt: skip
    names = {**back.constants.before(statement), **found.names}
    for name in sorted(needed & back.local_names() - set(names)):
        names[name] = back.inverter.likely_value(name)
    around: list[tuple[int, list[Any]]] = [
        (loop.lineno, []) for loop in back.loops_around(statement)
    ]
    solution = Solution(names, found.rules, found.lost)
    return Earlier(statement.lineno, solution, (*around, *remaining))


def _own_nodes(statement: ast.stmt) -> Iterator[ast.AST]:
    """Yield the nodes that a line runs: of a compound statement only its header."""
    headers = [getattr(statement, field, None) for field in ("test", "iter", "items")]
    parts = [part for part in headers if part is not None]
    for part in parts or [statement]:
        for node in part if isinstance(part, list) else [part]:
            yield from ast.walk(node)


def _headers(back: Backward, owner: ast.stmt, entered: bool, demand: Solution) -> Iterator[Earlier]:
    """Yield states at the header of a compound statement, whose block was entered or passed by."""
    known = back.constants.before(owner)
    if isinstance(owner, (ast.If, ast.While)):
        held = constrained(back.inverter, owner.test, entered, demand, known, 1)
        for found in islice(held, _WAYS):
            yield _earlier(back, owner, found)
    elif isinstance(owner, Loop):
        rest, items = demand, []
        if entered:
            items = [element_of(owner.target, demand.names, back.inverter)]
            rest = demand.without(*target_names(owner.target))
        yield _earlier(back, owner, rest, ((owner.lineno, items),))
    else:
        yield _earlier(back, owner, demand)


def _predecessors(back: Backward, statement: ast.stmt) -> Iterator[tuple[ast.stmt, bool | None]]:
    """Yield the statements that may run just before one.

    With a flag for headers: True when the step enters the block, False when it passes by.
    """
    owner, block, index = back.place(statement)
    if index > 0:
        yield from _lasts(block[index - 1])
    elif owner is not None:
        yield owner, not isinstance(owner, (ast.If, ast.While, ast.For)) or block is owner.body
    if isinstance(statement, (ast.For, ast.While)):
        yield from _lasts(statement.body[-1])


def _lasts(statement: ast.stmt) -> Iterator[tuple[ast.stmt, bool | None]]:
    """Yield what may run last within a statement."""
    if isinstance(statement, ast.If):
        yield from _lasts(statement.body[-1])
        if statement.orelse:
            yield from _lasts(statement.orelse[-1])
        else:
            yield statement, False
    elif isinstance(statement, (ast.For, ast.While)):
        yield statement, False
    elif isinstance(statement, (ast.With, ast.Try)):
        tail = getattr(statement, "finalbody", None) or getattr(statement, "orelse", None)
        yield from _lasts((tail or statement.body)[-1])
    elif not isinstance(statement, (ast.Return, ast.Raise, ast.Break, ast.Continue)):
        yield statement, None
