"""Files beside a version that git does not keep, but an import needs: generated, or compiled.

Looked for in the working tree, in packages and beside modules; never taken from outside of it,
never through a link, and not from environments, caches or hidden folders.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from nsdbg.changes.repository import Blob

SUFFIXES = (".py", ".so", ".pyd")
MOST_NEEDED = 2_000
LARGEST_NEEDED = 64 << 20
_BORROWED = "disk:"


def is_borrowed(blob: Blob) -> bool:
    """Whether a content is one that lies in the working tree only."""
    return blob.name.startswith(_BORROWED)


def find_needed(
    root: Path, files: Mapping[str, Blob], hidden: Iterable[str] = ()
) -> tuple[dict[str, Blob], list[str]]:
    """Return what lies beside the modules of a version, and sentences on what is too much.

    `hidden` are paths that git was told not to look at: where they lie on disk, they count.
    """
    folders = {path.rpartition("/")[0] for path in files if path.endswith(".py")}
    above = {parent for folder in folders for parent in _parents(folder)}
    found: dict[str, Blob] = {}
    size = 0
    beside = _beside(root, sorted(folders), files, above)
    for path, entry in itertools.chain(_hidden(root, hidden), beside):
        size += entry.st_size
        if size > LARGEST_NEEDED or len(found) == MOST_NEEDED:
            return found, ["not all generated or compiled files were brought: there are too many"]
        found[path] = Blob(0o100644, f"{_BORROWED}{entry.st_size}:{entry.st_mtime_ns}")
    return found, []


def _hidden(root: Path, paths: Iterable[str]) -> Iterator[tuple[str, os.stat_result]]:
    for path in paths:
        with contextlib.suppress(OSError):
            entry = os.lstat(root / path)
            if stat.S_ISREG(entry.st_mode):
                yield path, entry


def _parents(folder: str) -> Iterator[str]:
    while folder:
        yield folder
        folder = folder.rpartition("/")[0]


def _beside(
    root: Path, folders: list[str], files: Mapping[str, Blob], above: set[str]
) -> Iterator[tuple[str, os.stat_result]]:
    waiting = list(folders)
    while waiting:
        folder = waiting.pop(0)
        prefix = f"{folder}/" if folder else ""
        for entry in _entries(root, folder):
            path = prefix + entry.name
            if entry.is_dir(follow_symlinks=False):
                if path not in above and _is_generated(root, folder, path):
                    waiting.append(path)
            elif entry.is_file(follow_symlinks=False) and path not in files:
                with contextlib.suppress(OSError):
                    yield path, entry.stat(follow_symlinks=False)


def _entries(root: Path, folder: str) -> list[os.DirEntry[str]]:
    """Return the folders, and what may be imported, in a folder that no link leads to."""
    place = root / folder
    try:
        if os.path.realpath(place) != str(place):
            return []
        with os.scandir(place) as entries:
            return sorted(
                (
                    one for one in entries
                    if (one.name.endswith(SUFFIXES) or one.is_dir(follow_symlinks=False))
                    and not one.name.startswith((".", "__pycache__"))
                ),
                key=lambda one: one.name,
            )  # fmt: skip
    except OSError:
        return []


def _is_generated(root: Path, folder: str, path: str) -> bool:
    """Whether a folder without files of git's is a package within a package."""
    place = root / path
    inside = not folder or (root / folder / "__init__.py").is_file()
    return inside and (place / "__init__.py").is_file() and not (place / ".git").exists()


def read_needed(root: Path, path: str, largest_bytes: int) -> bytes | None:
    """Return such a file's content; None when it is gone, too large or a link by now."""
    place = root / path
    try:
        if os.path.realpath(place) != str(place) or place.stat().st_size > largest_bytes:
            return None
        return place.read_bytes()
    except OSError:
        return None
