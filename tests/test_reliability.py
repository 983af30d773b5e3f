"""What a proposer says of itself, against what was confirmed."""

from __future__ import annotations

from math import log

import pytest
from judged_proposals import confirmed, refuted, unknown

from nsdbg.measure.hallucination.reliability import reliability


def test_a_bin_compares_the_probability_with_the_share_confirmed() -> None:
    found = reliability(
        [confirmed(logp=log(0.82)), refuted(logp=log(0.88)), refuted(logp=log(0.31))]
    )
    assert found is not None
    low, high = found.bins
    assert (low.low, low.high) == (0.3, 0.4)
    assert high.confidence == pytest.approx(0.85)
    assert (high.confirmed.hits, high.confirmed.n) == (1, 2)
    # 1 of 3 said 0.31 and was wrong; 2 of 3 said 0.85 and were right half the time.
    assert found.error == pytest.approx((0.31 + 2 * 0.35) / 3)
    assert found.confidence == pytest.approx(2.01 / 3)
    assert found.confirmed.share == pytest.approx(1 / 3)


def test_an_honest_proposer_has_no_calibration_error() -> None:
    said = [confirmed(logp=log(0.75))] * 3 + [refuted(logp=log(0.75))]
    found = reliability(said)
    assert found is not None
    assert found.error == pytest.approx(0.0)


def test_certainty_falls_into_the_last_bin_and_impossibility_into_the_first() -> None:
    found = reliability([confirmed(logp=1e-9), refuted(logp=float("-inf"))])
    assert found is not None
    assert [(one.low, one.high, one.confidence) for one in found.bins] == [
        (0.0, 0.1, 0.0), (0.9, 1.0, 1.0),
    ]  # fmt: skip


def test_what_was_not_decided_or_came_without_a_probability_is_left_out() -> None:
    found = reliability([
        confirmed(logp=log(0.5)), unknown(logp=log(0.5)), confirmed(), refuted(logp=float("nan")),
    ])  # fmt: skip
    assert found is not None
    assert (found.confirmed.n, found.without) == (1, 2)
    assert reliability([confirmed(), unknown(logp=-1.0)]) is None
