"""Values as text, and text as values: what a run would show of a value that the evaluator made."""

from __future__ import annotations

import ast
import builtins
import collections
import copy
import math
import re
from functools import lru_cache
from typing import Any

from nsdbg.propose.evaluate import Unknown, copied, evaluate, literal
from nsdbg.propose.evaluation.opaque import Opaque
from nsdbg.propose.evaluation.printing import short
from nsdbg.state import Value

UNTOLD = Value("?", "?", truncated=True)  # a value that cannot be told; it equals no other
_BUILT = {"set", "frozenset", "range", "Counter", "deque", "OrderedDict", "defaultdict", "float",
          "list", "tuple", "dict"}  # fmt: skip
_NAMES = {
    "Counter": collections.Counter,
    "deque": collections.deque,
    "OrderedDict": collections.OrderedDict,
    "defaultdict": collections.defaultdict,
    "inf": float("inf"),
    "nan": float("nan"),
}
_DEEPEST = 20
_ATOMS = frozenset({int, str, bytes, bool, type(None)})
_PLAIN = (
    collections.Counter, collections.deque, collections.OrderedDict, collections.defaultdict,
)  # fmt: skip
_TYPE_TEXT = re.compile(r"<class '(\w+)'>")
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
            return evaluate(_TYPE_TEXT.sub(r"\1", text), _NAMES), True
    except (Unknown, ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        pass
    return None, False


def value_of(found: Any) -> Value | None:
    """Return a value as a run shows it: its text and type; None when its text is not known."""
    kind = type(found)
    if kind is Opaque:
        return found.told if isinstance(found.told, Value) else None
    try:
        if kind not in _ATOMS:
            short(found)
        text, literal = _written(found, 0)
    except (Unknown, RecursionError, ValueError):
        return None
    return Value(text, kind.__name__, literal)


def _written(found: Any, depth: int) -> tuple[str, bool]:
    """Return a value's text, and whether that is a literal."""
    kind = type(found)
    if kind in _ATOMS:
        return repr(found), True
    if kind is float:
        return repr(found), math.isfinite(found)
    if kind is complex:
        return repr(found), _gives_itself(repr(found))
    if depth > _DEEPEST:
        raise Unknown("a value that is nested too deeply")
    if kind in (list, tuple, set, frozenset):
        return _items_written(found, depth)
    if kind is dict:
        pairs = [(_written(k, depth + 1), _written(v, depth + 1)) for k, v in found.items()]
        text = ", ".join(f"{key}: {value}" for (key, _), (value, _) in pairs)
        return f"{{{text}}}", all(one and other for (_, one), (_, other) in pairs)
    if kind is range or kind in _PLAIN or (
        isinstance(found, BaseException) and kind.__module__ == "builtins"
    ):  # fmt: skip
        return repr(found), False
    raise Unknown(f"the text of a {kind.__name__}")


def _items_written(found: Any, depth: int) -> tuple[str, bool]:
    kind = type(found)
    written = [_written(item, depth + 1) for item in found]
    texts = [text for text, _ in written]
    literal = all(one for _, one in written)
    if kind is list:
        return f"[{', '.join(texts)}]", literal
    if kind is tuple:
        return f"({', '.join(texts)}{',' if len(texts) == 1 else ''})", literal
    # A run shows sets in the order of their elements' texts.
    inner = ", ".join(sorted(texts))
    if kind is frozenset:
        return f"frozenset({{{inner}}})" if inner else "frozenset()", False
    return (f"{{{inner}}}", literal) if inner else ("set()", False)


def _gives_itself(text: str) -> bool:
    try:
        return repr(ast.literal_eval(text)) == text
    except ValueError:  # not finite
        return False


def value_in(text: str) -> Value:
    """Return the value that a text tells of: a literal's own, else an object of that text."""
    try:
        found = value_of(literal(text))
    except Unknown:
        found = None
    return found or Value(text, "object")
