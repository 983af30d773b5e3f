"""The value of simple expressions over known numbers, without running anything.

Names that are not known, and operations other than whole-number arithmetic, comparison, `range`
and `len`, raise NotKnown.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any

LARGEST = 10**6
LONGEST = 200
OPERATORS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod,
}  # fmt: skip
COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
    ast.Eq: operator.eq, ast.NotEq: operator.ne,
}  # fmt: skip


class NotKnown(Exception):
    """The value cannot be told."""


def evaluate(node: ast.expr, known: Mapping[str, object]) -> object:
    """Return the value of an expression; raises NotKnown when it cannot be told."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name):
        value = known.get(node.id)
        if value is None:
            raise NotKnown(node.id)
        return value
    if isinstance(node, ast.UnaryOp):
        return _unary(node, known)
    if isinstance(node, ast.BinOp):
        return _binary(node, known)
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        return _compared(node, known)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        return _called(node.func.id, [evaluate(one, known) for one in node.args])
    if isinstance(node, ast.Subscript):
        return _item(evaluate(node.value, known), evaluate(node.slice, known))
    raise NotKnown(ast.unparse(node))


def _number(value: object) -> int:
    if type(value) is not int or abs(value) > LARGEST:
        raise NotKnown(repr(value)[:40])
    return value


def _unary(node: ast.UnaryOp, known: Mapping[str, object]) -> object:
    value = evaluate(node.operand, known)
    if isinstance(node.op, ast.Not):
        return not value
    if isinstance(node.op, ast.USub):
        return -_number(value)
    raise NotKnown(ast.unparse(node))


def _binary(node: ast.BinOp, known: Mapping[str, object]) -> object:
    operation = OPERATORS.get(type(node.op))
    if operation is None:
        raise NotKnown(ast.unparse(node))
    try:
        return _number(
            operation(_number(evaluate(node.left, known)), _number(evaluate(node.right, known)))
        )
    except ZeroDivisionError:
        raise NotKnown(ast.unparse(node)) from None


def _compared(node: ast.Compare, known: Mapping[str, object]) -> object:
    comparison = COMPARISONS.get(type(node.ops[0]))
    left, right = evaluate(node.left, known), evaluate(node.comparators[0], known)
    if comparison is None or type(left) is not type(right):
        raise NotKnown(ast.unparse(node))
    try:
        return comparison(left, right)
    except TypeError:
        raise NotKnown(ast.unparse(node)) from None


def _called(name: str, arguments: list[object]) -> object:
    if name == "range" and 1 <= len(arguments) <= 3:
        numbers = [_number(one) for one in arguments]
        if len(numbers) == 3 and numbers[2] == 0:
            raise NotKnown("range with step 0")
        return range(*numbers)[:LONGEST]
    if name == "len" and len(arguments) == 1 and isinstance(arguments[0], list | tuple | str):
        return len(arguments[0])
    raise NotKnown(name)


def _item(owner: object, index: object) -> object:
    if not isinstance(owner, list | tuple | str) or type(index) is not int:
        raise NotKnown("item")
    found: object = owner[index] if -len(owner) <= index < len(owner) else None
    if found is None:
        raise NotKnown("item")
    return found
