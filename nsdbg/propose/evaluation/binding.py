"""Names of the evaluator: assignment targets, parameters, and the scopes of comprehensions."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

from nsdbg.propose.evaluation.bounds import bounded, ordered
from nsdbg.propose.evaluation.lazy import WITHIN, generator_in
from nsdbg.propose.evaluation.scope import (
    MAKERS,
    Code,
    Scope,
    Store,
    compile_expression,
    off_the_list,
)


def _lambda(node: ast.Lambda) -> Code:
    body = compile_expression(node.body)
    bind = compile_parameters(node.args)

    def make(scope: Scope) -> Any:
        binder = bind(scope)

        def function(*args: Any, **kwargs: Any) -> Any:
            scope.machine.spend()
            return body(Scope(binder(args, kwargs), scope.machine, scope))

        return function

    return make


Binder = Callable[[tuple[Any, ...], dict[str, Any]], dict[str, Any]]


def compile_parameters(node: ast.arguments) -> Callable[[Scope], Binder]:
    """Return what evaluates the defaults and gives the function that binds arguments to names."""
    plain = [argument.arg for argument in (*node.posonlyargs, *node.args)]
    named = [argument.arg for argument in node.kwonlyargs]
    defaults = [compile_expression(value) for value in node.defaults]
    named_defaults = [compile_expression(value) if value else None for value in node.kw_defaults]
    star, stars = (found.arg if found else None for found in (node.vararg, node.kwarg))

    def prepare(scope: Scope) -> Binder:
        values = [value(scope) for value in defaults]
        known = dict(zip(plain[len(plain) - len(values) :], values, strict=True))
        for name, value in zip(named, named_defaults, strict=True):
            if value:
                known[name] = value(scope)

        def bind(args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
            found = {**known, **dict(zip(plain, args, strict=False))}
            extra = {name: kwargs[name] for name in kwargs if name not in (*plain, *named)}
            found |= {name: kwargs[name] for name in kwargs if name not in extra}
            if star:
                found[star] = args[len(plain) :]
            if stars:
                found[stars] = extra
            missing = [name for name in (*plain, *named) if name not in found]
            if missing or (extra and not stars) or (len(args) > len(plain) and not star):
                raise TypeError("the arguments do not fit the parameters")
            return found

        return bind

    return prepare


def compile_target(node: ast.expr) -> Store:
    """Return what assigns a value to a target; attributes are off the list."""
    if isinstance(node, ast.Name):
        return _store_name(node.id)
    if isinstance(node, (ast.Tuple, ast.List)):
        return _store_many(node.elts)
    if isinstance(node, ast.Subscript):
        return _store_item(node)
    refuse = off_the_list(node)
    return lambda scope, value: refuse(scope)


def _store_name(name: str) -> Store:
    def store(scope: Scope, value: Any) -> None:
        scope.names[name] = value

    return store


def _store_item(node: ast.Subscript) -> Store:
    container, index = compile_expression(node.value), compile_expression(node.slice)

    def store(scope: Scope, value: Any) -> None:
        target, place = container(scope), index(scope)
        if isinstance(place, slice):
            value = list(ordered(value))
        target[place] = value
        bounded(target)

    return store


def _store_many(nodes: list[ast.expr]) -> Store:
    stars = [place for place, node in enumerate(nodes) if isinstance(node, ast.Starred)]
    stores = [
        compile_target(node.value if isinstance(node, ast.Starred) else node) for node in nodes
    ]

    def store(scope: Scope, value: Any) -> None:
        values = list(ordered(value))
        if stars and len(values) >= len(nodes) - 1:
            end = len(values) - (len(nodes) - stars[0] - 1)
            values = [*values[: stars[0]], values[stars[0] : end], *values[end:]]
        if len(values) < len(stores):
            least = f"{'at least ' if stars else ''}{len(stores) - len(stars)}"
            raise ValueError(f"not enough values to unpack (expected {least}, got {len(values)})")
        if len(values) > len(stores):
            raise ValueError(f"too many values to unpack (expected {len(stores)})")
        for target, item in zip(stores, values, strict=True):
            target(scope, item)

    return store


Loop = Callable[[Scope], Iterator[None]]


def _generators(nodes: list[ast.comprehension]) -> Loop:
    """Return what runs the loops of a comprehension in a scope, pausing at each innermost turn."""
    node, rest = nodes[0], nodes[1:]
    source, store = compile_expression(node.iter), compile_target(node.target)
    tests = [compile_expression(test) for test in node.ifs]
    inner = _generators(rest) if rest else None

    def run(scope: Scope) -> Iterator[None]:
        for value in ordered(source(scope)):
            scope.machine.spend()
            store(scope, value)
            if all(test(scope) for test in tests):
                if inner is None:
                    yield
                else:
                    yield from inner(scope)

    return run


def _comprehension(node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> Code:
    loop, element = _generators(node.generators), compile_expression(node.elt)

    def values(scope: Scope) -> Iterator[Any]:
        inner = Scope({}, scope.machine, scope)
        return (element(inner) for _ in loop(inner))

    if isinstance(node, ast.GeneratorExp):
        return lambda scope: generator_in(_within(scope), values(scope))
    kind: Callable[[Any], Any] = list if isinstance(node, ast.ListComp) else set
    return lambda scope: kind(values(scope))


def _within(scope: Scope) -> Any:
    """Return in which function of the program a scope lies, None in one within it."""
    return scope.names.get(WITHIN) if scope.outer is None else None


def _dict_comprehension(node: ast.DictComp) -> Code:
    loop = _generators(node.generators)
    key, value = compile_expression(node.key), compile_expression(node.value)

    def build(scope: Scope) -> Any:
        inner = Scope({}, scope.machine, scope)
        return {key(inner): value(inner) for _ in loop(inner)}

    return build


def _walrus(node: ast.NamedExpr) -> Code:
    value, name = compile_expression(node.value), node.target.id

    def assign(scope: Scope) -> Any:
        result = scope.names[name] = value(scope)
        return result

    return assign


def _yield(node: ast.Yield) -> Code:
    value = compile_expression(node.value) if node.value else lambda scope: None

    def give(scope: Scope) -> None:
        scope.yielded.append(value(scope))

    return give


MAKERS.update({
    ast.Lambda: _lambda, ast.ListComp: _comprehension, ast.SetComp: _comprehension,
    ast.GeneratorExp: _comprehension, ast.DictComp: _dict_comprehension, ast.NamedExpr: _walrus,
    ast.Yield: _yield,
})  # fmt: skip
