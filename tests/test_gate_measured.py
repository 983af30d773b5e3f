"""Measured rates against limits: whose rate it is, and what is said when one is not kept."""

from __future__ import annotations

import pytest

from nsdbg.errors import UsageError
from nsdbg.finding import Finding, Limit, Rule
from nsdbg.gate import Measuring, measured
from nsdbg.measure import Plan
from nsdbg.report.rated import Group, Measurement, Rate, Rates, Section


def rate(hits: int, n: int) -> Rate:
    return Rate(hits, n, (0.0, 1.0))


def section(proposer: str | None, raw: Rate, residual: Rate) -> Section:
    group = Group("all", raw, residual, rate(0, 1))
    return Section(proposer, group, group, residual)


def measurement(
    model: Rate | None, every: Rate, residual: Rate, stopped: bool = False
) -> Measurement:
    parts = (section("neural", model, residual),) if model is not None else ()
    rates = Rates(0, 10, 2, section(None, every, residual), parts)
    return Measurement(rates, stopped=stopped)


Answer = tuple[tuple[Limit, ...], tuple[Finding, ...], tuple[str, ...]]


def measure(monkeypatch: pytest.MonkeyPatch, found: Measurement, wanted: Measuring) -> Answer:
    monkeypatch.setattr("nsdbg.measure.measure_hallucination", lambda *_: found)
    return measured.measure(wanted)


BOTH = ("rules", "neural")


def test_rates_within_their_limits_are_no_findings(monkeypatch: pytest.MonkeyPatch) -> None:
    found = measurement(rate(5, 10), rate(9, 10), rate(0, 8))
    limits, findings, notes = measure(monkeypatch, found, Measuring(Plan(), BOTH, 0.5))
    assert limits == (
        Limit("raw-hallucination", 0.5, 0.5, 5, 10), Limit("residual-hallucination", 0.0, 0.0, 0, 8)
    )  # fmt: skip
    assert (findings, notes) == ((), ())


def test_a_rate_above_its_limit_is_a_finding_of_its_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    found = measurement(rate(6, 10), rate(9, 10), rate(1, 8))
    _, findings, _ = measure(monkeypatch, found, Measuring(Plan(), BOTH, 0.5))
    assert [(one.rule, one.message) for one in findings] == [
        (Rule.RAW_HALLUCINATION,
         "60 % of what the model proposed is refuted by running it (6 of 10); 50 % are allowed"),
        (Rule.RESIDUAL_HALLUCINATION,
         "12.5 % of what was shown as confirmed is wrong (1 of 8); 0 % are allowed"),
    ]  # fmt: skip


def test_without_a_limit_no_raw_rate_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    found = measurement(rate(10, 10), rate(10, 10), rate(0, 8))
    assert measure(monkeypatch, found, Measuring(Plan(), BOTH))[1] == ()


def test_without_the_model_the_rate_is_of_all_proposers(monkeypatch: pytest.MonkeyPatch) -> None:
    found = measurement(None, rate(9, 10), rate(0, 8))
    wanted = Measuring(Plan(), ("rules", "search"), 0.5)
    limits, [one], _ = measure(monkeypatch, found, wanted)
    assert limits[0].measured == 0.9
    assert one.message.startswith("90 % of what rules and search proposed")


@pytest.mark.parametrize("model", [rate(0, 0), None])
def test_a_model_of_which_nothing_was_decided_has_no_rate(
    monkeypatch: pytest.MonkeyPatch, model: Rate | None
) -> None:
    found = measurement(model, rate(9, 10), rate(0, 8))
    with pytest.raises(UsageError, match="nothing that the model proposed was decided"):
        measure(monkeypatch, found, Measuring(Plan(), BOTH))


def test_without_anything_confirmed_there_is_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    found = measurement(rate(1, 10), rate(9, 10), rate(0, 0))
    limits, _, notes = measure(monkeypatch, found, Measuring(Plan(), BOTH))
    assert [one.name for one in limits] == ["raw-hallucination"]
    assert notes == ("nothing was confirmed and judged again, so there is no residual rate",)


def test_a_measurement_that_was_ended_decides_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    found = measurement(rate(1, 10), rate(9, 10), rate(0, 8), stopped=True)
    with pytest.raises(KeyboardInterrupt):
        measure(monkeypatch, found, Measuring(Plan(), BOTH))
