"""Crash logs changed at random, and what must hold of reading whatever came out.

Shared by the tests, and by `bench/fuzz.py`, which runs the same for long.
"""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from hypothesis import strategies as st

from nsdbg import crashlog
from nsdbg.crashlog import CrashReport, LoggedException
from nsdbg.report.crash import crashes_json, crashes_text
from nsdbg.rulebook import Rulebook

RULES = Rulebook()
LOGS = Path(__file__).parent / "logs"
# Seconds of processor time for a log of `size` bytes: a hundred times what a plain one takes.
ALLOWED_S, ALLOWED_S_PER_BYTE = 0.5, 40e-6

SPLICES = (
    b"Traceback (most recent call last):\n",
    b'  File "/app/run.py", line 7, in <module>\n',
    b"    main()\n    ^^^^^^\n",
    b"KeyError: 'bolt'\n",
    b"  + Exception Group Traceback (most recent call last):\n",
    b"  | ExceptionGroup: two (2 sub-exceptions)\n  +-+---------------- 1 ----------------\n",
    b"    +------------------------------------\n",
    b"\nDuring handling of the above exception, another exception occurred:\n\n",
    b"\nThe above exception was the direct cause of the following exception:\n\n",
    b"  [Previous line repeated 996 more times]\n",
    b'"""\n', b"'''\n", b"\x1b[31m", b"\r", b"\x00", b"\x1e", b"\x1f", b"\xff\xfe", b"\xef\xbb\xbf",
    b"2026-01-02 10:00:00,000 ERROR app: failed\n", b'{"log":"', b'","stream":"stderr"}\n', b"\\n",
    b"&lt;module&gt;", b"    at java.lang.Thread.run(Thread.java:9)\n", b"E   AssertionError: no\n",
    b"Fatal Python error: Aborted\n\nCurrent thread 0x01 (most recent call first):\n",
    b"\xe2\x94\x82 ", b"\xe2\x95\xad\xe2\x94\x80 Traceback (most recent call last) \xe2\x94\x80\n",
    b"Cell In[3], line 2, in f(x)\n", b"----> 1 f()\n", b"in user code:\n", b"#012", b"Stack: ",
    b'{"schema": "nsdbg.crash/1", "chain": [', b"}]}",
)  # fmt: skip


def seeds() -> list[bytes]:
    """Return the logs of the repository, large ones cut."""
    return [path.read_bytes()[:20_000] for path in sorted(LOGS.glob("*.log"))]


Change = Callable[[bytes, int, int, bytes], bytes]


def _lines(text: bytes) -> list[bytes]:
    return text.splitlines(keepends=True) or [b""]


def _delete(text: bytes, at: int, size: int, _: bytes) -> bytes:
    at %= len(text) + 1
    return text[:at] + text[at + size % 80 :]


def _delete_lines(text: bytes, at: int, size: int, _: bytes) -> bytes:
    lines = _lines(text)
    at %= len(lines)
    return b"".join(lines[:at] + lines[at + 1 + size % 5 :])


def _repeat_lines(text: bytes, at: int, size: int, _: bytes) -> bytes:
    lines = _lines(text)
    at %= len(lines)
    return b"".join(lines[:at] + lines[at : at + 1 + size % 7] * (1 + size % 40) + lines[at:])


def _swap_lines(text: bytes, at: int, size: int, _: bytes) -> bytes:
    lines = _lines(text)
    one, other = at % len(lines), size % len(lines)
    lines[one], lines[other] = lines[other], lines[one]
    return b"".join(lines)


def _insert(text: bytes, at: int, _: int, other: bytes) -> bytes:
    at %= len(text) + 1
    return text[:at] + other + text[at:]


def _insert_line(text: bytes, at: int, _: int, other: bytes) -> bytes:
    lines = _lines(text)
    lines.insert(at % (len(lines) + 1), other)
    return b"".join(lines)


def _replace(text: bytes, at: int, size: int, _: bytes) -> bytes:
    at %= len(text) + 1
    return text[:at] + bytes([size % 256]) + text[at + 1 :]


