"""Failures and errors as pytest reports them, in the styles long, short, auto, line and no.

`--tb=native` is a plain traceback, and left to its reader.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from nsdbg.crashlog.dialects.layout import Dialect, Found
from nsdbg.crashlog.dialects.pytest_entries import ERROR, LOCATION, Failure
from nsdbg.crashlog.lines import BOUNDARY, Line
from nsdbg.crashlog.patterns import EXCEPTION, HEADER, link_of
from nsdbg.crashlog.report import CrashReport, LoggedException
from nsdbg.crashlog.traceback import type_of

_TITLE = re.compile(r"^_{2,} (?P<name>\S.*?) _{2,}$")
_RULE = re.compile(r"^={3,}(?: .* =|=)=*$|^!{3,} ")
_CAPTURED = re.compile(r"^-{3,} Captured .* -{3,}$|^-{3,} (?:live|coverage)")
_GROUP_END = re.compile(r"^ +\+-{10,}$")
_SUMMARY = re.compile(r"^(?:FAILED|ERROR) (?P<test>\S+::.+?) - (?P<rest>\S.*)$")
_SUMMARY_RULE = " short test summary info ="
_LIMIT = 3000  # lines of one failure
_LINE_LIMIT = 60  # lines between an error and its location in the style line


def _read(lines: Sequence[Line], i: int) -> Found | None:
    text = lines[i].text
    if text.startswith("__"):
        title = _TITLE.match(text)
        return _failure(lines, i, i + 1, title["name"]) if title else None
    if text.startswith("ImportError while loading conftest "):
        return _failure(lines, i, i + 1, text)
    if text.startswith("E   "):
        return _located_below(lines, i)
    if text.startswith(("FAILED ", "ERROR ")):
        return _summary(lines, i)
    return _line_style(lines, i) if ".py:" in text else None


def _failure(lines: Sequence[Line], i: int, start: int, name: str) -> Found | None:
    failure = Failure()
    at = start
    while at < min(len(lines), start + _LIMIT):
        text = lines[at].text
        if text[:1] == BOUNDARY or _TITLE.match(text) or _RULE.match(text) or _CAPTURED.match(text):
            break
        if " last):" in text and HEADER.search(text):
            return None
        failure.add(text)
        at += 1
    chain = failure.chain()
    if not chain or chain[-1].exception is None:
        return None
    report = CrashReport(chain, "pytest", lineno=lines[i].number, context=name)
    return Found(report, at)


def _located_below(lines: Sequence[Line], i: int) -> Found | None:
    """Read a failure of style line: its `E` lines, and below them the one that has the place."""
    failure = Failure()
    captured = False
    for at in range(i, min(len(lines), i + _LINE_LIMIT)):
        text = lines[at].text
        place = LOCATION.match(text)
        if text[:1] == BOUNDARY or _RULE.match(text) or _TITLE.match(text):
            return None
        if place and EXCEPTION.match(place["rest"] or ""):
            failure.add(text)
            report = CrashReport(failure.chain(), "pytest", lineno=lines[i].number)
            return Found(report, at + 1)
        captured = captured or bool(_CAPTURED.match(text))
        if not captured and (ERROR.match(text) or link_of(text)):
            failure.add(text)
        elif not captured and text.strip():
            failure.add(f"E   {text.removeprefix('    ')}")
    return None


def _line_style(lines: Sequence[Line], i: int) -> Found | None:
    """Read a failure of style line in old pytest, which has the place only."""
    place = LOCATION.match(lines[i].text)
    if place is None or not _names(place["rest"] or ""):
        return None
    if i and _GROUP_END.match(lines[i - 1].text):  # its traceback stands above
        return Found(None, i + 1)
    if place["rest"] == "UnexpectedException":  # doctest's, below a traceback of its own
        return None
    if not any(" FAILURES =" in line.text for line in lines[max(0, i - _LINE_LIMIT) : i]):
        return None
    failure = Failure()
    failure.add(lines[i].text)
    return Found(CrashReport(failure.chain(), "pytest", lineno=lines[i].number), i + 1)


def _summary(lines: Sequence[Line], i: int) -> Found | None:
    """Read a line of the summary, which is all that `--tb=no` leaves of a failure."""
    found = _SUMMARY.match(lines[i].text)
    if found is None or not _names(found["rest"]):
        return None
    above = [line.text for line in lines[max(0, i - _LIMIT) : i]]
    if not any(_SUMMARY_RULE in text for text in above):
        return None
    if any(text.startswith(("E   ", "____")) or " FAILURES =" in text for text in above):
        return None  # the failures themselves stand above
    one = _told(found["rest"].removesuffix("..."))
    return Found(
        CrashReport((one,), "pytest", lineno=lines[i].number, context=found["test"]), i + 1
    )


def _names(rest: str) -> bool:
    """Whether a text names an exception, or shows the assertion of one that pytest names not."""
    return rest.startswith("assert ") or EXCEPTION.match(rest) is not None


def _told(rest: str) -> LoggedException:
    named = EXCEPTION.match(rest)
    if named is None or rest.startswith("assert "):
        return LoggedException("AssertionError", rest)
    return LoggedException(type_of(named), named["message"] or "")


DIALECT = Dialect(
    "pytest",
    "pytest's failures and errors: --tb=long, short, auto, line and no, -l, xdist, collection",
    (b" short test summary info =", b"\nE   ", b"= FAILURES =", b"= ERRORS =", b"\n_ _ _ _ _ _ "),
    _read,
)
