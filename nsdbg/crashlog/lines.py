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
# What in a prefix tells who wrote the line: `[101]`, `pid=101`, `worker-3`, `rank0`, srun's `0: `.
SOURCE = re.compile(
    r"(^\d+(?=:(?: |$))|\[\d+(?:,\d+)*\]|\bpid[ =:]+\d+|(?<![\dA-Za-z])[A-Za-z]+[-_]?\d+(?![\w:]))"
)
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
        prefix = prefix_pattern(head, same_source=True)
        if not any(prefix.match(text) for text in _following(lines, index, _PEEK * 4)):
            prefix = prefix_pattern(head)
        rests = [text[found.end() :] for text in following if (found := prefix.match(text))]
        if rests or not following:
            return Margin(prefix, _file_width(rests, 0))
        return Margin(None, _file_width(following, 0))
    return Margin(None, _file_width(following, len(head)))


def _following(lines: Sequence[Line], index: int, count: int = _PEEK) -> list[str]:
    found: list[str] = []
    for line in lines[index + 1 : index + 1 + 3 * count]:
        if line.text[:1] == BOUNDARY or len(found) == count:
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


def prefix_pattern(head: str, same_source: bool = False) -> re.Pattern[str]:
    """Return a pattern for a logger's prefix: numbers differ, and so does the space after it.

    `same_source`: the numbers of processes, threads and workers do not differ.
    """
    shape = ""
    for number, part in enumerate(SOURCE.split(head.rstrip())):
        if number % 2 and same_source:
            shape += re.escape(part)
        else:
            digits = re.split(r"(\d+)", part)
            shape += "".join(r"\d+" if one.isdigit() else _flexible(one) for one in digits)
    return re.compile(f"{shape}[ \\t]{{0,{len(head) - len(head.rstrip())}}}")


def _flexible(text: str) -> str:
    """Return a pattern for text whose runs of spaces differ, as padding of numbers does."""
    return r"[ \t]+".join(re.escape(word) for word in re.split(r"[ \t]+", text))


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

    def foreign(self, end: int) -> list[Line]:
        """Return the lines of others before index `end` of the log."""
        own = {index for index, _ in self._own}
        return [self.lines[at] for at in range(self.start, end) if at not in own]

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
        last = min(i, len(self._own)) - 1
        return self._own[last][0] + 1 if last >= 0 else self.start

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
