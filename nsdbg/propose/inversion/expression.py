"""From the value of an expression back to values of the names in it.

A search over inverse rules and over the shapes that need none: displays, conditionals, f-strings.
What it finds is a guess: rules may be inexact, and unknown parts are filled with likely values.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import Any

from nsdbg.propose.evaluate import Unknown, evaluate, same
from nsdbg.propose.evaluation.calls import BUILTINS
from nsdbg.propose.inversion.cases import Fit, Inverses
from nsdbg.propose.inversion.forward import distinct

DEEPEST = 14
WIDEST = 12  # solutions of one part that are followed up
_GUESSED = 6  # values tried for a part that nothing determines
_LISTED = (list, tuple, set, frozenset, str, int, float, dict, bytes, bool, type(None))
Names = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Solution:
    """Values of names, and the rules that gave them, the last step of the program first."""

    names: dict[str, Any]
    rules: tuple[str, ...] = ()

    def joined(self, other: Solution) -> Solution | None:
        """Return both together, or None when they disagree on a name."""
        for name, value in other.names.items():
            if name in self.names and not same(self.names[name], value):
                return None
        return Solution({**self.names, **other.names}, self.rules + other.rules)

    def without(self, *names: str) -> Solution:
        """Return the solution without some names."""
        kept = {name: value for name, value in self.names.items() if name not in names}
        return Solution(kept, self.rules)


EMPTY = Solution({})


class Inverter:
    """Solves expressions; `effort` counts down, so that one goal takes a few milliseconds."""

    def __init__(
        self, inverses: Inverses, likely: Callable[[str], Sequence[Any]], effort: int = 4_000
    ) -> None:
        self._inverses = inverses
        self._likely = likely
        self.effort = effort
        self._free: dict[int, frozenset[str]] = {}
        self._kept: list[ast.AST] = []  # so that no two nodes of `_free` share an id

    def solve(self, node: ast.expr, value: Any, known: Names, depth: int = 0) -> Iterator[Solution]:
        """Yield values of the names in an expression, not yet known, that give it a value."""
        self.effort -= 1
        if self.effort < 0 or depth > DEEPEST:
            return
        if not self.unknown_names(node, known):
            if agrees(node, value, known) is not False:
                yield EMPTY
        elif isinstance(node, ast.Name):
            yield Solution({node.id: value})
        elif type(node) in _SHAPES:
            yield from _SHAPES[type(node)](self, node, value, known, depth + 1)
        else:
            yield from self._by_rules(node, value, known, depth + 1)

    def unknown_names(self, node: ast.AST, known: Names) -> list[str]:
        """Return the names an expression needs that have no known value, sorted."""
        if id(node) not in self._free:
            self._free[id(node)] = _free_names(node)
            self._kept.append(node)
        return sorted(name for name in self._free[id(node)] if name not in known)

    def solve_all(
        self, pairs: Sequence[tuple[ast.expr, Any]], known: Names, depth: int
    ) -> Iterator[Solution]:
        """Yield what solves several expressions together, the names of earlier ones being known."""
        if not pairs:
            yield EMPTY
            return
        (node, value), rest = pairs[0], pairs[1:]
        for first in islice(self.solve(node, value, known, depth), WIDEST):
            for others in self.solve_all(rest, {**known, **first.names}, depth):
                joined = first.joined(others)
                if joined is not None:
                    yield joined

    def _by_rules(self, node: ast.expr, value: Any, known: Names, depth: int) -> Iterator[Solution]:
        fits = [
            fit for fit in self._inverses.fitting(node) if self.unknown_names(fit.unknown, known)
        ]
        fits.sort(key=lambda fit: sum(bool(self.unknown_names(part, known))
                                      for part in fit.others.values()))  # fmt: skip
        for fit in fits:
            for given, others in self._others(fit, value, known, depth):
                for preimage in fit.preimages(value, others):
                    names = {**known, **given.names}
                    for found in islice(self.solve(fit.unknown, preimage, names, depth), WIDEST):
                        joined = Solution({**given.names}, (fit.rule, *given.rules)).joined(found)
                        if joined is not None:
                            yield joined

    def _others(
        self, fit: Fit, value: Any, known: Names, depth: int
    ) -> Iterator[tuple[Solution, dict[str, Any]]]:
        """Yield values for the parts that a case takes as known, with the names they settle."""
        settled: dict[str, Any] = {}
        open_parts: list[tuple[str, ast.expr]] = []
        for name, part in fit.others.items():
            if self.unknown_names(part, known):
                open_parts.append((name, part))
                continue
            try:
                settled[name] = evaluate(part, known)
            except Unknown:
                return
        choices = [self._guesses(part, value, known) for _, part in open_parts]
        for values in product(*choices):
            pairs = [(part, guess) for (_, part), guess in zip(open_parts, values, strict=True)]
            guessed = {name: guess for (name, _), guess in zip(open_parts, values, strict=True)}
            for found in islice(self.solve_all(pairs, known, depth), 2):
                yield found, {**settled, **guessed}

    def likely_value(self, name: str) -> Any:
        """Return the likeliest value of a name that nothing determines."""
        return next(iter(self._likely(name)), None)

    def _guesses(self, part: ast.expr, value: Any, known: Names) -> list[Any]:
        """Return likely values of a part that nothing determines, given the whole's value."""
        pieces = list(islice(pieces_of(value), _GUESSED))
        if isinstance(part, ast.Name):
            return distinct([*pieces, *self._likely(part.id)[:_GUESSED]])
        return distinct([*pieces, *(0, 1, 2, -1)])


