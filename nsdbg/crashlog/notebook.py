"""Tracebacks of IPython and Jupyter, old and new: excerpts with an arrow at the line.

Reads lines whose margin was removed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from nsdbg.crashlog.kinds import frame_kind
from nsdbg.crashlog.message import read_message
from nsdbg.crashlog.patterns import EXCEPTION, is_exception_line, link_of
from nsdbg.crashlog.report import Link, LoggedException, LoggedFrame
from nsdbg.crashlog.text import Text
from nsdbg.crashlog.values import logged_value
from nsdbg.state import Value

NOTEBOOK_HEADER = re.compile(r"^(?P<type>[^\W\d][\w.]*) +Traceback \(most recent call last\)\s*$")
_FRAME = re.compile(
    r"^(?:(?P<cell>(?:Cell|Input) In ?\[\d+\])(?:, line (?P<cell_line>\d+))?"
    r"|File (?P<file>\S.*?):(?P<lineno>\d+)"
    r"|File (?P<unnamed><[^>]+>), line (?P<unnamed_line>\d+)"  # Databricks' cells
    r"|(?P<old><ipython-input-[^>]+>|[~/.\w\\(<][^\n]*?\.\w+|<[^>]+>))"
    r"(?:,? in (?P<function>.+))?$"
)
_ARROW = re.compile(r"^-+> ?(?P<lineno>\d+)(?: (?P<source>.*))?$")
_EXCERPT = re.compile(r"^ +\d+(?: .*)?$|^\s+\.\.\. *$")
_VARIABLE = re.compile(r"^ {8,}(?P<name>[^\W\d]\w*) = (?P<value>.*?)(?: {4}\d+ .*)?$")
_LIMIT = 4000  # lines of one exception


@dataclass(slots=True)
class _Frame:
    """A frame while its excerpt is read: in old layouts only the arrow has the line."""

    file: str
    lineno: int | None
    function: str
    source: str | None = None
    variables: list[tuple[str, Value]] = field(default_factory=list)
    arguments: tuple[tuple[str, Value], ...] | None = None

    def build(self) -> LoggedFrame | None:
        """Return the frame, None when no line was found."""
        if self.lineno is None:
            return None
        return LoggedFrame(
            self.file, self.lineno, self.function, self.source,
            locals=tuple(self.variables) or None,
            kind=frame_kind(self.file, self.function), arguments=self.arguments,
        )  # fmt: skip


# What reads a traceback inside a message: the line of the exception, its type and first line.
ReadInside = Callable[[Text, int, str, str], "tuple[LoggedException, int] | None"]


def read_notebook(
    text: Text, i: int, inside: ReadInside | None = None
) -> tuple[tuple[LoggedException, ...], int] | None:
    """Return the chain whose header is line `i`, and the line behind it; None for no header.

    `inside` reads what a message embeds.
    """
    chain: list[LoggedException] = []
    link: Link | None = None
    while NOTEBOOK_HEADER.match(text.text(i) or ""):
        one, i = _read_one(text, i, inside)
        chain.append(replace(one, link=link))
        at = i
        while (line := text.text(at)) is not None and not line.strip():
            at += 1
        name = link_of(line or "")
        if name is None:
            break
        link = Link(name)
        i = at + 1
        while (line := text.text(i)) is not None and (not line.strip() or set(line) == {"-"}):
            i += 1
    return (tuple(chain), i) if chain else None


def _read_one(text: Text, i: int, inside: ReadInside | None) -> tuple[LoggedException, int]:
    header = NOTEBOOK_HEADER.match(text.text(i) or "")
    name = header["type"] if header else ""
    frames: list[_Frame] = []
    for at in range(i + 1, i + _LIMIT):
        line = text.text(at)
        if line is None or NOTEBOOK_HEADER.match(line):
            break
        found = EXCEPTION.match(line)
        if found and is_exception_line(line) and _same_name(found["type"] or "", name):
            held = inside(text, at, found["type"] or "", found["message"] or "") if inside else None
            if held is not None:
                return replace(held[0], frames=_built(frames)), held[1]
            message = read_message(
                text, at, found["type"] or "", found["message"] or "", True, found["colon"] is None
            )
            one = LoggedException(
                found["type"], message.text, _built(frames), notes=message.notes,
                message_guessed=message.guessed,
            )  # fmt: skip
            return one, message.end
        _take(frames, line)
    return LoggedException(name, None, _built(frames)), at


def _built(frames: list[_Frame]) -> tuple[LoggedFrame, ...]:
    return tuple(built for frame in frames if (built := frame.build()) is not None)


def _same_name(printed: str, header: str) -> bool:
    return printed.rsplit(".", 1)[-1] == header.rsplit(".", 1)[-1]


def _take(frames: list[_Frame], line: str) -> None:
    """Take one line between the header and the exception."""
    if frames and (arrow := _ARROW.match(line)):
        frames[-1].lineno = int(arrow["lineno"])
        frames[-1].source = (arrow["source"] or "").strip() or None
    elif _EXCERPT.match(line):
        return
    elif not line[:1].isspace() and (frame := cell_frame(line)) is not None:
        frames.append(frame)
    elif frames and (variable := _VARIABLE.match(line)):
        frames[-1].variables.append((variable["name"], logged_value(variable["value"])))


def cell_frame(line: str) -> _Frame | None:
    """Return the frame that a line such as `Cell In[2], line 3, in f(x)` begins."""
    found = _FRAME.match(line.rstrip())
    if found is None or (found["old"] and not found["function"]):
        return None
    number = found["cell_line"] or found["lineno"] or found["unnamed_line"]
    signature = found["function"] or "<module>"
    function, _, rest = signature.partition("(")
    if function.startswith("<cell line"):
        function = "<module>"
    file = found["cell"] or found["file"] or found["unnamed"] or found["old"]
    return _Frame(
        file, int(number) if number else None, function.strip(), arguments=_arguments(rest)
    )


def _arguments(text: str) -> tuple[tuple[str, Value], ...] | None:
    """Return the arguments that the verbose mode shows with their values."""
    if "=" not in text:
        return None
    parts = re.split(r", (?=\*{0,2}[^\W\d]\w*=)", text.rstrip().removesuffix(")"))
    pairs = [part.partition("=") for part in parts if "=" in part]
    return tuple((name.strip("*"), logged_value(value)) for name, _, value in pairs)
