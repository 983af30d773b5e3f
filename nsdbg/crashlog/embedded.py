"""Tracebacks inside an exception's message: remote processes', workers', converted code's.

Only what says that it is embedded counts; a traceback that merely follows is another crash.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from nsdbg.crashlog.frames import frame_of
from nsdbg.crashlog.kinds import frame_kind
from nsdbg.crashlog.message import is_one_line
from nsdbg.crashlog.notebook import read_notebook
from nsdbg.crashlog.patterns import (
    AFTER_WHICH_IT_GOES_ON,
    EXCEPTION,
    HEADER,
    LOG_LINE,
    is_exception_line,
    link_of,
)
from nsdbg.crashlog.report import LoggedException, LoggedFrame
from nsdbg.crashlog.text import Lines, Text

ReadChain = Callable[[Text, int], "tuple[tuple[LoggedException, ...], int]"]

_NEAR = 40  # lines of a message before what it embeds
_INNER = 600  # lines of an embedded traceback
_QUOTES = ('"""', "'''")
_ANNOUNCES = re.compile(
    r"^(?!Original exception was:).*(?::\s*$|traceback|original|remote|worker|caused by|child"
    r"|stderr|subprocess)",
    re.IGNORECASE,
)
_DOUBLE_RULE = re.compile(r"^={20,}\s*$")
_GLUED = re.compile(
    r"(?:Exception|Error|Throwable|Caused by|stderr|output|message|traceback)\b.*: $"
)
_JAVA = re.compile(r"^\s*at [\w.$<>/ -]+\([^)]*\)\s*$|^\s*\.\.\. \d+ more$|^Driver stacktrace:\s*$")
_OF_JAVA = re.compile(r"Java|calling \w+[.:]|\b(?:java|org|com)\.\w+\.")
_JAVA_CAUSE = re.compile(r"^\s*Caused by: ")
_PYTHON_IN_JAVA = re.compile(
    r"^\s*at <python>\.(?P<function>[\w.<>]+)\((?P<file>[^:()]+):(?P<line>\d+)\)$"
)
_OLD_PLACE = re.compile(r"^(\S[^\n:]*):(\d+) (\S+)(?:  \*)?$")  # TensorFlow up to 2.4
_RAY = re.compile(r"\bray::?\w|\bpid=\d+, ip=|Traceback:?$")


@dataclass(frozen=True, slots=True)
class Embedded:
    """What a message embeds, its own lines before that, and the first line behind both."""

    exceptions: tuple[LoggedException, ...]
    message: str
    end: int


def read_embedded(
    text: Text, i: int, name: str, first: str, read: ReadChain, cells: bool = True
) -> Embedded | None:
    """Return what the exception named on line `i` embeds, None for most.

    `read(text, i)` reads a chain.  `cells`: a notebook's traceback counts; in a session of cells
    it is the next crash.
    """
    return (
        _quoted(text, i, first, read)
        or _in_user_code(text, i, first, read)
        or _graph(text, i, first)
        or _frames_of_java(text, i, first)
        or _elastic(text, i, name, first, read)
        or (_notebook(text, i, first) if cells else None)
        or _headed(text, i, name, first, read)
        or _unheaded(text, i, name, first, read)
    )


def _quoted(text: Text, i: int, first: str, read: ReadChain) -> Embedded | None:
    """Return the remote traceback that multiprocessing and billiard put between quotes."""
    opening = (text.text(i + 1) or "").strip()
    if first.strip() or opening not in _QUOTES:
        return None
    inner: list[str] = []
    end = i + 2
    while (line := text.text(end)) is not None and line.strip() != opening and len(inner) < _INNER:
        inner.append(line)
        end += 1
    start = next((at for at, inside in enumerate(inner) if inside.strip()), 0)
    if line is None or line.strip() != opening or not inner or not HEADER.search(inner[start]):
        return None  # a note may be three quotes
    found, _ = read(Lines(inner), start)
    message = "\n".join([first, opening, *inner, opening])
    return Embedded(found, message, end + 1)


def _in_user_code(text: Text, i: int, first: str, read: ReadChain) -> Embedded | None:
    """Return the block that TensorFlow's autograph puts into the message, indented by four."""
    if first.strip() != "in user code:":
        return None
    said: list[str] = []
    inner: list[str] = []
    end = i + 1
    while (line := text.text(end)) is not None and len(inner) < _INNER:
        if line.strip() and not line[:4].isspace():
            break
        said.append(line)
        inner.append(_OLD_PLACE.sub(r'  File "\1", line \2, in \3', line[4:]))
        end += 1
    start = next((at for at, line in enumerate(inner) if frame_of(line)), None)
    if start is None:
        return None
    found, _ = read(Lines(inner), start)
    return Embedded(found, "\n".join([first, *said]).rstrip(), end)


def _graph(text: Text, i: int, first: str) -> Embedded | None:
    """Return TensorFlow's message on an operation, which tells with frames where that was made."""
    if first.strip() != "Graph execution error:":
        return None
    said = [first]
    for at in range(i + 1, i + 1 + _INNER):
        line = text.text(at)
        if line is None or LOG_LINE.match(line) or HEADER.search(line):
            break
        said.append(line)
        if "[Op:" in line:
            at += 1
            break
    return Embedded((), "\n".join(said).rstrip(), at)


def _frames_of_java(text: Text, i: int, first: str) -> Embedded | None:
    """Return the Python part of a Java stack below an exception whose message names another."""
    named = EXCEPTION.match(first)
    frames: list[LoggedFrame] = []
    end = i + 1
    while (line := text.text(end)) is not None and _JAVA.match(line):
        if found := _PYTHON_IN_JAVA.match(line):
            kind = frame_kind(found["file"])
            frames.insert(
                0, LoggedFrame(found["file"], int(found["line"]), found["function"], kind=kind)
            )
        end += 1
    if not frames or named is None:
        return None
    one = LoggedException(named["type"], named["message"] or "", tuple(frames))
    return Embedded((one,), first, end)


