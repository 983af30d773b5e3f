"""Values that a log printed, as expressions that a call can pass: literals, and objects.

Dataclasses, named tuples and many others print the call that makes them: `Line(sku='a', cents=1)`.
Nothing is evaluated here; what such a call gives is seen when it is run under the guard.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

LARGEST = 4096
_PLAIN = (
    ast.Expression, ast.Constant, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.UnaryOp, ast.USub,
    ast.UAdd, ast.Load, ast.keyword, ast.Name, ast.Call,
)  # fmt: skip


def constructed(text: str) -> ast.expr | None:
    """Return the expression that a printed object is, None where it is none.

    Calls of plain names only, on literals and further such calls; a name stands nowhere else.
    """
    if len(text) > LARGEST or "(" not in text:
        return None
    try:
        node = ast.parse(text.strip(), mode="eval").body
        parts = list(ast.walk(node))
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None
    called = {id(one.func) for one in parts if isinstance(one, ast.Call)}
    fits = all(
        isinstance(one, _PLAIN) and (not isinstance(one, ast.Name) or id(one) in called)
        for one in parts
    )
    named = all(one.arg is not None for one in parts if isinstance(one, ast.keyword))
    simple = all(isinstance(one.func, ast.Name) for one in parts if isinstance(one, ast.Call))
    return node if called and fits and named and simple else None


def classes_in(text: str) -> set[str]:
    """Return the names that a recorded value calls; empty for a literal."""
    node = constructed(text)
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)} if node else set()


def fields_in(text: str) -> Iterator[tuple[str, str]]:
    """Yield every named part of a printed object with its text, and its texts without a name."""
    node = constructed(text)
    for one in ast.walk(node) if node is not None else ():
        if isinstance(one, ast.keyword):
            yield one.arg or "", ast.unparse(one.value)
        elif isinstance(one, ast.Constant):
            yield "", repr(one.value)
