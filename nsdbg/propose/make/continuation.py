"""How sequences go on: by the rule of their beginning, or rising from an element."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

# Sequences and bits are not made longer than this; by plain repetition, than that.
LONGEST, HUGE = 3000, 100_000


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


def continued(items: list[Any]) -> Iterator[list[Any]]:
    """Give what continues a list: repetition, and for numbers constant differences and ratios."""
    for period in (1, 2, 3):
        if len(items) >= 2 * period and items[-period:] == items[-2 * period : -period]:
            for count in (8, 64, 512):
                if len(items) + count <= LONGEST and count <= 8 * len(items):
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
                if following is None or abs(following) >= 1 << LONGEST:
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


def regrown(items: list[Any]) -> Iterator[list[Any]]:
    """Give lists that begin like this one and go on by a rule of that beginning."""
    if len(items) < 5 or not all(type(item) is int for item in items[:8]):
        return
    for length in range(3, min(len(items), 9)):
        for rule in _RULES:
            tail = items[:length]
            while len(tail) < len(items):
                following = rule(tail)
                if following is None or abs(following) >= 1 << LONGEST:
                    break
                tail.append(following)
            if len(tail) == len(items) and tail != items:
                yield tail
