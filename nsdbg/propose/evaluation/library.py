"""Functions of the standard library that the evaluator may use: pure ones, within bounds."""

from __future__ import annotations

import ast
import bisect
import functools
import heapq
import itertools
import math
import operator
import string
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from nsdbg.propose.evaluation.bounds import LARGEST, Unknown, bounded, ordered
from nsdbg.propose.evaluation.lazy import Lazy, Making
from nsdbg.propose.evaluation.operators import BINARY
from nsdbg.propose.evaluation.printing import shown as shown_in_full
from nsdbg.propose.evaluation.scope import Namespace

_LARGEST_FACTORIAL = 3000
_MOST_POOLS = 64  # that a product multiplies
_FOLDS = {"add": ast.Add, "sub": ast.Sub, "mul": ast.Mult, "floordiv": ast.FloorDiv,
          "truediv": ast.Div, "mod": ast.Mod, "pow": ast.Pow, "and_": ast.BitAnd,
          "or_": ast.BitOr, "xor": ast.BitXor, "concat": ast.Add}  # fmt: skip
_TESTS = "eq ne lt le gt ge not_ truth contains neg pos invert"


def _iterator(kind: Callable[..., Iterable[Any]]) -> Callable[..., Iterator[Any]]:
    def over(*args: Any, **kwargs: Any) -> Iterator[Any]:
        return _some(kind(*map(ordered, args), **kwargs))

    return Making(f"itertools.{kind.__name__}", over)


def _some(items: Iterable[Any]) -> Iterator[Any]:
    """Give items until they are too many, counted with their parts."""
    left = LARGEST // 4
    for item in items:
        left -= 1 + (len(item) if type(item) is tuple else 0)
        if left < 0:
            raise Unknown("an iterator of too many items")
        yield item


def _chained(values: Iterable[Any]) -> Iterator[Any]:
    return _some(itertools.chain.from_iterable(map(ordered, ordered(values))))


def _repeat(value: Any, *times: Any) -> Iterator[Any]:
    shown = ", ".join(map(shown_in_full, (value, *times)))
    return Lazy(f"repeat({shown})", "itertools.repeat", _some(itertools.repeat(value, *times)))


def _count(start: Any = 0, step: Any = 1) -> Iterator[Any]:
    told = (start,) if step == 1 and type(step) is int else (start, step)
    shown = ", ".join(map(shown_in_full, told))
    return Lazy(f"count({shown})", "itertools.count", _some(itertools.count(start, step)))


def _tee(values: Any, n: int = 2) -> tuple[Iterator[Any], ...]:
    return tuple(
        Lazy("<itertools._tee object at 0x...>", "itertools._tee", _some(one))
        for one in itertools.tee(ordered(values), min(n, _MOST_POOLS))
    )


def _product(*pools: Any, repeat: int = 1) -> Iterator[Any]:
    if len(pools) * repeat > _MOST_POOLS:
        raise Unknown("a product of too many pools")
    return _some(itertools.product(*map(ordered, pools), repeat=repeat))


def _fold(kind: type[ast.operator]) -> Callable[[Any, Any], Any]:
    return lambda left, right: bounded(BINARY[kind](left, right))


def _accumulate(
    values: Iterable[Any], func: Callable[[Any, Any], Any] | None = None, *, initial: Any = None
) -> Iterator[Any]:
    function = func or _fold(ast.Add)
    items = iter(ordered(values))
    try:
        total = next(items) if initial is None else initial
    except StopIteration:
        return
    yield total
    for value in items:
        total = bounded(function(total, value))
        yield total


def _reduce(function: Callable[[Any, Any], Any], values: Iterable[Any], *initial: Any) -> Any:
    return functools.reduce(
        lambda left, right: bounded(function(left, right)), ordered(values), *initial
    )


def _item(*places: Any) -> Callable[[Any], Any]:
    if len(places) == 1:
        return lambda value: value[places[0]]
    return lambda value: tuple(value[place] for place in places)


def _small(function: Callable[..., int]) -> Callable[..., int]:
    def count(*numbers: Any) -> int:
        if any(isinstance(number, int) and number > _LARGEST_FACTORIAL for number in numbers):
            raise Unknown("a number of too many digits")
        return function(*numbers)

    return count


def _prod(values: Iterable[Any], *, start: Any = 1) -> Any:
    return _reduce(_fold(ast.Mult), values, start)


ITERTOOLS: dict[str, Any] = {
    **{name: _iterator(getattr(itertools, name))
       for name in ("combinations", "combinations_with_replacement", "compress",
                    "cycle", "dropwhile", "filterfalse", "groupby", "islice", "pairwise",
                    "permutations", "starmap", "takewhile", "zip_longest")},
    "accumulate": Making("itertools.accumulate", _accumulate),
    "chain": Namespace(
        "chain",
        _iterator(itertools.chain),
        {"from_iterable": Making("itertools.chain", _chained)},
    ),
    "product": Making("itertools.product", _product),
    "repeat": _repeat,
    "count": _count,
    "tee": _tee,
}  # fmt: skip
FUNCTOOLS: dict[str, Any] = {"reduce": _reduce}
OPERATOR: dict[str, Any] = {
    **{name: getattr(operator, name) for name in _TESTS.split()},
    **{name: _fold(kind) for name, kind in _FOLDS.items()},
    "itemgetter": _item,
}
HEAPQ: dict[str, Any] = {
    name: getattr(heapq, name)
    for name in ("heapify", "heappop", "heappush", "heappushpop", "heapreplace", "nlargest",
                 "nsmallest")
}  # fmt: skip
BISECT: dict[str, Any] = {
    name: getattr(bisect, name)
    for name in ("bisect", "bisect_left", "bisect_right", "insort", "insort_left", "insort_right")
}
MATH: dict[str, Any] = {
    **{name: _small(getattr(math, name)) for name in ("factorial", "comb", "perm")},
    "prod": _prod,
    **{name: getattr(math, name) for name in ("lcm", "fsum", "nan", "tau", "log1p", "expm1")},
}
STRING: dict[str, Any] = {"capwords": string.capwords}
# What calls its arguments.
_CALLING = "accumulate dropwhile filterfalse groupby starmap takewhile"
CALLING: tuple[Callable[..., Any], ...] = (
    *(ITERTOOLS[name] for name in _CALLING.split()),
    _reduce,
    HEAPQ["nlargest"],
    HEAPQ["nsmallest"],
    *BISECT.values(),
)
