"""From a state back: the call arguments, or the state one step earlier, that lead to it.

One flow: a goal, the proposals for it, the verdicts.  What it returns was confirmed; when nothing
was, it says how near the nearest attempt came.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from nsdbg.claim import (
    Goal,
    Stats,
    Verdict,
)
from nsdbg.errors import UsageError
from nsdbg.proposer import Proposer
from nsdbg.solve import Budget, Judging, Solving
from nsdbg.source import Subject


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a goal: the confirmed verdicts, what it took, the nearest refuted attempt.

    `stopped` is True when the user ended it before the budget did.  `trouble` names proposers that
    broke and were set aside, `permits` a few events that the guard refused and `--allow` permits.
    """

    goal: Goal
    solutions: tuple[Verdict, ...]
    stats: Stats
    nearest: Verdict | None
    stopped: bool = False
    trouble: tuple[str, ...] = ()
    permits: tuple[str, ...] = ()


def reverse(
    goal: Goal,
    subject: Subject,
    proposers: Sequence[Proposer],
    verifier: Judging,
    budget: Budget,
    *,
    seed: int = 0,
    pure: bool = False,
    progress: Callable[[Stats], None] | None = None,
) -> Answer:
    """Look for earlier states from which the goal's state follows.

    With `goal.previous` they lie one step earlier, else they are calls of `goal.entry`.
    A KeyboardInterrupt ends the search and keeps what was confirmed.
    """
    solving = Solving(
        goal, subject, proposers, verifier, budget, seed=seed, pure=pure, progress=progress
    )
    solutions: list[Verdict] = []
    stopped = False
    try:
        solutions.extend(solving)
    except KeyboardInterrupt:
        stopped = True
    return Answer(
        goal, tuple(solutions), solving.stats, solving.nearest, stopped,
        tuple(solving.trouble), tuple(solving.permits),
    )  # fmt: skip


def parse_target(text: str) -> tuple[str, str]:
    """Split `FILE::FUNCTION`; raises UsageError when a part is missing."""
    file, found, function = text.rpartition("::")
    if not found or not file or not function:
        raise UsageError(f"{text!r} is not FILE::FUNCTION, as in shop/orders.py::total")
    return file, function
