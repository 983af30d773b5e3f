"""One function examined: calls tried on both versions until its time or the ideas run out.

Decides what is tried and for how long; what counts rests on `trial`, what is wanted on `expected`.
What has begun when the time is up is ended: reading the function's module, one answer of a
proposer, one run of its own (2 s) and the first confirmation.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from nsdbg.changes.changed import ChangeSet
from nsdbg.claim import Call, Ending, Observation, Verdict
from nsdbg.finding import Finding, Level, Tried
from nsdbg.reproduce.shrink import shrunk, size
from nsdbg.triage.asking import Asking, Listener
from nsdbg.triage.expected import Crash, Expected
from nsdbg.triage.finding import finding_of, shown_call
from nsdbg.triage.inputs import Inputs
from nsdbg.triage.pace import Pace
from nsdbg.triage.pair import Pair
from nsdbg.triage.plausible import Plausible, Trust
from nsdbg.triage.project import Project
from nsdbg.triage.seeds import seeds_of
from nsdbg.triage.trial import LEAST_S, Both, Confirmed, Ran, Trial
from nsdbg.workbench import Workbench

_FIRST, _LARGEST = 24, 128
# Calls of a pure and of another function, before the proposers are asked.
_PURE_CALLS, _OTHER_CALLS = 400, 60
# After so many calls that came to no new line there is little to expect of more.
_STALE = 150
_MOST_CONFIRMED = 3
_ATTEMPTS, _MOST_ASKED = 3, 12
_MOST_TRIED = 6
_SHRINKING_S = 0.6
_LONGEST_BATCH_S = 3.0
# When all calls end so, more of them will not tell more.
_IDLE = (Ending.NOT_STARTED, Ending.BLOCKED, Ending.BAD_START, Ending.TIMED_OUT, Ending.CUT)
# Recording the states of a longer run takes longer than a reader is ready to wait.
_LONGEST_PATH = 2000

Key = tuple[str, str, int]


@dataclass(frozen=True, slots=True)
class Examined:
    """What became of one function: findings, and sentences on what is none, for `--verbose`."""

    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()
    barred: bool = False  # whether the import raised, or nobody knows since nothing was called
    ended: bool = False  # whether one came to its end


class Examination:
    """One pair at work; `ends` is a time of `perf_counter`."""

    def __init__(
        self,
        pair: Pair,
        changes: ChangeSet,
        bench: Workbench,
        project: Project,
        *,
        ends: float,
        pace: Pace,
        seed: int = 0,
    ) -> None:
        self.pair = pair
        self._changes = changes
        self._bench = bench
        self._ends = ends
        self._pace = pace
        self._seed = seed
        seeds = seeds_of(pair.new, project)
        self._pure = bench.pure(pair.new) and (pair.old is None or bench.pure(pair.old))
        self._plausible = Plausible(pair, seeds)
        self._inputs = Inputs(pair, seeds, self._plausible, seed)
        self._expected = Expected(pair, seeds, changes)
        root = changes.root.resolve()
        self._trial = Trial(pair, bench.verifier, root, pure=self._pure)
        self._crashes: dict[Key, list[Crash]] = {}
        self._settled: set[Key] = set()
        self._reached: set[int] = set()
        self._tried: list[Tried] = []
        self._findings: list[Finding] = []
        self._notes: dict[str, None] = {}
        self._ran = self._confirming = 0
        self._hopeless = self._barred = self._ended = False

    def run(self) -> Examined:
        """Examine the function."""
        self._try_inputs()
        if not self._findings and not self._hopeless:
            self._ask_proposers()
        barred = self._barred or (not self._ran and self._left_s > 0)
        return Examined(tuple(self._findings), tuple(self._notes), barred, self._ended)

    @property
    def _left_s(self) -> float:
        return self._ends - time.perf_counter()

    @property
    def _batch_s(self) -> float:
        return min(max(LEAST_S, self._left_s), _LONGEST_BATCH_S)

    def _try_inputs(self) -> None:
        count, most, stale = _FIRST, _PURE_CALLS if self._pure else _OTHER_CALLS, 0
        if not self._pure:
            count = 8
        while self._ran < most and stale < _STALE and self._left_s > 0:
            calls = self._inputs.take(count)
            if not calls:
                return
            ran = self._trial.run(calls, self._batch_s)
            fresh = self._take(ran)
            stale = 0 if fresh else stale + len(calls)
            self._settle()
            self._hopeless = not self._reached and all(one.now.ending in _IDLE for one in ran)
            if self._findings or self._hopeless:
                return
            count = min(2 * count, _LARGEST) if self._pure else count

    def _take(self, ran: Sequence[Ran]) -> bool:
        """Take in what calls did; tell whether one came to a line that none had come to."""
        news = False
        self._ran += len(ran)
        for one in ran:
            if one.now.ending is Ending.NOT_STARTED and one.now.raised is not None:
                self._barred = True
            self._ended = self._ended or one.now.ending not in _IDLE
            lines = self._lines(one.now)
            if lines - self._reached:
                news = True
                self._reached |= lines
                self._inputs.near(one.call)
            if one.is_new_crash:
                self._note_crash(one)
            elif one.now.ending in (Ending.TIMED_OUT, Ending.BLOCKED, Ending.NOT_STARTED):
                said = [one.now.ending.value, one.now.detail, *one.now.blocked[:2]]
                self._note(" ".join(part for part in said if part))
        return news

    def _lines(self, run: Observation) -> set[int]:
        name = self.pair.new.node.name if self.pair.new.node is not None else ""
        file = self.pair.new.ref.file
        own = [site.lineno for site in run.path if (site.file, site.function) == (file, name)]
        return {lineno for lineno in own if lineno is not None}

    def _note_crash(self, ran: Ran) -> None:
        trust = self._plausible.trust(ran.call)
        crash = self._trial.crash(ran, trust) if trust is not None else None
        if crash is None:
            return
        place = crash.place
        key = (crash.raised.type, place.file, place.lineno or 0)
        self._crashes.setdefault(key, []).append(crash)

    def _note(self, text: str) -> None:
        if len(self._notes) < 20:
            self._notes.setdefault(f"{self.pair.new.ref.qualname}: {text}")

    def _settle(self) -> None:
        """Confirm what crashed, kind by kind, and make findings of what holds."""
        for key, crashes in sorted(self._crashes.items(), key=lambda one: -len(one[1])):
            if key in self._settled or len(self._findings) >= _MOST_CONFIRMED:
                continue
            ranked = sorted(crashes, key=lambda one: (-one.trust, size(one.call)))
            reasons = [self._expected.why(one) for one in ranked[:_MOST_ASKED]]
            wanted = [one for one, why in zip(ranked, reasons, strict=False) if why is None]
            if not wanted:
                self._note(f"{shown_call(self.pair, ranked[0].call)}: {reasons[0]}")
                continue
            self._settled.add(key)
            for crash in wanted[:_ATTEMPTS]:
                if self._left_s <= 0 and self._confirming:
                    return
                self._confirming += 1
                found = self._trial.confirm(crash)
                if isinstance(found, Confirmed):
                    self._findings.append(self._finding(found))
                    break
                self._refuse(crash, found)

    def _refuse(self, crash: Crash, found: Verdict | Observation) -> None:
        if isinstance(found, Verdict):
            said = found.evidence.detail or found.reason.slug
            self._tried.append(
                Tried(shown_call(self.pair, crash.call), found.proposal.source, found.status,
                      found.reason.slug, said, found.evidence.runs)
            )  # fmt: skip
        else:
            said = f"the old version {found.ending.value} when it was run again"
        self._note(f"{shown_call(self.pair, crash.call)}: not confirmed: {said}")

    def _finding(self, found: Confirmed) -> Finding:
        smallest = self._shrunk(found)
        recorded = self._recorded(smallest)
        both = {found.crash.call: found, smallest.crash.call: smallest}
        tried = [self._as_tried(one) for one in both.values()]
        return finding_of(
            smallest, self.pair, self._changes,
            recorded=recorded,
            tried=(*self._tried, *tried)[:_MOST_TRIED],
            level=self._level(smallest.crash),
        )  # fmt: skip

    def _recorded(self, found: Confirmed) -> Observation | None:
        """Return a run with all its states; None where recording them would take too long."""
        if len(found.verdict.evidence.path) > _LONGEST_PATH or self._left_s < LEAST_S:
            return None
        if found.crash.raised.type == "RecursionError":
            return None
        run = self._trial.full(found.crash)
        return run if run.trace is not None else None

    def _as_tried(self, found: Confirmed) -> Tried:
        verdict = found.verdict
        return Tried(
            shown_call(self.pair, found.crash.call), found.source, verdict.status,
            verdict.reason.slug, f"raises {found.crash.raised.type}", verdict.evidence.runs,
        )  # fmt: skip

    def _shrunk(self, found: Confirmed) -> Confirmed:
        """Return a smaller call with the same crash, confirmed; the given one where none is."""
        seconds = min(_SHRINKING_S, self._left_s / 2)
        if seconds <= 0.02:
            return found
        both = Both(self._trial, self._plausible, found.crash, time.perf_counter() + seconds)
        goal = self._trial.goal(found.crash)
        shrunk(goal, found.verdict, both, pure=self._pure, seconds=seconds)
        return both.best if both.best is not None else found

    def _level(self, crash: Crash) -> Level | None:
        """Return NOTE for what only a call shows that nobody is seen to make."""
        if crash.trust is Trust.SEEN:
            return None
        name = crash.raised.type
        if self.pair.old is None and name not in ("UnboundLocalError", "NameError"):
            return Level.NOTE
        return Level.NOTE if self.pair.is_private else None

    def _ask_proposers(self) -> None:
        listener = Listener(self._settled_by, self._seen, self._note)
        Asking(
            self.pair, self._bench, self._inputs, listener, self._pace,
            self._ends, self._pure, self._seed,
        ).ask(frozenset(self._reached))  # fmt: skip

    def _settled_by(self, calls: Sequence[Call]) -> bool:
        """Run calls of proposers; whether there is a finding by now."""
        self._take(self._trial.run(calls, self._batch_s))
        self._settle()
        return bool(self._findings)

    def _seen(self, count: int) -> None:
        self._ran += count
