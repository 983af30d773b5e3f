"""Measured rates of hallucination against their limits.

Measuring is `measure.hallucination`'s; how much of it, and what the limits are, the caller says.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nsdbg.errors import UsageError
from nsdbg.finding import Finding, Limit, Rule, fingerprint
from nsdbg.report.formats.sentences import in_percent
from nsdbg.report.rated import Measurement, Rate

if TYPE_CHECKING:
    from nsdbg.measure import Plan

MODEL = "neural"
NO_LIMIT = 1.0  # no share is above it


@dataclass(frozen=True, slots=True)
class Measuring:
    """What is measured, of whom, and the largest shares allowed, 0 to 1."""

    plan: Plan
    proposers: tuple[str, ...]
    max_raw: float = NO_LIMIT
    max_residual: float = 0.0


def measure(
    wanted: Measuring, tell: Callable[[str], None] | None = None
) -> tuple[tuple[Limit, ...], tuple[Finding, ...], tuple[str, ...]]:
    """Measure, and return the limits, a finding for each that is not kept, and notes.

    The raw rate is the model's where it is among the proposers, else that of all together.
    Raises UsageError when nothing was decided, ModelError for a model that cannot be run, and
    KeyboardInterrupt when the user ended it: a rate of a part is no rate of the whole.
    """
    from nsdbg.measure import measure_hallucination  # half a second of loading

    found = measure_hallucination(wanted.proposers, wanted.plan, tell)
    if found.stopped:
        raise KeyboardInterrupt
    raw, whose = _raw(found, wanted.proposers)
    if raw.share is None:
        raise UsageError(
            f"--measure: nothing that {whose} proposed was decided, so there is no rate to hold "
            "against a limit; measure more with --measure-examples"
        )
    limits = [Limit(Rule.RAW_HALLUCINATION.slug, raw.share, wanted.max_raw, raw.hits, raw.n)]
    residual, notes = found.rates.residual, []
    if residual.share is not None:
        limits.append(
            Limit(
                Rule.RESIDUAL_HALLUCINATION.slug, residual.share, wanted.max_residual,
                residual.hits, residual.n,
            )
        )  # fmt: skip
    else:
        notes.append("nothing was confirmed and judged again, so there is no residual rate")
    return tuple(limits), tuple(_findings(limits, whose)), tuple(notes)


def _raw(found: Measurement, proposers: Sequence[str]) -> tuple[Rate, str]:
    if MODEL in proposers:
        for section in found.rates.by_proposer:
            if section.proposer == MODEL:
                return section.whole.raw, "the model"
        return Rate(0, 0, (0.0, 1.0)), "the model"
    return found.rates.raw, " and ".join(proposers)


def _findings(limits: Sequence[Limit], whose: str) -> list[Finding]:
    found = []
    for limit in limits:
        if limit.kept:
            continue
        rule = next(rule for rule in Rule if rule.slug == limit.name)
        of = f"{limit.count} of {limit.of}"
        share, allowed = in_percent(limit.measured), f"{in_percent(limit.limit)} are allowed"
        if rule is Rule.RAW_HALLUCINATION:
            text = f"{share} of what {whose} proposed is refuted by running it ({of}); {allowed}"
        else:
            text = f"{share} of what was shown as confirmed is wrong ({of}); {allowed}"
        found.append(Finding(rule, text, fingerprint(rule, whose), origin="measure"))
    return found
