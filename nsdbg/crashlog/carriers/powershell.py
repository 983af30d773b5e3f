"""PowerShell 5's record of a program's first line on standard error, inside the output."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nsdbg.crashlog.carriers.wrapping import Carrier
from nsdbg.crashlog.lines import Line

_FIRST = re.compile(r"^[\w.\\:/ -]+? : (?=\S)")
_PLACE = re.compile(r"^\s*(?:At|In|Bei|Au|En) \S.*:\d+ \S+:\d+\s*$")
_END = "FullyQualifiedErrorId"
_LIMIT = 12  # lines of a record, broken at the console's width


def _unwrap(lines: Sequence[Line]) -> list[Line] | None:
    found: list[Line] = []
    end = 0
    for i, line in enumerate(lines):
        if i < end:
            continue
        if _PLACE.match(line.text) and (end := _record(lines, i)):
            if found and (first := _FIRST.match(found[-1].text)):
                found[-1] = Line(found[-1].number, found[-1].text[first.end() :])
            continue
        found.append(line)
    return found if len(found) < len(lines) else None


def _record(lines: Sequence[Line], i: int) -> int:
    """Return the index behind a record whose place is line `i`, 0 where there is none."""
    for at in range(i + 1, min(len(lines), i + _LIMIT)):
        if _END in lines[at].text:
            empty = at + 1 < len(lines) and not lines[at + 1].text.strip()
            return at + 1 + empty
    return 0


CARRIER = Carrier(
    "powershell",
    "PowerShell's record of an error (At line:1 char:1 ...) between a traceback's lines",
    _unwrap,
)
