"""The lines of source around a finding, for the formats that a person reads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nsdbg.finding import Findings, Place
from nsdbg.report.formats.sentences import brief, line_of

BEFORE = 2
AFTER = 1
# Python counts these as ends of lines and no others: `str.splitlines` has some of its own.
_ENDS = re.compile("\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A line to be shown: `marked` is the one that a finding names."""

    lineno: int
    text: str
    marked: bool


class Sources:
    """The files that came with findings, each split once."""

    def __init__(self, found: Findings) -> None:
        self._texts = dict(found.sources)
        self._lines: dict[str, list[str]] = {}

    def around(self, place: Place) -> list[SourceLine]:
        """Return a line with its neighbours, shared indentation and empty lines around left out.

        Where the file did not come along, or ends before, the line alone as the place has it; or
        nothing when the place has none.
        """
        lines, lineno = self._of(place.file), line_of(place)
        if lineno > len(lines):
            return [SourceLine(lineno, place.text, True)] if place.text else []
        first, last = max(1, lineno - BEFORE), min(len(lines), lineno + AFTER)
        shown = {n: lines[n - 1].expandtabs(4) for n in range(first, last + 1)}
        filled = [text for text in shown.values() if text.strip()]
        common = min((len(text) - len(text.lstrip()) for text in filled), default=0)
        made = [SourceLine(n, text[common:].rstrip(), n == lineno) for n, text in shown.items()]
        while not made[-1].text and not made[-1].marked:
            made.pop()
        while not made[0].text and not made[0].marked:
            made.pop(0)
        return made

    def _of(self, file: str) -> list[str]:
        if file not in self._lines:
            self._lines[file] = _ENDS.split(self._texts[file]) if file in self._texts else []
        return self._lines[file]


def numbered(lines: Sequence[SourceLine], limit: int) -> Iterator[str]:
    """Yield harmless lines behind their numbers, the one named marked, each text cut."""
    digits = len(str(lines[-1].lineno)) if lines else 0
    for line in lines:
        mark = ">" if line.marked else " "
        yield f"{mark} {line.lineno:>{digits}} | {brief(line.text, limit)}".rstrip()
