"""Files and lines as findings name them: relative to a root, with their text and function.

Only files below the root are named or read: a log may name any other.
"""

from __future__ import annotations

import ast
from pathlib import Path

from nsdbg.errors import SourceError
from nsdbg.finding import Place
from nsdbg.source import MODULE, function_at, parse_source, read_source


class Places:
    """The lines below one root; each file is looked for and read once."""

    def __init__(self, root: Path) -> None:
        self._root = root.resolve()
        self._paths: dict[str, Path | None] = {}
        self._texts: dict[Path, str] = {}
        self._trees: dict[Path, ast.Module | None] = {}

    def shown(self, file: str | Path | None) -> str | None:
        """Return a file's name in reports, None for what does not lie below the root."""
        path = self._below(file)
        return path.relative_to(self._root).as_posix() if path is not None else None

    def text(self, file: str | Path) -> str | None:
        """Return the text of a file below the root, None where it cannot be read."""
        path = self._below(file)
        return self._text(path) or None if path is not None else None

    def at(self, file: str | Path | None, lineno: int, printed: str | None = None) -> Place | None:
        """Return a line, None where its file does not lie below the root.

        `printed` is the frame's name where there is one: a generator expression within a function
        keeps its own.
        """
        path = self._below(file)
        if path is None:
            return None
        # Not `splitlines`, which also ends a line at a form feed and at U+2028.
        lines = self._text(path).split("\n")
        text = lines[lineno - 1].strip() if 0 < lineno <= len(lines) else ""
        own = printed is not None and printed.startswith("<") and printed != MODULE
        function = printed if own else self._function(path, lineno) or printed
        return Place(path.relative_to(self._root).as_posix(), lineno, text, function)

    def _below(self, file: str | Path | None) -> Path | None:
        key = str(file)
        if key not in self._paths:
            self._paths[key] = self._found(key) if file is not None else None
        return self._paths[key]

    def _found(self, file: str) -> Path | None:
        try:
            path = (self._root / file).resolve()
            return path if path.is_relative_to(self._root) and path.is_file() else None
        except (OSError, RuntimeError, ValueError):  # too long, links in a circle, a zero byte
            return None

    def _text(self, path: Path) -> str:
        if path not in self._texts:
            try:
                self._texts[path] = read_source(path)
            except SourceError:
                self._texts[path] = ""
        return self._texts[path]

    def _function(self, path: Path, lineno: int) -> str | None:
        if path not in self._trees:
            try:
                self._trees[path] = parse_source(path)[1]
            except SourceError:
                self._trees[path] = None
        tree = self._trees[path]
        return function_at(tree, lineno) if tree is not None else None
