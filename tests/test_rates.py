"""Raw, residual and unknown rates, and by what."""

from __future__ import annotations

import pytest
from judged_proposals import confirmed, refuted, several, unknown

from nsdbg.claim import Reason
from nsdbg.measure.hallucination.judged import Borne, Direction
from nsdbg.measure.hallucination.rates import HORIZONS, horizon_name, rates
from nsdbg.report.rated import Rate


def counts(rate: Rate) -> tuple[int, int]:
    return rate.hits, rate.n


def test_what_is_unknown_is_in_the_unknown_rate_alone() -> None:
    found = rates([confirmed(), refuted(), refuted(), unknown(), unknown(), unknown()])
    assert counts(found.raw) == (2, 3)
    assert counts(found.unknown) == (3, 6)
    assert counts(found.residual) == (0, 1)


def test_the_residual_rate_counts_what_the_oracle_found_wrong_of_what_it_judged() -> None:
    shown = [confirmed(oracle=Borne.WRONG), confirmed(), confirmed(oracle=Borne.SILENT)]
    found = rates([*shown, confirmed(oracle=None), refuted(), unknown()])
    assert counts(found.residual) == (1, 2)
    assert (found.every.whole.silent, found.every.whole.unheld) == (1, 1)


def test_what_the_oracle_says_of_refuted_proposals_changes_no_rate() -> None:
    assert counts(rates([refuted(oracle=Borne.WRONG), confirmed()]).residual) == (0, 1)


def test_nothing_asked_is_no_rate_at_all() -> None:
    found = rates([])
    assert found.raw.share is None
    assert found.by_proposer == ()
    assert (found.proposals, found.programs) == (0, 0)


def test_each_proposer_has_its_own_rates_in_the_order_in_which_they_were_met() -> None:
    found = rates([refuted(proposer="search"), confirmed(proposer="rules"), confirmed()])
    assert [one.proposer for one in found.by_proposer] == ["search", "rules", "neural"]
    assert [counts(one.whole.raw) for one in found.by_proposer] == [(1, 1), (0, 1), (0, 1)]
    assert counts(found.raw) == (1, 3)
    assert found.every.proposer is None


def test_one_proposer_alone_has_the_rates_of_all() -> None:
    found = rates([refuted(), confirmed(), unknown()])
    [alone] = found.by_proposer
    assert (alone.whole, alone.proposer) == (found.every.whole, "neural")


def test_aliased_states_are_in_no_rate_but_the_residual_and_their_own() -> None:
    odd = [refuted(aliased=True), confirmed(aliased=True, oracle=Borne.WRONG),
           unknown(aliased=True, reason=Reason.HIDDEN_ITERATOR)]  # fmt: skip
    found = rates([*odd, confirmed()])
    assert counts(found.raw) == (0, 1)
    assert counts(found.unknown) == (0, 1)
    assert counts(found.residual) == (1, 2)
    assert counts(found.every.aliased.raw) == (1, 2)
    assert counts(found.every.aliased.unknown) == (1, 3)
    assert found.every.undecided == ()
    assert sum(group.raw.n for group in found.every.by_action) == 1


@pytest.mark.parametrize(
    ("horizon", "name"),
    [(0, "0"), (1, "1"), (2, "2-3"), (3, "2-3"), (4, "4-7"), (7, "4-7"), (8, "8-15"),
     (15, "8-15"), (16, "16+"), (900, "16+"), (None, "a call's arguments")],
)  # fmt: skip
def test_every_horizon_has_its_bin(horizon: int | None, name: str) -> None:
    assert horizon_name(confirmed(horizon=horizon)) == name


def test_what_was_before_is_no_horizon_of_a_command() -> None:
    back = confirmed(horizon=0, direction=Direction.INVERSE)
    assert horizon_name(back) == "one step back"
    found = rates([back, refuted(horizon=0)]).every.by_horizon
    assert [(one.name, counts(one.raw)) for one in found] == [
        ("0", (1, 1)), ("one step back", (0, 1)),
    ]  # fmt: skip


def test_horizons_stand_in_their_order_whatever_came_first() -> None:
    met = [confirmed(horizon=one) for one in (None, 16, *reversed(HORIZONS))]
    met.insert(0, confirmed(direction=Direction.INVERSE))
    names = [group.name for group in rates(met).every.by_horizon]
    assert names == [
        "0", "1", "2-3", "4-7", "8-15", "16+", "one step back", "a call's arguments",
    ]  # fmt: skip


def test_an_answer_that_matched_once_beside_a_shown_one_was_not_shown() -> None:
    found = rates([confirmed(), confirmed(reason=Reason.NOT_REPEATED, oracle=None)])
    assert counts(found.raw) == (0, 2)
    assert counts(found.residual) == (0, 1)
    assert found.every.whole.unheld == 0


def test_groups_divide_the_proposals_by_command_and_direction() -> None:
    found = rates([
        refuted(action="next", direction=Direction.INVERSE), confirmed(action="next"),
        confirmed(action="step"),
    ]).every  # fmt: skip
    assert [(one.name, counts(one.raw)) for one in found.by_action] == [
        ("next", (1, 2)), ("step", (0, 1)),
    ]  # fmt: skip
    assert [(one.name, counts(one.raw)) for one in found.by_direction] == [
        ("forward", (0, 2)), ("inverse", (1, 1)),
    ]  # fmt: skip


def test_a_field_is_wrong_in_refuted_proposals_only() -> None:
    found = rates([
        refuted(fields=(("line", True), ("locals", False))),
        confirmed(fields=(("line", False),)),  # another earlier state, and a true one
        unknown(fields=(("line", False),)),
        confirmed(),
    ]).every.fields  # fmt: skip
    assert [(name, counts(rate)) for name, rate in found] == [("line", (0, 2)), ("locals", (1, 1))]


def test_reasons_are_counted_by_verdict_the_frequent_ones_first() -> None:
    found = rates([
        refuted(reason=Reason.LINE_DIFFERS), refuted(), refuted(),
        unknown(reason=Reason.SIDE_EFFECT), unknown(reason=None), confirmed(),
    ]).every  # fmt: skip
    assert found.wrong == (("locals-differ", 2), ("line-differs", 1))
    assert found.undecided == (("no reason given", 1), ("side-effect", 1))


def test_same_proposals_and_seed_give_the_same_rates() -> None:
    assert rates(several(), 3) == rates(several(), 3)
    assert rates(several(), 3).raw.by_program != rates(several(), 4).raw.by_program


def test_a_rate_of_more_hits_than_trials_is_refused() -> None:
    with pytest.raises(ValueError, match="3 of 2 is no rate"):
        Rate(3, 2, (0.0, 1.0))
