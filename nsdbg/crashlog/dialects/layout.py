"""What a dialect is: one layout in which a tool prints crashes.

A new layout is one module beside this one, with a `DIALECT`, and its samples in `tests/logs/`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from nsdbg.crashlog.lines import Line
from nsdbg.crashlog.report import CrashReport


@dataclass(frozen=True, slots=True)
class Found:
    """A crash that begins at the line asked about, and the index of the first line behind it.

    `report` is None for lines that are no crash, though they look like one.  `others` are lines
    between those of the crash that somebody else wrote.
    """

    report: CrashReport | None
    end: int
    others: tuple[Line, ...] = ()


Reader = Callable[[Sequence[Line], int], Found | None]


@dataclass(frozen=True, slots=True)
class Dialect:
    """A layout: `name` is the word for `format`, `title` one line for `nsdbg parse --formats`.

    `markers` are bytes of which at least one stands in or near every crash of this layout; lines
    far from all markers are never looked at.  `read(lines, i)` returns the crash that begins at
    line `i`, None when none does; it is called for every line that other dialects left.
    """

    name: str
    title: str
    markers: tuple[bytes, ...]
    read: Reader
