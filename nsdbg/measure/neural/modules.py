"""Recorded functions as modules on disk, so that what is said of them can be run.

An episode holds the text of its functions and the literals that they name, not their modules: what
else they need is missing, unless a well-known module of the standard library has it.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from nsdbg.episode import Episode, Listing
from nsdbg.errors import SourceError
from nsdbg.propose.codec.situation import Situation
from nsdbg.source import Subject, load_subject
from nsdbg.state import Frame

# Where a name that a function takes from elsewhere most likely comes from.
_MODULES = (
    "itertools", "functools", "collections", "math", "operator", "heapq", "bisect", "statistics",
    "random", "numbers", "fractions", "decimal", "collections.abc",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Module:
    """A module that holds the functions of an episode; `lines` maps their lines to its own."""

    file: Path
    lines: dict[tuple[str, int], int]

    def frame(self, frame: Frame) -> Frame | None:
        """Return a frame with the place that it has in this module."""
        lineno = self.lines.get((frame.file, frame.lineno))
        return None if lineno is None else replace(frame, file=str(self.file), lineno=lineno)

    def situation(self, found: Situation) -> Situation | None:
        """Return a situation of which the innermost frame alone is left, in this module."""
        frame = self.frame(found.state.frame)
        if frame is None:
            return None
        moved = ((self.lines.get((found.state.frame.file, header)), count)
                 for header, count in found.here)  # fmt: skip
        loops = tuple((line, count) for line, count in moved if line is not None)
        return Situation(replace(found.state, stack=(frame,)), (loops,))

    def subject(self, qualname: str) -> Subject | None:
        """Return a function of the module; None when it is not there as it was."""
        try:
            return load_subject(self.file, qualname, self.file.parent)
        except SourceError:
            return None


class Modules:
    """Writes modules below a folder, one for all episodes of the same functions."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[tuple[object, ...], Module] = {}

    def module(self, episode: Episode) -> Module:
        """Return the module of an episode."""
        key = (episode.listings, episode.names)
        if key not in self._known:
            self._known[key] = self._write(episode, len(self._known))
        return self._known[key]

    def _write(self, episode: Episode, number: int) -> Module:
        file = self._folder / f"recorded_{number}.py"
        rows = [*_imports(episode), *(f"{name} = {text}" for name, text in episode.names)]
        lines: dict[tuple[str, int], int] = {}
        for listing in _by_class(episode.listings):
            rows += _scaffold(listing, rows)
            text = textwrap.dedent(listing.text)
            if "." in listing.qualname:
                text = textwrap.indent(text, "    ")
            for at, row in enumerate(text.split("\n")):
                rows.append(row)
                lines[listing.file, listing.lineno + at] = len(rows)
        file.write_text("\n".join(rows) + "\n", encoding="utf-8", errors="backslashreplace")
        return Module(file, lines)


def _by_class(listings: tuple[Listing, ...]) -> list[Listing]:
    """Return functions before methods, and the methods of a class together."""
    return sorted(listings, key=lambda one: (_owner(one), one.file, one.lineno))


def _owner(listing: Listing) -> str:
    return listing.qualname.rpartition(".")[0]


def _scaffold(listing: Listing, rows: list[str]) -> Iterator[str]:
    """Yield the head of a method's class, unless the class is being written already."""
    owner = _owner(listing).rpartition(".")[2]
    head = f"class {owner}:"
    heads = [row for row in rows if row.startswith("class ")]
    if owner.isidentifier() and heads[-1:] != [head]:
        yield head


def _imports(episode: Episode) -> Iterator[str]:
    given = {name for name, _ in episode.names}
    own = {listing.qualname.partition(".")[0] for listing in episode.listings}
    for name in sorted(_free(episode.listings) - given - own - set(dir(builtins))):
        if name in sys.stdlib_module_names:
            yield f"import {name}"
            continue
        for module in _MODULES:
            if hasattr(importlib.import_module(module), name):
                yield f"from {module} import {name}"
                break


def _free(listings: tuple[Listing, ...]) -> set[str]:
    """Return the names that are read and bound nowhere in the functions."""
    read: set[str] = set()
    bound: set[str] = set()
    for listing in listings:
        try:
            tree = ast.parse(textwrap.dedent(listing.text))
        except (SyntaxError, ValueError, RecursionError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Name):
                (read if isinstance(node.ctx, ast.Load) else bound).add(node.id)
            elif isinstance(node, ast.arg):
                bound.add(node.arg)
    return read - bound
