"""pretty_errors: `LINE function file.py` above each line, the type and the message apart."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nsdbg.crashlog.dialects.layout import Dialect, Found
from nsdbg.crashlog.kinds import frame_kind
from nsdbg.crashlog.lines import Line
from nsdbg.crashlog.patterns import is_exception_line
from nsdbg.crashlog.report import CrashReport, LoggedException, LoggedFrame
from nsdbg.crashlog.values import logged_value

_RULE = re.compile(r"^-{20,}$")
_FRAME = re.compile(r'^(?P<lineno>\d+) (?P<function>[^\W\d]\w*|<\w+>) (?P<file>\S.*?\.\w+)"?$')
_LOCAL = re.compile(r"^= (?P<name>[^\W\d]\w*): (?P<value>.*)$")
_LIMIT = 2000


def _read(lines: Sequence[Line], i: int) -> Found | None:
    if not _RULE.match(lines[i].text) or i + 1 >= len(lines) or not _FRAME.match(lines[i + 1].text):
        return None
    frames: list[LoggedFrame] = []
    found: re.Match[str] | None = None
    source: str | None = None
    values: list[tuple[str, str]] = []
    for at in range(i + 1, min(len(lines), i + _LIMIT)):
        text = lines[at].text
        begins = _FRAME.match(text)
        ends = (
            text.endswith(":") and bool(frames or found) and is_exception_line(text, certain=True)
        )
        if (begins or ends) and found:
            frames.append(_frame(found, source, values))
            source, values = None, []
        if ends:
            message = lines[at + 1].text if at + 1 < len(lines) else ""
            one = LoggedException(text.removesuffix(":"), message.strip(), tuple(frames))
            return Found(CrashReport((one,), "pretty_errors", lineno=lines[i].number), at + 2)
        if begins:
            found = begins
        elif text.startswith("> "):
            source = text[2:].strip()
        elif local := _LOCAL.match(text):
            values.append((local["name"], local["value"]))
    return None


def _frame(found: re.Match[str], source: str | None, values: list[tuple[str, str]]) -> LoggedFrame:
    pairs = tuple((name, logged_value(value)) for name, value in values)
    return LoggedFrame(
        found["file"], int(found["lineno"]), found["function"], source, locals=pairs or None,
        kind=frame_kind(found["file"]),
    )  # fmt: skip


DIALECT = Dialect(
    "pretty_errors",
    "pretty_errors: line, function and file above each line, values below",
    (b"-" * 51,),
    _read,
)
