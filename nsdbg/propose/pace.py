"""Keeps a search from calls that take too long, by the sizes of those that did.

A batch waits for its slowest calls: one huge number in a `range` costs as much as ten thousand
others.  Guesses from sizes only.
"""

from __future__ import annotations

import random
from typing import Any

from nsdbg.propose.mutate import parts

# Numbers and lengths up to these are never held to be the cause.
_SMALL_BITS, _SMALL_SIZE = 7, 24
_LOOKED_AT = 200


def size_of(value: Any) -> int:
    """Return about how many parts a value has, all the way down."""
    inner = parts(value)
    if inner:
        return len(inner) + sum(map(size_of, inner[:100]))
    return len(value) if isinstance(value, (str, bytes)) else 1


def bits_of(value: Any) -> int:
    """Return the bits of the largest integer inside a value."""
    if isinstance(value, int):
        return value.bit_length()
    return max((bits_of(part) for part in parts(value)[:_LOOKED_AT]), default=0)


class Pace:
    """Bounds on numbers and sizes, learnt from calls that timed out and calls that did not."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._slow_bits: int | None = None
        self._slow_size: int | None = None
        self._fast_bits = _SMALL_BITS
        self._fast_size = _SMALL_SIZE

    def learn(self, arguments: tuple[Any, ...], slow: bool) -> None:
        """Take in whether a call took too long."""
        if not slow and self._slow_bits is None and self._slow_size is None:
            return
        bits = max(map(bits_of, arguments), default=0)
        size = sum(map(size_of, arguments))
        if not slow:
            return
        if bits > _SMALL_BITS:
            self._slow_bits = min(bits, self._slow_bits or bits)
        elif size > _SMALL_SIZE:
            self._slow_size = min(size, self._slow_size or size)

    def too_slow(self, arguments: tuple[Any, ...]) -> bool:
        """Tell whether a call is likely to take too long; now and then one is let through."""
        if self._slow_bits is None and self._slow_size is None:
            return False
        if self._rng.random() < 0.02:
            return False
        if (
            self._slow_bits is not None
            and max(map(bits_of, arguments), default=0) >= self._slow_bits
        ):
            return True
        return self._slow_size is not None and sum(map(size_of, arguments)) >= self._slow_size
