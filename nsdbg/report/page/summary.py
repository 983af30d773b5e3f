"""What stands above the findings: the count of everything, the limits, and what was left out."""

from __future__ import annotations

from collections.abc import Sequence

from nsdbg.claim import Status
from nsdbg.finding import Findings, Level, Limit
from nsdbg.report.formats.sentences import (
    counted,
    in_percent,
    is_about_runs,
    kinds,
    looked_at,
)
from nsdbg.report.page.foreign import html, sentence

MOST_NOTES = 50
LONGEST_NOTE = 300
MOST_LIMITS = 50


def lead(found: Findings) -> str:
    """Return the one sentence that somebody in a hurry reads."""
    if not found.findings:
        text = "Nothing new was found"
    else:
        text = kinds(found.findings)
        runs = [one.status for one in found.findings if is_about_runs(one)]
        confirmed = runs.count(Status.CONFIRMED)
        count = f"{confirmed:,}" if confirmed else "none"
        text += f", {count} of them confirmed by runs" if len(runs) > 1 else ""
    looked = looked_at(found)
    took = f" in {found.seconds:.1f}&nbsp;s" if looked and found.seconds else ""
    return html(f"{text}; {looked}" if looked else text) + f"{took}."


def tiles(found: Findings) -> str:
    """Return the counts."""
    counts = [
        (number, f"{level.value}s" if number > 1 else level.value, level.value)
        for level in Level
        if (number := sum(one.weight is level for one in found.findings))
    ] or [(0, "findings", "none")]
    counts += [(len(found.known), "known", "")] if found.known else []
    counts += [(len(found.ignored), "ignored", "")] if found.ignored else []
    broken = sum(not one.kept for one in found.limits)
    if found.limits:
        word = "limit exceeded" if broken == 1 else "limits exceeded"
        counts.append((broken, word, "error" if broken else "none"))
    cells = "".join(
        f'<div class="tile {kind}"><dt>{word}</dt><dd>{number:,}</dd></div>'
        for number, word, kind in counts
    )
    return f'<dl class="tiles">{cells}</dl>'


def limits(found: Findings) -> str:
    """Return the measured shares against their limits."""
    if not found.limits:
        return ""
    rows = "".join(_limit(one) for one in found.limits[:MOST_LIMITS])
    return (
        '<section class="limits"><h2>Limits</h2><table><thead><tr><th scope="col">measured</th>'
        '<th scope="col">share</th><th scope="col">limit</th><th scope="col">of</th>'
        f'<th scope="col">result</th></tr></thead><tbody>{rows}</tbody></table></section>'
    )


def _limit(one: Limit) -> str:
    word, mark = ("within", "&#x2713;") if one.kept else ("exceeded", "&#x2717;")
    return (
        f'<tr class="{word}"><th scope="row">{html(one.name.replace("-", " "), 120)}</th>'
        f"<td>{in_percent(one.measured)}</td><td>{in_percent(one.limit)}</td>"
        f"<td>{one.count:,} of {one.of:,}</td>"
        f'<td><span aria-hidden="true">{mark}</span> {word}</td></tr>'
    )


def notes(found: Findings, own: Sequence[str]) -> str:
    """Return what was left out: `own` notes are the page's."""
    told = [sentence(text, LONGEST_NOTE) for text in (*own, *found.notes[:MOST_NOTES])]
    left = len(found.notes) - MOST_NOTES
    told += [f"and {counted(left, 'more note')}"] if left > 0 else []
    if not told:
        return ""
    items = "".join(f"<li>{text}</li>" for text in told)
    return f'<section class="notes"><h2>Notes</h2><ul>{items}</ul></section>'
