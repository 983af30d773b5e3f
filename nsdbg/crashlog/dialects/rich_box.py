"""rich's tracebacks: boxes of excerpts with an arrow at the line, and boxes of locals in them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from nsdbg.crashlog.dialects.layout import Dialect, Found
from nsdbg.crashlog.kinds import frame_kind
from nsdbg.crashlog.lines import BOUNDARY, Line
from nsdbg.crashlog.message import read_message
from nsdbg.crashlog.patterns import EXCEPTION, is_exception_line, link_of
from nsdbg.crashlog.report import CrashReport, Link, LoggedException, LoggedFrame, Truncation
from nsdbg.crashlog.text import Lines
from nsdbg.crashlog.values import logged_value

_TOP = re.compile(r"(?P<corner>[╭┌+])[─-]+ .*Traceback.*\(most recent call last\) [─-]+[╮┐+]")
_SUB_TOP = re.compile(r"[╭┌+][─-]+ Sub-exception #\d+ [─-]+[╮┐+]")
_SIDE = "│|"
_BOTTOM = re.compile(r"^[╰└+][─-]+[╯┘+]?$")
_FRAME = re.compile(r"^(?P<file>\S.*?):(?P<lineno>\d+)(?: in (?P<function>.+))?$")
_ARROW = re.compile(r"^\s*[❱>] +(?P<lineno>\d+) ?(?P<source>.*)$")
_INNER_TOP = re.compile(r"^[╭┌+][─-]+ (?:locals|sub-exception.*) [─-]+[╮┐+]$")
_LOCAL = re.compile(r"^ *(?P<name>[^\W\d]\w*) = (?P<value>.*)$")
_HIDDEN = re.compile(r"^\s*\.\.\. \d+ frames hidden \.\.\.\s*$")
_LIMIT = 6000  # lines of one box
_AFTER = 300


@dataclass(slots=True)
class _Frame:
    file: str
    lineno: int
    function: str | None
    source: str | None = None
    values: list[tuple[str, str]] | None = None

    def build(self) -> LoggedFrame:
        pairs = self.values
        values = None if pairs is None else tuple((name, logged_value(one)) for name, one in pairs)
        return LoggedFrame(
            self.file, self.lineno, self.function, self.source, locals=values,
            kind=frame_kind(self.file, self.function),
        )  # fmt: skip


@dataclass(slots=True)
class _Box:
    """What one box shows, and the index of the line behind it."""

    frames: list[_Frame] = field(default_factory=list)
    hidden: bool = False
    closed: bool = False
    end: int = 0
    width: int = 0


def _read(lines: Sequence[Line], i: int) -> Found | None:
    if " call last) " not in lines[i].text or not _TOP.search(lines[i].text):
        return None
    chain: list[LoggedException] = []
    link: Link | None = None
    cut: Truncation | None = None
    at = i
    while at < len(lines) and (top := _TOP.search(lines[at].text)):
        box = _box(lines, at, top.start())
        cut = cut or ("middle" if box.hidden else None) or (None if box.closed else "bottom")
        one, at = _ending(lines, box)
        chain.append(replace(one, link=link))
        name, following = _link(lines, _skip_blank(lines, at))
        if name is None:
            break
        link = Link(name)
        at = _skip_blank(lines, following)
    report = CrashReport(tuple(chain), "rich", lineno=lines[i].number, truncated=cut)
    return Found(report, at)


def _link(lines: Sequence[Line], i: int) -> tuple[str | None, int]:
    """Return the connector at line `i`, which a narrow console breaks, and the line behind it."""
    said = ""
    for at in range(i, min(len(lines), i + 3)):
        said = f"{said} {lines[at].text.strip()}".strip()
        if name := link_of(said):
            return name, at + 1
    return None, i


def _box(lines: Sequence[Line], i: int, column: int) -> _Box:
    """Read the frames of the box whose top is line `i`."""
    box = _Box(end=i + 1, width=len(lines[i].text.rstrip()) - column)
    path = ""  # the first lines of a path that was broken
    inside = False
    for at in range(i + 1, min(len(lines), i + _LIMIT)):
        text = lines[at].text[column:].rstrip()
        if text[:1] == BOUNDARY or not text:
            break
        box.end = at + 1
        if _BOTTOM.match(text):
            box.closed = True
            break
        own = _own(text)
        if own is None:
            box.end = at
            break
        if _INNER_TOP.match(own.strip()):
            inside = bool(box.frames) and "locals" in own
            if inside:
                box.frames[-1].values = []
        elif inside:
            inside = not _BOTTOM.match(own.strip())
            _take_local(box.frames[-1], own)
        elif _HIDDEN.match(own):
            box.hidden = True
        elif own and not own[0].isspace() and not _ARROW.match(own):
            path = _take_path(box, path + own.rstrip())
        elif box.frames and (arrow := _ARROW.match(own)):
            _take_source(box.frames[-1], arrow)
    return box


def _own(text: str) -> str | None:
    """Return what stands between the box's sides."""
    if text[0] not in _SIDE:
        return None
    inner = text[1:-1] if text[-1] in _SIDE and len(text) > 1 else text[1:]
    return inner.removeprefix(" ").rstrip()


