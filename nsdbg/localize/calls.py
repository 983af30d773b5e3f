"""Calls and what they give back: which argument meets which parameter, and which returns there are.

By the text alone; a call is taken for one of a function when the plain names agree.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from nsdbg.localize.code import Spot
from nsdbg.localize.definitions import dotted
from nsdbg.localize.pin import expressions
from nsdbg.source import FunctionNode

SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def calls_in(spot: Spot, name: str) -> Iterator[ast.Call]:
    """Yield the calls in a statement that may be the one of a function with that name."""
    for node in expressions(spot.statement):
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else dotted(node.func)
            owner = spot.code.class_around(name)
            if called == name or (name == "__init__" and called is not None and owner is None):
                yield node


def argument_for(
    call: ast.Call, function: FunctionNode, parameter: str, spot: Spot
) -> ast.expr | None:
    """Return the expression a call gives for a parameter, None when it is not given by name."""
    for keyword in call.keywords:
        if keyword.arg == parameter:
            return keyword.value
    names = [one.arg for one in [*function.args.posonlyargs, *function.args.args]]
    if parameter not in names:
        return None
    entry = spot.code.functions.get(spot.qualname)
    is_method = entry is not None and entry[1] is not None
    static = any(dotted(one) == "staticmethod" for one in function.decorator_list)
    bound = is_method and not static and isinstance(call.func, ast.Attribute)
    bound = bound or function.name == "__init__"
    place = names.index(parameter) - (1 if bound else 0)
    if place == -1:
        return call.func.value if isinstance(call.func, ast.Attribute) else None
    before = call.args[: place + 1]
    if any(isinstance(one, ast.Starred) for one in before) or place >= len(call.args):
        return None
    return call.args[place]


def returns(function: FunctionNode) -> Iterator[ast.Return]:
    """Yield a function's own return statements."""
    stack: list[ast.AST] = list(reversed(function.body))
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Return):
            yield node
        elif not isinstance(
            node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda
        ):
            stack += reversed(list(ast.iter_child_nodes(node)))


def falls_through(body: list[ast.stmt]) -> bool:
    """Whether a body can be left at its end, as far as its statements tell."""
    if not body:
        return True
    last = body[-1]
    if isinstance(last, ast.Return | ast.Raise | ast.Continue):
        return False
    if isinstance(last, ast.If):
        return falls_through(last.body) or falls_through(last.orelse)
    if isinstance(last, ast.With | ast.AsyncWith):
        return falls_through(last.body)
    if isinstance(last, ast.While) and isinstance(last.test, ast.Constant) and last.test.value:
        return any(isinstance(node, ast.Break) for node in ast.walk(last))
    if isinstance(last, ast.Try):
        blocks = [last.orelse or last.body, *(one.body for one in last.handlers)]
        if last.finalbody and not falls_through(last.finalbody):
            return False
        return any(falls_through(block) for block in blocks)
    return True
