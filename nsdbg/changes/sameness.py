"""Whether two pieces of code do the same as far as their trees tell: comments, layout, docstrings
and hints apart.

Not a proof of anything: code that reads its own docstring or hints is taken at its decorators.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import cast

from nsdbg.source import FunctionNode, last_name

# Decorators that do not look at hints; any other one might (a validator, a command line).
_BLIND = frozenset(
    {
        "staticmethod", "classmethod", "property", "cached_property", "setter", "getter",
        "deleter", "abstractmethod", "override", "final", "cache", "lru_cache", "contextmanager",
        "asynccontextmanager", "wraps", "total_ordering",
    }
)  # fmt: skip


def form(node: ast.AST) -> str:
    """Return a text that two pieces of code share when they do the same."""
    plain = _Plain().visit(_copy(node))
    return ast.dump(_unhinted(plain) if isinstance(plain, ast.stmt) else plain)


def name_of(decorator: ast.expr) -> str:
    """Return the last name of a decorator: `lru_cache` of `@functools.lru_cache(maxsize=8)`."""
    while isinstance(decorator, ast.Call):
        decorator = decorator.func
    return last_name(decorator)


def _copy(node: ast.AST) -> ast.AST:
    """Copy a tree without positions; several times as fast as `copy.deepcopy`."""
    kind = type(node)
    fields = {name: _copied(value) for name, value in ast.iter_fields(node)}
    return kind(**fields)


def _copied(value: object) -> object:
    if isinstance(value, ast.AST):
        return _copy(value)
    if isinstance(value, list):
        return [_copied(item) for item in value]
    return value


class _Plain(ast.NodeTransformer):
    """Takes out of a copied tree what nobody sees when it runs."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._function(node)

    def _function(self, node: FunctionNode) -> ast.AST:
        node.body = without_docstring(node.body)
        if all(name_of(item) in _BLIND for item in node.decorator_list):
            node.returns = None
            for arg in ast.walk(node.args):
                if isinstance(arg, ast.arg):
                    arg.annotation = None
                    arg.type_comment = None
        self.generic_visit(node)
        node.body = [_unhinted(item) for item in node.body]
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.body = without_docstring(node.body)
        return self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        node.kind = None  # u"..." is "..."
        return node


def _unhinted(statement: ast.stmt) -> ast.stmt:
    """Take the hint off `x: int = 1` in a function or module, where hardly anything looks at it.

    `x: int` alone stays: it makes `x` a local.
    """
    if isinstance(statement, ast.AnnAssign):
        hint = ast.Constant(value=None)
        if statement.value is None:
            statement.annotation = hint
        else:
            return ast.Assign(targets=[statement.target], value=statement.value)
    for field in ("body", "orelse", "finalbody"):
        inner = getattr(statement, field, None)
        if isinstance(inner, list) and not isinstance(statement, ast.ClassDef):
            setattr(statement, field, [_unhinted(cast(ast.stmt, item)) for item in inner])
    for part in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        part.body = [_unhinted(item) for item in part.body]
    return statement


def without_docstring(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    """Return a body's statements but for its docstring."""
    first = body[0] if body else None
    is_text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    if is_text and isinstance(cast(ast.Constant, cast(ast.Expr, first).value).value, str):
        return list(body[1:])
    return list(body)
