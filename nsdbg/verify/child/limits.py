"""Time limits inside the process: one alarm, nested deadlines.

Not the last word: a target can ignore or replace the alarm, and what runs in C does not see it.
The process above kills what goes on after its deadline.
"""

import sys
from signal import ITIMER_REAL, SIGALRM
from time import monotonic
from types import FrameType
from typing import Any, List, Optional

# After the first alarm it rings again, for code that swallows the exception.
REPEAT_S = 0.05


# The functions beneath those of `signal`, which turn numbers into enums, at each run.
_signal: Any = sys.modules["_signal"]
signal, setitimer = _signal.signal, _signal.setitimer


class Expired(BaseException):
    """Raised in the running code when a deadline has passed."""


class Alarm:
    """The process's deadlines, outermost first; only the main thread may use it.

    `expired` tells that the outermost deadline passed, also when the code swallowed `Expired`.
    """

    def __init__(self) -> None:
        self.deadlines: List[float] = []
        self.expired = False

    def install(self) -> None:
        """Take SIGALRM; done again before each run, since a target may take it away."""
        signal(SIGALRM, self._ring)

    def _ring(self, signum: int, frame: Optional[FrameType]) -> None:
        if not self.deadlines:
            return
        now = monotonic()
        if now >= self.deadlines[0]:
            self.expired = True
        if now >= self.deadlines[-1]:
            raise Expired

    def begin(self, seconds: float) -> None:
        """Start the outermost deadline."""
        self.expired = False
        self.deadlines = [monotonic() + seconds]
        setitimer(ITIMER_REAL, seconds, REPEAT_S)

    def hasten(self, seconds: float) -> None:
        """Bring the outermost deadline near, when what follows is of no use any more."""
        if self.deadlines:
            deadline = monotonic() + seconds
            self.deadlines = [min(deadline, former) for former in self.deadlines]
            setitimer(ITIMER_REAL, max(self.deadlines[-1] - monotonic(), 1e-4), REPEAT_S)

    def end(self) -> None:
        """Stop all deadlines."""
        self.deadlines = []
        setitimer(ITIMER_REAL, 0.0)

    def tighten(self, seconds: float) -> None:
        """Start a deadline within the present one; it cannot lie later than that."""
        deadline = monotonic() + seconds
        if self.deadlines:
            deadline = min(deadline, self.deadlines[-1])
        self.deadlines.append(deadline)
        setitimer(ITIMER_REAL, max(deadline - monotonic(), 1e-4), REPEAT_S)

    def loosen(self) -> None:
        """Stop the innermost deadline and go on with the one around it."""
        self.deadlines.pop()
        if self.deadlines:
            setitimer(ITIMER_REAL, max(self.deadlines[-1] - monotonic(), 1e-4), REPEAT_S)
        else:
            setitimer(ITIMER_REAL, 0.0)


ALARM = Alarm()
