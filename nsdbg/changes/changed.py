"""What a change touches, as data: two trees on disk, and the functions that differ in them.

`git`, `diff`, `versions` and `touched` make it; `triage` and `gate` read it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Changed:
    """One function that a change touches.

    `file` is absolute and lies in the new tree, `old_file` in the old one; `old_file` and
    `old_qualname` are None for a function that was not there before (a renamed or moved one was).
    `shown` is the path as reports name it: relative to the repository's root, forward slashes.
    `lines` are the lines of the new file, within the function, that are added or changed, or that
    stand where lines were removed.  `through` names what the function looks at and what differs
    (`LIMIT`, `Order.rate`, `parse`), where its own code is as it was: it has no `lines` then, and
    `cause` are the lines of what differs, or where that stood.
    """

    file: Path
    qualname: str
    shown: str
    lines: frozenset[int]
    old_file: Path | None = None
    old_qualname: str | None = None
    through: tuple[str, ...] = ()
    cause: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """A change: the root of each tree, and what differs.

    `root` is the new tree's (often the working tree itself) and `old_root` the old one's, None
    where there was none (a first commit).  `new_name` and `old_name` name the versions for a
    sentence: `the staged version`, `HEAD`, `main`.  `lines` maps every touched Python file, as
    `Changed.shown` spells it, to its added or changed lines.  `notes` are sentences on what was
    left out: a notebook, a file that does not parse, a binary file.
    """

    root: Path
    old_root: Path | None
    new_name: str
    old_name: str
    functions: tuple[Changed, ...] = ()
    lines: tuple[tuple[str, frozenset[int]], ...] = ()
    notes: tuple[str, ...] = ()

    def touches(self, shown: str, lineno: int) -> bool:
        """Whether a line of a file was added or changed."""
        return any(name == shown and lineno in lines for name, lines in self.lines)


@dataclass(frozen=True, slots=True)
class Staged:
    """What is about to be committed: the index against HEAD."""


@dataclass(frozen=True, slots=True)
class Since:
    """What is on disk against a revision, or against where HEAD's branch left it."""

    revision: str
    merge_base: bool = True


@dataclass(frozen=True, slots=True)
class Files:
    """Some files, or all below some folders, on disk against HEAD."""

    paths: tuple[Path, ...]


What = Staged | Since | Files
