"""From what is known at a point of a function back to its arguments, statement by statement.

A guess at one path through the function; whether the program takes it is checked forward.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, islice
from typing import Any

from nsdbg.propose.evaluate import same
from nsdbg.propose.inversion.constants import Constants, always_leaves, changed_names
from nsdbg.propose.inversion.elements import target_names
from nsdbg.propose.inversion.expression import WIDEST, Inverter, Solution, constrained
from nsdbg.propose.inversion.loops import turns_before, undo_for, undo_while
from nsdbg.propose.inversion.mutations import as_assignments
from nsdbg.source import FunctionNode

_STEPS = 5  # ways back over one statement that are followed up
_PATHS = 40  # ways back from one point


class Backward:
    """The way back through one function."""

    def __init__(
        self, function: FunctionNode, inverter: Inverter, known: Mapping[str, Any]
    ) -> None:
        self.inverter = inverter
        self.constants = Constants(function.body, known)
        self._function = function
        self._places: dict[int, tuple[ast.stmt | None, list[ast.stmt], int]] = {}
        self._enter(function.body, None)

    def _enter(self, block: list[ast.stmt], owner: ast.stmt | None) -> None:
        for index, statement in enumerate(block):
            self._places[id(statement)] = (owner, block, index)
            for field in ("body", "orelse", "finalbody"):
                inner = getattr(statement, field, None)
                if isinstance(inner, list) and not isinstance(statement, ast.FunctionDef):
                    self._enter(inner, statement)
            for handler in getattr(statement, "handlers", ()):
                self._enter(handler.body, statement)

    def place(self, statement: ast.stmt) -> tuple[ast.stmt | None, list[ast.stmt], int]:
        """Return the statement around one, the block in which it lies, and its index there."""
        return self._places[id(statement)]

    def loops_around(self, statement: ast.stmt) -> list[ast.For]:
        """Return the `for` loops in whose body a statement lies, the innermost first."""
        owner, block, _ = self.place(statement)
        if owner is None:
            return []
        inside = [owner] if isinstance(owner, ast.For) and block is owner.body else []
        return [*inside, *self.loops_around(owner)]

    def local_names(self) -> set[str]:
        """Return the names of the function's parameters and of what it binds."""
        arguments = self._function.args
        every = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
        return {item.arg for item in every} | changed_names(self._function)

    def statements(self) -> Iterator[ast.stmt]:
        """Yield every statement of the function that is not in a nested one."""
        for node in ast.walk(self._function):
            if isinstance(node, ast.stmt) and id(node) in self._places:
                yield node

    def from_return(self, value: Any) -> Iterator[Solution]:
        """Yield what the arguments may have been when the call returned a value."""
        for node, ways in groupby(self.at_returns(value), key=lambda way: way[0]):
            yield from islice(self._risen(node, ways), _PATHS)
        if value is None:
            yield from islice(self.over(self._function.body, Solution({})), _PATHS)

    def _risen(
        self, node: ast.stmt, ways: Iterator[tuple[ast.Return, Solution]]
    ) -> Iterator[Solution]:
        for _, found in ways:
            yield from self.rise(node, found)

    def at_returns(self, value: Any) -> Iterator[tuple[ast.Return, Solution]]:
        """Yield each `return` with what holds before it when it gives a value, outermost first."""
        returns = [node for node in self.statements() if isinstance(node, ast.Return)]
        returns.sort(key=lambda node: (self._depth(node), -node.lineno))
        for node in returns:
            if node.value is not None:
                known = self.constants.before(node)
                for found in islice(self.inverter.solve(node.value, value, known), WIDEST):
                    yield node, found
            elif value is None:
                yield node, Solution({})

    def from_line(self, statement: ast.stmt, demand: Solution) -> Iterator[Solution]:
        """Yield what the arguments may have been when a statement was reached with these locals."""
        yield from islice(self.rise(statement, demand), _PATHS)

    def at_line(self, lineno: int) -> ast.stmt | None:
        """Return the innermost statement that begins at a line, or else that holds it."""
        found = [node for node in self.statements()
                 if node.lineno <= lineno <= (node.end_lineno or node.lineno)]  # fmt: skip
        return max(found, key=lambda node: (node.lineno, self._depth(node)), default=None)

    def _depth(self, statement: ast.stmt) -> int:
        owner = self._places[id(statement)][0]
        return 0 if owner is None else 1 + self._depth(owner)

    def rise(self, statement: ast.stmt, demand: Solution) -> Iterator[Solution]:
        """Yield what held at the function's entry, given what holds before a statement."""
        owner, block, index = self._places[id(statement)]
        for found in islice(self.over(block[:index], demand), _STEPS):
            if owner is None:
                yield found
                continue
            for outer in islice(self._into(owner, block, found), _STEPS):
                yield from self.rise(owner, outer)

    def _into(self, owner: ast.stmt, block: list[ast.stmt], demand: Solution) -> Iterator[Solution]:
        """Yield what held before a compound statement, given what holds as its block begins."""
        known = self.constants.before(owner)
        if isinstance(owner, (ast.If, ast.While)):
            truth = block is owner.body
            for found in constrained(self.inverter, owner.test, truth, demand, known, 1):
                if isinstance(owner, ast.If):
                    yield found
                else:
                    yield from undo_while(self, owner, found)
        elif isinstance(owner, ast.For) and block is owner.body:
            yield from turns_before(self, owner, demand)
        else:
            yield demand

    def over(self, block: Sequence[ast.stmt], demand: Solution) -> Iterator[Solution]:
        """Yield what held before a block of statements, given what holds after it."""
        if not block:
            yield demand
            return
        for found in islice(self.undo(block[-1], demand), _STEPS):
            yield from self.over(block[:-1], found)

    def undo(self, statement: ast.stmt, demand: Solution) -> Iterator[Solution]:
        """Yield what held before one statement."""
        known = self.constants.before(statement)
        for found in self._undo(statement, demand, known):
            if all(
                same(known[name], value) for name, value in found.names.items() if name in known
            ):
                yield found.without(*known)

    def _undo(
        self, statement: ast.stmt, demand: Solution, known: Mapping[str, Any]
    ) -> Iterator[Solution]:
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            yield from self._assigned(statement, statement.targets[0], statement.value, demand)
        elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
            yield from self._assigned(statement, statement.target, statement.value, demand)
        elif isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
            old = ast.Name(statement.target.id, ast.Load())
            value = ast.BinOp(old, statement.op, statement.value)
            yield from self._assigned(statement, statement.target, value, demand)
        elif isinstance(statement, ast.If):
            yield from self._branches(statement, demand, known)
        elif isinstance(statement, ast.For):
            yield from undo_for(self, statement, demand)
        elif isinstance(statement, ast.While):
            yield from undo_while(self, statement, demand)
        elif isinstance(statement, ast.Assert):
            yield from constrained(self.inverter, statement.test, True, demand, known, 1)
        elif isinstance(statement, (ast.Try, ast.With)):
            yield from self.over(statement.body, demand)
        else:
            yield from self._changed(statement, demand)

    def _assigned(
        self, statement: ast.stmt, target: ast.expr, value: ast.expr, demand: Solution
    ) -> Iterator[Solution]:
        if isinstance(target, ast.Subscript):
            yield from self._changed(statement, demand)
            return
        names = target_names(target)
        if not any(name in demand.names for name in names):
            yield demand
        elif isinstance(target, ast.Name):
            yield from self._solved(statement, [(value, demand.names[target.id])], names, demand)
        elif isinstance(target, (ast.Tuple, ast.List)):
            yield from self._unpacked(statement, target, value, demand)

    def _unpacked(
        self,
        statement: ast.stmt,
        target: ast.Tuple | ast.List,
        value: ast.expr,
        demand: Solution,
    ) -> Iterator[Solution]:
        names = [part.id if isinstance(part, ast.Name) else "" for part in target.elts]
        if isinstance(value, ast.Tuple) and len(value.elts) == len(names):
            pairs = [(part, demand.names[name])
                     for part, name in zip(value.elts, names, strict=True)
                     if name in demand.names]  # fmt: skip
            yield from self._solved(statement, pairs, names, demand)
            return
        values = [demand.names.get(name, self.inverter.likely_value(name)) for name in names]
        for whole in (tuple(values), values):
            yield from self._solved(statement, [(value, whole)], names, demand)

    def _changed(self, statement: ast.stmt, demand: Solution) -> Iterator[Solution]:
        """Undo a change in place, or step over a statement that changes nothing demanded."""
        changes = as_assignments(statement, demand.names)
        if not changes:
            yield demand
        for name, value in changes:
            yield from self._solved(statement, [(value, demand.names[name])], [name], demand)

    def _solved(
        self,
        statement: ast.stmt,
        pairs: list[tuple[ast.expr, Any]],
        names: list[str],
        demand: Solution,
    ) -> Iterator[Solution]:
        rest = demand.without(*names)
        known = {**self.constants.before(statement), **rest.names}
        some = False
        for found in islice(self.inverter.solve_all(pairs, known, 1), _STEPS):
            joined = rest.joined(found)
            if joined is not None:
                some = True
                yield joined
        if not some:
            yield Solution(rest.names, rest.rules, rest.lost + 1)  # the forward check decides

    def _branches(
        self, statement: ast.If, demand: Solution, known: Mapping[str, Any]
    ) -> Iterator[Solution]:
        weaker: list[Solution] = []
        for block, truth in ((statement.body, True), (statement.orelse, False)):
            if always_leaves(block):
                continue
            for found in islice(self.over(block, demand), _STEPS):
                held = constrained(self.inverter, statement.test, truth, found, known, 1)
                if found.lost > demand.lost:
                    weaker += islice(held, 1)
                else:
                    yield from islice(held, 3)
        yield from weaker
