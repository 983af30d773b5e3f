"""How far one value, or one truth, is from another: the numbers that search climbs down.

Branch distance after Korel (1990) and Tracey (1998), carried from numbers to strings and
containers.  Not a judgement: what matches is decided elsewhere, a distance only says which of two
failures is nearer.  Distances are never negative, and 0.0 is said of equal values only.
"""

import math
from typing import Any, Tuple

# A comparison of long containers looks at so many elements of each side, and no more.
ELEMENTS = 2000
# What two values of different kinds are apart, before their shapes are looked at.
KIND_GAP = 1e12
DEPTH = 6


def squash(gap: float) -> float:
    """Map a distance onto [0, 1), keeping the order.

    The logarithm keeps steps visible over many magnitudes; d / (d + 1) is flat from 1e16 on.
    """
    if gap <= 0:
        return 0.0
    if gap == math.inf:
        return 1.0
    return 1.0 - 1.0 / (1.0 + math.log2(1.0 + gap))


def number_gap(left: Any, right: Any) -> float:
    """Return |left - right| as a float, infinite where it is too large or not a number."""
    try:
        gap = float(abs(left - right))
    except (OverflowError, TypeError, ValueError):
        return _huge_gap(left, right)
    if gap != gap:
        return 0.0 if left != left and right != right else math.inf
    return gap


def _huge_gap(left: Any, right: Any) -> float:
    if isinstance(left, int) and isinstance(right, int):
        return 2.0 ** min(1023, abs(left - right).bit_length())
    return math.inf


def kind_of(value: Any) -> str:
    """Name the family of types within which values have a distance: number, str, list, ..."""
    if isinstance(value, (bool, int, float)):
        return "number"
    for family in (str, bytes, bytearray, list, tuple, dict):
        if isinstance(value, family):
            return family.__name__
    return "set" if isinstance(value, (set, frozenset)) else type(value).__name__


def value_gap(left: Any, right: Any, strict: bool = False, depth: int = 0) -> float:
    """Return how many small changes lead from one value to the other, roughly.

    With `strict`, 1, True and 1.0 differ, as they do when a goal's value is compared.
    """
    kinds = kind_of(left), kind_of(right)
    if kinds[0] != kinds[1]:
        return _kind_gap(left, right, kinds, depth)
    if kinds[0] == "number":
        gap = number_gap(left, right)
        return gap + 0.5 if strict and type(left) is not type(right) else gap
    if kinds[0] == "str":
        return text_gap(left, right)
    if depth > DEPTH:
        return 0.0 if left is right else 1.0
    if kinds[0] in ("bytes", "bytearray", "list", "tuple"):
        return sequence_gap(left, right, strict, depth)
    if kinds[0] == "dict":
        return mapping_gap(left, right, strict, depth)
    if kinds[0] == "set":
        return float(len(left ^ right))
    return _object_gap(left, right, depth)


def _kind_gap(left: Any, right: Any, kinds: Tuple[str, str], depth: int) -> float:
    ordered = ("list", "tuple", "bytes", "bytearray", "str")
    if depth <= DEPTH and kinds[0] in ordered and kinds[1] in ordered:
        return KIND_GAP * (1.0 + squash(sequence_gap(left, right, False, depth)))
    return KIND_GAP * 2.0


def _object_gap(left: Any, right: Any, depth: int) -> float:
    """Compare what two objects of a class hold; never calls their own methods."""
    if left is right:
        return 0.0
    if type(left) is type(right) and depth < DEPTH:
        held = getattr(left, "__dict__", None), getattr(right, "__dict__", None)
        if isinstance(held[0], dict) and isinstance(held[1], dict):
            return mapping_gap(held[0], held[1], False, depth + 1)
    return 1.0 if type(left) is type(right) else KIND_GAP


