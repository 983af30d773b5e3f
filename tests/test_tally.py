"""Shares, medians and intervals of a bench."""

from __future__ import annotations

import pytest

from nsdbg.measure.tally import Attempt, Spread, spread, tally, wilson


def test_the_median_of_an_even_count_is_the_mean_of_the_middle_two() -> None:
    assert spread([4, 1, 3, 2]).median == 2.5


def test_the_95th_percentile_is_a_number_that_was_measured() -> None:
    assert spread(list(range(1, 101))).p95 == 95
    assert spread([7]) == Spread(7, 7)


def test_nothing_has_no_median() -> None:
    assert spread([]) == Spread(None, None)
    assert tally([]).share is None


def test_executions_are_counted_over_the_solved_problems_only() -> None:
    attempts = [Attempt("a", True, True, 1, 0.1), Attempt("b", False, False, 900, 9.0)]
    counted = tally(attempts)
    assert (counted.n, counted.solved, counted.first) == (2, 1, 1)
    assert counted.executions == Spread(1, 1)
    assert counted.all_seconds.p95 == 9.0


def test_wilson_holds_known_values() -> None:
    low, high = wilson(8, 10)  # Wilson's interval for 8 of 10, as in R's binom::binom.wilson
    assert low == pytest.approx(0.4901625, abs=1e-6)
    assert high == pytest.approx(0.9433178, abs=1e-6)
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(0, 20)[0] == 0.0


def test_wilson_reaches_the_ends_exactly_where_all_or_none_are_hits() -> None:
    for n in range(1, 400):
        assert wilson(0, n)[0] == 0.0
        assert wilson(n, n)[1] == 1.0
