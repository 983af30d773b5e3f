"""Cells of a database client's table that hold several lines: psql's three borders and \\x.

psql marks a line of a cell that goes on with `+` (or an arrow) where the cell ends; a client that
marks nothing (mysql) leaves the lines as they were, which the plain reader reads.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from nsdbg.crashlog.carriers.wrapping import Carrier
from nsdbg.crashlog.lines import BOUNDARY, Line

# The line between the names of the columns and the rows, with and without a border.
_RULE = re.compile(r"^\s*(?:-+(?:\+-+)*|\+-+(?:\+-+)*\+|[├╟╞]?[─═]+(?:[┼╪╫╬][─═]+)*[┤╢╡]?)$")
_RECORD = re.compile(r"^[-─]\[ RECORD \d+ \][-+─┬]*$")
_JOINT = re.compile(r"[+├┼┤╟╪╫╢╞╡╬]")
_NAMED = re.compile(r"^[^|│\n]+?(?= *[|│] )")
_GOES_ON = ("+", "↵")
_TELLS = re.compile(r'call (?:last|first)\)|^ *File "|^ *E {3}\S')
_TO_THE_END = 1 << 30  # of the line: the only cell of a record's line
_LIMIT = 5000  # lines of one table


def _unwrap(lines: Sequence[Line]) -> list[Line] | None:
    found: list[Line] = []
    changed = False
    i = 0
    while i < len(lines):
        columns = _columns(lines, i)
        cells, end = _cells(lines, i + 1, columns) if columns else ([], i + 1)
        if cells:
            changed = True
            found += cells
            i = end
        else:
            found.append(lines[i])
            i += 1
    return found if changed else None


def _columns(lines: Sequence[Line], i: int) -> list[tuple[int, int]]:
    """Return where the cells below line `i` begin and end, none when it heads no table."""
    text = lines[i].text.rstrip()
    if _RECORD.match(text):
        row = next((line.text for line in lines[i + 1 : i + 9] if _NAMED.match(line.text)), "")
        at = next((at for at, one in enumerate(row) if one in "|│"), -1)
        return [(at + 1, _TO_THE_END)] if at > 0 else []
    if not _RULE.match(text):
        return []
    joints = [found.start() for found in _JOINT.finditer(text)]
    start = len(text) - len(text.lstrip())
    if not joints or joints[0] != start:
        joints.insert(0, start - 1)
    if joints[-1] != len(text) - 1:
        joints.append(len(text))
    return [(one + 1, other) for one, other in pairwise(joints)]


def _cells(lines: Sequence[Line], i: int, columns: list[tuple[int, int]]) -> tuple[list[Line], int]:
    """Return the lines of the cells that go on over several, each between boundaries, and where
    the table ends; no lines when none holds a crash."""
    found: list[Line] = []
    tells = False
    at = i
    while at < min(len(lines), i + _LIMIT) and not _ends(lines[at].text):
        row = list(_row(lines, at, columns))
        at += max(1, len(row))
        if len(row) < 2:
            found.append(lines[at - 1])
            continue
        for start, end in columns:
            cell = [Line(line.number, _cell(line.text, start, end)[0]) for line in row]
            if any(_TELLS.search(line.text) for line in cell):
                tells = True
                found += [Line(cell[0].number, BOUNDARY), *cell, Line(cell[-1].number, BOUNDARY)]
    return (found, at) if tells else ([], i)


def _ends(text: str) -> bool:
    """Whether a line ends a table: reading from one rule to the next keeps the time linear."""
    bare = text.rstrip()
    return not bare or bare[:1] == BOUNDARY or bool(_RULE.match(bare) or _RECORD.match(bare))


def _row(lines: Sequence[Line], i: int, columns: list[tuple[int, int]]) -> Iterator[Line]:
    """Yield the lines of one row: all but the last have a cell that goes on."""
    for line in lines[i : i + _LIMIT]:
        if _ends(line.text):
            return
        yield line
        if not any(_cell(line.text, start, end)[1] for start, end in columns):
            return


def _cell(text: str, start: int, end: int) -> tuple[str, bool]:
    """Return a cell's own text, and whether a mark in its last column says that it goes on."""
    cell = text[start:end].rstrip()
    own = cell.removeprefix(" ")
    if cell.endswith(_GOES_ON) and (end == _TO_THE_END or len(cell) == end - start):
        return own[:-1].rstrip(), True
    return own, False


CARRIER = Carrier(
    "table",
    "cells of a table of psql, over several lines: all borders, and expanded records",
    _unwrap,
)
