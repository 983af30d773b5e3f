"""Functions that must not enter a corpus: those of test data, and near copies of them.

Compares syntax trees without names, docstrings, annotations, decorators and formatting.  A copy
that was rewritten, with other statements for the same thing, is not found.
"""

from __future__ import annotations

import ast
import builtins
import json
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from difflib import SequenceMatcher
from itertools import pairwise
from pathlib import Path
from typing import Any

from nsdbg.errors import CorpusError

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef

# Fields of a data file that hold programs: text, or a mapping from file names to text.
FIELDS = ("code", "buggy", "fixed", "files", "sat", "solution", "program")
# Of shorter functions the statements say too little: there only an equal tree counts.
FEWEST_STATEMENTS = 4
NEAR = 0.9
_BUILTINS = frozenset(dir(builtins))
_UNSEEN = frozenset(["annotation", "returns", "decorator_list", "type_comment", "ctx", "kind",
                     "type_params", "simple"])  # fmt: skip
_BODIES = ("body", "handlers", "orelse", "finalbody", "cases")

Rename = Callable[[str], str]


class Exclusion:
    """What is left out: the functions of some programs."""

    def __init__(self, programs: Iterable[str] = ()) -> None:
        self._equal: set[str] = set()
        self._sequences: list[tuple[str, ...]] = []
        self._by_pair: dict[tuple[str, str], list[int]] = {}
        self._known: dict[str, str | None] = {}
        for program in programs:
            self.add(program)

    @classmethod
    def of_files(cls, files: Iterable[Path]) -> Exclusion:
        """Read data files of JSON lines; raises CorpusError for one that cannot be read."""
        return cls(text for file in files for text in programs_of(file))

    def __len__(self) -> int:
        return len(self._equal)

    def add(self, program: str) -> None:
        """Leave the functions of a program out; one that does not parse has none."""
        for node in _functions(program):
            equal = tree_text(node)
            if equal in self._equal:
                continue
            self._equal.add(equal)
            sequence = statements(node)
            if len(sequence) >= FEWEST_STATEMENTS:
                for pair in set(_pairs(sequence)):
                    self._by_pair.setdefault(pair, []).append(len(self._sequences))
                self._sequences.append(sequence)

    def reason(self, text: str) -> str | None:
        """Return why a function's text is left out: "equal" or "near"; None where it may stay."""
        if not self._equal:
            return None
        if text not in self._known:
            if len(self._known) > 20000:
                self._known.clear()
            self._known[text] = self._find(text)
        return self._known[text]

    def _find(self, text: str) -> str | None:
        nodes = list(_functions(text))
        if any(tree_text(node) in self._equal for node in nodes):
            return "equal"
        return "near" if any(self._is_near(statements(node)) for node in nodes) else None

    def _is_near(self, sequence: tuple[str, ...]) -> bool:
        if len(sequence) < FEWEST_STATEMENTS:
            return False
        shared = Counter(at for pair in set(_pairs(sequence)) for at in self._by_pair.get(pair, ()))
        return any(_alike(sequence, self._sequences[at]) for at, _ in shared.most_common(20))


def _alike(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    # More than this share of both together cannot match when their lengths differ so much.
    if 2 * min(len(one), len(other)) < NEAR * (len(one) + len(other)):
        return False
    return SequenceMatcher(None, one, other, autojunk=False).ratio() >= NEAR


def _pairs(sequence: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    return pairwise(sequence)


def programs_of(file: Path) -> Iterator[str]:
    """Yield the programs that a data file of JSON lines holds."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
        rows = [json.loads(line) for line in lines if line.strip()]
    except (OSError, ValueError) as error:
        raise CorpusError(f"cannot read {file} as JSON lines: {error}") from error
    for row in rows:
        for field in FIELDS:
            value = row.get(field) if isinstance(row, dict) else None
            texts = value.values() if isinstance(value, dict) else [value]
            yield from (text for text in texts if isinstance(text, str))


def data_files(folder: Path) -> list[Path]:
    """Return the data files of a folder whose programs are left out; raises CorpusError."""
    found = sorted(folder.glob("*.jsonl")) if folder.is_dir() else []
    if not found:
        raise CorpusError(f"--exclude-data: there is no data file *.jsonl in {folder}")
    return found


def _functions(text: str) -> Iterator[FunctionNode]:
    """Yield every function of a text, which may be indented."""
    try:
        tree = ast.parse(textwrap.dedent(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    yield from (node for node in ast.walk(tree) if isinstance(node, FunctionNode))


def tree_text(node: FunctionNode) -> str:
    """Return a function's tree as text, each name replaced by the order of its appearance."""
    numbers: dict[str, str] = {}
    free = _BUILTINS - _bound(node)

    def rename(name: str) -> str:
        return name if name in free else numbers.setdefault(name, f"v{len(numbers)}")

    return _text(node, rename)


def statements(node: FunctionNode) -> tuple[str, ...]:
    """Return a function's statements one after another, without names, headers without bodies."""
    free = _BUILTINS - _bound(node)
    return tuple(_flat(_code(node.body), lambda name: name if name in free else "_"))


def _bound(node: ast.AST) -> set[str]:
    bound = set()
    for child in ast.walk(node):
        if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store):
            bound.add(child.id)
        elif isinstance(child, ast.arg):
            bound.add(child.arg)
        elif isinstance(child, FunctionNode | ast.ClassDef | ast.ExceptHandler):
            bound.add(child.name or "")
    return bound


def _code(body: list[Any]) -> list[Any]:
    """Return statements without those that are but a constant: docstrings."""
    return [
        one for one in body
        if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))
    ]  # fmt: skip


def _flat(body: list[Any], rename: Rename) -> Iterator[str]:
    for node in body:
        yield _text(node, rename, _BODIES)
        for field in _BODIES:
            inner = getattr(node, field, None)
            if isinstance(inner, list):
                yield from _flat(_code(inner), rename)


def _text(node: Any, rename: Rename, without: tuple[str, ...] = ()) -> str:
    if isinstance(node, ast.Name):
        return rename(node.id)
    if isinstance(node, ast.Constant):
        return f"{node.value!r}"
    if isinstance(node, list):
        return "[" + " ".join([_text(one, rename) for one in _code(node)]) + "]"
    if not isinstance(node, ast.AST):
        return repr(node)
    parts = [
        _part(node, field, value, rename)
        for field, value in ast.iter_fields(node)
        if field not in _UNSEEN and field not in without and value is not None
    ]
    return f"({type(node).__name__} {' '.join(parts)})"


def _part(node: ast.AST, field: str, value: Any, rename: Rename) -> str:
    if isinstance(node, ast.Global | ast.Nonlocal):
        return " ".join(map(rename, value))
    binds = field in ("name", "asname") or (field == "arg" and isinstance(node, ast.arg))
    if binds and isinstance(value, str) and not (field == "name" and isinstance(node, ast.alias)):
        return rename(value)
    return _text(value, rename)
