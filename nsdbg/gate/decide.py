"""The gate: gathers what a change, logs, test reports and measurements say, and decides.

Finds nothing itself.  Comments in the source come first, then the baseline, then the level of each
rule; what is left is what fails.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path

from nsdbg.changes import open_changes
from nsdbg.changes.changed import ChangeSet, What
from nsdbg.finding import Finding, Findings, Level, Limit, Place, Rule
from nsdbg.gate.baseline import Accepted, crash_place
from nsdbg.gate.grown import grown
from nsdbg.gate.junit import Report, passed_tests, read_report, report_files
from nsdbg.gate.logs import Crashes, Examining
from nsdbg.gate.measured import Measuring, measure
from nsdbg.gate.settle import Book, settle
from nsdbg.gate.suppress import Suppressions
from nsdbg.localize.finding import sources_of
from nsdbg.localize.places import Places
from nsdbg.triage import Allowance, Stopped, triage
from nsdbg.triage.flow import errors_of
from nsdbg.workbench import Options, Workbench

FAIL_ON = tuple(rule for rule in Rule if rule.level is Level.ERROR)

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a gate is asked.

    `root` is the folder that files are named from, the repository's; `sources` the folder whose
    files a log may make us read and run.  `options` say how code is run; their roots are the
    gate's to fill in.  `what` is the change, None for none.  `no_exec`: nothing is run.
    `total_budget_s` bounds the running of the change and of logs together; how much is measured is
    told otherwise.  `fail_on` are the rules whose findings fail; the others become warnings.
    """

    root: Path
    sources: Path
    options: Options
    book: Book
    logs: tuple[str, ...] = ()
    junit: tuple[str, ...] = ()
    what: What | None = None
    measuring: Measuring | None = None
    no_exec: bool = False
    budget_s: float = 10.0
    log_budget_s: float = 60.0
    total_budget_s: float = 600.0
    seed: int = 0
    show_secrets: bool = False
    verbose: bool = False
    fail_on: tuple[Rule, ...] = FAIL_ON


class Interrupted(KeyboardInterrupt):
    """The user ended the run; `found` is what was known by then, and decides nothing."""

    def __init__(self, found: Findings) -> None:
        super().__init__("stopped")
        self.found = found


def gate(wanted: Wanted, tell: Tell = lambda text: None) -> Findings:
    """Ask everything that is wanted, and return what is new, known and ignored.

    `tell` gets a line on what is being done.  Raises ChangeError, CrashLogError, JUnitError,
    BaselineError and what measuring raises; the baseline is then as it was.  Raises Interrupted
    when the user ends it; nothing is written then.
    """
    started = time.perf_counter()
    before = wanted.book.read()  # what is broken is said before minutes of work
    run = _Run(wanted, tell, started + wanted.total_budget_s)
    with ExitStack() as stack:
        try:
            run.gather(stack)
        except KeyboardInterrupt:
            run.notes.append("stopped before everything was asked: this decides nothing")
            raise Interrupted(run.result(run.found, (), (), started)) from None
        kept, ignored = run.suppressed()
        settled = settle(wanted.book, before, kept, run.asked)
        added = run.grown()
        run.notes += settled.notes
        new = (*settled.new, *run.unneeded(), *added)
        return run.result(new, settled.known, ignored, started)


