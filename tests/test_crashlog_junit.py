"""Test reports in JUnit XML: what a test case says, and what reads as a crash in it."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nsdbg import crashlog
from nsdbg.crashlog.junit import Case, decoded, read_cases
from nsdbg.errors import JUnitError

LOGS = Path(__file__).parent / "logs"
PYTEST = (LOGS / "junit_pytest.log").read_bytes()
UNITTEST = (LOGS / "junit_unittest.log").read_bytes()


def cases(text: str) -> list[Case]:
    return list(read_cases(text))


def one_case(inside: str, head: str = "") -> Case:
    text = f'{head}<testsuite><testcase classname="a.b" name="t">{inside}</testcase></testsuite>'
    [case] = cases(text)
    return case


def crashes(data: bytes) -> list[tuple[str | None, str | None]]:
    return [(one.exception, one.message) for one in crashlog.read(io.BytesIO(data))]


def test_cases_keep_name_class_place_and_whether_they_passed() -> None:
    found = cases(UNITTEST.decode())
    assert [(one.name, one.passed, one.skipped) for one in found] == [
        ("test_passes", True, False), ("test_child", False, False), ("test_equal", False, False),
        ("test_error", False, False), ("test_sub (text='x')", False, False),
        ("test_skipped", False, True), ("test_expected", False, True),
    ]  # fmt: skip
    assert (found[0].classname, found[0].file, found[0].line) == (
        "test_unit.TestRows", "test_unit.py", 20,
    )  # fmt: skip
    assert found[3].title == "TestRows.test_error"


def test_a_problem_knows_its_kind_type_message_and_line() -> None:
    [problem] = cases(UNITTEST.decode())[3].problems
    assert (problem.kind, problem.type, problem.message) == (
        "error", "IndexError", "list index out of range",
    )  # fmt: skip
    line = UNITTEST.decode().split("\n")[problem.lineno - 1]
    assert '<error type="IndexError"' in line


def test_reports_behind_one_another_are_read_as_their_parts() -> None:
    both = PYTEST + UNITTEST + PYTEST
    assert crashes(both) == crashes(PYTEST) + crashes(UNITTEST) + crashes(PYTEST)
    assert len(crashes(both)) == 14


def test_the_line_of_a_crash_is_the_reports() -> None:
    first = next(crashlog.read(io.BytesIO(PYTEST + b"\n\n" + UNITTEST)))
    *_, last = crashlog.read(io.BytesIO(PYTEST + b"\n\n" + UNITTEST))
    text = (PYTEST + b"\n\n" + UNITTEST).decode().split("\n")
    assert "test_empty" in text[first.lineno - 1]
    assert "test_sub" in text[last.lineno - 2]


def test_the_crashes_of_a_report_are_those_of_the_output() -> None:
    shown = """\
=================================== FAILURES ===================================
__________________________________ test_empty __________________________________

    def test_empty():
>       assert parse_row("") == ""
               ^^^^^^^^^^^^^

test_rows.py:6:\x20
_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _

text = ''

    def parse_row(text):
        cells = text.split(",")
>       return cells[1]
               ^^^^^^^^
E       IndexError: list index out of range

