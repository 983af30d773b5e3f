"""Logs and test reports into findings: every distinct crash once, examined within a budget.

Examining is `localize`'s; which of the findings count is `decide`'s.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from nsdbg import crashlog
from nsdbg.crashlog import CrashReport
from nsdbg.crashlog.opening import open_log
from nsdbg.finding import Finding, Rule
from nsdbg.gate.baseline import crash_place, key_of
from nsdbg.gate.junit import Failure, Report, failed_test, failures, place_of
from nsdbg.localize.examine import Examination, examine
from nsdbg.localize.finding import finding_of
from nsdbg.localize.inquiry import Inquiry
from nsdbg.localize.locate import locate
from nsdbg.localize.places import Places
from nsdbg.localize.steps import recorded
from nsdbg.report.escape import is_secret, never
from nsdbg.workbench import Workbench

# So many distinct crashes are reproduced; the others are ranked by reading alone.
MOST_RUN = 20
# Reading may go on for so long when the budget is up; then crashes are only listed.
READING_S = 60.0
_NAMED = 3  # tests whose names stand with a crash that several have


@dataclass(frozen=True, slots=True)
class Examining:
    """How crashes are examined.

    `root` is the folder that findings name files from; only files below `sources` are read and
    run.  `bench` is None when nothing is to be run.  `budget_s` is for all crashes together.
    """

    root: Path
    sources: Path
    bench: Workbench | None
    book: Workbench  # whose rules and model help to read
    budget_s: float = 60.0
    seed: int = 0
    show_secrets: bool = False

    @property
    def folders(self) -> tuple[Path, ...]:
        """Where the files of tests are looked for."""
        return (self.sources, self.root)


@dataclass(slots=True)
class _Crash:
    """A distinct crash, the file that told of it first, and the tests it made fail.

    `failure` is the first of these in a test report, None when logs alone told of it.
    """

    report: CrashReport
    rule: Rule
    origin: str
    failure: Failure | None = None
    counts: dict[str, int] = field(default_factory=dict)  # by file
    tests: dict[str, None] = field(default_factory=dict)  # as reports name them
    titles: dict[str, None] = field(default_factory=dict)  # as logs do


class Crashes:
    """The distinct crashes of several logs and reports, in the order first seen.

    The same failure in a test run's output and in its report is one crash.  `stopped` says that
    the user ended the examining; the crashes after that are not told.
    """

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.count = 0  # of logs and reports
        self.stopped = False
        self._crashes: dict[tuple[Rule, str], _Crash] = {}
        self._unlocated: list[tuple[Failure, str]] = []

    def __bool__(self) -> bool:
        """Whether there is any that could be run."""
        return bool(self._crashes)

    def read_log(self, name: str) -> None:
        """Take the crashes of a log; raises CrashLogError when it cannot be opened."""
        with open_log(name) as log:
            for report in crashlog.read(log.stream):
                rule = Rule.FAILED_TEST if _of_a_test(report) else Rule.LOGGED_CRASH
                one = self._take(report, rule, log.name)
                if rule is Rule.FAILED_TEST and report.context:
                    one.titles[report.context] = None
            if not log.begin:
                self.notes.append(f"{log.name} is empty. Was standard error kept (2>&1)?")
        self.count += 1

    def read_junit(self, report: Report) -> None:
        """Take the failures of a test report."""
        for failure in failures(report):
            if failure.crash is not None and failure.is_located:
                one = self._take(failure.crash, Rule.FAILED_TEST, report.name)
                one.failure = one.failure or failure
                one.tests[failure.title] = None
            else:
                self._unlocated.append((failure, report.name))
        if not report.cases:
            self.notes.append(f"{report.name} holds no tests. Did the test run find any?")
        self.count += 1

    def findings(
        self, how: Examining, tell: Callable[[str], None] = lambda text: None
    ) -> Iterator[Finding]:
        """Examine the crashes one by one, each with its share of what is left of the budget."""
        ends = time.perf_counter() + how.budget_s
        found = list(self._crashes.values())
        places = Places(how.root)
        for place, one in enumerate(found):
            if time.perf_counter() > ends + READING_S:
                yield _with_tests(_listed(one, how), one, how, places)
                continue
            tell(f"examining crash {place + 1} of {len(found)}: {one.report.exception}")
            runs = min(len(found), MOST_RUN) - place
            share = max(0.0, ends - time.perf_counter()) / runs if runs > 0 else 0.0
            bench = how.bench if runs > 0 else None
            finding, self.stopped = _examined(one, replace(how, bench=bench), share)
            yield _with_tests(finding, one, how, places)
            if self.stopped:
                return
        if len(found) > MOST_RUN and how.bench is not None:
            self.notes.append(
                f"{len(found)} distinct crashes: the first {MOST_RUN} were run, the others only "
                "read"
            )
        if found and time.perf_counter() > ends + READING_S:
            self.notes.append("the time for logs was up: the last crashes are not ranked")
        for failure, name in self._unlocated:
            yield failed_test(failure, name, how.folders, places, how.show_secrets)

    def _take(self, report: CrashReport, rule: Rule, origin: str) -> _Crash:
        key = rule, report.fingerprint
        one = self._crashes.setdefault(key, _Crash(report, rule, origin))
        one.counts[origin] = one.counts.get(origin, 0) + report.count
        return one


def _of_a_test(report: CrashReport) -> bool:
    carried = (report.carrier or "").split("+")
    told = (report.context or "").startswith(("ERROR: ", "FAIL: "))
    return report.format == "pytest" or "junit" in carried or told


def _examined(one: _Crash, how: Examining, budget_s: float) -> tuple[Finding, bool]:
    """Return the finding, and whether the user ended the examination."""
    bench = how.bench
    found = examine(
        one.report, [how.sources], how.book.rulebook, bench=bench, budget_s=budget_s,
        seed=how.seed, is_secret=never if how.show_secrets else is_secret,
        model=how.book.model if "neural" in how.book.options.proposers else None,
    )  # fmt: skip
    stopped = found.outcome is not None and found.outcome.stopped
    read = finding_of(found, how.root, one.rule, one.origin, how.show_secrets)
    if bench is None or found.reproduction is None or stopped:
        return read, stopped
    trace = recorded(found, bench)
    run = finding_of(found, how.root, one.rule, one.origin, how.show_secrets, trace=trace)
    # The path of a recording that was cut does not end at the line by which it is known again.
    return run if key_of(run) == key_of(read) else read, False


def _listed(one: _Crash, how: Examining) -> Finding:
    """Return the finding of a crash whose files are only named, not looked into."""
    inquiry = Inquiry(locate(one.report, [how.sources]), None, ())
    found = Examination(one.report, inquiry, (), unrun="the time for logs was up")
    finding = finding_of(found, how.root, one.rule, one.origin, how.show_secrets)
    return replace(finding, place=crash_place(finding))


def _with_tests(finding: Finding, one: _Crash, how: Examining, places: Places) -> Finding:
    """Say how often a crash was seen (a run's output and its report tell the same) and by whom."""
    named = list(one.tests or one.titles)
    more = f" and {len(named) - _NAMED} more tests" if len(named) > _NAMED else ""
    said = f"; fails {', '.join(named[:_NAMED])}{more}" if named else ""
    place = finding.place
    if place is None and one.failure is not None:
        place = place_of(one.failure.case, how.folders, places)
    return replace(
        finding, count=max(one.counts.values()), message=finding.message + said, place=place
    )
