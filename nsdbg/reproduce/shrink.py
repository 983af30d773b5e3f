"""Shrinking: a reproducer made as small as it stays one.

Goes to simpler neighbours as long as one of them still reaches the goal (Zeller and Hildebrandt's
delta debugging, greedily).  The judge decides which do; the result is confirmed like any other.
"""

from __future__ import annotations

import time
from dataclasses import replace

from nsdbg.claim import Call, Goal, Proposal, Reason, Script, Start, Status, Verdict
from nsdbg.reproduce.neighbours import neighbours
from nsdbg.solve import Judging

MOST_ROUNDS = 12
MOST_AT_ONCE = 32


def shrunk(
    goal: Goal, verdict: Verdict, verifier: Judging, *, pure: bool, seconds: float
) -> Verdict:
    """Return the confirmed verdict on a simpler start, or the given one when there is none."""
    ends = time.perf_counter() + seconds
    best = verdict.proposal
    for _ in range(MOST_ROUNDS):
        simpler = [one for one in _simpler(best.start) if size(one) < size(best.start)]
        if not simpler or time.perf_counter() >= ends:
            break
        proposals = [replace(best, start=one) for one in simpler[:MOST_AT_ONCE]]
        screened = verifier.screen(goal, proposals, pure=pure, guided=False)
        hits = [one.proposal for one in screened if one.reason is Reason.NOT_REPEATED]
        if not hits:
            break
        best = min(hits, key=lambda one: size(one.start))
    return _confirmed(goal, best, verdict, verifier)


def _simpler(start: Start) -> list[Start]:
    return sorted((one.start for one in neighbours(start)), key=size)


def _confirmed(goal: Goal, best: Proposal, verdict: Verdict, verifier: Judging) -> Verdict:
    if best == verdict.proposal:
        return verdict
    final = verifier.confirm(goal, best)
    return final if final.status is Status.CONFIRMED else verdict


def size(start: Start) -> tuple[int, str]:
    """Return what orders starts by how much there is to read; ties by their text."""
    if isinstance(start, Call):
        texts = [text for _, text in start.arguments]
    elif isinstance(start, Script):
        texts = [*start.argv, start.stdin]
    else:
        texts = [repr(start)]
    return sum(map(len, texts)), repr(texts)
