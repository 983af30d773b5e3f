"""What the new version of a change holds: what is staged, or what lies on disk."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from nsdbg.changes.changed import Files, Staged, What
from nsdbg.changes.repository import Blob, Index, Repository, blob_on_disk
from nsdbg.errors import ChangeError


@dataclass(frozen=True, slots=True)
class New:
    """The new version: what each path holds, and the paths whose content only the disk has.

    `wanted` are the paths, of files or folders, that were asked for; None for all.
    """

    files: dict[str, Blob]
    loose: frozenset[str] = frozenset()
    wanted: tuple[str, ...] | None = None

    def takes(self, path: str) -> bool:
        """Whether a path was asked for."""
        return self.wanted is None or any(
            one in ("", path) or path.startswith(f"{one}/") for one in self.wanted
        )


def new_version(repository: Repository, index: Index, folder: Path, what: What) -> New:
    """Return what is new; raises ChangeError for a file that was named and is nowhere."""
    if isinstance(what, Staged):
        return New({path: entry.blob for path, entry in index.files.items()})
    wanted = None
    if isinstance(what, Files):
        wanted = tuple(_named(repository.root, folder, path) for path in what.paths)
    new = _on_disk(repository, index, wanted)
    _check_named(repository, index, new)
    return new


def _on_disk(repository: Repository, index: Index, wanted: tuple[str, ...] | None) -> New:
    files: dict[str, Blob] = {}
    loose: set[str] = set()
    for path, entry in index.files.items():
        # Nothing is said of other files' contents, and they may be large.
        looked_at = path.endswith((".py", ".ipynb"))
        blob = repository.on_disk(path, index) if looked_at else entry.blob
        if blob is not None:
            files[path] = blob
        if blob != entry.blob:
            loose.add(path)
    for path in _outside_of_git(repository, index, wanted):
        blob = blob_on_disk(repository.root / path)
        if blob is not None:
            files[path] = blob
            loose.add(path)
    return New(files, frozenset(loose), wanted)


def _outside_of_git(
    repository: Repository, index: Index, wanted: tuple[str, ...] | None
) -> list[str]:
    """Return the modules that are not staged: all that are not ignored, or those that were named.

    Named ones may be ignored: whoever names a file means it.
    """
    others = [*index.intended, *(wanted or ())]
    if wanted is None or any((repository.root / path).is_dir() for path in wanted):
        others += repository.untracked()
    return [path for path in dict.fromkeys(others)
            if path.endswith(".py") and path not in index.files]  # fmt: skip


def _named(root: Path, folder: Path, path: Path) -> str:
    """Return a path that the user gave as git would: from the root, its last link not followed."""
    place = folder / path
    real = Path(os.path.realpath(place.parent)) / place.name
    if place.name in ("", "..") or real == root:
        real = Path(os.path.realpath(place))
    if real == root:
        return ""
    try:
        return real.relative_to(root).as_posix()
    except ValueError:
        raise ChangeError(f"{path} lies outside of the repository {root}") from None


def _check_named(repository: Repository, index: Index, new: New) -> None:
    for path in new.wanted or ():
        if not os.path.lexists(repository.root / path) and path not in index.files:
            raise ChangeError(f"there is no file {path} in {repository.root}")


def as_staged(repository: Repository, index: Index) -> bool:
    """Whether the working tree holds what is staged, so that it can be run in its place."""
    return not index.conflicts and all(
        repository.on_disk(path, index) == entry.blob for path, entry in index.files.items()
    )
