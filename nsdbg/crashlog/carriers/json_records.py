"""JSON around crash text: one object a line, documents over many lines, notebooks, events.

Text inside strings is given back as lines; traces that are lists of frames are written out as
plain tracebacks, so that one reader reads all.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from nsdbg.crashlog.carriers.json_events import event_texts
from nsdbg.crashlog.carriers.wrapping import Carrier
from nsdbg.crashlog.clean import clean
from nsdbg.crashlog.lines import BOUNDARY, Line
from nsdbg.crashlog.patterns import FILE, HEADER, is_exception_line, link_of
from nsdbg.crashlog.seal import SCHEMA, records_within, seal

_DOCUMENT_LIMIT = 4 << 20  # characters of one document over several lines
_ATTEMPTS = 8  # lines of a part at which such a document may begin in vain
_DEPTH = 12
_CUT = 8192  # characters; docker's 16,384 are bytes
# Keys under which envelopes hold one line of the program's output.
_LINE_KEYS = (
    "MESSAGE", "log", "message", "msg", "line", "text", "textPayload", "event", "body", "LogEntry",
)  # fmt: skip
_SOURCES = ("_SYSTEMD_UNIT", "_PID", "stream", "container", "container_name", "pod")

# Keys of traces that `event_texts` has read already.
_TRACES = (
    "exception", "stackTrace", "traceback", "exc_info", "stacktrace", "stack_trace", "error_detail",
)  # fmt: skip

_decoder = json.JSONDecoder()
_Json = dict[str, object]


def _unwrap(lines: Sequence[Line]) -> list[Line] | None:
    found: list[Line] = []
    changed = False
    attempts = _ATTEMPTS
    i = 0
    open_record = False  # the last lines came from an envelope that holds one line each
    part = ""  # of a long line that docker wrote in several records
    while i < len(lines):
        number, text = lines[i]
        value, end = _in_line(text), i + 1
        if value is None and attempts and text.strip()[:1] in ("{", "[") and _opens(text):
            value, end = _over_lines(lines, i)
            attempts -= value is None
        single = _single(value, open_record)
        texts = list(_documents(value, number)) if value is not None and single is None else []
        if single is not None and (inner := _in_line(single)) is not None:
            texts = list(_documents(inner, number))  # a program's own record, in a container's
            single = None if texts else single
        texts += [part for one in records_within(value) for part in seal(number, one)]
        if single is not None and _is_part(value):
            part += single
        elif single is not None:
            found += clean([Line(number, part + single)], spelled=SCHEMA in single)
            part = ""
        else:
            if open_record:
                found.append(Line(number, BOUNDARY))
            found += texts or lines[i:end]  # JSON without a crash may be source or output
        open_record = single is not None
        changed = changed or open_record or bool(texts)
        i = end
    if part:
        found.append(Line(lines[-1].number, part))
    return found if changed else None


def _in_line(text: str) -> _Json | list[object] | None:
    """Return the JSON object that a line ends with, whatever prefix stands before it."""
    start = text.find('{"')
    if start < 0 or not text.rstrip().endswith("}"):
        return None
    try:
        value, end = _decoder.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    return _spelled(value) if isinstance(value, dict) and not text[end:].strip() else None


def _spelled(record: _Json) -> _Json:
    """Return a record of journald with its message as text: one with colours is a list of bytes."""
    said = record.get("MESSAGE")
    if not isinstance(said, list) or not all(
        isinstance(one, int) and 0 <= one < 256 for one in said
    ):
        return record
    return {**record, "MESSAGE": bytes(said).decode("utf-8", "replace")}


def _opens(text: str) -> bool:
    """Whether a line looks like the first of a document that was indented for reading."""
    bare = text.strip()
    return bare in ("{", "[", "[{") or (bare.startswith('{"') and bare.endswith((",", "{", "[")))


def _over_lines(lines: Sequence[Line], i: int) -> tuple[_Json | list[object] | None, int]:
    """Return the document that begins with line `i`, and the index of the line behind it."""
    size, stop = 0, i
    while stop < len(lines) and size < _DOCUMENT_LIMIT and lines[stop].text[:1] != BOUNDARY:
        size += len(lines[stop].text) + 1
        stop += 1
    text = "\n".join(line.text for line in lines[i:stop])
    try:
        value, end = _decoder.raw_decode(text, len(text) - len(text.lstrip()))
    except (ValueError, RecursionError):
        return None, i + 1
    if not isinstance(value, (dict, list)):
        return None, i + 1
    return value, i + text.count("\n", 0, end) + 1


def _single(value: object, goes_on: bool) -> str | None:
    """Return the one line of output that an envelope holds, None for other records.

    `goes_on`: the record before was one.  Where nothing else tells an envelope from an event, the
    line itself does.
    """
    if not isinstance(value, dict):
        return None
    key = next((key for key in _LINE_KEYS if isinstance(value.get(key), str)), None)
    if key is None:
        return None
    text = str(value[key]).rstrip("\r\n")
    known = key in ("MESSAGE", "log") or set(value) & set(_SOURCES)
    if "\n" in text or not (known or _is_of_crash(text, goes_on)):
        return None
    return text


def _is_of_crash(text: str, goes_on: bool) -> bool:
    """Whether a line is a traceback's by itself, or can be where one is going on."""
    if HEADER.search(text) or FILE.match(text):
        return True
    return goes_on and bool(
        not text.strip() or text[0] in " \t|" or link_of(text) or is_exception_line(text)
    )


