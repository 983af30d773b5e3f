"""Influence: the lines of a function that had a part in what it returned.

The slice backwards from its returns: what their values are made of, the tests and loops that
decide, and the functions of the project that it calls in turn.  With the lines that a run
executed, that is the first of the approximations of a dynamic slice in Agrawal and Horgan (1990).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nsdbg.localize.calls import falls_through
from nsdbg.localize.clue import Clue, Mark
from nsdbg.localize.code import Spot
from nsdbg.localize.control import blocks, enclosing
from nsdbg.localize.definitions import How, dotted, header_nodes
from nsdbg.localize.wrong.callees import Callee

Line = tuple[str, int]
# Each step away from what was returned makes it a little less likely that the mistake lies there.
FADING = 0.93
# What is called by what was called.
DEEPER = 0.8
MOST_DEPTH = 3
# A statement that the text does not connect to the value: what it changes may be the same object.
ASIDE = 0.35
# Each thing on a line is one more that may be wrong, a name as well: `rows[i - 1]` rather than `x`.
POINTS = (ast.Compare, ast.BinOp, ast.BoolOp, ast.UnaryOp, ast.Subscript, ast.Call, ast.Constant,
          ast.IfExp, ast.AugAssign, ast.comprehension, ast.Slice)  # fmt: skip
SAFE = 0.75
LEAST = 0.4
JUMPS = (ast.Return, ast.Break, ast.Continue, ast.Raise)
TESTS = (ast.If, ast.While, ast.For, ast.AsyncFor)


@dataclass(frozen=True, slots=True)
class Part:
    """A statement with a part in a returned value, in 0..1 how near it is, and what part."""

    callee: Callee
    statement: ast.stmt
    nearness: float
    what: str

    @property
    def line(self) -> Line:
        """Its place."""
        return (self.callee.code.path, self.statement.lineno)


def parts(callee: Callee, executed: frozenset[Line] | None = None) -> list[Part]:
    """Return the statements with a part in what a function returned, the nearest first.

    executed: lines that ran; what did not run is left out.
    """
    found: dict[Line, Part] = {}
    _into(callee, executed, 0, set(), found)
    return sorted(found.values(), key=lambda one: -one.nearness)


def _into(
    callee: Callee, executed: frozenset[Line] | None, depth: int,
    seen: set[tuple[str, str]], found: dict[Line, Part],
) -> None:  # fmt: skip
    key = (callee.code.path, callee.qualname)
    if key in seen or depth > MOST_DEPTH:
        return
    seen.add(key)
    own = _Slice(callee, executed)
    own.run()
    for one in own.found.values():
        found.setdefault(one.line, one)
    for one in own.found.values():
        for inner in _called(one):
            _into(inner, executed, depth + 1, seen, found)


def _called(one: Part) -> Iterator[Callee]:
    """Yield the functions of the project that a statement calls."""
    for node in header_nodes(one.statement):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else dotted(node.func)
            for code, qualname, function in one.callee.code.functions_called(name or ""):
                yield Callee(code, qualname, function, one.callee.sureness * DEEPER)


class _Slice:
    """Works backwards through one function, nearest first."""

    def __init__(self, callee: Callee, executed: frozenset[Line] | None) -> None:
        self.found: dict[ast.stmt, Part] = {}
        self._callee = callee
        self._executed = executed
        self._todo: list[tuple[ast.stmt, float, str]] = []

    def run(self) -> None:
        """Collect the parts."""
        for statement in self._ends():
            self._todo.append((statement, 1.0, "gives the value back"))
        while self._todo:
            self._todo.sort(key=lambda one: one[1])
            statement, nearness, what = self._todo.pop()
            if statement in self.found or not self._ran(statement):
                continue
            self.found[statement] = Part(self._callee, statement, nearness, what)
            self._behind(statement, nearness * FADING)
        for statement in _statements(self._callee.function.body):
            if statement not in self.found and self._ran(statement) and _can_err(statement):
                self.found[statement] = Part(self._callee, statement, ASIDE, "runs on the way")

    def _ran(self, statement: ast.stmt) -> bool:
        if self._executed is None:
            return True
        last = statement.lineno if any(True for _ in blocks(statement)) else statement.end_lineno
        path = self._callee.code.path
        return any((path, line) in self._executed
                   for line in range(statement.lineno, (last or statement.lineno) + 1))  # fmt: skip

    def _ends(self) -> Iterator[ast.stmt]:
        """Yield what gives the function's value; of one that gives none, what changes objects."""
        body = self._callee.function.body
        statements = list(_statements(body))
        giving = [one for one in statements if _gives(one)]
        yield from giving
        if falls_through(body) or not giving:
            yield body[-1]
            yield from (one for one in statements if _changes_in_place(one))

    def _behind(self, statement: ast.stmt, nearness: float) -> None:
        code = self._callee.code
        spot = Spot(code, code.qualname_at(statement.lineno), statement)
        for name in _read(statement):
            for one in spot.definitions_of(name):
                if one.statement is not None and one.how not in (How.IMPORTED, How.DEFINED):
                    self._todo.append((one.statement, nearness, f"gives `{name}` its value"))
        for place, around in enumerate(enclosing(spot)):
            if isinstance(around, TESTS):
                what = "decides what runs" if isinstance(around, ast.If) else "decides how often"
                self._todo.append((around, nearness * FADING**place, what))
        self._leaving(statement, nearness)

    def _leaving(self, statement: ast.stmt, nearness: float) -> None:
        """Add the tests that could have ended the function, or its loop, before a statement."""
        for one in _statements(self._callee.function.body):
            if isinstance(one, ast.If) and one.lineno < statement.lineno and any(
                isinstance(inner, JUMPS) for inner in ast.walk(one)
            ):  # fmt: skip
                self._todo.append((one, nearness, "could have decided otherwise"))
            if isinstance(statement, ast.For | ast.AsyncFor | ast.While) and one is not statement:
                inside = statement.lineno < one.lineno <= (statement.end_lineno or 0)
                if inside and isinstance(one, ast.Break | ast.Continue):
                    self._todo.append((one, nearness * FADING, "decides how often"))


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a body and its blocks, nested functions' as well."""
    for statement in body:
        yield statement
        for block in blocks(statement):
            yield from _statements(block)