def _prefix(text: bytes, at: int, _: int, other: bytes) -> bytes:
    head = (b"2026-01-02T10:00:00Z ", b"web-1  | ", b"> ", b"    ", b"[7]: ", other.strip())[at % 6]
    return b"".join(head + line for line in _lines(text))


def _interleave(text: bytes, at: int, size: int, other: bytes) -> bytes:
    lines = _lines(text)
    step = 1 + size % 6
    return b"".join(line + (other if not (number + at) % step else b"")
                    for number, line in enumerate(lines))  # fmt: skip


def _cut(text: bytes, at: int, size: int, _: bytes) -> bytes:
    at %= len(text) + 1
    return text[at:] if size % 2 else text[:at]


def _envelope(text: bytes, at: int, _: int, other: bytes) -> bytes:
    whole = text.decode("utf-8", "replace")
    if at % 3 == 0:
        return json.dumps({"level": "error", "exc_info": whole}).encode() + b"\n"
    if at % 3 == 1:
        lines = whole.split("\n")
        return "".join(json.dumps({"log": f"{one}\n"}) + "\n" for one in lines).encode()
    return repr(whole).encode() + other


def _recode(text: bytes, at: int, size: int, _: bytes) -> bytes:
    if at % 4 == 0:
        return text.decode("utf-8", "replace").encode("utf-16")
    if at % 4 == 1:
        return gzip.compress(text, 1)[: 20 + size % 4000 if size % 2 else None]
    return text.replace(b"\n", b"\r\n") if at % 4 == 2 else text.replace(b"\n", b" ")


CHANGES: tuple[Change, ...] = (
    _delete, _delete_lines, _repeat_lines, _swap_lines, _insert, _insert_line, _replace, _prefix,
    _interleave, _cut, _envelope, _recode,
)  # fmt: skip


@st.composite
def mutated(draw: st.DrawFn, texts: Sequence[bytes]) -> bytes:
    """Draw a log: one of the texts, with up to eight changes."""
    text = draw(st.sampled_from(texts))
    numbers = st.integers(0, 30_000)
    for _ in range(draw(st.integers(1, 8))):
        change = draw(st.sampled_from(CHANGES))
        other = draw(st.sampled_from(SPLICES))
        if draw(st.integers(0, 9)) == 0:
            other = draw(st.sampled_from(texts))[:3_000]
        text = change(text, draw(numbers), draw(numbers), other)[:200_000]
    return text


def read_in_time(text: bytes) -> list[CrashReport]:
    """Return the crashes of a log; raises AssertionError when reading takes too long.

    Tried three times: a collection of garbage, or a neighbour on the machine, is not the reader's.
    """
    allowed = ALLOWED_S + ALLOWED_S_PER_BYTE * len(text)
    for _ in range(3):
        started = time.process_time()
        reports = list(crashlog.read(text))
        seconds = time.process_time() - started
        if seconds <= allowed:
            return reports
    raise AssertionError(f"{seconds:.2f} s for {len(text)} bytes, of {allowed:.2f} s allowed")


def check(text: bytes) -> list[CrashReport]:
    """Read a log and hold what must hold of every answer."""
    reports = read_in_time(text)
    for report in reports:
        assert report.lineno >= 1
        assert report.count >= 1
        for one in report.chain:
            _check_exception(one)
    found = crashlog.distinct(reports)
    assert sum(one.count for one in found) == sum(one.count for one in reports)
    json.dumps(crashes_json(found, RULES))
    shown = crashes_text(found, RULES)
    assert not any(ord(character) < 32 and character != "\n" for character in shown)
    return reports


def _check_exception(one: LoggedException) -> None:
    assert one.hidden >= 0
    for frame in (*one.frames, *([one.place] if one.place else [])):
        assert frame.lineno >= 0
        if frame.carets is not None:
            assert frame.source is not None
            assert 0 <= frame.carets[0] < frame.carets[1] <= len(frame.source)
        for name, value in frame.locals or ():
            assert name
            assert not (value.literal and value.truncated)
    for member in (*one.embedded, *(last for chain in one.members for last in chain)):
        _check_exception(member)
