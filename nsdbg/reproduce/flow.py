"""The flow of a reproduction: every way in is tried from its log, then searched, within a budget.

Decides what is tried for how long; what counts as reproduced is the judge's verdict alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from nsdbg.claim import (
    Goal,
    Reason,
    Stats,
    Status,
    Verdict,
)
from nsdbg.proposer import Proposer
from nsdbg.reproduce.attempts import Attempt, Attempts, Watching
from nsdbg.reproduce.crash import Crash, Level, levels, loosened
from nsdbg.reproduce.cut import CutProposer
from nsdbg.reproduce.fromlog import SOURCE as FROM_LOG
from nsdbg.reproduce.fromlog import LogProposer, is_script
from nsdbg.reproduce.shrink import shrunk
from nsdbg.solve import Budget, Judging, Solving
from nsdbg.source import Subject

# What the log itself suggests is a handful of starts; their runs take as long as they take.
FROM_LOG_S = 5.0
# The innermost way in gets half of what is left, the next one half of the rest, and so on.
SHARE = 0.5
# Further out than what is confirmed already: worth some seconds, not the rest of the budget.
OUTWARD_S = 4.0
# So long every way in is searched before the long search begins at the innermost one.
QUICK_S = 0.8
SHRINKING_S = 1.0
# A search that ended before this part of its time had nothing more to try.
NEARLY = 0.9


class Bench(Protocol):
    """What the flow needs of a `Workbench`."""

    @property
    def verifier(self) -> Judging:
        """Who judges."""
        ...

    @property
    def proposers(self) -> Sequence[Proposer]:
        """Who proposes."""
        ...

    def pure(self, subject: Subject) -> bool:
        """Whether runs of a function may share a process."""
        ...


@dataclass(frozen=True, slots=True)
class Reproduction:
    """A confirmed way into the crash.

    `frames` of the log's `of` own frames were reproduced.  `values_differ` tells that the message
    agrees but for the values in it.
    """

    level: Level
    verdict: Verdict
    of: int
    values_differ: bool = False

    def __post_init__(self) -> None:
        if self.verdict.status is not Status.CONFIRMED:
            raise ValueError("only a confirmed verdict is a reproduction")

    @property
    def frames(self) -> int:
        """How many frames of the logged chain it reproduces."""
        return self.level.frames

    @property
    def is_script(self) -> bool:
        """Whether it runs the file, and calls no function."""
        return is_script(self.level)


@dataclass(frozen=True, slots=True)
class Failure:
    """A way in by which nothing was confirmed, with what was tried and the nearest attempt."""

    level: Level
    stats: Stats
    nearest: Verdict | None
    unknown: Verdict | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of reproducing a crash.

    `stopped` when the user ended it, `spent` when the budget did: else there was no more to try.
    `tried` are a bounded number of attempts by each way in; `Stats` count all of them.
    """

    reproductions: tuple[Reproduction, ...] = ()
    failures: tuple[Failure, ...] = ()
    seconds: float = 0.0
    stopped: bool = False
    spent: bool = False
    tried: tuple[Attempt, ...] = ()

    @property
    def best(self) -> Reproduction | None:
        """The one with the same message and most frames; None when there is none."""
        return max(self.reproductions, default=None,
                   key=lambda one: (not one.values_differ, one.frames))  # fmt: skip

    @property
    def best_call(self) -> Reproduction | None:
        """The best one that calls a function, for a test to do the same."""
        calls = [one for one in self.reproductions if not one.is_script]
        return max(calls, default=None, key=lambda one: (not one.values_differ, one.frames))


