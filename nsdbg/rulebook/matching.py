"""Structural matching of a pattern's tree with a node: each way in which it fits.

Knows nothing of text: `pattern` compiles it.  Order counts where Python's order does.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

Bound = ast.AST | str
Bindings = dict[str, Bound]

# A metavariable is an identifier for the parser; nobody's program has names like these.
META = "__nsdbg_meta_"
REST = "__nsdbg_rest"
ANYTHING = "_"
OPERATOR = "operator"  # what `@`, which stands for any operator, binds
_SYMBOLS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
    ast.Pow: "**", ast.LShift: "<<", ast.RShift: ">>", ast.BitOr: "|", ast.BitAnd: "&",
    ast.BitXor: "^", ast.MatMult: "@",
}  # fmt: skip


# Fields that do not change what the code means, or that a pattern leaves open.
_IGNORED = frozenset(
    {"ctx", "type_comment", "kind", "lineno", "col_offset", "end_lineno", "end_col_offset",
     "type_ignores", "type_params", "simple", "returns", "level"}
)  # fmt: skip


def text_of(bound: Bound) -> str:
    """Return the text that a metavariable stands for, on one line."""
    return bound if isinstance(bound, str) else ast.unparse(bound)


def metavariable(node: object) -> str | None:
    name = node.id if isinstance(node, ast.Name) else node
    return name[len(META) :] if isinstance(name, str) and name.startswith(META) else None


def _is_rest(node: object) -> bool:
    if isinstance(node, ast.Expr):
        node = node.value
    return isinstance(node, ast.Constant) and node.value is ...


def _bind(name: str, value: Bound, bindings: Bindings) -> Iterator[Bindings]:
    if name == ANYTHING:
        yield bindings
    elif name not in bindings:
        yield {**bindings, name: value}
    elif text_of(bindings[name]) == text_of(value):
        yield bindings


def match(pattern: object, node: object, bindings: Bindings) -> Iterator[Bindings]:
    """Yield each way in which a pattern's node, list, identifier or constant fits."""
    name = metavariable(pattern)
    if name is not None:
        if isinstance(node, (ast.expr, str)):
            yield from _bind(name, node, bindings)
    elif isinstance(pattern, list):
        if isinstance(node, list):
            yield from _sequence(pattern, node, bindings)
    elif isinstance(pattern, ast.AST):
        if isinstance(node, ast.AST):
            yield from _node(pattern, node, bindings)
    elif type(pattern) is type(node) and pattern == node:
        yield bindings


def _node(pattern: ast.AST, node: ast.AST, bindings: Bindings) -> Iterator[Bindings]:
    if isinstance(pattern, ast.FunctionDef) and isinstance(node, ast.AsyncFunctionDef):
        yield from _function(pattern, node, bindings)
    elif isinstance(pattern, ast.Assign) and isinstance(node, (ast.Assign, ast.AnnAssign)):
        yield from _assignment(pattern, node, bindings)
    elif type(pattern) is not type(node):
        return
    elif isinstance(pattern, ast.FunctionDef) and isinstance(node, ast.FunctionDef):
        yield from _function(pattern, node, bindings)
    elif isinstance(pattern, ast.Call) and isinstance(node, ast.Call):
        yield from _call(pattern, node, bindings)
    elif isinstance(pattern, ast.Dict) and isinstance(node, ast.Dict):
        yield from _dict(pattern, node, bindings)
    elif isinstance(pattern, ast.ExceptHandler):
        fields = ("type", "name", "body") if pattern.name else ("type", "body")
        yield from _fields(pattern, node, fields, bindings)
    elif isinstance(pattern, ast.Try) and isinstance(node, ast.Try):
        yield from _try(pattern, node, bindings)
    elif isinstance(pattern, (ast.BinOp, ast.AugAssign)) and isinstance(pattern.op, ast.MatMult):
        yield from _any_operator(pattern, node, bindings)
    elif isinstance(pattern, (ast.Global, ast.Nonlocal)):
        yield from _some(pattern.names, getattr(node, "names", []), bindings)
    else:
        yield from _fields(pattern, node, pattern._fields, bindings)


def _fields(
    pattern: ast.AST, node: ast.AST, fields: Sequence[str], bindings: Bindings
) -> Iterator[Bindings]:
    fields = [field for field in fields if field not in _IGNORED]
    if not fields:
        yield bindings
        return
    first = fields[0]
    for found in match(getattr(pattern, first, None), getattr(node, first, None), bindings):
        yield from _fields(pattern, node, fields[1:], found)


def _sequence(
    patterns: Sequence[object], nodes: Sequence[object], bindings: Bindings
) -> Iterator[Bindings]:
    if not patterns:
        if not nodes:
            yield bindings
    elif _is_rest(patterns[0]):
        if len(patterns) == 1:
            yield bindings
            return
        for start in range(len(nodes) + 1):
            yield from _sequence(patterns[1:], nodes[start:], bindings)
    elif nodes:
        for found in match(patterns[0], nodes[0], bindings):
            yield from _sequence(patterns[1:], nodes[1:], found)


