"""What is written with an operator, as a call of the method that it stands for.

`a <= b` is `a.__le__(b)`, `a[1:]` is `a.__getitem__(slice(1, None, None))`.  Reads syntax only;
what Python does when a method gives NotImplemented, or when there is none, is left out.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

_BINARY: dict[type[ast.operator], str] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv", ast.FloorDiv: "floordiv",
    ast.Mod: "mod", ast.Pow: "pow", ast.MatMult: "matmul", ast.BitAnd: "and", ast.BitOr: "or",
    ast.BitXor: "xor", ast.LShift: "lshift", ast.RShift: "rshift",
}  # fmt: skip
_COMPARED: dict[type[ast.cmpop], str] = {
    ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge",
}  # fmt: skip
_UNARY: dict[type[ast.unaryop], str] = {
    ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "invert", ast.Not: "bool",
}  # fmt: skip
_BUILTINS = frozenset(["abs", "bool", "hash", "iter", "len", "next", "repr", "reversed", "str"])


def is_special(name: str) -> bool:
    """Whether a method is called by operators and builtin functions rather than by its name."""
    return len(name) > 4 and name.startswith("__") and name.endswith("__")


def as_calls(node: ast.AST) -> Iterator[ast.Call]:
    """Yield the calls of methods that a node stands for; nothing for one without an operator."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        yield from _compared(node, node.ops[0], node.left, node.comparators[0])
    elif isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
        yield _call(node, node.left, _BINARY[type(node.op)], node.right)
    elif isinstance(node, ast.AugAssign) and type(node.op) in _BINARY:
        yield _call(node, node.target, "i" + _BINARY[type(node.op)], node.value)
    elif isinstance(node, ast.UnaryOp):
        yield _call(node, node.operand, _UNARY[type(node.op)])
    elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        yield _call(node, node.value, "getitem", _key(node.slice))
    elif isinstance(node, ast.Assign | ast.Delete):
        for target in node.targets:
            if isinstance(target, ast.Subscript):
                word = "setitem" if isinstance(node, ast.Assign) else "delitem"
                given = [node.value] if isinstance(node, ast.Assign) else []
                yield _call(node, target.value, word, _key(target.slice), *given)
    elif isinstance(node, ast.Call) and not node.keywords and len(node.args) == 1:
        yield from _by_function(node)


def _compared(
    node: ast.Compare, operator: ast.cmpop, left: ast.expr, right: ast.expr
) -> Iterator[ast.Call]:
    if isinstance(operator, ast.In | ast.NotIn):
        yield _call(node, right, "contains", left)
    elif type(operator) in _COMPARED:
        yield _call(node, left, _COMPARED[type(operator)], right)


def _by_function(node: ast.Call) -> Iterator[ast.Call]:
    word = getattr(node.func, "id", "")
    if word in _BUILTINS:
        yield _call(node, node.args[0], word)


def _key(node: ast.expr) -> ast.expr:
    """Return what is between the brackets as an expression."""
    if not isinstance(node, ast.Slice):
        return node
    parts = [one or ast.Constant(None) for one in (node.lower, node.upper, node.step)]
    return ast.Call(ast.Name("slice", ast.Load()), parts, [])


def _call(node: ast.AST, receiver: ast.expr, word: str, *given: ast.expr) -> ast.Call:
    made = ast.Call(ast.Attribute(receiver, f"__{word}__", ast.Load()), list(given), [])
    for inner in ast.walk(made):
        if "lineno" in inner._attributes and not hasattr(inner, "lineno"):
            ast.copy_location(inner, node)
    return made
