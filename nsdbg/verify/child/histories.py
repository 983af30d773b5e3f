"""Values of a state made again with another past: the order of a set is that of its past.

A state tells what is in a set, and not in which order it was put there, or what was in it once.
"""

from typing import Any, List


def with_past(value: Any, number: int) -> Any:
    """Return a literal's value with other orders of its sets, at any depth; 0 changes nothing."""
    if not number:
        return value
    kind = type(value)
    if kind is list or kind is tuple:
        return kind([with_past(item, number) for item in value])
    if kind is dict:
        return {with_past(key, number): with_past(item, number) for key, item in value.items()}
    if kind is set or kind is frozenset:
        elements = [with_past(item, number) for item in value]
        turned = elements[number % (len(elements) + 1) :] + elements[: number % (len(elements) + 1)]
        return _copied(kind, turned) if number % 2 else _grown(kind, turned, number)
    return value


def _copied(kind: Any, elements: List[Any]) -> Any:
    """Return a set as a copy is: with the smallest table, filled in the order of another."""
    return kind(frozenset(reversed(elements)))


def _grown(kind: Any, elements: List[Any], number: int) -> Any:
    """Return a set with a larger table, since there was more in it that is gone."""
    found = set(elements)
    gone = [("gone", place) for place in range(number * (len(elements) + 3))]
    found.update(gone)
    found.difference_update(gone)
    return found if kind is set else frozenset(found)
