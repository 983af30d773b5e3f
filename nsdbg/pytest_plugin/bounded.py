"""Work that meets code of others, ended in time: an alarm wakes what sleeps or waits, too.

Not for other threads than the main one, and not for code in C that never looks for signals: there
it does nothing.  An alarm that somebody else has set goes off later, but is not lost.
"""

from __future__ import annotations

import io
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout

# What swallows the first exception gets another one.
AGAIN_S = 0.5


class TooLate(Exception):
    """Raised in what takes too long."""


@contextmanager
def alarm(
    seconds: float, kind: type[BaseException], told: str, again_s: float = AGAIN_S
) -> Iterator[None]:
    """Raise an exception in what is still running within after so many seconds, and again."""
    if not _has_alarms():
        yield
        return
    within = True

    def ring(signum: int, frame: object) -> None:
        if within:
            raise kind(told)

    started = time.monotonic()
    former = signal.signal(signal.SIGALRM, ring)
    left, every = signal.setitimer(signal.ITIMER_REAL, seconds, again_s)
    try:
        yield
    finally:
        within = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, former)
        if left:
            left = max(0.001, left - (time.monotonic() - started))
            signal.setitimer(signal.ITIMER_REAL, left, every)


def _has_alarms() -> bool:
    """Whether an alarm can be set here, and the handler that is there be put back."""
    return (
        hasattr(signal, "setitimer")
        and threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGALRM) is not None  # one that was not set from Python
    )


@contextmanager
def quietly(seconds: float) -> Iterator[None]:
    """Let nothing be printed by what is within, and raise TooLate in it when it takes longer."""
    with (
        redirect_stdout(io.StringIO()),
        redirect_stderr(io.StringIO()),
        alarm(seconds, TooLate, f"its values were not told within {seconds:g} s"),
    ):
        yield
