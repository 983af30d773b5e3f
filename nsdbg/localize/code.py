"""A source file as the localizer reads it: functions, scopes, and who defines a name.

One `FileCode` a file; all of it is syntax, nothing is imported or run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from nsdbg.errors import SourceError
from nsdbg.localize.dataflow import ReachingDefinitions
from nsdbg.localize.definitions import Definition, How, bound_names, definitions
from nsdbg.localize.pin import statement_at
from nsdbg.source import MODULE, FunctionNode, function_at, functions, import_name, parse_source

LOCALS = ".<locals>."
# A file that imports more of its project than this is a registry of it.
MOST_IMPORTED = 40
# An attribute set in more places than these is a common word (`name`, `value`).
MOST_ATTRIBUTES = 8
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class FileCode:
    """One parsed file."""

    def __init__(self, path: str, text: str, tree: ast.Module) -> None:
        self.path = path
        self.text = text
        self.lines = text.splitlines()
        self.tree = tree
        self._reaching: dict[str, ReachingDefinitions] = {}

    @classmethod
    def read(cls, path: Path) -> FileCode:
        """Read a file; raises SourceError when it cannot be read or parsed."""
        text, tree = parse_source(path)
        return cls(str(path), text, tree)

    @cached_property
    def functions(self) -> dict[str, tuple[FunctionNode, ast.ClassDef | None]]:
        """Every function by qualified name, with its class when it is a method."""
        return {name: (node, owner) for name, node, owner in functions(self.tree)}

    @cached_property
    def classes(self) -> dict[str, ast.ClassDef]:
        """Every class by its plain name; a later one replaces an earlier one."""
        return {node.name: node for node in ast.walk(self.tree) if isinstance(node, ast.ClassDef)}

    def node(self, qualname: str) -> FunctionNode | None:
        """Return the function of that name; None for `<module>` and unknown names."""
        entry = self.functions.get(qualname)
        return entry[0] if entry else None

    def body(self, qualname: str) -> list[ast.stmt]:
        """Return the statements of a function or of the module."""
        node = self.node(qualname)
        return self.tree.body if node is None else node.body

    def qualname_at(self, lineno: int) -> str:
        """Return the qualified name of the function around a line."""
        return function_at(self.tree, lineno)

    def statement(self, lineno: int) -> ast.stmt | None:
        """Return the innermost statement on a line."""
        return statement_at(self.tree, lineno)

    def source(self, lineno: int) -> str:
        """Return a line without its indentation, empty when there is none."""
        return self.lines[lineno - 1].strip() if 0 < lineno <= len(self.lines) else ""

    def reaching(self, qualname: str) -> ReachingDefinitions:
        """Return the reaching definitions of a function or of the module, made once."""
        if qualname not in self._reaching:
            node = self.node(qualname)
            self._reaching[qualname] = ReachingDefinitions(self.body(qualname), node)
        return self._reaching[qualname]

    def class_around(self, qualname: str) -> ast.ClassDef | None:
        """Return the class whose method a function is, or is nested in."""
        while qualname:
            entry = self.functions.get(qualname)
            if entry and entry[1] is not None:
                return entry[1]
            qualname = qualname.rpartition(LOCALS)[0]
        return None

    @cached_property
    def imported(self) -> tuple[FileCode, ...]:
        """The project's files that this one imports: those below the same folder of `sys.path`."""
        root, _ = import_name(Path(self.path))
        found: dict[Path, FileCode] = {}
        for node in ast.walk(self.tree):
            for path in _imported_paths(node, Path(self.path).parent, root):
                if path not in found and len(found) < MOST_IMPORTED:
                    with suppress(SourceError):
                        found[path] = _read(path)
        return tuple(found.values())

    def attribute_definitions(self, attribute: str) -> list[tuple[FileCode, Definition]]:
        """Return where an attribute of that name is set, on whatever object, here or in imports.

        The fields of a class body with a default count as well.
        """
        found: list[tuple[FileCode, Definition]] = []
        for code in (self, *self.imported):
            for node in ast.walk(code.tree):
                if isinstance(node, ast.ClassDef):
                    found += [(code, one) for statement in node.body
                              for one in definitions(statement)
                              if one.name == attribute and one.how is How.ASSIGNED]  # fmt: skip
                elif isinstance(node, ast.stmt):
                    found += [(code, one) for one in definitions(node)
                              if one.name.endswith("." + attribute)]  # fmt: skip
        return found[:MOST_ATTRIBUTES]

    def functions_called(self, name: str) -> list[tuple[FileCode, str, FunctionNode]]:
        """Return functions and methods of a plain name, here or in what this file imports."""
        return [
            (code, qualname, entry[0])
            for code in (self, *self.imported)
            for qualname, entry in code.functions.items()
            if entry[0].name == name
        ]


