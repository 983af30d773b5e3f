"""What proposers take for an answer, so that none is asked who would not be ready in time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

# Loading a network takes a tenth of a second, and its answers some more.
_EXPECTED_S = {"neural": 1.0}
_LEAST_S = 0.15


class Pace:
    """What each proposer took when it was last asked, over all functions of a change.

    A proposer is asked for a whole answer and cannot be stopped in the middle of it; on a busy
    machine, and in a long module, the same answer takes many times as long.
    """

    def __init__(self) -> None:
        self._took: dict[str, float] = dict(_EXPECTED_S)

    def fits(self, name: str, left_s: float) -> bool:
        """Whether a proposer can be expected to answer in the time that is left."""
        return left_s >= max(_LEAST_S, self._took.get(name, 0.0))

    @contextmanager
    def timed(self, name: str) -> Iterator[None]:
        """Take note of how long a proposer takes."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self._took[name] = time.perf_counter() - began
