"""Runs starts in the target's interpreter and hands out what they showed: Observations.

Owns two zygotes, which differ in hash seed, locale, time zone, day and what a program can see of us
(`child/elsewhere.py`), and others with more seeds, for `single` runs of what may depend on them.
Judges nothing.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Any

from nsdbg.claim import Ending, FunctionRef, Goal, Middle, Observation, Start
from nsdbg.source import MODULE
from nsdbg.verify import wire
from nsdbg.verify.child.rehearsal import FORCED, OTHER, OWN
from nsdbg.verify.interpreters import Interpreter, find_interpreter
from nsdbg.verify.pace import Pace
from nsdbg.verify.sandbox import Layer, SandboxConfig
from nsdbg.verify.side import Side
from nsdbg.verify.zygotes import LineBroken, Target, collect

# What a run may take beyond its limit until the parent gives up on the zygote that watches it.
PATIENCE_S = 2.0
FULL_TRACE_FACTOR = 3
IMPORT_LIMIT_S = 20.0
FEW_STARTS = 4
_MOST_BLOCKED = 20
# Of how many files one batch may have coverage.
_MOST_FILES = 2000
# Local dates in these two zones always differ: they are 26 hours apart.
ENVIRONMENTS: tuple[Mapping[str, str], ...] = (
    {"PYTHONHASHSEED": "1", "TZ": "NSA-14", "LC_ALL": "C.UTF-8"},
    # UTF-8 as well, but by Python's own mode, which spells it differently; and another user's.
    {
        "PYTHONHASHSEED": "2",
        "TZ": "NSB+12",
        "LANG": "tr_TR.UTF-8",
        "PYTHONUTF8": "1",
        "USER": "other",
        "LOGNAME": "other",
        "TERM": "dumb",
        "PATH": "/bin:/usr/bin:/usr/local/bin",
    },
    # Started only for code that makes sets, since two strings in a set have but two orders, and for
    # code that reads the calendar: a day is a weekday like another.
    *[{"PYTHONHASHSEED": str(seed), "TZ": "NSA-14", "LC_ALL": "C.UTF-8"} for seed in range(3, 9)],
)


@dataclass(frozen=True, slots=True)
class RunnerConfig:
    """How targets are run.

    `python`: the user's choice, else one is looked for near the first of `roots`.  `roots` may be
    read by the target; the root of an entry is added when it comes.  `allow`: `EVENT[:PREFIX]`.
    `limit_s`, `batch_limit_s`: for one run, alone and in a batch; `import_limit_s`: for the
    target's import; `budget_s`: for one batch, whose rest is then CUT.  `targets`: how many
    imported targets are kept.  `without`: layers of the sandbox to leave out.
    """

    python: Path | None = None
    roots: tuple[Path, ...] = ()
    allow: tuple[str, ...] = ()
    limit_s: float = 2.0
    batch_limit_s: float = 0.5
    import_limit_s: float = IMPORT_LIMIT_S
    budget_s: float = 60.0
    memory_bytes: int = 1 << 30
    targets: int = 4
    without: frozenset[str] = frozenset()
    weak_ok: bool = False


class Runner:
    """Runs starts; a context manager that starts its processes when they are first needed."""

    def __init__(self, config: RunnerConfig) -> None:
        self.config = config
        self._sides: list[Side | None] = [None] * len(ENVIRONMENTS)
        self._roots = tuple(root.resolve() for root in config.roots)
        self._interpreter: Interpreter | None = None
        self._refused: tuple[str, ...] = ()
        self._probed: Goal | None = None
        self._pace = Pace(config.batch_limit_s)
        self._batched: tuple[FunctionRef | None, Pace] = (None, self._pace)

    def __enter__(self) -> Runner:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def start(self) -> None:
        """Start both zygotes now, not when something is first run."""
        for at in (0, 1):
            self._side(at)

    def expect(self, ref: FunctionRef) -> None:
        """Let both zygotes begin to import a target that will be run; returns at once."""
        self._admit(ref)
        for at in (0, 1):
            with contextlib.suppress(LineBroken):  # whoever runs it starts a new one
                self._side(at).load(ref, self.config.import_limit_s)

    def close(self) -> None:
        """End all processes; a later run starts new ones."""
        for at, side in enumerate(self._sides):
            if side is not None:
                self._sides[at] = None
                side.close()

    @property
    def interpreter(self) -> Interpreter:
        """The target's interpreter; raises InterpreterError."""
        if self._interpreter is None:
            near = self._roots[0] if self._roots else None
            self._interpreter = find_interpreter(self.config.python, near)
        return self._interpreter

    @property
    def python_version(self) -> str:
        """The version of the target's interpreter."""
        return ".".join(map(str, self.interpreter.version))

    @property
    def layers(self) -> tuple[Layer, ...]:
        """The sandbox's layers, as the first side got them; starts it if need be."""
        return self._side(0).sandbox.layers

    def batch(
        self,
        goal: Goal,
        starts: Sequence[Start],
        trace: bool = True,
        budget_s: float | None = None,
    ) -> list[Observation]:
        """Run many starts of one entry in one process, each within its own limit.

        What they show is provisional: they share the module's state, and once some starts of an
        entry did not end, the others get less time, as in `probe`.
        """
        if goal.entry.qualname == MODULE:
            return [self.single(goal, start, trace=trace) for start in starts]
        pace = self._paced(goal.entry)
        limit_s = pace.limit_s if len(starts) > FEW_STARTS else self.config.batch_limit_s
        request = self._request(goal, starts, limit_s, trace=trace)
        request["budget_s"] = self.config.budget_s if budget_s is None else budget_s
        found = self._ask(0, goal, request)
        pace.see(found)
        if self._refused and len(starts) > 1:  # by whom of them, only runs of their own can tell
            return [self.single(goal, start, trace=trace) for start in starts]
        return found

    def probe(
        self, goal: Goal, starts: Sequence[Start], budget_s: float | None = None
    ) -> list[Observation]:
        """Run many starts of the instrumented twin: endings, values, distances and misses.

        A distance of 0.0 means that nothing the twin can see speaks against the goal; a batch or a
        fresh run has to show it.  The first few starts of a goal are run as they are, traced and
        without distances: they are the surest proposals, and making the twin takes longer.
        """
        first = goal != self._probed and len(starts) <= FEW_STARTS
        if goal != self._probed:
            self._probed, self._pace = goal, Pace(self.config.batch_limit_s)
        if first or goal.entry.qualname == MODULE:
            return self.batch(goal, starts, budget_s=budget_s)
        request = self._request(goal, starts, self._pace.limit_s, trace=False)
        request["budget_s"] = self.config.budget_s if budget_s is None else budget_s
        found = self._finish(0, *self._begin(0, goal, request, twin=True))
        self._pace.see(found)
        return found

    def single(
        self,
        goal: Goal,
        start: Start,
        *,
        side: int = 0,
        trace: bool = True,
        full_trace: bool = False,
        layout: int = 0,
    ) -> Observation:
        """Run one start in a fork of one zygote.

        `layout`: which of the memory's free blocks come first; what is made lies accordingly.
        """
        request = self._alone(goal, start, trace=trace, full=full_trace)
        return self._ask(side, goal, {**request, "layout": layout})[0]

    def fresh(
        self, goal: Goal, start: Start, full_trace: bool = False
    ) -> tuple[Observation, Observation]:
        """Run one start in a fresh fork of each zygote, both at the same time."""
        request = self._alone(goal, start, full=full_trace)
        first, second = self._ask_both(goal, request)
        return first, second

    def again(self, goal: Goal, start: Start) -> list[Observation]:
        """Run one start more than once in one process, every state recorded; return those runs.

        A state is come to by its function's own lines, so that they have done what they do: with
        the arguments that it tells of, with others, and by every branch.  The first run of a call
        is left out.
        """
        ways = (OWN, None, OTHER, FORCED) if isinstance(start, Middle) else (None, None)
        limit_s = self.config.limit_s * FULL_TRACE_FACTOR
        request = self._request(goal, [start], limit_s, full=True, deep=True)
        request["starts"] = [wire.encode_start(start, way) for way in ways]
        found = self._ask(0, goal, request)
        return found if isinstance(start, Middle) else found[1:]

    def _alone(
        self, goal: Goal, start: Start, *, trace: bool = True, full: bool = False
    ) -> dict[str, Any]:
        """Return the request for one run in a fork of its own."""
        # Recording every state takes many times as long as the run itself.
        limit_s = self.config.limit_s * (FULL_TRACE_FACTOR if full else 1)
        return self._request(goal, [start], limit_s, trace=trace, full=full, deep=True)

    def _request(
        self,
        goal: Goal,
        starts: Sequence[Start],
        limit_s: float,
        *,
        trace: bool = True,
        full: bool = False,
        deep: bool = False,
    ) -> dict[str, Any]:
        return {
            "op": "run",
            "goal": wire.encode_goal(goal),
            "starts": [wire.encode_start(start) for start in starts],
            "limit_s": limit_s,
            "budget_s": self.config.budget_s,
            "trace": trace,
            "full": full,
            "deep": deep,
            "layout": 0,
        }

    def _paced(self, entry: FunctionRef) -> Pace:
        """Return the pace of an entry's batches: no goal changes how long its runs take."""
        if self._batched[0] != entry:
            self._batched = (entry, Pace(self.config.batch_limit_s))
        return self._batched[1]

    def _side(self, at: int) -> Side:
        side = self._sides[at]
        if side is None:
            config = SandboxConfig(
                python=self.interpreter.path,
                readable=self._roots,
                allow=self.config.allow,
                memory_bytes=self.config.memory_bytes,
                without=self.config.without,
            )
            side = self._sides[at] = Side(config, ENVIRONMENTS[at], self.config.targets, at)
        return side

    def _admit(self, ref: FunctionRef) -> None:
        """Let the target read its root; that takes new processes, since layers only tighten."""
        root = Path(ref.root)
        if not any(root.is_relative_to(known) for known in self._roots):
            self._roots = (*self._roots, root)
            self.close()

    def _ask(self, at: int, goal: Goal, request: dict[str, Any]) -> list[Observation]:
        return self._finish(at, *self._begin(at, goal, request))

    def _ask_both(self, goal: Goal, request: dict[str, Any]) -> list[Observation]:
        begun = [self._begin(at, goal, {**request, "layout": at}) for at in (0, 1)]
        return [self._finish(at, *asked)[0] for at, asked in enumerate(begun)]

    def _begin(
        self, at: int, goal: Goal, request: dict[str, Any], twin: bool = False
    ) -> tuple[Target | None, dict[str, Any], str]:
        """Send a request; return the target that works on it, or None and why none does.

        When the base process is gone, a new one is tried, once.
        """
        why = ""
        for _ in range(2):
            try:
                target = self._ready(at, goal, twin)
                target.blocked += self._refusals(at)
                if not target.failure:
                    target.send(request)
                return target, request, ""
            except LineBroken as error:
                why = str(error)
                self._lose(at)
        return None, request, why

    def _ready(self, at: int, goal: Goal, twin: bool) -> Target:
        """Return a target that is imported; others that will be wanted begin to import."""
        limit_s = self.config.import_limit_s
        self._admit(goal.entry)
        side = self._side(at)
        side.load(goal.entry, limit_s, goal if twin else None)
        with contextlib.suppress(LineBroken):
            self._side(1).load(goal.entry, limit_s)
        return side.ready(goal.entry, limit_s, goal if twin else None)

    def _lose(self, at: int) -> None:
        side, self._sides[at] = self._sides[at], None
        if side is not None:
            side.close()

    def _finish(
        self, at: int, target: Target | None, request: dict[str, Any], why: str
    ) -> list[Observation]:
        count = len(request["starts"])
        if target is None:
            return [wire.died(why)] * count
        if target.failure:
            return [_not_started(target)] * count
        results: list[Any] = [None] * count
        # A start may be run up to three times until it is known which one of a batch it was.
        patience_s = 3 * (request["limit_s"] + PATIENCE_S)
        broken = collect(target, patience_s, _longest_s(request, patience_s), results)
        possible: dict[str, tuple[int, ...]] = {}
        whole = not broken
        if whole:
            files = {file for result in results if result for file in wire.covered_files(result)}
            with contextlib.suppress(LineBroken):
                whole = False
                for file in itertools.islice(files, _MOST_FILES):
                    possible[file] = target.ask_possible(file)
                whole = True
        if not whole:
            side = self._sides[at]
            if side is not None:
                side.forget(target)
        missing = wire.died("not run within the batch's time", Ending.CUT)
        if broken:
            missing = wire.died(broken)
        decoder = wire.Decoder(possible)
        observations = [missing if result is None else decoder.result(result) for result in results]
        self._refused = self._refusals(at)
        if count == 1:
            observations = [_with_refusals(observations[0], self._refused)]
        return [_with_import(target, found) for found in observations]

    def _refusals(self, at: int) -> tuple[str, ...]:
        """Return what the kernel's filter refused on one side since this was last asked."""
        side = self._sides[at]
        return side.refusals() if side is not None else ()


def _longest_s(request: Mapping[str, Any], patience_s: float) -> float:
    """How long an answer may take: after its budget, a batch begins no more runs."""
    return patience_s + (request["budget_s"] if len(request["starts"]) > 1 else 0.0)


def _not_started(target: Target) -> Observation:
    if target.blocked:
        return Observation(Ending.BLOCKED, 0.0, blocked=target.blocked, detail=target.failure)
    return Observation(Ending.NOT_STARTED, 0.0, raised=target.raised, detail=target.failure)


def _with_refusals(found: Observation, refused: tuple[str, ...]) -> Observation:
    """Add what the kernel refused during the one run that was asked for."""
    news = tuple(text for text in refused if text not in found.blocked)[:_MOST_BLOCKED]
    if not news:
        return found
    return replace(found, ending=Ending.BLOCKED, blocked=(*found.blocked, *news))


def _with_import(target: Target, found: Observation) -> Observation:
    """Add what the import was refused: the module may be another one than it is elsewhere."""
    if not target.blocked:
        return found
    detail = found.detail or "refused while the target was imported"
    blocked = (*target.blocked, *found.blocked)
    return replace(found, ending=Ending.BLOCKED, blocked=blocked, detail=detail)