@lru_cache(maxsize=256)
def _read(path: Path) -> FileCode:
    return FileCode.read(path)


def _imported_paths(node: ast.AST, folder: Path, root: Path) -> Iterator[Path]:
    """Yield the files below `root` that an import statement may name."""
    dotted_names: list[tuple[Path, str]] = []
    if isinstance(node, ast.Import):
        dotted_names = [(root, alias.name) for alias in node.names]
    elif isinstance(node, ast.ImportFrom):
        start = folder if node.level else root
        for _ in range(node.level - 1):
            start = start.parent
        module = node.module or ""
        dotted_names = [(start, module)] if module else []
        dotted_names += [(start, f"{module}.{alias.name}".strip(".")) for alias in node.names]
    for start, name in dotted_names:
        base = start.joinpath(*name.split("."))
        for path in (base.with_suffix(".py"), base / "__init__.py"):
            if path.is_file() and path.resolve().is_relative_to(root):
                yield path.resolve()


@dataclass(frozen=True, slots=True)
class Spot:
    """A statement in a function of a file: where an expression is looked at."""

    code: FileCode
    qualname: str
    statement: ast.stmt

    @property
    def lineno(self) -> int:
        """The statement's first line."""
        return self.statement.lineno

    def definitions_of(self, name: str) -> tuple[Definition, ...]:
        """Return the definitions of a plain or dotted name that may be in force here.

        Locals path by path; names of enclosing functions, of the module, and attributes of `self`
        wherever they are assigned, since nobody can tell the order of calls from the text.
        """
        local = self.code.reaching(self.qualname).at(self.statement, name)
        if local or self.qualname == MODULE:
            return local
        if "." in name:
            owner = self.code.class_around(self.qualname)
            return _everywhere([owner] if owner else [self.code.tree], name)
        node = self.code.node(self.qualname)
        if node is not None and name in _own_names(node):
            return ()
        return self._outside(name)

    def _outside(self, name: str) -> tuple[Definition, ...]:
        outer = self.qualname.rpartition(LOCALS)[0]
        while outer:
            node = self.code.node(outer)
            if node is not None:
                found = _within(node.body, name)
                known = self.code.reaching(outer).at(node.body[0], name)
                found += tuple(one for one in known if one.how is How.PARAMETER)
                if found:
                    return found
            outer = outer.rpartition(LOCALS)[0]
        return _within(self.code.tree.body, name) + self._declared_global(name)

    def _declared_global(self, name: str) -> tuple[Definition, ...]:
        found: tuple[Definition, ...] = ()
        for node, _ in self.code.functions.values():
            declared = any(isinstance(one, ast.Global) and name in one.names
                           for one in ast.walk(node))  # fmt: skip
            if declared:
                found += _within(node.body, name)
        return found


def _own_names(node: FunctionNode) -> set[str]:
    parameters = {one.arg for one in ast.walk(node.args) if isinstance(one, ast.arg)}
    return parameters | bound_names(node.body)


def _within(body: list[ast.stmt], name: str) -> tuple[Definition, ...]:
    """Return every definition of a name in a body, nested functions and classes left out."""
    found: list[Definition] = []
    stack = list(reversed(body))
    while stack:
        statement = stack.pop()
        found += [one for one in definitions(statement) if one.name == name]
        if isinstance(statement, SCOPES):
            continue
        inner: list[ast.stmt] = []
        for field in ("body", "orelse", "finalbody"):
            inner += getattr(statement, field, [])
        for block in [*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())]:
            inner += block.body
        stack += reversed(inner)
    return tuple(found)


def _everywhere(roots: list[ast.AST], name: str) -> tuple[Definition, ...]:
    """Return every definition of a dotted name below some nodes, in whatever function."""
    found = [
        one
        for root in roots
        for node in ast.walk(root)
        if isinstance(node, ast.stmt)
        for one in definitions(node)
        if one.name == name
    ]
    return tuple(sorted(set(found), key=lambda one: (one.lineno, one.how.value)))
