"""What type the value of an expression has, as far as the text alone tells.

A guess that is silent when unsure: a type's name, or None.  Runs nothing.
"""

from __future__ import annotations

import ast
import builtins

RESULTS = {
    "len": "int", "int": "int", "float": "float", "str": "str", "repr": "str", "input": "str",
    "list": "list", "dict": "dict", "set": "set", "tuple": "tuple", "sorted": "list", "ord": "int",
    "chr": "str", "bool": "bool", "range": "range", "enumerate": "enumerate", "zip": "zip",
    "map": "map", "filter": "filter", "reversed": "reversed", "open": "TextIOWrapper",
    "bytes": "bytes", "frozenset": "frozenset", "abs": "int", "hash": "int", "id": "int",
    "bin": "str", "hex": "str", "oct": "str", "print": "NoneType", "isinstance": "bool",
    "deque": "collections.deque", "defaultdict": "collections.defaultdict", "Counter": "Counter",
}  # fmt: skip
METHODS = {
    "split": "list", "join": "str", "strip": "str", "lower": "str", "upper": "str",
    "replace": "str", "format": "str", "keys": "dict_keys", "values": "dict_values",
    "items": "dict_items", "encode": "bytes", "decode": "str", "splitlines": "list",
    "zfill": "str", "lstrip": "str", "rstrip": "str", "title": "str", "readlines": "list",
}  # fmt: skip
# Methods of the builtin containers that work in place and return None: the classic slip.
IN_PLACE = ("append", "extend", "sort", "reverse", "insert", "clear", "remove", "add", "update",
            "discard", "appendleft", "extendleft")  # fmt: skip
# Lookups that say "not there" by returning None.
MAY_MISS = ("get", "match", "search", "fullmatch", "getenv", "find_spec", "which", "lastgroup",
            "first", "one_or_none", "get_text", "find_element", "getattr")  # fmt: skip
DISPLAYS: tuple[tuple[type[ast.expr] | tuple[type[ast.expr], ...], str], ...] = (
    ((ast.List, ast.ListComp), "list"),
    ((ast.Dict, ast.DictComp), "dict"),
    ((ast.Set, ast.SetComp), "set"),
    (ast.Tuple, "tuple"),
    (ast.JoinedStr, "str"),
    (ast.GeneratorExp, "generator"),
    (ast.Lambda, "function"),
    (ast.Compare, "bool"),
)


def type_of(node: ast.expr) -> str | None:
    """Return the name of the value's type, as `type(x).__name__` gives it, when it is certain."""
    if isinstance(node, ast.Constant):
        return type(node.value).__name__
    for nodes, name in DISPLAYS:
        if isinstance(node, nodes):
            return name
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return "bool"
    if isinstance(node, ast.Call):
        return _result(node)
    if isinstance(node, ast.BinOp):
        return _combined(type_of(node.left), node.op, type_of(node.right))
    return None


def _result(node: ast.Call) -> str | None:
    if isinstance(node.func, ast.Name):
        return RESULTS.get(node.func.id)
    if isinstance(node.func, ast.Attribute):
        if node.func.attr in IN_PLACE and type_of(node.func.value) != "NoneType":
            return "NoneType"
        return METHODS.get(node.func.attr)
    return None


def _combined(left: str | None, op: ast.operator, right: str | None) -> str | None:
    if isinstance(op, ast.Div) and {left, right} <= {"int", "float"}:
        return "float"
    if isinstance(op, ast.Mod) and left == "str":
        return "str"
    return left if left == right else None


def could_be(node: ast.expr, wanted: str | None, classes: frozenset[str] = frozenset()) -> float:
    """Return how well an expression's value fits a type: 1 certain, 0 impossible, else between.

    `wanted` None means that nothing is known of the type.  `classes` are the project's own: a
    call of one makes an instance of it.
    """
    if isinstance(node, ast.IfExp):
        return max(could_be(node.body, wanted, classes), could_be(node.orelse, wanted, classes))
    if isinstance(node, ast.BoolOp):
        return max(could_be(value, wanted, classes) for value in node.values)
    if wanted is None:
        return 0.5
    known = type_of(node)
    if known is not None:
        return 1.0 if known.rsplit(".", 1)[-1] == wanted.rsplit(".", 1)[-1] else 0.0
    if isinstance(node, ast.Call):
        return _call_could_be(node, wanted, classes)
    if wanted == "NoneType":
        return 0.0 if isinstance(node, ast.BinOp | ast.UnaryOp) else 0.5
    return 0.5


def _call_could_be(node: ast.Call, wanted: str, classes: frozenset[str]) -> float:
    func = node.func
    name = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
    if name in classes:
        return 1.0 if name == wanted.rsplit(".", 1)[-1] else 0.0
    if wanted == "NoneType" and name in MAY_MISS:
        # A default makes the miss harmless, unless it is None itself.
        default = node.args[-1] if len(node.args) > (2 if name == "getattr" else 1) else None
        return 0.9 if default is None else could_be(default, wanted, classes)
    builtin = isinstance(func, ast.Name) and isinstance(getattr(builtins, name, None), type)
    return 0.1 if builtin else 0.4
