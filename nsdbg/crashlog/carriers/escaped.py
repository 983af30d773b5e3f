r"""Tracebacks inside a string's repr or a cut JSON line: `\n` for line ends, `\"` for quotes."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Sequence

from nsdbg.crashlog.carriers.wrapping import Carrier
from nsdbg.crashlog.lines import BOUNDARY, Line

_SIGN = re.compile(
    r"call first\):\\+n|\\+nE   [A-Z]"
    r"|\\+n\s*File \\*[\"'][^\"'\n]+[\"'], line \d+(?:, in |\\)|last\)[^\\]{0,150}\\+n"
    r"|['\"]  File \\*\""
)
_START = re.compile(
    r"(?P<quote>\\*[\"']|)(?P<text>(?:(?:  )?\+ )?(?:Exception Group |Original |Remote )?"
    r"Traceback \(most recent|Fatal Python error: |={5,} (?:test session|FAILURES|ERRORS)"
    r"|  File \\*\"|-{60,}\\+n)"
)
# The quote that opens the string a header stands in, when other text of it comes first.
_OPENING = re.compile(
    r"(?:^|[=:(\[,{ ]|\bb)(?P<quote>\\*['\"])(?!['\"])(?:[^'\"\\]|\\.|\\?(?:'''|\"\"\"))*$"
)
_NEAR = 4000  # characters before a header in which its string may begin
_DEPTH = 3
_LIST_LIMIT = 64 << 10  # characters; literal_eval is linear, but nesting costs stack
_ESCAPE = re.compile(r"((?:\\x[0-9a-fA-F]{2})+)|\\(?:u([0-9a-fA-F]{4})|(.))")
_SIMPLE = {"n": "\n", "t": "\t", "r": "", "\\": "\\", '"': '"', "'": "'", "/": "/"}


def _unwrap(lines: Sequence[Line]) -> list[Line] | None:
    found: list[Line] = []
    changed = False
    for line in lines:
        if "\\" in line.text and _SIGN.search(line.text):
            found += _expand(line)
            changed = True
        else:
            found.append(line)
    return found if changed else None


def _expand(line: Line) -> list[Line]:
    """Return what stands before the string, its lines, and what stands behind it."""
    number, text = line
    start = _START.search(text)
    if start is None:
        return [line]
    at, quote = start.start("text"), start["quote"]
    near = max(0, at - _NEAR)
    opening = _OPENING.search(text[near:at])
    if opening:  # the string begins before the header, with another line of the crash
        at, quote = near + opening.end("quote"), opening["quote"]
    head, body = text[:at], text[at:]
    items = _items(text, at, quote)
    body, rest = items or (_string(body, quote) if quote.strip("\\") else (body, ""))
    for depth in range(_DEPTH):
        if (depth or items) and not _SIGN.search(body):
            break
        body = _ESCAPE.sub(_character, body)
    inner = [Line(number, one) for one in body.rstrip("\n").split("\n")]
    return [
        Line(number, head),
        Line(number, BOUNDARY),
        *inner,
        Line(number, BOUNDARY),
        Line(number, rest),
    ]


def _items(text: str, at: int, quote: str) -> tuple[str, str] | None:
    """Return the joined strings of the list that begins here, as `format_exception` returns it."""
    start, end = at - len(quote) - 1, text.rfind("]")
    if start < 0 or text[start] != "[" or not start < end < start + _LIST_LIMIT:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a backslash that escapes nothing
            items = ast.literal_eval(text[start : end + 1])
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    if not all(isinstance(one, str) for one in items):
        return None
    return "\n".join(one.removesuffix("\n") for one in items), text[end + 1 :]


def _string(body: str, quote: str) -> tuple[str, str]:
    """Part a text at the quote that ends its string."""
    end = re.compile(r"(?<!\\)" + re.escape(quote)).search(body)
    return (body[: end.start()], body[end.end() :]) if end else (body, "")


def _character(found: re.Match[str]) -> str:
    if found[1]:
        data = bytes.fromhex(found[1].replace("\\x", ""))
        try:
            return data.decode("utf-8")  # of a bytes repr
        except UnicodeDecodeError:
            return data.decode("latin-1")
    if found[2]:
        return chr(int(found[2], 16))
    return _SIMPLE.get(found[3], found[0])


CARRIER = Carrier(
    "escaped",
    "a string's repr: \\n and \\' inside one line of a log, a bytes repr, a cut JSON line",
    _unwrap,
    (b'  File "', b"File \\"),
)
