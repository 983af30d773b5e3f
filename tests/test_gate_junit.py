"""Test reports for the gate: which files, what failed, and where the tests stand."""

from __future__ import annotations

from pathlib import Path

import pytest

from nsdbg.crashlog.junit import Case
from nsdbg.errors import JUnitError
from nsdbg.finding import Place, Rule
from nsdbg.gate import junit
from nsdbg.gate.junit import (
    failed_test,
    failures,
    passed_tests,
    place_of,
    read_report,
    report_files,
)
from nsdbg.localize.places import Places

LOGS = Path(__file__).parent / "logs"
TESTS = """\
import unittest


def test_plain():
    pass


class TestRows(unittest.TestCase):
    def test_it(self):
        pass
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/test_rows.py").write_text(TESTS)
    return tmp_path


def report_of(folder: Path, *cases: str) -> junit.Report:
    path = folder / "report.xml"
    path.write_text(f"<testsuite>{''.join(cases)}</testsuite>")
    return read_report(path)


def test_files_folders_and_patterns_are_reports_each_once(tmp_path: Path) -> None:
    for name in ("b.xml", "a.xml", "deep/c.xml", "note.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    names = [str(tmp_path / "*.xml"), str(tmp_path), str(tmp_path / "none.xml")]
    found = [path.relative_to(tmp_path).as_posix() for path in report_files(names)]
    assert found == ["a.xml", "b.xml", "deep/c.xml", "none.xml"]


@pytest.mark.parametrize("name", ["none/*.xml", "."])
def test_a_name_that_stands_for_no_report_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(JUnitError, match="no report there"):
        report_files([name])


def test_a_report_that_is_missing_cut_too_large_or_a_folder_is_refused_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "half.xml"
    whole = (LOGS / "junit_pytest.log").read_text()
    path.write_text(whole[: len(whole) // 2])
    with pytest.raises(JUnitError, match=r"half\.xml cannot be read as JUnit XML: it is cut off"):
        read_report(path)
    with pytest.raises(JUnitError, match=r"there is no file .*none\.xml"):
        read_report(tmp_path / "none.xml")
    with pytest.raises(JUnitError, match="cannot read"):
        read_report(tmp_path)
    monkeypatch.setattr(junit, "REPORT_LIMIT", 100)
    with pytest.raises(JUnitError, match="larger than"):
        read_report(path)


def test_each_failure_is_read_as_the_crash_it_shows() -> None:
    found = list(failures(read_report(LOGS / "junit_unittest.log")))
    assert [(one.title, one.crash.exception if one.crash else None) for one in found] == [
        ("test_unit.TestRows.test_child", "AssertionError"),
        ("test_unit.TestRows.test_equal", "AssertionError"),
        ("test_unit.TestRows.test_error", "IndexError"),
        ("test_unit.TestRows.test_sub (text='x')", "IndexError"),
    ]
    assert all(one.is_located for one in found)


def test_a_failure_without_a_traceback_is_a_finding_at_its_test(tree: Path) -> None:
    report = report_of(
        tree, '<testcase classname="tests.test_rows.TestRows" name="test_it[a-b]">'
        '<failure message="ValueError: token=\'ghp_abcdefghijklmnopqrstuvwxyz\'&#10;more"/>'
        "</testcase>",
    )  # fmt: skip
    [failure] = failures(report)
    assert not failure.is_located
    one = failed_test(failure, report.name, [tree], Places(tree))
    assert (one.rule, one.exception) == (Rule.FAILED_TEST, "ValueError")
    assert one.place == Place("tests/test_rows.py", 9, "def test_it(self):", "TestRows.test_it")
    assert one.message.startswith(
        "the test tests.test_rows.TestRows.test_it[a-b] failed with ValueError: token="
    )
    assert "ghp_" not in one.message
    assert "ghp_" not in (one.exception_message or "")
    open_one = failed_test(failure, report.name, [tree], Places(tree), show_secrets=True)
    assert "ghp_" in open_one.message
    assert open_one.fingerprint == one.fingerprint


def test_a_name_of_several_lines_is_one_line_in_a_sentence(tree: Path) -> None:
    case = f'<testcase classname="a&#10;::b" name="t&#13;&#10;{"x" * 999}"><failure/></testcase>'
    [failure] = failures(report_of(tree, case))
    assert failure.title.startswith("a ::b.t xxx")
    assert len(failure.title) <= 200


def test_an_empty_failure_is_one_all_the_same(tree: Path) -> None:
    [failure] = failures(report_of(tree, '<testcase name="t"><failure/></testcase>'))
    one = failed_test(failure, "r.xml", [tree], Places(tree))
    assert one.message == "the test t failed"
    assert one.place is None


@pytest.mark.parametrize(
    ("classname", "name", "wanted"),
    [
        ("tests.test_rows", "test_plain", 4),
        ("tests.test_rows", "test_plain[1]", 4),
        ("tests.test_rows.TestRows", "test_it", 9),
        ("tests.test_rows.TestRows", "test_it (x=1)", 9),
        ("tests.test_rows", "test_gone", None),
        ("tests.none", "test_plain", None),
        ("", "test_plain", None),
        ("\0." + "a" * 5000, "test_plain", None),
    ],
)
def test_a_test_is_found_by_its_class_and_name(
    tree: Path, classname: str, name: str, wanted: int | None
) -> None:
    place = place_of(Case(name, classname), [tree], Places(tree))
    assert (place.lineno if place else None) == wanted


def test_passed_tests_are_named_by_file_and_function(tree: Path) -> None:
    report = report_of(
        tree, '<testcase classname="tests.test_rows" name="test_plain[1]"/>',
        '<testcase classname="tests.test_rows.TestRows" name="test_it"><skipped/></testcase>',
        '<testcase classname="elsewhere" name="test_it"/>',
    )  # fmt: skip
    assert list(passed_tests(report, [tree], Places(tree))) == [
        ("tests/test_rows.py", "test_plain")
    ]
