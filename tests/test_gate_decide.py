"""The gate's decision: what is gathered, what is silent, known or new, and what fails."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from nsdbg.changes.changed import ChangeSet, Files, Since
from nsdbg.errors import BaselineError, ChangeError, JUnitError
from nsdbg.finding import Finding, Findings, Level, Limit, Place, Rule, fingerprint
from nsdbg.gate import Book, Interrupted, Measuring, Wanted, decide, gate, logs
from nsdbg.gate.baseline_file import read_baseline
from nsdbg.measure import Plan
from nsdbg.triage import Stopped
from nsdbg.workbench import Options

ROWS = """\
def parse_row(text):
    cells = text.split(",")
    return cells[1]


def total(prices):
    return sum(prices)
"""
TESTS = """\
from rows import parse_row


def test_row():
    assert parse_row("a") == "b"


def test_total():
    assert True
"""
LOG = """\
Traceback (most recent call last):
  File "/app/run.py", line 3, in <module>
    parse_row("x")
  File "/app/rows.py", line 3, in parse_row
    return cells[1]
           ~~~~~^^^
IndexError: list index out of range
"""
FAILED = """\
<testcase classname="test_rows" name="test_row"><failure message="IndexError: list index out of \
range">test_rows.py:5: in test_row
    assert parse_row("a") == "b"
rows.py:3: in parse_row
    return cells[1]
E   IndexError: list index out of range</failure></testcase>"""
PASSED = '<testcase classname="test_rows" name="test_total"/>'
OUTPUT = """\
=================================== FAILURES ===================================
___________________________________ test_row ___________________________________
test_rows.py:5: in test_row
    assert parse_row("a") == "b"
rows.py:3: in parse_row
    return cells[1]
E   IndexError: list index out of range
=========================== short test summary info ============================
"""


def git(folder: Path, *words: str) -> None:
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)


def report(folder: Path, *cases: str, name: str = "report.xml") -> str:
    (folder / name).write_text(f"<testsuite>{''.join(cases)}</testsuite>")
    return str(folder / name)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "rows.py").write_text(ROWS)
    (tmp_path / "test_rows.py").write_text(TESTS)
    (tmp_path / "crash.log").write_text(LOG)
    return tmp_path


@pytest.fixture
def change(tree: Path) -> Path:
    """A commit in which both functions were touched."""
    git(tree, "init", "-q", "-b", "main")
    (tree / "rows.py").write_text(
        ROWS.replace("[1]", "[-1]").replace("sum(prices)", "sum(prices, 0)")
    )
    git(tree, "add", "rows.py")
    git(tree, "commit", "-q", "-m", "one")
    (tree / "rows.py").write_text(ROWS)
    return tree


def wanted(tree: Path, **more: object) -> Wanted:
    book = Book(tree / "nsdbg-baseline.json")
    one = Wanted(tree, tree, Options((tree,)), book, no_exec=True)
    return replace(one, **more)  # type: ignore[arg-type]


def crash(text: str = "return cells[1]", lineno: int = 3, **more: object) -> Finding:
    place = Place("rows.py", lineno, text, "parse_row")
    one = Finding(
        Rule.NEW_CRASH, "raises", fingerprint(Rule.NEW_CRASH, "rows.py", text), place,
        exception="IndexError",
    )  # fmt: skip
    return replace(one, **more)  # type: ignore[arg-type]


@pytest.fixture
def triaged(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Let triage find what a test says, having called both functions."""

    def set_up(*found: Finding, called: tuple[str, ...] = ("parse_row", "total")) -> None:
        def triage(
            change: ChangeSet, bench: object, allowance: object, *, verbose: bool,
            progress: Callable[[str], None],
        ) -> Findings:  # fmt: skip
            names = tuple(("rows.py", name) for name in called)
            return Findings(found, notes=("a note of triage",), examined=len(called), called=names)

        monkeypatch.setattr(decide, "triage", triage)

    return set_up


def diffed(tree: Path, **more: object) -> Wanted:
    return wanted(tree, what=Since("HEAD"), no_exec=False, **more)


