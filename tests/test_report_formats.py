"""All formats together: foreign text does no harm in any, and every one says what it cuts."""

from __future__ import annotations

import subprocess
import sys
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from made_findings import ODD_TEXTS, all_odd, anything, clean, many, odd, ordinary

from nsdbg.finding import Findings
from nsdbg.report.formats import FORMATS

NAMES = tuple(FORMATS)


def assert_harmless(text: str, name: str) -> None:
    """Assert that neither a terminal nor a CI server obeys anything in a report."""
    assert text.replace("\n", "").isprintable(), name
    text.encode()
    assert "##[" not in text
    assert "##vso[" not in text
    assert "##teamcity[" not in text
    for line in text.split("\n"):
        if line.lstrip().startswith("::"):
            assert name == "github"
            command = line[2:].partition(" ")[0]
            assert line.startswith("::")
            assert command in ("error", "warning", "notice")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("place", range(len(ODD_TEXTS)))
def test_no_text_does_harm_wherever_a_finding_holds_it(name: str, place: int) -> None:
    assert_harmless(FORMATS[name](all_odd(ODD_TEXTS[place])), name)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(anything)
def test_no_findings_do_harm_and_all_are_written_alike_twice(found: Findings) -> None:
    for name in NAMES:
        text = FORMATS[name](found)
        assert_harmless(text, name)
        assert text == FORMATS[name](found)
        assert text.endswith("\n")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("letter", ["x", "😀", "\x1b", "`", "| ", "\ud800"])
def test_a_text_of_a_million_characters_is_cut(name: str, letter: str) -> None:
    text = FORMATS[name](Findings((odd((letter * 1_000_000)[:1_000_000]),)))
    assert_harmless(text, name)
    # Where programs read, texts are whole for longer: 40 of them, and a character becomes 12.
    assert len(text) < (40 * 12 * 66_000 if name.startswith("json") else 300_000)


@pytest.mark.parametrize("name", ["text", "github", "junit", "sarif", "markdown"])
def test_what_is_cut_of_many_findings_is_told(name: str) -> None:
    text = FORMATS[name](too_many())
    assert " more findings are left out" in text
    assert len(text.encode()) < 20_000_000


@cache
def too_many() -> Findings:
    return many(5200)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_new_is_a_report_too(name: str) -> None:
    assert FORMATS[name](clean()).strip()


@pytest.mark.parametrize("name", NAMES)
def test_the_weightiest_findings_come_first(name: str) -> None:
    if name.startswith("json"):  # which keeps the order that it was given
        return
    text = FORMATS[name](ordinary())
    text = text[text.find('"results"') :] if name.startswith("sarif") else text
    assert text.index("parse_row(") < text.index("there is nothing to ignore on this line")


def test_every_format_has_a_file_name_of_its_own() -> None:
    assert len({one.default_name for one in FORMATS.values()}) == len(FORMATS)


def test_naming_the_formats_loads_none_of_them() -> None:
    code = (
        "import sys, nsdbg.report.formats\n"
        "print([name for name in sys.modules if name.startswith('nsdbg.report.formats.')])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"
