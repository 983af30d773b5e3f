"""Programs asked about by several processes, each with a sandbox, a model and an oracle of its own.

A process takes the next program when it has done with one; what comes of them is given in their
order, and is the same however many processes there are.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, ExitStack
from multiprocessing import get_context
from multiprocessing.util import Finalize

from nsdbg.errors import NsdbgError, UsageError
from nsdbg.measure.hallucination.run import Found

# Asks about the program of a number.
Asking = Callable[[int], Found]


def shared(
    opened: Callable[[], AbstractContextManager[Asking]], count: int, jobs: int
) -> Iterator[Found]:
    """Yield what came of each of so many programs, in order, from so many processes.

    `opened` opens in each of them what asks.  It has to be called before this process has threads.
    Raises what `opened` raises, and UsageError when a process ended itself.
    """
    context = get_context("fork")
    with ProcessPoolExecutor(jobs, context, initializer=_begin, initargs=(opened,)) as pool:
        try:
            yield from pool.map(_ask, range(count))
        except BrokenProcessPool:
            raise UsageError(
                "a process of the measurement was ended from outside, for want of memory perhaps: "
                "try a lower --jobs"
            ) from None
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


class _Process:
    """What asks in this process, or why nothing does."""

    asking: Asking | None = None
    error: NsdbgError | None = None


def _begin(opened: Callable[[], AbstractContextManager[Asking]]) -> None:
    """Open what asks, until this process ends; Ctrl-C is for the one that started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    stack = ExitStack()
    try:
        _Process.asking = stack.enter_context(opened())
    except NsdbgError as error:
        _Process.error = error
    Finalize(None, stack.close, exitpriority=10)


def _ask(number: int) -> Found:
    if _Process.asking is None:
        raise _Process.error or UsageError("nothing was opened that asks")
    return _Process.asking(number)
