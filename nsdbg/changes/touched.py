"""Which functions differ between two versions of some modules, as far as their text tells.

Reads text; runs nothing.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Sequence
from dataclasses import dataclass

from nsdbg.changes.diff import changed_lines, lines_of
from nsdbg.changes.sameness import form
from nsdbg.source import FunctionNode, first_line, functions


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A module in both versions: paths as git names them, and texts; None where it is not there."""

    path: str | None
    old_path: str | None
    text: str | None
    old_text: str | None


@dataclass(frozen=True, slots=True)
class Touch:
    """A function of a new module that differs, and where it stood: `changed.Changed`, by paths."""

    path: str
    qualname: str
    lines: frozenset[int]
    old_path: str | None
    old_qualname: str | None


@dataclass(frozen=True, slots=True)
class Module:
    """A module's functions by qualified name; several where a name is defined again."""

    path: str
    lines: tuple[str, ...]
    functions: dict[str, tuple[FunctionNode, ...]]

    def text_of(self, qualname: str) -> list[str]:
        """Return the lines of a function, its decorators with it."""
        return [
            line
            for node in self.functions[qualname]
            for line in self.lines[first_line(node) - 1 : node.end_lineno]
        ]

    def numbers_of(self, qualname: str) -> list[int]:
        """Return the numbers of these lines."""
        return [
            number
            for node in self.functions[qualname]
            for number in range(first_line(node), (node.end_lineno or node.lineno) + 1)
        ]

    def form_of(self, qualname: str) -> str:
        """Return what stays of a function when it does the same."""
        return "\n".join(map(form, self.functions[qualname]))


def touched(rewrites: Sequence[Rewrite]) -> tuple[list[Touch], list[str]]:
    """Return the functions that differ, and a sentence for each module that cannot be read."""
    found: list[Touch] = []
    notes: list[str] = []
    for rewrite in rewrites:
        if rewrite.text is None or rewrite.path is None:
            continue
        try:
            new = read_module(rewrite.path, rewrite.text)
        except (SyntaxError, ValueError, RecursionError) as error:
            notes.append(f"{rewrite.path} does not parse: {error}")
            continue
        old = Module("", (), {})
        if rewrite.old_path is not None and rewrite.old_text is not None:
            try:
                old = read_module(rewrite.old_path, rewrite.old_text)
            except (SyntaxError, ValueError, RecursionError) as error:
                notes.append(f"{rewrite.old_path} did not parse before: {error}")
                continue
        found += _differing(old, new)
    return found, notes


def read_module(path: str, text: str) -> Module:
    """Parse a module; raises SyntaxError, ValueError or RecursionError."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the code under test, such as `"\d"`
        tree = ast.parse(text)
    found: dict[str, list[FunctionNode]] = {}
    for qualname, node, _ in functions(tree):
        if ".<locals>." not in qualname:
            found.setdefault(qualname, []).append(node)
    return Module(path, tuple(lines_of(text)), {name: tuple(all_) for name, all_ in found.items()})


def _differing(old: Module, new: Module) -> list[Touch]:
    found = []
    for qualname in new.functions:
        here = new.text_of(qualname)
        if qualname not in old.functions:
            found.append(Touch(new.path, qualname, frozenset(new.numbers_of(qualname)), None, None))
            continue
        before = old.text_of(qualname)
        if here == before or old.form_of(qualname) == new.form_of(qualname):
            continue
        numbers = new.numbers_of(qualname)
        lines = frozenset(numbers[number - 1] for number in changed_lines(before, here))
        found.append(Touch(new.path, qualname, lines, old.path, qualname))
    return found
