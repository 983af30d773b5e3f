"""Findings as one self-contained page: style and script inside, nothing fetched, no script needed.

The page's policy allows its own style and script by their hashes, and nothing else: what a text
from outside might smuggle in would not run.  The size is bounded; what was cut is said on the page.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from string import Template

from nsdbg.finding import Finding, Findings
from nsdbg.report.formats.sentences import counted, left_out, ordered
from nsdbg.report.page import badges, summary
from nsdbg.report.page.card import brief, card, detail
from nsdbg.report.page.foreign import html
from nsdbg.report.page.highlight import Source

# Bytes for all findings; style, script, notes and accepted findings make it up to five million.
LARGEST_LIST = 4_300_000
# Of these so many for source, states and attempts, which give way before sentences and calls.
LARGEST_DETAILS = 2_400_000
LARGEST_DETAIL = 1_000_000
# Bytes for what the baseline accepts, and again for what comments ignore.
LARGEST_ACCEPTED = 200_000
LONGEST_TITLE = 200
# Of more findings a browser lays out only those that can be seen.
FEW = 50


def html_page(findings: Findings, title: str) -> str:
    """Return the page; `title` says what was examined, as `nsdbg gate, main`."""
    style, script = _part("page.css"), _part("page.js")
    cards, cut = _cards(ordered(findings.findings), findings)
    values = {
        "policy": f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'",
        "title": html(title, LONGEST_TITLE) or "nsdbg",
        "style": style,
        "script": script,
        "symbols": badges.SYMBOLS,
        "lead": summary.lead(findings),
        "tiles": summary.tiles(findings),
        "limits": summary.limits(findings),
        "findings": cards,
        "known": _accepted("Known, accepted by the baseline", findings.known),
        "ignored": _accepted("Ignored by a comment", findings.ignored),
        "notes": summary.notes(findings, cut),
    }  # fmt: skip
    return Template(_part("page.html")).substitute(values)


@cache
def _part(name: str) -> str:
    return files("nsdbg.report.page").joinpath(name).read_text(encoding="utf-8").strip()


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def _cards(found: Sequence[Finding], findings: Findings) -> tuple[str, tuple[str, ...]]:
    """Return the findings as a list, and what is to be said about what was cut."""
    if not found:
        return '<p class="nothing">Nothing to look at.</p>', ()
    sources = {name: Source(text) for name, text in findings.sources}
    details = _Details(sources)
    shown: list[str] = []
    size = 0
    for number, one in enumerate(found, 1):
        key = f"f{number}"
        text = card(key, one, details.of(key, one), is_open=number == 1)
        size += _bytes(text)
        if size > LARGEST_LIST:
            break
        shown.append(text)
    cut = []
    if details.without:
        cut.append(
            f"{counted(details.without, 'finding')} without source, states and attempts: the page "
            "is kept small; the JSON holds all of it"
        )
    if len(shown) < len(found):
        cut.append(left_out(len(found) - len(shown), "the JSON holds all of them"))
    kind = "findings many" if len(shown) > FEW else "findings"
    return f'<ol class="{kind}">{"".join(shown)}</ol>', tuple(cut)


def _bytes(text: str) -> int:
    return len(text.encode())


class _Details:
    """The details of findings, as long as there is room for them."""

    def __init__(self, sources: Mapping[str, Source]) -> None:
        self._sources = sources
        self._left = LARGEST_DETAILS
        # What is made and does not fit has cost its time all the same.
        self._work = 2 * LARGEST_DETAILS
        self.without = 0

    def of(self, key: str, one: Finding) -> str:
        """Return a finding's details, or a word where there is no room for them."""
        if not (one.place or one.suspects or one.path or one.tried):
            return ""
        if self._work > 0:
            text = detail(key, one, self._sources)
            size = _bytes(text)
            self._work -= size
            if size <= min(LARGEST_DETAIL, self._left):
                self._left -= size
                return text
        self.without += 1
        return '<p class="hint">Source, states and attempts are left out: there is no room.</p>'


def _accepted(title: str, found: Sequence[Finding]) -> str:
    if not found:
        return ""
    items: list[str] = []
    left = LARGEST_ACCEPTED
    for one in found:
        text = brief(one)
        left -= _bytes(text)
        if left < 0:
            break
        items.append(text)
    hidden = len(found) - len(items)
    more = f'<p class="hint">{left_out(hidden, "the JSON holds all of them")}</p>' if hidden else ""
    return (
        f'<details class="accepted"><summary>{title} <span class="count">{len(found):,}</span>'
        f"</summary><ul>{''.join(items)}</ul>{more}</details>"
    )
