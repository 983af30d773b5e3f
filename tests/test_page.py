"""Findings as one page: what is on it, and that nothing from outside gets out of its place."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from html import unescape

import made_findings
import pytest
from html_reader import Node, read
from hypothesis import example, given, settings
from hypothesis import strategies as st

from nsdbg.claim import Status
from nsdbg.finding import Finding, Findings, Place, Step, Suspicion, Tried
from nsdbg.report.page import html_page
from nsdbg.report.page.foreign import html, seen, sentence
from nsdbg.report.page.highlight import Source

LARGEST = 5_000_000


@pytest.fixture(scope="module")
def ordinary() -> Node:
    return read(html_page(made_findings.ordinary(), "nsdbg gate, main"))


def crash_card(page: Node) -> Node:
    """Return the card of the new crash, which the page shows first."""
    card = page.all("details", "finding")[0]
    assert "new-crash" in card.text
    return card


def test_the_head_of_the_page_says_how_much_there_is(ordinary: Node) -> None:
    assert ordinary.one("title").text == ordinary.one("h1").text == "nsdbg gate, main"
    tiles = [
        (tile.one("dt").text, tile.one("dd").text) for tile in ordinary.all("div", "tile")
    ]  # fmt: skip
    assert tiles == [
        ("errors", "4"), ("warning", "1"), ("known", "1"), ("ignored", "1"),
        ("limit exceeded", "1"),
    ]  # fmt: skip
    lead = ordinary.one("p", "lead").text
    assert lead.startswith("1 new crash, 1 logged crash, 1 failed test")
    assert "not needed, 1 of them confirmed by runs; 12 functions run, 2 logs read" in lead
    assert [item.text for item in ordinary.one("section", "notes").all("li")] == [
        "explore.ipynb is a notebook and was left out", "old.py does not parse: line 3",
    ]  # fmt: skip


def test_each_limit_stands_beside_what_was_measured(ordinary: Node) -> None:
    rows = [row.text for row in ordinary.one("section", "limits").all("tr")[1:]]
    assert rows == [
        "raw hallucination52.3 %50 %523 of 1,000\u2717 exceeded",
        "residual hallucination0 %0 %0 of 640\u2713 within",
    ]


def test_a_page_without_findings_says_so() -> None:
    page = read(html_page(made_findings.clean(), "nsdbg gate"))
    assert page.one("p", "lead").text.startswith("Nothing new was found; 12 functions run")
    assert page.one("p", "lead").text.endswith("in 0.4\u00a0s.")
    assert "Nothing to look at." in page.one("section").text
    assert page.all("details") == []


def test_the_weightiest_finding_stands_first_and_open(ordinary: Node) -> None:
    cards = ordinary.all("details", "finding")
    assert [card.one("span", "weight").text for card in cards] == ["error"] * 4 + ["warning"]
    assert ["open" in card.attributes for card in cards] == [True, False, False, False, False]
    card = crash_card(ordinary)
    assert card.one("span", "says").text == made_findings.crash().message
    assert [fact.text for fact in card.one("span", "facts").children] == [  # type: ignore[union-attr]
        "error new-crash", "src/rows.py:14 in parse_row", "from triage", "touched by the change",
    ]  # fmt: skip


def test_the_call_is_there_to_paste_with_its_imports(ordinary: Node) -> None:
    assert crash_card(ordinary).one("div", "paste").one("code").text == (
        "from rows import parse_row\nparse_row('')"
    )
    versions = crash_card(ordinary).one("dl", "versions")
    assert [one.text for one in versions.all("dt")] == ["before", "now"]
    assert [one.text for one in versions.all("dd")] == [
        "returned None", "raises IndexError: list index out of range",
    ]  # fmt: skip


@pytest.mark.parametrize("status", list(Status))
def test_a_verdict_is_a_word_and_a_shape_of_its_own(status: Status) -> None:
    one = replace(made_findings.crash(), status=status, tried=())
    page = read(html_page(Findings((one,)), "t"))
    badge = page.one("span", "badge")
    assert badge.text == status.value
    assert badge.one("use").attributes["href"] == f"#i-{status.value}"


def test_lines_are_shaded_by_their_score_with_the_reasons_below(ordinary: Node) -> None:
    listing = crash_card(ordinary).one("div", "src")
    assert crash_card(ordinary).one("figcaption").text == "src/rows.py"
    lines = {line.one(named="no").text: line for line in listing.all("div", "ln")}
    assert [int(number) for number in lines] == list(range(1, 16))
    assert lines["13"].classes == ["ln", "s8"]
    assert lines["13"].one("b").text == "suspicion 0.83"
    assert lines["9"].classes == ["ln", "s2"]
    assert lines["12"].classes == ["ln", "on"]
    assert lines["8"].classes == ["ln"]
    below = {
        listing.children[place - 1].one(named="no").text: one.text  # type: ignore[union-attr]
        for place, one in enumerate(listing.children)
        if isinstance(one, Node) and one.tag == "ul"
    }
    assert below == {
        "9": "data flow",
        "13": "the condition lets an empty list throughthis line was changed",
        "14": "IndexError: list index out of range",
    }


def test_the_kind_of_evidence_is_set_apart_from_what_it_says() -> None:
    place = Place("src/rows.py", 9, "if part:")
    reason = "data flow: `part` is set here: part = 1"
    one = replace(made_findings.crash(), suspects=(Suspicion(place, 1.0, (reason,)),))
    found = Findings((one,), sources=(("src/rows.py", made_findings.ROWS),))
    item = read(html_page(found, "t")).all("ul", "why")[0].one("li")
    assert item.one("b").text == "data flow"
    assert item.text == "data flow part is set here: part = 1"
    assert item.one("code").text == "part"


def test_the_states_on_the_way_name_their_line_and_what_changed(ordinary: Node) -> None:
    steps = crash_card(ordinary).one("ol", "steps").all("li")
    assert [step.one("p", "spot").text for step in steps] == [
        "rows.py:4 in parse_row", "rows.py:6 in parse_row", "rows.py:12 in parse_row",
        "rows.py:14 in parse_row",
    ]  # fmt: skip
    assert [step.one("p", "event").text for step in steps] == [
        "entered", "about to run", "about to run", "raised IndexError: list index out of range",
    ]  # fmt: skip
    assert [row.text for row in steps[2].one("tbody").all("tr")] == [
        "text''", "cells[]changed", "part''changed",
    ]  # fmt: skip
    assert [row.classes for row in steps[2].one("tbody").all("tr")] == [[], ["ch"], ["ch"]]
    assert [step.attributes["data-line"] for step in steps] == [
        f"f1-0-{lineno}" for lineno in (4, 6, 12, 14)
    ]
    assert not [step for step in steps if "hidden" in step.attributes]  # read without a script


def test_each_attempt_has_a_row_with_its_verdict_and_evidence(ordinary: Node) -> None:
    table = crash_card(ordinary).one("details", "tried")
    assert table.one("summary").text == "Tried 1 confirmed, 1 refuted, 1 unknown"
    rows = [[cell.text for cell in row.all("td")] for row in table.one("tbody").all("tr")]
    assert rows == [
        ["confirmed", "parse_row('')", "raised IndexError here and returned None before"
         "what was asked for happens (goal-reached)", "rule:empty-sequencelogp -0.25", "4"],
        ["refuted", "parse_row('a')", "returned 'a' in bothno exception is raised (no-exception)",
         "search:0", "2"],
        ["unknown", "parse_row(open('x').read())",
         "the guard refused openthe sandbox blocked what it did (side-effect)", "search:0", "1"],
    ]  # fmt: skip
    assert "open" in table.attributes
    many = replace(made_findings.crash(), tried=made_findings.crash().tried * 4)
    folded = read(html_page(Findings((many,)), "t")).one("details", "tried")
    assert "open" not in folded.attributes


def test_only_the_lines_around_what_matters_are_shown_and_the_rest_is_folded() -> None:
    lines = [f"x{n} = {n}" for n in range(1, 401)]
    lines[99:103] = ["def f(a):", "    b = a", "    c = b", "    return c"]
    suspect = Suspicion(Place("a.py", 103, "return c", "f"), 0.5)
    far = Suspicion(Place("a.py", 130, "x130 = 130"), 0.1)
    one = replace(made_findings.logged(), place=suspect.place, suspects=(suspect, far))
    found = Findings((one,), sources=(("a.py", "\n".join(lines)),))
    listing = read(html_page(found, "t")).one("div", "src")
    shown = [int(line.one(named="no").text) for line in listing.all("div", "ln")]
    # 100 is the `def` of 103; 107 to 126 are folded, what is before and after is too much.
    assert shown == list(range(100, 134))
    [fold] = listing.all("details", "fold")
    assert fold.one("summary").text == "20 more lines"
    assert len(fold.all("div", "ln")) == 20
    gaps = [gap.text for gap in listing.all("p", "gap")]
    assert gaps == ["99 more lines not shown", "267 more lines not shown"]


@pytest.mark.parametrize(
    "sources",
    [(), (("src/rows.py", made_findings.ROWS.replace("cells[0]", "cells[1]")),),
     (("src/rows.py", "short"),)],
    ids=["missing", "changed", "shorter"],
)  # fmt: skip
def test_of_a_file_that_is_another_one_only_quoted_lines_are_shown(
    sources: tuple[tuple[str, str], ...],
) -> None:
    page = read(html_page(Findings((made_findings.crash(),), sources=sources), "t"))
    listing = page.one("div", "src")
    shown = {line.one(named="no").text: line.one("code").text for line in listing.all("div", "ln")}
    assert shown == {
        "4": "def parse_row(text):", "6": "cells = []", "9": "if part:",
        "12": "total = len(cells)", "13": "if total >= 0:", "14": "return cells[0]",
    }  # fmt: skip
    assert "Only the lines that were quoted" in listing.text


def test_a_module_that_was_entered_before_its_first_line_is_shown_from_its_source() -> None:
    one = made_findings.crash()
    entered = Step(Place("src/rows.py", 0, "", "<module>"), "call")
    one = replace(one, path=(entered, *one.path))
    found = Findings((one,), sources=made_findings.ordinary().sources)
    page = read(html_page(found, "t"))
    assert "Only the lines that were quoted" not in page.one("div", "src").text
    step = page.one("ol", "steps").all("li")[0]
    assert step.one("p", "spot").text == "rows.py:1 in <module>"
    [line] = [one for one in page.all("div", "ln") if one.attributes.get("id") == "f1-0-1"]
    assert (step.attributes["data-line"], line.one(named="no").text) == ("f1-0-1", "1")


def test_what_stands_behind_a_finding_is_said_and_has_a_badge_where_runs_could_tell() -> None:
    def card(one: Finding) -> Node:
        return read(html_page(Findings((one,)), "t")).one("details", "finding")

    assert card(made_findings.logged()).one("p", "evidence").text == (
        "not confirmed: read in ci.log, not run here"
    )
    assert card(made_findings.crash()).one("p", "evidence").text.startswith("confirmed: each")
    assert not card(made_findings.hallucination()).one("summary").all("span", "badge")
    assert not card(made_findings.unused_ignore()).one("summary").all("span", "badge")


def policy_of(page: Node) -> str:
    [policy] = [one for one in page.all("meta") if "http-equiv" in one.attributes]
    return policy.attributes["content"]


def test_the_policy_allows_the_pages_own_style_and_script_and_nothing_else(ordinary: Node) -> None:
    hashes = [
        f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
        for text in (ordinary.one("style").text, ordinary.one("script").text)
    ]
    assert policy_of(ordinary) == (
        f"default-src 'none'; style-src {hashes[0]}; script-src {hashes[1]}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def test_the_page_names_no_address_to_fetch_from() -> None:
    text = html_page(made_findings.ordinary(), "t")
    assert re.findall(r"(?:https?:)?//[\w.]+", text) == ["http://www.w3.org"]  # SVG's namespace
    assert "@import" not in text
    assert "url(" not in text


@pytest.mark.parametrize("text", made_findings.ODD_TEXTS)
def test_an_odd_text_stays_text_wherever_it_stands(text: str) -> None:
    page = html_page(made_findings.all_odd(text), text)
    tree = read(page)
    plain = read(html_page(made_findings.all_odd("plain"), "plain"))
    assert [one.tag for one in tree.all() if one.tag not in ("i", "code", "p", "span")] == [
        one.tag for one in plain.all() if one.tag not in ("i", "code", "p", "span")
    ] or not text.strip()
    assert all(one == "\n" or one.isprintable() for one in page)
    assert seen(text, 200) == tree.one("h1").text or not text


@settings(max_examples=25, deadline=None)
@given(made_findings.anything, made_findings.texts)
def test_any_findings_make_a_page_that_is_well_formed(found: Findings, title: str) -> None:
    page = html_page(found, title)
    tree = read(page)
    assert len(tree.all("script")) == len(tree.all("style")) == 1
    assert len(tree.all("details", "finding")) == len(found.findings)
    assert page == html_page(found, title)
    page.encode()


@given(st.text(max_size=60), st.integers(1, 30))
@example("a\u202eb\u0301\u0301\u0301\u0301c\ufe0f", 30)
def test_what_is_shown_of_a_text_can_be_seen_and_is_all_of_it(text: str, limit: int) -> None:
    shown = re.sub("<[^>]*>", "", html(text))
    assert unescape(shown) == seen(text)
    assert seen(text).isprintable()
    assert len(seen(text, limit)) <= limit or seen(text) != text
    if text.isascii() and text.isprintable():
        assert seen(text) == text


def test_a_character_that_cannot_be_seen_is_spelled_out() -> None:
    assert html("a\u202eb") == 'a<i class="esc">\\u202e</i>b'
    assert seen("\ufe0f\u3164\u2800\x00\ud800\n") == r"\ufe0f\u3164\u2800\x00\ud800\n"
    assert seen("Zażółć e\u0301 \U0001f600 \u05d0") == "Zażółć e\u0301 \U0001f600 \u05d0"
    assert seen("e\u0301\u0301\u0301!") == r"e\u0301\u0301\u0301!"


def test_what_stands_between_backticks_is_code() -> None:
    assert sentence("`f(1)` raises `<b>`") == "<code>f(1)</code> raises <code>&lt;b&gt;</code>"
    assert sentence("one ` alone") == "one ` alone"


@settings(max_examples=100, deadline=None)
@given(st.text("ab1 \t\n\r\"'#()[]:\\f{}\x0c\x00\u2028\u202edefif=", max_size=80))
@example('x = f"{a!r:>{w}}" + """two\nlines"""\r\ndef f(): pass  # note')
@example('"""never\nclosed')
def test_a_marked_line_holds_all_of_its_text(text: str) -> None:
    source = Source(text)
    assert "\n".join(source.lines) == text.replace("\r\n", "\n").removesuffix("\n")
    for lineno, line in enumerate(source.lines, 1):
        shown = unescape(re.sub("<[^>]*>", "", source.line(lineno)))
        assert shown == seen(line.replace("\t", "    "))


