"""Tracebacks without a header: a SyntaxError of the main script, a top cut off, the exception
printed first."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import replace

from nsdbg.crashlog.dialects.cpython import report_of
from nsdbg.crashlog.dialects.layout import Dialect, Found
from nsdbg.crashlog.frames import frame_of
from nsdbg.crashlog.lines import BOUNDARY, Block, Line, margin_at
from nsdbg.crashlog.patterns import EXCEPTION, is_exception_line
from nsdbg.crashlog.report import Truncation
from nsdbg.crashlog.traceback import Chain, read_chain, type_of

_SYNTAX_ERRORS = ("SyntaxError", "IndentationError", "TabError")
_DASK = re.compile(
    r"^Exception: (?P<quote>['\"])(?P<type>[^\W\d][\w.]*)\((?P<arguments>.{0,4000})\)(?P=quote)$"
)
_CLIENT = 200  # lines in which a client's traceback follows its worker's
_PLAIN_HEADER = re.compile(r"^(?:Stack[ _]?trace|Traceback|Stack|Details):$", re.IGNORECASE)
_ABOVE = 3  # lines between an exception printed first and its frames


def _read(lines: Sequence[Line], i: int) -> Found | None:
    text = lines[i].text
    at = text.find('File "')
    if at < 0 or frame_of(text[at:]) is None:
        return None
    if i + 1 < len(lines) and lines[i + 1].text.startswith("Failed example:"):
        return Found(None, i + 1)  # doctest's; a traceback of its own may stand below
    column = max(0, at - 2) if text[max(0, at - 2) : at].isspace() else at
    block = Block(lines, i, margin_at(lines, i, column), text[column:])
    chain = read_chain(block, 0)
    final, first = chain.exceptions[-1], chain.exceptions[0]
    end = max(i + 1, block.ends(chain.end))
    if i and lines[i - 1].text.rstrip().endswith("Call stack:"):
        return Found(None, end)  # where a logging call stands that failed; its crash is above
    if first.exception is None and len(chain.exceptions) == 1:
        return _dask(lines, i, chain, end) or _exception_above(lines, i, chain, end)
    if not first.frames:
        if (first.exception or "").rsplit(".", 1)[-1] not in _SYNTAX_ERRORS:
            return None
        return Found(report_of(chain, lines, i, "cpython"), end)
    if final.exception is None and not first.frames:
        return None
    return Found(report_of(chain, lines, i, "cpython", "top"), end)


def _dask(lines: Sequence[Line], i: int, chain: Chain, end: int) -> Found | None:
    """Return frames that dask's worker logs as a string, below the exception's repr.

    No crash where the client's traceback follows, which ends with the same frames.
    """
    above = [line.text for line in lines[max(0, i - 3) : i]]
    if len(above) < 3 or above[2][:1] != BOUNDARY or not above[1].startswith("Traceback: "):
        return None
    found = _DASK.match(above[0])
    if found is None:
        return None
    name = found["type"]
    if any(EXCEPTION.match(line.text) and line.text.startswith(name)
           for line in lines[end : end + _CLIENT]):  # fmt: skip
        return Found(None, end)
    one = replace(chain.exceptions[0], exception=name, message=_said(name, found["arguments"]))
    return Found(report_of(Chain((one,), chain.end), lines, i - 3, "dask"), end)


def _said(name: str, arguments: str) -> str:
    """Return an exception's message from its arguments as printed; KeyError shows the repr."""
    try:
        value = ast.literal_eval(arguments)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return arguments
    return value if isinstance(value, str) and name != "KeyError" else repr(value)


def _exception_above(lines: Sequence[Line], i: int, chain: Chain, end: int) -> Found | None:
    """Return frames whose exception stands above them, as Sentry's text and Azure have it."""
    if any(frame.function is None for frame in chain.exceptions[0].frames):
        return None  # a place in a message, not a call
    cut: Truncation | None = None
    for at in range(i - 1, max(-1, i - 1 - _ABOVE), -1):
        if lines[at].text[:1] == BOUNDARY:
            return None
        text = lines[at].text.strip().removeprefix("Exception: ")  # Azure's, before the type
        found = EXCEPTION.match(text)
        if found and is_exception_line(text, certain=True):
            one = replace(
                chain.exceptions[0],
                exception=type_of(found),
                message=found["message"] or "",
            )
            return Found(
                report_of(Chain((one,), chain.end), lines, at, "exception-first", cut), end
            )
        if text and not _PLAIN_HEADER.match(text):
            cut = "middle"
    return None


DIALECT = Dialect(
    "headless",
    "traceback without header: SyntaxError of a script, top cut off, exception above its frames",
    (b'  File "',),
    _read,
)