@dataclass(slots=True)
class _Flow:
    """The state of one reproduction."""

    crash: Crash
    bench: Bench
    ends: float
    seed: int
    progress: Callable[[str, Stats], None] | None
    found: list[Reproduction] = field(default_factory=list)
    failed: dict[int, Failure] = field(default_factory=dict)
    exhausted: list[Level] = field(default_factory=list)
    attempts: dict[Goal, Attempts] = field(default_factory=dict)

    def left(self) -> float:
        """The seconds left."""
        return self.ends - time.perf_counter()

    def try_level(self, level: Level, proposers: Sequence[Proposer], seconds: float) -> bool:
        """Look for a start at one level; note what came of it."""
        kept = self.attempts.setdefault(level.goal, Attempts(level))
        watching = Watching(self.bench.verifier, kept)
        solving = Solving(
            level.goal, level.subject, proposers, watching, Budget(min(seconds, self.left())),
            seed=self.seed, pure=self.bench.pure(level.subject), progress=self._shown(level),
        )  # fmt: skip
        for verdict in solving:
            self.found.append(Reproduction(level, self._small(level, verdict), self.crash.logged))
            return True
        other = self._with_other_values(level, watching.message_differs)
        if other is not None:
            self.found.append(other)
            return True
        failure = Failure(level, solving.stats, solving.nearest, watching.unknown)
        before = self.failed.get(level.frames)
        if before is None or before.stats.executed <= failure.stats.executed:
            self.failed[level.frames] = failure
        return False

    def _small(self, level: Level, verdict: Verdict) -> Verdict:
        """Return the verdict on a smaller start; what the log itself gave stays as it is."""
        if verdict.proposal.source == FROM_LOG:
            return verdict
        pure = self.bench.pure(level.subject)
        seconds = min(SHRINKING_S, max(0.0, self.left()))
        return shrunk(level.goal, verdict, self.bench.verifier, pure=pure, seconds=seconds)

    def can_be_entered(self, level: Level) -> bool:
        """Whether the module around a level's function could be imported, as far as was seen."""
        failure = self.failed.get(level.frames)
        unknown = failure.unknown if failure else None
        return unknown is None or unknown.reason is not Reason.NO_SOURCE

    def _with_other_values(self, level: Level, verdict: Verdict | None) -> Reproduction | None:
        """Confirm the nearest attempt for the message without its values."""
        goal = loosened(level.goal)
        if verdict is None or goal is None:
            return None
        final = self.bench.verifier.confirm(goal, verdict.proposal)
        if final.status is not Status.CONFIRMED:
            return None
        return Reproduction(level, final, self.crash.logged, values_differ=True)

    def _shown(self, level: Level) -> Callable[[Stats], None] | None:
        if self.progress is None:
            return None
        progress, name = self.progress, level.subject.ref.qualname
        return lambda stats: progress(name, stats)


def reproduce(
    crash: Crash,
    bench: Bench,
    budget_s: float,
    *,
    seed: int = 0,
    progress: Callable[[str, Stats], None] | None = None,
) -> Outcome:
    """Look for starts that raise the crash's exception through its frames.

    First every level gets the starts that its log suggests, then the proposers search: at the
    innermost function first, and outwards as long as the budget lasts.  `progress` is called with
    the function's name and the counts.  A KeyboardInterrupt ends it and keeps what was confirmed.
    """
    started = time.perf_counter()
    flow = _Flow(crash, bench, started + budget_s, seed, progress)
    stopped = False
    try:
        _run(flow, list(levels(crash)))
    except KeyboardInterrupt:
        stopped = True
    failures = tuple(flow.failed[key] for key in sorted(flow.failed))
    found = tuple(sorted(flow.found, key=lambda one: one.frames))
    seconds = time.perf_counter() - started
    tried = tuple(one for kept in flow.attempts.values() for one in kept)
    return Outcome(found, failures, seconds, stopped, spent=flow.left() <= 0, tried=tried)


def _run(flow: _Flow, ways: list[Level]) -> None:
    open_ways = [
        one
        for one in ways
        if not flow.try_level(one, [LogProposer(one)], FROM_LOG_S) and flow.can_be_entered(one)
    ]
    # Outer ways in are often the easier ones: text goes in where objects would have to be built.
    open_ways = [
        one for one in open_ways if not _is_enough(flow, one) and not _search(flow, one, QUICK_S)
    ]
    # Where nobody has anything more to propose, the time is better spent elsewhere.
    open_ways = [one for one in open_ways if not any(one is other for other in flow.exhausted)]
    for level in open_ways:
        if flow.left() <= 0:
            return
        if _is_enough(flow, level):
            continue
        share = 1.0 if level is open_ways[-1] else SHARE
        seconds = flow.left() * share
        _search(flow, level, min(seconds, OUTWARD_S) if flow.found else seconds)


def _search(flow: _Flow, level: Level, seconds: float) -> bool:
    proposers = [*flow.bench.proposers, *([CutProposer()] if is_script(level) else [])]
    before = flow.left()
    found = flow.try_level(level, proposers, seconds)
    if found:
        flow.failed.pop(level.frames, None)
    elif before - flow.left() < min(seconds, before) * NEARLY:
        flow.exhausted.append(level)
    return found


def _is_enough(flow: _Flow, level: Level) -> bool:
    """Whether a level would add nothing: what is found reaches further out, and calls a function.

    A run of a script reproduces every frame, and a call still makes the better test.
    """
    further = [one for one in flow.found if one.frames >= level.frames and not one.values_differ]
    called = any(not one.is_script for one in further)
    return bool(further) and (called or is_script(level))
