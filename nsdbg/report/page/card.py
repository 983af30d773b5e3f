"""One finding: its sentence, the call, the source with the states on the way, what was tried."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from nsdbg.finding import Finding
from nsdbg.report.formats.sentences import facts, ground, is_about_runs
from nsdbg.report.page.attempts import attempts
from nsdbg.report.page.badges import badge, weight
from nsdbg.report.page.foreign import html, sentence
from nsdbg.report.page.highlight import Source
from nsdbg.report.page.listing import Listing, marks_of
from nsdbg.report.page.stepper import stepper

LONGEST_MESSAGE = 600
LONGEST_NAME = 300
LONGEST_CALL = 4_000
LONGEST_TEXT = 1_500


def card(key: str, one: Finding, detail: str, is_open: bool) -> str:
    """Return a finding to open and close; `detail` goes below its facts."""
    return (
        f'<li><details class="finding {one.weight.value}" id="{key}"{" open" if is_open else ""}>'
        f'<summary><span class="head">{_badge(one)}'
        f'<span class="says" role="heading" aria-level="3">{_says(one)}</span></span>'
        f'<span class="facts">{"".join(_facts(one))}</span></summary>'
        f'<div class="body">{"".join(_body(key, one))}{detail}</div></details></li>'
    )


def brief(one: Finding) -> str:
    """Return a finding as one item of a list: for what is known or ignored."""
    told = f'<span class="facts">{"".join(_facts(one))}</span>'
    return f"<li>{_badge(one)} {_says(one)} {told}</li>"


def detail(key: str, one: Finding, sources: Mapping[str, Source]) -> str:
    """Return what takes room: the source, the states, what was tried."""
    marks = marks_of(one)
    listing = Listing(key, marks, sources)
    walk = stepper(key, one.path, listing)
    parts = []
    if listing.html:
        head = f'<h4 id="{key}-s">Source</h4>'
        figure = (
            f'<div class="code" role="group" aria-labelledby="{key}-s">{head}'
            f"{_legend(one)}{listing.html}</div>"
        )
        parts.append(f'<div class="pair{" both" if walk else ""}">{figure}{walk}</div>')
    parts.append(attempts(key, one.tried))
    return "".join(parts)


def _legend(one: Finding) -> str:
    marks = []
    if one.suspects:
        marks.append('<span><i class="sw"></i>shaded by suspicion, 0 to 1</span>')
    if one.path:
        marks.append('<span><i class="dot"></i>ran on the way to it</span>')
        marks.append('<span class="needs-js"><i class="tri"></i>the state shown</span>')
    return f'<p class="hint legend">{"".join(marks)}</p>' if marks else ""


def _says(one: Finding) -> str:
    return sentence(one.message, LONGEST_MESSAGE) or html(one.rule.title)


def _facts(one: Finding) -> Iterator[str]:
    yield f"<span>{weight(one.weight)} {one.rule.slug}</span>"
    if one.place is not None:
        spot = html(f"{one.place.file}:{one.place.lineno}", LONGEST_NAME)
        function = one.place.function
        inside = f" in {html(function, 120)}" if function else ""
        yield f'<span><code class="spot">{spot}</code>{inside}</span>'
    if one.origin:
        yield f"<span>from {html(one.origin, LONGEST_NAME)}</span>"
    if one.count > 1:
        yield f"<span>seen {one.count:,} times</span>"
    if one.touched is not None:
        yield f"<span>{'touched' if one.touched else 'not touched'} by the change</span>"


def _body(key: str, one: Finding) -> Iterator[str]:
    if one.call is not None:
        lines = [html(text, LONGEST_CALL) for text in (*one.imports, one.call)]
        shown = "\n".join(lines)
        yield (
            f'<div class="call" role="group" aria-labelledby="{key}-c">'
            f'<h4 id="{key}-c">See it yourself</h4>'
            f'<div class="paste"><pre><code>{shown}</code></pre>'
            '<button type="button" class="copy needs-js">Copy</button></div>'
            '<p class="hint">Paste it into Python, started in the folder that the files are named '
            "from. It runs the code without the guard.</p></div>"
        )
    yield from _versions(one)
    if ground(one):
        yield f'<p class="evidence">{sentence(ground(one), LONGEST_TEXT)}</p>'


def _versions(one: Finding) -> Iterator[str]:
    """Yield what the call did in the two versions, or what was raised; not what is said above."""
    items = "".join(f"<div><dt>{word}</dt><dd>{html(text, LONGEST_TEXT)}</dd></div>"
                    for word, text in facts(one))  # fmt: skip
    if items:
        yield f'<dl class="versions">{items}</dl>'


def _badge(one: Finding) -> str:
    return badge(one.status) if is_about_runs(one) else ""
