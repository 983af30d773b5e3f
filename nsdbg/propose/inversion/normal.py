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
    _Shorthands().visit(fresh)
    _Lengths(fresh).visit(fresh)
    return _Loops().visit(fresh)  # type: ignore[no-any-return]


class _Shorthands(ast.NodeTransformer):
    """`map` and `filter` with a lambda as comprehensions."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        named = node.func.id if isinstance(node.func, ast.Name) else ""
        if named in ("map", "filter") and len(node.args) == 2:
            return _as_comprehension(named, node) or node
        return node


def _as_comprehension(named: str, node: ast.Call) -> ast.expr | None:
    function, source = node.args
    if not isinstance(function, ast.Lambda) or len(function.args.args) != 1:
        return None
    name = function.args.args[0].arg
    loop = ast.comprehension(ast.Name(name, ast.Store()), source, [], 0)
    if named == "map":
        return ast.GeneratorExp(function.body, [loop])
    loop.ifs.append(function.body)
    return ast.GeneratorExp(ast.Name(name, ast.Load()), [loop])


class _Lengths(ast.NodeTransformer):
    """`range(n)` with `n = len(xs)` before it, and nowhere else bound, as `range(len(xs))`."""

    def __init__(self, function: ast.AST) -> None:
        bound: dict[str, list[ast.expr | None]] = {}
        for node in ast.walk(function):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                bound.setdefault(node.targets[0].id, []).append(node.value)
            elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
                bound.setdefault(node.target.id, []).append(None)
        self._lengths = {
            name: values[0] for name, values in bound.items()
            if len(values) == 1 and compile_pattern("len($xs)").match(values[0] or ast.Pass())
        }  # fmt: skip

    def visit_For(self, node: ast.For) -> ast.AST:
        self.generic_visit(node)
        node.iter = self._with_length(node.iter)
        return node

    def visit_While(self, node: ast.While) -> ast.AST:
        self.generic_visit(node)
        node.test = self._with_length(node.test)
        return node

    def _with_length(self, node: ast.expr) -> ast.expr:
        lengths = self._lengths

        class Fill(ast.NodeTransformer):
            def visit_Name(self, name: ast.Name) -> ast.AST:
                return lengths.get(name.id) or name

        return Fill().visit(node)  # type: ignore[no-any-return]


class _Loops(ast.NodeTransformer):
    def visit_For(self, node: ast.For) -> ast.AST:
        self.generic_visit(node)
        changed = _as_map(node)
        if changed is not None:
            return changed
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


def _as_map(node: ast.For) -> ast.Assign | None:
    """Return `for i, x in enumerate(xs): xs[i] = f(x)` as an assignment of a comprehension."""
    found = compile_pattern("for $i in range(len($xs)): $xs[$i] = $value").match(node)
    plain = found is not None
    if found is None:
        found = compile_pattern("for $i, $x in enumerate($xs): $xs[$i] = $value").match(node)
    if found is None:
        return None
    sequence, index, value = found["xs"], found["i"], found["value"]
    if not (isinstance(sequence, ast.Name) and isinstance(index, ast.Name)
            and isinstance(value, ast.expr)):  # fmt: skip
        return None
    target = node.target
    if plain:
        element = f"{sequence.id}[{index.id}]"
        value = _ByElement(sequence.id, index.id, element).visit(value)
        target = ast.Tuple(
            [ast.Name(index.id, ast.Store()), ast.Name(element, ast.Store())], ast.Store()
        )
    source = ast.Call(ast.Name("enumerate", ast.Load()), [sequence], [])
    loop = ast.comprehension(target, source, [], 0)
    changed = ast.Assign([ast.Name(sequence.id, ast.Store())], ast.ListComp(value, [loop]))
    return ast.copy_location(changed, node)


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
        names = [part.id for part in (value, place) if isinstance(part, ast.Name)]
        if names == [self.sequence, self.index]:
            return ast.Name(self.element, ast.Load())
        return self.generic_visit(node)
