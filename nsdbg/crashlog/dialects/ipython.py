"""IPython and Jupyter: context, verbose and minimal modes, and the syntax errors of cells."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from nsdbg.crashlog.dialects.layout import Dialect, Found
from nsdbg.crashlog.lines import BOUNDARY, Block, Line, margin_at
from nsdbg.crashlog.notebook import NOTEBOOK_HEADER, read_notebook
from nsdbg.crashlog.patterns import CARETS, EXCEPTION, is_exception_line
from nsdbg.crashlog.report import CrashReport, LoggedException, LoggedFrame, Truncation
from nsdbg.crashlog.traceback import read_inside

_HEADER = re.compile(r"(?P<type>[^\W\d][\w.]*) +Traceback \(most recent call last\)\s*$")
_PLACE = re.compile(
    r"^ +(?:(?P<cell>(?:Cell|Input) In ?\[\d+\]), line (?P<line>\d+)"
    r"|File (?P<file>[^\"\s].*):(?P<line2>\d+))$"
)
_PROMPT = re.compile(r"^In \[\d+\]: (?=  )")
_NEAR = 60  # lines from a bare exception line to a cell; what minimal mode leaves


def _read(lines: Sequence[Line], i: int) -> Found | None:
    text = _PROMPT.sub("", lines[i].text)
    if "call last)" in text:
        return _traceback(lines, i)
    if text.startswith("  ") and (place := _PLACE.match(text)):
        return _syntax_error(lines, i, place)
    if text and not text[0].isspace() and ": " in text:
        return _minimal(lines, i)
    return None


def _traceback(lines: Sequence[Line], i: int) -> Found | None:
    header = _HEADER.search(lines[i].text)
    if header is None:
        return None
    block = Block(lines, i, margin_at(lines, i, header.start()), header[0])
    found = read_notebook(block, 0, partial(read_inside, cells=False))
    if found is None or not (found[0][-1].frames or found[0][-1].message is not None):
        return None
    cut: Truncation | None = "bottom" if found[0][-1].message is None else None
    report = CrashReport(found[0], "ipython", lineno=lines[i].number, truncated=cut)
    return Found(report, max(i + 1, block.ends(found[1])))


def _syntax_error(lines: Sequence[Line], i: int, place: re.Match[str]) -> Found | None:
    source: str | None = None
    for at in range(i + 1, min(len(lines), i + 6)):
        text = lines[at].text
        found = EXCEPTION.match(text)
        if found and is_exception_line(text, certain=True):
            frame = LoggedFrame(
                place["cell"] or place["file"], int(place["line"] or place["line2"]), None, source
            )
            one = LoggedException(found["type"], found["message"] or "", place=frame)
            return Found(CrashReport((one,), "ipython", lineno=lines[i].number), at + 1)
        if source is None and text.strip() and not CARETS.match(text):
            source = text.strip()
    return None


def _minimal(lines: Sequence[Line], i: int) -> Found | None:
    """Read a line of minimal mode: the exception alone, in a session with numbered cells."""
    text = lines[i].text
    found = EXCEPTION.match(text)
    if found is None or not is_exception_line(text, certain=True):
        return None
    if i + 1 < len(lines) and lines[i + 1].text.strip() not in ("", BOUNDARY):
        return None
    near = lines[max(0, i - _NEAR) : i + _NEAR]
    if not any(_PLACE.match(line.text) and "In" in line.text for line in near):
        return None
    if any(NOTEBOOK_HEADER.match(line.text) or 'File "' in line.text for line in near):
        return None
    one = LoggedException(found["type"], found["message"] or "")
    return Found(CrashReport((one,), "ipython", lineno=lines[i].number), i + 1)


DIALECT = Dialect(
    "ipython",
    "IPython and Jupyter, old and new: context, verbose and minimal modes, cells' syntax errors",
    (b"call last)", b"  Cell In["),
    _read,
)
