"""Statements of the evaluator: a function's body becomes closures that run within a machine.

Not confirmation: what this gives is a guess of what a run would give.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import Any

from nsdbg.propose.evaluation.binding import compile_parameters, compile_target
from nsdbg.propose.evaluation.bounds import OutOfSteps, Unknown, bounded, ordered
from nsdbg.propose.evaluation.calls import MODULES
from nsdbg.propose.evaluation.operators import augmented
from nsdbg.propose.evaluation.scope import (
    DEEPEST,
    Code,
    Module,
    Scope,
    compile_expression,
    off_the_list,
)

Names = dict[str, Any]


class Leave:
    """How a statement ends early: a `break`, a `continue`, or a `return` with its value."""

    __slots__ = ("kind", "value")

    def __init__(self, kind: str, value: Any = None) -> None:
        self.kind = kind
        self.value = value


_BREAK, _CONTINUE = Leave("break"), Leave("continue")
Step = Callable[[Scope], Leave | None]


def compile_body(nodes: Iterable[ast.stmt]) -> Step:
    """Return what runs statements in order until one leaves."""
    steps = [(node.lineno, compile_statement(node)) for node in nodes]

    def run(scope: Scope) -> Leave | None:
        machine = scope.machine
        for lineno, step in steps:
            machine.lineno = lineno
            if lineno == machine.watch:
                machine.seen.append({name: copied(value) for name, value in scope.names.items()})
            left = step(scope)
            if left is not None:
                return left
        return None

    return run


def copied(value: Any) -> Any:
    """Return a copy of a value that later changes do not reach."""
    kind = type(value)
    if kind in (list, set, tuple):
        return kind([copied(item) for item in value])
    if kind is dict:
        return {key: copied(item) for key, item in value.items()}
    return value


def compile_statement(node: ast.stmt) -> Step:
    """Return what runs one statement; syntax off the list raises Unknown when it runs."""
    maker = _MAKERS.get(type(node))
    return off_the_list(node) if maker is None else maker(node)


def _expression(node: ast.Expr) -> Step:
    value = compile_expression(node.value)

    def run(scope: Scope) -> None:
        value(scope)

    return run


def _assign(node: ast.Assign) -> Step:
    value, stores = compile_expression(node.value), [compile_target(item) for item in node.targets]

    def run(scope: Scope) -> None:
        result = value(scope)
        for store in stores:
            store(scope, result)

    return run


def _annotated(node: ast.AnnAssign) -> Step:
    if node.value is None:
        return _pass(node)
    return _assign(ast.Assign([node.target], node.value))


def _augmented(node: ast.AugAssign) -> Step:
    value, kind, store = compile_expression(node.value), type(node.op), compile_target(node.target)
    old = compile_expression(node.target)  # a target loads as an expression: contexts are ignored

    def run(scope: Scope) -> None:
        store(scope, augmented(kind, old(scope), value(scope)))

    return run


def _delete(node: ast.Delete) -> Step:
    removals = [_removal(target) for target in node.targets]

    def run(scope: Scope) -> None:
        for remove in removals:
            remove(scope)

    return run


def _removal(node: ast.expr) -> Code:
    if isinstance(node, ast.Name):
        return lambda scope: scope.names.pop(node.id)
    if isinstance(node, ast.Subscript):
        container, index = compile_expression(node.value), compile_expression(node.slice)
        return lambda scope: container(scope).__delitem__(index(scope))
    return off_the_list(node)


def _return(node: ast.Return) -> Step:
    if node.value is None:
        return lambda scope: Leave("return")
    value = compile_expression(node.value)
    return lambda scope: Leave("return", value(scope))


def _if(node: ast.If) -> Step:
    test, body, orelse = compile_expression(node.test), compile_body(node.body), None
    if node.orelse:
        orelse = compile_body(node.orelse)

    def run(scope: Scope) -> Leave | None:
        if test(scope):
            return body(scope)
        return orelse(scope) if orelse else None

    return run


def _for(node: ast.For) -> Step:
    source, store = compile_expression(node.iter), compile_target(node.target)
    body, orelse = compile_body(node.body), compile_body(node.orelse)

    def run(scope: Scope) -> Leave | None:
        for value in ordered(source(scope)):
            scope.machine.spend()
            store(scope, value)
            left = body(scope)
            if left is _BREAK:
                return None
            if left is not None and left is not _CONTINUE:
                return left
        return orelse(scope)

    return run


def _while(node: ast.While) -> Step:
    test, body, orelse = compile_expression(node.test), *map(compile_body, (node.body, node.orelse))

    def run(scope: Scope) -> Leave | None:
        while test(scope):
            scope.machine.spend()
            left = body(scope)
            if left is _BREAK:
                return None
            if left is not None and left is not _CONTINUE:
                return left
        return orelse(scope)

    return run


def _try(node: ast.Try) -> Step:
    body, orelse, final = map(compile_body, (node.body, node.orelse, node.finalbody))
    handlers = [
        (compile_expression(item.type) if item.type else None, item.name, compile_body(item.body))
        for item in node.handlers
    ]

    def handle(scope: Scope, error: Exception) -> Leave | None:
        for kind, name, step in handlers:
            if kind is None or isinstance(error, kind(scope)):
                if name:
                    scope.names[name] = error
                return step(scope)
        raise error

    def attempt(scope: Scope) -> Leave | None:
        try:
            left = body(scope)
        except (Unknown, RecursionError, MemoryError):
            raise
        except Exception as error:
            return handle(scope, error)
        return left if left is not None else orelse(scope)

    def run(scope: Scope) -> Leave | None:
        try:
            left = attempt(scope)
        except (Unknown, RecursionError, MemoryError):
            raise
        except Exception:
            if (last := final(scope)) is not None:
                return last
            raise
        return final(scope) or left

    return run


def _raise(node: ast.Raise) -> Step:
    if node.exc is None:
        return off_the_list(node)
    value = compile_expression(node.exc)

    def run(scope: Scope) -> None:
        error = value(scope)
        if isinstance(error, type) and issubclass(error, Exception):
            error = error()
        if not isinstance(error, Exception):
            raise Unknown("what is raised")
        raise error

    return run


def _assert(node: ast.Assert) -> Step:
    test = compile_expression(node.test)
    message = compile_expression(node.msg) if node.msg else None

    def run(scope: Scope) -> None:
        if not test(scope):
            raise AssertionError(*([message(scope)] if message else []))

    return run


def _import(node: ast.Import | ast.ImportFrom) -> Step:
    def run(scope: Scope) -> None:
        for alias in node.names:
            module = node.module if isinstance(node, ast.ImportFrom) else alias.name
            members = MODULES.get(module or "")
            if members is None:
                raise Unknown(f"the module {module}")
            found = Module(module or "", members)
            single = isinstance(node, ast.ImportFrom)
            scope.names[alias.asname or alias.name] = found.get(alias.name) if single else found

    return run


def _pass(node: ast.stmt) -> Step:
    # So a `global` binds its name locally: right within one call, whose later effects are not seen.
    return lambda scope: None


def _define(node: ast.FunctionDef) -> Step:
    if node.decorator_list:
        return off_the_list(node)
    make = compile_function(node)

    def run(scope: Scope) -> None:
        scope.names[node.name] = make(scope)

    return run


def compile_function(node: ast.FunctionDef) -> Callable[[Scope], Callable[..., Any]]:
    """Return what makes the function in a scope; a generator gives the list of what it yields."""
    body, bind = compile_body(node.body), compile_parameters(node.args)
    yields = any(isinstance(item, ast.Yield) for item in ast.walk(node))

    def make(scope: Scope) -> Callable[..., Any]:
        binder = bind(scope)

        def function(*args: Any, **kwargs: Any) -> Any:
            inner = Scope(binder(args, kwargs), scope.machine, scope)
            left = _enter(body, inner)
            return bounded(inner.yielded) if yields else left and left.value

        return function

    return make


def _enter(body: Step, scope: Scope) -> Leave | None:
    machine = scope.machine
    machine.spend()
    machine.depth += 1
    if machine.depth > DEEPEST:
        raise OutOfSteps("calls that are too deep")
    left = body(scope)
    machine.depth -= 1
    return left


_MAKERS: dict[type[ast.stmt], Callable[[Any], Step]] = {
    ast.Expr: _expression, ast.Assign: _assign, ast.AnnAssign: _annotated,
    ast.AugAssign: _augmented, ast.Delete: _delete, ast.Return: _return, ast.If: _if,
    ast.For: _for, ast.While: _while, ast.Try: _try, ast.Raise: _raise, ast.Assert: _assert,
    ast.Import: _import, ast.Global: _pass, ast.ImportFrom: _import, ast.Pass: _pass,
    ast.FunctionDef: _define,
    ast.Break: lambda node: lambda scope: _BREAK,
    ast.Continue: lambda node: lambda scope: _CONTINUE,
}  # fmt: skip
