"""A plain CPython traceback, 2.7 to 3.14: header, frames, exception, message, chain and group.

Reads lines whose margin was removed; where they come from is `read`'s affair, and other layouts
are the dialects'.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from nsdbg.crashlog.embedded import read_embedded
from nsdbg.crashlog.frames import FrameLines, frame_of
from nsdbg.crashlog.message import read_message
from nsdbg.crashlog.patterns import (
    CARETS,
    EXCEPTION,
    HEADER,
    LINK_WITH_MESSAGE,
    LOG_LINE,
    REPEATED,
    is_exception_line,
    link_of,
)
from nsdbg.crashlog.report import Link, LoggedException, LoggedFrame, Truncation
from nsdbg.crashlog.text import ART, CLOSED, Members, Text, is_bare_group, unfold

_NOISE_LIMIT = 20  # lines of other threads between two lines of a traceback
_SYNTAX_ERRORS = ("SyntaxError", "IndentationError", "TabError")
_ELIDED = re.compile(
    r"^\s*[\[(<{*]*\s*(?:\.{3,}|\u2026|snip|cut|skipp|omit|trunc"
    r"|\(?\d+ (?:additional|more|lines|frames))",
    re.IGNORECASE,
)
_BARE_LIMIT = 30  # lines of a message without art inside a group
_DEPTH_LIMIT = 40  # groups and embedded tracebacks inside one another


@dataclass(frozen=True, slots=True)
class Chain:
    """The exceptions read, the first line behind them, and where they were cut."""

    exceptions: tuple[LoggedException, ...]
    end: int
    truncated: Truncation | None = None


@dataclass(slots=True)
class Stack:
    """Frames read, the sum of folded lines, and the first line behind them.

    `elided`: somebody took frames out of the middle.
    """

    frames: list[FrameLines]
    repeated: int | None
    end: int
    elided: bool = False


def read_chain(text: Text, i: int, goes_on: bool = False, depth: int = 0) -> Chain:
    """Read a chain whose first header, frame or exception line is line `i`.

    `goes_on`: the program went on after the crash (see `message`).
    """
    found: list[LoggedException] = []
    link: Link | None = None
    cut: Truncation | None = None
    while True:
        part = _read_one(text, i, goes_on, depth)
        found += [replace(part.exceptions[0], link=link), *part.exceptions[1:]]
        at = _skip_blank(text, part.end)
        name = link_of(text.text(at) or "")
        cut = part.truncated or cut
        if name is None or part.truncated == "bottom":
            return Chain(tuple(found), part.end, cut)
        link = Link(name)
        i = _skip_blank(text, at + 1)
        following = text.text(i)
        if following is None or not _begins_one(following):
            return Chain((*found, LoggedException(None, None, link=link)), i, "bottom")


def _begins_one(line: str) -> bool:
    """Whether a line can be the first of an exception in a chain."""
    return bool(HEADER.match(line) or is_exception_line(line) or frame_of(line) or ART.match(line))


def _read_one(text: Text, i: int, goes_on: bool, depth: int) -> Chain:
    """Read one exception, or the exception group that art begins here."""
    line = text.text(i)
    header = HEADER.match(line) if line is not None else None
    if (header and header["art"]) or is_bare_group(line or "", text.text(i + 1) or ""):
        return _read_group(text, i, depth)
    return _read_exception(text, i + 1 if header else i, goes_on, depth)


def _read_group(text: Text, i: int, depth: int) -> Chain:
    lines: list[str] = []
    while (line := text.text(i)) is not None and (ART.match(line) or _is_inside(text, i)):
        if lines and CLOSED.match(lines[-1]) and is_bare_group(line, text.text(i + 1) or ""):
            break  # the next crash
        lines.append(line)
        i += 1
    if depth >= _DEPTH_LIMIT:
        return Chain((LoggedException(None, None),), i, "bottom")
    inner = read_chain(unfold(lines), 0, depth=depth + 1)
    return replace(inner, end=i)


def read_members(text: Text, i: int) -> Chain:
    """Read a group from its first member on: line `i` begins that, and what named it is lost."""
    lines: list[str] = []
    at = i
    while (line := text.text(at)) is not None and (ART.match(line) or _is_inside(text, at)):
        lines.append(line)
        at += 1
    one = _with_members(LoggedException(None, None), unfold(lines).members(0), 0)
    return Chain((one,), at)


def _is_inside(text: Text, i: int) -> bool:
    """Whether line `i`, which has no art, is a message's line with the group going on below it."""
    for at in range(i, i + _BARE_LIMIT):
        line = text.text(at)
        if line is None or text.gap(at) or HEADER.match(line) or link_of(line):
            return False
        if LOG_LINE.match(line):
            return False
        if ART.match(line):
            return at > i and not is_bare_group(line, text.text(at + 1) or "")
    return False


