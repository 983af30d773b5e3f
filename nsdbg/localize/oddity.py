"""Oddities: code that cannot mean what it says, near a crash.

Statements without effect, comparisons of a thing with itself, types assigned for values.  A
linter's findings, kept to the functions of the crash and told only beside other evidence.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from nsdbg.localize.clue import Clue, Mark
from nsdbg.localize.code import Spot
from nsdbg.localize.definitions import dotted

WITHOUT_EFFECT = (ast.Name, ast.Attribute, ast.Compare, ast.BinOp, ast.Subscript, ast.UnaryOp,
                  ast.List, ast.Tuple, ast.Dict)  # fmt: skip
TYPING_FORMS = ("List", "Dict", "Set", "Tuple", "Optional", "Union", "FrozenSet", "Deque", "Type",
                "DefaultDict", "Iterable", "Sequence", "Mapping", "Callable", "Any")  # fmt: skip
# What names no value that failed is rarely why this crash happened.
UNRELATED = 0.25


def odd_clues(spot: Spot, names: frozenset[str]) -> Iterator[Clue]:
    """Yield the odd lines of a spot's function; `names` are those of the values that failed."""
    function = spot.code.node(spot.qualname)
    statements = [function] if function is not None else spot.code.tree.body
    for top in statements:
        for node in ast.walk(top):
            found = _oddity(node)
            if found is not None and hasattr(node, "lineno"):
                related = bool(names & _names(node))
                scale = 1.0 if related else UNRELATED
                yield Clue(Mark.ODD_CODE, spot.code.path, node.lineno, found, scale)


def _oddity(node: ast.AST) -> str | None:
    if isinstance(node, ast.Expr) and isinstance(node.value, WITHOUT_EFFECT):
        return f"this statement has no effect: {ast.unparse(node)}"
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        if ast.dump(node.left) == ast.dump(node.comparators[0]) and not _is_nan_test(node):
            return f"this compares a thing with itself: {ast.unparse(node)}"
    elif isinstance(node, ast.Assign):
        if len(node.targets) == 1 and ast.unparse(node.targets[0]) == ast.unparse(node.value):
            return f"this assigns a name to itself: {ast.unparse(node)}"
        if isinstance(node.value, ast.Subscript) and dotted(node.value.value) in TYPING_FORMS:
            return f"this assigns a type, not a value: {ast.unparse(node)}"
    return None


def _is_nan_test(node: ast.Compare) -> bool:
    """Whether it is `x != x`, the idiom that asks for a NaN."""
    return isinstance(node.ops[0], ast.NotEq) and isinstance(node.left, ast.Name)


def _names(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
