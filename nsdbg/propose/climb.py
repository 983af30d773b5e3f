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
from nsdbg.propose.kinds import ANY, INT, STR, Kind, kind_of
from nsdbg.propose.material import literal
from nsdbg.propose.mutate import Mutator, Path, at, leaves, parts, rebuilt, replaced

Arguments = tuple[Any, ...]
# So many numbers of a call are stepped at a time, so many places of a text or list edited.
_NUMBERS, _EDITS = 60, 60
_LONGEST, _HUGE = 3000, 100_000


@dataclass(frozen=True, slots=True)
class Step:
    """A neighbour: the new arguments, and what changed.

    `path` is the place of what was replaced, `delta` by how much a number was moved, `grown` the
    place of a sequence that got more at its end.
    """

    arguments: Arguments
    path: Path | None = None
    delta: int | float | None = None
    grown: Path | None = None


def neighbours(
    arguments: Arguments, misses: Sequence[Miss], generator: Generator
) -> Iterator[Step]:
    """Give the neighbours of a call; ends after some hundreds to a few thousand."""
    wanted = asked_for(arguments, misses, generator)
    numbers = steps(arguments, generator.rng)
    edits = rewritings(arguments, generator)
    couples = pairs_of_steps(arguments, generator.rng)
    yield from _woven([(wanted, 3), (edits, 2), (numbers, 4), (couples, 1)])


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
            delta: int | float = 4**exponent
            if isinstance(leaf, float):
                delta = 10.0 ** (2 - exponent)
            for signed in (delta, -delta):
                yield Step(_put(arguments, path, leaf + signed), path, signed)
    for path, leaf in numbers:
        for new in (-leaf, leaf * 2, leaf // 2, leaf * 10, leaf // 10, 0, leaf * leaf):
            if new != leaf and abs(new) < 1 << _LONGEST:
                yield Step(_put(arguments, path, type(leaf)(new)), path, new - leaf)


def pairs_of_steps(arguments: Arguments, rng: random.Random) -> Iterator[Step]:
    """Move two numbers at a time: against each other first, then by all small amounts if few."""
    numbers = [(path, leaf) for path, leaf in _leaves(arguments) if type(leaf) is int]
    couples = list(itertools.permutations(numbers[:30], 2))
    rng.shuffle(couples)
    for amount in (1, 2, 3, 5, 10):
        for (one, left), (other, right) in couples[:200]:
            moved = _put(arguments, one, left + amount)
            yield Step(_put(moved, other, right - amount))
    if len(numbers) <= 4:
        amounts = [delta for delta in range(-9, 10) if delta]
        for (one, left), (other, right) in itertools.combinations(numbers, 2):
            for first, second in itertools.product(amounts, amounts):
                yield Step(_put(_put(arguments, one, left + first), other, right + second))


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
    pairs = _wanted_pairs(misses)
    for have, want in pairs:
        if type(have) is int and type(want) is int:
            yield from _resized(arguments, want - have)
    for have, want in pairs:
        yield from _wholly(arguments, have, want)
    for have, want in pairs:
        for path, leaf in _places(arguments):
            if type(leaf) is type(have) and leaf == have and leaf != want:
                yield Step(_put(arguments, path, want), path)
            elif isinstance(leaf, str) and isinstance(have, str) and isinstance(want, str):
                yield from _within(arguments, path, leaf, have, want)
    for have, want in pairs:
        if type(have) is type(want) and isinstance(want, (int, float)):
            yield from _shifted(arguments, want, have)


def _wanted_pairs(misses: Sequence[Miss]) -> list[tuple[Any, Any]]:
    """Return (what was there, what would do) for both sides of each failed comparison."""
    pairs: list[tuple[Any, Any]] = []
    for miss in misses:
        (has_left, left), (has_right, right) = literal(miss.left), literal(miss.right)
        if not (has_left and has_right):
            continue
        if miss.operator == "Index" and isinstance(left, int) and isinstance(right, int):
            if right > left + _LONGEST:
                right = left
            pairs += [
                (index, place) for place in range(min(left, 24)) for index in (right - 1, -right)
            ]
        if miss.operator == "In" and isinstance(right, (list, tuple, set, dict)):
            pairs += [(left, member) for member in list(right)[:30]]
        if miss.operator not in ("Index",):
            pairs.append((right, left))
        pairs.insert(len(pairs) and len(pairs) - 1, (left, right))
    return pairs


def _without(items: list[Any], others: list[Any]) -> list[Any]:
    """Return the items that are left when each of the others is taken away once."""
    left = list(items)
    for other in others[:500]:
        if other in left:
            left.remove(other)
    return left


def _wholly(arguments: Arguments, have: Any, want: Any) -> Iterator[Step]:
    for index, argument in enumerate(arguments):
        if type(argument) is type(want):
            yield Step(_put(arguments, (index,), want), (index,))
        elif isinstance(argument, (list, tuple)) and len(argument) < 3:
            yield Step(_put(arguments, (index,), type(argument)([want])), (index,))
        if isinstance(argument, list) and isinstance(want, list) and isinstance(have, list):
            more = _without(want, have)
            less = _without(argument, _without(have, want))
            if more or len(less) < len(argument):
                yield Step(_put(arguments, (index,), argument + more), (index,))
                for spot in range(min(len(less), 20) if len(more) == 1 else 0):
                    yield Step(_put(arguments, (index,), [*less[:spot], *more, *less[spot:]]))
                yield Step(_put(arguments, (index,), less + more), (index,))
                yield Step(_put(arguments, (index,), less), (index,))
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


def _resized(arguments: Arguments, gap: int) -> Iterator[Step]:
    """Make sequences longer or shorter by what a comparison of lengths lacks."""
    if not 0 < abs(gap) <= _HUGE:
        return
    for index, argument in enumerate(arguments):
        if isinstance(argument, list) and not argument:
            for seed in (0, 1, "a", True, [0], range(gap)):
                new = list(seed) if isinstance(seed, range) else [seed] * gap
                yield Step(_put(arguments, (index,), new))
        if isinstance(argument, (str, list, tuple, bytes)) and argument:
            if gap > _LONGEST and len(argument) < _LONGEST:
                yield Step(_put(arguments, (index,), argument + argument[-1:] * gap))
            elif gap > 0:
                for new in _lengthened(argument, gap):
                    yield Step(_put(arguments, (index,), new))
            elif -gap < len(argument):
                yield Step(_put(arguments, (index,), argument[:gap]))
                yield Step(_put(arguments, (index,), argument[-gap:]))


def _lengthened(value: Any, gap: int) -> Iterator[Any]:
    """Give a sequence with so many parts more: repeated, or rising from what is there."""
    for tail in (value[-1:], value[:1]):
        yield value + tail * gap
    yield value[:1] * gap + value
    if isinstance(value, (list, tuple)):
        for spot in {1, len(value) - 1, len(value)}:
            run = rising(value[spot - 1], gap) if spot else []
            if run:
                yield value[:spot] + type(value)(run) + value[spot:]
    elif isinstance(value, str) and value.split():
        for word in dict.fromkeys(value.split()):
            if (len(word) + 1) * gap <= _LONGEST:
                yield value + (" " + word) * gap


def rising(value: Any, count: int) -> list[Any]:
    """Return values that follow one in order, all different; empty where there is no order."""
    if isinstance(value, bool):
        return []
    if isinstance(value, (int, float)):
        return [value + index for index in range(1, count + 1)]
    if isinstance(value, str):
        width = len(str(count))
        return [f"{value}{index:0{width}d}" for index in range(count)]
    if isinstance(value, (list, tuple)) and value and type(value[-1]) is int:
        return [type(value)([*value[:-1], value[-1] + index]) for index in range(1, count + 1)]
    return []


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
            made = list_edits(sorted(value, key=repr), generator, fixed=False)
            edits = (rebuilt(value, items) for items in made)
        steps_here = _edited(arguments, path, value, edits)
        streams.append((steps_here, 12 if len(path) == 1 else 4))
    yield from _woven(streams)


def _edited(arguments: Arguments, path: Path, value: Any, edits: Iterator[Any]) -> Iterator[Step]:
    sequence = isinstance(value, (str, list, tuple))
    for new in edits:
        grown = sequence and len(new) > len(value) and new[: len(value)] == value
        yield Step(_put(arguments, path, new), grown=path if grown else None)


def text_edits(value: str, generator: Generator) -> Iterator[str]:
    """Give edits of a text: grown at its ends, shortened, then changed at single places."""
    rng = generator.rng
    chars = generator.material.characters()[:60] or ["a", " ", "1"]
    extra = rng.sample("abcxyzABC019 .,-()\n", 6)
    letters = [*dict.fromkeys([*chars[:20], *(rng.sample(chars, min(len(chars), 10))), *extra])]
    for char in letters:
        yield value + char
    yield from (value[:-1], value[1:], value + value, value[::-1], value + value[-1:])
    for char in letters:
        yield char + value
    kept = [text for text in generator.material.first(STR)[:25] if text]
    for text in kept:
        yield from (value + text, text + value)
        if " " in value or len(value.split()) > 1:
            yield value + " " + text
    yield from _mirrored(value)
    spots = list(range(len(value)))
    if len(spots) > _EDITS:
        spots = rng.sample(spots, _EDITS)
    if value and value == value[::-1]:
        for spot in spots:
            for char in rng.sample(letters, min(len(letters), 6)):
                edges = sorted((spot, len(value) - 1 - spot))
                changed = value[: edges[0]] + char + value[edges[0] + 1 :]
                yield changed[: edges[1]] + char + changed[edges[1] + 1 :]
    for spot in spots:
        yield value[:spot] + value[spot + 1 :]
        yield value[:spot] + value[spot].swapcase() + value[spot + 1 :]
    for spot in spots:
        for char in (rng.choice(letters), rng.choice(letters), rng.choice(letters)):
            yield value[:spot] + char + value[spot + 1 :]
            yield value[:spot] + char + value[spot:]
    for text in [*kept[:8], *letters[:6]]:
        for count in _counts(generator):
            if len(text) * count < _LONGEST:
                yield value + text * count
                yield value + f" {text}" * count
    for spot in spots[:20]:
        for text in kept[:6]:
            yield value[:spot] + text + value[spot:]
    for char in letters:
        for spot in spots[:30]:
            yield value[:spot] + char + value[spot + 1 :]


def _mirrored(value: Any) -> Iterator[Any]:
    """Give palindromes made of a sequence: of either half, and doubled."""
    half = len(value) // 2
    if half:
        yield value[:half] + value[half : len(value) - half] + value[:half][::-1]
        yield value[-half:][::-1] + value[half : len(value) - half] + value[-half:]
        yield value + value[::-1]
        yield value + value[-2::-1]


def list_edits(items: list[Any], generator: Generator, *, fixed: bool) -> Iterator[list[Any]]:
    """Give edits of a list: grown, continued as it began, shortened, reordered."""
    rng = generator.rng
    part = kind_of(items).parts[0] if items else ANY
    fresh = [generator.make(part, 4, 1) for _ in range(8)]
    kept = generator.material.first(part)[:25]
    if not fixed:
        for more in continued(items):
            yield items + more
        yield from _regrown(items)
        for value in [*_near(items), *kept, *fresh]:
            yield [*items, value]
        if items:
            yield from (items[:-1], items[1:], items + items, items[: len(items) // 2])
        for value in [*_near(items[:1]), *kept[:10], *fresh[:4]]:
            yield [value, *items]
        yield from _repeats(items, kept, generator)
        yield from _slices(kind_of(items), generator)
        yield from _resplit(items, generator)
        for _ in range(8 if items and parts(items[-1]) else 0):
            yield [*items, Mutator(generator).mutate(rng.choice(items))]
    yield from _mirrored(items)
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
    yield from _shifts(items, spots)
    if len(items) <= 16:
        for left, right in itertools.combinations(range(len(items)), 2):
            swapped = list(items)
            swapped[left], swapped[right] = swapped[right], swapped[left]
            yield swapped
        for left, right in itertools.permutations(range(len(items)), 2):
            moved = list(items)
            moved.insert(right, moved.pop(left))
            yield moved
    if not fixed and items:
        for spot in spots[:10]:
            for count in (1, 4, 16, 64):
                run = rising(items[spot], count)
                if run and len(items) + count <= _LONGEST:
                    yield items[: spot + 1] + run + items[spot + 1 :]
    for spot in spots:
        for value in [*rng.sample(kept, min(len(kept), 4)), *fresh[:3]]:
            yield [*items[:spot], value, *items[spot + 1 :]]
            if not fixed:
                yield [*items[:spot], value, *items[spot:]]


def _counts(generator: Generator) -> list[int]:
    """Return small counts that the goal or the source mention."""
    return [count for count in generator.material.first(INT)[:40] if 1 < count <= 300][:8]


def _repeats(items: list[Any], kept: list[Any], generator: Generator) -> Iterator[list[Any]]:
    """Give a list with an element more as often as some known count says."""
    for value in [*items[:2], *items[-2:], *kept[:4]]:
        for count in _counts(generator):
            yield items + [value] * count


def _slices(kind: Kind, generator: Generator) -> Iterator[list[Any]]:
    """Give stretches of known lists of the same kind."""
    for known in generator.material.first(kind)[:6]:
        if 2 < len(known) <= 12:
            for start, stop in itertools.combinations(range(len(known) + 1), 2):
                yield known[start:stop]


def _resplit(items: list[Any], generator: Generator) -> Iterator[list[Any]]:
    """Split an element that is a text by known texts, and join neighbours."""
    if not all(isinstance(item, str) for item in items):
        return
    known = [text for text in generator.material.first(STR)[:20] if 0 < len(text) < 6]
    for spot, item in enumerate(items[:20]):
        for separator in known:
            if separator in item and separator != item:
                yield [*items[:spot], *item.split(separator), *items[spot + 1 :]]
        if spot + 1 < len(items):
            for joint in ("", " ", ","):
                yield [*items[:spot], item + joint + items[spot + 1], *items[spot + 2 :]]


def _regrown(items: list[Any]) -> Iterator[list[Any]]:
    """Give lists that begin like this one and go on by a rule of that beginning."""
    if len(items) < 5 or not all(type(item) is int for item in items[:8]):
        return
    for length in range(3, min(len(items), 9)):
        for rule in _RULES:
            tail = items[:length]
            while len(tail) < len(items):
                following = rule(tail)
                if following is None or abs(following) >= 1 << _LONGEST:
                    break
                tail.append(following)
            if len(tail) == len(items) and tail != items:
                yield tail


def _shifts(items: list[Any], spots: list[int]) -> Iterator[list[Any]]:
    """Give lists whose numbers from some place on are moved by one."""
    if items and all(type(item) in (int, float) for item in items):
        for spot in [*range(min(len(items), 6)), *spots[:8]]:
            for delta in (1, -1, 2, -2, 10, -10):
                yield items[:spot] + [item + delta for item in items[spot:]]
        yield [item * 2 for item in items]


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
            for count in (8, 64, 512):
                if len(items) + count <= _LONGEST and count <= 8 * len(items):
                    yield (items[-period:] * count)[:count]
    numbers = [item for item in items[-4:] if type(item) is int]
    if len(numbers) < 3 or len(numbers) != len(items[-4:]):
        return
    for rule in _RULES:
        for count in (1, 8, 64, 512):
            if count > 8 * len(items):
                break
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


_RULES = (_first_difference, _second_difference, _ratio, _sum_of_two, _alternation)


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
