"""Crash logs to CrashReports: every crash of a log, in order, in bounded memory.

Raises for what cannot be opened; whatever the bytes are, reading them does not fail.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from nsdbg.crashlog.carriers import CARRIERS
from nsdbg.crashlog.clean import clean, has_lost_escapes
from nsdbg.crashlog.dialects import DIALECTS
from nsdbg.crashlog.lines import BOUNDARY, Line
from nsdbg.crashlog.patterns import link_of
from nsdbg.crashlog.report import CrashReport
from nsdbg.crashlog.seal import SCHEMA, seal_records
from nsdbg.crashlog.stream import parts
from nsdbg.crashlog.times import with_times
from nsdbg.errors import CrashLogError

_READY = 12_000  # lines held before the first of them are read for crashes
_LAYERS = 2  # times that all carriers are taken off: a JSON record in a container's, and so on
_READY_SIZE = 16 << 20  # or this many characters
_KEPT = 4_000  # lines kept back then, for a crash that begins among the last; more is cut
_ALL = {marker for one in DIALECTS for marker in one.markers} | {
    marker for one in CARRIERS for marker in one.markers
}
# What contains another marker is found by that one.
_MARKERS = tuple(sorted(a for a in _ALL if not any(b != a and b in a for b in _ALL)))


def read(source: BinaryIO | Path | str | bytes) -> Iterator[CrashReport]:
    """Yield every crash of a log, one for each time it was printed.

    `source` is a stream, a path or the log itself as bytes.
    Raises CrashLogError when a path cannot be opened or read.
    """
    if isinstance(source, bytes):
        yield from _read(io.BytesIO(source))
    elif isinstance(source, (Path, str)):
        try:
            with open(source, "rb") as stream:
                yield from _read(stream)
        except OSError as error:
            raise CrashLogError(f"cannot read {source}: {error.strerror or error}") from error
    else:
        yield from _read(source)


def _read(stream: BinaryIO) -> Iterator[CrashReport]:
    held: list[Line] = []
    for part in parts(stream, _MARKERS):
        if held and not part.follows:
            yield from read_lines(held)[0]
            held = []
        held += part.lines
        if not part.document and (len(held) > _READY or _size(held) > _READY_SIZE):
            reports, end = read_lines(held, len(held) - min(_KEPT, len(held) // 3))
            yield from reports
            held = held[end:]
    yield from read_lines(held)[0]


def _size(lines: Sequence[Line]) -> int:
    """Return how many characters lines hold."""
    return sum(len(line.text) for line in lines)


def read_lines(lines: Sequence[Line], stop: int | None = None) -> tuple[list[CrashReport], int]:
    """Return the crashes that begin before line `stop`, and the index from which to go on."""
    records = any(SCHEMA in line.text for line in lines)
    cleaned = seal_records(list(clean(lines, not records and has_lost_escapes(lines), records)))
    names: list[str] = []
    for _ in range(_LAYERS):
        before = len(names)
        for carrier in CARRIERS:
            unwrapped = carrier.unwrap(cleaned)
            if unwrapped is not None:
                cleaned = seal_records(unwrapped)
                names.append(carrier.name)
        if len(names) == before:
            break
    limit = None if stop is None else lines[stop].number
    reports, last = _crashes(cleaned, limit)
    carried = "+".join(dict.fromkeys(names)) or None
    reports = [replace(one, carrier=carried) for one in with_times(reports, lines)]
    end = len(lines) if limit is None else _index_of(lines, max(last, limit))
    return reports, end


def _crashes(lines: Sequence[Line], limit: int | None) -> tuple[list[CrashReport], int]:
    """Return the crashes that begin above the log's line `limit`, and the line behind the last."""
    found: list[CrashReport] = []
    i, layout = 0, ""
    while i < len(lines) and (limit is None or lines[i].number < limit):
        if lines[i].text[:1] == BOUNDARY:
            layout = lines[i].text[1:]
            i += 1
            continue
        for dialect in DIALECTS:
            answer = dialect.read(lines, i)
            if answer is not None:
                if answer.report is not None:
                    named = replace(answer.report, format=layout) if layout else answer.report
                    if named.truncated is None and _follows_another(lines, i):
                        named = replace(named, truncated="top")
                    found.append(named)
                i = max(i + 1, answer.end)
                if any(" last):" in line.text for line in answer.others):
                    lines, i = [*answer.others, *lines[i:]], 0  # another process's, interleaved
                break
        else:
            i += 1
    last = lines[i].number if i < len(lines) else (lines[-1].number + 1 if lines else 0)
    return found, last


def _follows_another(lines: Sequence[Line], i: int) -> bool:
    """Whether the line above says that an exception stood there, of which nothing was found."""
    above = i - 1
    while above >= 0 and not lines[above].text.strip():
        above -= 1
    return above >= 0 and link_of(lines[above].text) is not None


def _index_of(lines: Sequence[Line], number: int) -> int:
    """Return the index of the first line with at least this number."""
    for at in range(len(lines) - 1, -1, -1):
        if lines[at].number < number:
            return at + 1
    return 0


def distinct(reports: Iterable[CrashReport]) -> list[CrashReport]:
    """Return each crash once, in the order first seen, with how often it was seen."""
    seen: dict[str, CrashReport] = {}
    for report in reports:
        key = report.fingerprint
        known = seen.get(key)
        if known is None:
            seen[key] = report
        else:
            seen[key] = replace(
                known,
                count=known.count + report.count,
                last_seen=report.last_seen or known.last_seen,
            )
    return list(seen.values())
