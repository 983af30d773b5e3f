"""How often answers were made up, as JSON: `nsdbg.measure.hallucination/1` in `docs/schemas.md`."""

from __future__ import annotations

from collections.abc import Sequence

from nsdbg.report.rated import (
    Group,
    Interval,
    Measurement,
    Rate,
    Reliability,
    Section,
    Smallest,
)
from nsdbg.report.verdict import Json

SCHEMA = "nsdbg.measure.hallucination/1"


def hallucination_json(found: Measurement) -> Json:
    """Return the document that `--output-format json` prints."""
    rates = found.rates
    return {
        "schema": SCHEMA,
        "seed": rates.seed,
        "of": dict(found.told),
        "versions": dict(found.versions),
        "stopped": found.stopped,
        "proposals": rates.proposals,
        "programs": rates.programs,
        "all": _section(rates.every),
        "proposers": [{"name": one.proposer, **_section(one)} for one in rates.by_proposer],
        "smallest": None if found.smallest is None else _smallest(found.smallest),
        "wrong": [_smallest(one) for one in found.wrong],
    }


def _section(section: Section) -> Json:
    return {
        "raw": _rate(section.whole.raw),
        "residual": _rate(section.residual),
        "unknown": _rate(section.whole.unknown),
        "oracle_silent": section.whole.silent + section.aliased.silent,
        "oracle_not_asked": section.whole.unheld + section.aliased.unheld,
        "aliased": _group(section.aliased),
        "by_action": _groups(section.by_action),
        "by_direction": _groups(section.by_direction),
        "by_horizon": _groups(section.by_horizon),
        "by_field": [{"name": name, "raw": _rate(rate)} for name, rate in section.fields],
        "refuted_reasons": dict(section.wrong),
        "unknown_reasons": dict(section.undecided),
        "reliability": None if section.reliability is None else _reliability(section.reliability),
    }


def _groups(groups: Sequence[Group]) -> list[Json]:
    return [_group(one) for one in groups]


def _group(group: Group) -> Json:
    return {
        "name": group.name,
        "raw": _rate(group.raw),
        "residual": _rate(group.residual),
        "unknown": _rate(group.unknown),
    }


def _rate(rate: Rate) -> Json:
    return {
        "hits": rate.hits,
        "n": rate.n,
        "share": _rounded(rate.share),
        "wilson": _interval(rate.interval) if rate.n else None,
        "programs": rate.programs,
        "by_program": _interval(rate.by_program),
    }


def _interval(interval: Interval | None) -> list[float | None] | None:
    return None if interval is None else [_rounded(end) for end in interval]


def _rounded(share: float | None) -> float | None:
    """Round to what a run of 10 million answers could tell."""
    return None if share is None else round(share, 7)


def _reliability(found: Reliability) -> Json:
    return {
        "expected_calibration_error": _rounded(found.error),
        "bin_width": _rounded(found.width),
        "n": found.confirmed.n,
        "mean_probability": _rounded(found.confidence),
        "confirmed": _rate(found.confirmed),
        "without_probability": found.without,
        "bins": [
            {"low": one.low, "high": one.high, "mean_probability": _rounded(one.confidence),
             "confirmed": _rate(one.confirmed)}
            for one in found.bins
        ],
    }  # fmt: skip


def _smallest(one: Smallest) -> Json:
    return {
        "proposer": one.proposer,
        "program": one.program,
        "call": one.call,
        "question": one.question,
        "claim": one.claim,
        "really": one.really,
    }
