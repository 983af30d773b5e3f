"""Loops over the places of a sequence, seen as loops over its elements.

`for i in range(len(xs))` with `xs[i]` in its body becomes `for i, x in enumerate(xs)` with `x`:
rules then solve for elements.  Lines stay where they are.
"""

from __future__ import annotations

import ast
import copy

from nsdbg.propose.inversion.constants import changed_names
from nsdbg.rulebook.pattern import Bindings, compile_pattern
from nsdbg.source import FunctionNode

_FORWARD = ("range(len($xs))", "range(0, len($xs))")
_BACKWARD = ("range(len($xs) - 1, -1, -1)", "reversed(range(len($xs)))")


def normalised(function: FunctionNode) -> FunctionNode:
    """Return a copy of a function whose loops by place are loops by element."""
    fresh = copy.deepcopy(function)
    return _Loops().visit(fresh)  # type: ignore[no-any-return]


class _Loops(ast.NodeTransformer):
    def visit_For(self, node: ast.For) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.target, ast.Name):
            return node
        for patterns, source in ((_FORWARD, "xs"), (_BACKWARD, "reversed(xs)")):
            for pattern in patterns:
                found = compile_pattern(pattern).match(node.iter)
                if found is not None:
                    return _by_element(node, found, source)
        return node

    def visit_While(self, node: ast.While) -> ast.AST:
        """Take `while i < len(xs)` with `i += 1` as its last statement for such a loop."""
        self.generic_visit(node)
        found = compile_pattern("$i < len($xs)").match(node.test)
        index = (found or {}).get("i")
        if found is None or not isinstance(index, ast.Name) or not _counts_up(node, index.id):
            return node
        loop = ast.For(
            ast.Name(index.id, ast.Store()), node.test, node.body[:-1] or [ast.Pass()], node.orelse
        )
        ast.copy_location(loop, node)
        made = _by_element(loop, found, "xs")
        return node if made is loop else made


def _counts_up(node: ast.While, index: str) -> bool:
    last = compile_pattern(f"{index} += 1").match(node.body[-1])
    changes = sum(index in changed_names(part) for part in node.body)
    return last is not None and changes == 1


def _by_element(node: ast.For, found: Bindings, source: str) -> ast.For:
    sequence = found["xs"]
    assert isinstance(node.target, ast.Name)
    if not isinstance(sequence, ast.Name) or sequence.id in changed_names(node):
        return node
    index, element = node.target.id, f"{sequence.id}[{node.target.id}]"
    replace = _ByElement(sequence.id, index, element)
    node.body = [replace.visit(part) for part in node.body]
    node.iter = ast.parse(source.replace("xs", sequence.id), mode="eval").body
    node.target = ast.Name(element, ast.Store())
    if any(isinstance(part, ast.Name) and part.id == index
           for statement in node.body for part in ast.walk(statement)):  # fmt: skip
        node.iter = ast.Call(ast.Name("enumerate", ast.Load()), [node.iter], [])
        node.target = ast.Tuple([ast.Name(index, ast.Store()), node.target], ast.Store())
    return node


class _ByElement(ast.NodeTransformer):
    def __init__(self, sequence: str, index: str, element: str) -> None:
        self.sequence, self.index, self.element = sequence, index, element

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        value, place = node.value, node.slice
        if isinstance(value, ast.Name) and isinstance(place, ast.Name):
            if (value.id, place.id) == (self.sequence, self.index):
                return ast.Name(self.element, ast.Load())
        return self.generic_visit(node)
