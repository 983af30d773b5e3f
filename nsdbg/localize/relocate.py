"""A logged line looked for in a file that may have changed since: where it stands today.

Compares text; knows nothing of paths or reports.
"""

from __future__ import annotations

import ast
import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from nsdbg.source import MODULE, first_line, functions

_ALIKE = (
    0.75  # below it two lines are different statements; difflib's own close-match default is 0.6
)
_CUT = 24  # characters of a logged line that was cut and still tells the line
_AROUND = 60  # lines looked through when the function is not known
_SHOWN = 60  # characters of a line in a message


class LineStatus(Enum):
    """How a logged line compares with the file on disk."""

    EXACT = "exact"
    MOVED = "moved"
    CHANGED = "changed"
    UNCHECKED = "unchecked"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Place:
    """A line on disk: its number, how sure that is, and one line on it where it is not."""

    lineno: int
    status: LineStatus
    detail: str = ""


def same_line(logged: str, disk: str) -> bool:
    """Whether a logged line is this line of a file; a long one may have been cut by the logger."""
    logged, disk = " ".join(logged.split()), " ".join(disk.split())
    return logged == disk or (len(logged) >= _CUT and disk.startswith(logged.rstrip(". ")))


def find_line(
    lines: Sequence[str],
    tree: ast.Module | None,
    lineno: int,
    source: str | None,
    function: str | None,
) -> Place:
    """Find the line that was logged as line `lineno` of `function` with the text `source`.

    `tree` is None when the file does not parse.
    """
    if source is None:
        if lineno <= len(lines):
            return Place(lineno, LineStatus.UNCHECKED)
        detail = f"line {lineno} is behind the end of the file ({len(lines)} lines)"
        return Place(max(1, len(lines)), LineStatus.CHANGED, detail)
    logged = source.split("\n", 1)[0].strip()
    if lineno <= len(lines) and same_line(logged, lines[lineno - 1]):
        return Place(lineno, LineStatus.EXACT)
    spans = _spans(tree, function)
    return _moved(lines, spans, lineno, logged) or _changed(lines, spans, lineno, logged)


def _spans(tree: ast.Module | None, function: str | None) -> list[tuple[int, int]]:
    """Return the line ranges of the functions that bear the logged name."""
    if tree is None or function is None or function == MODULE:
        return []
    name = function.split(".<locals>.<")[0].rsplit(".", 1)[-1]
    return [(first_line(node), node.end_lineno or node.lineno)
            for _, node, _ in functions(tree) if node.name == name]  # fmt: skip


def _moved(
    lines: Sequence[str], spans: list[tuple[int, int]], lineno: int, logged: str
) -> Place | None:
    """Return the nearest identical line, in the same function if it is still there."""
    found = [at for at, text in enumerate(lines, 1) if same_line(logged, text)]
    inside = [at for at in found if any(first <= at <= last for first, last in spans)]
    if spans and not inside and len(found) != 1:
        return None  # a common line elsewhere in the file proves nothing
    best = min(inside or found, key=lambda at: abs(at - lineno), default=None)
    if best is None or not any(map(str.isalnum, logged)):
        return None
    return Place(best, LineStatus.MOVED, f"moved from {lineno} to {best}")


def _changed(lines: Sequence[str], spans: list[tuple[int, int]], lineno: int, logged: str) -> Place:
    """Return the line most like the logged one, else the one at its number, with a word on it."""
    ranges = spans or [(lineno - _AROUND, lineno + _AROUND)]
    near = {at for first, last in ranges for at in range(max(1, first), min(last, len(lines)) + 1)}
    matcher = difflib.SequenceMatcher(a="", b=logged, autojunk=False)
    best, ratio = None, _ALIKE
    for at in sorted(near, key=lambda one: abs(one - lineno)):
        matcher.set_seq1(lines[at - 1].strip())
        if matcher.real_quick_ratio() > ratio and matcher.quick_ratio() > ratio:
            alike = matcher.ratio()
            if alike > ratio:
                best, ratio = at, alike
    if best is not None:
        now = lines[best - 1].strip()[:_SHOWN]
        where = f"line {best}" if best == lineno else f"moved from {lineno} to {best} and"
        return Place(
            best, LineStatus.CHANGED, f"{where} reads {now!r} now, not {logged[:_SHOWN]!r}"
        )
    if lineno not in near and near:
        lineno = min(near, key=lambda one: abs(one - lineno))
    lineno = max(1, min(lineno, len(lines)))
    return Place(lineno, LineStatus.CHANGED, f"{logged[:_SHOWN]!r} is not in the file any more")