def _read_exception(text: Text, i: int, goes_on: bool, depth: int) -> Chain:
    stack = read_stack(text, i)
    line = text.text(stack.end)
    found = EXCEPTION.match(line) if line is not None else None
    frames = tuple(frame.build() for frame in stack.frames)
    if found is None or line is None or not is_exception_line(line):
        said = LINK_WITH_MESSAGE.match(text.text(_skip_blank(text, stack.end)) or "")
        message = (said["cause"] or said["context"]) if said else None
        cut = LoggedException(None, message, frames, repeated=stack.repeated)
        return Chain((cut,), stack.end, None if said else "bottom")
    name, first = type_of(found), found["message"] or ""
    frames, place = _part_place(frames, name)
    elided: Truncation | None = "middle" if stack.elided else None
    inside = read_inside(text, stack.end, name, first, depth)
    if inside is not None:
        one = replace(inside[0], frames=frames, repeated=stack.repeated)
        return Chain((one,), inside[1], elided)
    message = read_message(text, stack.end, name, first, goes_on, found["colon"] is None)
    one = LoggedException(
        name, message.text, frames, notes=message.notes, place=place, repeated=stack.repeated,
        message_guessed=message.guessed,
    )  # fmt: skip
    one = _with_members(one, text.members(message.end), depth)
    return Chain((one,), message.end, elided)


def read_inside(
    text: Text, i: int, name: str, first: str, depth: int = 0, cells: bool = True
) -> tuple[LoggedException, int] | None:
    """Return the exception `name` of line `i` with what its message embeds, and the line behind.

    None where the message embeds nothing.  `cells`: a notebook's traceback is embedded too.
    """

    def read(inner: Text, at: int) -> tuple[tuple[LoggedException, ...], int]:
        chain = read_chain(inner, at, depth=depth + 1)
        return chain.exceptions, chain.end

    if depth >= _DEPTH_LIMIT:
        return None
    found = read_embedded(text, i, name, first, read, cells)
    if found is None:
        return None
    return LoggedException(name, found.message, embedded=found.exceptions), found.end


def type_of(found: re.Match[str]) -> str:
    """Return the type an exception line names; Python 2's `<type 'exceptions.X'>` is X."""
    if found["type"]:
        return str(found["type"])
    return str(found["repr"]).removeprefix("exceptions.")


def _part_place(
    frames: tuple[LoggedFrame, ...], name: str
) -> tuple[tuple[LoggedFrame, ...], LoggedFrame | None]:
    """Part the line that a SyntaxError names from the calls above it.

    A notebook's cell is named without a function too.
    """
    last = frames[-1] if frames else None
    if last is None or not name.endswith(_SYNTAX_ERRORS):
        return frames, None
    if last.function is None or (last.function == "<module>" and last.file.endswith("]")):
        return frames[:-1], last
    return frames, None


def _with_members(one: LoggedException, members: Members | None, depth: int) -> LoggedException:
    if members is None or depth >= _DEPTH_LIMIT:
        return one
    chains = tuple(read_chain(text, 0, depth=depth + 1).exceptions for text in members.texts)
    return replace(one, members=chains, hidden=members.hidden)


def read_stack(text: Text, i: int) -> Stack:
    """Read frames from line `i` on, stepping over lines that other threads wrote between."""
    stack = Stack([], None, i)
    spaced = False
    while (line := text.text(stack.end)) is not None and not text.members(stack.end):
        if frame := frame_of(line):
            stack.frames.append(frame)
        elif found := REPEATED.match(line):
            stack.repeated = (stack.repeated or 0) + int(found["count"])
            if stack.frames:
                stack.frames[-1].folded = True
        elif not line.strip():
            following = text.text(_skip_blank(text, stack.end))
            if following is None or not _goes_on(following, spaced or len(stack.frames) < 2):
                break
            spaced = True
        elif stack.frames and _is_below(text, stack.end, stack.frames[-1]):
            stack.frames[-1].below.append(line)
        elif not _is_noise(text, stack.end):
            break
        elif _ELIDED.match(line):
            stack.elided = True
        stack.end += 1
    return stack


def _goes_on(line: str, spaced: bool) -> bool:
    """Whether the line behind an empty one is still the traceback's.

    loguru, and pastes that doubled each line end, have empty lines between frames.
    """
    if frame_of(line) or line[:3].isspace() or REPEATED.match(line):
        return True
    return is_exception_line(line, certain=not spaced)


def _is_below(text: Text, i: int, frame: FrameLines) -> bool:
    """Whether line `i` belongs to the frame above it: it is indented, or indentation was lost."""
    line = text.text(i) or ""
    if line[:3].isspace() or (line[:1] == "\t"):
        return True
    if not frame.unindented:
        return False
    if frame.below:
        return len(frame.below) == 1 and bool(CARETS.match(line))
    if not is_exception_line(line):
        return not LOG_LINE.match(line) and link_of(line) is None and not HEADER.match(line)
    following = text.text(i + 1)
    return following is not None and (
        frame_of(following) is not None or is_exception_line(following, certain=True)
    )


def _is_noise(text: Text, i: int) -> bool:
    """Whether line `i` is somebody else's and the traceback goes on behind it."""
    line = text.text(i) or ""
    if HEADER.search(line) or link_of(line):
        return False
    if is_exception_line(line, certain=not LOG_LINE.match(line)):
        return False
    for at in range(i + 1, i + 1 + _NOISE_LIMIT):
        following = text.text(at)
        if following is None or HEADER.search(following) or text.members(at):
            return False
        if frame_of(following) or following[:4].isspace():
            return not is_exception_line(line)
        if is_exception_line(following, certain=True) and not LOG_LINE.match(following):
            return bool(LOG_LINE.match(line))
    return False


def _skip_blank(text: Text, i: int) -> int:
    while (line := text.text(i)) is not None and not line.strip():
        i += 1
    return i
