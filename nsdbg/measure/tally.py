"""Shares, medians and percentiles of a bench, as numbers and as text."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Attempt:
    """One problem: whether it was solved, in how many executions and seconds.

    `first`: the very first proposal was confirmed.  `word` says why it was not solved.  `place`:
    which proposal was confirmed, counted from 1 in the order in which they were made.
    """

    id: str
    solved: bool
    first: bool
    executions: int
    seconds: float
    source: str = ""
    word: str = ""
    place: int | None = None


@dataclass(frozen=True, slots=True)
class Spread:
    """The middle and the 95th percentile (nearest rank) of some numbers; None of none."""

    median: float | None
    p95: float | None


@dataclass(frozen=True, slots=True)
class Tally:
    """What a bench found.  `executions` and `seconds` are of the solved problems.

    `all_seconds` is of all problems, the unsolved ones with what they spent.
    """

    n: int
    solved: int
    first: int
    executions: Spread
    seconds: Spread
    all_seconds: Spread
    attempts: tuple[Attempt, ...]

    @property
    def share(self) -> float | None:
        """The solved share, 0 to 1; None when there was no problem."""
        return self.solved / self.n if self.n else None

    def passed(self, k: int) -> int:
        """Count the problems that one of the first k proposals solved (pass@k, verified).

        No estimate: proposers build on verdicts, so that their proposals are in one order only.
        """
        places = (attempt.place for attempt in self.attempts if attempt.solved)
        return sum(1 for place in places if place is not None and place <= k)


def spread(numbers: Sequence[float]) -> Spread:
    """Return the median (mean of the middle two) and the 95th percentile."""
    if not numbers:
        return Spread(None, None)
    ordered = sorted(numbers)
    middle = len(ordered) // 2
    median = ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2
    return Spread(median, ordered[math.ceil(0.95 * len(ordered)) - 1])


def tally(attempts: Sequence[Attempt]) -> Tally:
    """Count a bench's attempts."""
    solved = [attempt for attempt in attempts if attempt.solved]
    return Tally(
        n=len(attempts),
        solved=len(solved),
        first=sum(attempt.first for attempt in solved),
        executions=spread([attempt.executions for attempt in solved]),
        seconds=spread([attempt.seconds for attempt in solved]),
        all_seconds=spread([attempt.seconds for attempt in attempts]),
        attempts=tuple(attempts),
    )


def pass_at(k: int, n: int, right: int) -> float:
    """Return the chance that one of k answers, drawn from n of which some are right, is right.

    The unbiased estimator of pass@k (Chen and others, "Evaluating large language models trained on
    code", 2021); of fewer than k answers all are drawn.
    """
    return 1 - math.comb(n - right, k) / math.comb(n, k) if k < n else float(right > 0)


def wilson(successes: float, n: float, z: float = 1.959963984540054) -> tuple[float, float]:
    """Return Wilson's score interval for a share (Wilson 1927); (0, 1) when n is 0.

    n need not be whole: observations that depend on each other are worth fewer.
    """
    if n == 0:
        return 0.0, 1.0
    share = successes / n
    centre = share + z * z / (2 * n)
    margin = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    # At the ends the bound is exact, and rounding would leave 1e-18 of it.
    low = (centre - margin) / scale if successes > 0 else 0.0
    high = (centre + margin) / scale if successes < n else 1.0
    return max(0.0, low), min(1.0, high)
