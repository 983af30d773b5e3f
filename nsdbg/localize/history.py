"""What git says of a suspected line: not committed yet, or changed in the newest commits.

Reads only, and runs nothing of the repository: no hooks, pagers, filters, external diffs, file
monitors or configured helpers; the tree under test may be hostile.
"""

from __future__ import annotations

import difflib
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from nsdbg.localize.clue import Clue, Mark

TIMEOUT_S = 2.0
# Blame goes line by line; further down the ranking it would explain nothing.
MOST_LINES = 8
# A line whose commit is among the newest of its file.
NEWEST = 3
# Each of these names a program that the repository's own configuration could set.
SAFE = (
    "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.pager=cat",
    "-c", "core.sshCommand=false", "-c", "core.askPass=", "-c", "credential.helper=",
    "-c", "diff.external=", "-c", "core.attributesFile=/dev/null", "-c", "protocol.allow=never",
    "-c", "log.showSignature=false", "-c", "gpg.program=false", "-c", "core.editor=false",
    "-c", "core.untrackedCache=false", "-c", "blame.ignoreRevsFile=",
)  # fmt: skip


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


def same_lines(old: Sequence[str], new: Sequence[str]) -> dict[int, int]:
    """Return which lines of a new text are lines of the old one: numbers, counted from 1."""
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    return {
        block.b + step + 1: block.a + step + 1
        for block in matcher.get_matching_blocks()
        for step in range(block.size)
    }


def _git(folder: Path, *arguments: str) -> str:
    """Run one reading command of git; empty when there is no git, no repository or no answer."""
    environment = {
        "PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", "HOME": "/nonexistent",
        "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0", "GIT_PAGER": "cat", "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1", "GIT_LITERAL_PATHSPECS": "1",
        # Before 2.39.4 git fetches what is missing from wherever the repository says; a
        # `protocol.ext.allow` there counts for more than our `protocol.allow`, this does not.
        "GIT_ALLOW_PROTOCOL": "none",
    }  # fmt: skip
    command = ["git", "--no-pager", *SAFE, "-C", str(folder), *arguments]
    try:
        run = subprocess.run(
            command, capture_output=True, timeout=TIMEOUT_S, env=environment, check=False,
            stdin=subprocess.DEVNULL, text=True, errors="replace",
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return run.stdout if run.returncode == 0 else ""
