"""Expressions of a test or a caller, written so that they stand for themselves elsewhere.

Local names are replaced by what was assigned to them, imported ones keep their import.  What
depends on anything else (fixtures, loops, attributes of `self`, lists that were changed) is left
out.  Reads syntax only.
"""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from nsdbg.source import FunctionNode, import_name

_BUILTINS = frozenset(dir(builtins)) - {"open", "input", "print", "exec", "eval", "breakpoint"}
_DEPTH = 4
_LARGEST = 2000
# Methods of containers, and of what is made like them, that leave another value behind.
_CHANGING = frozenset(
    ["add", "append", "appendleft", "clear", "discard", "extend", "extendleft", "insert", "pop",
     "popitem", "popleft", "push", "put", "remove", "reverse", "rotate", "setdefault", "sort",
     "update"]
)  # fmt: skip
_REFUSED = (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr, ast.Starred, ast.JoinedStr)


@dataclass(frozen=True, slots=True)
class Closed:
    """An expression as text, with the import statements that it needs."""

    text: str
    imports: tuple[str, ...] = ()


@dataclass(frozen=True)
class Scope:
    """Where an expression stands: a module, or a function in it.

    `own` tells that its names are those of the target's module, so that they need no import;
    `given` are names with values from elsewhere, a parametrized test's.  `only` are the statements
    of interest, None for all.
    """

    tree: ast.Module
    file: Path
    function: FunctionNode | None = None
    own: bool = False
    given: Mapping[str, ast.expr] = field(default_factory=dict)
    only: tuple[ast.stmt, ...] | None = None

    @property
    def body(self) -> list[ast.stmt]:
        """The statements in which calls are looked for, outside functions."""
        return self.tree.body if self.only is None else list(self.only)

    @cached_property
    def imports(self) -> dict[str, str]:
        """The statement that binds each imported name; relative ones are made absolute."""
        found: dict[str, str] = {}
        for node in self.tree.body:
            found.update(_imports(node, self.file))
        return found

    @cached_property
    def defined(self) -> frozenset[str]:
        """The functions and classes of the module."""
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        return frozenset(node.name for node in self.tree.body if isinstance(node, kinds))

    @cached_property
    def assigned(self) -> dict[str, ast.expr]:
        """What names were assigned to, once and plainly: in the function, else in the module."""
        found = _assigned(self.tree.body)
        if self.function is not None:
            local = _assigned(list(_statements(self.function.body)))
            hidden = _bound(self.function)
            found = {name: node for name, node in found.items() if name not in hidden}
            found |= local
        return {**found, **self.given}

    @cached_property
    def changed(self) -> dict[str, int]:
        """The first line on which what a name stands for is another value than it was assigned."""
        found: dict[str, int] = {}
        nodes: list[ast.AST] = [self.function] if self.function is not None else [*self.body]
        for node in (inner for one in nodes for inner in ast.walk(one)):
            name = _changed_by(node)
            if name is not None:
                line: int = getattr(node, "lineno", 0)
                found[name] = min(line, found.get(name, line))
        return found

    @cached_property
    def hidden(self) -> frozenset[str]:
        """Names that the function binds: they are not the module's or the builtin ones."""
        return _bound(self.function) if self.function is not None else frozenset()


def closed(node: ast.expr, scope: Scope) -> Closed | None:
    """Return an expression that stands for itself, None where there is none."""
    imports: dict[str, None] = {}
    made = _close(node, scope, imports, 0)
    if made is None:
        return None
    text = ast.unparse(made)
    return Closed(text, tuple(imports)) if len(text) <= _LARGEST else None


