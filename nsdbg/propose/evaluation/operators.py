"""Operators of the evaluator: those of Python, refused where their result would be too large."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable
from typing import Any

from nsdbg.propose.evaluation.bounds import (
    LARGEST,
    SIZED,
    Unknown,
    bounded,
    ordered,
)
from nsdbg.propose.evaluation.opaque import is_same
from nsdbg.propose.evaluation.printing import printable, small_widths

# A width or precision of `*` in a percent format.
_TOLD_WIDTH = re.compile(r"%[^a-zA-Z%]*\*")


def _multiply(left: Any, right: Any) -> Any:
    for one, other in ((left, right), (right, left)):
        if isinstance(one, SIZED) and isinstance(other, int) and len(one) * other > LARGEST:
            raise Unknown("a repetition that is too long")
    both = isinstance(left, int) and isinstance(right, int)
    if both and left.bit_length() + right.bit_length() > LARGEST:
        raise Unknown("a product of too many digits")
    return left * right


def power(left: Any, right: Any) -> Any:
    """Return `left ** right`, refused where it would have too many digits."""
    both = isinstance(left, int) and isinstance(right, int)
    if both and right > 0 and left.bit_length() * right > LARGEST:
        raise Unknown("a power of too many digits")
    return left**right


def _shift(left: Any, right: Any) -> Any:
    if isinstance(right, int) and right > LARGEST:
        raise Unknown("a shift that is too wide")
    return bounded(left << right)


def _modulo(left: Any, right: Any) -> Any:
    if isinstance(left, (str, bytes)):
        text = left if isinstance(left, str) else left.decode("latin-1")
        small_widths(text)
        if _TOLD_WIDTH.search(text):
            raise Unknown("a format with a width that a value tells")
        printable(right)
    return left % right


BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: _multiply, ast.Pow: power,
    ast.Div: operator.truediv, ast.FloorDiv: operator.floordiv, ast.Mod: _modulo,
    ast.LShift: _shift, ast.RShift: operator.rshift, ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_, ast.BitXor: operator.xor,
}  # fmt: skip
UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.Not: operator.not_, ast.USub: operator.neg, ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
}  # fmt: skip
COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le,
    ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Is: is_same,
    ast.IsNot: lambda left, right: not is_same(left, right),
    ast.In: lambda left, right: left in right, ast.NotIn: lambda left, right: left not in right,
}  # fmt: skip


_IN_PLACE: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.BitOr: operator.ior, ast.BitAnd: operator.iand, ast.Sub: operator.isub,
    ast.BitXor: operator.ixor,
}  # fmt: skip


def augmented(kind: type[ast.operator], left: Any, right: Any) -> Any:
    """Return `left op= right`: lists, sets and dicts are changed in place, as Python does."""
    if isinstance(left, list) and kind is ast.Add:
        left.extend(ordered(right))
        return bounded(left)
    if isinstance(left, (set, dict)) and kind in _IN_PLACE:
        return bounded(_IN_PLACE[kind](left, right))
    return bounded(BINARY[kind](left, right))
