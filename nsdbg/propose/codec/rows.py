"""In which order a statement that spans several lines comes to them, as CPython's line events go.

Read off the tree as the compiler lays the code out (3.11 and newer: an operation has the line at
which its expression begins).  None where branches lie on different lines.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

_BRANCHING = (ast.BoolOp, ast.IfExp, ast.Yield, ast.YieldFrom, ast.Await, ast.NamedExpr)
_OWN_CODE = (ast.Lambda, ast.GeneratorExp)


class _Branching(Exception):
    """Which lines come depends on values."""


def rows(node: ast.stmt) -> list[int] | None:
    """Return the lines at which a simple statement stops a debugger, in order."""
    if not isinstance(node, (ast.Return, ast.Expr, ast.Assign, ast.AnnAssign, ast.Raise)):
        return None
    if node.lineno == node.end_lineno:
        return [node.lineno]
    try:
        found = list(_of_statement(node))
    except _Branching:
        return None
    return [line for at, line in enumerate(found) if at == 0 or line != found[at - 1]]


def next_row(node: ast.stmt, lineno: int) -> int | None:
    """Return the line to which a statement goes on from one of its lines.

    None where it ends there, or where that depends on how often it was there.
    """
    found = rows(node)
    if found is None or found.count(lineno) != 1 or lineno == found[-1]:
        return None
    return found[found.index(lineno) + 1]


def _of_statement(node: ast.stmt) -> Iterator[int]:
    if isinstance(node, ast.Raise):
        if node.exc is not None:
            yield from _of(node.exc)
        yield node.lineno
        return
    value = getattr(node, "value", None)
    if value is not None:
        yield from _of(value)
    if isinstance(node, ast.Assign):
        for target in node.targets:
            yield from _of(target)
    elif isinstance(node, ast.AnnAssign):
        yield from _of(node.target)
    elif isinstance(node, ast.Return) and not isinstance(value, ast.Constant):
        yield node.lineno


def _of(node: ast.expr) -> Iterator[int]:
    """Yield the lines of an expression's instructions in the order in which they run."""
    if node.lineno == node.end_lineno or isinstance(node, _OWN_CODE):
        yield node.lineno
        return
    if isinstance(node, _BRANCHING) or (isinstance(node, ast.Compare) and len(node.ops) > 1):
        raise _Branching
    if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp)):
        raise _Branching  # a frame of its own until 3.12, and a loop since
    if isinstance(node, ast.Slice) or (isinstance(node, ast.Call) and _spreads(node)):
        raise _Branching  # laid out otherwise in each version
    if isinstance(node, ast.Constant):
        yield node.lineno
        return
    if isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            if key is not None:
                yield from _of(key)
            yield from _of(value)
    elif isinstance(node, ast.JoinedStr):
        for part in node.values:
            yield from _of(part)
    else:
        for inner in ast.iter_child_nodes(node):
            if isinstance(inner, ast.keyword):
                yield from _of(inner.value)
            elif isinstance(inner, ast.expr):
                yield from _of(inner)
    yield _line_of_operation(node)


def _spreads(node: ast.Call) -> bool:
    return any(isinstance(one, ast.Starred) for one in node.args) or any(
        keyword.arg is None for keyword in node.keywords
    )


def _line_of_operation(node: ast.expr) -> int:
    """Return the line of an expression's own instruction: an attribute's is where its name is."""
    place = node.func if isinstance(node, ast.Call) else node
    if isinstance(place, ast.Attribute) and place.lineno != place.end_lineno:
        return place.end_lineno or node.lineno
    return node.lineno
