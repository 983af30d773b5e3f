"""A function rewritten so that comparisons, places and calls go through the symbolic functions.

`a < b` becomes `__compare__('<', a, b)`: Python's own would decide at once.  What may never be
evaluated stays inside a lambda.
"""

from __future__ import annotations

import ast
import copy
from typing import Any

from nsdbg.propose.symbolic.compare import compare, every, negated, some
from nsdbg.propose.symbolic.functions import FUNCTIONS, apply, as_set, choose, item, store
from nsdbg.propose.symbolic.methods import call_any
from nsdbg.propose.symbolic.values import SymBool, SymInt

_SIGNS = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    ast.In: "in", ast.NotIn: "not in", ast.Is: "is", ast.IsNot: "is not",
}  # fmt: skip


def rewritten(tree: ast.AST) -> Any:
    """Return a rewritten copy of a function or a module."""
    return ast.fix_missing_locations(_Rewrite().visit(copy.deepcopy(tree)))


class _Rewrite(ast.NodeTransformer):
    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        sides = [node.left, *node.comparators]
        pairs = [
            _call("__compare__", ast.Constant(_SIGNS[type(sign)]), left, right)
            for sign, left, right in zip(node.ops, sides, sides[1:], strict=False)
        ]
        return pairs[0] if len(pairs) == 1 else _call("__and__", *map(_later, pairs))

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        self.generic_visit(node)
        name = "__and__" if isinstance(node.op, ast.And) else "__or__"
        return _call(name, *map(_later, node.values))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        return _call("__not__", node.operand) if isinstance(node.op, ast.Not) else node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        return _call("__if__", node.test, _later(node.body), _later(node.orelse))

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load):
            return node
        return _call("__item__", node.value, _place(node.slice))

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        self.generic_visit(node)
        target = node.targets[0]
        if len(node.targets) > 1 or not isinstance(target, ast.Subscript):
            return node
        return ast.Expr(_call("__store__", _loaded(target.value), _place(target.slice), node.value))

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        target = node.target
        if not isinstance(target, ast.Subscript):
            return node
        container, place = _loaded(target.value), _place(target.slice)
        value = ast.BinOp(_call("__item__", container, place), node.op, node.value)
        return ast.Expr(_call("__store__", container, place, value))

    def visit_Set(self, node: ast.Set) -> ast.AST:
        self.generic_visit(node)
        return _call("__set__", ast.List(node.elts, ast.Load()))

    def visit_SetComp(self, node: ast.SetComp) -> ast.AST:
        self.generic_visit(node)
        return _call("__set__", ast.ListComp(node.elt, node.generators))

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.AST:
        self.generic_visit(node)
        return node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        plain = all(isinstance(part, ast.Constant)
                    or (part.conversion == -1 and part.format_spec is None)  # type: ignore[attr-defined]
                    for part in node.values)  # fmt: skip
        self.generic_visit(node)
        if not plain:
            return node
        parts: list[ast.expr] = [
            part if isinstance(part, ast.Constant)
            else _call("__call__", ast.Name("str", ast.Load()), part.value)  # type: ignore[attr-defined]
            for part in node.values
        ]  # fmt: skip
        joiner = ast.Constant("join")
        return _call("__method__", ast.Constant(""), joiner, ast.List(parts, ast.Load()))

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Attribute):
            name = ast.Constant(node.func.attr)
            made = _call("__method__", node.func.value, name, *node.args)
        else:
            made = _call("__call__", node.func, *node.args)
        made.keywords = node.keywords
        return made


def _call(name: str, *args: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(args), [])


def _later(node: ast.expr) -> ast.Lambda:
    nothing = ast.arguments([], [], None, [], [], None, [])
    return ast.Lambda(nothing, node)


def _place(node: ast.expr) -> ast.expr:
    if not isinstance(node, ast.Slice):
        return node
    ends = [end or ast.Constant(None) for end in (node.lower, node.upper, node.step)]
    return _call("__slice__", *ends)


def _loaded(node: ast.expr) -> ast.expr:
    return copy.deepcopy(node)


def _and(*parts: Any) -> Any:
    """Return `a and b and …`: all of it as one truth value, as far as it is not known."""
    found: list[Any] = []
    value: Any = True
    for part in parts:
        value = part()
        if isinstance(value, (SymBool, SymInt)):
            found.append(value)
        elif not value:
            return value
    return every(found, found[0].engine) if found else value


def _or(*parts: Any) -> Any:
    found: list[Any] = []
    value: Any = False
    for part in parts:
        value = part()
        if isinstance(value, (SymBool, SymInt)):
            found.append(value)
        elif value:
            return value
    return some(found, found[0].engine) if found else value


def _if(condition: Any, one: Any, other: Any) -> Any:
    if not isinstance(condition, SymBool):
        return one() if condition else other()
    return choose(condition, one(), other())


def _slice(*ends: Any) -> slice:
    return slice(*ends)


NAMES: dict[str, Any] = {
    "__compare__": compare, "__and__": _and, "__or__": _or, "__not__": negated, "__if__": _if,
    "__item__": item, "__store__": store, "__set__": as_set, "__slice__": _slice, "__call__": apply,
    "__method__": call_any, **FUNCTIONS,
}  # fmt: skip
