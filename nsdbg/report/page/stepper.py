"""The states on the way to a finding: a list that a script turns into steps forth and back."""

from __future__ import annotations

from nsdbg.finding import Step
from nsdbg.report.formats.sentences import line_of
from nsdbg.report.page.foreign import attribute, html
from nsdbg.report.page.listing import Listing

MOST_STEPS = 80
MOST_LOCALS = 40
LONGEST_VALUE = 300
LONGEST_NAME = 80
# The words of pdb and what they mean, for who does not know them.
_EVENTS = {
    "call": "entered",
    "line": "about to run",
    "return": "returns",
    "exception": "raised",
}


def stepper(key: str, path: tuple[Step, ...], listing: Listing) -> str:
    """Return the states as a group, "" where there are none; the last ones when they are many."""
    if not path:
        return ""
    kept = path[-MOST_STEPS:]
    cut = f"The last {len(kept)} of {len(path):,} are shown." if len(kept) < len(path) else ""
    items = "".join(_item(step, listing) for step in kept)
    count = len(kept)
    return (
        f'<div class="walk" role="group" aria-labelledby="{key}-w">'
        f'<h4 id="{key}-w">States on the way <span class="count">{count}</span></h4>'
        f"{f'<p class=hint>{cut}</p>' if cut else ''}"
        f'<div class="bar needs-js" role="group" aria-label="Steps">'
        f'<button type="button" class="prev" aria-label="Previous state">{_ARROW_BACK}</button>'
        f'<input type="range" class="at" min="1" max="{count}" value="{count}" step="1" '
        f'aria-label="State">'
        f'<button type="button" class="next" aria-label="Next state">{_ARROW_ON}</button>'
        f'<span class="where" aria-hidden="true"></span></div>'
        f'<ol class="steps">{items}</ol></div>'
    )


_ARROW_BACK = '<svg aria-hidden="true" viewBox="0 0 16 16"><path d="M10.5 3L5 8l5.5 5"/></svg>'
_ARROW_ON = '<svg aria-hidden="true" viewBox="0 0 16 16"><path d="M5.5 3L11 8l-5.5 5"/></svg>'


def _item(step: Step, listing: Listing) -> str:
    place = step.place
    anchor = listing.anchor(place)
    spot = html(f"{place.file.rpartition('/')[2]}:{line_of(place)}", LONGEST_NAME)
    named = f'<a href="#{anchor}">{spot}</a>' if anchor else f"<span>{spot}</span>"
    function = f" in <code>{html(place.function, LONGEST_NAME)}</code>" if place.function else ""
    event = _EVENTS.get(step.event)
    told = event if event is not None else html(step.event, 40)
    kind = step.event if event is not None else "other"
    arg = f' <code class="arg">{html(step.arg, LONGEST_VALUE)}</code>' if step.arg else ""
    line = f'<pre class="at-line"><code>{html(place.text, 240)}</code></pre>' if place.text else ""
    return (
        f"<li{_line_of(anchor)}>"
        f'<p class="spot">{named}{function}</p>{line}'
        f'<p class="event {attribute(kind)}"><span>{told}</span>{arg}</p>{_locals(step)}</li>'
    )


def _locals(step: Step) -> str:
    if not step.locals:
        return '<p class="hint">no locals are known</p>'
    changed = set(step.changed)
    rows = "".join(_row(name, text, name in changed) for name, text in step.locals[:MOST_LOCALS])
    left = len(step.locals) - MOST_LOCALS
    more = f'<p class="hint">{left:,} more locals</p>' if left > 0 else ""
    return (
        '<table class="locals"><caption class="vh">Locals</caption><thead class="vh"><tr>'
        '<th scope="col">name</th><th scope="col">value</th><th scope="col">changed</th></tr>'
        f"</thead><tbody>{rows}</tbody></table>{more}"
    )


def _row(name: str, text: str, changed: bool) -> str:
    mark = '<span class="mark">changed</span>' if changed else ""
    return (
        f'<tr{" class=ch" if changed else ""}><th scope="row">{html(name, LONGEST_NAME)}</th>'
        f"<td>{html(text, LONGEST_VALUE)}</td><td>{mark}</td></tr>"
    )


def _line_of(anchor: str | None) -> str:
    return f' data-line="{anchor}"' if anchor else ""
