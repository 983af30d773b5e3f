"""Which names a function's own statements bind, unbind and use, read from its syntax tree."""

import ast
from typing import Any, Container, Iterator, List, Sequence, Set

SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_DISPLAYS = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
_BLOCKS = ("body", "orelse", "finalbody")
_MAKERS = frozenset(["list", "dict", "set", "sorted", "bytearray"])


def walk_frame(
    nodes: Sequence[ast.AST], skip: Container[int] = (), deep: bool = False
) -> Iterator[ast.AST]:
    """Yield the nodes of statements, without those inside inner functions unless `deep`.

    `skip` holds identities of statements that never run.
    """
    waiting = list(reversed(nodes))
    while waiting:
        node = waiting.pop()
        if id(node) in skip:
            continue
        yield node
        if deep or not isinstance(node, SCOPES):
            waiting += ast.iter_child_nodes(node)


def stored_names(target: ast.AST) -> Set[str]:
    """Return the names that a target binds."""
    return {
        node.id for node in ast.walk(target)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }  # fmt: skip


def deleted_names(function: ast.AST) -> Set[str]:
    """Return the names that a function may unbind by itself."""
    found: Set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Del):
            found.add(node.id)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            found.add(node.name)
    return found


def fresh_names(function: Any) -> Set[str]:
    """Return the names that a function binds to new objects only, so that no two are one object.

    Displays, comprehensions and calls of `list` and the like make new objects; augmented
    assignment keeps the object or makes a new one.
    """
    fresh: Set[str] = set()
    other: Set[str] = {arg.arg for arg in ast.walk(function.args) if isinstance(arg, ast.arg)}
    counted: Set[int] = set()
    for node in walk_frame(function.body):
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            targets: List[ast.expr] = (
                node.targets if isinstance(node, ast.Assign) else [node.target]
            )
            plain = len(targets) == 1 and isinstance(targets[0], ast.Name)
            if plain and _makes_new(node.value):
                fresh |= stored_names(targets[0])
                counted.add(id(targets[0]))
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            counted.add(id(node.target))
    for node in ast.walk(function):
        if isinstance(node, (ast.Nonlocal, ast.Global)):
            other |= set(node.names)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            other.add(node.name)
    for node in walk_frame(function.body):
        if (
            isinstance(node, ast.Name)
            and isinstance(node.ctx, ast.Store)
            and id(node) not in counted
        ):
            other.add(node.id)
    return fresh - other


def given_names(function: Any) -> Set[str]:
    """Return the parameters that a function never binds again."""
    stored: Set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            stored.add(node.id)
    return {arg.arg for arg in ast.walk(function.args) if isinstance(arg, ast.arg)} - stored


def _makes_new(value: ast.expr) -> bool:
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
        return value.func.id in _MAKERS
    return isinstance(value, _DISPLAYS)


class ScopeStripper(ast.NodeTransformer):
    """Takes `global` and `nonlocal` out of a function's statements, which stand at its top."""

    def visit_Global(self, node: ast.Global) -> None:
        """Leave it out."""

    def visit_Nonlocal(self, node: ast.Nonlocal) -> None:
        """Leave it out."""

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Keep to the function's own statements, and leave no block empty."""
        if isinstance(node, SCOPES):
            return node
        blocks = [(field, list(block)) for field, block in ast.iter_fields(node)
                  if field in _BLOCKS and isinstance(block, list) and block]  # fmt: skip
        new = super().generic_visit(node)
        for field, block in blocks:
            if not getattr(new, field):
                nothing = ast.copy_location(ast.Expr(_none(block[0])), block[0])
                setattr(new, field, [nothing])
        return new


def _none(node: ast.AST) -> ast.expr:
    return ast.copy_location(ast.Constant(value=None, kind=None), node)


def without_scopes(block: List[ast.stmt]) -> List[ast.stmt]:
    """Return statements without `global` and `nonlocal`."""
    stripper = ScopeStripper()
    visited = [stripper.visit(node) for node in block]
    return [node for node in visited if node is not None]
