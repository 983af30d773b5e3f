"""Findings as one self-contained page: style and script inside, nothing fetched, no script needed.

The page's policy allows its own style and script by their hashes, and nothing else: what a text
from outside might smuggle in would not run.  The size is bounded; what was cut is said on the page.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from string import Template

from nsdbg.finding import Finding, Findings
from nsdbg.report.formats.sentences import counted, left_out, ordered
from nsdbg.report.page import badges, summary
from nsdbg.report.page.card import brief, card, detail
from nsdbg.report.page.foreign import html
from nsdbg.report.page.highlight import Source

# Bytes, without style and script.
LARGEST_PAGE = 4_600_000
# So much is kept for sentences and calls: details give way first.
FOR_DETAILS = 3_000_000
LARGEST_DETAIL = 400_000
LONGEST_TITLE = 200
MOST_ACCEPTED = 300
MOST_SOURCES_OPEN = 1


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
    shown: list[str] = []
    size = detailed = without = 0
    for number, one in enumerate(found, 1):
        more = ""
        if detailed < FOR_DETAILS:
            more = detail(f"f{number}", one, sources)
            fits = _bytes(more) <= min(LARGEST_DETAIL, FOR_DETAILS - detailed)
            more = more if fits else ""
            detailed += _bytes(more)
            without += not fits
        elif one.suspects or one.path or one.tried:
            without += 1
        text = card(f"f{number}", one, more or _no_detail(one), number <= MOST_SOURCES_OPEN)
        size += _bytes(text)
        if size > LARGEST_PAGE:
            break
        shown.append(text)
    cut = []
    if without:
        cut.append(f"{counted(without, 'finding')} without source, states and attempts: the page "
                   "is kept small; the JSON holds all of it")  # fmt: skip
    if len(shown) < len(found):
        cut.append(left_out(len(found) - len(shown), "the JSON holds all of them"))
    return f'<ol class="findings">{"".join(shown)}</ol>', tuple(cut)


def _bytes(text: str) -> int:
    return len(text.encode())


def _no_detail(one: Finding) -> str:
    if not (one.suspects or one.path or one.tried):
        return ""
    return '<p class="hint">Source, states and attempts are left out to keep this page small.</p>'


def _accepted(title: str, found: Sequence[Finding]) -> str:
    if not found:
        return ""
    items = "".join(brief(one) for one in found[:MOST_ACCEPTED])
    left = len(found) - MOST_ACCEPTED
    more = f'<p class="hint">{left:,} more are not shown</p>' if left > 0 else ""
    return (
        f'<details class="accepted"><summary>{title} <span class="count">{len(found):,}</span>'
        f"</summary><ul>{items}</ul>{more}</details>"
    )
