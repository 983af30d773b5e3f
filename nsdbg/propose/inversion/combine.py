"""Ways to fill several parameters from a ranked list of values each, the best together first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def ranked_choices(sizes: Sequence[int], most: int) -> Iterator[tuple[int, ...]]:
    """Yield tuples of places, `0 <= place < size`, by the sum of their places; at most `most`.

    Every list must have something in it.
    """
    given = 0
    for total in range(sum(size - 1 for size in sizes) + 1):
        for choice in _with_sum(sizes, total):
            yield choice
            given += 1
            if given >= most:
                return


def _with_sum(sizes: Sequence[int], total: int) -> Iterator[tuple[int, ...]]:
    if not sizes:
        if total == 0:
            yield ()
        return
    rest = sum(size - 1 for size in sizes[1:])
    for place in range(max(0, total - rest), min(total, sizes[0] - 1) + 1):
        for others in _with_sum(sizes[1:], total - place):
            yield (place, *others)
