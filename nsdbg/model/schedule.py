"""The learning rate over a run whose length is known only as time.

Constant after a short rise, then down to nothing along 1 - sqrt: a run can be taken up again after
any such fall (Hägele et al. 2024, arXiv 2405.18392; Wen et al. 2024, arXiv 2410.05192).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt


@dataclass(frozen=True, slots=True)
class Schedule:
    """`peak`: the highest rate; `warm_steps`: steps of the rise, or `warming`, a share of the time
    box, if that is over sooner; `cooling`: the share in which the rate falls."""

    peak: float
    warm_steps: int = 200
    warming: float = 0.1
    cooling: float = 0.35

    def rate(self, step: int, share: float) -> float:
        """Return the learning rate.

        step: steps done in this time box, from 0; share: how much of the box is over, 0 to 1.
        """
        rise = min(1.0, max((step + 1) / self.warm_steps, share / self.warming))
        if share <= 1 - self.cooling:
            return self.peak * rise
        gone = min(1.0, (share - (1 - self.cooling)) / self.cooling)
        return self.peak * rise * (1 - sqrt(gone))