def _can_err(statement: ast.stmt) -> bool:
    """Whether a statement does anything: a text or a `pass` does not."""
    if isinstance(statement, ast.Expr):
        return not isinstance(statement.value, ast.Constant)
    return not isinstance(statement, ast.Pass | ast.Global | ast.Nonlocal | ast.FunctionDef)


def _gives(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Return):
        return True
    return any(isinstance(node, ast.Yield | ast.YieldFrom) for node in header_nodes(statement))


def _changes_in_place(statement: ast.stmt) -> bool:
    """Whether a statement changes an object: an element, an attribute, or by a method."""
    if isinstance(statement, ast.Assign | ast.AugAssign):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        return any(isinstance(one, ast.Subscript | ast.Attribute) for one in targets)
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)


def _read(statement: ast.stmt) -> list[str]:
    """Return the names, plain and dotted, that a statement's own line or header reads."""
    found: dict[str, None] = {}
    for node in header_nodes(statement):
        if isinstance(node, ast.Name | ast.Attribute):
            name = dotted(node)
            if name is not None and (isinstance(node.ctx, ast.Load) or isinstance(node, ast.Name)):
                found.setdefault(name)
    if isinstance(statement, ast.AugAssign) and (name := dotted(statement.target)) is not None:
        found.setdefault(name)
    return list(found)


def influence_clues(
    callees: Sequence[Callee], executed: frozenset[Line] | None = None
) -> Iterator[Clue]:
    """Yield a clue for each line with a part in what functions returned."""
    seen: set[Line] = set()
    for callee in callees:
        for one in parts(callee, executed):
            if one.line in seen:
                continue
            text = f"{one.what} in `{one.callee.function.name}`, whose value the test rejects"
            for lineno, share in proneness(one.statement).items():
                place = (one.callee.code.path, lineno)
                seen.add(place)
                scale = one.nearness * one.callee.sureness * (LEAST + (1.0 - LEAST) * share)
                yield Clue(Mark.WRONG_VALUE, *place, text, min(1.0, scale))


def proneness(statement: ast.stmt) -> dict[int, float]:
    """Return, for each line of a statement or its header, how much on it can be written wrongly.

    In 0..1; of a statement on several lines those are left out on which nothing begins.
    """
    points = dict.fromkeys([statement.lineno], 0)
    for node in header_nodes(statement):
        if isinstance(node, ast.expr):
            points.setdefault(node.lineno, 0)
        read = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
        if read or isinstance(node, POINTS):
            lineno = getattr(node, "lineno", statement.lineno)
            points[lineno] = points.get(lineno, 0) + 1
    return {lineno: 1.0 - SAFE**count for lineno, count in points.items()}
