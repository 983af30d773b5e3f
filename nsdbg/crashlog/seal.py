"""nsdbg's own records in a log, sealed: as lines in which no carrier finds anything to take off.

A record holds messages and values that look like anything: HTML, escapes, other tracebacks.  What
a record says is its dialect's affair.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Sequence

from nsdbg.crashlog.lines import BOUNDARY, Line

SCHEMA = "nsdbg.crash/1"
_SEAL = "\x1f"  # the log's own control characters do not get this far
_DEPTH = 12
_decoder = json.JSONDecoder()


def seal(number: int, record: object) -> list[Line]:
    """Return a record as a sealed line between boundaries."""
    text = base64.b64encode(json.dumps(record).encode()).decode()
    return [Line(number, BOUNDARY), Line(number, _SEAL + text), Line(number, BOUNDARY)]


def is_made(line: Line) -> bool:
    """Whether a line is none of the log's: a boundary or a sealed record."""
    return line.text[:1] in (BOUNDARY, _SEAL)


def unsealed(line: Line) -> object:
    """Return the record that a line holds, None for every other line.

    One that is no record may begin so too: a string's repr can spell out any character.
    """
    if not line.text.startswith(_SEAL):
        return None
    try:
        return json.loads(base64.b64decode(line.text[1:]))
    except (ValueError, RecursionError):
        return None


def seal_records(lines: Sequence[Line]) -> list[Line]:
    """Return the lines with every record in them sealed, whatever it is wrapped in."""
    found: list[Line] = []
    for line in lines:
        records = list(_in_text(line.text, 0)) if SCHEMA in line.text else []
        found += [part for one in records for part in seal(line.number, one)] or [line]
    return found


def records_within(value: object, depth: int = 0) -> Iterator[dict[str, object]]:
    """Yield the records inside a value read from JSON."""
    if depth > _DEPTH:
        return
    if isinstance(value, dict):
        if value.get("schema") == SCHEMA:
            yield value
            return
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from records_within(item, depth + 1)
    elif isinstance(value, str) and SCHEMA in value:
        yield from _in_text(value, depth + 1)


def _in_text(text: str, depth: int) -> Iterator[dict[str, object]]:
    """Yield the records of a text that holds one JSON object somewhere."""
    start = text.find('{"')
    if start < 0:
        return
    try:
        value, _ = _decoder.raw_decode(text, start)
    except (ValueError, RecursionError):
        return
    yield from records_within(value, depth)
