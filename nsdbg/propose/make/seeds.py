"""Ranked values for a parameter, and calls made of them, cheapest first.

A value's cost is about log2 of how many likelier ones there are; a call's is the sum.  Endless:
after what is at hand come random values of growing size.
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Any

from nsdbg.propose.guess.infer import Guess
from nsdbg.propose.guess.kinds import ANY, INT, STR, Kind
from nsdbg.propose.make.generate import Generator
from nsdbg.propose.make.material import key_of

Priced = tuple[float, Any]

_SCALARS: dict[str, tuple[Any, ...]] = {
    "int": (1, 0, 2, 3, -1, 5, 10, 4, 100, 7, 6, -2, 8, 9, 12, 20, 50, -5, 15, 1000),
    "float": (1.0, 0.0, 0.5, -1.0, 2.0, 1.5, 10.0, 3.14),
    "bool": (True, False),
    "str": ("a", "", "abc", "ab", " ", "1", "hello world", "A", "Hello", "aa", "x", "12", "a b",
            "ABC", "abcde", ",", ".", "123", "aBc", "a,b,c", "0", "-", "hello", "zzz",
            "utf-8", "\n", "1.5", "a b c", "a/b", "a=b", "a:b", "é", "{}", "%s"),
    "bytes": (b"a", b"", b"abc", b"\xff"),
    "complex": (1j, 0j),
    "None": (None,),
}  # fmt: skip


def plain_values(kind: Kind, depth: int = 0) -> Iterator[Any]:
    """Give the customary small values of a kind."""
    if kind.name in _SCALARS:
        yield from _SCALARS[kind.name][: 6 if depth else None]
    elif kind.name == "dict":
        wanted = plain_values(kind.parts[0] if kind.parts else STR, depth + 1)
        # A hint may name keys that cannot be any (`Dict[Any, int]`): those that can be are taken.
        keys = list(itertools.islice(filter(_can_be_key, wanted), 4))
        items = list(plain_values(kind.parts[1] if kind.parts else INT, depth + 1))[:4]
        for count in (1, 0, 2, 3, 4):
            yield dict(itertools.islice(zip(keys, items, strict=False), count))
    elif kind.name == "tuple":
        options = [list(plain_values(part, depth + 1))[:3] for part in kind.parts]
        yield from itertools.islice(itertools.product(*options), 12)
    elif kind.name in ("list", "row", "set", "frozenset"):
        yield from _collections(kind, depth)
    elif kind.name == "any":
        yield from ("a", 1, [], [1, 2, 3], {}, None, True)


def _can_be_key(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _collections(kind: Kind, depth: int) -> Iterator[Any]:
    make = {"list": list, "row": tuple, "set": set, "frozenset": frozenset}[kind.name]
    part = kind.parts[0] if kind.parts else ANY
    values = plain_values(part, depth + 1)
    if kind.name in ("set", "frozenset"):
        values = filter(_can_be_key, values)
    items = list(itertools.islice(values, 6))
    for count in (3, 1, 0, 2, 4, 5):
        yield make(items[:count])
    if items:
        yield make([items[0], items[0]])
        yield make([items[-1], items[0], items[-1]])


# What the goal itself says of a parameter costs less than any guess.
_CLAIMED = -8.0


class Shelf:
    """The values of one parameter, grown on demand; `cost(index)` never falls."""

    def __init__(
        self,
        options: Sequence[Guess],
        generator: Generator,
        extra: Sequence[Any],
        claimed: Sequence[Any] = (),
    ) -> None:
        self._generator = generator
        self._values: list[Priced] = []
        self._seen: set[str] = set()
        streams = [_priced(guess, generator) for guess in options]
        streams.append((1.0 + math.log2(1 + index), value) for index, value in enumerate(extra))
        streams.append((_CLAIMED, value) for value in claimed)
        self._merged = heapq.merge(*streams, key=lambda priced: priced[0])

    def get(self, index: int) -> Priced | None:
        """Return the value at a rank and its cost; None where there are no more."""
        misses = 0
        while len(self._values) <= index and misses < 200:
            cost, value = next(self._merged, (0.0, _END))
            if value is _END:
                return None
            key = key_of(value)
            if key in self._seen:
                misses += 1
                continue
            self._seen.add(key)
            self._values.append((cost, value))
        return self._values[index] if len(self._values) > index else None


_END = object()


def _priced(guess: Guess, generator: Generator) -> Iterator[Priced]:
    """Give the values of one guess with rising costs: those at hand, then random ones."""
    base = -math.log2(max(guess.weight, 1e-6))
    rank = 0
    at_hand = _interleaved(generator.material.of(guess.kind), plain_values(guess.kind))
    for value in at_hand:
        yield base + math.log2(1 + rank), value
        rank += 1
    if guess.kind.name in ("bool", "None"):
        return
    for turn in itertools.count():
        size = 3 + int(math.log2(2 + turn) * 1.5)
        yield base + math.log2(2 + rank), generator.make(guess.kind, size)
        rank += 1


def _interleaved(first: Iterator[Any], second: Iterator[Any]) -> Iterator[Any]:
    """Give two values of the first stream, then one of the second, in turn."""
    for value in first:
        yield value
        other = next(first, _END)
        if other is not _END:
            yield other
        third = next(second, _END)
        if third is not _END:
            yield third
    yield from second


def calls(shelves: Sequence[Shelf]) -> Iterator[tuple[Any, ...]]:
    """Give argument tuples in the order of the sum of their values' costs."""
    if not shelves:
        yield ()
        return
    start = (0,) * len(shelves)
    seen = {start}
    heap: list[tuple[float, tuple[int, ...]]] = []
    _push(heap, shelves, start)
    while heap:
        _, indices = heapq.heappop(heap)
        priced = [shelf.get(index) for shelf, index in zip(shelves, indices, strict=True)]
        yield tuple(entry[1] for entry in priced if entry is not None)
        for place in range(len(shelves)):
            moved = (*indices[:place], indices[place] + 1, *indices[place + 1 :])
            if moved not in seen:
                seen.add(moved)
                _push(heap, shelves, moved)


def _push(
    heap: list[tuple[float, tuple[int, ...]]], shelves: Sequence[Shelf], indices: tuple[int, ...]
) -> None:
    priced = [shelf.get(index) for shelf, index in zip(shelves, indices, strict=True)]
    if all(entry is not None for entry in priced):
        cost = sum(entry[0] for entry in priced if entry is not None)
        heapq.heappush(heap, (cost, indices))
