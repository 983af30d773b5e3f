"""Loops over a sequence, element by element: from what each turn gives back to the sequence.

Serves comprehensions and, through `loops`, statements.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from nsdbg.propose.evaluate import Unknown, evaluate
from nsdbg.propose.inversion.expression import Inverter, Names, Solution, constrained

_TRIED = 8  # solutions for one element


def solve_each(
    inverter: Inverter,
    loop: ast.comprehension,
    results: Sequence[ast.expr],
    rows: Sequence[Sequence[Any]],
    known: Names,
    depth: int,
) -> Iterator[Solution]:
    """Yield solutions in which each turn of a comprehension gives one row of results."""
    targets = target_names(loop.target)
    inner = {name: value for name, value in known.items() if name not in targets}
    found = Solution({})
    elements: list[Any] = []
    for row in rows:
        pairs = list(zip(results, row, strict=True))
        solution = _turn(inverter, loop, pairs, {**inner, **found.names}, depth)
        if solution is None:
            return
        element = element_of(loop.target, solution.names, inverter)
        elements.append(element)
        joined = found.joined(solution.without(*targets))
        if joined is None:
            return
        found = Solution(joined.names, found.rules or solution.rules, joined.lost)
    yield from solve_source(inverter, loop.iter, elements, found, known, depth)


def _turn(
    inverter: Inverter,
    loop: ast.comprehension,
    pairs: list[tuple[ast.expr, Any]],
    known: Names,
    depth: int,
) -> Solution | None:
    for solution in islice(inverter.solve_all(pairs, known, depth), _TRIED):
        fitting: Solution | None = solution
        for test in loop.ifs:
            if fitting is not None:
                fitting = next(constrained(inverter, test, True, fitting, known, depth), None)
        if fitting is not None:
            return fitting
    return None


def solve_source(
    inverter: Inverter,
    source: ast.expr,
    elements: list[Any],
    found: Solution,
    known: Names,
    depth: int,
) -> Iterator[Solution]:
    """Yield solutions in which what is iterated over gives these elements."""
    names = {**known, **found.names}
    for value in sequences(elements):
        for more in islice(inverter.solve(source, value, names, depth), 4):
            joined = found.joined(more)
            if joined is not None:
                yield joined


def sequences(elements: list[Any]) -> Iterator[Any]:
    """Yield the values that give these elements when iterated over, the likeliest first."""
    if elements and all(isinstance(item, str) and len(item) == 1 for item in elements):
        yield "".join(elements)
    yield elements
    if elements and all(type(item) is int and 0 <= item < 256 for item in elements):
        yield bytes(elements)
    if not elements:
        yield ""
    try:
        as_keys = dict.fromkeys(elements, 1)
    except TypeError:
        as_keys = {}
    yield tuple(elements)
    if len(as_keys) == len(elements):
        yield as_keys


def target_names(target: ast.expr) -> list[str]:
    """Return the names that a loop's target binds."""
    return [node.id for node in ast.walk(target) if isinstance(node, ast.Name)]


def element_of(target: ast.expr, names: Names, inverter: Inverter) -> Any:
    """Return the element that gives these names by unpacking; what is free gets a likely value."""
    filled = {name: names[name] if name in names else inverter.likely_value(name)
              for name in target_names(target)}  # fmt: skip
    try:
        return evaluate(target, filled)
    except Unknown:
        return None
