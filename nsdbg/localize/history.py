"""What git says of a suspected line: not committed yet, or changed in the newest commits.

Reads only, and runs nothing of the repository (see `changes.git`): it may be hostile.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from nsdbg.changes.diff import same_lines
from nsdbg.changes.git import Git
from nsdbg.errors import ChangeError
from nsdbg.localize.clue import Clue, Mark

TIMEOUT_S = 2.0
# Blame goes line by line; further down the ranking it would explain nothing.
MOST_LINES = 8
# A line whose commit is among the newest of its file.
NEWEST = 3


def history_clues(lines: Sequence[tuple[str, int]]) -> list[Clue]:
    """Return what git says of the first few of some lines; nothing where there is no git."""
    clues: list[Clue] = []
    files: dict[str, _History] = {}
    for file, lineno in lines[:MOST_LINES]:
        if file not in files:
            files[file] = _History(Path(file))
        clue = files[file].clue(lineno)
        if clue is not None:
            clues.append(clue)
    return clues


class _History:
    """One file's newest commits, and how its lines on disk compare with the last one."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._newest: tuple[str, ...] = ()
        self._committed: dict[int, int] = {}
        if not file.is_file():
            return
        log = _git(file.parent, "log", "--no-show-signature", "--no-textconv", "--no-ext-diff",
                   f"--max-count={NEWEST + 1}", "--format=%H", "--", file.name)  # fmt: skip
        self._newest = tuple(log.split())
        if self._newest:
            # Not `git diff` nor a blame of the file on disk: both would run the clean filters
            # that the repository's configuration names.
            old = _git(file.parent, "cat-file", "blob", f"HEAD:./{file.name}")
            self._committed = same_lines(old.splitlines(), _lines_on_disk(file))

    def clue(self, lineno: int) -> Clue | None:
        """Return what there is to say of a line."""
        if not self._newest:
            return None
        old = self._committed.get(lineno)
        if old is None:
            text = "changed and not committed"
            return Clue(Mark.UNCOMMITTED, str(self._file), lineno, text)
        blame = _git(self._file.parent, "blame", "--no-textconv", "--porcelain",
                     f"-L{old},{old}", "HEAD", "--", self._file.name)  # fmt: skip
        commit = blame.split(" ", 1)[0]
        place = self._newest.index(commit) if commit in self._newest else NEWEST
        # A file with few commits is all new: that says nothing of a line.
        if place >= NEWEST or len(self._newest) <= NEWEST:
            return None
        text = f"changed in commit {commit[:10]}, {_order(place)} of this file"
        return Clue(Mark.CHANGED_LATELY, str(self._file), lineno, text, 0.8**place)


def _order(place: int) -> str:
    return "the newest" if place == 0 else f"the {('second', 'third')[place - 1]} newest"


def _lines_on_disk(file: Path) -> list[str]:
    try:
        return file.read_text(errors="replace").splitlines()
    except OSError:
        return []


def _git(folder: Path, *arguments: str) -> str:
    """Run one reading command of git; empty when there is no git, no repository or no answer."""
    try:
        return Git(folder, TIMEOUT_S).run(*arguments).decode(errors="replace")
    except ChangeError:
        return ""
