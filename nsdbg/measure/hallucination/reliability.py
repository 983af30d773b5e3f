"""Whether a proposer's own probabilities can be believed: said against confirmed, in bins."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import exp, isnan

from nsdbg.claim import Status
from nsdbg.measure.hallucination.clustered import clustered
from nsdbg.measure.hallucination.judged import Judged
from nsdbg.report.rated import Bin, Rate, Reliability

BINS = 10


def reliability(judged: Iterable[Judged], seed: int = 0, bins: int = BINS) -> Reliability | None:
    """Compare exp(logp), the probability that a proposer gave its whole answer, with what became
    of it.

    Only what was confirmed or refuted counts; None where no such proposal has a probability.
    """
    filled: dict[int, list[tuple[float, Judged]]] = {}
    without = 0
    for one in judged:
        if one.status is Status.UNKNOWN:
            continue
        if one.logp is None or isnan(one.logp):
            without += 1
            continue
        said = exp(min(one.logp, 0.0))  # sums of rounded logarithms come out a little above 0
        filled.setdefault(min(int(said * bins), bins - 1), []).append((said, one))
    if not filled:
        return None
    return _reliability(filled, seed, bins, without)


def _reliability(
    filled: dict[int, list[tuple[float, Judged]]], seed: int, bins: int, without: int
) -> Reliability:
    made: list[Bin] = []
    for place, members in sorted(filled.items()):
        mean = sum(said for said, _ in members) / len(members)
        confirmed = _confirmed([one for _, one in members], seed)
        made.append(Bin(place / bins, (place + 1) / bins, mean, confirmed))
    whole = _confirmed([one for members in filled.values() for _, one in members], seed)
    error = sum(abs(one.confidence * one.confirmed.n - one.confirmed.hits) for one in made)
    mean = sum(one.confidence * one.confirmed.n for one in made) / whole.n
    return Reliability(tuple(made), error / whole.n, mean, whole, 1 / bins, without)


def _confirmed(judged: Sequence[Judged], seed: int) -> Rate:
    confirmed = (one.program for one in judged if one.status is Status.CONFIRMED)
    return clustered(confirmed, (one.program for one in judged), seed)
