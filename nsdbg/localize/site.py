"""The crash site: one exception's own frames, parsed, with what failed on the crash line.

What the static kinds of evidence start from.  Frames without a readable file are left out here
and still ranked by position.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from nsdbg.crashlog.report import FrameKind, LoggedException
from nsdbg.errors import SourceError
from nsdbg.localize.code import FileCode, Spot
from nsdbg.localize.locate import LineStatus, LocatedFrame
from nsdbg.localize.pin import Pin, pin, pin_call


class Files:
    """The files of a crash, each read once."""

    def __init__(self) -> None:
        self._read: dict[Path, FileCode | None] = {}

    def code(self, path: Path) -> FileCode | None:
        """Return a parsed file, None when it cannot be read or parsed."""
        if path not in self._read:
            try:
                self._read[path] = FileCode.read(path)
            except SourceError:
                self._read[path] = None
        return self._read[path]


@dataclass(frozen=True, slots=True)
class CrashSite:
    """An exception with its own frames on disk.

    `frames` and `spots` go together, the outermost first.  `below` tells that the innermost own
    line called code that is not the project's, and the exception rose there.
    """

    raised: LoggedException
    frames: tuple[LocatedFrame, ...]
    spots: tuple[Spot, ...]
    pin: Pin | None
    below: bool = False

    @property
    def exception(self) -> str:
        """The exception's type as printed; empty when the log was cut before it."""
        return self.raised.exception or ""

    @property
    def message(self) -> str:
        """The exception's message."""
        return self.raised.message or ""

    @property
    def spot(self) -> Spot:
        """The innermost own line."""
        return self.spots[-1]

    @property
    def frame(self) -> LocatedFrame:
        """The frame of the innermost own line."""
        return self.frames[-1]


def crash_site(
    raised: LoggedException, located: Sequence[LocatedFrame], files: Files
) -> CrashSite | None:
    """Put an exception's frames on the syntax trees of their files.

    Returns None when no own frame has a file that can be read and a statement on its line.
    """
    frames: list[LocatedFrame] = []
    spots: list[Spot] = []
    for frame in located:
        spot = _spot(frame, files)
        if spot is not None:
            frames.append(frame)
            spots.append(spot)
    if not spots:
        return None
    below = bool(located) and located[-1] is not frames[-1]
    found = _pin(raised, frames[-1], spots[-1], below)
    if found is not None:
        spots[-1] = replace(spots[-1], statement=found.statement)
    return CrashSite(raised, tuple(frames), tuple(spots), found, below)


def _spot(frame: LocatedFrame, files: Files) -> Spot | None:
    if frame.source_path is None or frame.kind is not FrameKind.USER:
        return None
    code = files.code(frame.source_path)
    statement = code.statement(frame.lineno) if code is not None else None
    if code is None or statement is None:
        return None
    return Spot(code, code.qualname_at(frame.lineno), statement)


def _pin(raised: LoggedException, frame: LocatedFrame, spot: Spot, below: bool) -> Pin | None:
    columns = caret_columns(frame, spot)
    tree, text = spot.code.tree, spot.code.text
    if below:
        return pin_call(tree, text, frame.lineno, columns)
    return pin(tree, text, frame.lineno, raised.exception or "", raised.message or "", columns)


def caret_columns(frame: LocatedFrame, spot: Spot) -> tuple[int, int] | None:
    """Return the caret range as columns of the line on disk, None when it has none or changed."""
    carets = frame.logged.carets
    if carets is None or frame.status not in (LineStatus.EXACT, LineStatus.MOVED):
        return None
    line = spot.code.lines[frame.lineno - 1]
    indent = len(line) - len(line.lstrip())
    return carets[0] + indent, carets[1] + indent
