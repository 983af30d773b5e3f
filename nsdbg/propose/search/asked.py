"""What failed comparisons ask for: the other side put where this side stands, lengths made right.

Input-to-state correspondence, as fuzzers call it: what a program compares was often in its input.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from nsdbg.claim import Miss
from nsdbg.propose.make.continuation import HUGE, LONGEST, rising
from nsdbg.propose.make.generate import Generator
from nsdbg.propose.make.material import literal
from nsdbg.propose.make.mutate import Path
from nsdbg.propose.search.step import Arguments, Step, leaves_of, places_of, put


def asked_for(arguments: Arguments, misses: Sequence[Miss], generator: Generator) -> Iterator[Step]:
    """Put the other side of a failed comparison where this side stands in the arguments."""
    pairs = _wanted_pairs(misses)
    for have, want in pairs:
        if type(have) is int and type(want) is int:
            yield from _resized(arguments, want - have)
    for have, want in pairs:
        yield from _wholly(arguments, have, want)
    for have, want in pairs:
        for path, leaf in places_of(arguments):
            if type(leaf) is type(have) and leaf == have and leaf != want:
                yield Step(put(arguments, path, want), path)
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
            if right > left + LONGEST:
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
            yield Step(put(arguments, (index,), want), (index,))
        elif isinstance(argument, (list, tuple)) and len(argument) < 3:
            yield Step(put(arguments, (index,), type(argument)([want])), (index,))
        if isinstance(argument, list) and isinstance(want, list) and isinstance(have, list):
            more = _without(want, have)
            less = _without(argument, _without(have, want))
            if more or len(less) < len(argument):
                yield Step(put(arguments, (index,), argument + more), (index,))
                for spot in range(min(len(less), 20) if len(more) == 1 else 0):
                    yield Step(put(arguments, (index,), [*less[:spot], *more, *less[spot:]]))
                yield Step(put(arguments, (index,), less + more), (index,))
                yield Step(put(arguments, (index,), less), (index,))
        if isinstance(argument, list) and isinstance(want, (tuple, set, range, str, dict)):
            yield Step(put(arguments, (index,), list(want)), (index,))
        words = isinstance(want, (list, tuple)) and all(isinstance(part, str) for part in want)
        if isinstance(argument, str) and words:
            yield Step(put(arguments, (index,), "".join(want)), (index,))
            yield Step(put(arguments, (index,), " ".join(want)), (index,))
        if isinstance(argument, float) and type(want) is int and abs(want) < 1e300:
            yield Step(put(arguments, (index,), float(want)), (index,))
        if isinstance(argument, str) and isinstance(want, (int, float)):
            yield Step(put(arguments, (index,), str(want)), (index,))
        if isinstance(argument, list) and argument and type(want) is type(argument[0]):
            yield Step(put(arguments, (index,), [*argument, want]))


def _within(arguments: Arguments, path: Path, leaf: str, have: str, want: str) -> Iterator[Step]:
    """Replace a part of a text; or put a wanted part at its ends where it is missing."""
    if have and have in leaf:
        yield Step(put(arguments, path, leaf.replace(have, want)), path)
        start = leaf.find(have)
        while start >= 0 and len(leaf) < 200:
            yield Step(put(arguments, path, leaf[:start] + want + leaf[start + len(have) :]), path)
            start = leaf.find(have, start + 1)
    if want and len(leaf) + len(want) < LONGEST:
        yield Step(put(arguments, path, leaf + want), path)
        yield Step(put(arguments, path, want + leaf), path)


def _shifted(arguments: Arguments, want: Any, have: Any) -> Iterator[Step]:
    """Move numbers by what a comparison lacks, as sum, factor and length would have it."""
    gap = want - have
    if not gap:
        return
    for index, argument in enumerate(arguments):
        if isinstance(argument, list) and all(type(item) in (int, float) for item in argument):
            for delta in (gap, -gap):
                yield Step(put(arguments, (index,), [item + delta for item in argument]))
    numbers = [(path, leaf) for path, leaf in leaves_of(arguments)
               if type(leaf) in (int, float)][:40]  # fmt: skip
    for path, leaf in numbers:
        for delta in (gap, -gap):
            yield Step(put(arguments, path, leaf + delta), path, delta)
        if type(leaf) is int and type(want) is int and have and want % have == 0:
            yield Step(put(arguments, path, leaf * (want // have)), path)
        if type(leaf) is int and type(want) is int and have:
            yield Step(put(arguments, path, leaf * want // have), path)


def _resized(arguments: Arguments, gap: int) -> Iterator[Step]:
    """Make sequences longer or shorter by what a comparison of lengths lacks."""
    if not 0 < abs(gap) <= HUGE:
        return
    for index, argument in enumerate(arguments):
        if isinstance(argument, (str, list, tuple, bytes)):
            longer = _lengthened(argument, gap) if gap > 0 else _shortened(argument, -gap)
            for new in longer:
                yield Step(put(arguments, (index,), new))


def _shortened(value: Any, gap: int) -> Iterator[Any]:
    if gap < len(value):
        yield value[:-gap]
        yield value[gap:]


def _lengthened(value: Any, gap: int) -> Iterator[Any]:
    """Give a sequence with so many parts more: repeated, or rising from what is there."""
    if not value:
        if isinstance(value, list) and gap <= LONGEST:
            yield from ([0] * gap, [1] * gap, ["a"] * gap, [True] * gap, [[0]] * gap)
            yield list(range(gap))
        return
    if gap > LONGEST:
        if len(value) <= LONGEST:
            yield value + value[-1:] * gap
        return
    tails = (value[-1:], value[:1], " ") if isinstance(value, str) else (value[-1:], value[:1])
    for tail in tails:
        yield value + tail * gap
    yield value[:1] * gap + value
    if isinstance(value, (list, tuple)):
        for spot in {1, len(value) - 1, len(value)}:
            run = rising(value[spot - 1], gap) if spot else []
            if run:
                yield type(value)([*value[:spot], *run, *value[spot:]])
    elif isinstance(value, str) and value.split():
        for word in dict.fromkeys(value.split()):
            if (len(word) + 1) * gap <= LONGEST:
                yield value + (" " + word) * gap
