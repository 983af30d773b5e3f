"""Lines that a terminal broke at its width, and lines that a copy from it glued together: the
`File` line is put together, or apart, again."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nsdbg.crashlog.carriers.wrapping import Carrier
from nsdbg.crashlog.frames import frame_of
from nsdbg.crashlog.lines import BOUNDARY, Line

_BROKEN = re.compile(
    r'^\s*(?:> )?File "[^"]*(?:"(?:,(?: (?:l(?:i(?:n(?:e(?: (?:\d+,?(?: i?)?)?)?)?)?)?)?)?)?)?$'
)
_NARROW = 30  # a terminal is wider
# A source line, the blanks up to the terminal's width, and the next line.
_GLUED = re.compile(r'^(?P<source> {4,}\S.*?\S) {4,}(?P<file>File "[^"\n]+", line \d+, in \S.*)$')


def _unwrap(lines: Sequence[Line]) -> list[Line] | None:
    found: list[Line] = []
    changed = False
    skip = 0
    for i, line in enumerate(lines):
        if skip:
            skip -= 1
            continue
        if glued := _GLUED.match(line.text) if 'File "' in line.text else None:
            changed = True
            found += [Line(line.number, glued["source"]), Line(line.number, f"  {glued['file']}")]
            continue
        joined = _joined(lines, i) if 'File "' in line.text and len(line.text) > _NARROW else None
        if joined is not None:
            changed = True
            skip = joined[1]
            line = Line(line.number, joined[0])
        found.append(line)
    return found if changed else None


def _joined(lines: Sequence[Line], i: int) -> tuple[str, int] | None:
    """Return a broken `File` line made whole, and how many lines it took from below."""
    text = lines[i].text
    if not _BROKEN.match(text.rstrip()):
        return None
    if (frame := frame_of(text)) and frame.function is not None:
        return None
    for taken in (1, 2):
        if i + taken >= len(lines) or lines[i + taken].text[:1] == BOUNDARY:
            return None
        for glue in ("", " "):
            whole = text.rstrip() + glue + lines[i + taken].text.strip()
            frame = frame_of(whole)
            if frame is not None and frame.function is not None:
                return whole, taken
        text = text + lines[i + taken].text.strip()
    return None


CARRIER = Carrier("wrapped", "lines that a terminal broke at its width, or glued", _unwrap)
