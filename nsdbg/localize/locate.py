"""Logged frames mapped to files on disk: which file, which line today, which function.

Reads files below the given roots and packages only; executes and imports nothing.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from nsdbg.crashlog.report import CrashReport, FrameKind, LoggedException, LoggedFrame
from nsdbg.errors import SourceError
from nsdbg.localize.files import SourceTree, common_suffix, path_parts
from nsdbg.localize.relocate import LineStatus, Place, find_line, same_line
from nsdbg.source import MODULE, function_at, parse_source

_PACKAGES = re.compile(r"(?:site|dist)-packages[\\/](?P<rest>.+)$")


@dataclass(frozen=True, slots=True)
class LocatedFrame:
    """A logged frame and its place on disk.

    `source_path` is None when no file below the roots fits.  `lineno` is the line on disk.
    `function` is the qualified name of the function around that line on disk (`Order.total`,
    `<module>`), None without a file that parses.  `status`: EXACT, the line's text is as logged;
    MOVED, found at another line; CHANGED, no such text near, `lineno` is a guess; UNCHECKED, the
    log shows no source; MISSING, no file.  `detail` is one line for the user where there is
    something to say.  `kind` is LIBRARY for a file of the target's packages, and USER for one
    that was logged from an installed package whose source is below a root.
    """

    logged: LoggedFrame
    source_path: Path | None
    lineno: int
    function: str | None
    status: LineStatus
    source: str | None = None
    detail: str = ""
    kind: FrameKind = FrameKind.USER


@dataclass(frozen=True, slots=True)
class LocatedReport:
    """A crash with its frames on disk.

    `chain[i]` are the frames of `report.chain[i]`, oldest first, and `places[i]` the line that it
    names as a SyntaxError.  `related` are the leaves of groups and the embedded exceptions.
    """

    report: CrashReport
    chain: tuple[tuple[LocatedFrame, ...], ...]
    places: tuple[LocatedFrame | None, ...] = ()
    related: tuple[tuple[LoggedException, tuple[LocatedFrame, ...]], ...] = ()

    @property
    def frames(self) -> tuple[LocatedFrame, ...]:
        """The final exception's frames, oldest first."""
        return self.chain[-1]

    @property
    def user_frames(self) -> tuple[LocatedFrame, ...]:
        """The final exception's frames that are the project's own and on disk."""
        found = (one for one in self.frames if one.source_path is not None)
        return tuple(one for one in found if one.kind is FrameKind.USER)


def locate(
    report: CrashReport, roots: Sequence[Path], packages: Sequence[Path] = ()
) -> LocatedReport:
    """Find the files and lines a crash names.

    `roots` hold the project's own source, `packages` are site-packages folders of the target:
    their files are found for frames of libraries only.
    """
    locator = _Locator(report, SourceTree(roots), SourceTree(packages))
    related = [*_embedded(report), *(leaf for one in report.chain for leaf in one.leaves())]
    return LocatedReport(
        report,
        tuple(locator.frames(one) for one in report.chain),
        tuple(locator.place(one) for one in report.chain),
        tuple((one, locator.frames(one)) for one in related),
    )


def _embedded(report: CrashReport) -> Iterator[LoggedException]:
    for one in report.chain:
        yield from one.embedded


def _exceptions(one: LoggedException) -> Iterator[LoggedException]:
    yield one
    for inner in (*one.embedded, *(member for chain in one.members for member in chain)):
        yield from _exceptions(inner)


