"""Votes for kinds, and the tables of what methods and builtins speak for."""

from __future__ import annotations

import ast
from collections import defaultdict
from dataclasses import dataclass, field

# A parameter and the way into its value.
Place = tuple[str | int, ...]
ELEMENT, KEY, VALUE = "[]", "key", "value"
_TYPES: tuple[type, ...] = (str, list, dict, set, tuple, int, float, bytes)
METHODS = {kind.__name__: frozenset(name for name in dir(kind) if name[0] != "_" )
           for kind in _TYPES}  # fmt: skip
COMMONER = {"str": 1.0, "list": 0.9, "dict": 0.8, "set": 0.3, "tuple": 0.3, "int": 0.6,
             "float": 0.3, "bytes": 0.1}  # fmt: skip
TEXT = ("split", "rsplit", "strip", "lstrip", "rstrip", "startswith", "endswith", "replace",
         "find", "rfind", "rindex", "partition", "rpartition", "removeprefix", "removesuffix",
         "encode", "join")  # fmt: skip
WIDTHS = ("center", "ljust", "rjust", "zfill", "expandtabs")
SAME = ("copy", "lower", "upper", "strip", "lstrip", "rstrip", "title", "capitalize", "swapcase",
         "replace", "removeprefix", "removesuffix", "zfill", "ljust", "rjust",
        "center")  # fmt: skip
ITERATED = ("enumerate", "sorted", "reversed", "list", "set", "tuple", "frozenset", "iter", "max",
             "min", "any", "all", "sum", "zip", "map", "filter", "Counter", "deque")  # fmt: skip
BUILTINS = {
    "range": {"int": 3.0}, "chr": {"int": 3.0}, "abs": {"int": 2.0, "float": 1.0},
    "bin": {"int": 3.0}, "hex": {"int": 3.0}, "round": {"float": 2.0, "int": 1.0},
    "ord": {"str": 3.0}, "int": {"str": 1.5, "int": 1.0, "float": 0.5},
    "float": {"str": 1.0, "float": 1.0, "int": 0.5}, "eval": {"str": 3.0},
    "len": {"str": 1.0, "list": 1.0, "dict": 0.4, "tuple": 0.2, "set": 0.2},
    "open": {"str": 2.0}, "Path": {"str": 2.0}, "divmod": {"int": 2.0}, "pow": {"int": 2.0},
    "dict": {"dict": 1.0, "list": 0.5}, "gcd": {"int": 3.0}, "sqrt": {"int": 2.0, "float": 1.0},
}  # fmt: skip
ITERABLE = {"list": 1.0, "str": 0.7, "tuple": 0.2, "dict": 0.2, "set": 0.2}


@dataclass(slots=True)
class Votes:
    """What speaks for the kind of one place."""

    kinds: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    attributes: set[str] = field(default_factory=set)
    called: set[str] = field(default_factory=set)
    keys: dict[str, None] = field(default_factory=dict)
    arity: int | None = None
    returned: bool = False

    def add(self, kinds: dict[str, float], factor: float = 1.0) -> None:
        """Count votes."""
        for name, weight in kinds.items():
            self.kinds[name] += weight * factor


def call_name(node: ast.expr) -> str:
    """Return the last name of what an expression calls, empty where it is no call."""
    if not isinstance(node, ast.Call):
        return ""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


_RESULTS = {
    "len": "int", "int": "int", "ord": "int", "sum": "int", "abs": "int", "count": "int",
    "index": "int", "find": "int", "rfind": "int", "str": "str", "chr": "str", "lower": "str",
    "upper": "str", "strip": "str", "join": "str", "replace": "str", "format": "str", "repr": "str",
    "list": "list", "sorted": "list", "split": "list", "dict": "dict", "set": "set",
    "float": "float", "round": "int", "tuple": "tuple", "bin": "str", "hex": "str",
}  # fmt: skip


def expression_kind(node: ast.expr | None) -> str | None:
    """Return the builtin type's name that an expression surely has, None when it is not plain."""
    if isinstance(node, ast.Constant):
        return "None" if node.value is None else type(node.value).__name__
    if isinstance(node, ast.UnaryOp):
        return expression_kind(node.operand)
    if isinstance(node, ast.BinOp):
        return expression_kind(node.left) or expression_kind(node.right)
    displays = (
        (ast.JoinedStr, "str"), (ast.List, "list"), (ast.ListComp, "list"), (ast.Dict, "dict"),
        (ast.DictComp, "dict"), (ast.Set, "set"), (ast.SetComp, "set"), (ast.Tuple, "tuple"),
    )  # fmt: skip
    for kind, name in displays:
        if isinstance(node, kind):
            return name
    return _RESULTS.get(call_name(node)) if isinstance(node, ast.Call) else None
