"""Literal text read into values, and the comparison that tells 1, True and 1.0 apart.

Wider than `ast.literal_eval`: it also reads `nan`, `inf`, `set()`, `frozenset(...)`, `...` and
`range(...)`, as their reprs spell them.  Calls nothing of the debugged program.
"""

import ast
from functools import lru_cache
from math import copysign
from operator import itemgetter
from typing import Any, Callable, Dict, List, Tuple

from .values import MAX_CHARS, Snapshot, snapshot

_NAMES = {"nan": float("nan"), "inf": float("inf"), "NotImplemented": NotImplemented}
_CALLS: Dict[str, Callable[..., Any]] = {
    "set": set,
    "frozenset": frozenset,
    "float": float,
    "bytearray": lambda data: bytearray(memoryview(data)),  # of bytes, not a size to allocate
    "range": range,
}


_first = itemgetter(0)


class NotALiteral(ValueError):
    """A text that is not a literal, or is too long or too deep to be read as one."""


@lru_cache(maxsize=4096)
def _tree(text: str) -> ast.expr:
    if len(text) > 2 * MAX_CHARS:
        raise NotALiteral("the text is longer than %d characters" % (2 * MAX_CHARS))
    try:
        # As `ast.parse`, which is Python code that a patched builtin would reach.
        tree = compile(text.strip(), "<literal>", "eval", ast.PyCF_ONLY_AST, dont_inherit=True)
        return tree.body  # type: ignore[attr-defined, no-any-return]
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise NotALiteral("not a literal: %.80r" % text) from error


def parse(text: str) -> Any:
    """Return the value that a literal stands for; raises NotALiteral."""
    try:
        return _value(_tree(text))
    except (TypeError, ValueError, OverflowError, MemoryError, RecursionError) as error:
        if isinstance(error, NotALiteral):
            raise
        raise NotALiteral("not a literal: %.80r" % text) from error


def _value(node: ast.expr) -> Any:
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.List):
        return _values(node.elts)
    if isinstance(node, ast.Tuple):
        return tuple(_values(node.elts))
    if isinstance(node, ast.Set):
        return set(_values(node.elts))
    if isinstance(node, ast.Dict) and None not in node.keys:
        return dict(zip(_values([key for key in node.keys if key]), _values(node.values)))
    if isinstance(node, ast.Name) and node.id in _NAMES:
        return _NAMES[node.id]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        return _signed(node)
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        return _complex(node)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        call = _CALLS.get(node.func.id)
        if call is not None and len(node.args) <= 3:
            return call(*_values(node.args))
    raise NotALiteral("not a literal: %s" % type(node).__name__)


def _values(nodes: List[ast.expr]) -> List[Any]:
    return [_value(node) for node in nodes]


def _signed(node: ast.UnaryOp) -> Any:
    operand = _value(node.operand)
    if type(operand) not in (int, float, complex):
        raise NotALiteral("a sign before %s" % type(operand).__name__)
    return -operand if isinstance(node.op, ast.USub) else +operand


def _complex(node: ast.BinOp) -> Any:
    left, right = _value(node.left), _value(node.right)
    if type(left) not in (int, float) or type(right) is not complex:
        raise NotALiteral("an operation that makes no complex number")
    return left + right if isinstance(node.op, ast.Add) else left - right


def same(expected: Any, actual: Any) -> bool:
    """Whether two values are alike in type and structure, all the way down.

    `expected` comes from `parse`, so it is finite and built of exact builtin types; `actual` may be
    anything, since nothing of it is called.  nan is like nan, -0.0 is not like 0.0; dicts are
    compared in order, sets without.
    """
    kind = type(expected)
    if kind is not type(actual):
        return False
    if kind is float:
        return _same_float(expected, actual)
    if kind is complex:
        return _same_float(expected.real, actual.real) and _same_float(expected.imag, actual.imag)
    if kind is list or kind is tuple:
        return len(expected) == len(actual) and all(map(same, expected, actual))
    if kind is dict:
        return (
            len(expected) == len(actual)
            and all(map(same, expected, actual))
            and all(map(same, expected.values(), actual.values()))
        )
    if kind is set or kind is frozenset:
        return len(expected) == len(actual) and _same_elements(expected, actual)
    return kind in _PLAIN and bool(expected == actual)


_PLAIN = frozenset(
    [int, str, bytes, bool, type(None), bytearray, range, type(Ellipsis), type(NotImplemented)]
)


def _same_float(expected: float, actual: float) -> bool:
    if expected != expected:
        return actual != actual
    return expected == actual and copysign(1.0, expected) == copysign(1.0, actual)


def _same_elements(expected: Any, actual: Any) -> bool:
    # Paired by their texts, since looking elements up would call __eq__ of objects that share a
    # hash; then compared, since texts do not tell all: `frozenset({'a'})` may hold a str subclass.
    given, wanted = _by_text(actual), _by_text(expected)
    if any(text.truncated for text, _ in given):
        return False
    return all(
        one[0] == other[0] and same(other[1], one[1]) for one, other in zip(given, wanted)
    )  # fmt: skip


def _by_text(elements: Any) -> List[Tuple[Snapshot, Any]]:
    pairs = [(snapshot(element), element) for element in elements]
    pairs.sort(key=_first)
    return pairs


def same_text(expected: str, actual: str) -> bool:
    """Whether two literals stand for alike values; raises NotALiteral for either."""
    return same(parse(expected), parse(actual))