@dataclass(slots=True)
class _Run:
    """One gate under way: what was found, and what was asked so far."""

    wanted: Wanted
    tell: Tell
    ends: float  # when nothing more is to be run, as `perf_counter` counts
    found: list[Finding] = field(default_factory=list)
    light: list[Finding] = field(default_factory=list)  # too light to be shown
    notes: list[str] = field(default_factory=list)
    limits: tuple[Limit, ...] = ()
    sources: dict[str, str] = field(default_factory=dict)
    called: set[tuple[str, str]] = field(default_factory=set)  # file and function
    functions: int = 0
    passed: set[tuple[str, str]] = field(default_factory=set)
    crashes: Crashes = field(default_factory=Crashes)
    change: ChangeSet | None = None
    trees: dict[Path, Suppressions] = field(default_factory=dict)

    def gather(self, stack: ExitStack) -> None:
        """Ask the change, the logs and the measurement; KeyboardInterrupt ends it."""
        wanted = self.wanted
        reports = [read_report(path) for path in report_files(wanted.junit)]
        for name in dict.fromkeys(wanted.logs):
            self.tell(f"reading {name}")
            self.crashes.read_log(name)
        for report in reports:
            self.crashes.read_junit(report)
        self._note_passed(reports)
        if wanted.what is not None:
            self.change = stack.enter_context(open_changes(wanted.root, wanted.what))
            self._triage(self.change)
        self._examine()
        if wanted.measuring is not None:
            self.limits, found, notes = measure(wanted.measuring, self.tell)
            self.found += found
            self.notes += notes

    def _triage(self, change: ChangeSet) -> None:
        wanted = self.wanted
        if wanted.no_exec:
            self.notes += [*change.notes, "the change was not looked into: --no-exec runs nothing"]
            return
        roots = tuple(one for one in (change.root, change.old_root) if one is not None)
        allowance = Allowance(
            self._left_for_the_change(), wanted.budget_s, seed=wanted.seed, option="--total-budget"
        )
        with Workbench(replace(wanted.options, roots=roots)) as bench:
            try:
                found = triage(
                    change, bench, allowance, verbose=wanted.verbose, progress=self._triaging
                )
            except Stopped as stopped:
                self._take(stopped.found)
                raise
        self._take(found)

    def _left_for_the_change(self) -> float:
        """Return seconds; crashes of logs keep their time, but no more than half of what is left.

        What the change does not need is theirs, too.
        """
        left = max(0.0, self.ends - time.perf_counter())
        return left - min(self.wanted.log_budget_s, left / 2) if self.crashes else left

    def _take(self, found: Findings) -> None:
        """Take in what triage found."""
        shown = found.findings if self.wanted.verbose else errors_of(found)
        self.found += shown
        self.light = [one for one in found.findings if one not in shown]
        self.notes += found.notes
        self.sources |= dict(found.sources)
        self.functions = found.examined
        self.called |= set(found.called)

    def _triaging(self, text: str) -> None:
        """Tell which function is called: `shop/rows.py: parse_row`."""
        self.tell(f"calling {text}")

    def _examine(self) -> None:
        wanted = self.wanted
        budget_s = min(wanted.log_budget_s, self.ends - time.perf_counter())
        if self.crashes and budget_s <= 0 and not wanted.no_exec:
            self.notes.append(
                "the crashes of logs were read, not run: the time was up (--total-budget gives it "
                "more)"
            )
        runs = not wanted.no_exec and budget_s > 0
        with Workbench(replace(wanted.options, roots=(wanted.sources,))) as bench:
            how = Examining(
                wanted.root, wanted.sources, bench if runs else None, bench, max(0.0, budget_s),
                wanted.seed, wanted.show_secrets,
            )  # fmt: skip
            for finding in self.crashes.findings(how, self.tell):
                self.found.append(replace(finding, touched=self._touched(finding)))
        self.notes += self.crashes.notes
        if self.crashes.stopped:
            raise KeyboardInterrupt

    def _note_passed(self, reports: Sequence[Report]) -> None:
        places = Places(self.wanted.root)
        for report in reports:
            self.passed |= set(
                passed_tests(report, (self.wanted.sources, self.wanted.root), places)
            )

    def _touched(self, finding: Finding) -> bool | None:
        """Whether the change touches the line that crashed or is likeliest, or its function."""
        change = self.change
        if change is None:
            return None
        functions = {(one.shown, one.qualname) for one in change.functions}
        return any(
            change.touches(place.file, place.lineno) or (place.file, place.function) in functions
            for place in (finding.place, crash_place(finding))
            if place is not None
        )

    def suppressed(self) -> tuple[list[Finding], list[Finding]]:
        """Return the findings that no comment silences, and those that one does."""
        kept: list[Finding] = []
        ignored: list[Finding] = []
        for finding in self.light:
            self._tree(finding.rule).silences(finding)  # for the comment: it is not unneeded
        for finding in self.found:
            silent = self._tree(finding.rule).silences(finding)
            (ignored if silent else kept).append(finding)
        if self.change is not None:
            self._tree(Rule.NEW_CRASH).look_into(file for file, _ in self.change.lines)
        self._tree(Rule.FAILED_TEST).look_into(file for file, _ in sorted(self.passed))
        for tree in self.trees.values():
            self.notes += tree.notes()
        return kept, ignored

    def _tree(self, rule: Rule) -> Suppressions:
        """Return the comments of the tree that a rule's findings are about."""
        root = self.wanted.root
        if rule is Rule.NEW_CRASH and self.change is not None:
            root = self.change.root
        root = root.resolve()
        if root not in self.trees:
            self.trees[root] = Suppressions(root)
        return self.trees[root]

    def unneeded(self) -> list[Finding]:
        """Return a finding for each comment of which this run shows that nobody needs it."""
        return [one for tree in self.trees.values() for one in tree.unneeded(self._checked)]

    def grown(self) -> tuple[Finding, ...]:
        """Return a finding for each entry that the change adds to a baseline that may not grow."""
        book, what = self.wanted.book, self.wanted.what
        held = book.read() if book.ratchet and what is not None else None
        if held is None or what is None:
            return ()
        found, notes = grown(self.wanted.root, what, book.path, held)
        self.notes += notes
        return found

    def _checked(self, rule: Rule, place: Place) -> bool:
        if rule is Rule.NEW_CRASH:
            return (place.file, place.function) in self.called
        # A log holds what happened to happen, a report every test.
        return rule is Rule.FAILED_TEST and (place.file, place.function) in self.passed

    def asked(self, entry: Accepted) -> bool:
        """Whether this run would have met what an entry of the baseline accepts."""
        if entry.rule == Rule.NEW_CRASH.slug:
            return (entry.file, entry.function) in self.called
        if entry.rule == Rule.FAILED_TEST.slug:
            return bool(self.wanted.junit) or any(
                one.rule is Rule.FAILED_TEST for one in self.found
            )
        return bool(self.wanted.logs)

    def result(
        self, new: Iterable[Finding], known: Sequence[Finding], ignored: Sequence[Finding],
        started: float,
    ) -> Findings:  # fmt: skip
        """Put the findings together, each with the level that counts."""
        new = [_levelled(one, self.wanted.fail_on) for one in new]
        sources = dict(sources_of([*new, *known, *ignored], self.wanted.root)) | self.sources
        return Findings(
            tuple(new), tuple(known), tuple(ignored), tuple(dict.fromkeys(self.notes)),
            self.limits, tuple(sources.items()), self.functions, self.crashes.count,
            time.perf_counter() - started,
        )  # fmt: skip


def _levelled(finding: Finding, fail_on: Sequence[Rule]) -> Finding:
    """Return the finding as an error only where its rule is to fail."""
    if finding.rule not in fail_on:
        return finding if finding.weight is not Level.ERROR else replace(
            finding, level=Level.WARNING
        )  # fmt: skip
    wants = finding.rule.level is not Level.ERROR and finding.level is None
    return replace(finding, level=Level.ERROR) if wants else finding
