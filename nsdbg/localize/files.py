"""The files below the source roots, found by the end of a path that was logged elsewhere.

Lists names and reads source; executes nothing, follows no link out of the roots.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from nsdbg.errors import SourceError
from nsdbg.source import read_source

_FILES_LIMIT = 200_000  # names; a tree beyond that is not one project
_SIZE_LIMIT = 5 << 20  # bytes of one source file
_SKIPPED = frozenset({"node_modules", "__pycache__", "site-packages", "dist-packages"})
_DRIVE = re.compile(r"^[A-Za-z]:")


def path_parts(path: str) -> tuple[str, ...]:
    """Return the parts of a path of any system, without drive, root, `.` and `..`."""
    return tuple(
        one for one in re.split(r"[\\/]+", _DRIVE.sub("", path)) if one not in ("", ".", "..")
    )


def common_suffix(one: Sequence[str], other: Sequence[str], fold: bool = False) -> int:
    """Return how many parts two paths have in common at their ends."""
    count = 0
    for left, right in zip(reversed(one), reversed(other), strict=False):
        if left != right and not (fold and left.casefold() == right.casefold()):
            break
        count += 1
    return count


class SourceTree:
    """The source files below some folders; names are listed once, texts are read when asked for."""

    def __init__(self, roots: Sequence[Path]) -> None:
        self.roots = tuple(dict.fromkeys(root.resolve() for root in roots))
        self._names: dict[str, list[Path]] | None = None
        self._lines: dict[Path, tuple[str, ...]] = {}

    def named(self, name: str) -> Sequence[Path]:
        """Return the files that bear a name, whatever its case."""
        if self._names is None:
            self._names = defaultdict(list)
            for path in self._walk():
                self._names[path.name.casefold()].append(path)
        return self._names.get(name.casefold(), ())

    def direct(self, path: str) -> Path | None:
        """Return the file a logged path names on this very machine, when it is below a root."""
        if not os.path.isabs(path):
            return None
        return self._inside(Path(path))

    def below_roots(self, parts: Sequence[str]) -> Iterator[Path]:
        """Yield the files that the ends of a path name right below a root, the longest first."""
        for start in range(len(parts)):
            for root in self.roots:
                found = self._inside(root.joinpath(*parts[start:]))
                if found is not None:
                    yield found

    def lines(self, path: Path) -> tuple[str, ...]:
        """Return a file's lines, none when it cannot be read as source."""
        if path not in self._lines:
            self._lines[path] = self._read(path)
        return self._lines[path]

    def text(self, path: Path) -> str:
        """Return a file's text as lines joined by newlines."""
        return "\n".join(self.lines(path)) + "\n"

    def _read(self, path: Path) -> tuple[str, ...]:
        try:
            if path.stat().st_size > _SIZE_LIMIT:
                return ()
            return tuple(read_source(path).splitlines())
        except (OSError, SourceError):
            return ()

    def _inside(self, path: Path) -> Path | None:
        try:
            if not path.is_file():
                return None
            real = path.resolve()
        except (OSError, ValueError):  # a name too long, or with a NUL
            return None
        return real if any(real.is_relative_to(root) for root in self.roots) else None

    def _walk(self) -> Iterator[Path]:
        left = _FILES_LIMIT
        for root in self.roots:
            for folder, names, files in os.walk(root):
                names[:] = sorted(_kept(folder, names))
                for name in sorted(files):
                    left -= 1
                    if left < 0:
                        return
                    found = self._inside(Path(folder, name))
                    if found is not None:
                        yield found


def _kept(folder: str, names: Iterable[str]) -> Iterator[str]:
    """Yield the folders that may hold the project's own source; virtual environments do not."""
    for name in names:
        if name.startswith(".") or name in _SKIPPED:
            continue
        if not os.path.exists(os.path.join(folder, name, "pyvenv.cfg")):
            yield name
