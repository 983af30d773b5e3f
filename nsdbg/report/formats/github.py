"""Findings as annotations of a GitHub workflow: commands on lines that the runner reads.

GitHub shows ten annotations of each kind for a step and fifty for a run; what is more is listed as
plain lines, which stay in the job's log.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from nsdbg.finding import Finding, Findings, Level
from nsdbg.report.formats.sentences import (
    accepted,
    brief,
    counted,
    details,
    left_out,
    limit_told,
    line_of,
    ordered,
    spot,
    summary,
)

# https://docs.github.com/en/actions, "Limits": per step, for errors, warnings and notices each.
MOST_ANNOTATIONS = 10
MOST_LISTED = 1000
MOST_NOTES = 100
LONGEST_TITLE = 200
LONGEST_FILE = 1000
LONGEST = 2000
LONGEST_LINE = 500

_COMMANDS = {Level.ERROR: "error", Level.WARNING: "warning", Level.NOTE: "notice"}


def github_annotations(found: Findings) -> str:
    """Return the lines for a step's standard output."""
    return "".join(f"{line}\n" for line in _lines(found))


def _lines(found: Findings) -> Iterator[str]:
    shown: Counter[Level] = Counter()
    rest = []
    for one in ordered(found.findings):
        # The last place among the notices is for the word about what is left out.
        room = MOST_ANNOTATIONS - (one.weight is Level.NOTE)
        if shown[one.weight] < room:
            shown[one.weight] += 1
            yield _annotation(one)
        else:
            rest.append(one)
    if rest:
        yield _cut(len(rest))
    for one in rest[:MOST_LISTED]:
        where = "" if one.place is None else f"{spot(one.place)}: "
        yield "nsdbg: " + brief(f"{one.weight.value}: {where}{one.message}", LONGEST_LINE)
    if len(rest) > MOST_LISTED:
        yield "nsdbg: " + left_out(len(rest) - MOST_LISTED, "--output json=PATH writes all of them")
    for limit in found.limits:
        yield "nsdbg: " + brief(limit_told(limit), LONGEST_LINE)
    for note in found.notes[:MOST_NOTES]:
        yield "nsdbg: note: " + brief(note, LONGEST_LINE)
    if accepted(found):
        yield f"nsdbg: {accepted(found)}"
    yield f"nsdbg: {summary(found)}"


def _cut(number: int) -> str:
    are = "is" if number == 1 else "are"
    text = (
        f"{counted(number, 'more finding')} {are} listed in this step's log only: GitHub shows "
        f"{MOST_ANNOTATIONS} errors, {MOST_ANNOTATIONS} warnings and {MOST_ANNOTATIONS} notices "
        "for a step"
    )
    return f"::notice title=nsdbg::{text}"


def _annotation(one: Finding) -> str:
    """Return one command: its properties, and a message whose line ends are escaped."""
    properties = []
    if one.place is not None:
        properties.append(f"file={_property(brief(one.place.file, LONGEST_FILE))}")
        properties.append(f"line={line_of(one.place)}")
    properties.append(f"title={_property(brief(f'nsdbg: {one.rule.title}', LONGEST_TITLE))}")
    message = "%0A".join(_data(line) for line in _told(one))
    return f"::{_COMMANDS[one.weight]} {','.join(properties)}::{message}"


def _told(one: Finding) -> Iterator[str]:
    yield brief(one.message, LONGEST)
    yield from details(one, LONGEST)


def _data(text: str) -> str:
    """Escape as the runner undoes it: https://github.com/actions/toolkit, `escapeData`."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """Escape a property, in which a colon and a comma mean something too."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