def _close(node: ast.expr, scope: Scope, imports: dict[str, None], depth: int) -> ast.expr | None:
    inner = {one.id for one in ast.walk(node)
             if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load)}  # fmt: skip
    inner |= {one.arg for one in ast.walk(node) if isinstance(one, ast.arg)}
    if any(isinstance(one, _REFUSED) for one in ast.walk(node)):
        return None
    replaced: dict[str, ast.expr] = {}
    for name in {one.id for one in ast.walk(node) if isinstance(one, ast.Name)} - inner:
        if name in scope.assigned and depth < _DEPTH:
            if scope.changed.get(name, sys.maxsize) < _line(node):
                return None
            value = _close(scope.assigned[name], scope, imports, depth + 1)
            if value is None:
                return None
            replaced[name] = value
        elif name in scope.hidden:
            return None
        elif name in scope.imports:
            imports.setdefault(scope.imports[name])
        elif not (name in _BUILTINS or (scope.own and name in scope.defined)):
            return None
    return _Replacing(replaced).put(node) if replaced else node


def _line(node: ast.expr) -> int:
    """Return a node's line; one made of arguments has that of its first part."""
    lines = (getattr(one, "lineno", None) for one in ast.walk(node))
    return next((line for line in lines if line is not None), 0)


class _Replacing(ast.NodeTransformer):
    """Puts expressions in place of names, in a copy."""

    def __init__(self, replaced: Mapping[str, ast.expr]) -> None:
        self.replaced = replaced

    def put(self, node: ast.expr) -> ast.expr:
        """Return a copy of an expression with the names replaced."""
        copy = ast.parse(ast.unparse(node), mode="eval").body
        made = self.visit(copy)
        assert isinstance(made, ast.expr)
        return made

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Replace one name."""
        return self.replaced.get(node.id, node)


def _imports(node: ast.stmt, file: Path) -> Iterator[tuple[str, str]]:
    if isinstance(node, ast.Import):
        for one in node.names:
            renamed = f" as {one.asname}" if one.asname else ""
            yield one.asname or one.name.partition(".")[0], f"import {one.name}{renamed}"
    elif isinstance(node, ast.ImportFrom):
        module = _absolute(node, file)
        for one in node.names if module else ():
            renamed = f" as {one.asname}" if one.asname else ""
            yield one.asname or one.name, f"from {module} import {one.name}{renamed}"
    elif isinstance(node, ast.Try | ast.If):
        for inner in node.body:
            yield from _imports(inner, file)


def _absolute(node: ast.ImportFrom, file: Path) -> str:
    if not node.level:
        return node.module or ""
    parts = import_name(file)[1].split(".")
    kept = parts[: len(parts) - node.level + (file.stem == "__init__")]
    return ".".join([*kept, *([node.module] if node.module else [])])


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements that run for sure or nearly so: those in `with` and `try` too."""
    for node in body:
        yield node
        if isinstance(node, ast.With | ast.AsyncWith | ast.Try):
            yield from _statements(node.body)


def _assigned(body: list[ast.stmt]) -> dict[str, ast.expr]:
    """Return the names that are assigned to once, with what they are assigned."""
    found: dict[str, ast.expr] = {}
    often: set[str] = set()
    for node in body:
        for name, value in _assignments(node):
            if name in found:
                often.add(name)
            found[name] = value
    return {name: value for name, value in found.items() if name not in often}


def _assignments(node: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(node, ast.Assign):
        for target in node.targets:
            if isinstance(target, ast.Name):
                yield target.id, node.value
    elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
        yield node.target.id, node.value


def _changed_by(node: ast.AST) -> str | None:
    """Return the name whose value a node changes in place, or in a loop; None where it does not."""
    changed: ast.AST | None = None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        changed = node.func.value if node.func.attr in _CHANGING else None
    elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
        changed = node.value
    elif isinstance(node, ast.AugAssign | ast.For | ast.AsyncFor):
        changed = node.target
    return changed.id if isinstance(changed, ast.Name) else None


def _bound(function: FunctionNode) -> frozenset[str]:
    """Return the names that a function binds anywhere in it."""
    names = {one.arg for one in ast.walk(function.args) if isinstance(one, ast.arg)}
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names.add(node.id)
    return frozenset(names)
