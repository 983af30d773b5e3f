"""Intervals that allow for many proposals of one program."""

from __future__ import annotations

import random
from statistics import mean

import pytest

from nsdbg.measure.hallucination.clustered import LEAST_PROGRAMS, by_program, clustered
from nsdbg.measure.tally import wilson


def width(interval: tuple[float, float] | None) -> float:
    assert interval is not None
    return interval[1] - interval[0]


def test_hits_and_trials_are_counted_by_program() -> None:
    rate = clustered(["a", "a", "b"], ["a", "a", "b", "b", "c"], 0)
    assert (rate.hits, rate.n, rate.programs) == (3, 5, 3)
    assert rate.interval == wilson(3, 5)


def test_too_few_programs_have_no_interval_by_program() -> None:
    assert by_program([(1, 2)] * (LEAST_PROGRAMS - 1), 0) is None
    assert by_program([(1, 2), (0, 2)] * (LEAST_PROGRAMS // 2), 0) is not None


def test_programs_that_are_right_or_wrong_as_a_whole_widen_the_interval() -> None:
    together = by_program([(20, 20), (0, 20)] * 20, 0)
    mixed = by_program([(10, 20)] * 20 + [(9, 20), (11, 20)] * 10, 0)
    assert width(together) > 3 * width(wilson(400, 800))
    assert width(mixed) < width(wilson(400, 800))


def test_single_proposals_have_about_wilsons_interval() -> None:
    found = by_program([(1, 1)] * 30 + [(0, 1)] * 70, 0)
    assert found is not None
    assert found == pytest.approx(wilson(30, 100), abs=0.03)


def test_where_all_or_none_are_hits_a_program_is_worth_one_trial() -> None:
    assert by_program([(0, 500)] * 40, 0) == wilson(0, 40)
    assert by_program([(500, 500)] * 40, 0) == wilson(40, 40)


def test_programs_put_together_tell_the_same_as_each_alone() -> None:
    rng = random.Random(1)
    units = [(rng.randint(0, 4), 4) for _ in range(2000)]
    half = [by_program(units[:250], 0), by_program(units, 0)]
    # Eight times the programs: the interval is narrower by the root of eight.
    assert width(half[0]) / width(half[1]) == pytest.approx(8**0.5, rel=0.2)


def test_the_same_seed_draws_the_same_programs() -> None:
    units = [(at % 3, 3) for at in range(50)]
    assert by_program(units, 5) == by_program(units, 5)
    assert by_program(units, 5) != by_program(units, 6)


@pytest.mark.slow
def test_the_interval_holds_the_true_rate_in_about_95_of_100_runs() -> None:
    rng = random.Random(0)
    held = []
    for number in range(400):
        units = []
        for _ in range(60):
            chance = rng.betavariate(1, 3)  # a quarter on average, and much alike in one program
            units.append((sum(rng.random() < chance for _ in range(12)), 12))
        low, high = by_program(units, number) or (0.0, 0.0)
        held.append(low <= 0.25 <= high)
    assert 0.90 <= mean(held) <= 0.985
