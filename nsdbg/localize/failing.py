"""Which operation raises which exception, and which of its parts has the bad value.

One function for each operation of the language; the messages are CPython's, of 3.8 to 3.14.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

Parts = Iterator[tuple[ast.expr, str]]

OPERATORS: dict[type[ast.operator], tuple[str, ...]] = {
    ast.Add: ("+", "+="), ast.Sub: ("-", "-="), ast.Mult: ("*", "*="), ast.Div: ("/", "/="),
    ast.FloorDiv: ("//", "//="), ast.Mod: ("%", "%="), ast.Pow: ("** or pow()", "**="),
    ast.MatMult: ("@", "@="), ast.LShift: ("<<", "<<="), ast.RShift: (">>", ">>="),
    ast.BitAnd: ("&", "&="), ast.BitOr: ("|", "|="), ast.BitXor: ("^", "^="),
}  # fmt: skip
OPERAND_ERROR = re.compile(r"unsupported operand type\(s\) for (?P<op>.+?): ")
ATTRIBUTE_ERROR = re.compile(r"has no attribute '(?P<name>[^']+)'")
NAME_ERROR = re.compile(r"(?:name|variable) '(?P<name>[^']+)'")
NOT_A_CONTAINER = re.compile(
    r"not subscriptable|does not support item|indices must be|no attribute '__getitem__'"
    r"|unhashable type|is not a generic class|index out of range"
)
# Where a message names the type of a bad value; `left` and `right` for the two operands.
TYPES_NAMED = tuple(re.compile(pattern) for pattern in (
    r"^'(?P<bad>[\w.]+)' object ", r"of type '(?P<bad>[\w.]+)'", r'\(not "(?P<bad>[\w.]+)"\)',
    r"'(?P<left>[\w.]+)' and '(?P<right>[\w.]+)'", r"non-iterable (?P<bad>[\w.]+) object",
    r"unhashable type: '(?P<bad>[\w.]+)'", r"unary .+: '(?P<bad>[\w.]+)'",
    r"not '?(?P<bad>[\w.]+)'?$", r"not (?P<bad>[\w.]+)[;,]",
))  # fmt: skip
SHIFTS = (ast.LShift, ast.RShift)
DIVISIONS = (ast.Div, ast.FloorDiv, ast.Mod)
# These name what failed; a call that raised them has a frame of its own below.
OF_NO_CALL = ("NameError", "UnboundLocalError", "AttributeError", "ZeroDivisionError")
READERS = ("input", "readline", "next")


def parts(node: ast.expr, statement: ast.stmt, kind: str, message: str) -> Parts:
    """Yield the parts of an operation that may have made it raise `kind`, likely first.

    Yields nothing when the operation cannot have raised it.  Each comes with its role's name.
    """
    if isinstance(statement, ast.AugAssign) and node in (statement.target, statement.value):
        yield from _operands(statement.op, statement.target, statement.value, kind, message)
    yield from _unpacked(node, statement, kind, message)
    if isinstance(node, ast.Subscript):
        yield from _subscript(node, kind, message)
    elif isinstance(node, ast.Attribute):
        yield from _attribute(node, kind, message)
    elif isinstance(node, ast.Name):
        yield from _name(node, kind, message)
    elif isinstance(node, ast.BinOp):
        yield from _operands(node.op, node.left, node.right, kind, message)
    elif isinstance(node, ast.Compare):
        yield from _compare(node, kind, message)
    elif isinstance(node, ast.Call):
        yield from _call(node, kind, message)
    elif isinstance(node, ast.UnaryOp) and "bad operand type for unary" in message:
        yield node.operand, "OPERAND"
    yield from _iterated(node, statement, kind, message)


def had_type(message: str, place: int) -> str | None:
    """Return the type a message names for the bad value; `place` counts the operands from 0."""
    for pattern in TYPES_NAMED:
        named = pattern.search(message)
        if named is not None:
            groups = named.groupdict()
            if "bad" in groups:
                return groups["bad"] if place == 0 else None
            return groups["left"] if place == 0 else groups["right"]
    return None


def tested_parts(test: ast.expr) -> Iterator[ast.expr]:
    """Yield the values a test reads: names, attributes and subscripts, outermost ones only."""
    if isinstance(test, ast.Name | ast.Attribute | ast.Subscript):
        yield test
    else:
        for child in ast.iter_child_nodes(test):
            if isinstance(child, ast.expr):
                yield from tested_parts(child)


def _subscript(node: ast.Subscript, kind: str, message: str) -> Parts:
    if kind == "IndexError" and "pop" not in message:
        yield node.slice, "INDEX"
        yield node.value, "CONTAINER"
    elif kind == "KeyError":
        key = _constant(node.slice)
        if key is None or repr(key) == message.strip():
            yield node.slice, "INDEX"
            yield node.value, "CONTAINER"
    elif kind == "TypeError" and NOT_A_CONTAINER.search(message):
        index_is_bad = "indices must be" in message or "unhashable" in message
        yield node.slice if index_is_bad else node.value, "INDEX" if index_is_bad else "CONTAINER"
        yield node.value if index_is_bad else node.slice, "CONTAINER" if index_is_bad else "INDEX"


def _constant(node: ast.expr) -> object:
    return node.value if isinstance(node, ast.Constant) else None


def _attribute(node: ast.Attribute, kind: str, message: str) -> Parts:
    if kind == "AttributeError":
        named = ATTRIBUTE_ERROR.search(message)
        if named is None or named["name"] == node.attr:
            yield node.value, "RECEIVER"


def _name(node: ast.Name, kind: str, message: str) -> Parts:
    if kind in ("NameError", "UnboundLocalError"):
        named = NAME_ERROR.search(message)
        if named is not None and named["name"] == node.id:
            yield node, "NAME"


def _operands(op: ast.operator, left: ast.expr, right: ast.expr, kind: str, message: str) -> Parts:
    if kind == "ZeroDivisionError" and isinstance(op, DIVISIONS):
        yield right, "DIVISOR"
    elif kind == "ValueError" and "shift count" in message and isinstance(op, SHIFTS):
        yield right, "OPERAND"
    elif kind == "OverflowError":
        yield left, "OPERAND"
        yield right, "OPERAND"
    elif kind == "TypeError" and _operator_fits(op, message):
        bad_right = "can only concatenate" in message or "must be str, not" in message
        yield (right, "OPERAND") if bad_right else (left, "OPERAND")
        yield (left, "OPERAND") if bad_right else (right, "OPERAND")


def _operator_fits(op: ast.operator, message: str) -> bool:
    named = OPERAND_ERROR.search(message)
    if named is not None:
        return named["op"] in OPERATORS[type(op)]
    if "concatenate" in message or "must be str, not" in message:
        return isinstance(op, ast.Add)
    if "can't multiply sequence" in message:
        return isinstance(op, ast.Mult)
    return isinstance(op, ast.Mod) and ("format" in message or "arguments" in message)


def _compare(node: ast.Compare, kind: str, message: str) -> Parts:
    compared = kind == "TypeError" and "not supported between instances" in message
    contained = kind == "TypeError" and ("is not iterable" in message or "requires" in message)
    if compared or (contained and any(isinstance(op, ast.In | ast.NotIn) for op in node.ops)):
        values = [node.left, *node.comparators]
        for value in reversed(values) if contained else values:
            yield value, "OPERAND"


def _call(node: ast.Call, kind: str, message: str) -> Parts:
    called = _called_name(node.func)
    if kind == "TypeError" and "is not callable" in message:
        yield node.func, "CALLEE"
    elif kind == "TypeError" and (named := re.match(r"([\w.<>]+)\(\) ", message)):
        # `Solution.total() missing 1 required positional argument`: the call and the signature.
        if named[1].rsplit(".", 1)[-1] in (called, "__init__", "__new__"):
            yield node.func, "CALLEE"
    elif kind == "IndexError" and "pop" in message:
        if called in ("pop", "popleft", "heappop", "popitem"):
            yield _receiver(node), "CONTAINER"
            yield from ((argument, "INDEX") for argument in node.args if called == "pop")
    elif kind in ("EOFError", "StopIteration"):
        if called in READERS:
            yield node, "READ"
    elif kind == "RecursionError":
        yield node.func, "CALLEE"
        yield from ((argument, "ARGUMENT") for argument in node.args)
    elif kind not in OF_NO_CALL and _can_raise(node, called, kind, message):
        yield from _arguments(node, kind)


def _can_raise(node: ast.Call, called: str, kind: str, message: str) -> bool:
    """Whether a call of this name can raise the message; any can, unless the message names one."""
    if "has no len()" in message:
        return called == "len"
    named = re.search(r"\b(int|float|complex)\(\)", message)
    if named or "could not convert string to float" in message:
        return called in (named[1] if named else "float", "map", "sum", "list", "array")
    if "is not in list" in message or "x not in" in message:
        return called in ("index", "remove")
    if kind == "KeyError":
        return called in (
            "pop",
            "remove",
            "popitem",
            "format_map",
            "format",
            "itemgetter",
            "getenv",
        )
    return not (kind == "IndexError" and called in ("len", "range", "str", "int", "print"))


def _arguments(node: ast.Call, kind: str) -> Parts:
    for argument in node.args:
        yield argument.value if isinstance(argument, ast.Starred) else argument, "ARGUMENT"
    for keyword in node.keywords:
        yield keyword.value, "ARGUMENT"
    if isinstance(node.func, ast.Attribute):
        yield node.func.value, "CONTAINER" if kind in ("KeyError", "ValueError") else "RECEIVER"
    elif not node.args and not node.keywords:
        yield node.func, "CALLEE"


def _called_name(func: ast.expr) -> str:
    if isinstance(func, ast.Attribute):
        return func.attr
    return func.id if isinstance(func, ast.Name) else ""


def _receiver(node: ast.Call) -> ast.expr:
    if isinstance(node.func, ast.Attribute):
        return node.func.value
    return node.args[0] if node.args else node.func


def _unpacked(node: ast.expr, statement: ast.stmt, kind: str, message: str) -> Parts:
    wrong_count = kind == "ValueError" and "values to unpack" in message
    no_iterable = kind == "TypeError" and "cannot unpack non-iterable" in message
    if not (wrong_count or no_iterable):
        return
    if isinstance(statement, ast.Assign) and any(
        isinstance(target, ast.Tuple | ast.List) for target in statement.targets
    ):
        if node is statement.value or node in statement.targets:
            yield statement.value, "UNPACKED"
    elif isinstance(statement, ast.For | ast.AsyncFor):
        if node in (statement.target, statement.iter):
            yield statement.iter, "UNPACKED"
    elif isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
        yield from ((one.iter, "UNPACKED") for one in node.generators)


def _iterated(node: ast.expr, statement: ast.stmt, kind: str, message: str) -> Parts:
    if kind != "TypeError" or "not iterable" not in message:
        return
    if isinstance(statement, ast.For | ast.AsyncFor) and node is statement.iter:
        yield node, "OPERAND"
    elif isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
        yield from ((one.iter, "OPERAND") for one in node.generators)
    elif isinstance(node, ast.Starred):
        yield node.value, "OPERAND"
