"""What kind of value a name stands for, guessed from its hint, its default and how it is used.

Reads a syntax tree and runs nothing; a guess only orders what is tried first.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator

from nsdbg.propose.evaluation.methods import METHODS
from nsdbg.source import FunctionNode

KINDS: dict[str, type] = {
    "str": str, "int": int, "list": list, "dict": dict, "bool": bool, "float": float,
    "tuple": tuple, "set": set, "bytes": bytes,
}  # fmt: skip
_CONTAINERS = ("list", "str", "dict", "tuple", "set")
_HINTS = {
    **{name: name for name in KINDS}, "List": "list", "Sequence": "list", "Iterable": "list",
    "Dict": "dict", "Mapping": "dict", "Tuple": "tuple", "Set": "set", "frozenset": "set",
}  # fmt: skip
# Methods of text whose arguments are text, and those whose first argument is a width or a place.
_TEXT_ARGUMENTS = {
    "startswith", "endswith", "replace", "split", "rsplit", "strip", "lstrip", "rstrip",
    "partition", "rpartition", "removeprefix", "removesuffix", "find", "rfind", "rindex",
    "center", "ljust", "rjust", "maketrans",
}  # fmt: skip
_NUMBER_FIRST = {"center", "ljust", "rjust", "zfill", "insert", "pop", "expandtabs"}
_ARITHMETIC = (ast.Sub, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.Mult, ast.LShift, ast.RShift,
               ast.BitAnd, ast.BitOr, ast.BitXor)  # fmt: skip
_CALLS = {
    "range": ("int",), "chr": ("int",), "abs": ("int", "float"), "ord": ("str",),
    "len": _CONTAINERS, "sum": ("list",), "sorted": _CONTAINERS, "reversed": ("list", "str"),
    "enumerate": ("list", "str"), "max": ("list",), "min": ("list",), "zip": ("list", "str"),
    "list": ("str", "list"), "set": ("list", "str"), "dict": ("dict", "list"),
    "int": ("str", "int"), "tuple": ("list", "tuple"), "map": ("list", "str"),
    "iter": ("list", "str"),
}  # fmt: skip
Scores = dict[str, float]


def hinted_kinds(annotation: ast.expr | None) -> list[str]:
    """Return the kinds that an annotation names, `Optional` and unions included."""
    if annotation is None:
        return []
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        try:
            return hinted_kinds(ast.parse(annotation.value, mode="eval").body)
        except SyntaxError:
            return []
    if isinstance(annotation, ast.BinOp):
        return [*hinted_kinds(annotation.left), *hinted_kinds(annotation.right)]
    head = annotation.value if isinstance(annotation, ast.Subscript) else annotation
    name = head.attr if isinstance(head, ast.Attribute) else getattr(head, "id", "")
    if name in ("Optional", "Union") and isinstance(annotation, ast.Subscript):
        inner = annotation.slice
        parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
        return [kind for part in parts for kind in hinted_kinds(part)]
    return [_HINTS[name]] if name in _HINTS else []


def likely_kinds(function: FunctionNode, name: str) -> list[str]:
    """Return the kinds a name may have, the likeliest first; kinds its use rules out are absent."""
    hinted = hinted_kinds(_annotation(function, name))
    if hinted:
        return hinted
    scores: Scores = defaultdict(float)
    for place, kind in enumerate(KINDS):
        scores[kind] = -place / 100  # ties go to the kinds that are met most often
    for kinds, weight in _evidence(function, name):
        for kind in KINDS:
            scores[kind] += weight if kind in kinds else 0.0
    ruled_out = {kind for kinds in _excluded(function, name) for kind in KINDS if kind not in kinds}
    left = [kind for kind in KINDS if kind not in ruled_out] or list(KINDS)
    return sorted(left, key=lambda kind: -scores[kind])


def _annotation(function: FunctionNode, name: str) -> ast.expr | None:
    arguments = function.args
    every = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    return next((item.annotation for item in every if item.arg == name), None)


def _excluded(function: FunctionNode, name: str) -> Iterator[tuple[str, ...]]:
    """Yield, for each use that only some kinds survive, the kinds that do.

    A name that is bound anew may be of another kind behind that line.
    """
    stores = [node.lineno for node in ast.walk(function)
              if isinstance(node, ast.Name) and node.id == name
              and isinstance(node.ctx, ast.Store)]  # fmt: skip
    last = min(stores, default=None)
    for node in ast.walk(function):
        if last is None or getattr(node, "lineno", 0) <= last:
            yield from _survivors(node, name)


def _survivors(node: ast.AST, name: str) -> Iterator[tuple[str, ...]]:
    if isinstance(node, ast.Attribute) and _is(node.value, name):
        having = tuple(kind for kind in KINDS if node.attr in METHODS[KINDS[kind]])
        if having:
            yield having
    elif isinstance(node, ast.Subscript) and _is(node.value, name):
        if isinstance(node.slice, ast.Slice):
            yield ("str", "list", "tuple", "bytes")
        elif not isinstance(node.ctx, ast.Load):
            yield ("list", "dict")
        else:
            yield ("str", "list", "tuple", "dict", "bytes")
    elif (isinstance(node, (ast.For, ast.comprehension)) and _is(node.iter, name)) or (
        _named_call(node) == "len" and _is(_first(node), name)
    ):
        yield (*_CONTAINERS, "bytes")
    elif _named_call(node) == "range" and any(_is(arg, name) for arg in _args(node)):
        yield ("int", "bool")


def _evidence(function: FunctionNode, name: str) -> Iterator[tuple[Iterable[str], float]]:
    for node in ast.walk(function):
        if isinstance(node, ast.Call):
            yield from _from_call(node, name)
        elif isinstance(node, (ast.BinOp, ast.AugAssign)):
            yield from _from_operator(node, name)
        elif isinstance(node, ast.Compare):
            yield from _from_comparison(node, name)
        elif isinstance(node, ast.Subscript):
            yield from _from_subscript(node, name)
        elif isinstance(node, (ast.For, ast.comprehension)) and _is(node.iter, name):
            yield ("list", "str") if isinstance(node.target, ast.Name) else ("list",), 1.0
    for argument, default in _defaults(function):
        if argument == name and isinstance(default, ast.Constant):
            yield (type(default.value).__name__,), 4.0


def _from_call(node: ast.Call, name: str) -> Iterator[tuple[Iterable[str], float]]:
    called = _named_call(node)
    if called in _CALLS and any(_is(argument, name) for argument in node.args):
        yield _CALLS[called], 1.5
    if called == "isinstance" and _is(_first(node), name) and len(node.args) > 1:
        yield [part.id for part in ast.walk(node.args[1]) if isinstance(part, ast.Name)], 2.0
    if isinstance(node.func, ast.Attribute):
        method = node.func.attr
        for place, argument in enumerate(node.args):
            if not _is(argument, name):
                continue
            if place == 0 and method in _NUMBER_FIRST:
                yield ("int",), 3.0
            elif method in _TEXT_ARGUMENTS:
                yield ("str",), 2.5
            elif method == "join":
                yield ("list", "str"), 1.5
            elif method in ("extend", "update", "fromkeys"):
                yield ("dict",) if method == "update" else ("list",), 1.5
            elif method in ("count", "index"):
                yield ("str",), 0.5


def _from_operator(
    node: ast.BinOp | ast.AugAssign, name: str
) -> Iterator[tuple[Iterable[str], float]]:
    left, right = (
        (node.left, node.right) if isinstance(node, ast.BinOp) else (node.target, node.value)
    )
    for one, other in ((left, right), (right, left)):
        if not _is(one, name):
            continue
        if isinstance(node.op, ast.Add):
            yield _shape(other), 2.0
        elif isinstance(node.op, _ARITHMETIC):
            text = isinstance(node.op, ast.Mult) and _shape(other) not in ((), ("int",))
            yield ("int",) if not text or one is right else ("str", "list", "int"), 2.0


def _from_comparison(node: ast.Compare, name: str) -> Iterator[tuple[Iterable[str], float]]:
    for operator, left, right in zip(
        node.ops, [node.left, *node.comparators], node.comparators, strict=False
    ):
        if isinstance(operator, (ast.In, ast.NotIn)):
            if _is(right, name):
                yield _CONTAINERS, 0.5
                yield _shape(left), 0.3
            elif _is(left, name):
                yield _shape(right), 0.5
            continue
        for one, other in ((left, right), (right, left)):
            if _is(one, name):
                ordering = not isinstance(operator, (ast.Eq, ast.NotEq, ast.Is, ast.IsNot))
                yield _shape(other), 2.0
                yield ("int",), 1.0 if ordering else 0.2


def _from_subscript(node: ast.Subscript, name: str) -> Iterator[tuple[Iterable[str], float]]:
    if _is(node.value, name):
        index = node.slice
        if isinstance(index, ast.Constant) and isinstance(index.value, str):
            yield ("dict",), 3.0
        elif not isinstance(node.ctx, ast.Load):
            yield ("list", "dict"), 1.0
        else:
            yield ("list", "str"), 0.7
    elif any(_is(part, name) for part in ast.walk(node.slice)):
        yield ("int",), 1.0


def _shape(node: ast.expr) -> tuple[str, ...]:
    """Return the kinds an expression plainly has."""
    if isinstance(node, ast.Constant):
        return (type(node.value).__name__,)
    if isinstance(node, (ast.List, ast.ListComp)):
        return ("list",)
    if isinstance(node, (ast.Dict, ast.DictComp)):
        return ("dict",)
    if isinstance(node, ast.JoinedStr):
        return ("str",)
    if isinstance(node, ast.Call):
        called = _named_call(node)
        if called in ("len", "int", "ord", "sum", "abs"):
            return ("int",)
        if called in ("str", "list", "dict", "set", "tuple"):
            return (called,)
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("join", "lower", "upper"):
            return ("str",)
    if isinstance(node, ast.BinOp):
        return _shape(node.left) or _shape(node.right)
    return ()


def _defaults(function: FunctionNode) -> Iterator[tuple[str, ast.expr | None]]:
    arguments = function.args
    plain = [*arguments.posonlyargs, *arguments.args]
    for item, default in zip(reversed(plain), reversed(arguments.defaults), strict=False):
        yield item.arg, default
    for item, named in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        yield item.arg, named


def _is(node: ast.AST | None, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _named_call(node: ast.AST) -> str:
    plain = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    return node.func.id if plain else ""  # type: ignore[attr-defined]


def _args(node: ast.AST) -> list[ast.expr]:
    return node.args if isinstance(node, ast.Call) else []


def _first(node: ast.AST) -> ast.expr | None:
    return next(iter(_args(node)), None)
