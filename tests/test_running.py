"""The rate so far, for a line of progress."""

from __future__ import annotations

import random

import pytest
from judged_proposals import confirmed, refuted, several, unknown

from nsdbg.measure.hallucination.judged import Borne, Judged
from nsdbg.measure.hallucination.rates import rates
from nsdbg.measure.hallucination.running import Running
from nsdbg.measure.tally import wilson


def after(*judged: Judged) -> Running:
    running = Running()
    for one in judged:
        running.add(one)
    return running


def test_it_says_what_the_report_will_say() -> None:
    judged = several(2000, programs=60)
    running, found = after(*judged), rates(judged)
    assert running.share == found.raw.share
    assert found.raw.by_program is not None
    assert running.interval == pytest.approx(found.raw.by_program, abs=0.012)


def test_nothing_yet_is_no_rate() -> None:
    assert (after().share, after().interval) == (None, (0.0, 1.0))
    assert str(after()) == "refuted - of 0, 0 unknown, 0 shown wrongly"


def test_the_line_counts_unknown_and_wrong_ones_apart() -> None:
    running = after(
        refuted("a"), confirmed("b"), unknown(), confirmed("c", oracle=Borne.WRONG),
        refuted(aliased=True),
    )  # fmt: skip
    assert str(running).startswith("refuted 33.3 % (")
    assert str(running).endswith(" of 3, 1 unknown, 1 shown wrongly")


def test_one_program_is_worth_one_trial_however_many_proposals_it_has() -> None:
    assert after(*[confirmed("a")] * 500).interval == wilson(0, 1)
    assert after(*[refuted(f"p{at % 40}") for at in range(400)]).interval == wilson(40, 40)


def test_it_is_never_narrower_than_independent_proposals_would_be() -> None:
    alternating = [one(f"p{at}") for at in range(30) for one in (refuted, confirmed)]
    random.Random(0).shuffle(alternating)
    assert after(*alternating).interval == pytest.approx(wilson(30, 60))
