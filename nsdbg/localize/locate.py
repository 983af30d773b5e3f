"""Logged frames mapped to files on disk: which file, which line today, which function.

Reads files below the given roots only; executes and imports nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from nsdbg.crashlog.report import CrashReport, FrameKind, LoggedFrame


class LineStatus(Enum):
    """How a logged line compares with the file on disk."""

    EXACT = "exact"
    MOVED = "moved"
    CHANGED = "changed"
    UNCHECKED = "unchecked"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class LocatedFrame:
    """A logged frame and its place on disk.

    `source_path` is None when no file below the roots fits.  `lineno` is the line on disk.
    `function` is the qualified name of the function around that line on disk (`Order.total`,
    `<module>`), None without a file.  `status`: EXACT, the line's text is as logged; MOVED, found
    at another line; CHANGED, no such text near, `lineno` is a guess; UNCHECKED, the log shows no
    source; MISSING, no file.  `detail` is one line for the user where there is something to say.
    """

    logged: LoggedFrame
    source_path: Path | None
    lineno: int
    function: str | None
    status: LineStatus
    source: str | None = None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class LocatedReport:
    """A crash with its frames on disk: `chain[i]` are the frames of `report.chain[i]`."""

    report: CrashReport
    chain: tuple[tuple[LocatedFrame, ...], ...]

    @property
    def frames(self) -> tuple[LocatedFrame, ...]:
        """The final exception's frames, oldest first."""
        return self.chain[-1]

    @property
    def user_frames(self) -> tuple[LocatedFrame, ...]:
        """The final exception's frames that are the project's own and on disk."""
        found = (one for one in self.frames if one.source_path is not None)
        return tuple(one for one in found if one.logged.kind is FrameKind.USER)


def locate(report: CrashReport, roots: Sequence[Path]) -> LocatedReport:
    """Find the files and lines a crash names below `roots`."""
    raise NotImplementedError
