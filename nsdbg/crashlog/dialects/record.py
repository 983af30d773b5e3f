"""Records that nsdbg wrote itself, `nsdbg.crash/1`: everything is there, with the values.

A record is believed no more than any other text of a log: what is not of the right kind is left
out, and what a value is worth is judged from its text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeGuard

from nsdbg.crashlog.dialects.layout import Dialect, Found
from nsdbg.crashlog.kinds import frame_kind
from nsdbg.crashlog.lines import Line
from nsdbg.crashlog.report import CrashReport, Link, LoggedException, LoggedFrame
from nsdbg.crashlog.seal import SCHEMA, unsealed
from nsdbg.crashlog.text import Lines
from nsdbg.crashlog.traceback import read_chain
from nsdbg.crashlog.values import logged_value
from nsdbg.state import Value

_MOST = 5000  # exceptions, frames or values in one list
_DEEPEST = 40
_Json = dict[str, object]


def _read(lines: Sequence[Line], i: int) -> Found | None:
    record = unsealed(lines[i])
    if record is None:
        return None
    chain = _chain(_field(record, "chain"), 0)
    if not chain:
        return Found(None, i + 1)
    time = _text(_field(record, "time"))
    report = CrashReport(
        chain, "nsdbg", lineno=lines[i].number, context=_text(_field(record, "context")),
        truncated="middle" if _is_cut(_field(record, "chain")) else None,
        first_seen=time, last_seen=time,
    )  # fmt: skip
    return Found(report, i + 1)


def _is_object(value: object) -> TypeGuard[_Json]:
    return isinstance(value, dict)


def _field(value: object, name: str) -> object:
    return value.get(name) if _is_object(value) else None


def _list(value: object) -> list[object]:
    return value[:_MOST] if isinstance(value, list) else []


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _number(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _is_cut(chain: object) -> bool:
    return any(_number(_field(one, "omitted")) for one in _list(chain))


def _chain(value: object, depth: int) -> tuple[LoggedException, ...]:
    if depth > _DEEPEST:
        return ()
    found = [_exception(one, depth) for one in _list(value) if _is_object(one)]
    return tuple(replace(one, link=None) if at == 0 else one for at, one in enumerate(found))


def _exception(one: _Json, depth: int) -> LoggedException:
    name, message = _text(one.get("type")), _text(one.get("message"))
    link = one.get("link")
    members = [_chain(member, depth + 1) for member in _list(one.get("members"))]
    message = message or "" if name is not None else None
    return LoggedException(
        name, message,
        tuple(_frame(frame) for frame in _list(one.get("frames")) if _is_object(frame)),
        link=Link(link) if link in ("cause", "context") else None,
        notes=tuple(note for note in _list(one.get("notes")) if isinstance(note, str)),
        members=tuple(member for member in members if member),
        hidden=_number(one.get("hidden")) or 0,
        place=_place(one.get("place")),
        repeated=_number(one.get("repeated")),
        embedded=_embedded(name, message),
    )  # fmt: skip


def _embedded(name: str | None, message: str | None) -> tuple[LoggedException, ...]:
    """Return the tracebacks inside a message, as the plain reader finds them."""
    if name is None or message is None or " last)" not in message:
        return ()
    read = read_chain(Lines(f"{name}: {message}".split("\n")), 0).exceptions[0]
    return read.embedded


def _place(value: object) -> LoggedFrame | None:
    if not _is_object(value) or _text(value.get("file")) is None:
        return None
    return replace(_frame(value), function=None, locals=None)


def _frame(frame: _Json) -> LoggedFrame:
    file = _text(frame.get("file")) or "?"
    function = _text(frame.get("function")) or "?"
    source = _text(frame.get("source")) or None
    return LoggedFrame(
        file, _number(frame.get("lineno")) or 0, function, source,
        carets=_carets(frame.get("carets"), source), locals=_locals(frame.get("locals")),
        kind=frame_kind(file, function),
    )  # fmt: skip


def _carets(value: object, source: str | None) -> tuple[int, int] | None:
    ends = [_number(one) for one in _list(value)]
    if source is None or len(ends) != 2 or ends[0] is None or ends[1] is None:
        return None
    return (ends[0], ends[1]) if ends[0] < ends[1] <= len(source) else None


def _locals(values: object) -> tuple[tuple[str, Value], ...] | None:
    if not _is_object(values):
        return None
    return tuple(
        (name, found) for name, value in list(values.items())[:_MOST]
        if (found := _value(value)) is not None
    )  # fmt: skip


def _value(value: object) -> Value | None:
    text, kind = _text(_field(value, "repr")), _text(_field(value, "type")) or ""
    if text is None:
        return None
    if _field(value, "truncated") is True:
        return Value(text, kind, truncated=True)
    read = logged_value(text)
    if read.literal and kind in ("", read.type):
        return read
    return Value(text, kind or read.type)  # a str subclass prints as a str, and is none


DIALECT = Dialect(
    "nsdbg",
    "nsdbg's own records, nsdbg.crash/1: from nsdbg run, nsdbg.install() and CrashHandler",
    (SCHEMA.encode(),),
    _read,
)
