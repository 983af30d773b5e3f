"""Lays free memory out in one of many ways, so that what is made next lies elsewhere.

Interpreters that start alike have their objects at like addresses, page for page: what reads an
address would look the same in each of them.
"""

from functools import partial
from typing import Any, Callable, List, Sequence

# So many blocks of each size are made, and half of them freed again.
_BLOCKS = 64
_OVERHEAD = 33  # of a bytes object
_SIZES = range(48, 385, 16)
# CPython keeps freed objects of these types for the next ones, so many that these reach through.
_KEPT: Sequence[Callable[[], Any]] = (list, dict, lambda: float("2.5"), lambda: (None, [])[:1])


def lay_out(number: int) -> List[Any]:
    """Leave free blocks of every small size in the order that a layout's number stands for.

    What is returned has to be kept as long as the layout is to last.  0 changes nothing.
    """
    if not number:
        return []
    makers: List[Callable[[], Any]] = [object, *_KEPT]
    makers += [partial(bytes, size - _OVERHEAD) for size in _SIZES]
    order = _order(_BLOCKS, number)
    freed = order[_BLOCKS // 2 :]
    kept = []
    for make in makers:
        made: List[Any] = [make() for _ in order]
        for place in freed:
            made[place] = None
        kept.append(made)
    return kept


def _order(count: int, number: int) -> List[int]:
    """Return the places of so many blocks: rising, falling, or mixed by the number."""
    if number < 3:
        halves = list(range(0, count, 2)), list(range(1, count, 2))
        return halves[0] + (halves[1] if number == 1 else halves[1][::-1])
    factor = number * 2654435761 + 97
    return sorted(range(count), key=lambda place: (place + 1) ** 3 * factor % 65521)
