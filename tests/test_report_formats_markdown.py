"""Markdown as GitHub renders it: with cmark-gfm, its own renderer, where that is installed."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from made_findings import ODD_TEXTS, all_odd, anything, clean, crash, many, ordinary, texts

from nsdbg.finding import Findings, Step
from nsdbg.report.escape import plain
from nsdbg.report.formats.markdown import COMMENT_BYTES, markdown_text
from nsdbg.report.formats.markup import code, prose

TAGS = {"h3", "p", "table", "thead", "tbody", "tr", "th", "td", "code", "pre", "ul", "li",
        "details", "summary", "strong", "span"}  # fmt: skip


class Page(HTMLParser):
    """What a browser makes of rendered Markdown."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: Counter[str] = Counter()
        self.open: list[str] = []
        self.attributes: set[str] = set()
        self.words = ""  # what is not code: there GitHub looks for mentions
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.open.append(tag)
        self.attributes |= {f"{tag} {name}" for name, _ in attrs}

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data
        if "code" not in self.open and "pre" not in self.open:
            self.words += data

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")


def rendered(markdown: str) -> Page:
    cmarkgfm = pytest.importorskip("cmarkgfm")
    page = Page()
    page.feed(
        cmarkgfm.github_flavored_markdown_to_html(
            markdown, options=cmarkgfm.cmark.Options.CMARK_OPT_UNSAFE
        )
    )
    page.close()
    assert page.open == []
    return page


def assert_calm(page: Page) -> None:
    """Assert that there is only what we wrote, and nothing that GitHub makes something of."""
    assert set(page.tags) <= TAGS
    assert page.attributes <= {"pre lang", "details open"}
    assert not re.search(r"[@#:$~!&<>\[\]`*_|/\\]\w", page.words)


def squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)


def test_a_comment_has_a_table_and_a_block_for_each_finding() -> None:
    page = rendered(markdown_text(ordinary()))
    assert_calm(page)
    assert page.tags["details"] == 5
    assert page.tags["h3"] == 1
    assert "parse_row('') now raises IndexError at src/rows.py:14; before" in page.text
    assert "from rows import parse_row\nparse_row('')\n" in page.text
    assert "> 14 |     return cells[0]\n" in page.text


def test_the_table_comes_first_with_the_weightiest_finding() -> None:
    lines = markdown_text(ordinary()).splitlines()
    assert lines[:5] == [
        "### nsdbg: 1 new crash, 1 logged crash, 1 failed test, 1 limit of raw hallucination not "
        "kept, 1 suppression not needed",
        "",
        "| level | finding | where |",
        "|---|---|---|",
        "| error | `parse_row('')` now raises IndexError at `src/rows.py:14`; before this commit "
        "it returned None | `src/rows.py:14` |",
    ]
    assert (
        "| **not kept** | raw hallucination 52.3 % (523 of 1,000), above the limit of 50 % |"
        in (lines)
    )
    assert "- `explore.ipynb` is a notebook and was left out" in lines
    assert "| `src/rows.py:12` | line | `cells = []`, `part = ''` |" in lines
    assert "| `parse_row('a')` | `search:0` | refuted: no exception is raised |" in lines
    assert lines[-1] == (
        "To accept a finding: `# nsdbg: ignore[new-crash] reason` on its line, or "
        "`nsdbg gate --write-baseline`."
    )


def test_nothing_new_is_two_lines() -> None:
    assert markdown_text(clean()) == (
        "### nsdbg: nothing new\n\n12 functions run, 1 log read; 0.4 s.\n"
    )


def test_one_finding_alone_is_not_folded() -> None:
    assert "<details open><summary>1. " in markdown_text(Findings((crash(),)))
    assert "<details open>" not in markdown_text(ordinary())


@pytest.mark.parametrize("text", ODD_TEXTS)
def test_no_text_becomes_markup_or_a_mention(text: str) -> None:
    page = rendered(markdown_text(all_odd(text)))
    assert_calm(page)
    assert page.tags["details"] == 2


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(anything)
def test_nothing_becomes_markup_or_a_mention(found: Findings) -> None:
    page = rendered(markdown_text(found))
    assert_calm(page)
    assert page.tags["details"] == len(found.findings)


