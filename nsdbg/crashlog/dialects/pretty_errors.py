"""pretty_errors: a head above each line, the type and the message apart, values below.

The head is `LINE function file`, `file LINE function`, or the file on a line of its own and
`LINE function` below it: its user says so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from nsdbg.crashlog.dialects.layout import Dialect, Found
from nsdbg.crashlog.kinds import frame_kind
from nsdbg.crashlog.lines import Line
from nsdbg.crashlog.patterns import is_exception_line
from nsdbg.crashlog.report import CrashReport, LoggedException, LoggedFrame
from nsdbg.crashlog.values import logged_value

_RULE = re.compile(r"^-{20,}$")
_FUNCTION = r"[^\W\d]\w*|<\w+>"
_HEADS = tuple(
    re.compile(pattern)
    for pattern in (
        rf'^(?P<lineno>\d+) (?P<function>{_FUNCTION}) (?P<file>\S.*?\.\w+)"?$',
        rf"^(?P<file>\S.*?\.\w+|<\w+>) (?P<lineno>\d+) (?P<function>{_FUNCTION})$",
        rf"^(?P<file>\S[^\n]*\.\w+|<\w+>)\n(?P<lineno>\d+) (?P<function>{_FUNCTION})$",
    )
)
_LOCAL = re.compile(r"^(?:= )?(?P<name>[^\W\d]\w*): (?P<value>.*)$")
_LIMIT = 2000


@dataclass(slots=True)
class _Frame:
    """A frame while its lines are read."""

    file: str
    lineno: int
    function: str
    source: str | None = None
    values: list[tuple[str, str]] = field(default_factory=list)

    def add(self, text: str, follows: bool) -> None:
        """Take a line below the head; `follows`: it stands directly below it."""
        if text.startswith("> ") or (follows and text.strip()):
            self.source = text.removeprefix("> ").strip()
        elif local := _LOCAL.match(text):
            self.values.append((local["name"], local["value"]))

    def build(self) -> LoggedFrame:
        """Return the frame."""
        pairs = tuple((name, logged_value(value)) for name, value in self.values)
        return LoggedFrame(
            self.file, self.lineno, self.function, self.source, locals=pairs or None,
            kind=frame_kind(self.file),
        )  # fmt: skip


def _read(lines: Sequence[Line], i: int) -> Found | None:
    if not _RULE.match(lines[i].text) or _head(lines, i + 1) is None:
        return None
    frames: list[_Frame] = []
    at, begun = i + 1, -1  # the line below the last head
    while at < min(len(lines), i + _LIMIT):
        text = lines[at].text
        if head := _head(lines, at):
            frames.append(head[0])
            at = begun = head[1]
            continue
        if text.endswith(":") and is_exception_line(text, certain=True):
            message = lines[at + 1].text if at + 1 < len(lines) else ""
            built = tuple(frame.build() for frame in frames)
            one = LoggedException(text.removesuffix(":"), message.strip(), built)
            return Found(CrashReport((one,), "pretty_errors", lineno=lines[i].number), at + 2)
        frames[-1].add(text, at == begun)
        at += 1
    return None


def _head(lines: Sequence[Line], i: int) -> tuple[_Frame, int] | None:
    """Return the frame whose head begins at line `i`, and the line behind the head."""
    if i >= len(lines):
        return None
    text = lines[i].text
    below = lines[i + 1].text if i + 1 < len(lines) else ""
    for taken, shown in ((1, text), (2, f"{text}\n{below}")):
        for head in _HEADS:
            if found := head.match(shown):
                return _Frame(found["file"], int(found["lineno"]), found["function"]), i + taken
    return None


DIALECT = Dialect(
    "pretty_errors",
    "pretty_errors: line, function and file above each line, values below",
    (b"-" * 51,),
    _read,
)
