"""The bounds within which the evaluator works, and the order in which it sees sets.

Values are plain Python objects made by us; nothing here reaches the debugged program.
"""

from __future__ import annotations

import collections
from collections.abc import Iterable
from typing import Any

LARGEST = 65_536  # characters or elements, and bits of an integer
CONTAINERS = frozenset({list, tuple, dict, set, frozenset, collections.deque,
                        collections.OrderedDict, collections.defaultdict})  # fmt: skip
SIZED = (str, bytes, *CONTAINERS)


class Unknown(Exception):
    """The evaluator cannot tell: an operation off the list, or a bound that was reached."""


class OutOfSteps(Unknown):
    """The evaluation took more steps than it was given: perhaps it never ends."""


def bounded(value: Any) -> Any:
    """Return a value that is within the bounds, else raise Unknown."""
    if isinstance(value, SIZED):
        if len(value) > LARGEST:
            raise Unknown(f"a {type(value).__name__} of {len(value)} elements")
    elif isinstance(value, int) and value.bit_length() > LARGEST:
        raise Unknown("an integer of too many digits")
    return value


def weigh(value: Any) -> None:
    """Raise Unknown when a value has more parts than the bounds allow, nested ones counted.

    Sharing makes a small value large: `x = [x, x]`, repeated, has 2**n leaves to compare or print.
    """
    if type(value) not in CONTAINERS or CONTAINERS.isdisjoint(map(type, parts(value))):
        return
    left, stack = LARGEST, [value]
    while stack:
        item = stack.pop()
        left -= 1
        if left < 0:
            raise Unknown("a value of too many parts")
        if type(item) in CONTAINERS:
            left -= len(item)
            stack.extend(part for part in parts(item) if type(part) in CONTAINERS)


def parts(value: Any) -> Iterable[Any]:
    """Return what a container holds: of a dict, its keys and values."""
    return (*value, *value.values()) if isinstance(value, dict) else value


def ordered(values: Iterable[Any]) -> Iterable[Any]:
    """Return what to iterate over: sets of text in an order of our own.

    The order of a real one changes with the hash seed, and the same input has to give the same
    proposals.
    """
    if not isinstance(values, (set, frozenset)) or all(type(value) is int for value in values):
        return values
    return sorted(values, key=repr)
