"""Expressions of the evaluator: each syntax node becomes a closure over a scope.

Closures and not a visitor, since a proposer evaluates one function for hundreds of arguments.
"""

from __future__ import annotations

import ast
from typing import Any

from nsdbg.propose.evaluation.bounds import Unknown, bounded, format_value, ordered, weigh
from nsdbg.propose.evaluation.calls import BUILTINS, call
from nsdbg.propose.evaluation.methods import attribute, call_method
from nsdbg.propose.evaluation.operators import BINARY, COMPARE, UNARY
from nsdbg.propose.evaluation.scope import (
    MAKERS,
    Code,
    Module,
    Scope,
    compile_expression,
    off_the_list,
)


def _constant(node: ast.Constant) -> Code:
    value = node.value
    return off_the_list(node) if value is Ellipsis else lambda scope: value


def _name(node: ast.Name) -> Code:
    name = node.id

    def load(scope: Scope) -> Any:
        place: Scope | None = scope
        while place is not None:
            if name in place.names:
                return place.names[name]
            place = place.outer
        if name in BUILTINS:
            return BUILTINS[name]
        raise Unknown(f"the name {name}")

    return load


def _binary(node: ast.BinOp) -> Code:
    left, right = compile_expression(node.left), compile_expression(node.right)
    operation = BINARY.get(type(node.op))
    if operation is None:
        return off_the_list(node.op)
    return lambda scope: bounded(operation(left(scope), right(scope)))


def _unary(node: ast.UnaryOp) -> Code:
    operand, operation = compile_expression(node.operand), UNARY[type(node.op)]
    return lambda scope: operation(operand(scope))


def _boolean(node: ast.BoolOp) -> Code:
    values = [compile_expression(value) for value in node.values]
    stop_at = isinstance(node.op, ast.Or)

    def decide(scope: Scope) -> Any:
        result = None
        for value in values:
            result = value(scope)
            if bool(result) is stop_at:
                break
        return result

    return decide


def _compare(node: ast.Compare) -> Code:
    first = compile_expression(node.left)
    rest = [
        (COMPARE[type(operator)], compile_expression(value))
        for operator, value in zip(node.ops, node.comparators, strict=True)
    ]

    def compare(scope: Scope) -> Any:
        left, result = first(scope), True
        for operation, value in rest:
            right = value(scope)
            weigh(left)
            weigh(right)
            result = operation(left, right)
            if not result:
                return result
            left = right
        return result

    return compare


def _conditional(node: ast.IfExp) -> Code:
    test, body, orelse = map(compile_expression, (node.test, node.body, node.orelse))
    return lambda scope: body(scope) if test(scope) else orelse(scope)


def _elements(nodes: list[ast.expr]) -> Code:
    """Return the closure for the elements of a display or the arguments of a call, as a list."""
    plain = [compile_expression(node) for node in nodes if not isinstance(node, ast.Starred)]
    if len(plain) == len(nodes):
        return lambda scope: [item(scope) for item in plain]
    parts = [
        (True, compile_expression(node.value)) if isinstance(node, ast.Starred)
        else (False, compile_expression(node))
        for node in nodes
    ]  # fmt: skip

    def collect(scope: Scope) -> list[Any]:
        found: list[Any] = []
        for starred, item in parts:
            value = item(scope)
            found += ordered(value) if starred else [value]
            bounded(found)
        return found

    return collect


def _list(node: ast.List) -> Code:
    return _elements(node.elts)


def _tuple(node: ast.Tuple) -> Code:
    elements = _elements(node.elts)
    return lambda scope: tuple(elements(scope))


def _set(node: ast.Set) -> Code:
    elements = _elements(node.elts)
    return lambda scope: set(elements(scope))


def _dict(node: ast.Dict) -> Code:
    pairs = [
        (None if key is None else compile_expression(key), compile_expression(value))
        for key, value in zip(node.keys, node.values, strict=True)
    ]

    def build(scope: Scope) -> dict[Any, Any]:
        made: dict[Any, Any] = {}
        for key, value in pairs:
            if key is None:
                made.update(_mapping(value(scope)))
            else:
                place = key(scope)
                made[place] = value(scope)
        return bounded(made)  # type: ignore[no-any-return]

    return build


def _mapping(value: Any) -> dict[Any, Any]:
    if not isinstance(value, dict):
        raise TypeError(f"{type(value).__name__!r} object is not a mapping")
    return value


def _subscript(node: ast.Subscript) -> Code:
    value, index = compile_expression(node.value), compile_expression(node.slice)
    return lambda scope: value(scope)[index(scope)]


def _slice(node: ast.Slice) -> Code:
    ends = [compile_expression(end) if end else None for end in (node.lower, node.upper, node.step)]
    return lambda scope: slice(*(end(scope) if end else None for end in ends))


def _attribute(node: ast.Attribute) -> Code:
    value, name = compile_expression(node.value), node.attr
    return lambda scope: attribute(value(scope), name)


def _call(node: ast.Call) -> Code:
    arguments = _elements(node.args)
    keywords = [(keyword.arg, compile_expression(keyword.value)) for keyword in node.keywords]

    def collect(scope: Scope) -> tuple[tuple[Any, ...], dict[str, Any]]:
        named: dict[str, Any] = {}
        for name, value in keywords:
            found = value(scope)
            named.update(_mapping(found) if name is None else {name: found})
        return tuple(arguments(scope)), named

    if isinstance(node.func, ast.Attribute):
        receiver, name = compile_expression(node.func.value), node.func.attr

        def method(scope: Scope) -> Any:
            value = receiver(scope)
            args, named = collect(scope)
            if type(value) is Module:
                return call(value.get(name), args, named)
            return call_method(value, name, args, named)

        return method
    function = compile_expression(node.func)

    def plain(scope: Scope) -> Any:
        target = function(scope)
        args, named = collect(scope)
        return call(target, args, named)

    return plain


def _text(node: ast.JoinedStr) -> Code:
    parts = [compile_expression(value) for value in node.values]
    return lambda scope: bounded("".join([part(scope) for part in parts]))


def _formatted(node: ast.FormattedValue) -> Code:
    value = compile_expression(node.value)
    spec = compile_expression(node.format_spec) if node.format_spec else None
    convert = {115: "str", 114: "repr", 97: "repr"}.get(node.conversion)

    def show(scope: Scope) -> str:
        shown = value(scope)
        if convert or spec is None:
            shown = BUILTINS[convert or "str"](shown) if convert != "str" else str(shown)
        return format_value(shown, spec(scope) if spec else "")

    return show


MAKERS.update({
    ast.Constant: _constant, ast.Name: _name, ast.BinOp: _binary, ast.UnaryOp: _unary,
    ast.BoolOp: _boolean, ast.Compare: _compare, ast.IfExp: _conditional, ast.List: _list,
    ast.Tuple: _tuple, ast.Set: _set, ast.Dict: _dict, ast.Subscript: _subscript,
    ast.Slice: _slice, ast.Attribute: _attribute, ast.Call: _call, ast.JoinedStr: _text,
    ast.FormattedValue: _formatted,
})  # fmt: skip
