"""How long one start of a goal may be probed.

Not the limit of a run that counts: what is confirmed has the runner's own.
"""

from __future__ import annotations

from collections.abc import Sequence

from nsdbg.claim import Ending, Observation

# A probe is a hint: what takes longer than this beside runs that end at once does not end.
IMPATIENT_LIMIT_S = 0.1
TIMEOUTS_UNTIL_IMPATIENT = 3


class Pace:
    """How long one start of a goal may be probed: less once some starts were seen not to end.

    Code that loops for ever on some arguments would use up a budget with a few of them; where
    the runs that end take long, so may the others.
    """

    def __init__(self, most_s: float) -> None:
        self._most_s = most_s
        self._timeouts = 0
        self._slowest_s = 0.0

    @property
    def limit_s(self) -> float:
        """The limit for the next starts, in seconds."""
        if self._timeouts < TIMEOUTS_UNTIL_IMPATIENT:
            return self._most_s
        return min(self._most_s, max(IMPATIENT_LIMIT_S, 5 * self._slowest_s))

    def see(self, found: Sequence[Observation]) -> None:
        """Take note of runs."""
        for run in found:
            if run.ending is Ending.TIMED_OUT:
                self._timeouts += 1
            else:
                self._slowest_s = max(self._slowest_s, run.seconds)
