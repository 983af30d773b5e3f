"""The page in a real browser: by keyboard, in both themes, on narrow screens, without a script."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import made_findings
import pytest
from chromium import Chromium, installed

from nsdbg.finding import Findings, Place, Step, Suspicion
from nsdbg.report.page import html_page

BINARY = installed()
pytestmark = pytest.mark.skipif(BINARY is None, reason="no Chromium is here to show the page")

# Yields the texts whose contrast is below what WCAG 2.1 AA asks for, with the colours found.
CONTRAST = """
(() => {
  const parse = (text) => {
    const found = text.match(/[\\d.]+/g).map(Number);
    return [found[0], found[1], found[2], found.length > 3 ? found[3] : 1];
  };
  const over = (top, below) => top.slice(0, 3)
    .map((part, at) => part * top[3] + below[at] * (1 - top[3])).concat(1);
  const ground = (element) => {
    const layers = [];
    for (let one = element; one; one = one.parentElement) {
      layers.push(parse(getComputedStyle(one).backgroundColor));
    }
    return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255, 1]);
  };
  const light = (colour) => {
    const [r, g, b] = colour.slice(0, 3).map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const weak = [];
  let count = 0;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const hidden = !element.checkVisibility() || element.closest(".vh, script, :disabled");
    if (!walker.currentNode.textContent.trim() || hidden) continue;
    const below = ground(element);
    const style = getComputedStyle(element);
    const [one, other] = [light(over(parse(style.color), below)), light(below)];
    const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
    count += 1;
    if (ratio < (large ? 3 : 4.5)) {
      weak.push(`${ratio.toFixed(2)} ${element.className} ${walker.currentNode.textContent}`);
    }
  }
  return [count, weak];
})()
"""
FOCUSED = "document.activeElement.closest('details')?.id || document.activeElement.id"
OPENED = "[...document.querySelectorAll('details.finding[open]')].map((one) => one.id)"
STATE = "document.querySelector('#f1 .bar .where').textContent"
LINE_NOW = "[...document.querySelectorAll('.ln.now .no')].map((one) => one.textContent)"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    assert BINARY is not None
    with ExitStack() as stack:
        try:
            chromium = Chromium(BINARY, tmp_path_factory.mktemp("profile"))
            running = stack.enter_context(chromium)
        except (OSError, EOFError) as error:
            pytest.skip(f"Chromium is here and does not start: {error}")
        yield running


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "page.html"
    path.write_text(html_page(made_findings.ordinary(), "nsdbg gate, main"), encoding="utf-8")
    return path


def test_the_browser_has_nothing_to_complain_about_and_fetches_nothing(
    browser: Chromium, page: Path
) -> None:
    browser.open(page)
    assert browser.value("document.documentElement.className") == "js"
    browser.value("document.querySelector('#expand').click()")
    assert browser.said == []
    assert browser.value("performance.getEntriesByType('resource').length") == 0


def test_findings_are_gone_through_and_opened_by_keyboard(browser: Chromium, page: Path) -> None:
    browser.open(page)
    assert browser.value(OPENED) == ["f1"]
    browser.press("j")
    assert browser.value(FOCUSED) == "f1"
    browser.press("j", "j", "Enter")
    assert browser.value(FOCUSED) == "f3"
    assert browser.value(OPENED) == ["f1", "f3"]
    browser.press("ArrowDown", "ArrowDown", "ArrowDown")
    assert browser.value(FOCUSED) == "f5"  # the last one
    browser.press("ArrowUp", "k")
    assert browser.value(FOCUSED) == "f3"
    browser.press("Enter")
    assert browser.value(OPENED) == ["f1"]


def test_what_has_the_focus_is_framed(browser: Chromium, page: Path) -> None:
    browser.open(page)
    browser.press("j")
    assert browser.value("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    assert browser.value("getComputedStyle(document.activeElement).outlineWidth") == "3px"


def test_the_first_tab_leads_past_the_head(browser: Chromium, page: Path) -> None:
    browser.open(page)
    browser.press("Tab")
    assert browser.value("document.activeElement.className") == "skip"
    assert browser.value("document.activeElement.getBoundingClientRect().left >= 0")
    browser.press("Enter")
    assert browser.value("document.activeElement.id") == "findings"


def test_the_states_are_stepped_through_and_their_line_is_marked(
    browser: Chromium, page: Path
) -> None:
    browser.open(page)
    shown = "[...document.querySelectorAll('#f1 .steps > li')].filter((one) => !one.hidden)"
    assert browser.value(f"{shown}.length") == 1
    assert (browser.value(STATE), browser.value(LINE_NOW)) == ("4 of 4", ["14"])
    browser.press("p")
    assert (browser.value(STATE), browser.value(LINE_NOW)) == ("3 of 4", ["12"])
    assert browser.value(f"{shown}[0].querySelector('.spot').textContent") == (
        "rows.py:12 in parse_row"
    )
    told = browser.value("document.getElementById('live').textContent")
    assert told == (
        "State 3 of 4: rows.py:12 in parse_row, about to run; cells = [], part = ''"
    )  # fmt: skip
    browser.press("p", "p", "p", "p")
    assert (browser.value(STATE), browser.value(LINE_NOW)) == ("1 of 4", ["4"])
    assert browser.value("document.querySelector('#f1 .prev').disabled")
    browser.press("n")
    assert (browser.value(STATE), browser.value(LINE_NOW)) == ("2 of 4", ["6"])
    browser.value("document.querySelector('#f1 .at').focus()")
    browser.press("ArrowRight")
    assert (browser.value(STATE), browser.value(LINE_NOW)) == ("3 of 4", ["12"])
    assert browser.value("document.querySelector('#f1 .at').ariaValueText ||"
                         "document.querySelector('#f1 .at').getAttribute('aria-valuetext')"
                         ).startswith("state 3 of 4, rows.py:12")  # fmt: skip
    assert browser.value("document.querySelector('.ln.now').getAttribute('aria-current')") == "step"


def test_the_first_state_shown_is_that_of_the_exception(browser: Chromium, tmp_path: Path) -> None:
    one = made_findings.crash()
    after = Step(Place("src/rows.py", 14, "return cells[0]", "parse_row"), "return")
    path = tmp_path / "page.html"
    path.write_text(html_page(Findings((replace(one, path=(*one.path, after)),)), "t"))
    browser.open(path)
    assert browser.value(STATE) == "4 of 5"
    assert browser.value("document.querySelector('.why .raised').textContent").startswith("Index")


def test_the_keys_are_explained_and_the_explanation_closes(browser: Chromium, page: Path) -> None:
    browser.open(page)
    browser.press("?")
    assert browser.value("document.getElementById('help').open")
    assert "next and previous state" in browser.value("document.getElementById('help').textContent")
    browser.press("j")
    assert browser.value("document.getElementById('help').contains(document.activeElement)")
    browser.press("Escape")
    assert not browser.value("document.getElementById('help').open")


def test_findings_are_filtered_by_their_words(browser: Chromium, page: Path) -> None:
    browser.open(page)
    browser.press("/", *"vat")
    shown = "[...document.querySelectorAll('details.finding')].filter((one) => "
    shown += "one.checkVisibility()).map((one) => one.id)"
    assert browser.value(shown) == ["f2"]
    assert browser.value("document.getElementById('live').textContent") == "1 of 5 findings"
    browser.press("Escape", "j")
    assert browser.value(FOCUSED) == "f2"
    browser.press("/", *"nowhere")
    assert browser.value("document.getElementById('no-match').checkVisibility()")


def test_the_call_is_copied_as_it_is_to_be_pasted(browser: Chromium, page: Path) -> None:
    browser.open(page)
    browser.ask("Browser.grantPermissions", permissions=["clipboardReadWrite"])
    browser.press("c")
    said = "document.querySelector('#f1 .copy').textContent"
    while browser.value(said) == "Copy":
        pass
    assert browser.value(said) == "Copied"
    assert browser.value("navigator.clipboard.readText()") == (
        "from rows import parse_row\nparse_row('')"
    )


@pytest.fixture(scope="module")
def shaded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page with every kind of word on lines of every shade."""
    line = 'def f(a): return "x" + 1  # \u202e'
    suspects = tuple(Suspicion(Place("a.py", n, line, "f"), n / 10, ("pin: `x`",))
                     for n in range(1, 11))  # fmt: skip
    one = replace(made_findings.crash(), suspects=suspects, call="f(1)\u200b")
    found = replace(made_findings.ordinary(), findings=(one, *made_findings.ordinary().findings),
                    sources=(("a.py", f"{line}\n" * 12),))  # fmt: skip
    path = tmp_path_factory.mktemp("shaded") / "page.html"
    path.write_text(html_page(found, "t"), encoding="utf-8")
    return path


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_every_text_has_enough_contrast(browser: Chromium, shaded: Path, dark: bool) -> None:
    browser.open(shaded, dark=dark)
    browser.value("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    background = browser.value("getComputedStyle(document.documentElement).backgroundColor")
    assert (background == "rgb(20, 23, 28)") is dark
    for kind in ("kw", "st", "cm", "nu", "df", "esc"):
        assert browser.value(f"document.querySelectorAll('.s9 .{kind}').length") > 0
    browser.press("p")
    count, weak = browser.value(CONTRAST)
    assert count > 300
    assert weak == []


def test_nothing_is_wider_than_the_screen(browser: Chromium, tmp_path: Path) -> None:
    texts = (*made_findings.ODD_TEXTS, "x" * 5000, "a b " * 400)
    pages = [made_findings.all_odd(text) for text in texts]
    whole = Findings(
        tuple(page.findings[0] for page in pages), tuple(page.known[0] for page in pages),
        notes=texts, limits=tuple(page.limits[0] for page in pages),
    )  # fmt: skip
    path = tmp_path / "odd.html"
    path.write_text(html_page(whole, "x" * 150), encoding="utf-8")
    browser.open(path)
    browser.value("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    for width in (320, 400, 760, 1280):
        browser.resize(width, 900)
        assert browser.value("innerWidth") == width
        assert browser.value("document.documentElement.scrollWidth") == width
    assert browser.said == []


def test_without_a_script_everything_can_be_read(browser: Chromium, page: Path) -> None:
    browser.open(page, script=False)
    assert browser.value("document.documentElement.className") == "no-js"
    steps = "[...document.querySelectorAll('#f1 .steps > li')]"
    assert browser.value(f"{steps}.map((one) => one.checkVisibility())") == [True] * 4
    assert browser.value(
        "[...document.querySelectorAll('.needs-js')].some((one) => one.checkVisibility())"
    ) is False  # fmt: skip
    browser.value("document.querySelector('#f2 > summary').focus()")
    browser.press("Enter")
    assert browser.value(OPENED) == ["f1", "f2"]


def test_on_paper_all_states_stand_below_each_other(browser: Chromium, page: Path) -> None:
    browser.open(page, media="print")
    steps = "[...document.querySelectorAll('#f1 .steps > li')]"
    assert browser.value(f"{steps}.map((one) => one.checkVisibility())") == [True] * 4
    assert not browser.value("document.querySelector('.bar').checkVisibility()")
    browser.value("dispatchEvent(new Event('beforeprint'))")
    assert browser.value(OPENED) == ["f1", "f2", "f3", "f4", "f5"]
    browser.value("dispatchEvent(new Event('afterprint'))")
    assert browser.value(OPENED) == ["f1"]


def test_nothing_moves_where_somebody_asked_for_calm(browser: Chromium, page: Path) -> None:
    moving = "[...document.querySelectorAll('*')].filter((one) => ['', '::after', '::before'].some("
    moving += "(part) => getComputedStyle(one, part || null).transitionDuration !== '0s'"
    moving += " || getComputedStyle(one, part || null).animationName !== 'none')).length"
    browser.open(page, calm=True)
    assert browser.value(moving) == 0
    browser.open(page, calm=False)
    assert browser.value(moving) > 0


def test_a_script_that_somebody_smuggled_in_does_not_run(browser: Chromium, page: Path) -> None:
    smuggled = (
        "<script>window.owned = 1</script><img src=x onerror='window.owned = 2'>"
        "<a id=bait href='javascript:window.owned = 3'>x</a><style>h1 { display: none }</style>"
    )
    other = page.with_name("smuggled.html")
    other.write_text(page.read_text().replace("<main>", f"<main>{smuggled}"), encoding="utf-8")
    browser.open(other)
    browser.value("document.getElementById('bait').click()")
    assert browser.value("typeof window.owned") == "undefined"
    assert browser.value("document.querySelector('h1').checkVisibility()")
    assert browser.value("document.documentElement.className") == "js"


def test_a_line_in_a_closed_finding_is_opened_when_it_is_gone_to(
    browser: Chromium, tmp_path: Path
) -> None:
    one = made_findings.crash()
    path = tmp_path / "two.html"
    sources = (("src/rows.py", made_findings.ROWS),)
    path.write_text(html_page(Findings((one, one), sources=sources), "t"), encoding="utf-8")
    browser.open(path)
    assert browser.value(OPENED) == ["f1"]
    browser.value("location.hash = '#f2-0-13'")
    while browser.value(OPENED) != ["f1", "f2"]:
        pass
    assert browser.value("document.querySelector('#f2-0-13').checkVisibility()")


@pytest.mark.slow
def test_a_thousand_findings_are_shown_and_gone_through(browser: Chromium, tmp_path: Path) -> None:
    path = tmp_path / "many.html"
    path.write_text(html_page(made_findings.many(1000), "many"), encoding="utf-8")
    browser.open(path)
    assert browser.value("document.querySelectorAll('details.finding').length") == 1000
    browser.press("k", "j", "j")
    assert browser.value(FOCUSED) == "f3"
    browser.press("/")
    browser.ask("Input.insertText", text="('998')")
    assert browser.value("document.getElementById('live').textContent") == "1 of 1000 findings"
    assert browser.said == []
