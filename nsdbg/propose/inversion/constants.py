"""Names of a function whose values are known without its arguments, and names that code changes.

A forward pass over straight lines; whatever a branch or a loop changes is no longer known.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from typing import Any

from nsdbg.propose.evaluate import Unknown, copied, evaluate

_CHANGING = frozenset(
    {"append", "extend", "insert", "pop", "remove", "reverse", "sort", "clear", "update",
     "setdefault", "popitem", "add", "discard", "appendleft", "popleft", "rotate"}
)  # fmt: skip
Names = dict[str, Any]


class Constants:
    """The constants known before each statement of a function."""

    def __init__(self, body: Iterable[ast.stmt], known: Mapping[str, Any]) -> None:
        self._before: dict[int, Names] = {}
        self._after = self._block(body, dict(known))

    def before(self, statement: ast.stmt) -> Names:
        """Return the names with known values before a statement."""
        return self._before.get(id(statement), {})

    def _block(self, body: Iterable[ast.stmt], known: Names) -> Names:
        for statement in body:
            self._before[id(statement)] = dict(known)
            known = self._one(statement, known)
        return known

    def _one(self, statement: ast.stmt, known: Names) -> Names:
        gone = changed_names(statement)
        left = {name: value for name, value in known.items() if name not in gone}
        loop = isinstance(statement, (ast.For, ast.While))
        for field in ("body", "orelse", "finalbody"):
            inner = getattr(statement, field, None)
            if isinstance(inner, list) and not isinstance(statement, ast.FunctionDef):
                self._block(inner, dict(left if loop else known))
        for handler in getattr(statement, "handlers", ()):
            self._block(handler.body, dict(left))
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            _bind(statement.targets[0], statement.value, known, left)
        elif isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
            joined = ast.BinOp(statement.target, statement.op, statement.value)
            _bind(statement.target, joined, known, left)
        return left


def _bind(target: ast.expr, value: ast.expr, known: Names, left: Names) -> None:
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        if len(target.elts) == len(value.elts):
            for one, item in zip(target.elts, value.elts, strict=True):
                _bind(one, item, known, left)
    elif isinstance(target, ast.Name):
        try:
            left[target.id] = copied(evaluate(value, known))
        except Unknown:
            left.pop(target.id, None)


def changed_names(node: ast.AST) -> set[str]:
    """Return the names that a piece of code binds, or whose values it may change in place."""
    found = set()
    for part in ast.walk(node):
        stored = not isinstance(getattr(part, "ctx", None), ast.Load)
        if isinstance(part, ast.Name) and stored:
            found.add(part.id)
        elif (isinstance(part, ast.Subscript) and stored) or (
            isinstance(part, ast.Attribute) and part.attr in _CHANGING
        ):
            found |= _root(part.value)
    return found


def _root(node: ast.expr) -> set[str]:
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        node = node.value
    return {node.id} if isinstance(node, ast.Name) else set()


def always_leaves(body: Iterable[ast.stmt]) -> bool:
    """Whether a block never reaches its end."""
    for statement in body:
        if isinstance(statement, (ast.Return, ast.Raise, ast.Break, ast.Continue)):
            return True
        branches = (statement.body, statement.orelse) if isinstance(statement, ast.If) else ((),)
        if all(map(always_leaves, branches)):
            return True
    return False