def test_a_crash_of_a_log_is_a_finding_with_its_line_and_suspects(tree: Path) -> None:
    found = gate(wanted(tree, logs=(str(tree / "crash.log"),)))
    [one] = found.findings
    assert (one.rule, one.exception, one.origin) == (
        Rule.LOGGED_CRASH, "IndexError", str(tree / "crash.log"),
    )  # fmt: skip
    assert one.place is not None
    assert (one.place.file, one.place.function) == ("rows.py", "parse_row")
    assert one.suspects
    assert one.touched is None
    assert found.failed
    assert found.logs == 1
    assert dict(found.sources)["rows.py"] == ROWS


def test_a_failure_in_output_and_report_is_one_finding_that_names_its_test(tree: Path) -> None:
    (tree / "pytest.log").write_text(OUTPUT)
    asked = wanted(
        tree, logs=(str(tree / "pytest.log"),), junit=(report(tree, FAILED, FAILED, PASSED),)
    )
    found = gate(asked)
    [one] = found.findings
    assert one.rule is Rule.FAILED_TEST
    assert one.count == 2
    assert one.message.endswith("; fails test_rows.test_row")
    assert found.logs == 2


def test_when_the_time_for_logs_is_up_crashes_are_listed_and_known_again(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = wanted(tree, logs=(str(tree / "crash.log"),))
    gate(replace(asked, book=Book(tree / "nsdbg-baseline.json", write=True)))
    monkeypatch.setattr(logs, "READING_S", -1.0)
    found = gate(replace(asked, log_budget_s=0.0))
    assert found.findings == ()
    [one] = found.known
    assert one.place is not None
    assert (one.place.file, one.place.lineno, one.suspects) == ("rows.py", 3, ())
    assert found.notes == ("the time for logs was up: the last crashes are not ranked",)


def test_when_the_time_in_all_is_up_nothing_more_is_run_and_that_is_told(change: Path) -> None:
    asked = diffed(change, logs=(str(change / "crash.log"),), total_budget_s=0.0)
    found = gate(asked)
    assert found.examined == 0
    assert found.notes == (
        "2 of 2 functions were not run: the time was up (--total-budget gives it more)",
        "the crashes of logs were read, not run: the time was up (--total-budget gives it more)",
    )
    assert [one.rule for one in found.findings] == [Rule.LOGGED_CRASH]


def test_a_log_that_is_named_twice_is_read_once_and_a_report_without_tests_is_told(
    tree: Path,
) -> None:
    log = str(tree / "crash.log")
    found = gate(wanted(tree, logs=(log, log), junit=(report(tree),), no_exec=True))
    assert [one.count for one in found.findings] == [1]
    assert found.logs == 2
    assert found.notes == (f"{tree / 'report.xml'} holds no tests. Did the test run find any?",)


def test_a_log_without_a_crash_is_silent_and_an_empty_one_is_told(tree: Path) -> None:
    (tree / "green.log").write_text("3 passed in 0.1 s\n")
    (tree / "empty.log").write_text("")
    names = (str(tree / "green.log"), str(tree / "empty.log"))
    found = gate(wanted(tree, logs=names))
    assert (found.findings, found.failed) == ((), False)
    assert found.notes == (f"{tree / 'empty.log'} is empty. Was standard error kept (2>&1)?",)


def test_new_crashes_of_a_change_fail_and_logged_ones_tell_whether_it_touches_them(
    change: Path, triaged: Callable[..., None]
) -> None:
    triaged(crash())
    found = gate(diffed(change, logs=(str(change / "crash.log"),), log_budget_s=0.1))
    assert [(one.rule, one.touched) for one in found.findings] == [
        (Rule.NEW_CRASH, None), (Rule.LOGGED_CRASH, True),
    ]  # fmt: skip
    assert found.examined == 2
    assert "a note of triage" in found.notes


def test_a_crash_that_a_change_does_not_touch_says_so(
    change: Path, triaged: Callable[..., None]
) -> None:
    triaged()
    (change / "rows.py").write_text(ROWS.replace("[1]", "[-1]"))
    asked = diffed(change, logs=(str(change / "crash.log"),), log_budget_s=0.1)
    [one] = gate(asked).findings
    assert one.touched is False


def test_what_triage_finds_too_light_is_shown_when_asked_for(
    change: Path, triaged: Callable[..., None]
) -> None:
    triaged(crash(level=Level.NOTE))
    assert gate(diffed(change)).findings == ()
    [one] = gate(diffed(change, verbose=True)).findings
    assert one.weight is Level.NOTE


def test_without_running_the_change_is_not_looked_into_and_that_is_told(change: Path) -> None:
    found = gate(wanted(change, what=Since("HEAD")))
    assert found.notes == ("the change was not looked into: --no-exec runs nothing",)


def test_a_comment_silences_its_line_before_the_baseline_is_asked(
    change: Path, triaged: Callable[..., None]
) -> None:
    text = ROWS.replace("[1]", "[1]  # nsdbg: ignore[new-crash] callers check")
    (change / "rows.py").write_text(text)
    triaged(crash())
    found = gate(diffed(change, book=Book(change / "b.json", write=True)))
    assert (found.findings, found.known) == ((), ())
    assert found.ignored == (crash(),)
    assert not found.failed
    assert read_baseline(change / "b.json").entries == ()  # type: ignore[union-attr]


def test_a_comment_that_nobody_needs_warns_only_where_its_function_was_called(
    change: Path, triaged: Callable[..., None]
) -> None:
    text = ROWS.replace("sum(prices)", "sum(prices)  # nsdbg: ignore[new-crash] of old")
    (change / "rows.py").write_text(text)
    triaged()
    found = gate(diffed(change))
    assert [(one.rule, one.place.lineno) for one in found.findings if one.place] == [
        (Rule.UNUSED_IGNORE, 7)
    ]
    assert not found.failed
    assert gate(diffed(change, fail_on=(Rule.UNUSED_IGNORE,))).failed
    triaged(called=("parse_row",))
    assert gate(diffed(change)).findings == ()
    triaged(crash("return sum(prices)", 7, level=Level.NOTE))
    assert gate(diffed(change)).findings == ()


def test_a_comment_at_a_test_is_unneeded_where_a_report_shows_that_it_passed(tree: Path) -> None:
    text = TESTS.replace("assert True", "assert True  # nsdbg: ignore[failed-test] flaky")
    (tree / "test_rows.py").write_text(text)
    [one] = gate(wanted(tree, junit=(report(tree, PASSED),))).findings
    assert (one.rule, one.place.lineno if one.place else 0) == (Rule.UNUSED_IGNORE, 9)
    assert gate(wanted(tree, junit=(report(tree, FAILED),))).findings[0].rule is Rule.FAILED_TEST


def test_what_was_accepted_is_known_and_one_more_is_new(
    change: Path, triaged: Callable[..., None]
) -> None:
    book = Book(change / "nsdbg-baseline.json", write=True)
    triaged(crash())
    first = gate(diffed(change, book=book))
    assert (first.findings, first.known) == ((), (crash(),))
    assert first.notes[-1] == "nsdbg-baseline.json accepts 1 finding now, 1 of this run"
    triaged(crash(), crash("return cells[9]", 4))
    found = gate(diffed(change))
    assert found.known == (crash(),)
    assert found.findings == (crash("return cells[9]", 4),)
    assert found.failed


def test_a_logged_crash_is_known_again_with_runs_and_without(tree: Path) -> None:
    asked = wanted(tree, logs=(str(tree / "crash.log"),))
    book = Book(tree / "nsdbg-baseline.json", write=True)
    assert gate(replace(asked, book=book)).findings == ()
    found = gate(replace(asked, no_exec=False, log_budget_s=5.0))
    assert found.findings == ()
    [one] = found.known
    assert one.call == "parse_row('')"
    assert one.path[-1].event == "exception"


def test_the_ratchet_says_what_is_stale_and_takes_it_out_when_it_may_write(
    change: Path, triaged: Callable[..., None]
) -> None:
    path = change / "nsdbg-baseline.json"
    old = crash("return old")
    triaged(crash(), old)
    gate(diffed(change, book=Book(path, write=True)))
    triaged(crash(), crash("return cells[9]", 4))
    found = gate(diffed(change, book=Book(path, ratchet=True)))
    assert found.notes[-1] == (
        "nsdbg-baseline.json: no longer needed, --write-baseline takes it out: "
        "new-crash IndexError at rows.py in parse_row: return old"
    )
    assert len(found.findings) == 1
    found = gate(diffed(change, book=Book(path, ratchet=True, write=True)))
    assert found.failed
    assert [one.text for one in read_baseline(path).entries] == [  # type: ignore[union-attr]
        "return cells[1]"
    ]


def test_the_ratchet_leaves_alone_what_was_not_asked(
    change: Path, triaged: Callable[..., None]
) -> None:
    path = change / "nsdbg-baseline.json"
    triaged(crash())
    everything = diffed(
        change, logs=(str(change / "crash.log"),), junit=(report(change, FAILED),),
        book=Book(path, write=True), log_budget_s=0.1,
    )  # fmt: skip
    gate(everything)
    text = path.read_text()
    assert text.count('"rule"') == 3
    triaged(called=("total",))
    shrink = Book(path, ratchet=True, write=True)
    gate(diffed(change, book=shrink))
    assert path.read_text() == text
    gate(wanted(change, logs=(str(change / "crash.log"),), book=shrink))
    assert path.read_text() == text
    gate(wanted(change, junit=(report(change, PASSED),), book=shrink))
    assert path.read_text().count('"rule"') == 2


def test_a_baseline_that_was_named_or_ratcheted_has_to_be_there(tree: Path) -> None:
    for book in (Book(tree / "none.json", required=True), Book(tree / "none.json", ratchet=True)):
        with pytest.raises(BaselineError, match="--write-baseline makes one"):
            gate(wanted(tree, book=book))


def test_only_the_rules_that_are_to_fail_do(change: Path, triaged: Callable[..., None]) -> None:
    triaged(crash())
    asked = diffed(change, logs=(str(change / "crash.log"),), log_budget_s=0.1)
    found = gate(replace(asked, fail_on=(Rule.LOGGED_CRASH,)))
    assert [one.weight for one in found.findings] == [Level.WARNING, Level.ERROR]
    assert not gate(replace(asked, fail_on=(Rule.FAILED_TEST,))).failed


def test_a_limit_that_is_not_kept_fails(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limit = Limit("raw-hallucination", 0.6, 0.5, 6, 10)
    one = Finding(Rule.RAW_HALLUCINATION, "60 %", "0" * 16)
    monkeypatch.setattr(decide, "measure", lambda *_: ((limit,), (one,), ("measured",)))
    found = gate(wanted(tree, measuring=Measuring(Plan(1), ("rules",))))
    assert (found.limits, found.findings, found.notes) == ((limit,), (one,), ("measured",))
    assert found.failed


@pytest.mark.parametrize(
    ("name", "text", "error"),
    [
        ("nsdbg-baseline.json", "{", BaselineError),
        ("nsdbg-baseline.json", "<<<<<<< HEAD\n", BaselineError),
        ("half.xml", "<testsuite><testcase", JUnitError),
    ],
)
def test_what_is_broken_is_said_before_anything_is_run_and_nothing_is_lost(
    change: Path, triaged: Callable[..., None], name: str, text: str, error: type[Exception]
) -> None:
    called: list[str] = []
    triaged()
    (change / name).write_text(text)
    junit = (str(change / name),) if name.endswith(".xml") else ()
    book = Book(change / "nsdbg-baseline.json", write=True)
    with pytest.raises(error):
        gate(diffed(change, junit=junit, book=book), called.append)
    assert [one for one in called if one.startswith("calling")] == []
    assert (change / name).read_text() == text


def test_a_diff_outside_of_git_or_of_an_unknown_revision_is_an_error(
    tree: Path, change: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    with pytest.raises(ChangeError, match="git"):
        gate(wanted(outside, what=Files(())))
    with pytest.raises(ChangeError, match="nowhere"):
        gate(wanted(change, what=Since("nowhere")))


def test_when_the_user_ends_it_what_is_known_is_given_and_nothing_is_written(
    change: Path, triaged: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    triaged(crash())
    monkeypatch.setattr(decide, "measure", stop)
    path = change / "b.json"
    asked = diffed(change, measuring=Measuring(Plan(1), ("rules",)), book=Book(path, write=True))
    with pytest.raises(Interrupted) as stopped:
        gate(asked)
    assert stopped.value.found.findings == (crash(),)
    assert stopped.value.found.notes[-1].startswith("stopped before everything was asked")
    assert not path.exists()


def test_what_triage_found_before_the_user_ended_it_is_given(
    change: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def triage(*_: object, **__: object) -> Findings:
        raise Stopped(Findings((crash(),), notes=("half of it",)))

    monkeypatch.setattr(decide, "triage", triage)
    with pytest.raises(Interrupted) as stopped:
        gate(diffed(change))
    assert stopped.value.found.findings == (crash(),)
    assert stopped.value.found.notes[0] == "half of it"
