"""The neighbours of a call, in an order worth trying: numbers by growing steps, text and
containers by single edits, and what failed comparisons ask for.

Alternating variable method after Korel (1990), many variables at a time, since a batch of trials
costs little more than one.  Only makes neighbours; which is nearer is told by running them.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from nsdbg.claim import Miss
from nsdbg.propose.generate import Generator
from nsdbg.propose.kinds import ANY, STR, kind_of
from nsdbg.propose.material import literal
from nsdbg.propose.mutate import Path, at, leaves, parts, rebuilt, replaced

Arguments = tuple[Any, ...]
# So many numbers of a call are stepped at a time, so many places of a text or list edited.
_NUMBERS, _EDITS = 60, 60
_LONGEST = 3000


@dataclass(frozen=True, slots=True)
class Step:
    """A neighbour: the new arguments, and what changed: the place, and for numbers by how much."""

    arguments: Arguments
    path: Path | None = None
    delta: int | float | None = None


def neighbours(
    arguments: Arguments, misses: Sequence[Miss], generator: Generator
) -> Iterator[Step]:
    """Give the neighbours of a call; ends after some hundreds to a few thousand."""
    wanted = asked_for(arguments, misses, generator)
    numbers = steps(arguments, generator.rng)
    edits = rewritings(arguments, generator)
    yield from _woven([(wanted, 3), (edits, 2), (numbers, 4)])


def _woven(streams: list[tuple[Iterator[Step], int]]) -> Iterator[Step]:
    """Give some of each stream in turn until all have ended."""
    while streams:
        left = []
        for stream, count in streams:
            taken = list(itertools.islice(stream, count))
            yield from taken
            if len(taken) == count:
                left.append((stream, count))
        streams = left


def _put(arguments: Arguments, path: Path, new: Any) -> Arguments:
    changed = list(arguments)
    changed[path[0]] = replaced(changed[path[0]], path[1:], new)
    return tuple(changed)


def _leaves(arguments: Arguments) -> list[tuple[Path, Any]]:
    return [((index, *path), leaf) for index, argument in enumerate(arguments)
            for path, leaf in leaves(argument)]  # fmt: skip


def steps(arguments: Arguments, rng: random.Random) -> Iterator[Step]:
    """Move each number by steps of growing size, and turn each truth value."""
    numbers = [(path, leaf) for path, leaf in _leaves(arguments) if isinstance(leaf, (int, float))]
    if len(numbers) > _NUMBERS:
        numbers = rng.sample(numbers, _NUMBERS)
    for path, leaf in numbers:
        if isinstance(leaf, bool):
            yield Step(_put(arguments, path, not leaf), path)
    numbers = [(path, leaf) for path, leaf in numbers if not isinstance(leaf, bool)]
    for exponent in range(12):
        for path, leaf in numbers:
            unit = 1 if isinstance(leaf, int) else 0.01
            for sign in (1, -1):
                delta = sign * unit * 4**exponent
                yield Step(_put(arguments, path, leaf + delta), path, delta)
    for path, leaf in numbers:
        for new in (-leaf, leaf * 2, leaf // 2, leaf * 10, leaf // 10, 0, leaf * leaf):
            if new != leaf and abs(new) < 1 << _LONGEST:
                yield Step(_put(arguments, path, type(leaf)(new)), path, new - leaf)


def onward(base: Arguments, step: Step) -> Iterator[Step]:
    """Go on in the direction of a step that helped, by doubling."""
    if step.path is None or not step.delta:
        return
    leaf = at(base, step.path)
    if isinstance(leaf, bool) or not isinstance(leaf, (int, float)):
        return
    for factor in (2, 3, 4, 6, 8, 16, 64, 1024):
        delta = step.delta * factor
        yield Step(_put(base, step.path, leaf + delta), step.path, delta)


def asked_for(arguments: Arguments, misses: Sequence[Miss], generator: Generator) -> Iterator[Step]:
    """Put the other side of a failed comparison where this side stands in the arguments."""
    pairs = []
    for miss in misses:
        (has_left, left), (has_right, right) = literal(miss.left), literal(miss.right)
        if has_left and has_right:
            pairs += [(left, right), (right, left)]
    for have, want in pairs:
        yield from _wholly(arguments, want)
    for have, want in pairs:
        for path, leaf in _places(arguments):
            if type(leaf) is type(have) and leaf == have and leaf != want:
                yield Step(_put(arguments, path, want), path)
            elif isinstance(leaf, str) and isinstance(have, str) and isinstance(want, str):
                yield from _within(arguments, path, leaf, have, want)
    for have, want in pairs:
        if type(have) is type(want) and isinstance(want, (int, float)):
            yield from _shifted(arguments, want, have)


def _wholly(arguments: Arguments, want: Any) -> Iterator[Step]:
    for index, argument in enumerate(arguments):
        if type(argument) is type(want):
            yield Step(_put(arguments, (index,), want), (index,))
        elif isinstance(argument, (list, tuple)) and len(argument) < 3:
            yield Step(_put(arguments, (index,), type(argument)([want])), (index,))
        if isinstance(argument, list) and isinstance(want, (tuple, set, range, str, dict)):
            yield Step(_put(arguments, (index,), list(want)), (index,))
        if isinstance(argument, str) and isinstance(want, (list, tuple)):
            if all(isinstance(part, str) for part in want):
                yield Step(_put(arguments, (index,), "".join(want)), (index,))
                yield Step(_put(arguments, (index,), " ".join(want)), (index,))
        if isinstance(argument, float) and type(want) is int and abs(want) < 1e300:
            yield Step(_put(arguments, (index,), float(want)), (index,))
        if isinstance(argument, str) and isinstance(want, (int, float)):
            yield Step(_put(arguments, (index,), str(want)), (index,))
        if isinstance(argument, list) and argument and type(want) is type(argument[0]):
            yield Step(_put(arguments, (index,), [*argument, want]))


def _places(arguments: Arguments) -> Iterator[tuple[Path, Any]]:
    """Give leaves and containers that stand inside the arguments."""
    queue: list[tuple[Path, Any]] = [((index,), value) for index, value in enumerate(arguments)]
    count = 0
    while queue and count < 300:
        path, value = queue.pop(0)
        count += 1
        yield path, value
        if len(path) < 5:
            inner = parts(value)[:200]
            queue += [((*path, index), part) for index, part in enumerate(inner)]


def _within(arguments: Arguments, path: Path, leaf: str, have: str, want: str) -> Iterator[Step]:
    """Replace a part of a text; or put a wanted part at its ends where it is missing."""
    if have and have in leaf:
        yield Step(_put(arguments, path, leaf.replace(have, want)), path)
        start = leaf.find(have)
        while start >= 0 and len(leaf) < 200:
            yield Step(_put(arguments, path, leaf[:start] + want + leaf[start + len(have) :]), path)
            start = leaf.find(have, start + 1)
    if want and len(leaf) + len(want) < _LONGEST:
        yield Step(_put(arguments, path, leaf + want), path)
        yield Step(_put(arguments, path, want + leaf), path)


def _shifted(arguments: Arguments, want: Any, have: Any) -> Iterator[Step]:
    """Move numbers by what a comparison lacks, as sum, factor and length would have it."""
    gap = want - have
    if not gap:
        return
    numbers = [(path, leaf) for path, leaf in _leaves(arguments)
               if type(leaf) in (int, float)][:40]  # fmt: skip
    for path, leaf in numbers:
        for delta in (gap, -gap):
            yield Step(_put(arguments, path, leaf + delta), path, delta)
        if type(leaf) is int and type(want) is int and have and want % have == 0:
            yield Step(_put(arguments, path, leaf * (want // have)), path)
        if type(leaf) is int and type(want) is int and have:
            yield Step(_put(arguments, path, leaf * want // have), path)
    if type(gap) is not int or not 0 < abs(gap) <= _LONGEST:
        return
    for index, argument in enumerate(arguments):
        if isinstance(argument, (str, list, tuple, bytes)) and argument:
            if gap > 0 and len(argument) + gap <= _LONGEST:
                for tail in (argument[-1:], argument[:1]):
                    yield Step(_put(arguments, (index,), argument + tail * gap))
                yield Step(_put(arguments, (index,), argument[:1] * gap + argument))
            elif -gap < len(argument):
                yield Step(_put(arguments, (index,), argument[:gap]))
                yield Step(_put(arguments, (index,), argument[-gap:]))


def rewritings(arguments: Arguments, generator: Generator) -> Iterator[Step]:
    """Edit each text and container at many places, one edit at a time."""
    places = [(path, value) for path, value in _places(arguments)
              if isinstance(value, (str, bytes, list, tuple, dict, set, frozenset))]  # fmt: skip
    streams: list[tuple[Iterator[Step], int]] = []
    for path, value in places[:40]:
        if isinstance(value, str):
            edits: Iterator[Any] = text_edits(value, generator)
        elif isinstance(value, (list, tuple)):
            edits = map(
                type(value), list_edits(list(value), generator, fixed=isinstance(value, tuple))
            )
        elif isinstance(value, dict):
            edits = dict_edits(value, generator)
        elif isinstance(value, bytes):
            edits = (text.encode("utf-8", "replace")
                     for text in text_edits(value.decode("latin-1"), generator))  # fmt: skip
        else:
            edits = map(type(value), list_edits(sorted(value, key=repr), generator, fixed=False))
        steps_here = (Step(_put(arguments, path, new)) for new in edits)
        streams.append((steps_here, 12 if len(path) == 1 else 4))
    yield from _woven(streams)


def text_edits(value: str, generator: Generator) -> Iterator[str]:
    """Give edits of a text: grown at its ends, shortened, then changed at single places."""
    rng = generator.rng
    chars = list(generator.material.alphabet)[:60] or ["a", " ", "1"]
    extra = rng.sample("abcxyzABC019 .,-()\n", 6)
    letters = [*dict.fromkeys([*chars[:20], *(rng.sample(chars, min(len(chars), 10))), *extra])]
    for char in letters:
        yield value + char
    yield from (value[:-1], value[1:], value + value, value[::-1], value + value[-1:])
    for char in letters:
        yield char + value
    kept = [text for _, text in zip(range(25), generator.material.of(STR), strict=False) if text]
    for text in kept:
        yield from (value + text, text + value)
        if " " in value or len(value.split()) > 1:
            yield value + " " + text
    spots = list(range(len(value)))
    if len(spots) > _EDITS:
        spots = rng.sample(spots, _EDITS)
    for spot in spots:
        yield value[:spot] + value[spot + 1 :]
        yield value[:spot] + value[spot].swapcase() + value[spot + 1 :]
    for spot in spots:
        for char in (rng.choice(letters), rng.choice(letters), rng.choice(letters)):
            yield value[:spot] + char + value[spot + 1 :]
            yield value[:spot] + char + value[spot:]
    for spot in spots[:20]:
        for text in kept[:6]:
            yield value[:spot] + text + value[spot:]
    for char in letters:
        for spot in spots[:30]:
            yield value[:spot] + char + value[spot + 1 :]


def list_edits(items: list[Any], generator: Generator, *, fixed: bool) -> Iterator[list[Any]]:
    """Give edits of a list: grown, continued as it began, shortened, reordered."""
    rng = generator.rng
    part = kind_of(items).parts[0] if items else ANY
    fresh = [generator.make(part, 4, 1) for _ in range(8)]
    kept = [value for _, value in zip(range(25), generator.material.of(part), strict=False)]
    if not fixed:
        for more in continued(items):
            yield items + more
        for value in [*_near(items), *kept, *fresh]:
            yield [*items, value]
        if items:
            yield from (items[:-1], items[1:], items + items, items[: len(items) // 2])
        for value in [*_near(items[:1]), *kept[:10], *fresh[:4]]:
            yield [value, *items]
    yield items[::-1]
    try:
        yield sorted(items)
    except TypeError:
        pass
    spots = list(range(len(items)))
    if len(spots) > _EDITS:
        spots = rng.sample(spots, _EDITS)
    for spot in spots:
        if not fixed:
            yield items[:spot] + items[spot + 1 :]
            yield [*items[: spot + 1], *items[spot:]]
        if spot + 1 < len(items):
            other = rng.randrange(len(items))
            for left, right in ((spot, spot + 1), (spot, other)):
                swapped = list(items)
                swapped[left], swapped[right] = swapped[right], swapped[left]
                yield swapped
    for spot in spots:
        for value in [*rng.sample(kept, min(len(kept), 4)), *fresh[:3]]:
            yield [*items[:spot], value, *items[spot + 1 :]]
            if not fixed:
                yield [*items[:spot], value, *items[spot:]]


def _near(items: list[Any]) -> list[Any]:
    """Return values that may follow the last element."""
    if not items:
        return []
    last = items[-1]
    if isinstance(last, int) and not isinstance(last, bool):
        return [last, last + 1, last - 1, last + 2, last * 2, last + len(items), len(items), 0]
    if isinstance(last, bool):
        return [last, not last]
    return [last, *([last + last] if isinstance(last, str) and len(last) < 100 else [])]


def continued(items: list[Any]) -> Iterator[list[Any]]:
    """Give what continues a list: repetition, and for numbers constant differences and ratios."""
    for period in (1, 2, 3):
        if len(items) >= 2 * period and items[-period:] == items[-2 * period : -period]:
            for count in (10, 100, 1000):
                if len(items) + count <= _LONGEST:
                    yield (items[-period:] * count)[:count]
    numbers = [item for item in items[-4:] if type(item) is int]
    if len(numbers) < 3 or len(numbers) != len(items[-4:]):
        return
    for rule in (_first_difference, _second_difference, _ratio, _sum_of_two, _alternation):
        for count in (1, 8, 64, 512):
            tail = list(numbers)
            for _ in range(count):
                following = rule(tail)
                if following is None or abs(following) >= 1 << _LONGEST:
                    break
                tail.append(following)
            if len(tail) == len(numbers) + count:
                yield tail[len(numbers) :]


def _first_difference(tail: list[int]) -> int | None:
    return 2 * tail[-1] - tail[-2]


def _second_difference(tail: list[int]) -> int | None:
    return 3 * tail[-1] - 3 * tail[-2] + tail[-3]


def _ratio(tail: list[int]) -> int | None:
    exact = tail[-2] and tail[-1] % tail[-2] == 0
    return tail[-1] * (tail[-1] // tail[-2]) if exact else None


def _sum_of_two(tail: list[int]) -> int | None:
    return tail[-1] + tail[-2]


def _alternation(tail: list[int]) -> int | None:
    return tail[-2]


def dict_edits(value: dict[Any, Any], generator: Generator) -> Iterator[dict[Any, Any]]:
    """Give edits of a dict: an item more, an item less, another order."""
    for key in list(value)[:20]:
        yield {name: item for name, item in value.items() if name != key}
    for _ in range(8):
        yield {**value, **generator.make(kind_of(value), 2)}
    yield dict(reversed(value.items()))
    try:
        yield dict(sorted(value.items()))
    except TypeError:
        pass
    kept = [text for _, text in zip(range(10), generator.material.every(), strict=False)]
    for key in kept:
        if isinstance(key, (str, int)) and value:
            yield {**value, key: next(iter(value.values()))}
