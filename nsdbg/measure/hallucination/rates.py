"""From judged proposals to rates: raw, residual, unknown, and by what; asks and judges nothing.

UNKNOWN is in the unknown rate and in no other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from nsdbg.claim import Reason, Status
from nsdbg.measure.hallucination.clustered import clustered
from nsdbg.measure.hallucination.judged import Borne, Direction, Judged
from nsdbg.measure.hallucination.reliability import reliability
from nsdbg.report.rated import Group, Rate, Rates, Section

# The first horizon of each bin, in states that a command passes over; the last bin is open.
HORIZONS = (0, 1, 2, 4, 8, 16)
BACK, ARGUMENTS = "one step back", "a call's arguments"
ALL, ALIASED = "all", "aliased states"


def rates(judged: Sequence[Judged], seed: int = 0) -> Rates:
    """Count judged proposals; `seed` is that of the bootstrap over programs."""
    names = list(dict.fromkeys(one.proposer for one in judged))
    every = _section(judged, seed)
    if len(names) == 1:
        alone = [replace(every, proposer=names[0])]
    else:
        alone = [
            replace(_section([one for one in judged if one.proposer == name], seed), proposer=name)
            for name in names
        ]
    programs = len({one.program for one in judged})
    return Rates(seed, len(judged), programs, every, tuple(alone))


def horizon_name(one: Judged) -> str:
    """Return the bin of a proposal's horizon, as it is shown: `0`, `2-3`, `16+`.

    What was before has none: one step back and a call's arguments are bins of their own.
    """
    if one.horizon is None:
        return ARGUMENTS
    if one.direction is Direction.INVERSE:
        return BACK
    return _bin(max(at for at, first in enumerate(HORIZONS) if first <= max(one.horizon, 0)))


def _bin(place: int) -> str:
    first = HORIZONS[place]
    if place == len(HORIZONS) - 1:
        return f"{first}+"
    last = HORIZONS[place + 1] - 1
    return str(first) if first == last else f"{first}-{last}"


def _section(judged: Sequence[Judged], seed: int) -> Section:
    plain = [one for one in judged if not one.aliased]
    aliased = [one for one in judged if one.aliased]
    order = [*map(_bin, range(len(HORIZONS))), BACK, ARGUMENTS]
    return Section(
        proposer=None,
        whole=_group(ALL, plain, seed),
        aliased=_group(ALIASED, aliased, seed),
        residual=_residual(judged, seed),
        by_action=_groups(plain, lambda one: one.action, seed),
        by_direction=_groups(plain, lambda one: one.direction.value, seed),
        by_horizon=_groups(plain, horizon_name, seed, order),
        fields=_fields(plain, seed),
        wrong=_reasons(plain, Status.REFUTED),
        undecided=_reasons(plain, Status.UNKNOWN),
        reliability=reliability(plain, seed),
    )


def _groups(
    judged: Iterable[Judged],
    name_of: Callable[[Judged], str],
    seed: int,
    order: Sequence[str] | None = None,
) -> tuple[Group, ...]:
    """Return a group for each name that is there, in the order given, else that of the alphabet."""
    found: dict[str, list[Judged]] = {}
    for one in judged:
        found.setdefault(name_of(one), []).append(one)
    names = sorted(found) if order is None else [name for name in order if name in found]
    return tuple(_group(name, found[name], seed) for name in names)


def _group(name: str, judged: Sequence[Judged], seed: int) -> Group:
    decided = [one.program for one in judged if one.status is not Status.UNKNOWN]
    refuted = [one.program for one in judged if one.status is Status.REFUTED]
    undecided = [one.program for one in judged if one.status is Status.UNKNOWN]
    shown = (one for one in judged if one.status is Status.CONFIRMED)
    # Of several answers that match, one is confirmed in full and shown; the others matched once.
    oracle = Counter(one.oracle for one in shown if one.reason is not Reason.NOT_REPEATED)
    return Group(
        name,
        raw=clustered(refuted, decided, seed),
        residual=_residual(judged, seed),
        unknown=clustered(undecided, (one.program for one in judged), seed),
        silent=oracle[Borne.SILENT],
        unheld=oracle[None],
    )


def _residual(judged: Iterable[Judged], seed: int) -> Rate:
    """Return how many of what was shown as CONFIRMED the oracle found wrong, of those it judged."""
    held = [one for one in judged if one.oracle in (Borne.OUT, Borne.WRONG)]
    shown = [one for one in held if one.status is Status.CONFIRMED]
    wrong = (one.program for one in shown if one.oracle is Borne.WRONG)
    return clustered(wrong, (one.program for one in shown), seed)


def _fields(judged: Iterable[Judged], seed: int) -> tuple[tuple[str, Rate], ...]:
    """Return how often each field is wrong, of confirmed and refuted proposals that have it.

    A confirmed one is right in all, though the recorded run had another state: several earlier
    states may lead to one.
    """
    having: dict[str, list[str]] = {}
    wrong: dict[str, list[str]] = {}
    for one in judged:
        if one.status is Status.UNKNOWN:
            continue
        for name, same in one.fields:
            having.setdefault(name, []).append(one.program)
            if one.status is Status.REFUTED and not same:
                wrong.setdefault(name, []).append(one.program)
    return tuple((name, clustered(wrong.get(name, ()), having[name], seed))
                 for name in sorted(having))  # fmt: skip


def _reasons(judged: Iterable[Judged], status: Status) -> tuple[tuple[str, int], ...]:
    """Count the reasons of one kind of verdict, frequent ones first."""
    counted = Counter(
        one.reason.slug if one.reason is not None else "no reason given"
        for one in judged if one.status is status
    )  # fmt: skip
    return tuple(sorted(counted.items(), key=lambda pair: (-pair[1], pair[0])))
