"""Triage: each function that a change touches, called in both versions, within a budget.

Decides which function comes when and what it may cost.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from nsdbg.changes.changed import Changed, ChangeSet
from nsdbg.errors import SourceError
from nsdbg.finding import Finding, Findings, Level, Rule
from nsdbg.source import is_setter, read_source
from nsdbg.triage.callers import callers_of
from nsdbg.triage.examine import Examination, Examined
from nsdbg.triage.importing import broken_import
from nsdbg.triage.pace import Pace
from nsdbg.triage.pair import Pair, pair_of
from nsdbg.triage.project import Project
from nsdbg.workbench import Workbench

# A part of what is left for reading the project's files, so that something is left for running.
_READING_SHARE = 0.25
_LEAST_S = 0.05
# Where the start alone took all the time, on a busy machine, so much of it is left for running.
_LEAST_SHARE = 0.4
# A function whose own text stayed gets such a part of the time of one that changed.
_LOOKING_SHARE = 0.3
# Files that are run for their effect, not called.
_SCRIPTS = frozenset(["setup.py", "conftest.py", "noxfile.py", "fabfile.py"])


@dataclass(frozen=True, slots=True)
class Allowance:
    """What triage may cost: seconds in all (None: no limit) since `started`, and for a function.

    `started` is a time of `perf_counter`; None stands for when triage is called.  `option` is what
    gives it more, for a note.
    """

    seconds: float | None = None
    per_function_s: float = 10.0
    started: float | None = None
    seed: int = 0
    option: str = "--budget"


def triage(
    changes: ChangeSet,
    bench: Workbench,
    allowance: Allowance | None = None,
    *,
    verbose: bool = False,
    progress: Callable[[str], None] | None = None,
) -> Findings:
    """Return the new crashes of a change, each confirmed; `verbose` adds why others are none."""
    allowance = allowance if allowance is not None else Allowance()
    return _Triage(changes, bench, allowance, progress).run(verbose)


class Stopped(KeyboardInterrupt):
    """Ctrl-C while functions were run; `found` is what was known by then."""

    def __init__(self, found: Findings) -> None:
        super().__init__("stopped")
        self.found = found


class _Triage:
    def __init__(
        self,
        changes: ChangeSet,
        bench: Workbench,
        allowance: Allowance,
        progress: Callable[[str], None] | None,
    ) -> None:
        self._changes = changes
        self._bench = bench
        self._allowance = allowance
        self._progress = progress
        begun = time.perf_counter()
        self._began = allowance.started if allowance.started is not None else begun
        self._ends = float("inf")
        if allowance.seconds is not None:
            least = begun + _LEAST_SHARE * allowance.seconds
            self._ends = max(self._began + allowance.seconds, least)
        reading = begun + _READING_SHARE * (self._ends - begun)
        self._project = Project(changes.root, reading)
        self._notes: dict[str, None] = {}
        self._quiet: dict[str, None] = {}
        self._found: dict[tuple[str, int], Finding] = {}
        self._called: dict[tuple[str, str], None] = {}
        self._broken: dict[str, bool] = {}
        self._pace = Pace()

    def run(self, verbose: bool) -> Findings:
        try:
            self._examine_all()
        except KeyboardInterrupt:
            self._note("stopped before all functions were run")
            raise Stopped(self._findings(verbose)) from None
        return self._findings(verbose)

    def _examine_all(self) -> None:
        chosen = list(self._chosen())
        late = 0
        for done, changed in enumerate(chosen):
            left = len(chosen) - done
            if self._ends - time.perf_counter() < _LEAST_S:
                late += left
                break
            try:
                late += not self._examine(changed, left)
            except SourceError as error:
                self._quiet.setdefault(str(error))
        if late:
            self._note(
                f"{late} of {len(chosen)} functions were not run: the time was up "
                f"({self._allowance.option} gives it more)"
            )

    def _findings(self, verbose: bool) -> Findings:
        findings = tuple(self._found.values())
        return Findings(
            findings=findings,
            notes=(*self._changes.notes, *self._notes, *(self._quiet if verbose else ())),
            sources=tuple(_sources(findings, self._changes)),
            examined=len(self._called),
            called=tuple(self._called),
            seconds=time.perf_counter() - self._began,
        )

    def _chosen(self) -> Iterator[Changed]:
        """Yield what is to be examined, file by file, public functions first."""
        seen: set[tuple[str, str]] = set()
        # What is changed itself, then what only looks at that; each file's together.
        ranked = sorted(
            self._changes.functions, key=lambda one: (not one.lines, one.shown, *_promise(one))
        )
        for changed in ranked:
            if Path(changed.shown).name in _SCRIPTS or self._project.is_test(changed.file):
                continue
            key = (changed.shown, changed.qualname.partition(".<locals>")[0])
            if key not in seen:
                seen.add(key)
                yield changed

    def _expect(self, pair: Pair) -> None:
        """Let both versions be imported while the project is read."""
        self._bench.expect(pair.new)
        if pair.old is not None:
            self._bench.expect(pair.old)

    def _examine(self, changed: Changed, left: int) -> bool:
        """Call one function; whether it came to that before its time was up."""
        if self._progress is not None:
            self._progress(f"{changed.shown}: {changed.qualname}")
        now = time.perf_counter()
        # What is not used is left to those that follow; the first ones may take twice their share.
        most = self._allowance.per_function_s * (1.0 if changed.lines else _LOOKING_SHARE)
        share = min(most, 2 * (self._ends - now) / max(left, 1))
        ends = min(self._ends, now + share)
        pair = pair_of(changed, self._changes)
        if pair is not None:
            if pair.new.node is not None and is_setter(pair.new.node):
                return True
            self._expect(pair)
        ended = False
        for one in self._ways(changed, pair, ends):
            if time.perf_counter() >= ends:
                break
            examined = self._run(one, ends)
            ended = ended or examined.ended
            for finding in examined.findings:
                self._keep(finding)
            if pair is not None and examined.barred and self._is_broken(pair):
                return True
        if ended:
            self._called.setdefault((changed.shown, changed.qualname))
        return ended or time.perf_counter() < ends

    def _is_broken(self, pair: Pair) -> bool:
        """Whether the module of a function cannot be imported any more, which is told once."""
        file = pair.new.ref.file
        if file not in self._broken:
            found = broken_import(pair, self._changes, self._bench.runner)
            self._broken[file] = found is not None
            if found is not None:
                self._keep(found)
        return self._broken[file]

    def _ways(self, changed: Changed, pair: Pair | None, ends: float) -> Iterator[Pair]:
        """Yield the calls that may show what a change does: a private function's callers first.

        Of a function that no call of the old version calls any more, the callers alone.
        """
        called = pair
        if called is None:
            called = pair_of(replace(changed, old_file=None, old_qualname=None), self._changes)
        if called is not None and (pair is None or pair.is_private or not pair.same_signature):
            yield from callers_of(called, self._changes, self._project, ends)
        if pair is not None:
            yield pair

    def _run(self, pair: Pair, ends: float) -> Examined:
        examined = Examination(
            pair, self._changes, self._bench, self._project,
            ends=ends, pace=self._pace, seed=self._allowance.seed,
        ).run()  # fmt: skip
        for note in examined.notes:
            self._quiet.setdefault(note)
        return examined

    def _keep(self, finding: Finding) -> None:
        """Keep one finding a line: the weightier one, else the first, which is the likelier."""
        place = finding.place
        key = (place.file, place.lineno) if place is not None else ("", 0)
        known = self._found.get(key)
        if known is None or (known.weight is not Level.ERROR and finding.weight is Level.ERROR):
            self._found[key] = finding

    def _note(self, text: str) -> None:
        self._notes.setdefault(text)


def _promise(changed: Changed) -> tuple[bool, bool, int]:
    """Return what orders functions: known and public ones with few touched lines first."""
    private = changed.qualname.rpartition(".")[2].startswith("_")
    return changed.old_qualname is None, private, len(changed.lines)


def _sources(findings: tuple[Finding, ...], changes: ChangeSet) -> Iterator[tuple[str, str]]:
    files = {
        place.file
        for one in findings
        for place in (one.place, *(suspect.place for suspect in one.suspects),
                      *(step.place for step in one.path))
        if place is not None
    }  # fmt: skip
    for file in sorted(files):
        try:
            yield file, read_source(changes.root / file)
        except SourceError:
            continue


def errors_of(findings: Findings) -> tuple[Finding, ...]:
    """Return the findings of triage that weigh enough to be shown without being asked for."""
    return tuple(one for one in findings.findings
                 if one.rule is not Rule.NEW_CRASH or one.weight is not Level.NOTE)  # fmt: skip