def _is_part(value: object) -> bool:
    """Whether docker cut a line here, at 16 KiB; the last part alone ends with the line."""
    text = value.get("log") if isinstance(value, dict) else None
    return isinstance(text, str) and len(text) >= _CUT and not text.endswith("\n")


def _documents(value: object, number: int) -> Iterator[Line]:
    """Yield the crash texts inside a value, each between boundaries."""
    seen: list[str] = []
    for name, text in _texts(value, 0):
        if any(text.strip() in other for other in seen):
            continue  # loguru and GELF say the same text twice
        seen.append(text)
        yield Line(number, BOUNDARY + name)
        yield from clean(Line(number, one) for one in text.split("\n"))
    if seen:
        yield Line(number, BOUNDARY)


def _texts(value: object, depth: int) -> Iterator[tuple[str, str]]:
    """Yield the name of the layout ("" as found) and the text of each crash in a value."""
    if isinstance(value, str):
        if _tells(value):
            yield "", value
    elif depth > _DEPTH:
        return
    elif isinstance(value, list):
        if (column := _column(value)) is not None:
            yield "", column
            return
        for item in value:
            yield from _texts(item, depth + 1)
    elif isinstance(value, dict):
        events = list(event_texts(value))
        yield from events
        for key, item in value.items():
            if not (events and key in _TRACES):
                yield from _texts(item, depth + 1)


def _column(items: list[object]) -> str | None:
    """Return the text whose lines are a list's items: strings, records, or Loki's pairs."""
    cells = [_cell(item) for item in items]
    texts = [one for one in cells if one is not None]
    if len(texts) < 2 or len(texts) < len(cells):
        return None
    if not any(HEADER.search(one.rstrip("\r\n")) for one in texts):
        return None
    whole = all(isinstance(item, str) for item in items)  # format_exception's pieces
    if not whole and any("\n" in one.rstrip("\r\n") for one in texts):
        return None
    return "\n".join(one.rstrip("\r\n") for one in texts) + "\n"


def _cell(item: object) -> str | None:
    """Return the line of output that an item of a list holds."""
    if isinstance(item, dict):
        item = item.get("_source", item)
    if isinstance(item, dict):
        item = next((item[key] for key in _LINE_KEYS if isinstance(item.get(key), str)), None)
    elif isinstance(item, list) and len(item) == 2:
        item = item[1]
    return item if isinstance(item, str) else None


def _tells(text: str) -> bool:
    return "\n" in text and (" call last)" in text or 'File "' in text or "\nE   " in text)


CARRIER = Carrier(
    "json",
    "JSON lines and documents: exc_info, stack_trace, journald, docker, Sentry, notebooks, Lambda",
    _unwrap,
    (b'"stacktrace"', b'"stackTrace"', b'"exc_type"'),
)
