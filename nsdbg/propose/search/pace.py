"""Keeps a search from calls that take too long, by the sizes of those that did.

A batch waits for its slowest calls: one huge number in a `range` costs as much as ten thousand
others.  Guesses from sizes only.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

# Numbers and lengths up to these are never held to be the cause.
_SMALL_BITS, _SMALL_SIZE = 10, 60
_DIGITS = re.compile(r"[0-9]{3,}")
_NEVER = 1 << 60
# So many calls of a batch may have numbers with this many bits more than the fastest known.
_RISKS, _FARTHER = 1, 4
_FAST_S, _SLOW_S = 0.02, 0.1


def size_of(text: str) -> int:
    """Return about how many parts the value has that a text writes."""
    return text.count(",") + len(text) // 8 + 1


def bits_of(text: str) -> int:
    """Return about the bits of the largest integer that a text writes."""
    digits = max(map(len, _DIGITS.findall(text)), default=0)
    return int(digits * 3.33)


class Pace:
    """Bounds on numbers and sizes, learnt from calls that timed out and calls that did not.

    Numbers far beyond all that are known to be fast are let through a few at a time.
    """

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._slow_bits = _NEVER
        self._slow_size = _NEVER
        self._fast_bits = _SMALL_BITS
        self._risks = _RISKS

    def begin(self, count: int) -> None:
        """Begin on a batch of so many calls."""
        self._risks = max(_RISKS, count // 128)

    def learn(self, texts: Sequence[str], slow: bool, seconds: float) -> None:
        """Take in whether a call took too long, and else how many seconds it took."""
        bits = max(map(bits_of, texts), default=0)
        if not slow and seconds < _SLOW_S:
            if bits > self._fast_bits and seconds < _FAST_S:
                self._fast_bits = bits
            return
        size = sum(map(size_of, texts))
        if seconds and bits > _SMALL_BITS:
            self._slow_bits = min(bits, self._slow_bits)
        elif seconds and size > _SMALL_SIZE:
            self._slow_size = min(size, self._slow_size)

    def too_slow(self, texts: Sequence[str]) -> bool:
        """Tell whether a call is likely to take too long; now and then one is let through."""
        bits = max(map(bits_of, texts), default=0)
        if bits > self._fast_bits + _FARTHER:
            self._risks -= 1
            if self._risks < 0:
                return True
        if self._slow_bits == _NEVER and self._slow_size == _NEVER:
            return False
        if self._rng.random() < 0.01:
            return False
        return bits >= self._slow_bits or sum(map(size_of, texts)) >= self._slow_size
