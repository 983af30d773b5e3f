"""Expressions of the evaluator: each syntax node becomes a closure over a scope.

Closures and not a visitor, since a proposer evaluates one function for hundreds of arguments.
"""

from __future__ import annotations

import ast
import functools
from typing import Any

from nsdbg.propose.evaluation.bounds import OutOfSteps, Unknown, bounded, ordered, weigh
from nsdbg.propose.evaluation.calls import BUILTINS, HIGHER, call, making
from nsdbg.propose.evaluation.methods import CHEAP, attribute, call_method
from nsdbg.propose.evaluation.operators import BINARY, COMPARE, UNARY
from nsdbg.propose.evaluation.printing import format_value, shown, shown_in_ascii, text
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

    def compute(scope: Scope) -> Any:
        one = left(scope)
        result = bounded(operation(one, right(scope)))
        scope.machine.charge(one, result)
        return result

    return compute


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
            scope.machine.charge(left, right)
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
        scope.machine.charge(found)
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

    def load(scope: Scope) -> Any:
        found = value(scope)[index(scope)]
        scope.machine.charge(found)
        return found

    return load


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

    def made_or_called(scope: Scope, target: Any) -> Any:
        try:
            args, named = collect(scope)
        except OutOfSteps:
            raise
        except Unknown:
            made = making(target)
            if made is None:
                raise
            return made.unknown()  # an iterator is made, whatever it is over
        return called(scope, target, args, named)

    if isinstance(node.func, ast.Attribute):
        receiver, name = compile_expression(node.func.value), node.func.attr

        def method(scope: Scope) -> Any:
            value = receiver(scope)
            if isinstance(value, Module):
                return made_or_called(scope, value.get(name))
            args, named = collect(scope)
            if name == "sort":
                args, named = _costing(scope, args, named)
            found = call_method(value, name, args, named)
            if name not in CHEAP:
                scope.machine.charge(value, *args, found)
            return found

        return method
    function = compile_expression(node.func)

    return lambda scope: made_or_called(scope, function(scope))


def called(scope: Scope, function: Any, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
    """Return what a call gives; what it is given and gives back costs as it is long."""
    if function is not len and function is not isinstance:
        scope.machine.charge(*args)
    if type(function) is functools.partial:  # a method with its receiver
        scope.machine.charge(*function.args)
    if id(function) in HIGHER:
        args, named = _costing(scope, args, named)
    found = call(function, args, named)
    scope.machine.charge(found)
    return found


def _costing(
    scope: Scope, args: tuple[Any, ...], named: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return arguments with functions that cost a step, and more for long values, when called."""
    return (
        tuple(_cost(scope, value) if callable(value) else value for value in args),
        {name: _cost(scope, value) if callable(value) else value for name, value in named.items()},
    )


def _cost(scope: Scope, function: Any) -> Any:
    def call(*args: Any, **named: Any) -> Any:
        scope.machine.spend()
        return called(scope, function, args, named)

    return call


def _text(node: ast.JoinedStr) -> Code:
    parts = [compile_expression(value) for value in node.values]

    def join(scope: Scope) -> str:
        found: str = bounded("".join([part(scope) for part in parts]))
        scope.machine.charge(found)
        return found

    return join


def _formatted(node: ast.FormattedValue) -> Code:
    value = compile_expression(node.value)
    spec = compile_expression(node.format_spec) if node.format_spec else None
    convert = {115: text, 114: shown, 97: shown_in_ascii}.get(node.conversion)

    def show(scope: Scope) -> str:
        found = value(scope)
        if convert is not None:
            found = convert(found)
        return format_value(found, spec(scope) if spec else "")

    return show


MAKERS.update({
    ast.Constant: _constant, ast.Name: _name, ast.BinOp: _binary, ast.UnaryOp: _unary,
    ast.BoolOp: _boolean, ast.Compare: _compare, ast.IfExp: _conditional, ast.List: _list,
    ast.Tuple: _tuple, ast.Set: _set, ast.Dict: _dict, ast.Subscript: _subscript,
    ast.Slice: _slice, ast.Attribute: _attribute, ast.Call: _call, ast.JoinedStr: _text,
    ast.FormattedValue: _formatted,
})  # fmt: skip