def _some(
    patterns: Sequence[object], nodes: Sequence[object], bindings: Bindings
) -> Iterator[Bindings]:
    """Match each pattern with one of the nodes, in any order; other nodes may remain."""
    if not patterns:
        yield bindings
        return
    for at, node in enumerate(nodes):
        for found in match(patterns[0], node, bindings):
            yield from _some(patterns[1:], [*nodes[:at], *nodes[at + 1 :]], found)


def _any_operator(
    pattern: ast.BinOp | ast.AugAssign, node: ast.AST, bindings: Bindings
) -> Iterator[Bindings]:
    symbol = _SYMBOLS[type(node.op)] if isinstance(node, (ast.BinOp, ast.AugAssign)) else ""
    if isinstance(node, ast.AugAssign):
        symbol += "="
    fields = [field for field in pattern._fields if field != "op"]
    for found in _bind(OPERATOR, symbol, bindings):
        yield from _fields(pattern, node, fields, found)


def _call(pattern: ast.Call, node: ast.Call, bindings: Bindings) -> Iterator[Bindings]:
    is_open = any(map(_is_rest, pattern.args))
    if not is_open and len(pattern.keywords) != len(node.keywords):
        return
    for found in _fields(pattern, node, ("func", "args"), bindings):
        yield from _some(pattern.keywords, node.keywords, found)


def _dict(pattern: ast.Dict, node: ast.Dict, bindings: Bindings) -> Iterator[Bindings]:
    if not any(map(_is_rest, pattern.keys)):  # in order: a later item replaces an earlier one
        yield from _fields(pattern, node, ("keys", "values"), bindings)
        return
    wanted = [item for item in zip(pattern.keys, pattern.values, strict=True)
              if not _is_rest(item[0])]  # fmt: skip
    yield from _items(wanted, list(zip(node.keys, node.values, strict=True)), bindings)


def _items(
    wanted: Sequence[tuple[ast.expr | None, ast.expr]],
    items: Sequence[tuple[ast.expr | None, ast.expr]],
    bindings: Bindings,
) -> Iterator[Bindings]:
    if not wanted:
        yield bindings
        return
    for at, (key, value) in enumerate(items):
        rest = [*items[:at], *items[at + 1 :]]
        for found in match(wanted[0][0], key, bindings):
            for both in match(wanted[0][1], value, found):
                yield from _items(wanted[1:], rest, both)


def _assignment(
    pattern: ast.Assign, node: ast.Assign | ast.AnnAssign, bindings: Bindings
) -> Iterator[Bindings]:
    if node.value is None:
        return
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    for found in _some(pattern.targets, targets, bindings):
        yield from match(pattern.value, node.value, found)


def _try(pattern: ast.Try, node: ast.Try, bindings: Bindings) -> Iterator[Bindings]:
    fields = ["body"] + [field for field in ("orelse", "finalbody") if getattr(pattern, field)]
    for found in _fields(pattern, node, fields, bindings):
        yield from _some(pattern.handlers, node.handlers, found)


def _function(
    pattern: ast.FunctionDef, node: ast.FunctionDef | ast.AsyncFunctionDef, bindings: Bindings
) -> Iterator[Bindings]:
    for named in match(pattern.name, node.name, bindings):
        for decorated in _some(pattern.decorator_list, node.decorator_list, named):
            for given in _parameters(pattern.args, node.args, decorated):
                yield from _sequence(pattern.body, node.body, given)


def _parameters(
    pattern: ast.arguments, node: ast.arguments, bindings: Bindings
) -> Iterator[Bindings]:
    wanted, present = _defaults(pattern), _defaults(node)
    is_open = pattern.vararg is not None and pattern.vararg.arg == REST
    if not is_open and len(wanted) != len(present):
        return
    yield from _parameter_list(wanted, present, bindings)


_Parameter = tuple[str, ast.expr | None]


def _defaults(args: ast.arguments) -> list[_Parameter]:
    plain = [*args.posonlyargs, *args.args]
    padding: list[ast.expr | None] = [None] * (len(plain) - len(args.defaults))
    found = [(arg.arg, default)
             for arg, default in zip(plain, [*padding, *args.defaults], strict=True)]  # fmt: skip
    return found + [
        (arg.arg, default) for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True)
    ]


def _parameter_list(
    wanted: Sequence[_Parameter], present: Sequence[_Parameter], bindings: Bindings
) -> Iterator[Bindings]:
    if not wanted:
        yield bindings
        return
    name, default = wanted[0]
    for other, other_default in present:
        for found in match(name, other, bindings):
            if default is None:  # a pattern without a default leaves it open
                yield from _parameter_list(wanted[1:], present, found)
                continue
            for both in match(default, other_default, found):
                yield from _parameter_list(wanted[1:], present, both)
