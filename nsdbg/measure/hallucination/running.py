"""The raw rate so far, with its interval, for a line of progress: one addition a proposal.

Not for reports: the interval is the bootstrap's in first order only.
"""

from __future__ import annotations

from nsdbg.claim import Status
from nsdbg.measure.hallucination.judged import Borne, Judged
from nsdbg.measure.tally import wilson
from nsdbg.report.rated import Interval


class Running:
    """Counts judged proposals as they come; `str` of it is the line of progress."""

    def __init__(self) -> None:
        self._programs: dict[str, tuple[int, int]] = {}
        self._hits = self._n = self._unknown = self._wrong = 0
        # Sums over programs of hits², hits × n and n².
        self._squares = self._products = self._sizes = 0

    def add(self, one: Judged) -> None:
        """Count one proposal; aliased states are left out of the rate, as in the report."""
        self._wrong += one.oracle is Borne.WRONG
        if one.aliased:
            return
        if one.status is Status.UNKNOWN:
            self._unknown += 1
            return
        hits, n = self._programs.get(one.program, (0, 0))
        more = (hits + (one.status is Status.REFUTED), n + 1)
        self._programs[one.program] = more
        self._hits += more[0] - hits
        self._n += 1
        self._squares += more[0] ** 2 - hits**2
        self._products += more[0] * more[1] - hits * n
        self._sizes += more[1] ** 2 - n**2

    @property
    def share(self) -> float | None:
        """The raw rate so far, 0 to 1; None of none."""
        return self._hits / self._n if self._n else None

    @property
    def interval(self) -> Interval:
        """Wilson's 95 % interval, with n divided by the design effect of programs (Kish 1965).

        The variance is that of a ratio of totals over programs (linearised), never taken for less
        than that of independent proposals.
        """
        if not self._n:
            return 0.0, 1.0
        programs, share = len(self._programs), self._hits / self._n
        if self._hits in (0, self._n) or programs == 1:
            return wilson(share * programs, programs)
        spread = self._squares - 2 * share * self._products + share**2 * self._sizes
        variance = spread * programs / (programs - 1) / self._n**2
        independent = share * (1 - share)
        worth = min(self._n, independent / variance) if variance > 0 else self._n
        return wilson(share * worth, worth)

    def __str__(self) -> str:
        share, (low, high) = self.share, self.interval
        rate = "-" if share is None else f"{100 * share:.1f} % ({100 * low:.1f}-{100 * high:.1f})"
        return (
            f"refuted {rate} of {self._n:,}, {self._unknown:,} unknown, "
            f"{self._wrong:,} shown wrongly"
        )
