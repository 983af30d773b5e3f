"""The versions of a change as folders that can be run from: the old one, and what is staged.

Written into the user's cache (`shelf`), blob by blob (`write`), with the files beside them that
git does not keep but an import needs (`needed`).
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from nsdbg.changes.needed import find_needed, is_borrowed, read_needed
from nsdbg.changes.repository import Blob, Repository
from nsdbg.changes.shelf import take_place, tidy
from nsdbg.changes.write import write_tree
from nsdbg.errors import ChangeError


class VersionTree:
    """One version that git keeps; what it holds is known at once, the files are written on demand.

    `name` is of the commit or tree that `listing` lists, or anything that stands for it.
    `left_out` are the paths that a sparse checkout has not, and this version neither.
    """

    def __init__(
        self, repository: Repository, kind: str, name: str, listing: Callable[[], dict[str, Blob]],
        left_out: frozenset[str], stack: contextlib.ExitStack,
    ) -> None:  # fmt: skip
        self._repository = repository
        self._left_out = left_out
        self._name = f"{name}-{_digest(sorted(left_out))}" if left_out else name
        self._place = stack.enter_context(take_place(repository.root, kind, self._name))
        if self._place.tree == self._name and not left_out:
            kept = self._place.files.items()
            self.files = {path: one.blob for path, one in kept if not is_borrowed(one.blob)}
        else:
            self.files = listing()

    def has(self, path: str) -> bool:
        """Whether a path is there, once the version is written."""
        kept = self._place.files.get(path)  # with a size, unless it was cut
        return kept is not None and kept.size_bytes is not None

    def write(self, but: frozenset[str] = frozenset()) -> tuple[Path, tuple[str, ...]]:
        """Write what is missing; return the folder, and sentences on what is not in it.

        `but` are paths that belong to the other version, and are not to be taken from disk.
        """
        place = self._place
        borrowed, notes = find_needed(self._repository.root, self.files, self._left_out)
        wanted = {path: b for path, b in self.files.items() if path not in self._left_out}
        others = but - self._left_out
        wanted |= {path: blob for path, blob in borrowed.items() if path not in others}
        same = place.tree == self._name
        held = {
            path: kept for path, kept in place.files.items() if same or kept.size_bytes is not None
        }
        if not same:
            place.forget()
        try:
            written = write_tree(place.root, wanted, held, self._contents)
        except OSError as error:
            raise ChangeError(
                f"the old version cannot be written below {place.folder}: {error.strerror}; name "
                "another folder by XDG_CACHE_HOME"
            ) from error
        if written.files != place.files or not same:
            place.forget()
            place.tree, place.files = self._name, written.files
            place.notes = tuple(written.notes) or (place.notes if same else ())
            place.keep()
            tidy()
        return place.root, (*place.notes, *notes)

    def _contents(
        self, wanted: Sequence[tuple[str, Blob]], largest_bytes: int
    ) -> Iterator[bytes | None]:
        stored = [blob.name for _, blob in wanted if not is_borrowed(blob)]
        contents = self._repository.git.blobs(stored, largest_bytes) if stored else iter(())
        for path, blob in wanted:
            if is_borrowed(blob):
                yield read_needed(self._repository.root, path, largest_bytes)
            else:
                yield next(contents)


def _digest(parts: Sequence[str]) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()


def name_for(files: Mapping[str, Blob]) -> str:
    """Return a name for a listing that no tree of git's bears."""
    return _digest([f"{blob.mode:o} {blob.name} {path}" for path, blob in sorted(files.items())])