@settings(max_examples=200, deadline=None)
@given(texts, texts, st.booleans())
def test_a_sentence_reads_as_it_was_written(first: str, second: str, cell: bool) -> None:
    told = prose(f"{first} {second}", 10_000, (second, first), cell=cell)
    page = rendered(f"| a | b |\n|---|---|\n| {told} | z |" if cell else f"x {told}")
    assert_calm(page)
    wanted = squeezed(plain(f"{first} {second}")) or "(empty)"
    around = ("ab", "z") if cell else ("x", "")
    # Backticks may have been taken for a sentence's own marks of code.
    told = squeezed(page.text).replace("`", "")
    assert told == around[0] + wanted.replace("`", "") + around[1]


@settings(max_examples=200, deadline=None)
@given(texts, st.booleans())
def test_code_is_shown_as_it_is(text: str, cell: bool) -> None:
    shown = code(text, 10_000, cell=cell)
    page = rendered(f"| a |\n|---|\n| {shown} |" if cell else f"x {shown}")
    assert page.text.strip().removeprefix("a" if cell else "x").strip() == (
        plain(text).strip() or ("(empty)" if not text else "")
    )


def test_words_stay_words_and_the_rest_is_code() -> None:
    told = prose("f('a b') raises KeyError (3 times), see @me: it's 52.3 % of 1,000", 200)
    assert told == "`f('a b')` raises KeyError (3 times), see `@me:` it's 52.3 % of 1,000"
    assert prose("f('some words') raises", 200, ("f('some words')",)) == "`f('some words')` raises"
    assert prose("`f(1)` gave `None`, see `a b`.", 200) == "`f(1)` gave `None`, see `a b`."
    assert prose("x`y`z", 200) == "``x`y`z``"
    assert prose("at deadbeef, 1234567 and 123", 200) == "at `deadbeef, 1234567` and 123"
    assert prose("1. no list", 200) == "`1`. no list"
    assert prose("(a b, c), as in x.log. So", 200, ("a b, c",)) == "(`a b, c`), as in `x.log`. So"
    assert prose("('a' b), as", 200, ("'a' b",)) == "(`'a' b`), as"
    assert prose("cut he...", 200) == "cut he..."
    assert prose("up to 50 %. Then", 200) == "up to 50 %. Then"


@pytest.mark.parametrize("number", [1000, 5000])
def test_many_findings_fit_a_comment_and_what_is_cut_is_told(number: int) -> None:
    text = markdown_text(many(number))
    assert COMMENT_BYTES * 0.8 < len(text.encode()) <= COMMENT_BYTES
    page = rendered(text)
    assert_calm(page)
    rows = sum(line.startswith("| error | `parse_row(") for line in text.splitlines())
    left = number - rows
    assert f"{left:,} more findings are left out: they do not fit in 65,000 bytes" in page.text
    details = page.tags["details"]
    assert 0 < details < rows
    assert f"Details are shown for the first {details} findings only." in page.text


def test_a_larger_place_takes_more() -> None:
    text = markdown_text(many(1000), 1_000_000)
    assert len(text.encode()) <= 1_000_000
    assert "more findings are left out" not in text
    assert text.count("<details>") > 300


@pytest.mark.parametrize("letter", ["x", "`", "|", "@", "😀", "\x00"])
def test_the_longest_texts_leave_room_for_findings_with_details(letter: str) -> None:
    odd = all_odd(letter * 5000)
    found = replace(
        odd, findings=odd.findings * 500, notes=odd.notes * 500, limits=odd.limits * 500
    )
    text = markdown_text(found)
    assert len(text.encode()) <= COMMENT_BYTES
    assert text.count("<details>") >= 1


def test_a_long_path_is_told_from_its_end() -> None:
    place = crash().place
    assert place is not None
    steps = tuple(Step(replace(place, lineno=n), "line") for n in range(1, 101))
    text = markdown_text(Findings((replace(crash(), path=steps),)))
    assert "The last 20 of 100 states on the way:" in text
    assert "`src/rows.py:100`" in text
    assert "`src/rows.py:80`" not in text
