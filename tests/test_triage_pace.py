"""Who is asked in the time that is left."""

from __future__ import annotations

import pytest

from nsdbg.triage.pace import Pace


def test_who_took_longer_than_what_is_left_is_not_asked_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    times = iter([10.0, 12.5, 20.0, 20.1])
    monkeypatch.setattr("nsdbg.triage.pace.time.perf_counter", lambda: next(times))
    asked = Pace()
    assert asked.fits("search", 0.5)
    with asked.timed("search"):
        pass
    assert not asked.fits("search", 2.4)
    assert asked.fits("search", 2.5)
    with asked.timed("search"):
        pass
    assert asked.fits("search", 0.2)


def test_a_network_is_given_a_second_before_anybody_knows() -> None:
    assert not Pace().fits("neural", 0.9)
    assert Pace().fits("neural", 1.0)


def test_nobody_is_asked_in_the_last_moment() -> None:
    assert not Pace().fits("rules", 0.1)