def text_gap(left: str, right: str) -> float:
    """Count characters to change, insert or delete between what both ends share.

    A wrong character costs from 0.5 to 1 by how far its code is, so that a climb feels each step.
    """
    if left == right:
        return 0.0
    start, stop = _shared_ends(left, right)
    left, right = left[start : len(left) - stop], right[start : len(right) - stop]
    gap = float(abs(len(left) - len(right)))
    for one, other in zip(left[:ELEMENTS], right[:ELEMENTS]):
        if one != other:
            gap += 0.5 + 0.5 * squash(abs(ord(one) - ord(other)))
    return gap or 0.25


def _shared_ends(left: str, right: str) -> Tuple[int, int]:
    shorter = min(len(left), len(right))
    start = 0
    while start < min(shorter, ELEMENTS) and left[start] == right[start]:
        start += 1
    stop = 0
    longest = min(shorter - start, ELEMENTS)
    while stop < longest and left[-1 - stop] == right[-1 - stop]:
        stop += 1
    return start, stop


def sequence_gap(left: Any, right: Any, strict: bool, depth: int) -> float:
    """Sum what paired elements differ by, and 1 for each element without a partner.

    The larger of two pairings is refused: from the front, and without what both ends share.
    """
    longest = max(len(left), len(right))
    gaps = [squash(value_gap(one, other, strict, depth + 1))
            for one, other in zip(left[:ELEMENTS], right[:ELEMENTS])]  # fmt: skip
    extra = float(longest - min(len(left), len(right)))
    front = sum(gaps) + extra
    if not extra or not front:
        return front
    start = next((index for index, gap in enumerate(gaps) if gap), len(gaps))
    stop = 0
    while stop < len(gaps) - start and left[-1 - stop] == right[-1 - stop]:
        stop += 1
    inner = zip(left[start : len(left) - stop][:ELEMENTS], right[start : len(right) - stop])
    paired = sum(squash(value_gap(one, other, strict, depth + 1)) for one, other in inner)
    return min(front, paired + extra)


def mapping_gap(left: Any, right: Any, strict: bool, depth: int) -> float:
    """Sum what values under shared keys differ by, and 1 for each key that one side lacks."""
    shared = [key for key in list(left)[:ELEMENTS] if key in right]
    gap = float(len(left) + len(right) - 2 * len(shared))
    for key in shared:
        gap += squash(value_gap(left[key], right[key], strict, depth + 1))
    if gap == 0.0 and strict and list(left) != list(right):
        return 0.5
    return gap


def order_gap(left: Any, right: Any) -> float:
    """Return how far two ordered values are apart: numbers by difference, others by their first
    difference."""
    kind = kind_of(left)
    if kind != kind_of(right) or kind == "set":
        return 1.0
    if kind == "number":
        return number_gap(left, right)
    if kind == "str":
        left, right = [ord(char) for char in left[:64]], [ord(char) for char in right[:64]]
    if kind == "dict" or not hasattr(left, "__getitem__"):
        return 1.0
    for position, (one, other) in enumerate(zip(left, right)):
        if one != other:
            return order_gap(one, other) if position == 0 else squash(order_gap(one, other))
    return float(abs(len(left) - len(right)))


def member_gap(item: Any, container: Any) -> float:
    """Return how far `item` is from being in `container`; 1.0 where that cannot be told cheaply."""
    if isinstance(container, (str, bytes)) and isinstance(item, type(container)):
        return _part_gap(item, container)
    if isinstance(container, range) and isinstance(item, (int, float)):
        return _range_gap(item, container)
    if isinstance(container, (list, tuple, set, frozenset, dict)):
        near = [value_gap(item, other) for _, other in zip(range(200), container)]
        return min(near) if near else KIND_GAP
    return 1.0


def _part_gap(item: Any, container: Any) -> float:
    size = len(item)
    while size and item[:size] not in container:
        size -= 1
    return float(len(item) - size) or 0.5


def _range_gap(item: Any, container: range) -> float:
    if not container:
        return KIND_GAP
    low, high = sorted((container[0], container[-1]))
    outside = max(low - item, item - high, 0)
    return float(outside) if outside else 0.5
