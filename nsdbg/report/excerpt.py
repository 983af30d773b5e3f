"""A few lines of source around a line, with what failed underlined.

As CPython does it: `^` under the part to blame, `~` under the rest of the operation."""

from __future__ import annotations

from collections.abc import Iterator

from nsdbg.localize.code import FileCode
from nsdbg.localize.pin import Pin
from nsdbg.report.columns import WIDTH, cut, width
from nsdbg.report.escape import plain

AROUND = 2
# So much is shown before what failed where a long line is cut at its front.
BEFORE = 12


def excerpt(code: FileCode, lineno: int, pin: Pin | None = None, indent: str = "") -> Iterator[str]:
    """Yield the lines around a line, the line itself marked, and carets under the pinned part.

    Indentation that all of them share is left out, and lines are cut to the terminal's width.
    """
    first = max(1, lineno - AROUND)
    last = min(len(code.lines), lineno + 1)
    shown = {n: code.lines[n - 1].expandtabs(4) for n in range(first, last + 1)}
    common = min((len(text) - len(text.lstrip()) for text in shown.values() if text.strip()),
                 default=0)  # fmt: skip
    digits = len(str(last))
    room = WIDTH - len(indent) - digits - 5
    for n, text in shown.items():
        mark = ">" if n == lineno else " "
        marked = pin if n == lineno and pin is not None and pin.lineno == lineno else None
        hidden = _hidden(code.lines[n - 1], common, marked, room)
        line = f"{indent}{mark} {n:>{digits}} | {_cut(plain(text[common:]), hidden, room)}"
        yield line.rstrip()
        if marked is not None:
            margin = f"{indent}  {' ' * digits} | "
            yield from _underline(code.lines[n - 1], common + hidden, marked, margin, room)


def _hidden(raw: str, common: int, pin: Pin | None, room: int) -> int:
    """Return how many columns of a long line are left out at its front, to show what failed."""
    length = len(raw) - common
    if pin is None or not _fits(raw) or min(length, pin.end_column - common) <= room - 3:
        return 0
    if width(raw) != len(raw):  # its characters are no columns
        return 0
    hidden = min(pin.column - common - BEFORE, length - room)
    return hidden if hidden > 3 else 0


def _cut(text: str, hidden: int, room: int) -> str:
    return cut("..." + text[hidden + 3 :] if hidden else text, room)


def _fits(raw: str) -> bool:
    """Whether characters of a line are those of what is shown."""
    return "\t" not in raw and plain(raw) == raw


def _underline(raw: str, common: int, pin: Pin, margin: str, room: int) -> Iterator[str]:
    if not _fits(raw):
        return
    start = pin.column - common
    end = (pin.end_column if pin.end_lineno == pin.lineno else len(raw)) - common
    before = width(raw[common : pin.column])
    if not (0 <= start < end and before < room - 3):
        return
    marks = ["~"] * (end - start)
    for column in _blamed_columns(pin):
        if 0 <= column - pin.column < len(marks):
            marks[column - pin.column] = "^"
    line = marks if "^" in marks else ["^"] * len(marks)
    shown = raw[pin.column :]
    wide = "".join(mark * width(one) for mark, one in zip(line, shown, strict=False))
    yield f"{margin}{' ' * before}{wide[: room - before]}"


def _blamed_columns(pin: Pin) -> Iterator[int]:
    """Yield the columns of the part whose value failed; what is around it is told by `~`."""
    first = pin.blames[0].expression if pin.blames else None
    ascii_only = pin.text.isascii()  # the parser counts bytes
    if first is not None and first.lineno == pin.lineno == first.end_lineno and ascii_only:
        yield from range(first.col_offset, first.end_col_offset or first.col_offset)
