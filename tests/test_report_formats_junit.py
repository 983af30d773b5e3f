"""JUnit XML that others read back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from made_findings import ODD_TEXTS, all_odd, anything, clean, crash, many, ordinary, unused_ignore

from nsdbg.finding import Findings
from nsdbg.report.formats.junit import junit_xml


def parsed(text: str) -> ElementTree.Element:
    assert "<!DOCTYPE" not in text.replace("&lt;!DOCTYPE", "")
    return ElementTree.fromstring(text)


def test_junitparser_reads_it_back(tmp_path: Path) -> None:
    junitparser = pytest.importorskip("junitparser")
    file = tmp_path / "report.xml"
    file.write_text(junit_xml(ordinary()))
    suites = junitparser.JUnitXml.fromfile(str(file))
    assert (suites.tests, suites.failures, suites.skipped, suites.errors) == (8, 4, 2, 0)
    cases = list(next(iter(suites)))
    assert cases[2].name == f"src/rows.py parse_row {crash().fingerprint}"
    assert cases[2].classname == "nsdbg.new-crash"
    assert cases[2].result[0].message == crash().message
    assert cases[2].result[0].type == "new-crash"
    assert ">>> parse_row('')\nbefore: returned None" in cases[2].result[0].text
    assert [one.is_failure for one in cases] == [True, False, True, True, True, False, False, False]
    assert [one.is_skipped for one in cases] == [False] * 6 + [True, True]


def test_nothing_new_is_a_case_that_passed() -> None:
    suite = parsed(junit_xml(clean()))[0]
    assert suite.attrib["tests"] == "1"
    assert suite.attrib["failures"] == "0"
    assert suite[0].attrib["name"] == "nothing new in 12 functions and 1 log"


def test_a_limit_and_the_finding_about_it_fail_once() -> None:
    names = [one.attrib["classname"] for one in parsed(junit_xml(ordinary())).iter("testcase")]
    assert "nsdbg.raw-hallucination" not in names
    alone = junit_xml(replace(ordinary(), limits=()))
    assert 'classname="nsdbg.raw-hallucination"' in alone


def test_a_warning_fails_nothing() -> None:
    suite = parsed(junit_xml(Findings((unused_ignore(),))))[0]
    assert suite.attrib["failures"] == "0"
    text = suite[0].findtext("system-out")
    assert text is not None
    assert "there is nothing to ignore" in text


def test_names_stay_when_lines_move() -> None:
    place = crash().place
    assert place is not None
    moved = replace(crash(), place=replace(place, lineno=99))
    names = [
        parsed(junit_xml(Findings((one,)))).findall(".//testcase")[0].attrib["name"]
        for one in (crash(), moved)
    ]
    assert names[0] == names[1]


def test_what_is_left_out_fails_where_it_would_have_failed() -> None:
    cases = parsed(junit_xml(many(5003))).findall(".//testcase")
    assert len(cases) == 5001
    assert cases[-1].attrib["name"].startswith("4 more findings are left out")
    assert cases[-1].find("failure") is not None
    last = parsed(junit_xml(many(5000))).findall(".//testcase")[-1]
    assert last.attrib["name"].startswith("1 more finding is left out")
    assert last.find("failure") is None  # the known one


@pytest.mark.parametrize("text", ODD_TEXTS)
def test_foreign_text_is_text(text: str) -> None:
    suite = parsed(junit_xml(all_odd(text)))[0]
    assert len(suite.findall("testcase")) == 5
    assert {one.tag for one in suite.iter()} <= {
        "testsuite", "testcase", "failure", "skipped", "system-out",
    }  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(anything)
def test_counts_are_those_of_the_cases(found: Findings) -> None:
    suites = parsed(junit_xml(found))
    cases = suites.findall(".//testcase")
    assert len(cases) >= 1
    for one in (suites, suites[0]):
        assert int(one.attrib["tests"]) == len(cases)
        assert int(one.attrib["failures"]) == len(suites.findall(".//failure"))
        assert int(one.attrib["skipped"]) == len(suites.findall(".//skipped"))
