"""Another day, and other traces of ourselves: what the sides but the first show a program.

Runs that agree here and there rest neither on the clock, nor on the numbers of processes, nor on
our modules.  Loaded by those sides alone, before any target.  Not covered: clocks that C code reads
by itself, and what the kernel tells of files and of the machine.
"""

import gc
import os
import time
from typing import Any, Callable

from . import output

# So far is each side ahead of the one before: more than a year, and no whole number of weeks or
# days.  Seven sides in a row show all days of the week.
AHEAD_S = 401 * 86400 + 7 * 3600 + 13 * 60 + 11
# Each reading of the calendar's clock is so much later than the one before.
STEP_S = 1021
_PROCESSES = 5


class Clock:
    """A function of the module `time`, shifted; it binds to no instance, as builtins do not."""

    __slots__ = ("__name__", "_read")

    def __init__(self, read: Callable[..., Any], name: str) -> None:
        self._read, self.__name__ = read, name

    def __call__(self, *given: Any) -> Any:
        """Return what the clock shows."""
        return self._read(*given)

    def __reduce__(self) -> str:
        """Pickle and copy by name, as builtins do."""
        return self.__name__


def begin(number: int) -> None:
    """Shift the clocks as it goes with a side's number, and use up some numbers of processes."""
    ahead_s = number * AHEAD_S
    _shift_datetime(_shift_calendar(ahead_s))
    _shift_counters(ahead_s)
    output.ENCODING = "UTF-8"
    for _ in range(_PROCESSES):
        process = os.fork()
        if process == 0:
            os._exit(0)
        os.waitpid(process, 0)


def _set(name: str, read: Callable[..., Any]) -> None:
    if hasattr(time, name):
        setattr(time, name, Clock(read, name))


def _shift_calendar(ahead_s: int) -> Callable[[], int]:
    """Shift what tells the date, and what reads the clock where it is given no time.

    Returns a function that tells how far ahead the next reading is.
    """
    real, real_ns, shift_s = time.time, time.time_ns, [ahead_s]

    def later_s() -> int:
        shift_s[0] += STEP_S
        return shift_s[0]

    def now() -> float:
        return real() + later_s()

    _set("time", now)
    _set("time_ns", lambda: real_ns() + later_s() * 10**9)
    for name in ("localtime", "gmtime", "ctime"):
        _set(name, _with_now(getattr(time, name), now))
    localtime, asctime, strftime = time.localtime, time.asctime, time.strftime
    _set("asctime", lambda *given: asctime(*(given or (localtime(),))))
    _set("strftime", lambda form, *given: strftime(form, *(given or (localtime(),))))
    _set("clock_gettime", _at(time.clock_gettime, time.CLOCK_REALTIME, now))
    nanoseconds = time.time_ns
    _set("clock_gettime_ns", _at(time.clock_gettime_ns, time.CLOCK_REALTIME, nanoseconds))
    return later_s


def _with_now(read: Callable[..., Any], now: Callable[[], float]) -> Callable[..., Any]:
    return lambda *given: read(*(given if given and given[0] is not None else (now(),)))


def _at(
    read: Callable[[int], Any], number: int, now: Callable[[], Any]
) -> Callable[[int], Any]:  # fmt: skip
    return lambda clock: now() if clock == number else read(clock)


def _shift_counters(ahead_s: int) -> None:
    """Let the machine have been running for longer; differences are as they are."""
    for name in ("monotonic", "perf_counter"):
        _set(name, _plus(getattr(time, name), float(ahead_s)))
        _set(name + "_ns", _plus(getattr(time, name + "_ns"), ahead_s * 10**9))


def _plus(read: Callable[[], Any], ahead: Any) -> Callable[[], Any]:
    return lambda: read() + ahead


def _shift_datetime(later_s: Callable[[], int]) -> None:
    """Shift `datetime.now` and `utcnow`, which read the clock in C; `today` asks `time.time`.

    The type is immutable, so its namespace is changed behind it, before any name was looked up in
    it: nothing stale is in the interpreter's cache.
    """
    try:
        import _datetime  # type: ignore[import-not-found]
    except ImportError:
        return
    kind = _datetime.datetime
    names = gc.get_referents(kind.__dict__)[0]
    if not isinstance(names, dict):
        return

    def shifted(name: str) -> Any:
        read = names[name]

        def moment(cls: Any, *given: Any, **named: Any) -> Any:
            here = read.__get__(None, cls)(*given, **named)
            return here + _datetime.timedelta(seconds=later_s())

        return classmethod(moment)

    names["now"], names["utcnow"] = shifted("now"), shifted("utcnow")
