"""Where old versions lie between runs: a folder of the user's cache, one shelf a repository.

A run holds its places under a lock, so that two runs never write one tree.  Where the cache
cannot be used, a temporary folder serves; what is not used for long, or too much, is removed.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from nsdbg.changes.repository import Blob
from nsdbg.changes.write import Kept

# Of one kind for one repository: runs at the same time, or versions used in turn.
PLACES = 3
LARGEST_CACHE = 1 << 30
MOST_PLACES = 60
FORGOTTEN_S = 30 * 86400.0
_FORMAT = "nsdbg tree 2"
_TAG = "Signature: 8a477f597d28d172789f06886806bc55\n# Made by nsdbg; may be removed.\n"


@dataclass(slots=True)
class Place:
    """A folder for one version: `tree` names the version it holds, "" when that is not known."""

    folder: Path
    tree: str = ""
    files: dict[str, Kept] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def root(self) -> Path:
        """Where the version's files lie."""
        return self.folder / "tree"

    def forget(self) -> None:
        """Say that what lies here is about to change, for the case that the run is cut off."""
        with contextlib.suppress(FileNotFoundError):
            (self.folder / "state").unlink()

    def keep(self) -> None:
        """Write down what lies here."""
        size = sum(kept.size_bytes or 0 for kept in self.files.values())
        lines = [_FORMAT, self.tree, str(size), str(len(self.notes)), *self.notes]
        for path, kept in self.files.items():
            numbers = f"{kept.size_bytes} {kept.mtime_ns}" if kept.size_bytes is not None else " "
            lines.append(f"{kept.blob.mode:o} {kept.blob.name} {numbers} {path}")
        part = self.folder / "state.part"
        part.write_bytes(os.fsencode("\0".join(lines)))
        part.replace(self.folder / "state")


@contextlib.contextmanager
def take_place(root: Path, kind: str, tree: str) -> Iterator[Place]:
    """Hold a folder for a version of the repository at `root`, one with that version if there is.

    `kind` keeps old and staged versions apart: each changes little from run to run.
    """
    with contextlib.ExitStack() as stack:
        place = _from_cache(root, kind, tree, stack)
        if place is None:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="nsdbg-tree-"))
            place = Place(Path(os.path.realpath(folder)))
        place.root.mkdir(mode=0o700, exist_ok=True)
        yield place


def _from_cache(root: Path, kind: str, tree: str, stack: contextlib.ExitStack) -> Place | None:
    try:
        cache = _cache()
        if cache is None:
            return None
        name = re.sub(r"[^\w.-]", "_", root.name)[:40]
        key = hashlib.sha256(os.fsencode(root)).hexdigest()[:12]
        folders = [cache / f"{name}-{key}-{kind}-{n}" for n in range(PLACES)]
        folders.sort(key=lambda folder: _head(folder)[0] != tree)
        for folder in folders:
            folder.mkdir(mode=0o700, exist_ok=True)
            lock = _lock(folder)
            if lock is not None:
                stack.callback(os.close, lock)
                return _read(folder)
    except OSError:
        pass  # read only, full, or without locks
    return None


def _cache() -> Path | None:
    """Return the cache's folder, made when it is not there; None where it is not ours alone."""
    given = os.environ.get("XDG_CACHE_HOME", "")
    base = Path(given) if os.path.isabs(given) else Path(os.path.expanduser("~/.cache"))
    cache = base / "nsdbg"
    if not base.is_absolute() or not _ours(base):
        return None
    if not cache.exists():
        cache.mkdir(mode=0o700, parents=True)
        # The folder may lie in somebody's repository.
        (cache / ".gitignore").write_text("*\n")
        (cache / "CACHEDIR.TAG").write_text(_TAG)
    found = os.lstat(cache)
    if not stat.S_ISDIR(found.st_mode) or found.st_mode & 0o077 or not _ours(cache):
        return None
    return Path(os.path.realpath(cache))


def _ours(folder: Path) -> bool:
    """Whether a folder, or the nearest one above that is there, is this user's."""
    for place in (folder, *folder.parents):
        with contextlib.suppress(FileNotFoundError):
            return not hasattr(os, "geteuid") or os.stat(place).st_uid == os.geteuid()
    return False


def _lock(folder: Path) -> int | None:
    """Return an open file whose lock ends with it; None while another run holds it."""
    try:
        import fcntl
    except ImportError:  # another system: a temporary folder serves
        return None
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    file = os.open(folder / "lock", flags, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # Whoever removed the folder meanwhile took the file with it: such a lock holds nothing.
        if not os.path.samestat(os.stat(folder / "lock"), os.fstat(file)):
            raise FileNotFoundError(folder)
        os.utime(file)
    except OSError:
        os.close(file)
        return None
    return file


def _head(folder: Path) -> tuple[str, int]:
    """Return which version a folder holds, and its size in bytes, by its own account."""
    try:
        with open(folder / "state", "rb") as file:
            head = file.read(400).decode("ascii", "replace").split("\0")
        return (head[1], int(head[2])) if head[0] == _FORMAT else ("", 0)
    except (OSError, ValueError, IndexError):
        return "", 0


def _read(folder: Path) -> Place:
    """Return what lies in a folder; one that does not say so is emptied."""
    try:
        lines = os.fsdecode((folder / "state").read_bytes()).split("\0")
        if lines[0] != _FORMAT:
            raise ValueError("written by another version")
        notes = int(lines[3])
        files = dict(map(_kept, lines[4 + notes :]))
        return Place(folder, lines[1], files, tuple(lines[4 : 4 + notes]))
    except (OSError, ValueError, IndexError):
        shutil.rmtree(folder / "tree", ignore_errors=True)
        return Place(folder)


def _kept(line: str) -> tuple[str, Kept]:
    mode, name, size, mtime, path = line.split(" ", 4)
    blob = Blob(int(mode, 8), name)
    return path, Kept(blob, int(size) if size else None, int(mtime) if mtime else None)


def tidy() -> None:
    """Remove what was not used for a month, and the oldest of what is too much.

    Asked when something was written, not by every run.
    """
    with contextlib.suppress(OSError):
        cache = _cache()
        if cache is None:
            return
        places = sorted((_used(folder), folder) for folder in cache.iterdir() if folder.is_dir())
        sizes = {folder: _head(folder)[1] for _, folder in places}
        total = sum(sizes.values())
        for number, (used, folder) in enumerate(places):
            old = time.time() - used > FORGOTTEN_S
            if old or total > LARGEST_CACHE or len(places) - number > MOST_PLACES:
                total -= sizes[folder]
                _remove(folder)


def _remove(folder: Path) -> None:
    lock = _lock(folder)
    if lock is None:
        return
    try:
        shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(lock)


def _used(folder: Path) -> float:
    try:
        return (folder / "lock").stat().st_mtime
    except OSError:
        return 0.0
