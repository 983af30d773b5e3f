"""A crash reads the same whatever its text was wrapped in."""

from __future__ import annotations

import gzip
import html
import json
import re
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from nsdbg import crashlog
from nsdbg.crashlog import LoggedException

LOGS = Path(__file__).parent / "logs"

PLAIN = """\
Traceback (most recent call last):
  File "/app/run.py", line 7, in <module>
    main({"rows": []})
  File "/app/shop/stock.py", line 12, in main
    return share(basket["rows"], 2)
           ^^^^^^^^^^^^^^^^^^^^^^^^
  File "/app/shop/stock.py", line 4, in share
    return sum(rows) / len(rows)
           ~~~~~~~~~~^~~~~~~~~~~
ZeroDivisionError: division by zero
"""
CHAIN = """\
Traceback (most recent call last):
  File "/app/shop/stock.py", line 21, in find
    return SHELF[name]
           ~~~~~^^^^^^
KeyError: 'bolt "M8"'

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/app/run.py", line 9, in <module>
    find('bolt "M8"')
  File "/app/shop/stock.py", line 23, in find
    raise shop.errors.Missing("no <bolt> & no nut") from error
shop.errors.Missing: no <bolt> & no nut
"""
GROUP = """\
  + Exception Group Traceback (most recent call last):
  |   File "/app/run.py", line 9, in <module>
  |     raise ExceptionGroup("two", errors)
  | ExceptionGroup: two (2 sub-exceptions)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "/app/shop/stock.py", line 3, in one
    |     return int(text)
    |            ^^^^^^^^^
    | ValueError: invalid literal for int() with base 10: 'x'
    +---------------- 2 ----------------
    | KeyError: 'b'
    +------------------------------------
"""
SYNTAX = """\
Traceback (most recent call last):
  File "/app/run.py", line 1, in <module>
    import shop.broken
  File "/app/shop/broken.py", line 2
    x = (1,
        ^
SyntaxError: '(' was never closed
"""
RECURSION = """\
Traceback (most recent call last):
  File "/app/run.py", line 3, in <module>
    walk(tree)
  File "/app/shop/tree.py", line 8, in walk
    return walk(node.next)
  File "/app/shop/tree.py", line 8, in walk
    return walk(node.next)
  [Previous line repeated 994 more times]
RecursionError: maximum recursion depth exceeded
"""
SAMPLES = {"plain": PLAIN, "chain": CHAIN, "group": GROUP, "syntax": SYNTAX, "recursion": RECURSION}
Wrap = Callable[[str], str | bytes]


def each(prefix: str) -> Callable[[str], str]:
    """Put a prefix before every line; `{n}` in it is the line's number."""
    return lambda text: "".join(
        prefix.replace("{n}", f"{at:03}") + line + "\n" for at, line in enumerate(text.splitlines())
    )


def docker_json(text: str) -> str:
    return "".join(
        json.dumps({"log": line + "\n", "stream": "stderr", "time": "2026-01-02T03:04:05.6Z"})
        + "\n"
        for line in text.splitlines()
    )


def journald_json(text: str) -> str:
    return "".join(
        json.dumps({"_PID": "7", "MESSAGE": line, "_SYSTEMD_UNIT": "shop.service"}) + "\n"
        for line in text.splitlines()
    )


def cri_partial(text: str) -> str:
    stamp = "2026-01-02T03:04:05.000000001Z stderr"
    parts = []
    for line in text.splitlines():
        half = len(line) // 2
        parts += [f"{stamp} P {line[:half]}\n", f"{stamp} F {line[half:]}\n"]
    return "".join(parts)


def interleaved_compose(text: str) -> str:
    noise = "db-1   | 2026-01-02 03:04:05 UTC LOG:  checkpoint starting: time\n"
    return "".join(f"api-1  | {line}\n{noise}" for line in text.splitlines())


def exc_info(text: str) -> str:
    record = {"level": "error", "message": "failed", "exc_info": text.rstrip("\n")}
    return json.dumps({"level": "info", "message": "start"}) + "\n" + json.dumps(record) + "\n"


def glued_prefix(text: str) -> str:
    return (
        f"2026-01-02 03:04:05,678 ERROR shop: request failed\n{text}2026-01-02 03:04:06 INFO ok\n"
    )


def line_prefix(text: str) -> str:
    prefix = "2026-01-02 03:04:{n} ERROR [pool-1] shop.web - "
    return each(prefix)(text) + "2026-01-02 03:04:59 INFO [pool-1] shop.web - next\n"


