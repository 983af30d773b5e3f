"""The lines of one crash without the margin that a logger, a terminal or a paste put before them.

Nothing about tracebacks is known here but the column at which one begins.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from nsdbg.crashlog.text import Members

BOUNDARY = (
    "\x1e"  # between the records of an envelope; control characters of the log never get here
)
_FOREIGN_LIMIT = 300  # lines of others inside one crash; more means that it was cut
_PEEK = 4
_LONGEST_PREFIX = 1000  # characters; what is longer is a progress bar or a paste on one line


class Line(NamedTuple):
    """A line of the log: its number, from 1, and its text without the line end."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Margin:
    """What stands before each line of a block.

    `prefix` matches a logger's prefix with other times and numbers; without one, `width`
    characters of white space are cut.  `width` is also cut after a prefix.
    """

    prefix: re.Pattern[str] | None = None
    width: int = 0

    def strip(self, text: str) -> str | None:
        """Return the line's own text, or None when the line is somebody else's."""
        if self.prefix is not None:
            found = self.prefix.match(text)
            if found is not None:
                return self._cut(text[found.end() :])
            return text if not text or text[0] in " \t" else None
        return self._cut(text)

    def _cut(self, text: str) -> str | None:
        if not self.width or not text.strip():
            return text
        if text[: self.width].isspace():
            return text[self.width :]
        return None


def margin_at(lines: Sequence[Line], index: int, column: int) -> Margin:
    """Find the margin of the block whose first line has its own text at `column`.

    A prefix counts when one of the next lines has it too.  White space before the block is cut
    as far as its `File` lines stand to the right of their due place.
    """
    head = lines[index].text[:column]
    following = _following(lines, index)
    if len(head) > _LONGEST_PREFIX:
        return Margin(None, _file_width(following, 0))
    if head.strip():
        prefix = prefix_pattern(head)
        rests = [text[found.end() :] for text in following if (found := prefix.match(text))]
        if rests or not following:
            return Margin(prefix, _file_width(rests, 0))
        return Margin(None, _file_width(following, 0))
    return Margin(None, _file_width(following, len(head)))


def _following(lines: Sequence[Line], index: int) -> list[str]:
    found: list[str] = []
    for line in lines[index + 1 : index + 1 + 3 * _PEEK]:
        if line.text[:1] == BOUNDARY or len(found) == _PEEK:
            break
        if line.text.strip():
            found.append(line.text)
    return found


def _file_width(texts: Sequence[str], default: int) -> int:
    """Return how far a block's lines stand to the right of their due place."""
    for text in texts:
        bare = text.lstrip(" \t")
        if bare.startswith('File "'):
            return max(0, len(text) - len(bare) - 2)
    return default


def prefix_pattern(head: str) -> re.Pattern[str]:
    """Return a pattern for a logger's prefix: numbers differ, and so does the space after it."""
    parts = re.split(r"(\d+)", head.rstrip())
    shape = "".join(r"\d+" if part.isdigit() else re.escape(part) for part in parts)
    return re.compile(f"{shape}[ \\t]{{0,{len(head) - len(head.rstrip())}}}")


@dataclass(slots=True)
class Block:
    """A crash's own lines, counted from 0, made on demand so that nothing is read twice.

    `text(i)` is None behind the last one: at a boundary, at the end of what was read, or where
    others' lines go on for long.  `ends` is the index in `lines` behind own line `i`.
    """

    lines: Sequence[Line]
    start: int
    margin: Margin
    first: str | None = None
    exact: bool = False
    _own: list[tuple[int, str]] = field(default_factory=list)
    _done: bool = False

    def text(self, i: int) -> str | None:
        """Return the own line `i`, or None behind the end."""
        while len(self._own) <= i and not self._done:
            self._advance()
        return self._own[i][1] if i < len(self._own) else None

    def gap(self, i: int) -> bool:
        """Whether lines of others stand between own line `i` and the one before."""
        self.text(i)
        return 0 < i < len(self._own) and self._own[i][0] - self._own[i - 1][0] > 1

    def members(self, i: int) -> Members | None:
        """Return None: a group's art is unfolded into other texts."""
        return None

    def ends(self, i: int) -> int:
        """Return the index in `lines` from which reading goes on when own lines before `i` were
        this crash's."""
        self.text(i)
        if i < len(self._own):
            return self._own[i][0]
        return self._own[-1][0] + 1 if self._own else self.start + 1

    def number(self, i: int) -> int:
        """Return the log's number of own line `i`."""
        return self.lines[self._own[i][0]].number

    def _advance(self) -> None:
        at = self._own[-1][0] + 1 if self._own else self.start
        if not self._own and self.first is not None:
            self._own.append((self.start, self.first))
            return
        for index in range(at, min(len(self.lines), at + _FOREIGN_LIMIT)):
            text = self.lines[index].text
            if text[:1] == BOUNDARY:
                break
            own = self.margin.strip(text)
            if own is not None:
                self._own.append((index, own))
                return
        self._done = True
