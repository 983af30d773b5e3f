"""pass@k of a network's answers: how often one of k is right.

Says nothing of where the answers come from, nor how they were found to be right.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import mean

from nsdbg.measure.tally import pass_at
from nsdbg.report.measured import Number, Quantities

PASS_AT = (1, 5, 10)
ALONE = {k: f"pass@{k}, model only" for k in PASS_AT}
VERIFIED = {k: f"pass@{k}, verified" for k in PASS_AT}


class PassAt:
    """Estimates pass@k over problems from all answers that were drawn for each."""

    def __init__(self) -> None:
        self._drawn: list[tuple[int, int]] = []

    def add(self, right: Sequence[bool]) -> None:
        """Take a problem's answers, by whether each is right; none at all is a failure, too."""
        self._drawn.append((len(right), sum(right)))

    def quantities(self) -> Quantities:
        """Return the means over problems, in percent."""
        numbers = (
            Number(f"pass@{k}", 100 * mean(pass_at(k, *one) for one in self._drawn), "%")
            if self._drawn else Number(f"pass@{k}", None, "%")
            for k in PASS_AT
        )  # fmt: skip
        return Quantities(
            "pass@k of k answers drawn at random",
            "the unbiased estimator 1 - C(n-c, k) / C(n, k), of n answers drawn and c right (Chen "
            "et al. 2021); the network's answers differ from each other, so nothing is drawn twice",
            tuple(numbers),
        )