def _take_path(box: _Box, text: str) -> str:
    """Take a frame's line; return what has to be joined with the next when it was broken."""
    found = _FRAME.match(text)
    if found is None:
        return text
    box.frames.append(_Frame(found["file"], int(found["lineno"]), found["function"]))
    return ""


def _take_source(frame: _Frame, arrow: re.Match[str]) -> None:
    if int(arrow["lineno"]) == frame.lineno and frame.source is None:
        source = arrow["source"].replace("│", " ")  # guides of the indentation
        frame.source = re.sub(r"^(?:\|\s+)+", "", source.strip()) or None


def _take_local(frame: _Frame, own: str) -> None:
    text = own.strip()
    if frame.values is None or not text or text[0] not in _SIDE:
        return
    inner = text[1:-1].rstrip()
    found = _LOCAL.match(inner)
    if found:
        frame.values.append((found["name"], found["value"]))
    elif frame.values:
        name, value = frame.values[-1]
        frame.values[-1] = (name, _joined(value, inner.replace("│", " ").strip()))


def _joined(value: str, more: str) -> str:
    """Put a value together that was laid out over several lines, as its repr would be."""
    if value.endswith(("[", "{", "(")) or more.startswith(("]", "}", ")")):
        return value.removesuffix(",") + more if more[:1] in "]}" else value + more
    return f"{value} {more}"


def _ending(lines: Sequence[Line], box: _Box) -> tuple[LoggedException, int]:
    """Read the exception below a box."""
    frames = tuple(frame.build() for frame in box.frames)
    while box.end < len(lines) and lines[box.end].text[:1] in ("╭", "│", "╰"):
        box.end += 1  # the line of a SyntaxError stands in a box of its own
    texts = [line.text for line in lines[box.end : box.end + _AFTER]]
    texts = texts[: next((at for at, text in enumerate(texts) if text[:1] == BOUNDARY), len(texts))]
    if not texts:
        return LoggedException(None, None, frames), box.end
    first = texts[0].strip()
    found = EXCEPTION.match(first)
    if found is None or not is_exception_line(first):
        return LoggedException(None, None, frames), box.end
    wrapped = _wrapped(texts, box.width)
    text = " ".join([found["message"] or "", *texts[1 : wrapped + 1]]).rstrip()
    text = re.sub(r" {2,}", " ", text) if wrapped else text
    body = Lines([first, *texts[wrapped + 1 :]], exact=False)
    message = read_message(body, 0, found["type"] or "", text, True, found["colon"] is None)
    place = None
    if frames and frames[-1].function is None:
        frames, place = frames[:-1], frames[-1]
    one = LoggedException(
        found["type"], message.text, frames, notes=message.notes, place=place,
        message_guessed=message.guessed or wrapped > 0,
    )  # fmt: skip
    end = box.end + wrapped + message.end
    notes, end = _notes(lines, end)
    one = replace(one, notes=(*one.notes, *notes))
    members, end = _members(lines, end)
    return replace(one, members=members), end


def _notes(lines: Sequence[Line], i: int) -> tuple[list[str], int]:
    """Return the notes that stand from line `i` on, each marked, and the line behind them."""
    notes: list[str] = []
    while i < len(lines) and lines[i].text.startswith("[NOTE] "):
        notes.append(lines[i].text.removeprefix("[NOTE] ").rstrip())
        i += 1
    return notes, i


def _wrapped(texts: Sequence[str], width: int) -> int:
    """Return how many lines below the first were broken off it at the console's width."""
    count = 0
    while count + 1 < len(texts):
        word = texts[count + 1].split(" ", 1)[0]
        if not word or len(texts[count].rstrip()) + 1 + len(word) <= width:
            break
        count += 1
    return count


def _members(
    lines: Sequence[Line], end: int
) -> tuple[tuple[tuple[LoggedException, ...], ...], int]:
    """Read the boxes of a group's members, which may hold boxes with tracebacks."""
    members: list[tuple[LoggedException, ...]] = []
    while True:
        at = _skip_blank(lines, end)
        top = _SUB_TOP.search(lines[at].text) if at < len(lines) else None
        if top is None:
            return tuple(members), end
        inner: list[Line] = []
        for end in range(at + 1, min(len(lines), at + _LIMIT)):
            text = lines[end].text[top.start() :].rstrip()
            own = _own(text) if text else None
            if own is None:
                break
            inner.append(Line(lines[end].number, own))
        end += 1
        found = _read(inner, 0) if inner else None
        if found and found.report:
            members.append(found.report.chain)
        elif named := next((one for line in inner if (one := EXCEPTION.match(line.text))), None):
            members.append((LoggedException(named["type"], named["message"] or ""),))


def _skip_blank(lines: Sequence[Line], i: int) -> int:
    while i < len(lines) and not lines[i].text.strip() and lines[i].text[:1] != BOUNDARY:
        i += 1
    return i


DIALECT = Dialect(
    "rich",
    "rich's boxes, with and without locals, chained, in ASCII too",
    (b"call last)", "❱ ".encode()),
    _read,
)
