"""Templates filled by `format` and `%`, seen as f-strings when the template is known.

Fields with a format or a conversion are left to the rules.
"""

from __future__ import annotations

import ast
import string
from collections.abc import Mapping
from typing import Any

from nsdbg.propose.evaluate import Unknown, evaluate


def as_fstring(node: ast.Call | ast.BinOp, known: Mapping[str, Any]) -> ast.JoinedStr | None:
    """Return the f-string that gives the same text, or None when there is none to be seen."""
    if isinstance(node, ast.BinOp):
        template = _template(node.left, known) if isinstance(node.op, ast.Mod) else None
        return None if template is None else _from_percent(node, template)
    if not isinstance(node.func, ast.Attribute) or node.func.attr != "format":
        return None
    template = _template(node.func.value, known)
    return None if template is None else _from_format(node, template)


def _template(node: ast.expr, known: Mapping[str, Any]) -> str | None:
    try:
        value = evaluate(node, known)
    except Unknown:
        return None
    return value if isinstance(value, str) else None


def _from_percent(node: ast.BinOp, template: str) -> ast.JoinedStr | None:
    values = node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]
    pieces = template.replace("%d", "%s").split("%s")
    if len(pieces) != len(values) + 1 or any("%" in piece for piece in pieces):
        return None
    return _joined(pieces, values)


def _from_format(node: ast.Call, template: str) -> ast.JoinedStr | None:
    try:
        fields = list(string.Formatter().parse(template))
    except ValueError:
        return None
    named = {item.arg: item.value for item in node.keywords if item.arg}
    pieces, values, place = [""], [], 0
    for literal, field, spec, conversion in fields:
        pieces[-1] += literal
        if field is None:
            continue
        key, place = field or str(place), place + (not field)
        in_range = key.isdecimal() and int(key) < len(node.args)
        value = node.args[int(key)] if in_range else named.get(key)
        if value is None or spec or conversion or isinstance(value, ast.Starred):
            return None
        values.append(value)
        pieces.append("")
    return _joined(pieces, values)


def _joined(pieces: list[str], values: list[ast.expr]) -> ast.JoinedStr:
    parts: list[ast.expr] = [ast.Constant(pieces[0])]
    for value, piece in zip(values, pieces[1:], strict=True):
        parts += [ast.FormattedValue(value, -1, None), ast.Constant(piece)]
    return ast.JoinedStr([part for part in parts if getattr(part, "value", "") != ""])