def _elastic(text: Text, i: int, name: str, first: str, read: ReadChain) -> Embedded | None:
    """Return the failures that torch elastic lists between two rules, the first observed first."""
    if not name.endswith("ChildFailedError") or not _DOUBLE_RULE.match(text.text(i + 1) or ""):
        return None
    found: list[LoggedException] = []
    said = [first]
    headers: list[int] = []
    root = 0
    for end in range(i + 1, i + 1 + _INNER):
        line = text.text(end)
        if line is None or LOG_LINE.match(line):
            break
        said.append(line)
        if line.startswith("Root Cause"):
            root = end
        elif HEADER.search(line):
            headers.append(end)
        if end > i + 1 and _DOUBLE_RULE.match(line):
            end += 1
            break
    for at in sorted(headers, key=lambda at: at < root):
        found += read(_copy(text, at)[0], 0)[0]
    return Embedded(tuple(found), "\n".join(said).rstrip(), end)


def _notebook(text: Text, i: int, first: str) -> Embedded | None:
    """Return the notebook's traceback in the message of nbclient and papermill."""
    for at in range(i + 1, i + 1 + _INNER):
        line = text.text(at)
        if line is None or text.gap(at) or link_of(line) or LOG_LINE.match(line):
            return None
        if " call last)" in line and (found := read_notebook(text, at)):
            message = [first, *(text.text(line_at) or "" for line_at in range(i + 1, found[1]))]
            return Embedded(found[0], "\n".join(message).rstrip(), found[1])
        if HEADER.search(line):
            return None
    return None


def _headed(text: Text, i: int, name: str, first: str, read: ReadChain) -> Embedded | None:
    """Return a traceback with a header inside the message, as the lines above it announce."""
    for at in range(i + 1, i + 1 + _NEAR):
        line = text.text(at)
        if line is None or text.gap(at) or text.members(at) or link_of(line):
            return None
        header = HEADER.search(line)
        if header is None:
            if LOG_LINE.match(line) or (
                _JAVA.match(line) and not _OF_JAVA.search(f"{name}: {first}")
            ):
                return None  # a Java stack below a Python exception is the outer exception's
            continue
        above = first if at == i + 1 else text.text(at - 1) or ""
        if not _announced(line, header, above, is_one_line(name, first)):
            return None
        return _read_at(text, i, at, first, read)
    return None


def _announced(line: str, header: re.Match[str], above: str, complete: bool) -> bool:
    """Whether a header is part of the message above it; `complete`: that has one line only."""
    head = line[: header.start()]
    if header["kind"] in ("Original ", "Remote "):
        return True
    if head.strip():
        return bool(_GLUED.search(head)) and not LOG_LINE.match(head)
    if complete or AFTER_WHICH_IT_GOES_ON.match(above) or LOG_LINE.match(above):
        return False
    return bool(head) or bool(above.strip() and _ANNOUNCES.search(above))


def _read_at(text: Text, i: int, at: int, first: str, read: ReadChain) -> Embedded:
    """Read the traceback whose header is on line `at`, and what Java says of it below."""
    found: list[LoggedException] = []
    while True:
        inner, _ = _copy(text, at)
        chain, used = read(inner, 0)
        found += [one for one in chain if one not in found]
        end = at + max(1, used)
        below = _skip_java(text, end)
        following = text.text(below) if below > end else None
        header = HEADER.search(following) if following else None
        if header is None or len(found) > _NEAR:
            break
        at = below
    message = [first, *(text.text(line) or "" for line in range(i + 1, end))]
    return Embedded(tuple(found), "\n".join(message).rstrip(), max(below, end))


def _copy(text: Text, at: int) -> tuple[Lines, int]:
    """Return the lines from a header on, without the header's margin."""
    line = text.text(at) or ""
    header = HEADER.search(line)
    head = line[: header.start()] if header else ""
    width = len(head) if head and not head.strip() else 0
    below = text.text(at + 1) or ""
    if head.strip() and below.lstrip().startswith('File "'):
        width = max(0, len(below) - len(below.lstrip()) - 2)
    lines = [line[len(head) :]]
    for number in range(at + 1, at + _INNER):
        following = text.text(number)
        if following is None or (width and following.strip() and not following[:width].isspace()):
            break
        lines.append(following[width:])
    return Lines(lines, exact=False), at + len(lines)


def _skip_java(text: Text, i: int) -> int:
    """Return the line behind a Java stack; a cause that holds a header is not skipped."""
    at = i
    seen = False
    while (line := text.text(at)) is not None:
        if HEADER.search(line):
            return at if _JAVA_CAUSE.match(line) else i
        if _JAVA.match(line) or _JAVA_CAUSE.match(line):
            seen = True
        elif line.strip():
            break
        at += 1
    return at if seen else i


def _unheaded(text: Text, i: int, name: str, first: str, read: ReadChain) -> Embedded | None:
    """Return frames that follow a message of Ray at the same level, without a header."""
    said = first
    for at in range(i + 1, i + 1 + _NEAR):
        line = text.text(at)
        if line is None or text.gap(at) or text.members(at) or HEADER.search(line):
            return None
        if frame_of(line):
            if "RayTaskError" not in name and not _RAY.search(said):
                return None
            found, end = read(text, at)
            if found[0].exception is None:
                return None
            return Embedded(found, said, end)
        if LOG_LINE.match(line) or is_exception_line(line, certain=True):
            return None
        said += f"\n{line}"
    return None
