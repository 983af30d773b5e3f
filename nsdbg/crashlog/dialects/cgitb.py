"""cgitb's text: each call with context and values, then the same as a plain traceback."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from nsdbg.crashlog.dialects import cpython
from nsdbg.crashlog.dialects.layout import Dialect, Found
from nsdbg.crashlog.lines import BOUNDARY, Line
from nsdbg.crashlog.report import LoggedException, LoggedFrame
from nsdbg.crashlog.values import logged_value
from nsdbg.state import Value

_BEGIN = "A problem occurred in a Python script."
_CALL = re.compile(r"^ (?P<file>\S.*?) in (?P<function>[^\W\d]\w*|<\w+>)(?:\(.*\))?$")
_VALUE = re.compile(r"^(?P<name>[^\W\d]\w*) = (?P<value>.*)$")
_LIMIT = 3000
_Call = tuple[str, str, tuple[tuple[str, Value], ...]]


def _read(lines: Sequence[Line], i: int) -> Found | None:
    if not lines[i].text.startswith(_BEGIN):
        return None
    for at in range(i + 1, min(len(lines), i + _LIMIT)):
        text = lines[at].text
        if text[:1] == BOUNDARY or text.startswith(_BEGIN):
            return None
        if " last):" in text:
            break
    else:
        return None
    found = cpython.DIALECT.read(lines, at)
    if found is None or found.report is None:
        return None
    calls = list(_calls(lines[i:at]))
    report = found.report
    final = _with_values(report.final, calls)
    chain = (*report.chain[:-1], final)
    report = replace(report, chain=chain, format="cgitb", lineno=lines[i].number, context=None)
    return Found(report, found.end)


def _calls(lines: Sequence[Line]) -> Iterator[_Call]:
    """Yield each call's file, function and values; `global` and `builtin` names are no locals."""
    call: re.Match[str] | None = None
    values: dict[str, Value] = {}
    for line in lines:
        begins = _CALL.match(line.text)
        if begins:
            if call:
                yield call["file"], call["function"], tuple(values.items())
            call, values = begins, {}
        elif (value := _VALUE.match(line.text)) and not value["name"].startswith("builtin"):
            values[value["name"]] = logged_value(value["value"])
    if call:
        yield call["file"], call["function"], tuple(values.items())


def _with_values(one: LoggedException, calls: list[_Call]) -> LoggedException:
    frames: list[LoggedFrame] = []
    for frame in one.frames:
        if calls and calls[0][:2] == (frame.file, frame.function):
            frame = replace(frame, locals=calls.pop(0)[2])
        frames.append(frame)
    return replace(one, frames=tuple(frames))


DIALECT = Dialect(
    "cgitb",
    "cgitb's text: context and values of each call, then the plain traceback",
    (_BEGIN.encode(),),
    _read,
)