rows.py:3: IndexError
"""
    [printed] = crashlog.read(shown.encode())
    reported = next(crashlog.read(PYTEST))
    assert reported.chain == printed.chain
    assert reported.fingerprint == printed.fingerprint


@pytest.mark.parametrize(
    ("inside", "wanted"),
    [
        ('<failure message="ValueError: bad"/>', ("ValueError", "bad")),
        ('<failure message="bad" type="ValueError"/>', ("ValueError", "bad")),
        ('<error type="shop.errors.Missing" message="no &lt;bolt&gt;"/>',
         ("shop.errors.Missing", "no <bolt>")),
        ('<failure message="assert 1 == 2">t.py:3: AssertionError</failure>',
         ("AssertionError", "assert 1 == 2")),
        ('<failure>KeyError: 3</failure>', ("KeyError", "3")),
    ],
)  # fmt: skip
def test_without_a_traceback_the_message_names_the_exception(
    inside: str, wanted: tuple[str, str | None]
) -> None:
    text = f'<testsuite><testcase classname="a" name="t">{inside}</testcase></testsuite>'
    assert crashes(text.encode()) == [wanted]


def test_a_traceback_that_a_failing_test_printed_counts_and_a_passing_ones_does_not() -> None:
    printed = (
        "<system-err>Traceback (most recent call last):\n"
        '  File "/app/a.py", line 3, in f\n    x()\nKeyError: 1\n</system-err>'
    )
    failed = f'<testcase name="a"><failure message="exit status 1"/>{printed}</testcase>'
    passed = f'<testcase name="b">{printed}</testcase>'
    assert crashes(f"<testsuite>{failed}{passed}</testsuite>".encode()) == [("KeyError", "1")]


def test_a_test_that_failed_and_was_run_again_with_success_has_no_problem() -> None:
    assert one_case('<flakyFailure message="ValueError: bad"/>').passed


@pytest.mark.parametrize("name", ["utf-8", "utf-16", "iso-8859-1", "cp1252"])
def test_the_encoding_is_the_one_declared_or_marked(name: str) -> None:
    head = f'<?xml version="1.0" encoding="{name}"?>'
    case = '<testcase name="é"><failure message="KeyError: ä"/></testcase>'
    data = f"{head}<testsuite>{case}</testsuite>".encode(name)
    assert cases(decoded(data))[0].name == "é"
    assert crashes(data) == [("KeyError", "ä")]


@pytest.mark.parametrize("name", ["nobody-knows", "hex", "rot13"])
def test_a_declared_encoding_that_is_none_is_passed_over(name: str) -> None:
    text = f'<?xml version="1.0" encoding="{name}"?><testsuite><testcase name="é"/></testsuite>'
    assert cases(decoded(text.encode()))[0].name == "é"


def test_characters_that_xml_forbids_do_not_cost_the_report() -> None:
    case = one_case('<failure message="KeyError: &#27;[31m&#x1B;1 &#9;">\x00\x1b[0m\x08</failure>')
    assert case.problems[0].message == "KeyError: [31m1 \t"
    assert case.problems[0].text == "[0m"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "it is empty"),
        ("  \n", "it is empty"),
        ("<testsuite><testcase name='a'/>", "cut off at line 1"),
        (PYTEST.decode()[:1500], "cut off at line"),
        (PYTEST.decode()[:-3], "cut off at line"),
        ("<testsuite>\n<a></b></testsuite>", "no XML from line 2 on: mismatched tag"),
        ("<html></html>", "its root is <html>"),
        ("hello", "no XML from line 1 on"),
        ('<!DOCTYPE t [<!ENTITY a "b">]><testsuite/>', "DOCTYPE"),
        ('<!DOCTYPE testsuite SYSTEM "http://localhost/x"><testsuite/>', "DOCTYPE"),
        ("<testsuite>&unknown;</testsuite>", "no XML from line 1 on: undefined entity"),
    ],
)  # fmt: skip
def test_what_is_no_whole_report_is_refused_with_the_reason(text: str, said: str) -> None:
    with pytest.raises(JUnitError, match=said):
        cases(text)


def test_the_tests_before_a_cut_are_read_all_the_same() -> None:
    cut = PYTEST[:2000]
    assert crashes(cut) == crashes(PYTEST)[:3]
    with pytest.raises(JUnitError, match="give it as --log"):
        cases(cut.decode())


def test_nested_suites_and_namespaces_are_looked_through() -> None:
    text = (
        '<j:testsuites xmlns:j="x"><j:testsuite><j:testsuite><j:testcase name="a">'
        '<j:error message="KeyError: 1"/></j:testcase></j:testsuite></j:testsuite></j:testsuites>'
    )
    [case] = cases(text)
    assert (case.name, case.problems[0].message) == ("a", "KeyError: 1")


@pytest.mark.parametrize("root", ["<testsuites/>", "<testsuite tests='0'></testsuite>"])
def test_a_report_of_no_tests_is_one(root: str) -> None:
    assert cases(root) == []
    assert [one.name for one in cases(root + '\n<testsuite><testcase name="t"/></testsuite>')] == [
        "t"
    ]


def test_a_large_report_is_read_as_a_whole_like_a_small_one() -> None:
    """In a window around a marker, the second failure has no test around it."""
    begin, failure = PYTEST.split(b"<testcase", 1)
    passed = b'<testcase classname="a" name="b"><system-out>' + b"x &lt; y\n" * 1_000_000
    large = begin + passed + b"</system-out></testcase><testcase" + failure
    assert len(large) > 8 << 20
    small = [(one.carrier, one.exception, one.message) for one in crashlog.read(PYTEST)]
    assert [(one.carrier, one.exception, one.message) for one in crashlog.read(large)] == small


def test_a_text_without_end_is_cut() -> None:
    case = one_case(f"<failure>{'x' * (3 << 20)}</failure>")
    assert len(case.problems[0].text) == 1 << 20


@given(st.integers(0, len(PYTEST)), st.binary(max_size=6))
def test_no_damage_makes_the_reader_fail(at: int, put: bytes) -> None:
    data = PYTEST[:at] + put + PYTEST[at + len(put) :]
    found = list(crashlog.read(io.BytesIO(data)))
    assert len(found) <= 5 + len(put)
    with contextlib.suppress(JUnitError):
        assert len(cases(decoded(data))) <= 7
