"""Slips: what a line would be if one thing in it were written otherwise.

Each is a whole file's text with one place changed and every line where it was.  Whether a slip
explains a failing test is found out by running it; nothing here runs.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from nsdbg.localize.pin import header_expressions
from nsdbg.source import FunctionNode

# What people write for what, likelier ones first; an exchange across a row is rare.
OPERATORS: dict[type[ast.operator], tuple[str, ...]] = {
    ast.Add: ("-", "*"), ast.Sub: ("+", "//"), ast.Mult: ("+", "//", "**"), ast.Div: ("//", "*"),
    ast.FloorDiv: ("/", "%", "*"), ast.Mod: ("//",), ast.Pow: ("*",), ast.LShift: (">>",),
    ast.RShift: ("<<",), ast.BitAnd: ("|", "^"), ast.BitOr: ("&", "^"), ast.BitXor: ("&", "|"),
}  # fmt: skip
SIGNS: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
    ast.Pow: "**", ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|",
    ast.BitXor: "^", ast.MatMult: "@",
}  # fmt: skip
COMPARISONS: dict[type[ast.cmpop], tuple[str, ...]] = {
    ast.Lt: ("<=", ">", ">="), ast.LtE: ("<", ">=", ">"), ast.Gt: (">=", "<", "<="),
    ast.GtE: (">", "<=", "<"), ast.Eq: ("!=",), ast.NotEq: ("==",), ast.In: ("not in",),
    ast.NotIn: ("in",), ast.Is: ("is not",), ast.IsNot: ("is",),
}  # fmt: skip
PAIRS = {"min": "max", "max": "min", "any": "all", "all": "any", "floor": "ceil", "ceil": "floor",
         "append": "extend", "extend": "append", "startswith": "endswith", "endswith": "startswith",
         "lstrip": "rstrip", "rstrip": "lstrip", "lower": "upper", "upper": "lower",
         "find": "rfind", "union": "intersection", "intersection": "union", "keys": "values",
         "values": "keys", "pop": "popleft", "popleft": "pop"}  # fmt: skip
# How telling it is when the test passes with a slip of this kind.  What exchanges one thing for its
# like undoes a slip; another number, or `+ 1`, makes up for others' as well; a statement left
# out, or a test that always holds, makes many a test pass by accident.
SMALL, OTHER_NAME, NUMBER, ADDED, LARGE, CRUDE = 1.0, 0.85, 0.8, 0.7, 0.65, 0.45
MOST_NAMES = 8


@dataclass(frozen=True, slots=True)
class Slip:
    """One change: the text before and after, and how telling it is in 0..1.

    `inside` stands for the bytes from `first` to `end` of the file in UTF-8; `lineno` and
    `end_lineno` are the lines of those.
    """

    lineno: int
    end_lineno: int
    was: str
    now: str
    scale: float
    first: int
    end: int
    inside: str


class Slips:
    """The slips of one file's lines."""

    def __init__(self, text: str) -> None:
        self._text = text.encode("utf-8")
        self._starts = [0]
        for line in self._text.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))

    def of(self, statement: ast.stmt, function: FunctionNode) -> Iterator[Slip]:
        """Yield the slips of a statement's own line or header, each once."""
        seen: set[tuple[int, int, str]] = set()
        for node, now, scale in _changes(statement, function):
            slip = self._slip(node, now, scale)
            if slip.was != now and (key := (slip.first, slip.end, now)) not in seen:
                seen.add(key)
                yield slip

    def changed(self, slip: Slip) -> str:
        """Return the file's text with a slip in it."""
        text = self._text[: slip.first] + slip.inside.encode() + self._text[slip.end :]
        return text.decode()

    def _slip(self, node: ast.expr | ast.stmt, now: str, scale: float) -> Slip:
        last = node.end_lineno or node.lineno
        first = self._starts[node.lineno - 1] + node.col_offset
        end = self._starts[last - 1] + (node.end_col_offset or 0)
        was = self._text[first:end].decode()
        # Lines below stay where they are, since what ran is known by lines.
        below = "\n" * was.count("\n")
        inside = f"({now}{below})" if isinstance(node, ast.expr) else now + below
        return Slip(node.lineno, last, " ".join(was.split()), now, scale, first, end, inside)


Change = tuple[ast.expr | ast.stmt, str, float]


