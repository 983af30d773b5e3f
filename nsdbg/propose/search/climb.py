"""The neighbours of a call: numbers by growing steps, edits, and what failed comparisons ask for.

Alternating variable method after Korel (1990), many variables at a time, since a batch of trials
costs little more than one.  Only makes neighbours; which is nearer is told by running them.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from typing import Any

from nsdbg.claim import Miss
from nsdbg.propose.make.continuation import LONGEST
from nsdbg.propose.make.edits import dict_edits, list_edits, text_edits
from nsdbg.propose.make.generate import Generator
from nsdbg.propose.make.mutate import Path, at, rebuilt
from nsdbg.propose.search.asked import asked_for
from nsdbg.propose.search.step import Arguments, Step, leaves_of, places_of, put, woven

# So many numbers of a call are stepped at a time.
_NUMBERS = 60


def neighbours(
    arguments: Arguments, misses: Sequence[Miss], generator: Generator
) -> Iterator[Step]:
    """Give the neighbours of a call; ends after some hundreds to a few thousand."""
    wanted = asked_for(arguments, misses, generator)
    numbers = steps(arguments, generator.rng)
    edits = rewritings(arguments, generator)
    couples = pairs_of_steps(arguments, generator.rng)
    yield from woven([(wanted, 3), (edits, 2), (numbers, 4), (couples, 1)])


def steps(arguments: Arguments, rng: random.Random) -> Iterator[Step]:
    """Move each number by steps of growing size, and turn each truth value."""
    numbers = [
        (path, leaf) for path, leaf in leaves_of(arguments) if isinstance(leaf, (int, float))
    ]
    if len(numbers) > _NUMBERS:
        numbers = rng.sample(numbers, _NUMBERS)
    for path, leaf in numbers:
        if isinstance(leaf, bool):
            yield Step(put(arguments, path, not leaf), path)
    numbers = [(path, leaf) for path, leaf in numbers if not isinstance(leaf, bool)]
    for exponent in range(12):
        for path, leaf in numbers:
            delta: int | float = 4**exponent
            if isinstance(leaf, float):
                delta = 10.0 ** (2 - exponent)
            for signed in (delta, -delta):
                yield Step(put(arguments, path, leaf + signed), path, signed)
    for path, leaf in numbers:
        for new in (-leaf, leaf * 2, leaf // 2, leaf * 10, leaf // 10, 0, leaf * leaf):
            if new != leaf and abs(new) < 1 << LONGEST:
                yield Step(put(arguments, path, type(leaf)(new)), path, new - leaf)


def pairs_of_steps(arguments: Arguments, rng: random.Random) -> Iterator[Step]:
    """Move two numbers at a time: against each other first, then by all small amounts if few."""
    numbers = [(path, leaf) for path, leaf in leaves_of(arguments) if type(leaf) is int]
    couples = list(itertools.permutations(numbers[:30], 2))
    rng.shuffle(couples)
    for amount in (1, 2, 3, 5, 10):
        for (one, left), (other, right) in couples[:200]:
            moved = put(arguments, one, left + amount)
            yield Step(put(moved, other, right - amount))
    if len(numbers) <= 4:
        amounts = [delta for delta in range(-9, 10) if delta]
        for (one, left), (other, right) in itertools.combinations(numbers, 2):
            for first, second in itertools.product(amounts, amounts):
                yield Step(put(put(arguments, one, left + first), other, right + second))


def onward(base: Arguments, step: Step) -> Iterator[Step]:
    """Go on in the direction of a step that helped, by doubling."""
    if step.path is None or not step.delta:
        return
    leaf = at(base, step.path)
    if isinstance(leaf, bool) or not isinstance(leaf, (int, float)):
        return
    for factor in (2, 3, 4, 6, 8, 16, 64, 1024):
        delta = step.delta * factor
        yield Step(put(base, step.path, leaf + delta), step.path, delta)


def rewritings(arguments: Arguments, generator: Generator) -> Iterator[Step]:
    """Edit each text and container at many places, one edit at a time."""
    places = [(path, value) for path, value in places_of(arguments)
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
    yield from woven(streams)


def _edited(arguments: Arguments, path: Path, value: Any, edits: Iterator[Any]) -> Iterator[Step]:
    sequence = isinstance(value, (str, list, tuple))
    for new in edits:
        grown = sequence and len(new) > len(value) and new[: len(value)] == value
        yield Step(put(arguments, path, new), grown=path if grown else None)
