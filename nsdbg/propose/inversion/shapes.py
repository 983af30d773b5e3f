"""Shapes of expressions that are solved without a rule: displays, sums, conditionals, f-strings."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import islice
from typing import Any

from nsdbg.propose.inversion.cuts import cuts, operands_of
from nsdbg.propose.inversion.elements import solve_each
from nsdbg.propose.inversion.expression import (
    SHAPES,
    WIDEST,
    Inverter,
    Names,
    Solution,
    constrained,
)
from nsdbg.propose.inversion.templates import as_fstring


def _sequence(
    inverter: Inverter, node: ast.List | ast.Tuple, value: Any, known: Names, depth: int
) -> Iterator[Solution]:
    kind = list if isinstance(node, ast.List) else tuple
    stars = [place for place, part in enumerate(node.elts) if isinstance(part, ast.Starred)]
    if type(value) is not kind or len(stars) > 1 or len(value) < len(node.elts) - len(stars):
        return
    if not stars and len(value) != len(node.elts):
        return
    values = list(value)
    if stars:
        end = len(values) - (len(node.elts) - stars[0] - 1)
        values = [*values[: stars[0]], values[stars[0] : end], *values[end:]]
    parts = [part.value if isinstance(part, ast.Starred) else part for part in node.elts]
    yield from inverter.solve_all(list(zip(parts, values, strict=True)), known, depth)


def _dict(
    inverter: Inverter, node: ast.Dict, value: Any, known: Names, depth: int
) -> Iterator[Solution]:
    if None in node.keys:
        yield from inverter.by_rules(node, value, known, depth)
    elif isinstance(value, dict) and len(value) == len(node.keys):
        pairs: list[tuple[ast.expr, Any]] = []
        for (key, item), (found, inner) in zip(
            zip(node.keys, node.values, strict=True), value.items(), strict=True
        ):
            pairs += [(key, found)] if key else []
            pairs.append((item, inner))
        yield from inverter.solve_all(pairs, known, depth)


def _conditional(
    inverter: Inverter, node: ast.IfExp, value: Any, known: Names, depth: int
) -> Iterator[Solution]:
    for branch, truth in ((node.body, True), (node.orelse, False)):
        for found in islice(inverter.solve(branch, value, known, depth), WIDEST):
            yield from constrained(inverter, node.test, truth, found, known, depth)


def _boolean(
    inverter: Inverter, node: ast.BoolOp, value: Any, known: Names, depth: int
) -> Iterator[Solution]:
    every = isinstance(node.op, ast.And) is bool(value)
    if every and isinstance(value, bool):
        yield from inverter.solve_all([(part, value) for part in node.values], known, depth)
        return
    for part in node.values:
        yield from islice(inverter.solve(part, value, known, depth), WIDEST)


def _negation(
    inverter: Inverter, node: ast.UnaryOp, value: Any, known: Names, depth: int
) -> Iterator[Solution]:
    if isinstance(node.op, ast.Not):
        if isinstance(value, bool):
            yield from inverter.solve(node.operand, not value, known, depth)
    else:
        yield from inverter.by_rules(node, value, known, depth)


def _text(
    inverter: Inverter, node: ast.JoinedStr, value: Any, known: Names, depth: int
) -> Iterator[Solution]:
    """Cut a text at the constant parts of an f-string."""
    if isinstance(value, str):
        parts = [_shown(part) for part in node.values]
        for pieces in islice(cuts(inverter, parts, value, known), WIDEST):
            yield from inverter.solve_all(pieces, known, depth)


def _sum(
    inverter: Inverter, node: ast.BinOp, value: Any, known: Names, depth: int
) -> Iterator[Solution]:
    """Cut a sequence at those operands of `a + b + c` that are known."""
    operands = operands_of(node)
    names = [name for part in operands for name in inverter.unknown_names(part, known)]
    some = False
    if len(names) != len(set(names)):  # `xs[:i] + [x] + xs[i:]` is a matter for one rule
        for found in inverter.by_rules(node, value, known, depth):
            some = True
            yield found
        if some:
            return
    if isinstance(value, (str, bytes, list, tuple)) and isinstance(node.op, ast.Add):
        for pieces in islice(cuts(inverter, operands, value, known), WIDEST):
            for found in islice(inverter.solve_all(pieces, known, depth), WIDEST):
                some = True
                yield Solution(found.names, ("concatenate", *found.rules))
        if some:
            return
    yield from inverter.by_rules(node, value, known, depth)


def _shown(node: ast.expr) -> ast.expr:
    """Return `str(x)` for `{x}`; a conversion or a format stays, for a rule to fit or not."""
    if isinstance(node, ast.FormattedValue) and node.conversion == -1 and node.format_spec is None:
        return ast.Call(ast.Name("str", ast.Load()), [node.value], [])
    return ast.JoinedStr([node])


def _comprehension(
    inverter: Inverter,
    node: ast.ListComp | ast.GeneratorExp | ast.SetComp,
    value: Any,
    known: Names,
    depth: int,
) -> Iterator[Solution]:
    if len(node.generators) == 1 and isinstance(value, (list, set, tuple)):
        values = sorted(value, key=repr) if isinstance(value, set) else list(value)
        yield from solve_each(inverter, node.generators[0], [node.elt], [[v] for v in values],
                              known, depth)  # fmt: skip


def _dict_comprehension(
    inverter: Inverter, node: ast.DictComp, value: Any, known: Names, depth: int
) -> Iterator[Solution]:
    if len(node.generators) == 1 and isinstance(value, dict):
        rows = [[key, item] for key, item in value.items()]
        yield from solve_each(inverter, node.generators[0], [node.key, node.value], rows,
                              known, depth)  # fmt: skip


def _call(
    inverter: Inverter, node: ast.Call | ast.BinOp, value: Any, known: Names, depth: int
) -> Iterator[Solution]:
    text = as_fstring(node, known)
    if text is not None:
        yield from _text(inverter, text, value, known, depth)
    elif isinstance(node, ast.BinOp):
        yield from _sum(inverter, node, value, known, depth)
    else:
        yield from inverter.by_rules(node, value, known, depth)


SHAPES.update({
    ast.List: _sequence, ast.Tuple: _sequence, ast.Dict: _dict, ast.IfExp: _conditional,
    ast.BinOp: _call, ast.Call: _call, ast.BoolOp: _boolean, ast.UnaryOp: _negation,
    ast.JoinedStr: _text,
    ast.ListComp: _comprehension, ast.GeneratorExp: _comprehension, ast.SetComp: _comprehension,
    ast.DictComp: _dict_comprehension,
})  # fmt: skip
