"""The Python files of one version of a project: which there are, and which of them name a word.

Reads files within limits; runs and imports nothing.
"""

from __future__ import annotations

import ast
import os
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from nsdbg.errors import SourceError
from nsdbg.source import FunctionNode, first_line, read_source

# Folders of other people's code, of what was built, and of programs that are no part of it.
_LEFT_OUT = frozenset(["node_modules", "site-packages", "build", "dist", "__pycache__"])
_MOST_FILES = 5000
_LARGEST_FILE = 1 << 20
_TEST_FILE = re.compile(r"test_.*\.py|.*_test\.py|conftest\.py|tests\.py")
_TEST_FOLDERS = frozenset(["tests", "test", "testing"])


def is_test(path: Path) -> bool:
    """Whether a file, named relative to its project, holds tests and no code of the project."""
    in_folder = any(part in _TEST_FOLDERS for part in path.parts[:-1])
    return in_folder or _TEST_FILE.fullmatch(path.name) is not None


@dataclass(frozen=True, slots=True)
class Module:
    """A file's tree, and its functions, inner ones too, each with its text."""

    tree: ast.Module
    functions: tuple[tuple[FunctionNode, str], ...]


class Project:
    """The files below a root; `ends` is a time of `perf_counter` after which no more are read."""

    def __init__(self, root: Path, ends: float = float("inf")) -> None:
        self.root = root.resolve()
        self.ends = ends
        self._texts: dict[Path, str | None] = {}
        self._modules: dict[Path, Module | None] = {}

    @cached_property
    def files(self) -> tuple[Path, ...]:
        """All files of the project, tests first, at most some thousands."""
        found: list[Path] = []
        for folder, folders, names in os.walk(self.root):
            folders[:] = sorted(one for one in folders if _is_searched(folder, one))
            found += [Path(folder, name) for name in sorted(names) if name.endswith(".py")]
            if len(found) >= _MOST_FILES or time.perf_counter() > self.ends:
                break
        return tuple(sorted(found[:_MOST_FILES], key=lambda one: not self.is_test(one)))

    def is_test(self, file: Path) -> bool:
        """Whether a file below the root holds tests."""
        return file.is_relative_to(self.root) and is_test(file.relative_to(self.root))

    def naming(self, word: str, first: Path) -> Iterator[Path]:
        """Yield the files in which a word stands: `first`, then those named like it, then others.

        Ends early when time is up.
        """
        stem = first.stem if first.stem != "__init__" else first.parent.name
        ranked = sorted(self.files, key=lambda one: stem not in one.name)  # else tests first
        for file in dict.fromkeys([first, *ranked]):
            if file != first and time.perf_counter() > self.ends:
                return
            text = self.text(file)
            if text is not None and word in text:
                yield file

    def text(self, file: Path) -> str | None:
        """Return a file's text; None for what cannot be read or is too large to be looked at."""
        if file not in self._texts:
            try:
                small = file.stat().st_size <= _LARGEST_FILE
                self._texts[file] = read_source(file) if small else None
            except (OSError, SourceError):
                self._texts[file] = None
        return self._texts[file]

    def module(self, file: Path) -> Module | None:
        """Return what is in a file, read once; None for what does not parse."""
        if file not in self._modules:
            text = self.text(file)
            self._modules[file] = _module(text) if text is not None else None
        return self._modules[file]


def _module(text: str) -> Module | None:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    lines = text.splitlines()
    nodes = [node for node in ast.walk(tree) if isinstance(node, FunctionNode)]
    return Module(
        tree, tuple((one, "\n".join(lines[first_line(one) - 1 : one.end_lineno])) for one in nodes)
    )


def _is_searched(folder: str, name: str) -> bool:
    if name.startswith(".") or name in _LEFT_OUT or name.endswith(".egg-info"):
        return False
    return not os.path.exists(os.path.join(folder, name, "pyvenv.cfg"))
