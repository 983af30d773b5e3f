"""Callees: the functions of the project that gave a value with which an assertion failed.

Read from the text: the assertion's expressions, the names in them back to the calls that gave
those, and, where a helper was handed a value, what its caller gave it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from nsdbg.localize.calls import argument_for, calls_in
from nsdbg.localize.clue import Clue
from nsdbg.localize.code import FileCode, Spot
from nsdbg.localize.definitions import How, dotted
from nsdbg.localize.pin import header_expressions
from nsdbg.localize.site import CrashSite
from nsdbg.source import FunctionNode

# What test runners raise when an assertion does not hold, beside AssertionError.
FAILURES = ("AssertionError", "AssertionFailed", "FailureException")
MOST_HOPS = 6
# A call of which the value took part in the assertion, and one that only ran before it.
DIRECT, BEFORE = 1.0, 0.5
# What is left of a suspicion against the lines that only found the value wrong.
JUDGING = 0.15


@dataclass(frozen=True, slots=True)
class Callee:
    """A function of the project, and how surely the value in the assertion is its own, in 0..1."""

    code: FileCode
    qualname: str
    function: FunctionNode
    sureness: float = DIRECT


@dataclass(frozen=True, slots=True)
class WrongValue:
    """An assertion that failed, and the functions that gave its values, the surest first."""

    site: CrashSite
    callees: tuple[Callee, ...]


def wrong_value(site: CrashSite) -> WrongValue | None:
    """Return which functions gave the value that an assertion found wrong.

    None when the crash is no failed assertion, or no function of the project gave anything to it.
    """
    if site.exception.rsplit(".", 1)[-1] not in FAILURES or not _asserts(site):
        return None
    search = _Search(site.spots)
    place = len(site.spots) - 1
    for node in _asserted(site.spot.statement):
        search.expression(place, site.spot, node, 0)
    if not search.found:
        search.before(place)
    callees = sorted(search.found.values(), key=lambda one: -one.sureness)
    return WrongValue(site, tuple(callees)) if callees else None


def only_judging(wrong: WrongValue, clues: Sequence[Clue]) -> list[Clue]:
    """Lower the clues about the functions that only judge the value: the test's, and its helpers'.

    They may hold a mistake as well, but what they judge comes first.
    """
    callees = {(one.code.path, one.qualname) for one in wrong.callees}
    judging = {(spot.code.path, spot.qualname) for spot in wrong.site.spots} - callees
    factor = 1.0 - (1.0 - JUDGING) * wrong.callees[0].sureness
    codes = {spot.code.path: spot.code for spot in wrong.site.spots}
    return [
        replace(one, scale=one.scale * factor)
        if one.file in codes and (one.file, codes[one.file].qualname_at(one.lineno)) in judging
        else one
        for one in clues
    ]


def _asserts(site: CrashSite) -> bool:
    """Whether the innermost own line compares values: `assert`, or a call of an assertion.

    A `raise AssertionError` tells that a place was reached, as a rule.
    """
    statement = site.spot.statement
    if isinstance(statement, ast.Assert):
        return True
    # unittest leaves its own frames out of what it prints, other runners do not.
    return any(True for _ in _assertions(statement)) and not isinstance(statement, ast.Raise)


def _assertions(statement: ast.stmt) -> Iterator[ast.Call]:
    for node in ast.walk(statement):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else dotted(node.func)
            if name is not None and name.lower().startswith(("assert", "fail")):
                yield node


def _asserted(statement: ast.stmt) -> list[ast.expr]:
    """Return the expressions that an assertion compares, its message left out."""
    if isinstance(statement, ast.Assert):
        return [statement.test]
    return [given for call in _assertions(statement) for given in call.args]


class _Search:
    """Follows expressions to the functions of the project that they call, or their names do."""

    def __init__(self, chain: Sequence[Spot]) -> None:
        self._chain = list(chain)
        self._own = {(spot.code.path, spot.qualname) for spot in chain}
        self._seen: set[tuple[int, int, str]] = set()
        self.found: dict[tuple[str, str], Callee] = {}

    def expression(self, place: int, spot: Spot, node: ast.expr, hops: int) -> None:
        """Take the calls in an expression, and those that gave its names their values."""
        if hops > MOST_HOPS:
            return
        for part in ast.walk(node):
            if isinstance(part, ast.Call):
                self._call(spot, part, DIRECT)
            elif isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
                self._name(place, spot, part.id, hops)

    def before(self, place: int) -> None:
        """Take every call that the assertion's function makes up to its line."""
        spot = self._chain[place]
        for statement in spot.code.body(spot.qualname):
            for node in ast.walk(statement):
                if isinstance(node, ast.Call) and node.lineno <= spot.lineno:
                    self._call(spot, node, BEFORE)

    def _name(self, place: int, spot: Spot, name: str, hops: int) -> None:
        if (key := (place, spot.lineno, name)) in self._seen:
            return
        self._seen.add(key)
        for one in spot.definitions_of(name):
            if one.how is How.PARAMETER:
                self._parameter(place, spot, name, hops)
            elif one.statement is not None and one.how not in (How.IMPORTED, How.DEFINED):
                qualname = spot.code.qualname_at(one.statement.lineno)
                inner = Spot(spot.code, qualname, one.statement)
                for node in header_expressions(one.statement):
                    self.expression(place, inner, node, hops + 1)
                self._changes(inner, name, spot)

    def _changes(self, made: Spot, name: str, until: Spot) -> None:
        """Take the calls that an object made there went through before the assertion."""
        for statement in made.code.body(made.qualname):
            for node in ast.walk(statement):
                if not isinstance(node, ast.Call) or not made.lineno < node.lineno <= until.lineno:
                    continue
                given = [*node.args, node.func]
                if any(isinstance(part, ast.Name) and part.id == name
                       for one in given for part in ast.walk(one)):  # fmt: skip
                    self._call(made, node, DIRECT)

    def _parameter(self, place: int, spot: Spot, name: str, hops: int) -> None:
        """Go on with what the caller gave for a parameter."""
        function = spot.code.node(spot.qualname)
        if function is None or place == 0:
            return
        caller = self._chain[place - 1]
        for call in calls_in(caller, function.name):
            given = argument_for(call, function, name, spot)
            if given is not None:
                self.expression(place - 1, caller, given, hops + 1)

    def _call(self, spot: Spot, node: ast.Call, sureness: float) -> None:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else dotted(node.func)
        if name is None:
            return
        matching = spot.code.functions_called(name)
        if name in spot.code.classes or (not matching and name[:1].isupper()):
            matching = [one for one in spot.code.functions_called("__init__")
                        if one[1] == f"{name}.__init__"]  # fmt: skip
        for code, qualname, function in matching:
            key = (code.path, qualname)
            if key in self._own:
                continue
            share = sureness / len(matching)
            known = self.found.get(key)
            if known is None or known.sureness < share:
                self.found[key] = Callee(code, qualname, function, share)
