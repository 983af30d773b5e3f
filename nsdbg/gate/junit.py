"""Test reports for the gate: which files they are, each failing test, and which tests passed.

Strict where `nsdbg parse` is lenient: of a report that is cut off nobody knows what else failed.
"""

from __future__ import annotations

import glob
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from nsdbg.crashlog import CrashReport
from nsdbg.crashlog.carriers.junit_xml import failure_lines
from nsdbg.crashlog.junit import Case, Problem, decoded, read_cases
from nsdbg.crashlog.read import read_lines
from nsdbg.crashlog.stream import REPORT_LIMIT
from nsdbg.errors import JUnitError, SourceError
from nsdbg.finding import Finding, Place, Rule, fingerprint
from nsdbg.localize.places import Places
from nsdbg.report.escape import without_secrets
from nsdbg.source import load_subject

LONGEST_NAME = 200
_MAGIC = "*?["


@dataclass(frozen=True, slots=True)
class Report:
    """One report: the file's name as given, and its tests."""

    name: str
    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True)
class Failure:
    """One thing that went wrong in a test; `crash` is None where its text is no crash."""

    case: Case
    problem: Problem
    crash: CrashReport | None

    @property
    def title(self) -> str:
        """The test's full name on one line."""
        name = f"{self.case.classname}.{self.case.name}".strip(".")
        return " ".join(name[:LONGEST_NAME].split())

    @property
    def is_located(self) -> bool:
        """Whether the crash shows any line of code."""
        return self.crash is not None and any(
            one.innermost_frame is not None for one in self.crash.chain
        )


def report_files(names: Sequence[str]) -> list[Path]:
    """Return the files that are meant: files, folders (every `*.xml` below), and patterns.

    Raises JUnitError for a name that stands for nothing.
    """
    found: dict[Path, None] = {}
    for name in names:
        path = Path(name)
        if path.is_dir():
            files = sorted(path.rglob("*.xml"))
        elif any(sign in name for sign in _MAGIC) and not path.exists():
            files = [Path(one) for one in sorted(glob.glob(name, recursive=True))]
        else:
            files = [path]
        if not files:
            raise JUnitError(f"--junit {name}: there is no report there. Did the tests write it?")
        found |= dict.fromkeys(files)
    return list(found)


def read_report(path: Path) -> Report:
    """Read a report whole; raises JUnitError, with the file's name, for one that cannot be."""
    try:
        with path.open("rb") as stream:
            data = stream.read(REPORT_LIMIT + 1)
    except FileNotFoundError:
        raise JUnitError(f"there is no file {path}. Did the tests write it?") from None
    except (OSError, ValueError) as error:
        said = getattr(error, "strerror", None) or error
        raise JUnitError(f"cannot read {path}: {said}") from error
    if len(data) > REPORT_LIMIT:
        raise JUnitError(
            f"{path} is larger than {REPORT_LIMIT >> 20} MB; write one report for each suite, or "
            "without the output of passed tests (pytest: -o junit_log_passing_tests=false)"
        )
    try:
        return Report(str(path), tuple(read_cases(decoded(data))))
    except JUnitError as error:
        raise JUnitError(f"{path} cannot be read as JUnit XML: {error}") from error


def failures(report: Report) -> Iterator[Failure]:
    """Yield what went wrong, each failure with its text read as a crash."""
    for case in report.cases:
        for problem in case.problems:
            crashes, _ = read_lines(failure_lines(case, problem))
            yield Failure(case, problem, crashes[0] if crashes else None)


def failed_test(
    failure: Failure,
    origin: str,
    folders: Sequence[Path],
    places: Places,
    show_secrets: bool = False,
) -> Finding:
    """Return the finding for a failure that shows no line of code."""
    case, crash = failure.case, failure.crash
    exception = crash.exception if crash is not None else failure.problem.type or None
    said = (crash.message if crash is not None else failure.problem.message) or ""
    said = said if show_secrets else without_secrets(said)
    first = said.strip().split("\n", 1)[0][:240]
    text = ": ".join(one for one in (exception, first) if one)
    return Finding(
        Rule.FAILED_TEST, f"the test {failure.title} failed" + (f" with {text}" if text else ""),
        fingerprint(Rule.FAILED_TEST, case.classname, case.name, exception or ""),
        place=place_of(case, folders, places), origin=origin, exception=exception,
        exception_message=said or None,
        evidence="The report shows no traceback.",
    )  # fmt: skip


def place_of(case: Case, folders: Sequence[Path], places: Places) -> Place | None:
    """Return where a test's function begins, None where it is not found on disk."""
    for file, qualname in _candidates(case, folders):
        try:
            node = load_subject(file, qualname).node
        except SourceError:
            continue
        if node is not None:
            return places.at(file, node.lineno)
    return None


def passed_tests(
    report: Report, folders: Sequence[Path], places: Places
) -> Iterator[tuple[str, str]]:
    """Yield the file and the qualified name of every test that passed, where its file is found."""
    for case in report.cases:
        if case.passed:
            for file, qualname in _candidates(case, folders):
                shown = places.shown(file)
                if shown is not None:
                    yield shown, qualname


def _candidates(case: Case, folders: Sequence[Path]) -> Iterator[tuple[Path, str]]:
    """Yield the files below the folders that a test's class names, with the name in them."""
    parts = [part for part in case.classname.split(".") if part]
    name = case.name.split("[", 1)[0].split(" ", 1)[0]
    for folder in folders:
        for count in range(len(parts), 0, -1):
            file = folder.joinpath(*parts[:count]).with_suffix(".py")
            if _is_file(file):
                yield file, ".".join((*parts[count:], name))
                break


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name that is too long, or has a zero byte
        return False
