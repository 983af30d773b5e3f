"""Snakemake's errors while it reads a workflow: the type and the line first, then the message."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nsdbg.crashlog.dialects.layout import Dialect, Found
from nsdbg.crashlog.frames import FrameLines
from nsdbg.crashlog.lines import Line
from nsdbg.crashlog.report import CrashReport, LoggedException
from nsdbg.crashlog.text import Lines
from nsdbg.crashlog.traceback import read_stack

_HEAD = re.compile(
    r"^(?P<type>[A-Z]\w*(?:Error|Exception)) in (?:rule \S+ +(?:in )?)?"
    r"(?:line (?P<lineno>\d+) of (?P<file>.+?)"
    r'|file "?(?P<file2>[^"]+?)"?, line (?P<lineno2>\d+)):?$'
)
_LIMIT = 20


def _read(lines: Sequence[Line], i: int) -> Found | None:
    found = _HEAD.match(lines[i].text)
    if found is None:
        return None
    texts = [line.text for line in lines[i + 1 : i + 1 + _LIMIT]]
    at = next((at for at, text in enumerate(texts) if text.startswith('  File "')), None)
    stack = read_stack(Lines(texts), at) if at is not None else None
    message = [text for text in texts[:at] if text.strip()] if at is not None else _said(texts)
    frames = tuple(frame.build() for frame in stack.frames) if stack else ()
    if not frames:
        file, lineno = found["file"] or found["file2"], found["lineno"] or found["lineno2"]
        frames = (FrameLines(file, int(lineno), "<module>").build(),)
    one = LoggedException(found["type"], "\n".join(message), frames)
    end = i + 1 + (stack.end if stack else len(message))
    return Found(CrashReport((one,), "snakemake", lineno=lines[i].number), end)


def _said(texts: list[str]) -> list[str]:
    """Return a message without frames below it: its first line, and the indented ones after."""
    end = next((at for at, text in enumerate(texts) if at and not text[:1].isspace()), len(texts))
    return [text for text in texts[:end] if text.strip()]


DIALECT = Dialect(
    "snakemake",
    "Snakemake: 'KeyError in line 9 of Snakefile:' and the message below it",
    (b"Error in line ", b"Error in file ", b"Exception in line ", b"Exception in rule "),
    _read,
)
