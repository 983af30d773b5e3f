"""How an expression reads a line of standard input: as a number, as words, as many of them."""

from __future__ import annotations

import ast
from dataclasses import dataclass

READERS = ("input", "readline", "stdin.readline", "sys.stdin.readline")


@dataclass(frozen=True, slots=True)
class Shape:
    """What one read takes from a line: its kind, whether many, and how many where that is told."""

    kind: str
    many: bool = False
    count: int | None = None
    split: bool = False


def reads(node: ast.AST) -> bool:
    """Whether a node is a call that reads one line."""
    return isinstance(node, ast.Call) and ast.unparse(node.func) in READERS


def reading(node: ast.expr) -> Shape | None:
    """Return the shape of a line that an expression reads, None when it reads no single line."""
    if reads(node):
        return Shape("str")
    if not isinstance(node, ast.Call):
        return None
    name = ast.unparse(node.func)
    inner = reading(node.args[-1]) if node.args else None
    if name in ("int", "float") and inner is not None:
        return Shape(name)
    if name in ("list", "tuple", "sorted", "set") and inner is not None:
        return inner if inner.many else Shape(inner.kind, split=True)
    if name == "map" and len(node.args) == 2 and inner is not None:
        converter = ast.unparse(node.args[0])
        kind = "float" if "float" in converter else "int" if "int" in converter else "str"
        return Shape(kind, many=inner.many, split=not inner.many)
    if isinstance(node.func, ast.Attribute):
        owner = reading(node.func.value)
        if owner is not None and node.func.attr == "split":
            return Shape(owner.kind, many=True)
        if owner is not None and node.func.attr in ("strip", "rstrip", "lstrip", "lower", "upper"):
            return owner
    return None
