"""Statements that change a value in place, seen as assignments of an expression without effects.

`xs.append(x)` leaves `xs` as `xs + [x]` would, so one set of rules inverts both.
"""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import Any

from nsdbg.rulebook.pattern import compile_pattern

# What the statement is, the kind of the changed value where it matters, and what it leaves.
_FORMS: tuple[tuple[str, type | None, str], ...] = (
    ("$x.append($a)", None, "$x + [$a]"),
    ("$x.extend($a)", None, "$x + list($a)"),
    ("$x.insert(0, $a)", None, "[$a] + $x"),
    ("$x.insert($i, $a)", None, "$x[:$i] + [$a] + $x[$i:]"),
    ("$x.reverse()", None, "$x[::-1]"),
    ("$x.sort()", None, "sorted($x)"),
    ("$x.sort(reverse=True)", None, "sorted($x, reverse=True)"),
    ("$x.pop()", list, "$x[:-1]"),
    ("$x.pop(0)", list, "$x[1:]"),
    ("$x.pop($i)", list, "$x[:$i] + $x[$i + 1:]"),
    ("$x.pop($i)", dict, "{key: value for key, value in $x.items() if key != $i}"),
    ("$x.pop($i, ...)", dict, "{key: value for key, value in $x.items() if key != $i}"),
    ("$x.popitem()", dict, "dict(list($x.items())[:-1])"),
    ("$x.remove($a)", list, "[value for value in $x if value != $a]"),
    ("$x.update($a)", dict, "{**$x, **$a}"),
    ("$x.update($a)", set, "$x | set($a)"),
    ("$x.setdefault($i, $a)", dict, "{$i: $a, **$x}"),
    ("$x.add($a)", set, "$x | {$a}"),
    ("$x.discard($a)", set, "$x - {$a}"),
    ("$x.clear()", list, "[]"),
    ("$x.clear()", dict, "{}"),
    ("$x[$i] = $a", list, "$x[:$i] + [$a] + $x[$i + 1:]"),
    ("$x[$i] = $a", dict, "{**$x, $i: $a}"),
    ("del $x[$i]", list, "$x[:$i] + $x[$i + 1:]"),
    ("del $x[$i]", dict, "{key: value for key, value in $x.items() if key != $i}"),
)  # fmt: skip


def as_assignments(statement: ast.stmt, after: dict[str, Any]) -> list[tuple[str, ast.expr]]:
    """Return the names a statement changes in place with the expressions of what it leaves.

    `after` are known values behind the statement; only their names are of interest.
    """
    node: ast.AST = statement.value if isinstance(statement, ast.Expr) else statement
    if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Subscript):
        node = ast.Assign([statement.target], _added(statement), lineno=statement.lineno)
    for form, kind, left in _FORMS:
        bindings = compile_pattern(form).match(node)
        target = (bindings or {}).get("x")
        if not isinstance(target, ast.Name) or target.id not in after:
            continue
        if kind is None or isinstance(after[target.id], kind):
            parts = {name: part for name, part in (bindings or {}).items()
                     if isinstance(part, ast.expr)}  # fmt: skip
            return [(target.id, _filled(left, parts))]
    return []


def _added(statement: ast.AugAssign) -> ast.BinOp:
    assert isinstance(statement.target, ast.Subscript)
    old = ast.Subscript(statement.target.value, statement.target.slice, ast.Load())
    return ast.BinOp(old, statement.op, statement.value)


@lru_cache(maxsize=256)
def _template(text: str) -> ast.expr:
    tree = compile_pattern(text).tree
    assert isinstance(tree, ast.expr)
    return tree


def _filled(text: str, parts: dict[str, ast.expr]) -> ast.expr:
    """Return a fresh tree of a template, its metavariables replaced by trees of the program."""
    fresh = ast.parse(ast.unparse(_template(text)), mode="eval").body
    filled = _Fill(parts).visit(fresh)
    assert isinstance(filled, ast.expr)
    return filled


class _Fill(ast.NodeTransformer):
    def __init__(self, parts: dict[str, ast.expr]) -> None:
        self.parts = {f"__nsdbg_meta_{name}": part for name, part in parts.items()}

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.parts.get(node.id, node)
