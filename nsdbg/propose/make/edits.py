"""Single edits of texts and containers, in an order worth trying."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator
from typing import Any

from nsdbg.propose.guess.kinds import ANY, INT, STR, Kind, kind_of
from nsdbg.propose.make.continuation import LONGEST, continued, regrown, rising
from nsdbg.propose.make.generate import Generator
from nsdbg.propose.make.mutate import Mutator, parts

# So many places of a text or list are edited in one go.
EDITS = 60
# Lists up to this long are tried with every pair swapped.
_ALL_PAIRS = 16


def text_edits(value: str, generator: Generator) -> Iterator[str]:
    """Give edits of a text: grown at its ends, shortened, then changed at single places."""
    rng = generator.rng
    chars = generator.material.characters()[:60] or ["a", " ", "1"]
    extra = rng.sample("abcxyzABC019 .,-()\n", 6)
    letters = [*dict.fromkeys([*chars[:20], *(rng.sample(chars, min(len(chars), 10))), *extra])]
    kept = [text for text in generator.material.first(STR)[:25] if text]
    for char in letters:
        yield value + char
    yield from (value[:-1], value[1:], value + value, value[::-1], value + value[-1:])
    for char in letters:
        yield char + value
    for text in kept:
        yield from (value + text, text + value)
        if " " in value or len(value.split()) > 1:
            yield value + " " + text
    yield from _mirrored(value)
    spots = list(range(len(value)))
    if len(spots) > EDITS:
        spots = rng.sample(spots, EDITS)
    if value and value == value[::-1]:
        yield from _paired(value, spots, letters, generator)
    if " " in value:
        words = value.split(" ")
        changed = _reordered(words, list(range(min(len(words), EDITS))), generator, fixed=False)
        yield from (" ".join(others) for others in [sorted(words), *changed])
    yield from _at_places(value, spots, letters, generator)
    for text in [*kept[:8], *letters[:6]]:
        for count in _counts(generator):
            if len(text) * count < LONGEST:
                yield value + text * count
                yield value + f" {text}" * count
    for spot in spots[:20]:
        for text in kept[:6]:
            yield value[:spot] + text + value[spot:]
    for char in letters:
        for spot in spots[:30]:
            yield value[:spot] + char + value[spot + 1 :]


def _at_places(
    value: str, spots: list[int], letters: list[str], generator: Generator
) -> Iterator[str]:
    for spot in spots:
        yield value[:spot] + value[spot + 1 :]
        yield value[:spot] + value[spot].swapcase() + value[spot + 1 :]
    for spot in spots:
        for char in generator.rng.choices(letters, k=3):
            yield value[:spot] + char + value[spot + 1 :]
            yield value[:spot] + char + value[spot:]


def _paired(
    value: str, spots: list[int], letters: list[str], generator: Generator
) -> Iterator[str]:
    """Change a palindrome at two places that mirror each other."""
    for spot in spots:
        for char in generator.rng.sample(letters, min(len(letters), 6)):
            first, second = sorted((spot, len(value) - 1 - spot))
            changed = value[:first] + char + value[first + 1 :]
            yield changed[:second] + char + changed[second + 1 :]


def _mirrored(value: Any) -> Iterator[Any]:
    """Give palindromes made of a sequence: of either half, and doubled."""
    half = len(value) // 2
    if half:
        yield value[:half] + value[half : len(value) - half] + value[:half][::-1]
        yield value[-half:][::-1] + value[half : len(value) - half] + value[-half:]
        yield value + value[::-1]
        yield value + value[-2::-1]


def list_edits(items: list[Any], generator: Generator, *, fixed: bool) -> Iterator[list[Any]]:
    """Give edits of a list: grown, continued as it began, shortened, reordered; `fixed` keeps its
    length."""
    rng = generator.rng
    part = kind_of(items).parts[0] if items else ANY
    fresh = [generator.make(part, 4, 1) for _ in range(8)]
    kept = generator.material.first(part)[:25]
    if not fixed:
        yield from _grown(items, kept, fresh, generator)
    yield from _mirrored(items)
    yield items[::-1]
    with contextlib.suppress(TypeError):
        yield sorted(items)
    spots = list(range(len(items)))
    if len(spots) > EDITS:
        spots = rng.sample(spots, EDITS)
    yield from _shifts(items, spots)
    yield from _reordered(items, spots, generator, fixed=fixed)
    if not fixed:
        yield from _runs(items, spots)
    for spot in spots:
        for value in [*rng.sample(kept, min(len(kept), 4)), *fresh[:3]]:
            yield [*items[:spot], value, *items[spot + 1 :]]
            if not fixed:
                yield [*items[:spot], value, *items[spot:]]


def _grown(
    items: list[Any], kept: list[Any], fresh: list[Any], generator: Generator
) -> Iterator[list[Any]]:
    """Give longer and shorter lists: at the end, as it began, of known stretches."""
    for more in continued(items):
        yield items + more
    yield from regrown(items)
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
        yield [*items, Mutator(generator).mutate(generator.rng.choice(items))]


def _reordered(
    items: list[Any], spots: list[int], generator: Generator, *, fixed: bool
) -> Iterator[list[Any]]:
    """Give lists with an element less or twice, and with two elements in each other's place."""
    for spot in spots:
        if not fixed:
            yield items[:spot] + items[spot + 1 :]
            yield [*items[: spot + 1], *items[spot:]]
        if spot + 1 < len(items):
            yield _swapped(items, spot, spot + 1)
            yield _swapped(items, spot, generator.rng.randrange(len(items)))
    if len(items) <= _ALL_PAIRS:
        for left, right in itertools.combinations(range(len(items)), 2):
            yield _swapped(items, left, right)
        for left, right in itertools.permutations(range(len(items)), 2):
            moved = list(items)
            moved.insert(right, moved.pop(left))
            yield moved


def _swapped(items: list[Any], left: int, right: int) -> list[Any]:
    swapped = list(items)
    swapped[left], swapped[right] = swapped[right], swapped[left]
    return swapped


def _runs(items: list[Any], spots: list[int]) -> Iterator[list[Any]]:
    """Give lists with rising elements put after one of theirs."""
    for spot in spots[:10]:
        for count in (1, 4, 16, 64):
            run = rising(items[spot], count)
            if run and len(items) + count <= LONGEST:
                yield items[: spot + 1] + run + items[spot + 1 :]


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
    for known in generator.material.first(kind)[:10]:
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


def dict_edits(value: dict[Any, Any], generator: Generator) -> Iterator[dict[Any, Any]]:
    """Give edits of a dict: an item more, an item less, another order."""
    for key in list(value)[:20]:
        yield {name: item for name, item in value.items() if name != key}
    for _ in range(8):
        yield {**value, **generator.make(kind_of(value), 2)}
    yield dict(reversed(value.items()))
    with contextlib.suppress(TypeError):
        yield dict(sorted(value.items()))
    kept = [text for _, text in zip(range(10), generator.material.every(), strict=False)]
    for key in kept:
        if isinstance(key, (str, int)) and value:
            yield {**value, key: next(iter(value.values()))}
