"""One expression for a way of several statements: what a jump changes, over the state before it.

Follows the lines that were executed, and puts each assigned expression where its name is read.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Sequence

from nsdbg.propose.codec import spelling
from nsdbg.propose.codec.answer import Tokens
from nsdbg.propose.codec.situation import Situation
from nsdbg.propose.codec.syntax import Syntax
from nsdbg.propose.codec.view import View
from nsdbg.state import Event

LONGEST = 48  # tokens of an expression that is worth composing
_MOST_STATEMENTS = 12


class _Replace(ast.NodeTransformer):
    def __init__(self, known: dict[str, ast.expr]) -> None:
        self._known = known

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """Put a name's expression in its place."""
        if isinstance(node.ctx, ast.Load) and node.id in self._known:
            return copy.deepcopy(self._known[node.id])
        return node


class Composed:
    """Expressions for the names that a way assigns; `result` for the value that it returns."""

    def __init__(self) -> None:
        self.names: dict[str, ast.expr] = {}
        self.result: ast.expr | None = None

    def tokens(self, view: View, name: str | None) -> Tokens | None:
        """Return the expression of a name, or of the result for None; None when it is long."""
        node = self.result if name is None else self.names.get(name)
        if node is None:
            return None
        try:
            tokens = spelling.spell(ast.unparse(node), view.slots)
        except (ValueError, RecursionError):
            return None
        return tuple(tokens) if len(tokens) <= LONGEST else None


def compose(syntax: Syntax, way: Sequence[Situation]) -> Composed:
    """Return what the states of a way in one frame assign and return, the last state left out.

    Best effort: whoever uses it evaluates it and compares.
    """
    found = Composed()
    depth = len(way[0].state.stack)
    lines = [
        situation
        for situation in way
        if situation.state.event is Event.LINE and len(situation.state.stack) == depth
    ]
    if len(lines) > _MOST_STATEMENTS:
        return found
    for situation in lines:
        node = syntax.statement(situation.state.frame.lineno)
        if node is not None:
            _take(found, node, situation)
    return found


def _take(found: Composed, node: ast.stmt, situation: Situation) -> None:
    replace = _Replace(found.names)
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        _bind(found, node.targets[0], replace.visit(copy.deepcopy(node.value)))
    elif isinstance(node, ast.AnnAssign) and node.value is not None:
        _bind(found, node.target, replace.visit(copy.deepcopy(node.value)))
    elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        value = ast.BinOp(ast.Name(node.target.id, ast.Load()), node.op, node.value)
        _bind(found, node.target, replace.visit(copy.deepcopy(value)))
    elif isinstance(node, ast.Return) and node.value is not None:
        found.result = replace.visit(copy.deepcopy(node.value))
    elif isinstance(node, ast.For):
        values = replace.visit(copy.deepcopy(node.iter))
        at = ast.Constant(situation.taken(node.lineno))
        listed = ast.Call(ast.Name("list", ast.Load()), [values], [])
        _bind(found, node.target, ast.Subscript(listed, at, ast.Load()))
    elif isinstance(node, ast.Expr):
        _effect(found, node.value, replace)


def _bind(found: Composed, target: ast.expr, value: ast.expr) -> None:
    if isinstance(target, ast.Name):
        found.names[target.id] = value
    elif isinstance(target, (ast.Tuple, ast.List)):
        parts: list[ast.expr]
        if isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts):
            parts = list(value.elts)
        else:
            parts = [
                ast.Subscript(value, ast.Constant(at), ast.Load()) for at in range(len(target.elts))
            ]
        for part, each in zip(target.elts, parts, strict=True):
            _bind(found, part, each)


def _effect(found: Composed, value: ast.expr, replace: _Replace) -> None:
    """Take what the commonest methods do to a name."""
    if not (isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute)):
        return
    name = value.func.value
    if not isinstance(name, ast.Name):
        return
    old = replace.visit(ast.Name(name.id, ast.Load()))
    args = [replace.visit(copy.deepcopy(arg)) for arg in value.args]
    new = _EFFECTS.get((value.func.attr, len(args)))
    if new is not None:
        tree = ast.parse(new, mode="eval").body
        known = {"_old": old, **{f"_{at}": arg for at, arg in enumerate(args)}}
        found.names[name.id] = _Replace(known).visit(tree)


_EFFECTS = {
    ("append", 1): "_old + [_0]",
    ("extend", 1): "_old + list(_0)",
    ("add", 1): "_old | {_0}",
    ("sort", 0): "sorted(_old)",
    ("reverse", 0): "_old[::-1]",
    ("pop", 0): "_old[:-1]",
    ("clear", 0): "type(_old)()",
    ("insert", 2): "_old[:_0] + [_1] + _old[_0:]",
    ("update", 1): "{**_old, **_0}",
}
