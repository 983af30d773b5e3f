"""Opens a change: what differs between two versions, each of them as a tree on disk.

The new version is the working tree itself wherever that holds it; the old one is written into a
cache of the user's.  Nothing of the repository is run, and nothing in it is written.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from nsdbg.changes.changed import Changed, ChangeSet, Since, Staged, What
from nsdbg.changes.diff import changed_lines, lines_of
from nsdbg.changes.disk import New, as_staged, new_version
from nsdbg.changes.pairs import Pair, differing, with_renames
from nsdbg.changes.repository import Index, Repository, find_repository
from nsdbg.changes.revision import base_of
from nsdbg.changes.texts import read_texts
from nsdbg.changes.touched import Rewrite, Touch, touched
from nsdbg.changes.trees import VersionTree, name_for


@contextlib.contextmanager
def open_changes(folder: Path, what: What, *, seconds: float | None = None) -> Iterator[ChangeSet]:
    """Find out what a change touches, and hold both its versions on disk while it is looked at.

    `seconds` is for reading modules: of a large change, those that take longer are left out, with
    a note.  Without it all are read.
    Raises ChangeError outside of git, for an unknown revision, and where the history that is
    needed is not here.
    """
    deadline = None if seconds is None else time.perf_counter() + seconds
    repository = find_repository(folder)
    index = repository.index()
    new = new_version(repository, index, folder, what)
    with contextlib.ExitStack() as stack:
        yield _Opening(repository, index, what, new, stack).change(deadline)


@dataclass(frozen=True, slots=True)
class _Opening:
    """One change being opened; what it holds on disk is let go by `stack`."""

    repository: Repository
    index: Index
    what: What
    new: New
    stack: contextlib.ExitStack

    def change(self, deadline: float | None) -> ChangeSet:
        """Return what differs, with its trees."""
        old, old_name = self._old()
        rewrites, notes = self._rewrites(old)
        touches, unread = touched(rewrites, deadline)
        root, old_root, cut = self._roots(touches, old)
        touches = [one for one in touches if _is_there(one, old)]
        return ChangeSet(
            root, old_root, self._new_name(), old_name,
            tuple(_changed(one, root, old_root) for one in touches),
            tuple(_lines(one) for one in rewrites if one.path is not None),
            (*self._circumstances(), *notes, *unread, *cut),
        )  # fmt: skip

    def _old(self) -> tuple[VersionTree | None, str]:
        repository, name = self.repository, "HEAD"
        commit, tree = repository.commit, repository.tree
        if isinstance(self.what, Since):
            base = base_of(repository, self.what)
            if base != commit:
                commit = tree = base
                name = self.what.revision
        if tree is None:
            return None, "nothing"
        left_out = frozenset(path for path, one in self.index.files.items() if one.left_out)
        listing = repository.listing
        found = tree
        return VersionTree(
            repository, "old", tree, lambda: listing(found), left_out, self.stack
        ), name

    def _rewrites(self, old: VersionTree | None) -> tuple[list[Rewrite], list[str]]:
        files = old.files if old is not None else {}
        pairs, notes = differing(files, self.new.files)
        pairs = [pair for pair in pairs if self._can_be_run(pair)]
        texts, unread = read_texts(self.repository, pairs, self.new.loose)
        rewrites = [
            _rewrite(pair, texts)
            for pair in with_renames(pairs, texts)
            if any(self.new.takes(side.path) for side in (pair.new, pair.old) if side)
            and all(side.blob.name in texts for side in (pair.new, pair.old) if side)
        ]
        return rewrites, [*notes, *unread]

    def _can_be_run(self, pair: Pair) -> bool:
        """Whether a file is there as a whole: not in conflict, nor left out of the checkout."""
        paths = [side.path for side in (pair.new, pair.old) if side]
        left_out = any(
            self.index.files[path].left_out for path in paths if path in self.index.files
        )
        return not left_out and not any(path in self.index.conflicts for path in paths)

    def _roots(
        self, touches: Sequence[Touch], old: VersionTree | None
    ) -> tuple[Path, Path | None, tuple[str, ...]]:
        """Return the new tree, the old one, and sentences on what is not in them.

        Nothing is written when no function differs: nobody will look into the trees.
        """
        repository = self.repository
        if not touches:
            return repository.root, None, ()
        root, notes = repository.root, tuple[str, ...]()
        if isinstance(self.what, Staged) and not as_staged(repository, self.index):
            name = name_for(self.new.files)
            staged = VersionTree(
                repository, "staged", name, lambda: dict(self.new.files), frozenset(), self.stack
            )
            root, notes = staged.write()
        if old is None:
            return root, None, notes
        old_root, cut = old.write(but=frozenset(self.new.files))
        return root, old_root, (*notes, *cut)

    def _new_name(self) -> str:
        return "the staged version" if isinstance(self.what, Staged) else "the working tree"

    def _circumstances(self) -> list[str]:
        notes = []
        if self.repository.merging:
            notes.append(
                "a merge is under way: what comes from the other side counts as changed, too"
            )
        notes += [f"{path} has conflicts, and is left out" for path in self.index.conflicts]
        return notes


def _is_there(touch: Touch, old: VersionTree | None) -> bool:
    """Whether a function's old file was written: a tree may be too large."""
    return touch.old_path is None or (old is not None and old.has(touch.old_path))


def _rewrite(pair: Pair, texts: dict[str, str]) -> Rewrite:
    new, old = pair.new, pair.old
    return Rewrite(
        new.path if new else None, old.path if old else None,
        texts[new.blob.name] if new else None, texts[old.blob.name] if old else None,
    )  # fmt: skip


def _lines(rewrite: Rewrite) -> tuple[str, frozenset[int]]:
    new, old = lines_of(rewrite.text or ""), lines_of(rewrite.old_text or "")
    return rewrite.path or "", changed_lines(old, new)


def _changed(touch: Touch, root: Path, old_root: Path | None) -> Changed:
    old_file = None
    if old_root is not None and touch.old_path is not None:
        old_file = old_root / touch.old_path
    return Changed(
        root / touch.path,
        touch.qualname,
        touch.path,
        touch.lines,
        old_file,
        touch.old_qualname,
        touch.through,
        touch.cause,
    )