def _changes(statement: ast.stmt, function: FunctionNode) -> Iterator[Change]:
    names = _names(function)
    for top in header_expressions(statement):
        for node in _walk(top):
            if not _is_stored(node):
                yield from _of_expression(node, names)
    if isinstance(statement, ast.AugAssign):
        target, value = ast.unparse(statement.target), ast.unparse(statement.value)
        for sign in OPERATORS.get(type(statement.op), ()):
            yield statement, f"{target} {sign}= {value}", SMALL
        yield statement, f"{target} = {value}", LARGE
    elif isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        yield from _of_assignment(statement, names)
    elif isinstance(statement, ast.If | ast.While):
        yield statement.test, f"not ({ast.unparse(statement.test)})", LARGE
        for constant in ("True", "False"):
            yield statement.test, constant, CRUDE
    elif isinstance(statement, ast.Return) and statement.value is not None:
        for name in sorted(names)[:MOST_NAMES]:
            yield statement.value, name, OTHER_NAME if isinstance(
                statement.value, ast.Name | ast.Constant) else CRUDE  # fmt: skip
        yield from ((statement.value, text, LARGE) for text in _emptied(statement.value))
    yield from _without(statement)


def _walk(node: ast.AST) -> Iterator[ast.expr]:
    """Yield expressions from the outside in; before 3.12 those in an f-string have no place."""
    if isinstance(node, ast.JoinedStr):
        return
    if isinstance(node, ast.expr):
        yield node
    for child in ast.iter_child_nodes(node):
        yield from _walk(child)


def _is_stored(node: ast.expr) -> bool:
    return not isinstance(getattr(node, "ctx", ast.Load()), ast.Load)


def _names(function: FunctionNode) -> frozenset[str]:
    """Return the names that a function binds, its parameters among them, `self` not."""
    bound = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)
             and isinstance(node.ctx, ast.Store)}  # fmt: skip
    taken = {node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)}
    return frozenset((bound | taken) - {"self", "cls"})


def _without(statement: ast.stmt) -> Iterator[Change]:
    if isinstance(statement, ast.Expr | ast.Assign | ast.AugAssign | ast.Continue | ast.Break):
        yield statement, "pass", CRUDE
    if isinstance(statement, ast.Break):
        yield statement, "continue", SMALL
    elif isinstance(statement, ast.Continue):
        yield statement, "break", SMALL


def _of_assignment(statement: ast.Assign, names: frozenset[str]) -> Iterator[Change]:
    target, value = ast.unparse(statement.targets[0]), ast.unparse(statement.value)
    for sign in ("+", "-", "*"):
        yield statement, f"{target} {sign}= {value}", LARGE
    if isinstance(statement.targets[0], ast.Name):
        for name in sorted(names - {target})[:MOST_NAMES]:
            yield statement, f"{name} = {value}", OTHER_NAME
    yield from ((statement.value, text, LARGE) for text in _emptied(statement.value))


def _emptied(value: ast.expr) -> Iterator[str]:
    """Yield other constants in the place of one."""
    if isinstance(value, ast.Constant) and isinstance(value.value, int | float):
        yield from ("0", "1", "-1", "None")
    elif isinstance(value, ast.Constant) and value.value is None:
        yield from ("0", "1", "[]", "''", "True", "False")


def _of_expression(node: ast.expr, names: frozenset[str]) -> Iterator[Change]:
    if isinstance(node, ast.BinOp):
        yield from _of_operation(node)
    elif isinstance(node, ast.UnaryOp):
        yield node, ast.unparse(node.operand), SMALL
    elif isinstance(node, ast.Compare) and len(node.ops) == 1:
        left, right = ast.unparse(node.left), ast.unparse(node.comparators[0])
        for place, sign in enumerate(COMPARISONS[type(node.ops[0])]):
            yield node, f"{left} {sign} {right}", SMALL if place == 0 else OTHER_NAME
        if isinstance(node.ops[0], ast.Lt | ast.LtE | ast.Gt | ast.GtE):
            for step in (" + 1", " - 1"):
                yield node.comparators[0], right + step, ADDED
    elif isinstance(node, ast.BoolOp):
        yield from _of_choice(node)
    elif isinstance(node, ast.Constant):
        yield from _of_constant(node, names)
    elif isinstance(node, ast.Name):
        if node.id in names:
            yield from ((node, name, OTHER_NAME) for name in sorted(names - {node.id})[:MOST_NAMES])
            if len(names) <= MOST_NAMES:
                yield from ((node, f"{node.id} {step} 1", LARGE) for step in "+-")
        elif node.id in PAIRS:
            yield node, PAIRS[node.id], SMALL
    elif isinstance(node, ast.Call):
        yield from _of_call(node)
    elif isinstance(node, ast.Subscript):
        yield from _of_subscript(node)
    elif isinstance(node, ast.Attribute) and node.attr in PAIRS:
        yield node, f"{ast.unparse(node.value)}.{PAIRS[node.attr]}", SMALL
    elif isinstance(node, ast.IfExp):
        test, one, other = (ast.unparse(part) for part in (node.test, node.body, node.orelse))
        yield node, f"{other} if {test} else {one}", SMALL
    elif isinstance(node, ast.Yield) and node.value is not None:
        yield node, f"yield from {ast.unparse(node.value)}", SMALL
    elif isinstance(node, ast.YieldFrom):
        yield node, f"yield {ast.unparse(node.value)}", SMALL


