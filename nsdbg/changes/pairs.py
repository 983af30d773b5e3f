"""Which Python files differ between two versions, and which new one is an old one renamed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from nsdbg.changes.repository import LINK, SUBMODULE, Blob

# Git's own measure for a rename: half of the lines.
ALIKE = 0.5
MOST_COMPARISONS = 10_000


@dataclass(frozen=True, slots=True)
class Module:
    """A Python file of a version."""

    path: str
    blob: Blob


@dataclass(frozen=True, slots=True)
class Pair:
    """A Python file that differs: as it is (None: deleted), and as it was (None: new)."""

    new: Module | None
    old: Module | None


def differing(old: Mapping[str, Blob], new: Mapping[str, Blob]) -> tuple[list[Pair], list[str]]:
    """Return the Python files whose content differs, and sentences on what is left out."""
    pairs: list[Pair] = []
    notes: list[str] = []
    for path in sorted({*old, *new}):
        before, now = old.get(path), new.get(path)
        if before is not None and now is not None and before.name == now.name:
            continue  # as it was, or only its mode differs
        modes = {blob.mode for blob in (before, now) if blob is not None}
        if SUBMODULE in modes:
            notes.append(f"{path} is a submodule: what changes in it is left out")
        elif path.endswith(".ipynb") and now is not None:
            notes.append(f"{path} is a notebook, and left out")
        elif path.endswith(".py") and LINK in modes:
            notes.append(f"{path} is a symbolic link, and left out")
        elif path.endswith(".py"):
            pairs.append(
                Pair(
                    None if now is None else Module(path, now),
                    None if before is None else Module(path, before),
                )
            )
    return pairs, notes


def with_renames(pairs: Sequence[Pair], texts: Mapping[str, str]) -> Iterator[Pair]:
    """Yield the pairs, a deleted file and a new one that is like it as one.

    `texts` gives the text of a content by its name.
    """
    gone = [pair.old for pair in pairs if pair.new is None and pair.old is not None]
    fresh = [pair.new for pair in pairs if pair.old is None and pair.new is not None]
    ranked = sorted(_likenesses(gone, fresh, texts), key=lambda one: -one[0])
    taken: dict[str, Module] = {}
    for _, old, new in ranked:
        if new.path not in taken and old not in taken.values():
            taken[new.path] = old
    for pair in pairs:
        if pair.new is None and pair.old not in taken.values():
            yield pair
        elif pair.new is not None:
            yield Pair(pair.new, taken.get(pair.new.path, pair.old))


def _likenesses(
    gone: Sequence[Module], fresh: Sequence[Module], texts: Mapping[str, str]
) -> Iterator[tuple[float, Module, Module]]:
    lines = {
        one.blob.name: Counter(texts.get(one.blob.name, "").split("\n")) for one in (*gone, *fresh)
    }
    few = len(gone) * len(fresh) <= MOST_COMPARISONS
    for old in gone:
        for new in fresh:
            same_name = old.path.rpartition("/")[2] == new.path.rpartition("/")[2]
            if old.blob.name == new.blob.name:
                yield 2.0 + same_name, old, new
            elif few or same_name:
                ours, theirs = lines[old.blob.name], lines[new.blob.name]
                largest = max(ours.total(), theirs.total())
                share = (ours & theirs).total() / largest
                if share >= ALIKE:
                    yield share + 0.01 * same_name, old, new