def pieces_of(value: Any) -> Iterator[Any]:
    """Yield the parts of a value from which it may have been put together, last ones first."""
    if isinstance(value, dict):
        for key in reversed(value):
            yield from (key, value[key])
    elif isinstance(value, (str, bytes, list, tuple)):
        yield from reversed(value[-2:])
        yield from (value[-1:], value[:1], value[:0])
        yield from reversed(value[:-2])
    elif isinstance(value, (set, frozenset)):
        yield from sorted(value, key=repr)
    elif type(value) is int:
        yield from (value, 1, 0, 2)


def agrees(node: ast.expr, value: Any, known: Names) -> bool | None:
    """Whether an expression over known names has a value; None when the evaluator cannot tell.

    Iterators and views agree with the list of what they give.
    """
    try:
        found = evaluate(node, known)
        return same(found if isinstance(found, _LISTED) else list(found), value)
    except Unknown:
        return None
    except Exception:
        return None


def _free_names(node: ast.AST) -> frozenset[str]:
    loaded: set[str] = set()
    bound: set[str] = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            (loaded if isinstance(part.ctx, ast.Load) else bound).add(part.id)
        elif isinstance(part, ast.arg):
            bound.add(part.arg)
    return frozenset(name for name in loaded - bound if name not in BUILTINS)


Shape = Callable[[Inverter, Any, Any, Names, int], Iterator[Solution]]


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
        yield from inverter._by_rules(node, value, known, depth)
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


def constrained(
    inverter: Inverter, test: ast.expr, truth: bool, found: Solution, known: Names, depth: int
) -> Iterator[Solution]:
    """Yield a solution with more names, such that a condition is true (or false).

    Where the condition holds already, or nothing can be said of it, the solution as it is.
    """
    names = {**known, **found.names}
    if not inverter.unknown_names(test, names):
        try:
            if bool(evaluate(test, names)) is truth:
                yield found
        except Unknown:
            yield found
        return
    some = False
    for more in islice(inverter.solve(test, truth, names, depth), 4):
        joined = found.joined(more)
        if joined is not None:
            some = True
            yield joined
    if not some:
        yield found


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
        yield from inverter._by_rules(node, value, known, depth)


def _text(
    inverter: Inverter, node: ast.JoinedStr, value: Any, known: Names, depth: int
) -> Iterator[Solution]:
    """Cut a text at the constant parts of an f-string."""
    if isinstance(value, str):
        for pieces in islice(_cut(node.values, value), WIDEST):
            yield from inverter.solve_all(pieces, known, depth)


def _cut(parts: Sequence[ast.expr], text: str) -> Iterator[list[tuple[ast.expr, Any]]]:
    if not parts:
        if not text:
            yield []
        return
    first, rest = parts[0], parts[1:]
    if isinstance(first, ast.Constant):
        if text.startswith(str(first.value)):
            yield from _cut(rest, text[len(str(first.value)) :])
        return
    following = rest[0].value if rest and isinstance(rest[0], ast.Constant) else None
    for end in _ends(text, following, last=not rest):
        for others in _cut(rest, text[end:]):
            yield [(_shown(first), text[:end]), *others]


def _ends(text: str, following: Any, last: bool) -> Iterator[int]:
    if last:
        yield len(text)
    elif following is None:
        yield from range(1, len(text) + 1)
    else:
        end = text.find(str(following))
        while end >= 0:
            yield end
            end = text.find(str(following), end + 1)


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
    from nsdbg.propose.inversion.elements import solve_each

    if len(node.generators) == 1 and isinstance(value, (list, set, tuple)):
        values = sorted(value, key=repr) if isinstance(value, set) else list(value)
        yield from solve_each(inverter, node.generators[0], [node.elt], [[v] for v in values],
                              known, depth)  # fmt: skip


def _dict_comprehension(
    inverter: Inverter, node: ast.DictComp, value: Any, known: Names, depth: int
) -> Iterator[Solution]:
    from nsdbg.propose.inversion.elements import solve_each

    if len(node.generators) == 1 and isinstance(value, dict):
        rows = [[key, item] for key, item in value.items()]
        yield from solve_each(inverter, node.generators[0], [node.key, node.value], rows,
                              known, depth)  # fmt: skip


_SHAPES: dict[type[ast.expr], Shape] = {
    ast.List: _sequence, ast.Tuple: _sequence, ast.Dict: _dict, ast.IfExp: _conditional,
    ast.BoolOp: _boolean, ast.UnaryOp: _negation, ast.JoinedStr: _text,
    ast.ListComp: _comprehension, ast.GeneratorExp: _comprehension, ast.SetComp: _comprehension,
    ast.DictComp: _dict_comprehension,
}  # fmt: skip
