"""The frames of a plain traceback: `File` lines and what stands below each.

Reads lines whose margin was removed; knows nothing of exceptions.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field

from nsdbg.crashlog.kinds import frame_kind
from nsdbg.crashlog.patterns import CARETS, CELL, ELIDED, FILE
from nsdbg.crashlog.report import LoggedFrame
from nsdbg.crashlog.values import logged_value
from nsdbg.state import Value

_LOCAL = re.compile(r"^(?P<indent>\s+)(?P<name>\.?[^\W\d]\w*) = (?P<value>.*)$")
_VALUE_MARK = re.compile(r"^[\s│|]*(?P<mark>└|->) ?(?P<value>.*)$")  # `->` without Unicode
_NAME_AT = re.compile(r"\.?[^\W\d][\w.]*")
_MANGLED = re.compile(r"^\*\*(\w+)\*\*$")  # Markdown reads `__init__` as bold


@dataclass(slots=True)
class FrameLines:
    """A `File` line and the lines below it, while they are being collected.

    `unindented`: the paste lost its indentation.  `folded`: it stands for later calls too, which
    CPython folds when file, line and function are the same, whatever their columns.
    """

    file: str
    lineno: int
    function: str | None
    below: list[str] = field(default_factory=list)
    unindented: bool = False
    folded: bool = False

    def build(self) -> LoggedFrame:
        """Return the frame with its source, carets and locals told apart."""
        below = [text for text in self.below if text.strip()]
        source, marks, rest = _split(below)
        known = len(source) == 1 and marks and not self.folded
        carets = _columns(source[0], marks[0]) if known else (None, None)
        values = _marked_values(source[0], rest) if source else ()
        return LoggedFrame(
            self.file, self.lineno, self.function,
            source="\n".join(_dedent(source)) if source else None,
            carets=carets[0], anchor=carets[1],
            locals=values or _locals(rest) or None,
            kind=frame_kind(self.file, self.function),
        )  # fmt: skip


def frame_of(text: str) -> FrameLines | None:
    """Return the frame that a `File` line begins, None for another line."""
    found = FILE.match(text)
    if found is None:
        return _cell_of(text) if text.startswith(("  Cell In", "  Input In", "  File ")) else None
    function = found["function"]
    if found["rest"] is not None:
        # An HTML page swallows `<module>`, which looks like a tag.
        function = _MANGLED.sub(r"__\1__", (function or "<module>").strip()) or "<module>"
        function = function.removesuffix("  *").rstrip()  # TensorFlow marks converted functions
        function = function.removesuffix(" (Current frame)")  # and VS Code where it paused
    unindented = not found["indent"] and not found["mark"]
    return FrameLines(found["file"], int(found["lineno"]), function, unindented=unindented)


def _cell_of(text: str) -> FrameLines | None:
    """Return the frame that a line of IPython's plain mode begins."""
    found = CELL.match(text)
    if found is None:
        return None
    lineno = found["cell_lineno"] or found["lineno"]
    return FrameLines(found["cell"] or found["file"], int(lineno), found["function"] or "<module>")


def _split(below: list[str]) -> tuple[list[str], list[str], list[str]]:
    """Part a frame's lines into source, caret lines, and what shows values."""
    source: list[str] = []
    marks: list[str] = []
    at = 0
    while at < len(below):
        text = below[at]
        if CARETS.match(text) and source:
            marks.append(text)
        elif source and (_VALUE_MARK.match(text) or _begins_locals(below, at, source)):
            break
        else:
            source.append(text)
        at += 1
    return source, marks, below[at:]


def _begins_locals(below: list[str], at: int, source: list[str]) -> bool:
    """Whether all lines from here on are `name = value`, sorted or deeper than the source.

    `traceback` prints the locals below the source at its indentation, sorted by name; a source
    line that continues stands deeper and has no spaces around `=`.
    """
    if _indent(below[at]) - _indent(source[0]) not in (0, 2):
        return False  # traceback's stand at 0, traceback-with-variables' at 2; a call goes on at 4
    first = _LOCAL.match(below[at])
    if first is None:
        return False
    return all(
        _LOCAL.match(text) or _indent(text) > len(first["indent"]) for text in below[at : at + 50]
    )


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())


def _locals(rest: list[str]) -> tuple[tuple[str, Value], ...]:
    """Return `name = value` lines as locals; deeper lines continue a value."""
    found: list[tuple[str, str]] = []
    base = _indent(rest[0]) if rest else 0
    for text in rest:
        line = _LOCAL.match(text)
        if line and len(line["indent"]) == base:
            found.append((line["name"], line["value"]))
        elif found:
            found[-1] = (found[-1][0], f"{found[-1][1]}\n{text}")
    return tuple((name, logged_value(value)) for name, value in found)


def _marked_values(source: str, rest: list[str]) -> tuple[tuple[str, Value], ...]:
    """Return the values that loguru and better-exceptions hang below a line with `└`.

    Each mark stands below the first character of its expression; plain names are locals (or
    globals, which is all the log can tell).
    """
    found: dict[str, Value] = {}
    for text in rest:
        mark = _VALUE_MARK.match(text)
        name = _NAME_AT.match(source, mark.start("mark")) if mark else None
        if mark and name and "." not in name[0]:
            found.setdefault(name[0], logged_value(mark["value"]))
    return tuple(sorted(found.items()))


def _dedent(source: list[str]) -> list[str]:
    """Return source lines without the first one's indentation."""
    margin = _indent(source[0])
    return [text if ELIDED.match(text) else text[min(margin, _indent(text)) :].rstrip()
            for text in source]  # fmt: skip


def _columns(source: str, marks: str) -> tuple[tuple[int, int] | None, tuple[int, int] | None]:
    """Return the columns of the source's own text that are marked, and of its `^` among `~`.

    Since 3.12 a wide character takes two columns of the caret line.
    """
    bare = source.strip()
    shift = len(source) - len(source.lstrip())
    first = len(marks) - len(marks.lstrip())
    whole = (_column(bare, first - shift), _column(bare, len(marks.rstrip()) - shift))
    if not 0 <= whole[0] < whole[1] <= len(bare):
        return None, None  # an old SyntaxError points behind its line; moved carets prove nothing
    if "~" not in marks or "^" not in marks:
        return whole, None
    inner = (_column(bare, marks.index("^") - shift), _column(bare, marks.rindex("^") + 1 - shift))
    return whole, inner


def _column(text: str, width: int) -> int:
    """Return the character at a display column."""
    if text.isascii():
        return width
    seen = 0
    for at, character in enumerate(text):
        if seen >= width:
            return at
        seen += 2 if unicodedata.east_asian_width(character) in "WF" else 1
    return len(text) + max(0, width - seen)