class _Locator:
    """One crash's files: each logged path is matched once, by all its frames together."""

    def __init__(self, report: CrashReport, tree: SourceTree, packages: SourceTree) -> None:
        self._tree = tree
        self._packages = packages
        self._frames: dict[str, list[LoggedFrame]] = defaultdict(list)
        self._paths: dict[str, tuple[Path | None, FrameKind]] = {}
        self._trees: dict[Path, ast.Module | None] = {}
        for one in (part for top in report.chain for part in _exceptions(top)):
            for frame in (*one.frames, *([one.place] if one.place else ())):
                self._frames[frame.file].append(frame)

    def frames(self, one: LoggedException) -> tuple[LocatedFrame, ...]:
        """Return the frames of one exception."""
        return tuple(self._locate(frame) for frame in one.frames)

    def place(self, one: LoggedException) -> LocatedFrame | None:
        """Return the line that a SyntaxError names."""
        return self._locate(one.place) if one.place else None

    def _locate(self, frame: LoggedFrame) -> LocatedFrame:
        if frame.file not in self._paths:
            self._paths[frame.file] = self._match(frame)
        path, kind = self._paths[frame.file]
        if path is None:
            detail = (
                "" if kind is not FrameKind.USER else f"{frame.file} is not below the source root"
            )
            return LocatedFrame(
                frame, None, frame.lineno, None, LineStatus.MISSING, detail=detail, kind=kind
            )
        lines = self._lines(path, kind)
        tree = self._parsed(path)
        place = find_line(lines, tree, frame.lineno, frame.source, frame.function)
        source = lines[place.lineno - 1].strip() if place.lineno <= len(lines) else None
        function = function_at(tree, place.lineno) if tree is not None else None
        return LocatedFrame(
            frame, path, place.lineno, function, place.status, source, place.detail, kind
        )

    def _lines(self, path: Path, kind: FrameKind) -> tuple[str, ...]:
        return (self._packages if kind is FrameKind.LIBRARY else self._tree).lines(path)

    def _parsed(self, path: Path) -> ast.Module | None:
        if path not in self._trees:
            self._trees[path] = None
            with suppress(SourceError):  # found and read, only not parsed: another Python's syntax
                self._trees[path] = parse_source(path)[1]
        return self._trees[path]

    def _match(self, frame: LoggedFrame) -> tuple[Path | None, FrameKind]:
        if frame.kind in (FrameKind.GENERATED, FrameKind.STDLIB):
            return None, frame.kind
        if frame.kind is FrameKind.USER:
            return self._own(frame.file, frame.file), FrameKind.USER
        installed = _PACKAGES.search(frame.file)
        if installed is None:
            return None, frame.kind
        own = self._own(frame.file, installed["rest"], certain=True)
        if own is not None:
            return own, FrameKind.USER
        found = next(self._packages.below_roots(path_parts(installed["rest"])), None)
        return found, frame.kind

    def _own(self, file: str, path: str, certain: bool = False) -> Path | None:
        """Return the project's file that a logged path means.

        `certain` asks for lines that match: the path is one of an installed package.
        """
        direct = self._tree.direct(path)
        if direct is not None:
            return direct
        parts = path_parts(path)
        if not parts:
            return None
        fold = "\\" in path or path[1:2] == ":"
        ranked = sorted(
            (
                self._score(file, parts, candidate, fold)
                for candidate in self._tree.named(parts[-1])
            ),
            key=lambda one: one.rank,
        )
        fitting = [one for one in ranked if one.fits(len(parts), certain)]
        return fitting[-1].path if fitting else None

    def _score(self, file: str, parts: Sequence[str], path: Path, fold: bool) -> _Candidate:
        lines = self._tree.lines(path)
        shown = [frame for frame in self._frames[file] if frame.source]
        texts = {" ".join(line.split()) for line in lines} if shown else set()
        named = {frame.function for frame in self._frames[file] if frame.function} - {MODULE}
        defined = sum(f"def {name}(" in self._tree.text(path) for name in named)
        exact = present = 0
        for frame in shown:
            first = (frame.source or "").split("\n", 1)[0]
            exact += frame.lineno <= len(lines) and same_line(first, lines[frame.lineno - 1])
            present += " ".join(first.split()) in texts
        suffix = common_suffix(parts, path.parts, fold)
        known = defined == len(named) > 0 or not shown
        return _Candidate(path, exact, present, suffix, path.parent in self._tree.roots and known)


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A file that bears a logged name: how many of the shown lines it has, and of the path.

    `likely`: it lies in a root itself, and defines the functions that were logged.
    """

    path: Path
    exact: int
    present: int
    suffix: int
    likely: bool

    @property
    def rank(self) -> tuple[int, int, int, int, str]:
        """Higher is better; the shorter path wins what is equal, then the alphabet."""
        return self.exact, self.present, self.suffix, -len(self.path.parts), str(self.path)

    def fits(self, parts: int, certain: bool) -> bool:
        """Whether it may be the file: the same name in another folder alone does not do."""
        if certain:
            return self.present > 0 and self.suffix > 0
        return self.present > 0 or self.suffix >= min(2, parts) or self.likely


__all__ = ["LineStatus", "LocatedFrame", "LocatedReport", "Place", "locate"]
