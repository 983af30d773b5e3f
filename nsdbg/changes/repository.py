"""A repository as git tells of it: its root, its commit, what a tree and the index hold.

Asks git and looks at files on disk; it writes nothing.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from dataclasses import dataclass, field
from pathlib import Path

from nsdbg.changes.git import Git
from nsdbg.errors import ChangeError

LINK = 0o120000
SUBMODULE = 0o160000
# A larger file is not read: one that git would have to compare counts as changed.
LARGEST_FILE = 256 << 20
_INTENT_TO_ADD = 1 << 29
# Of a sparse checkout, or hidden by `git update-index`: git does not look at the file on disk.
_LEFT_OUT = 1 << 30 | 1 << 15
_WHERE = (
    "--is-bare-repository", "--is-inside-work-tree", "--is-shallow-repository", "--show-cdup",
    "--absolute-git-dir",
)  # fmt: skip
_INDEXED = re.compile(
    rb"(\d{6}) ([0-9a-f]{40,64}) (\d)\t([^\0]+)\0"
    rb"  ctime: \d+:\d+\n  mtime: (\d+):(\d+)\n"
    rb"  dev: \d+\tino: \d+\n  uid: \d+\tgid: \d+\n  size: (\d+)\tflags: ([0-9a-f]+)\n"
)
_LISTED = re.compile(rb"(\d{6}) [a-z]+ ([0-9a-f]{40,64})\t([^\0]+)\0")


@dataclass(frozen=True, slots=True)
class Blob:
    """What a path holds: git's mode, and the name of the content."""

    mode: int
    name: str


@dataclass(frozen=True, slots=True)
class Indexed:
    """A path of the index: what it holds, and how the file on disk looked when it was staged.

    `left_out`: git does not look at the file on disk, which need not be there.
    """

    blob: Blob
    mtime_ns: int
    size_bytes: int
    left_out: bool = False


@dataclass(frozen=True, slots=True)
class Index:
    """What is staged, by path.

    `conflicts` are the paths that a merge has not settled yet, `intended` those that are only
    meant to be added.
    """

    files: dict[str, Indexed]
    conflicts: tuple[str, ...]
    intended: tuple[str, ...]
    written_ns: int


@dataclass(frozen=True, slots=True)
class Repository:
    """A checkout: `commit` and `tree` are HEAD's, None before the first commit.

    `git_folder` is this working tree's own, where it is one of several.
    """

    git: Git
    root: Path
    git_folder: Path
    shallow: bool
    commit: str | None
    tree: str | None
    _reached: dict[str, bool] = field(default_factory=dict, repr=False, compare=False)

    def listing(self, tree: str) -> dict[str, Blob]:
        """Return every path of a tree, or of a commit's, and what it holds."""
        text = self.git.run("ls-tree", "-r", "-z", "--full-tree", tree)
        return {
            os.fsdecode(path): Blob(int(mode, 8), name.decode())
            for mode, name, path in _LISTED.findall(text)
            if is_inside(path)
        }

    def index(self) -> Index:
        """Return what is staged."""
        text = self.git.at(self.root).run("ls-files", "--stage", "--debug", "-z")
        files: dict[str, Indexed] = {}
        conflicts: dict[str, None] = {}
        intended: list[str] = []
        for mode, name, stage, path, seconds, nanoseconds, size, flags in _INDEXED.findall(text):
            bits = int(flags, 16)
            if not is_inside(path):
                continue
            if stage != b"0":
                conflicts[os.fsdecode(path)] = None
            elif bits & _INTENT_TO_ADD:
                intended.append(os.fsdecode(path))
            else:
                mtime_ns = int(seconds) * 10**9 + int(nanoseconds)
                blob = Blob(int(mode, 8), name.decode())
                left_out = bool(bits & _LEFT_OUT)
                files[os.fsdecode(path)] = Indexed(blob, mtime_ns, int(size), left_out)
        try:
            file = self.git.index_file or self.git_folder / "index"
            written_ns = file.stat().st_mtime_ns
        except OSError:
            written_ns = 0  # nothing was staged yet
        return Index(files, tuple(conflicts), tuple(intended), written_ns)

    def untracked(self) -> list[str]:
        """Return the paths of files that are neither staged nor ignored."""
        text = self.git.at(self.root).run("ls-files", "--others", "--exclude-standard", "-z")
        return os.fsdecode(text).split("\0")[:-1]

    @property
    def merging(self) -> bool:
        """Whether a merge is under way."""
        return (self.git_folder / "MERGE_HEAD").exists()

    def on_disk(self, path: str, index: Index) -> Blob | None:
        """Return what a staged path holds on disk, as git sees it but without its filters.

        None where it is not there.  Line ends do not count: git may write them differently.
        """
        entry = index.files[path]
        if entry.left_out or entry.blob.mode == SUBMODULE:
            return entry.blob
        file = self.root / path
        try:
            found = os.lstat(file)
        except OSError:
            return None
        if not self._is_reached(path.rpartition("/")[0]):
            return None  # through a link: git takes it for deleted
        same_stat = found.st_size == entry.size_bytes and found.st_mtime_ns == entry.mtime_ns
        # Written when the index was, or later: it may have changed within the clock's tick.
        if same_stat and found.st_mtime_ns < index.written_ns:
            return entry.blob
        return blob_on_disk(file, entry.blob)

    def _is_reached(self, folder: str) -> bool:
        """Whether a folder on disk is reached without links."""
        known = self._reached.get(folder)
        if known is None:
            place = str(self.root / folder)
            known = self._reached[folder] = os.path.realpath(place) == place
        return known


