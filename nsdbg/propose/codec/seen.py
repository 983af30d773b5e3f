"""Values as text, and text as values: what a run would show of a value that the evaluator made."""

from __future__ import annotations

import ast
import builtins
import collections
import copy
from functools import lru_cache
from typing import Any

from nsdbg.propose.evaluate import Unknown, copied, evaluate
from nsdbg.state import Value

_BUILT = {"set", "frozenset", "range", "Counter", "deque", "OrderedDict", "float"}
_NAMES = {
    "Counter": collections.Counter,
    "deque": collections.deque,
    "OrderedDict": collections.OrderedDict,
    "inf": float("inf"),
    "nan": float("nan"),
}
_DEEPEST = 20
_PLAIN = (collections.Counter, collections.deque, collections.OrderedDict)
_ERRORS = {
    name
    for name, found in vars(builtins).items()
    if isinstance(found, type) and issubclass(found, Exception)
}


def known_value(value: Value) -> tuple[Any, bool]:
    """Return the value that a text stands for, and whether it stands for one.

    A new object each time: whoever gets it may change it.
    """
    found, known = _known(value.repr, value.type, value.literal)
    if not known:
        return None, False
    return (copy.deepcopy(found) if type(found) in _PLAIN else copied(found)), True


@lru_cache(maxsize=8192)
def _known(text: str, kind: str, is_literal: bool) -> tuple[Any, bool]:
    try:
        if is_literal:
            return ast.literal_eval(text), True
        if kind.rpartition(".")[2] in _BUILT or kind in _ERRORS:
            return evaluate(text, _NAMES), True
    except (Unknown, ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        pass
    return None, False


def value_of(found: Any) -> Value | None:
    """Return a value as a run shows it: its text and type; None when its text is not known."""
    kind = type(found)
    try:
        text = _text(found, 0)
    except (Unknown, RecursionError, ValueError):
        return None
    module = "" if kind.__module__ in ("builtins", "collections") else kind.__module__ + "."
    if module and not isinstance(found, BaseException):
        return None
    return Value(text, kind.__name__, _is_literal(found, text))


def _text(found: Any, depth: int) -> str:
    kind = type(found)
    if depth > _DEEPEST:
        raise Unknown("a value that is nested too deeply")
    if kind in (list, tuple):
        parts = [_text(item, depth + 1) for item in found]
        comma = "," if kind is tuple and len(parts) == 1 else ""
        return ("[{}]" if kind is list else "({})").format(", ".join(parts) + comma)
    if kind is dict:
        pairs = (f"{_text(k, depth + 1)}: {_text(v, depth + 1)}" for k, v in found.items())
        return "{" + ", ".join(pairs) + "}"
    if kind in (set, frozenset):
        # A run shows sets in the order of their elements' texts.
        inner = ", ".join(sorted(_text(item, depth + 1) for item in found))
        if kind is frozenset:
            return f"frozenset({{{inner}}})" if inner else "frozenset()"
        return f"{{{inner}}}" if inner else "set()"
    if kind in (int, float, str, bytes, bool, type(None), complex, range) or kind in _PLAIN:
        return repr(found)
    if isinstance(found, BaseException):
        return repr(found)
    raise Unknown(f"the text of a {kind.__name__}")


def _is_literal(found: Any, text: str) -> bool:
    if type(found) in (set, frozenset) and not found:
        return False
    try:
        return repr(ast.literal_eval(text)) == repr(found) or isinstance(found, set)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return False
