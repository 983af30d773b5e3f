"""Writes a version's files into a folder of our own, as they are stored: no filter runs.

The folder is brought from what it holds to what is wanted, so that little is written.  Links
that lead out of it are taken away again.  Not for paths that are not within (`is_inside`), nor
for folders that others may write.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from nsdbg.changes.repository import LINK, SUBMODULE, Blob

LARGEST_FILE = 32 << 20
LARGEST_TREE = 256 << 20
MOST_FILES = 50_000

# Where no file can be written, instead of this one with its odd name.
_FOR_NONE = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO)

Fetch = Callable[[Sequence[tuple[str, Blob]], int], Iterator[bytes | None]]


@dataclass(frozen=True, slots=True)
class Kept:
    """A path as it was written: what it holds, and how the file looked then (None: left out)."""

    blob: Blob
    size_bytes: int | None = None
    mtime_ns: int | None = None


@dataclass(slots=True)
class Written:
    """What became of a version: `files` by path, and sentences on what was left out."""

    files: dict[str, Kept] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    size_bytes: int = 0


def write_tree(
    folder: Path, wanted: Mapping[str, Blob], held: Mapping[str, Kept], fetch: Fetch
) -> Written:
    """Bring a folder from what it holds to what is wanted.

    `fetch` yields the contents of some paths in order, None for what is missing or too large.
    """
    written = Written()
    missing: list[tuple[str, Blob]] = []
    for path, blob in wanted.items():
        kept = held.get(path)
        if kept is not None and kept.blob == blob and _unchanged(folder, path, kept):
            written.files[path] = kept
            written.size_bytes += kept.size_bytes or 0
        else:
            missing.append((path, blob))
    for path in held.keys() - written.files.keys():
        _remove(folder, path)
    _add(folder, missing, written, fetch)
    return written


def _unchanged(folder: Path, path: str, kept: Kept) -> bool:
    if kept.size_bytes is None:
        return True  # left out, and to be left out again
    try:
        found = os.lstat(folder / path)
    except OSError:
        return False
    return (found.st_size, found.st_mtime_ns) == (kept.size_bytes, kept.mtime_ns)


def _remove(folder: Path, path: str) -> None:
    try:
        os.unlink(folder / path)
    except OSError:
        return  # it was left out, or somebody was faster
    for parent in Path(path).parents[:-1]:  # not the folder itself
        try:
            os.rmdir(folder / parent)
        except OSError:
            return


def _add(folder: Path, missing: Sequence[tuple[str, Blob]], written: Written, fetch: Fetch) -> None:
    """Write new files, Python's first; links come last, when no file is written any more."""
    stored = [(path, blob) for path, blob in missing if blob.mode != SUBMODULE]
    stored.sort(key=lambda one: (one[1].mode == LINK, not one[0].endswith(".py")))
    made: set[str] = set()
    cut: list[str] = []
    for (path, blob), content in zip(stored, fetch(stored, LARGEST_FILE), strict=True):
        too_much = written.size_bytes + len(content or b"") > LARGEST_TREE
        if content is None or too_much or len(written.files) >= MOST_FILES:
            kept = Kept(blob)
        else:
            kept = _write(folder, path, blob, content, made)
        written.files[path] = kept
        if kept.size_bytes is None:
            cut.append(path)
        else:
            written.size_bytes += kept.size_bytes
    if cut:
        written.notes.append(
            f"{_listed(cut)} left out of a version's files: missing, or too much to copy"
        )
    links = [path for path, blob in stored if blob.mode == LINK and path not in cut]
    _drop_links_out(folder, links, written)


def _folders(folder: Path, path: str, made: set[str]) -> None:
    """Make the folders of a path; what else bears such a name, a link above all, has to go."""
    for parent in reversed(Path(path).parents[:-1]):
        place = str(parent)
        if place in made:
            continue
        made.add(place)
        try:
            os.mkdir(folder / parent, 0o700)
        except FileExistsError:
            if not stat.S_ISDIR(os.lstat(folder / parent).st_mode):
                os.unlink(folder / parent)
                os.mkdir(folder / parent, 0o700)


def _write(folder: Path, path: str, blob: Blob, content: bytes, made: set[str]) -> Kept:
    """Write one file; one whose name cannot be here is left out.

    Raises OSError where nothing can be written at all.
    """
    place = str(folder / path)
    try:
        _folders(folder, path, made)
        _put(place, blob, content)
        found = os.lstat(place)
    except OSError as error:
        if error.errno in _FOR_NONE:
            raise
        return Kept(blob)
    return Kept(blob, found.st_size, found.st_mtime_ns)


def _put(place: str, blob: Blob, content: bytes) -> None:
    if os.path.lexists(place):
        (_clear if os.path.isdir(place) and not os.path.islink(place) else os.unlink)(place)
    if blob.mode == LINK:
        os.symlink(os.fsdecode(content), place)
    else:
        mode = 0o700 if blob.mode & 0o100 else 0o600
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
        with open(os.open(place, flags, mode), "wb") as file:
            file.write(content)


def _clear(place: str) -> None:
    """Remove a folder that stands where a file belongs, such as a cache the interpreter wrote."""
    shutil.rmtree(place)


def _drop_links_out(folder: Path, links: Iterable[str], written: Written) -> None:
    root = os.path.realpath(folder)
    out = []
    for path in links:
        target = os.path.realpath(folder / path)
        if target != root and not target.startswith(root + os.sep):
            os.unlink(folder / path)
            written.files[path] = Kept(written.files[path].blob)
            out.append(path)
    if out:
        written.notes.append(f"{_listed(out)} left out: a link out of the repository")


def _listed(paths: Sequence[str]) -> str:
    shown = ", ".join(paths[:3])
    return shown if len(paths) <= 3 else f"{shown} and {len(paths) - 3} more"
