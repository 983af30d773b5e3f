"""Values as text that stands for exactly them, or as text that only shows them.

Nothing is called of a value whose text is exact; showing one calls its `__repr__`.
"""

# It runs on 3.8.
# ruff: noqa: UP006, UP031, UP035, UP045, B905

import ast
import re
from typing import Any, List, NamedTuple, Optional

MOST_CHARS = 64 * 1024
SHOWN_CHARS = 4000
DEEPEST = 60
_SPELT = frozenset([int, bool, bytes, str, type(None), type(...), type(NotImplemented), range])
_NUMBERS = frozenset([float, complex])
_PLAIN = frozenset([int, bool, bytes, str, type(None)])
_INFINITY = float("inf")
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
# What a text may call: it makes values and does nothing else.
_NAMES = {
    "nan": float("nan"), "inf": float("inf"), "NotImplemented": NotImplemented, "set": set,
    "frozenset": frozenset, "float": float, "range": range, "__builtins__": {},
    "bytearray": lambda data: bytearray(memoryview(data)),
}  # fmt: skip
_NODES = (
    ast.Expression, ast.Constant, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.Name, ast.Call,
    ast.UnaryOp, ast.USub, ast.UAdd, ast.BinOp, ast.Add, ast.Sub, ast.Load,
)  # fmt: skip


class Shown(NamedTuple):
    """A value's text and type name; `exact` when the text stands for exactly this value.

    `literal`: `ast.literal_eval` reads it, too.  `cut`: the text was longer.
    """

    text: str
    type: str
    exact: bool
    literal: bool
    cut: bool


def exact(value: Any, depth: int = DEEPEST) -> Optional[str]:
    """Return a value's text when it stands for it, with exact types all the way down; else None."""
    kind = type(value)
    if depth == 0:
        return None
    if kind in _SPELT or kind in _NUMBERS or kind is bytearray:
        try:
            return repr(value)
        except ValueError:  # an int with more digits than Python converts
            return hex(value)
    if kind is list:
        return _joined("[%s]", value, depth)
    if kind is tuple:
        return _joined("(%s,)" if len(value) == 1 else "(%s)", value, depth)
    if kind is dict:
        keys, items = _texts(value, depth), _texts(value.values(), depth)
        if keys is None or items is None:
            return None
        return "{%s}" % ", ".join(map(": ".join, zip(keys, items)))
    if kind is set or kind is frozenset:
        texts = _texts(value, depth)
        if texts is None:
            return None
        if not texts:
            return kind.__name__ + "()"
        return ("{%s}" if kind is set else "frozenset({%s})") % ", ".join(sorted(texts))
    return None


def _joined(form: str, items: Any, depth: int) -> Optional[str]:
    texts = _texts(items, depth)
    return None if texts is None else form % ", ".join(texts)


def _texts(items: Any, depth: int) -> Optional[List[str]]:
    texts = []
    for item in items:
        text = exact(item, depth - 1)
        if text is None:
            return None
        texts.append(text)
    return texts


def shown(value: Any) -> Shown:
    """Return a value as text, whatever it is."""
    text = exact(value)
    name = type(value).__name__
    if text is not None and len(text) <= MOST_CHARS:
        return Shown(text, name, True, _is_literal(value), False)
    try:
        text = repr(value)
        text = text if type(text) is str else str.__str__(text)
    except Exception:
        text = "<%s>" % name
    text = _ADDRESS.sub("", text)
    return Shown(text[:SHOWN_CHARS], name, False, False, len(text) > SHOWN_CHARS)


def _is_literal(value: Any) -> bool:
    """Tell whether `ast.literal_eval` reads the exact text of a value."""
    kind = type(value)
    if kind in _NUMBERS:
        return bool(value == value) and abs(value) != _INFINITY
    if kind is dict:
        return all(map(_is_literal, value)) and all(map(_is_literal, value.values()))
    if kind is set:
        return bool(value) and all(map(_is_literal, value))
    if kind is list or kind is tuple:
        return all(map(_is_literal, value))
    return kind in _PLAIN


def spelt(text: str) -> Optional[str]:
    """Return the exact text of what a literal stands for, however it is spelt; None for none."""
    try:
        return exact(value_of(text))
    except NotALiteral:
        return None


class NotALiteral(ValueError):
    """A text that stands for no value."""


def value_of(text: str) -> Any:
    """Return a new value that a literal stands for; raises NotALiteral."""
    try:
        tree = ast.parse(text.strip(), mode="eval")
        for node in ast.walk(tree):
            named = isinstance(node, ast.Name) and node.id not in _NAMES
            if named or not isinstance(node, _NODES):
                raise NotALiteral(text[:80])
        return eval(compile(tree, "<literal>", "eval"), dict(_NAMES))
    except (
        ValueError,
        SyntaxError,
        TypeError,
        OverflowError,
        MemoryError,
        RecursionError,
    ) as error:
        raise NotALiteral(text[:80]) from error
