"""When a crash was logged: the time printed on its line or just above, as it stands there.

Nothing is converted: logs differ in zones, and most name none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from nsdbg.crashlog.lines import Line
from nsdbg.crashlog.report import CrashReport

_TIME = re.compile(
    r"\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?: ?(?:Z\b|UTC\b|[+-]\d\d:?\d\d\b))?"
    r"|\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ \d]\d \d\d:\d\d:\d\d(?:[.,]\d+)?"
    r"|\b\d\d/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d:\d\d(?: [+-]\d{4})?"
)
_ABOVE = 3  # lines; a logger's line stands directly above, a test's name or a rule may be between
_WIDTH = 4000  # characters of a line that are looked through; JSON records have the time early


def with_times(reports: Sequence[CrashReport], lines: Sequence[Line]) -> list[CrashReport]:
    """Return the reports with the times found on or above their first lines in the log."""
    numbers = {line.number: at for at, line in enumerate(lines)}
    found = []
    for report in reports:
        seen = _time_at(lines, numbers.get(report.lineno))
        found.append(replace(report, first_seen=seen, last_seen=seen) if seen else report)
    return found


def _time_at(lines: Sequence[Line], at: int | None) -> str | None:
    if at is None:
        return None
    for index in range(at, max(-1, at - 1 - _ABOVE), -1):
        found = _TIME.search(lines[index].text[:_WIDTH])
        if found:
            return found[0]
    return None
