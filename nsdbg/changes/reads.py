"""Which names of its module a function looks at: globals, and attributes of its own class.

Names are matched, values are not followed: `other.limit` of an unknown object is no one's.
A local of a nested scope may be taken for a global, never the other way round.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from nsdbg.changes.definitions import HEAD, Key
from nsdbg.changes.sameness import name_of
from nsdbg.source import FunctionNode

_SCOPES = (
    ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda,
    ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp,
)  # fmt: skip


def names_in(node: ast.AST) -> Iterator[str]:
    """Yield the names that a statement at the top of a module or class looks up."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Load):
            yield inner.id


def reads_of(owner: str, node: FunctionNode, bases: Mapping[str, Sequence[str]]) -> set[Key]:
    """Return what a function of a module, or a method of its class `owner`, looks at.

    `bases` names the base classes of each class of the module.
    """
    names: set[str] = set()
    found: set[Key] = set()
    receiver = _receiver(owner, node)
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name):
            names.add(inner.id)
        elif isinstance(inner, ast.Attribute):
            found |= _attribute(inner, owner, receiver, bases)
        elif isinstance(inner, ast.Call):
            found |= _looked_up(inner, owner, receiver)
    return found | {("", name) for name in names - _own_names(node)}


def stores_of(owner: str, node: FunctionNode) -> dict[str, str]:
    """Return the attributes that a method gives its object, and how: every statement's text."""
    receiver = _receiver(owner, node)
    found: dict[str, str] = {}
    for statement in ast.walk(node):
        if not isinstance(statement, ast.stmt) or receiver is None:
            continue
        for inner in _own_parts(statement):
            if not isinstance(inner, ast.Attribute) or isinstance(inner.ctx, ast.Load):
                continue
            if _is_name(inner.value, receiver):
                text = _text(statement)
                found[inner.attr] = found.get(inner.attr, "") + text
    return found


def _text(statement: ast.stmt) -> str:
    if hasattr(statement, "body"):
        return "a block"
    try:
        return ast.dump(statement)
    except RecursionError:  # a sum of hundreds of terms
        return "too deep"


def _own_parts(statement: ast.stmt) -> Iterator[ast.AST]:
    """Yield the parts of a statement but for the statements within it."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += [part for part in ast.iter_child_nodes(node) if not isinstance(part, ast.stmt)]


def _receiver(owner: str, node: FunctionNode) -> str | None:
    """Return the name of a method's first parameter."""
    plain = [*node.args.posonlyargs, *node.args.args]
    static = any(name_of(item) == "staticmethod" for item in node.decorator_list)
    return plain[0].arg if owner and plain and not static else None


def _own_names(node: FunctionNode) -> set[str]:
    """Return the names that are local to a function, those of scopes within it left out."""
    args = node.args
    found = {arg.arg for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs)}
    found |= {arg.arg for arg in (args.vararg, args.kwarg) if arg is not None}
    shared: set[str] = set()
    waiting: list[ast.AST] = [*node.body]
    while waiting:
        inner = waiting.pop()
        if isinstance(inner, ast.Global | ast.Nonlocal):
            shared |= set(inner.names)
        elif isinstance(inner, ast.Name) and not isinstance(inner.ctx, ast.Load):
            found.add(inner.id)
        elif isinstance(inner, ast.Import | ast.ImportFrom):
            found |= {(item.asname or item.name).partition(".")[0] for item in inner.names}
        elif isinstance(inner, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and inner.name:
            found.add(inner.name)
        if isinstance(inner, _SCOPES):
            if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                found.add(inner.name)
            continue
        waiting += ast.iter_child_nodes(inner)
    return found - shared


def _attribute(
    node: ast.Attribute, owner: str, receiver: str | None, bases: Mapping[str, Sequence[str]]
) -> set[Key]:
    value = node.value
    if receiver is not None and _is_object(value, receiver):
        return {(owner, node.attr), (owner, HEAD)}
    if isinstance(value, ast.Call) and _is_name(value.func, "super"):
        return {(base, node.attr) for base in bases.get(owner, ())} | {(owner, HEAD)}
    whose = dotted(value)
    return {(whose, node.attr)} if whose else set()


def dotted(node: ast.AST) -> str:
    """Return `a.b.c` as text, "" for anything else."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


def _is_object(node: ast.expr, receiver: str) -> bool:
    """Whether an expression is `self`, `self.__class__` or `type(self)`."""
    if isinstance(node, ast.Attribute) and node.attr == "__class__":
        return _is_name(node.value, receiver)
    if isinstance(node, ast.Call) and _is_name(node.func, "type") and len(node.args) == 1:
        return _is_name(node.args[0], receiver)
    return _is_name(node, receiver)


def _looked_up(node: ast.Call, owner: str, receiver: str | None) -> set[Key]:
    """Return what `getattr(self, "name")` looks at."""
    if receiver is None or not _is_name(node.func, "getattr") or len(node.args) < 2:
        return set()
    whose, name = node.args[:2]
    if _is_object(whose, receiver) and isinstance(name, ast.Constant):
        return {(owner, str(name.value))}
    return set()


def _is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
