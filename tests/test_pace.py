"""How long one start may be probed."""

from __future__ import annotations

from nsdbg.claim import Ending, Observation
from nsdbg.verify.pace import Pace


def runs(ending: Ending, seconds: float, count: int) -> list[Observation]:
    return [Observation(ending, seconds)] * count


def test_code_that_does_not_end_gets_less_after_a_few_times() -> None:
    pace = Pace(0.5)
    pace.see(runs(Ending.RETURNED, 0.0001, 50) + runs(Ending.TIMED_OUT, 0.5, 2))
    assert pace.limit_s == 0.5
    pace.see(runs(Ending.TIMED_OUT, 0.5, 1))
    assert pace.limit_s == 0.1


def test_code_that_is_slow_keeps_its_time() -> None:
    pace = Pace(0.5)
    pace.see(runs(Ending.TIMED_OUT, 0.5, 9) + runs(Ending.RETURNED, 0.05, 1))
    assert pace.limit_s == 0.25
    pace.see(runs(Ending.RAISED, 0.4, 1))
    assert pace.limit_s == 0.5