def test_words_of_python_are_marked() -> None:
    source = Source('def f(a):  # note\n    return 1 + "x"\n')
    assert source.line(1) == (
        '<span class="kw">def</span> <span class="df">f</span>(a):  <span class="cm"># note</span>'
    )
    assert source.line(2) == (
        '    <span class="kw">return</span> <span class="nu">1</span> + '
        '<span class="st">&quot;x&quot;</span>'
    )


def test_a_very_long_line_is_cut() -> None:
    shown = Source("x" * 5000).line(1)
    assert shown == "x" * 1000 + "\u2026"


def heavy(text: str) -> Findings:
    """Return 1,000 findings, each with a long path, many attempts and long texts."""
    one = made_findings.crash()
    place = Place("src/rows.py", 14, "return cells[0]", "parse_row")
    step = Step(place, "line", tuple((f"name{n}", text) for n in range(12)), ("name0",), text)
    attempt = Tried(text, "search:0", Status.REFUTED, "no-exception", text, 1)
    made = replace(one, message=text, evidence=text, path=(step,) * 60, tried=(attempt,) * 40)
    sources = (("src/rows.py", made_findings.ROWS),)
    return Findings((made,) * 1000, (made,) * 1000, (made,) * 1000, sources=sources)


@pytest.mark.parametrize("letter", ["a", "\u5927", "<", "\x00"])
def test_a_thousand_heavy_findings_stay_small_and_what_was_cut_is_said(letter: str) -> None:
    found = heavy(letter * 2000)
    page = html_page(found, "t")
    assert len(page.encode()) < LARGEST
    notes = page.partition('<section class="notes">')[2]
    assert "findings without source, states and attempts: the page is kept small" in notes
    shown = page.count('<details class="finding')
    assert shown == 1000 or f"{1000 - shown:,} more findings are left out" in notes


def test_findings_beyond_the_size_of_a_page_are_counted() -> None:
    page = html_page(made_findings.many(20_000), "t")
    assert len(page.encode()) < LARGEST
    shown = page.count('<details class="finding')
    assert shown > 1_000
    assert f"{20_000 - shown:,} more findings are left out: the JSON holds all of them" in page
