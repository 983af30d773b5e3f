"""Airflow 3's page and text of a task: the exception, then its frames without source, oldest
first; of a chain the newest exception first."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from nsdbg.crashlog.dialects.layout import Dialect, Found
from nsdbg.crashlog.kinds import frame_kind
from nsdbg.crashlog.lines import BOUNDARY, Line
from nsdbg.crashlog.patterns import EXCEPTION, HEADER, LOG_LINE, is_exception_line
from nsdbg.crashlog.report import CrashReport, Link, LoggedException, LoggedFrame
from nsdbg.crashlog.text import Lines
from nsdbg.crashlog.traceback import read_chain, type_of

_FRAME = re.compile(r'^File "(?P<file>[^"]+)", line (?P<lineno>\d+) in (?P<function>\S.*)$')
_LIMIT = 120  # lines of a message, which may be another program's output


def _read(lines: Sequence[Line], i: int) -> Found | None:
    chain: list[LoggedException] = []
    at = i
    while (found := _exception(lines, at)) is not None:
        one, at = found
        chain.append(one)
    if not chain:
        return None
    chain.reverse()
    linked = (chain[0], *(replace(one, link=Link.CONTEXT) for one in chain[1:]))
    return Found(CrashReport(linked, "airflow", lineno=lines[i].number), at)


def _exception(lines: Sequence[Line], i: int) -> tuple[LoggedException, int] | None:
    """Read the exception that line `i` names, and the frames below its message."""
    found = EXCEPTION.match(lines[i].text) if i < len(lines) else None
    if found is None or not is_exception_line(lines[i].text):
        return None
    at = i + 1
    while at < len(lines) and not _FRAME.match(lines[at].text):
        text = lines[at].text
        if at - i > _LIMIT or text[:1] == BOUNDARY or LOG_LINE.match(text):
            return None
        if " call first)" in text:
            return None  # faulthandler's frames look alike where indentation was lost
        at += 1
    said = [line.text for line in lines[i + 1 : at]]
    frames: list[LoggedFrame] = []
    while at < len(lines):
        if frame := _FRAME.match(lines[at].text):
            kind = frame_kind(frame["file"], frame["function"])
            frames.append(
                LoggedFrame(frame["file"], int(frame["lineno"]), frame["function"], kind=kind)
            )
        elif lines[at].text.strip():
            break
        at += 1
    if not frames:
        return None
    message = "\n".join((found["message"] or "", *said)).rstrip("\n")
    return LoggedException(type_of(found), message, tuple(frames), embedded=_embedded(said)), at


def _embedded(said: list[str]) -> tuple[LoggedException, ...]:
    """Return the chain of a traceback inside a message."""
    at = next((at for at, text in enumerate(said) if HEADER.match(text)), None)
    return read_chain(Lines(said, exact=False), at).exceptions if at is not None else ()


DIALECT = Dialect(
    "airflow",
    "Airflow 3's task log: the exception, then 'File \"x\", line 3 in f' below it",
    (b'\nFile "',),
    _read,
)
