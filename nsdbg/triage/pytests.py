"""What tests say in pytest's and unittest's words: rows of parameters, and what is to be raised."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache

from nsdbg.source import FunctionNode, last_name

_MOST_ROWS = 40


def rows(node: FunctionNode) -> list[dict[str, ast.expr]]:
    """Return what `pytest.mark.parametrize` gives a test, row by row; one empty row without it."""
    rows: list[dict[str, ast.expr]] = [{}]
    for item in node.decorator_list:
        if isinstance(item, ast.Call) and last_name(item.func) == "parametrize":
            own = list(_rows_of(item)) or [{}]
            rows = [{**row, **more} for row in rows for more in own][:_MOST_ROWS]
    return rows


def _rows_of(call: ast.Call) -> Iterator[dict[str, ast.expr]]:
    if len(call.args) < 2:
        return
    names = _parameter_names(call.args[0])
    table = call.args[1]
    for row in table.elts if isinstance(table, ast.List | ast.Tuple) else ():
        if isinstance(row, ast.Call) and last_name(row.func) == "param":
            values: list[ast.expr] = row.args
        elif len(names) == 1:
            values = [row]
        else:
            values = row.elts if isinstance(row, ast.Tuple | ast.List) else []
        if names and len(values) == len(names):
            yield dict(zip(names, values, strict=True))


def _parameter_names(node: ast.expr) -> list[str]:
    parts = node.elts if isinstance(node, ast.List | ast.Tuple) else [node]
    texts = [one.value for one in parts if isinstance(one, ast.Constant)]
    return [name.strip() for text in texts if isinstance(text, str) for name in text.split(",")]


# The key is a tree that is kept, so that the ids in what is kept with it stay those of its nodes.
@lru_cache(maxsize=4096)
def expected(tree: ast.AST) -> tuple[tuple[int | str, frozenset[str]], ...]:
    """Return what tests expect to raise: ids of nodes in `raises(...)`, or names passed to it.

    Both `pytest.raises` and unittest's `assertRaises` are known, as `with` and as a call.
    """
    return tuple(_all_expected(tree))


def _all_expected(tree: ast.AST) -> Iterator[tuple[int | str, frozenset[str]]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.With | ast.AsyncWith):
            for item in node.items:
                words = _raised_by(item.context_expr)
                for inner in (one for one in ast.walk(node) if words) if words else ():
                    if inner is not item.context_expr:
                        yield id(inner), words
        elif isinstance(node, ast.Call) and len(node.args) > 1:
            words = _raised_by(node)
            for name in [last_name(node.args[1])] if words else []:
                yield name, words


def _raised_by(node: ast.expr) -> frozenset[str]:
    if not isinstance(node, ast.Call) or not node.args:
        return frozenset()
    if last_name(node.func) not in ("raises", "assertRaises", "assertRaisesRegex"):
        return frozenset()
    kinds = node.args[0].elts if isinstance(node.args[0], ast.Tuple) else [node.args[0]]
    return frozenset(last_name(kind) for kind in kinds)
