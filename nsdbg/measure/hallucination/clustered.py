"""Rates with two intervals: Wilson's, and one that allows for many proposals of one program.

What is said of one program is right or wrong together, so that 1,000 proposals about 10 programs
tell little more than 10 do.  Programs are drawn again, not proposals.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from math import ceil

from nsdbg.measure.tally import wilson
from nsdbg.report.rated import Interval, Rate

RESAMPLES = 1000
# More programs are put together at random: the width of the interval is then uncertain by some 4 %
# (the spread of 256 units), and a unit is one byte, which makes a rate a matter of milliseconds.
BLOCKS = 256
# A percentile bootstrap of fewer units is far too narrow to be shown.
LEAST_PROGRAMS = 10
_SHIFT = 1 << 40  # a unit's hits and n in one number, so that both are summed at once


def clustered(hits: Iterable[str], all_: Iterable[str], seed: int) -> Rate:
    """Return how many hits there are of all, each named by its program, with both intervals."""
    hit, counted = Counter(hits), Counter(all_)
    units = [(hit[program], n) for program, n in counted.items()]
    total, n = hit.total(), counted.total()
    return Rate(total, n, wilson(total, n), by_program(units, seed), len(units))


def by_program(units: Iterable[tuple[int, int]], seed: int) -> Interval | None:
    """Return the 95 % percentile bootstrap interval of a rate (Efron 1979) over programs.

    units: hits and n of each program, n at least 1.  None of fewer than LEAST_PROGRAMS.  Where all
    or none are hits every resample is the same, and Wilson's interval stands in, with as many
    trials as there are programs: more proposals of one program then tell nothing more.
    """
    known = list(units)
    if len(known) < LEAST_PROGRAMS:
        return None
    hits, n = sum(unit[0] for unit in known), sum(unit[1] for unit in known)
    if hits in (0, n):
        return wilson(len(known) if hits else 0, len(known))
    rng = random.Random(seed)
    packed = _blocks([hits * _SHIFT + n for hits, n in known], rng)
    found = sorted(drawn // _SHIFT / (drawn % _SHIFT) for drawn in _resamples(packed, rng))
    return found[ceil(0.025 * RESAMPLES) - 1], found[ceil(0.975 * RESAMPLES) - 1]


def _blocks(packed: list[int], rng: random.Random) -> list[int]:
    """Put programs together until there are at most BLOCKS units."""
    if len(packed) <= BLOCKS:
        return packed
    rng.shuffle(packed)
    return [sum(packed[first::BLOCKS]) for first in range(BLOCKS)]


def _resamples(packed: list[int], rng: random.Random) -> Iterator[int]:
    """Yield the sum of as many units, drawn with replacement, RESAMPLES times.

    Random bytes name the units, in whole rounds of them: bytes beyond are thrown away.
    """
    units = len(packed)
    beyond = bytes(range(256 - 256 % units, 256))
    unit_of = [packed[byte % units] for byte in range(256)].__getitem__
    drawn = b""
    for _ in range(RESAMPLES):
        while len(drawn) < units:
            drawn += rng.randbytes(units).translate(None, beyond)
        yield sum(map(unit_of, drawn[:units]))
        drawn = drawn[units:]
