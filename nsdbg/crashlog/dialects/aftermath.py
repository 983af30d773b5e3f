"""What stands around a traceback and completes it: Django's type and value, a block's count.

Not layouts of their own: the plain reader asks here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from nsdbg.crashlog.lines import BOUNDARY, Line
from nsdbg.crashlog.patterns import EXCEPTION, HEADER, is_exception_line
from nsdbg.crashlog.report import CrashReport

_TYPE = re.compile(r"^\s*Exception Type: (?P<type>[\w.]+)(?: at .*)?$")
_VALUE = re.compile(r"^\s*Exception Value: ?(?P<value>.*)$")
_ABOVE = re.compile(r"^\s*(?:\[ERROR\]\s+)?(?P<said>[^\W\d].*)$")
_COUNT = re.compile(r"\((?P<count>\d+) occurrences?\)\s*$")
_NEAR = 6
_BLOCK = 200


def completed(report: CrashReport, lines: Sequence[Line], i: int, end: int) -> CrashReport:
    """Return a report with what is said of it near its lines, from `i` up to `end`."""
    if report.exception is None and report.frames:
        report = _named_below(report, lines, end)
    if report.exception is None:
        report = _named_above(report, lines, i)
    count = _counted_above(lines, i)
    return replace(report, count=count) if count > 1 else report


def _named_below(report: CrashReport, lines: Sequence[Line], end: int) -> CrashReport:
    """Return the report with the type and value that Django writes below the frames."""
    found: dict[str, str] = {}
    for line in lines[end : end + _NEAR]:
        if line.text[:1] == BOUNDARY:
            break
        if named := _TYPE.match(line.text):
            found["type"] = named["type"]
        elif valued := _VALUE.match(line.text):
            found["value"] = valued["value"]
    if "type" not in found:
        return report
    final = replace(
        report.final, exception=found["type"], message=found.get("value", ""), message_guessed=True
    )
    return replace(report, chain=(*report.chain[:-1], final), truncated=None, format="django")


def _named_above(report: CrashReport, lines: Sequence[Line], i: int) -> CrashReport:
    """Return the report with the exception that AWS Lambda prints above the header.

    A module that cannot be imported has no frames there.
    """
    above = _ABOVE.match(lines[i - 1].text) if i else None
    found = EXCEPTION.match(above["said"]) if above else None
    if above is None or found is None or not is_exception_line(above["said"], certain=True):
        return report
    if not report.frames and "[ERROR]" not in lines[i - 1].text:
        return report
    final = replace(report.final, exception=found["type"], message=found["message"] or "")
    chain = (*report.chain[:-1], final)
    return replace(report, chain=chain, truncated=None, format="exception-first")


def _counted_above(lines: Sequence[Line], i: int) -> int:
    """Return how often a log's block says its one crash occurred, as Home Assistant's does.

    A block that prints several tracebacks counts those.
    """
    for at in range(i - 1, max(-1, i - 1 - _NEAR), -1):
        found = _COUNT.search(lines[at].text)
        if found:
            return int(found["count"]) if _printed(lines, at) == 1 else 1
    return 1


def _printed(lines: Sequence[Line], at: int) -> int:
    """Return how many tracebacks stand in the block below line `at`."""
    count = 0
    for line in lines[at + 1 : at + 1 + _BLOCK]:
        if line.text.startswith("Logger: "):
            break
        count += bool(" last):" in line.text and HEADER.search(line.text))
    return count