def _of_operation(node: ast.BinOp) -> Iterator[Change]:
    left, right = ast.unparse(node.left), ast.unparse(node.right)
    for place, sign in enumerate(OPERATORS.get(type(node.op), ())):
        yield node, f"({left}) {sign} ({right})", SMALL if place == 0 else OTHER_NAME
    if isinstance(node.op, ast.Sub | ast.Div | ast.FloorDiv | ast.Mod | ast.Pow | ast.Add):
        yield node, f"({right}) {SIGNS[type(node.op)]} ({left})", SMALL
    for part in (left, right):
        yield node, part, OTHER_NAME


def _of_choice(node: ast.BoolOp) -> Iterator[Change]:
    parts = [ast.unparse(part) for part in node.values]
    other = " or " if isinstance(node.op, ast.And) else " and "
    yield node, other.join(f"({part})" for part in parts), SMALL
    same = " and " if isinstance(node.op, ast.And) else " or "
    for place in range(len(parts)):
        rest = parts[:place] + parts[place + 1 :]
        yield node, same.join(f"({part})" for part in rest), OTHER_NAME


def _of_constant(node: ast.Constant, names: frozenset[str]) -> Iterator[Change]:
    if isinstance(node.value, bool):
        yield node, str(not node.value), SMALL
    elif isinstance(node.value, int):
        for text in (node.value + 1, node.value - 1, *([0] if abs(node.value) > 1 else [])):
            yield node, str(text), NUMBER
        yield from ((node, name, NUMBER) for name in sorted(names)[:MOST_NAMES])
    elif isinstance(node.value, float):
        yield node, repr(node.value + 1), OTHER_NAME
        yield node, repr(-node.value), OTHER_NAME


def _of_call(node: ast.Call) -> Iterator[Change]:
    given = [ast.unparse(one) for one in node.args]
    called = ast.unparse(node.func)
    named = [ast.unparse(one) for one in node.keywords]
    for place in range(len(given) - 1):
        swapped = [*given[:place], given[place + 1], given[place], *given[place + 2 :]]
        yield node, f"{called}({', '.join([*swapped, *named])})", SMALL
    if called == "range" and given:
        last = len(given) - 1 if len(given) < 3 else 1
        for step in ("+ 1", "- 1"):
            changed = [*given[:last], f"{given[last]} {step}", *given[last + 1 :]]
            yield node, f"range({', '.join(changed)})", NUMBER
        if len(given) == 1:
            yield node, f"range(1, {given[0]})", ADDED
            yield node, f"range(1, {given[0]} + 1)", ADDED
    elif len(given) == 1 and not named:
        yield node, given[0], OTHER_NAME  # `sorted(rows)`, `abs(gap)`, `copy(row)` left out
    elif not given and not named and isinstance(node.func, ast.Attribute):
        yield node, ast.unparse(node.func.value), OTHER_NAME
    if len(given) > 1:
        for place, text in enumerate(given):
            for step in ("+ 1", "- 1"):
                changed = [*given[:place], f"{text} {step}", *given[place + 1 :]]
                yield node, f"{called}({', '.join([*changed, *named])})", LARGE


def _of_subscript(node: ast.Subscript) -> Iterator[Change]:
    owner = ast.unparse(node.value)
    if isinstance(node.slice, ast.Slice):
        low = ast.unparse(node.slice.lower) if node.slice.lower else ""
        high = ast.unparse(node.slice.upper) if node.slice.upper else ""
        if node.slice.step is None:
            yield node, owner, OTHER_NAME
            for step in ("+ 1", "- 1"):
                yield node, f"{owner}[{f'{low} {step}' if low else ''}:{high}]", ADDED
                yield node, f"{owner}[{low}:{f'{high} {step}' if high else ''}]", ADDED
            yield node, f"{owner}[1:{high}]", ADDED
            yield node, f"{owner}[{high}:{low}]", SMALL
    else:
        index = ast.unparse(node.slice)
        for step in ("+ 1", "- 1"):
            yield node, f"{owner}[{index} {step}]", ADDED
