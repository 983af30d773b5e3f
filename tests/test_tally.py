"""Shares, medians and intervals of a bench."""

from __future__ import annotations

from itertools import combinations

import pytest

from nsdbg.measure.tally import Attempt, Spread, pass_at, spread, tally, wilson


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


def test_pass_at_k_is_the_chance_that_one_of_k_answers_drawn_is_right() -> None:
    assert pass_at(1, 10, 3) == pytest.approx(0.3)
    assert pass_at(2, 4, 1) == pytest.approx(0.5)
    assert pass_at(5, 10, 6) == 1.0  # four wrong ones cannot be five
    assert pass_at(5, 10, 0) == 0.0
    # Against all ways to draw 3 of 7 answers, of which 2 are right.
    drawn = [any(one < 2 for one in some) for some in combinations(range(7), 3)]
    assert pass_at(3, 7, 2) == pytest.approx(sum(drawn) / len(drawn))


def test_of_fewer_answers_than_k_all_are_drawn() -> None:
    assert (pass_at(10, 4, 1), pass_at(10, 4, 0), pass_at(10, 0, 0)) == (1.0, 0.0, 0.0)


def test_passed_counts_the_problems_that_one_of_the_first_k_proposals_solved() -> None:
    places = [1, 5, 6, None]
    counted = tally([
        Attempt(str(at), place is not None, place == 1, 9, 0.1, place=place)
        for at, place in enumerate(places)
    ])  # fmt: skip
    assert [counted.passed(k) for k in (1, 5, 10)] == [1, 2, 3]
    assert counted.passed(1) == counted.first
