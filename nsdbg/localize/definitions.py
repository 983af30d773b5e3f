"""Definitions: what one statement binds, or puts into a container, by its syntax alone.

Names are plain (`total`) or dotted (`self.temp`).  Which definitions reach a place is `dataflow`'s
matter.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum

from nsdbg.source import FunctionNode

BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")


class How(Enum):
    """How a name came by a value."""

    UNBOUND = "not bound"
    PARAMETER = "parameter"
    ASSIGNED = "assigned"
    AUGMENTED = "changed"
    LOOPED = "loop variable"
    MUTATED = "changed in place"
    ENTERED = "with"
    IMPORTED = "import"
    CAUGHT = "except"
    DEFINED = "def or class"


@dataclass(frozen=True, slots=True)
class Definition:
    """One place where a name gets a value, or its container an element.

    `value` is the expression assigned: for LOOPED the iterable, for PARAMETER the default, for
    MUTATED the element put in (None where unknown).  `whole` is False when the name got a part of
    the value, by unpacking.
    """

    name: str
    lineno: int
    how: How
    value: ast.expr | None = None
    whole: bool = True
    statement: ast.stmt | None = None


ADDERS = {"append": 0, "add": 0, "appendleft": 0, "insert": 1, "extend": 0, "update": 0, "put": 0,
          "setdefault": 1, "push": 0, "heappush": 1}  # fmt: skip


def dotted(node: ast.AST) -> str | None:
    """Return `a.b.c` for a name or a chain of attributes of one, else None."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        inner = dotted(node.value)
        return f"{inner}.{node.attr}" if inner else None
    return None


def definitions(statement: ast.stmt) -> Iterator[Definition]:
    """Yield what a statement itself defines, its blocks left out."""
    if isinstance(statement, ast.Assign):
        for target in statement.targets:
            yield from _targets(target, statement.value, How.ASSIGNED, statement)
    elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
        yield from _targets(statement.target, statement.value, How.ASSIGNED, statement)
    elif isinstance(statement, ast.AugAssign):
        yield from _targets(statement.target, statement.value, How.AUGMENTED, statement)
    elif isinstance(statement, ast.For | ast.AsyncFor):
        yield from _targets(statement.target, statement.iter, How.LOOPED, statement)
    elif isinstance(statement, ast.With | ast.AsyncWith):
        for item in statement.items:
            if item.optional_vars is not None:
                yield from _targets(item.optional_vars, item.context_expr, How.ENTERED, statement)
    elif isinstance(statement, ast.Import | ast.ImportFrom):
        for alias in statement.names:
            bound = alias.asname or alias.name.split(".")[0]
            yield Definition(bound, statement.lineno, How.IMPORTED, statement=statement)
    elif isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield Definition(statement.name, statement.lineno, How.DEFINED, statement=statement)
        return
    elif isinstance(statement, ast.Delete):
        for target in statement.targets:
            if (name := dotted(target)) is not None:
                yield Definition(name, statement.lineno, How.UNBOUND, statement=statement)
    yield from walrus_definitions(statement, statement)
    yield from _mutations(statement)


def _targets(
    target: ast.expr, value: ast.expr, how: How, statement: ast.stmt, whole: bool = True
) -> Iterator[Definition]:
    if isinstance(target, ast.Tuple | ast.List):
        parts = value.elts if isinstance(value, ast.Tuple | ast.List) else []
        matched = how is How.ASSIGNED and len(parts) == len(target.elts)
        matched = matched and not any(isinstance(x, ast.Starred) for x in [*parts, *target.elts])
        for place, element in enumerate(target.elts):
            part = parts[place] if matched else value
            yield from _targets(element, part, how, statement, whole and matched)
    elif isinstance(target, ast.Starred):
        yield from _targets(target.value, value, how, statement, False)
    elif isinstance(target, ast.Subscript):
        if (name := dotted(target.value)) is not None:
            yield Definition(name, statement.lineno, How.MUTATED, value, whole, statement)
    elif (name := dotted(target)) is not None:
        yield Definition(name, statement.lineno, how, value, whole, statement)


def walrus_definitions(node: ast.AST, statement: ast.stmt) -> Iterator[Definition]:
    """Yield what `:=` defines in the header of a statement or in an expression."""
    for inner in header_nodes(node):
        if isinstance(inner, ast.NamedExpr):
            yield Definition(
                inner.target.id, inner.lineno, How.ASSIGNED, inner.value, True, statement
            )


def _mutations(statement: ast.stmt) -> Iterator[Definition]:
    """Yield the elements that calls such as `queue.append(x)` put into a named container."""
    for inner in header_nodes(statement):
        if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute | ast.Name):
            called = inner.func.attr if isinstance(inner.func, ast.Attribute) else inner.func.id
            place = ADDERS.get(called)
            if place is None:
                continue
            owner = inner.args[0] if called == "heappush" and inner.args else None
            owner = owner or (inner.func.value if isinstance(inner.func, ast.Attribute) else None)
            while isinstance(owner, ast.Subscript):
                owner = owner.value
            if owner is not None and (name := dotted(owner)) is not None:
                value = inner.args[place] if place < len(inner.args) else None
                yield Definition(name, inner.lineno, How.MUTATED, value, True, statement)


def header_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a statement without those of its blocks and of nested functions."""
    stack: list[ast.AST] = [node]
    while stack:
        current = stack.pop()
        yield current
        for name, value in ast.iter_fields(current):
            if isinstance(current, ast.stmt) and name in BLOCKS:
                continue
            for child in reversed(value if isinstance(value, list) else [value]):
                if isinstance(child, ast.AST) and not isinstance(child, ast.Lambda):
                    stack.append(child)


def parameters(owner: FunctionNode) -> Iterator[Definition]:
    args = owner.args
    plain = [*args.posonlyargs, *args.args]
    defaults: list[ast.expr | None] = [None] * (len(plain) - len(args.defaults))
    pairs: list[tuple[ast.arg, ast.expr | None]]
    pairs = [*zip(plain, [*defaults, *args.defaults], strict=True),
             *zip(args.kwonlyargs, args.kw_defaults, strict=True)]  # fmt: skip
    pairs += [(star, None) for star in (args.vararg, args.kwarg) if star is not None]
    for arg, default in pairs:
        yield Definition(arg.arg, arg.lineno, How.PARAMETER, default)


def bound_names(body: Iterable[ast.stmt]) -> set[str]:
    """Return the plain names a body binds: what the compiler makes local variables of."""
    names: set[str] = set()
    foreign: set[str] = set()
    stack = list(body)
    while stack:
        statement = stack.pop()
        if isinstance(statement, ast.Global | ast.Nonlocal):
            foreign |= set(statement.names)
        names |= {one.name for one in definitions(statement)
                  if one.how is not How.MUTATED and "." not in one.name}  # fmt: skip
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        for field in ("body", "orelse", "finalbody"):
            stack += getattr(statement, field, [])
        for block in [*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())]:
            if getattr(block, "name", None):
                names.add(block.name)
            stack += block.body
    return names - foreign
