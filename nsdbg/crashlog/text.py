"""What a traceback is read from: numbered lines, and exception groups unfolded from their art.

Not files or logs: `lines.Block` is the same over a log, with the margin taken off.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Protocol

ART = re.compile(r"^(?P<indent>[ \t]*)(?P<mark>[|+])(?P<rest>(?:[ -].*)?)$")
CLOSED = re.compile(r"^ *\+-{20,}$")
_NUMBERED = re.compile(r"^-+(?:\+-+)? (?:\d+|\.\.\.) -+\s*$")
_BARE = re.compile(r"^[ \t]*\| (?:[^\W\d]\w*\.)*\w*Group: .*\(\d+ sub-exceptions?\)$")
_HIDDEN = re.compile(r"^and (\d+) more exceptions?$")
_DEEPEST = 40  # groups inside groups; CPython prints ten
_DEPTH = re.compile(r"^\.\.\. \(max_group_depth is \d+\)$")


def is_bare_group(line: str, below: str) -> bool:
    """Whether a group without a traceback begins here, as `except*` makes them."""
    return bool(_BARE.match(line) and ART.match(below) and "+-+--" in below)


class Text(Protocol):
    """Lines of one crash, counted from 0."""

    exact: bool

    def text(self, i: int) -> str | None:
        """Return line `i`, None behind the last."""
        ...

    def gap(self, i: int) -> bool:
        """Whether lines of others stand between line `i` and the one before."""
        ...

    def members(self, i: int) -> Members | None:
        """Return the members of a group that are printed before line `i`."""
        ...


@dataclass(frozen=True, slots=True)
class Members:
    """The members of an exception group: each a text of its own; `hidden` counts those left out."""

    texts: tuple[Lines, ...]
    hidden: int = 0


@dataclass(slots=True)
class Lines:
    """A text held in a list.  `exact`: nothing but the crash is in it, so its end is certain."""

    lines: list[str]
    groups: dict[int, Members] = field(default_factory=dict)
    exact: bool = True

    def text(self, i: int) -> str | None:
        """Return line `i`, None behind the last."""
        return self.lines[i] if i < len(self.lines) else None

    def gap(self, i: int) -> bool:
        """Return False: nobody else writes here."""
        return False

    def members(self, i: int) -> Members | None:
        """Return the members printed before line `i`."""
        return self.groups.get(i)


@dataclass(frozen=True, slots=True)
class _ArtLine:
    """One line of a group's art: the column of its bar, the bar, and what follows it."""

    column: int
    mark: str
    rest: str

    @property
    def numbered(self) -> bool:
        """Whether it begins a member."""
        return bool(_NUMBERED.match(self.rest))


def unfold(lines: list[str]) -> Lines:
    """Return the text of an exception group printed with `|` and `+` in front of its lines.

    A line without either continues the message above it.
    """
    art: list[_ArtLine] = []
    for line in lines:
        found = ART.match(line)
        if found:
            art.append(_ArtLine(len(found["indent"]), found["mark"], found["rest"]))
        elif art:  # CPython 3.11 and 3.12 put no art before a message's second line
            art.append(_ArtLine(art[-1].column, "|", f" {line}"))
    if len(art) > 1 and art[0].mark == "+" and art[0].rest.startswith(" "):
        art[0] = replace(art[0], column=art[1].column)  # a paste that began at the first `+`
    art = _indented(art)
    return _unfold(art, 0, art[0].column if art else 0)[0]


def _indented(art: list[_ArtLine]) -> list[_ArtLine]:
    """Return the art of a paste that lost its indentation with the columns it had."""
    if len({line.column for line in art}) > 1:
        return art
    found: list[_ArtLine] = []
    column = art[0].column if art else 0
    for line in art:
        found.append(_ArtLine(column, line.mark, line.rest))
        if line.mark == "+" and line.rest.startswith("-+-"):
            column += 2
        elif line.mark == "+" and line.rest.startswith("-") and not line.numbered:
            column -= 2
    return found


def _unfold(art: list[_ArtLine], at: int, column: int, depth: int = 0) -> tuple[Lines, int]:
    """Collect the lines at one depth, and the groups between them; return also where it ends."""
    found = Lines([])
    while at < len(art) and art[at].column == column:
        line = art[at]
        if line.mark == "|" or line.rest.startswith(" ") or depth >= _DEEPEST:
            found.lines.append(line.rest.removeprefix(" "))
            at += 1
        elif line.rest.startswith("-+-"):
            found.groups[len(found.lines)], at = _members(art, at + 1, column + 2, depth + 1)
        else:
            break
    return found, at


def _members(art: list[_ArtLine], at: int, column: int, depth: int) -> tuple[Members, int]:
    """Collect a group's members; nested deeper than CPython prints them, recursion ends too."""
    texts: list[Lines] = []
    hidden = 0
    while at < len(art):
        text, at = _unfold(art, at, column, depth)
        left_out = _left_out(text)
        hidden += left_out
        if not left_out and text.lines:
            texts.append(text)
        if at >= len(art) or art[at].column != column or art[at].mark != "+":
            break
        at += 1
        if not art[at - 1].numbered:
            break
    return Members(tuple(texts), hidden), at


def _left_out(text: Lines) -> int:
    """Return how many members a line such as `and 3 more exceptions` stands for."""
    if len(text.lines) != 1:
        return 0
    found = _HIDDEN.match(text.lines[0])
    return int(found[1]) if found else int(bool(_DEPTH.match(text.lines[0])))
