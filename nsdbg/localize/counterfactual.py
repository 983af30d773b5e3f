"""Counterfactuals: the reproducer run on copies of the code in which one line is a little other.

Where the crash is gone then, the line has a hand in it.  The copies lie in a folder of their own;
the user's files are never changed.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from nsdbg.claim import FunctionRef, Goal, Proposal, Reason, Site, Start, Verdict
from nsdbg.localize.clue import Clue, Mark
from nsdbg.localize.edits import Edit, edits
from nsdbg.localize.rank import Suspect
from nsdbg.localize.site import Files
from nsdbg.reproduce import Reproduction
from nsdbg.solve import Judging
from nsdbg.workbench import Options, Workbench

# Suspects further down are not worth a run each.
MOST_LINES = 4
MOST_EDITS = 6
MOST_OTHERS = 3
# Each variant is imported afresh, which takes its time.
LONGEST_S = 3.0
# A copy is made of links to the project's files, one for each.
MOST_FILES = 3000


@dataclass(frozen=True, slots=True)
class Variant:
    """A copy of the project in which one edit was made."""

    file: str
    edit: Edit
    root: Path


def counterfactuals(
    reproduction: Reproduction,
    others: Sequence[Start],
    suspects: Sequence[Suspect],
    options: Options,
    time_left: Callable[[], float],
) -> list[Clue]:
    """Run the reproducer on variants of the first suspects' lines; return what the runs say.

    `others` are starts that crash in the same way: a reproducer so small that it would fail
    further down, too, cannot show that this crash is gone.
    """
    starts = [reproduction.verdict.proposal.start, *others[:MOST_OTHERS]]
    ref = reproduction.level.subject.ref
    if _count_files(Path(ref.root)) > MOST_FILES:
        return []
    ends = time.perf_counter() + min(LONGEST_S, time_left())
    clues: list[Clue] = []
    with tempfile.TemporaryDirectory(prefix="nsdbg-") as folder:
        base = Path(folder).resolve()
        # The sandbox runs targets as another user.
        base.chmod(0o755)
        widened = replace(options, roots=(*options.roots, base))
        with Workbench(widened) as bench:
            for one in suspects[:MOST_LINES]:
                clues += _of_line(reproduction, starts, one, base, bench.verifier, ends)
    return clues


def _of_line(
    reproduction: Reproduction,
    starts: Sequence[Start],
    suspect: Suspect,
    base: Path,
    verifier: Judging,
    ends: float,
) -> list[Clue]:
    for variant in variants(reproduction.level.subject.ref, suspect, base):
        if time.perf_counter() >= ends:
            break
        goal = moved(reproduction.level.goal, variant)
        proposals = [Proposal(start, "counterfactual") for start in starts]
        verdicts = verifier.screen(goal, proposals, pure=False, guided=False)
        if any(_is_gone(verdict) for verdict in verdicts):
            edit = variant.edit
            text = f"with `{edit.now}` instead of `{edit.was}` the crash is gone"
            return [Clue(Mark.CRASH_GONE, suspect.file, suspect.lineno, text, edit.scale)]
    return []


def _is_gone(verdict: Verdict) -> bool:
    return verdict.reason is Reason.NO_EXCEPTION and verdict.evidence.raised is None


def variants(ref: FunctionRef, suspect: Suspect, base: Path) -> Iterator[Variant]:
    """Make a copy of the project for each edit of a suspect's line, as they are asked for."""
    path, root = Path(suspect.file), Path(ref.root)
    code = Files().code(path) if path.is_relative_to(root) else None
    statement = code.statement(suspect.lineno) if code is not None else None
    if code is None or statement is None:
        return
    for number, edit in enumerate(edits(statement, code.lines)):
        if number == MOST_EDITS:
            return
        copy = base / f"{suspect.lineno}-{number}"
        link_tree(root, copy)
        lines = code.text.splitlines(keepends=True)
        line = lines[edit.lineno - 1]
        lines[edit.lineno - 1] = line[: edit.start] + edit.now + line[edit.end :]
        target = copy / path.relative_to(root)
        target.unlink()
        target.write_text("".join(lines), encoding="utf-8")
        yield Variant(suspect.file, edit, copy)


def link_tree(root: Path, copy: Path) -> None:
    """Copy a project's folders, and its Python files; other files are linked."""
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if not _is_left_out(name))
        there = copy / Path(folder).relative_to(root)
        there.mkdir(parents=True, exist_ok=True)
        for name in files:
            source = Path(folder) / name
            if source.suffix == ".py" and source.is_file():
                (there / name).write_bytes(source.read_bytes())
            else:
                (there / name).symlink_to(source)


def _is_left_out(name: str) -> bool:
    return name.startswith(".") or name in ("__pycache__", "node_modules", "site-packages", "build")


def _count_files(root: Path) -> int:
    count = 0
    for _, folders, files in os.walk(root):
        folders[:] = [name for name in folders if not _is_left_out(name)]
        count += len(files)
        if count > MOST_FILES:
            break
    return count


def moved(goal: Goal, variant: Variant) -> Goal:
    """Return a goal for a variant: the same places in the copy."""

    def there(file: str) -> str:
        path, root = Path(file), Path(goal.entry.root)
        return str(variant.root / path.relative_to(root)) if path.is_relative_to(root) else file

    entry = replace(goal.entry, file=there(goal.entry.file), root=str(variant.root))
    chain = tuple(Site(there(one.file), one.lineno, one.function) for one in goal.chain)
    return replace(goal, entry=entry, chain=chain)
