"""From the value of an expression back to values of the names in it.

A search over inverse rules and over the shapes that need none: displays, conditionals, f-strings.
What it finds is a guess: rules may be inexact, and unknown parts are filled with likely values.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice, product
from typing import Any

from nsdbg.propose.evaluate import Unknown, evaluate, same
from nsdbg.propose.evaluation.calls import BUILTINS
from nsdbg.propose.inversion.cases import Fit, Inverses
from nsdbg.propose.inversion.forward import distinct

DEEPEST = 14
WIDEST = 6  # solutions of one part that are followed up
_TRIED = 40  # values tried for the one unknown name of an expression that no rule inverts
_TRIAL_DEPTH = 1  # where rules fit and gave nothing, trying is for the outermost parts
_GUESSED = 6  # values tried for a part that nothing determines
_LISTED = (list, tuple, set, frozenset, str, int, float, dict, bytes, bool, type(None))
Names = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Solution:
    """Values of names, and the rules that gave them, the last step of the program first.

    `lost` counts what was demanded and could not be solved: what is left is a weaker guess.
    """

    names: dict[str, Any]
    rules: tuple[str, ...] = ()
    lost: int = 0

    def joined(self, other: Solution) -> Solution | None:
        """Return both together, or None when they disagree on a name."""
        for name, value in other.names.items():
            if name in self.names and not same(self.names[name], value):
                return None
        names = {**self.names, **other.names}
        return Solution(names, self.rules + other.rules, self.lost + other.lost)

    def without(self, *names: str) -> Solution:
        """Return the solution without some names."""
        kept = {name: value for name, value in self.names.items() if name not in names}
        return Solution(kept, self.rules, self.lost)


EMPTY = Solution({})
# How expressions of one shape are solved without a rule; `shapes` fills it.
Shape = Callable[["Inverter", Any, Any, Names, int], Iterator[Solution]]
SHAPES: dict[type[ast.expr], Shape] = {}


class Inverter:
    """Solves expressions; `effort` counts down, so that one goal takes a few milliseconds."""

    def __init__(
        self,
        inverses: Inverses,
        likely: Callable[[str], Sequence[Any]],
        may_be: Callable[[str, Any], bool],
        effort: int = 4_000,
    ) -> None:
        """Take the rules, the values to try for a name, and whether a name may have a value."""
        self._inverses = inverses
        self._may_be = may_be
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
            if self._may_be(node.id, value):
                yield Solution({node.id: value})
        elif type(node) in SHAPES:
            yield from SHAPES[type(node)](self, node, value, known, depth + 1)
        else:
            yield from self.by_rules(node, value, known, depth + 1)

    def unknown_names(self, node: ast.AST, known: Names) -> list[str]:
        """Return the names an expression needs that have no known value, sorted."""
        if id(node) not in self._free:
            self._free[id(node)] = _free_names(node)
            self._kept.append(node)
        return sorted(name for name in self._free[id(node)] if name not in known)

    def solve_all(
        self,
        pairs: Sequence[tuple[ast.expr, Any]],
        known: Names,
        depth: int,
        turned: bool = False,
    ) -> Iterator[Solution]:
        """Yield what solves several expressions together, the names of earlier ones being known.

        Two are also tried the other way round, since an inexact rule may come first.
        """
        if not pairs:
            yield EMPTY
            return
        (node, value), rest = pairs[0], pairs[1:]
        some = False
        for first in islice(self.solve(node, value, known, depth), WIDEST):
            for others in self.solve_all(rest, {**known, **first.names}, depth):
                joined = first.joined(others)
                if joined is not None:
                    some = True
                    yield joined
        if len(pairs) == 2 and not some and not turned:
            yield from self.solve_all(pairs[::-1], known, depth, turned=True)
        elif rest and not some:
            yield from self._put_together(pairs, known, depth)

    def _put_together(
        self, pairs: Sequence[tuple[ast.expr, Any]], known: Names, depth: int
    ) -> Iterator[Solution]:
        """Yield each expression's own solution, joined end to end where they disagree on a name.

        `(x.count('a'), x.count('b'))` counts in both halves of a text.
        """
        choices = [list(islice(self.solve(node, value, known, depth), 2)) for node, value in pairs]
        for solutions in islice(chain(product(*choices), product(*choices[::-1])), WIDEST):
            names: dict[str, Any] = {}
            for name, value in (pair for each in solutions for pair in each.names.items()):
                names[name] = _end_to_end(names[name], value) if name in names else value
            yield Solution(names, tuple(rule for each in solutions for rule in each.rules))

    def by_rules(self, node: ast.expr, value: Any, known: Names, depth: int) -> Iterator[Solution]:
        """Yield what the inverse rules give, and where they give nothing, what trying finds."""
        fits = [fit for fit in self._inverses.fitting(node) if self._helps(fit, known)]
        some = False
        for found in self._by_fits(fits, value, known, depth):
            some = True
            yield found
        if not some and (not fits or depth <= _TRIAL_DEPTH):
            yield from self._by_trial(node, value, known)
        if not fits and isinstance(node, ast.Call):
            yield from self._passed_through(node, value, known)

    def _helps(self, fit: Fit, known: Names) -> bool:
        """Whether a case solves for anything: in `x * x`, guessing one `x` leaves nothing to do."""
        guessed = {name for part in fit.others.values() for name in self.unknown_names(part, known)}
        return not guessed.issuperset(self.unknown_names(fit.unknown, known))

    def _passed_through(self, node: ast.Call, value: Any, known: Names) -> Iterator[Solution]:
        """Guess that a call nothing is known of gives back one of its arguments unchanged."""
        for part in node.args:
            free = isinstance(part, ast.Name) and part.id in self.unknown_names(part, known)
            if isinstance(part, ast.Name) and free and self._may_be(part.id, value):
                yield Solution({part.id: value}, ("unchanged",))

    def _by_trial(self, node: ast.expr, value: Any, known: Names) -> Iterator[Solution]:
        names = self.unknown_names(node, known)
        if len(names) != 1:
            return
        for guess in distinct([*self._likely(names[0])[:_TRIED], *range(3, 40)]):
            self.effort -= 1
            if agrees(node, value, {**known, names[0]: guess}):
                yield Solution({names[0]: guess}, ("trial",))

    def _by_fits(self, fits: list[Fit], value: Any, known: Names, depth: int) -> Iterator[Solution]:
        fits = sorted(fits, key=lambda fit: sum(bool(self.unknown_names(part, known))
                                                for part in fit.others.values()))  # fmt: skip
        for fit in fits:
            for given, others in self._others(fit, value, known, depth):
                self.effort -= 1
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


def _end_to_end(left: Any, right: Any) -> Any:
    if same(left, right) or type(left) is not type(right):
        return left
    if isinstance(left, dict):
        return {**left, **right}
    return left + right if isinstance(left, (str, bytes, list, tuple)) else left


def pieces_of(value: Any) -> Iterator[Any]:
    """Yield the parts of a value from which it may have been put together, last ones first."""
    if isinstance(value, dict):
        for key in reversed(value):
            yield from (key, value[key])
    elif isinstance(value, (str, bytes, list, tuple)):
        yield from reversed(value[-2:])
        yield from (value[-1:], value[:1], value[:0])
        if value and all(isinstance(item, tuple) and len(item) == 2 for item in value):
            yield from map(list, zip(*value, strict=True))
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
