"""What VS Code shows of an exception: its type and message, then the frames, innermost first."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from nsdbg.crashlog.dialects.layout import Dialect, Found
from nsdbg.crashlog.frames import frame_of
from nsdbg.crashlog.lines import Block, Line, margin_at
from nsdbg.crashlog.patterns import is_exception_line, link_of
from nsdbg.crashlog.report import CrashReport, LoggedException
from nsdbg.crashlog.traceback import read_chain

# Its languages differ in the first words alone; the note is English in all of them.
_HEAD = re.compile(
    r"(?:Exception has occurred|\u53d1\u751f\u5f02\u5e38"
    r"|^[^:\n]{3,60}(?=: [\w.]+ +\(note: full exception trace))"
    r": (?P<type>[^\W\d][\w.]*)(?: +\(note: .*\))?$"
)
_WORDS = ("xception has occurred: ", "(note: full exception", "\u53d1\u751f\u5f02\u5e38: ")
_LIMIT = 40  # lines of a message


def _read(lines: Sequence[Line], i: int) -> Found | None:
    text = lines[i].text
    head = _HEAD.search(text) if any(word in text for word in _WORDS) else None
    if head is None:
        return None
    block = Block(lines, i, margin_at(lines, i, head.start()), text[head.start() :])
    start = next((at for at in range(1, _LIMIT) if _begins(block, at)), None)
    if start is None:
        return None
    chain = read_chain(block, start)
    message = "\n".join(block.text(at) or "" for at in range(1, start)).rstrip()
    found = [replace(one, frames=one.frames[::-1]) for one in chain.exceptions]
    found[-1] = _named(found[-1], head["type"], message)
    report = CrashReport(tuple(found), "debugger", lineno=lines[i].number)
    return Found(report, max(i + 1, block.ends(chain.end)))


def _begins(block: Block, i: int) -> bool:
    """Whether frames begin with own line `i`, or an earlier exception of the chain does."""
    text = block.text(i)
    if text is None or frame_of(text):
        return text is not None
    at = i + 1
    while (below := block.text(at)) is not None and not below.strip():
        at += 1
    return is_exception_line(text) and link_of(below or "") is not None


def _named(one: LoggedException, name: str, message: str) -> LoggedException:
    """Return the last exception with what the head says where no line below names it."""
    if one.exception is not None:
        return one
    return replace(one, exception=name, message=message)


DIALECT = Dialect(
    "debugger",
    "VS Code's 'Exception has occurred': type and message, then the innermost frame first",
    (b"xception has occurred: ", b"(note: full exception trace"),
    _read,
)
