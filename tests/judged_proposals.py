"""Judged proposals for the tests of what counts, shows and draws them."""

from __future__ import annotations

import random
from math import log
from typing import Any

from nsdbg.claim import Reason, Status
from nsdbg.measure.hallucination.judged import Borne, Direction, Judged

_REASONS = {
    Status.CONFIRMED: Reason.TRANSITION,
    Status.REFUTED: Reason.LOCALS_DIFFER,
    Status.UNKNOWN: Reason.TIMEOUT,
}


def judged(status: Status, program: str = "p", **given: Any) -> Judged:
    """Return a judged proposal: one step forward by `neural`, unless told otherwise."""
    chosen: dict[str, Any] = {
        "proposer": "neural", "source": "neural:1", "direction": Direction.FORWARD,
        "action": "step", "horizon": 0, "reason": _REASONS[status],
    }  # fmt: skip
    if status is Status.CONFIRMED:
        chosen["oracle"] = Borne.OUT
    return Judged(program=program, status=status, **{**chosen, **given})


def confirmed(program: str = "p", **given: Any) -> Judged:
    """Return a confirmed proposal that the oracle bears out."""
    return judged(Status.CONFIRMED, program, **given)


def refuted(program: str = "p", **given: Any) -> Judged:
    """Return a hallucination."""
    return judged(Status.REFUTED, program, **given)


def unknown(program: str = "p", **given: Any) -> Judged:
    """Return a proposal that could not be decided."""
    return judged(Status.UNKNOWN, program, **given)


def several(n: int = 300, seed: int = 0, programs: int = 20) -> list[Judged]:
    """Return proposals of two proposers, of all horizons, some aliased; neural ones with logp."""
    rng = random.Random(seed)
    found = []
    for _ in range(n):
        who = rng.choice(["neural", "rules"])
        horizon = rng.choice([0, 0, 1, 3, 6, 12, 30, None])
        said = rng.uniform(0.05, 1)
        status = rng.choice(list(Status)) if rng.random() > said else Status.CONFIRMED
        found.append(judged(
            status, f"p{rng.randrange(programs)}", proposer=who, horizon=horizon,
            action="arguments" if horizon is None else "next" if horizon else "step",
            direction=Direction.INVERSE if horizon is None else Direction.FORWARD,
            logp=log(said) if who == "neural" else None, aliased=rng.random() < 0.1,
            fields=(("line", True), ("locals", status is Status.CONFIRMED)),
        ))  # fmt: skip
    return found