def is_inside(path: bytes) -> bool:
    """Whether a path of a tree stays in its folder, and out of git's own: a tree can be forged."""
    if os.name == "nt" and (b"\\" in path or b":" in path):
        return False
    return not any(
        part in (b"", b".", b"..") or part.lower().rstrip(b". ") in (b".git", b"git~1")
        for part in path.split(b"/")
    )


def find_repository(folder: Path) -> Repository:
    """Return the repository around a folder.

    Raises ChangeError outside of a repository, in a bare one, and where git refuses.
    """
    if not folder.is_dir():
        raise ChangeError(f"{folder} is no folder, so there is no change to read in it")
    git = Git(folder)
    code, text, _ = git.ask("rev-parse", *_WHERE, "HEAD^{commit}", "HEAD^{tree}", "--")
    head: list[str] = []
    lines = os.fsdecode(text).split("\n")
    if code == 0:
        lines, head = lines[:-4], lines[-4:-2]
    else:
        code, text, said = git.ask("rev-parse", *_WHERE)
        if code and "not a git repository" in said:
            raise ChangeError(
                f"{os.path.abspath(folder)} is in no git repository, so there is no change to "
                "read; go into one, or make one with `git init`"
            )
        lines = os.fsdecode(text if code == 0 else git.run("rev-parse", *_WHERE)).split("\n")[:-1]
    bare, inside, shallow, up = lines[:4]
    if bare == "true" or inside != "true":
        place = os.path.abspath(folder)
        raise ChangeError(f"{place} is no working tree, but a bare repository or git's own folder")
    root = Path(os.path.realpath(folder / up))
    if not Path(os.path.realpath(folder)).is_relative_to(root):
        raise ChangeError(f"{folder} lies outside of {root}, which its repository names as its own")
    commit, tree = head or (None, None)
    return Repository(git, root, Path("\n".join(lines[4:])), shallow == "true", commit, tree)


def blob_name(content: bytes, digits: int = 40) -> str:
    """Return the name that git gives a content, of 40 (SHA-1) or 64 (SHA-256) digits."""
    make = hashlib.sha1 if digits == 40 else hashlib.sha256
    return make(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def blob_on_disk(file: Path, known: Blob | None = None) -> Blob | None:
    """Return what git would store of a file; None of what it cannot, or cannot read.

    `known` comes back when nothing but line ends differs from it.
    """
    try:
        found = os.lstat(file)
        if found.st_size > LARGEST_FILE:
            return Blob(0o100644, "too large")
        if stat.S_ISLNK(found.st_mode):
            mode, content = LINK, os.fsencode(os.readlink(file))
        elif stat.S_ISREG(found.st_mode):
            mode, content = 0o100644 | (found.st_mode & 0o100 and 0o111), file.read_bytes()
        else:
            return None
    except OSError:
        return None
    digits = len(known.name) if known is not None else 40
    for one in (content, content.replace(b"\r\n", b"\n")):
        name = blob_name(one, digits)
        if known is not None and name == known.name and (mode == LINK) == (known.mode == LINK):
            return known
    return Blob(mode, blob_name(content, digits))
