"""Work in the process of the tests is ended in time, and their own alarms are not lost."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from types import FrameType

import pytest

from nsdbg.pytest_plugin.bounded import TooLate, alarm, quietly

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no alarms here")


@pytest.fixture
def rung() -> Iterator[threading.Event]:
    """Whether a handler of somebody else has heard an alarm."""
    heard = threading.Event()

    def ring(signum: int, frame: FrameType | None) -> None:
        heard.set()

    former = signal.signal(signal.SIGALRM, ring)
    yield heard
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, former)


def test_what_sleeps_or_waits_is_woken() -> None:
    with pytest.raises(TooLate), quietly(0.02):
        time.sleep(600)
    with pytest.raises(TooLate), quietly(0.02):
        _stuck()


def _stuck() -> None:
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()


def _stuck_twice() -> None:
    with suppress(KeyboardInterrupt):
        _stuck()
    _stuck()


def test_what_swallows_an_alarm_hears_another() -> None:
    with pytest.raises(KeyboardInterrupt, match="late"), alarm(0.02, KeyboardInterrupt, "late"):
        _stuck_twice()


def test_the_alarm_of_somebody_else_goes_off_later(rung: threading.Event) -> None:
    signal.setitimer(signal.ITIMER_REAL, 0.03)
    with alarm(60, TooLate, ""):
        time.monotonic()
    assert rung.wait(10)


def test_nothing_is_left_of_an_alarm(rung: threading.Event) -> None:
    before = signal.getsignal(signal.SIGALRM)
    with quietly(60):
        print("not shown")
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGALRM) is before


def test_nothing_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    with quietly(60):
        print("out")
        print("err", file=sys.stderr)
    assert capsys.readouterr() == ("", "")


def test_another_thread_has_no_alarm_and_works_all_the_same() -> None:
    done: list[bool] = []

    def work() -> None:
        with quietly(60):
            done.append(signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == [True]
