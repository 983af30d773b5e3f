"""Exceptions that the interpreter prints without any call: in `__del__` or at its end, and of a
script that cannot be decoded."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nsdbg.crashlog.dialects.layout import Dialect, Found
from nsdbg.crashlog.lines import Block, Line, margin_at
from nsdbg.crashlog.patterns import EXCEPTION, is_exception_line
from nsdbg.crashlog.report import CrashReport, LoggedException, LoggedFrame
from nsdbg.crashlog.traceback import type_of

_IGNORED = re.compile(r"Exception ignored (?:in|while|on)\b.*$")
_UNDECODED = re.compile(
    r"SyntaxError: (?P<message>(?:\(unicode error\) )?[^\n]*? in file (?P<file>\S.*?) on line "
    r"(?P<lineno>\d+)(?:, but no encoding declared.*)?)$"
)


def _read(lines: Sequence[Line], i: int) -> Found | None:
    text = lines[i].text
    if "Exception ignored " in text:
        return _ignored(lines, i)
    found = _UNDECODED.search(text) if "SyntaxError: " in text else None
    if found is None:
        return None
    place = LoggedFrame(found["file"], int(found["lineno"]), None)
    one = LoggedException("SyntaxError", found["message"], place=place)
    return Found(CrashReport((one,), "cpython", lineno=lines[i].number), i + 1)


def _ignored(lines: Sequence[Line], i: int) -> Found | None:
    """Read an unraisable exception whose next line names it."""
    head = _IGNORED.search(lines[i].text)
    if head is None:
        return None
    block = Block(lines, i, margin_at(lines, i, head.start()), head[0])
    below = block.text(1) or ""
    found = EXCEPTION.match(below)
    if found is None or not is_exception_line(below, certain=True):
        return None
    one = LoggedException(type_of(found), found["message"] or "")
    report = CrashReport((one,), "cpython", lineno=lines[i].number, context=head[0])
    return Found(report, max(i + 1, block.ends(2)))


DIALECT = Dialect(
    "bare",
    "exceptions without a call: ignored ones, a script in an encoding it does not declare",
    (b"Exception ignored ", b", but no encoding declared"),
    _read,
)