CARRIERS: dict[str, Wrap] = {
    "as it is": lambda text: text,
    "crlf": lambda text: text.replace("\n", "\r\n"),
    "utf-8 bom": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "utf-16": lambda text: text.encode("utf-16"),
    "utf-16 without bom": lambda text: text.encode("utf-16-le"),
    "gzip": lambda text: gzip.compress(text.encode()),
    "gzip cut": lambda text: gzip.compress((text + "more " * 99).encode() * 3)[:-12],
    "nul bytes between": lambda text: text.replace("\n", "\n\0\0"),
    "no newline at the end": lambda text: text.rstrip("\n"),
    "binary around": lambda text: b"\x00\xff\xfe\x80 junk\n" * 30 + text.encode() + b"\xff\x00\n",
    "ansi": lambda text: "".join(f"\x1b[31m{line}\x1b[0m\n" for line in text.splitlines()),
    "indented": lambda text: textwrap.indent(text, "        "),
    "tab": lambda text: textwrap.indent(text, "\t"),
    "nbsp": lambda text: re.sub(r"^ +", lambda found: "\u00a0" * len(found[0]), text, flags=re.M),
    "markdown quote": each("> "),
    "markdown fence": lambda text: f"It fails:\n\n```python-traceback\n{text}```\n\nAny idea?\n",
    "reprex": each("#> "),
    "docker json": docker_json,
    "journald json": journald_json,
    "exc_info": exc_info,
    "cri": each("2026-01-02T03:04:05.000000{n}Z stderr F "),
    "cri partial": cri_partial,
    "compose": each("api-1  | "),
    "compose interleaved": interleaved_compose,
    "kubectl prefix": each("[pod/shop-6f/shop] "),
    "syslog": each("Jan  2 03:04:05 box shop[77]: "),
    "journald iso": each("2026-01-02T03:04:05+0000 box python[77]: "),
    "github": each("2026-01-02T03:04:05.0000{n}Z "),
    "gitlab": each("2026-01-02T03:04:05.000{n}Z 01O "),
    "jenkins": each("[2026-01-02T03:04:05.{n}Z] "),
    "heroku": each("2026-01-02T03:04:05.000{n}+00:00 app[web.1]: "),
    "ray": each("(train pid=77) "),
    "logger on the first line": glued_prefix,
    "logger on every line": line_prefix,
    "html": lambda text: f"<html><pre>\n{html.escape(text)}</pre></html>\n",
    "html br": lambda text: html.escape(text).replace("  ", "&nbsp;&nbsp;").replace("\n", "<br>\n"),
    "html twice": lambda text: html.escape(html.escape(text)),
    "repr": lambda text: f"worker said: {text!r}\n",
    "bytes repr": lambda text: f"stderr={text.encode()!r} rc=1\n",
    "json cut": lambda text: '{"event": "x", "exception": ' + json.dumps(text)[:-1],
}  # fmt: skip


def test_the_carets_of_a_folded_frame_are_not_those_of_the_last_call() -> None:
    folded = RECURSION.replace("  [Previous", "           ^^^^^^^^^^^^^^^\n  [Previous")
    (report,) = crashlog.read(folded.encode())
    assert report.final.repeated == 994
    assert report.final.frames[-1].source == "return walk(node.next)"
    assert report.final.frames[-1].carets is None


def told(one: LoggedException) -> tuple[object, ...]:
    return (
        one.exception,
        one.message_first_line,
        [(frame.file, frame.lineno, frame.function) for frame in one.frames],
        one.place and (one.place.file, one.place.lineno),
        one.repeated,
        [[told(member) for member in chain] for chain in one.members],
    )


def read(data: str | bytes) -> list[list[tuple[object, ...]]]:
    data = data.encode() if isinstance(data, str) else data
    return [[told(one) for one in report.chain] for report in crashlog.read(data)]


@pytest.mark.parametrize("sample", SAMPLES)
@pytest.mark.parametrize("carrier", CARRIERS)
def test_a_crash_reads_the_same_in_every_carrier(sample: str, carrier: str) -> None:
    expected = read(SAMPLES[sample])
    found = read(CARRIERS[carrier](SAMPLES[sample]))
    if carrier == "gzip cut":
        found = found[:1]
    assert found == expected
    assert len(expected) == 1
