"""Shares of right answers, gathered by row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from nsdbg.measure.tally import wilson
from nsdbg.report.measured import Row, Share, Table

MODEL = "model"


def share(right: int, n: int) -> Share:
    """Return a share with its 95 % interval (Wilson)."""
    return Share(right, n, *wilson(right, n))


class Counts:
    """Right answers by row and by who gave them, in the order in which rows were first met."""

    def __init__(self, rows: Iterable[str] = ()) -> None:
        self._right: Counter[tuple[str, str]] = Counter()
        self._n: Counter[tuple[str, str]] = Counter()
        self._rows = dict.fromkeys(rows)
        self._who: dict[str, None] = {}
        self.left_out: Counter[str] = Counter()

    def add(self, row: str, right: bool, who: str = MODEL) -> None:
        """Count one answer."""
        self._rows.setdefault(row)
        self._who.setdefault(who)
        self._n[row, who] += 1
        self._right[row, who] += right

    def share(self, row: str, who: str = MODEL) -> Share:
        """Return what was counted of a row."""
        return share(self._right[row, who], self._n[row, who])

    def table(self, name: str, about: str, rows: Sequence[str] | None = None) -> Table:
        """Return the rows as a table; all of them unless some are named."""
        beside = [who for who in self._who if who != MODEL]
        made = tuple(
            Row(row, self.share(row), tuple(
                (who, self.share(row, who)) for who in beside if self._n[row, who]
            ))
            for row in (self._rows if rows is None else rows)
        )  # fmt: skip
        return Table(name, about, made, tuple(sorted(self.left_out.items())))
