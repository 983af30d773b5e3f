"""Values as text, and text as values: what a run would show of a value that the evaluator made."""

from __future__ import annotations

import ast
import builtins
import collections
import copy
import functools
import math
import re
from functools import lru_cache
from typing import Any

from nsdbg.propose.evaluate import Unknown, copied, evaluate, literal
from nsdbg.propose.evaluation.calls import MODULES
from nsdbg.propose.evaluation.lazy import Lazy
from nsdbg.propose.evaluation.methods import method_text
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
_BUILTIN = "builtin_function_or_method"
_VIEWS = frozenset(map(type, ({}.keys(), {}.values(), {}.items())))
_ITERATORS = frozenset(map(type, (
    iter([]), iter(()), iter(""), iter("\u00e9"), iter(b""), iter(set()), iter(range(0)), iter({}),
    iter({}.values()), iter({}.items()), reversed([]), reversed(()), reversed(range(0)),
    enumerate([]), zip(), map(str, []), filter(None, []),
)))  # fmt: skip
# Objects whose text names them: a type, a function, a method of a type.
_NAMED = re.compile(r"<(class|built-in function|method) '?(\w+)'?(?: of '(\w+)' objects)?>")
_FUNCTIONS = MODULES["operator"] | MODULES["math"]
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


def standing_for(value: Value) -> Any:
    """Return what the evaluator works with for a value: the value, else an opaque object."""
    found, known = known_value(value)
    return found if known else Opaque(value)


@lru_cache(maxsize=8192)
def _known(text: str, kind: str, is_literal: bool) -> tuple[Any, bool]:
    try:
        if is_literal:
            return ast.literal_eval(text), True
        if kind.rpartition(".")[2] in _BUILT or kind in _ERRORS:
            return evaluate(_TYPE_TEXT.sub(r"\1", text), _NAMES), True
        return _named(text)
    except (Unknown, ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None, False


def _named(text: str) -> tuple[Any, bool]:
    """Return a builtin, or a method of one, by the text that a run shows of it."""
    match = _NAMED.fullmatch(text)
    if match is None:
        return None, False
    return evaluate(f"{match[3]}.{match[2]}" if match[3] else match[2], _FUNCTIONS), True


def described(found: Any) -> Value | None:
    """Return a value as a run shows it, also what is no text to make it from: iterators, types.

    What holds them is described too.  None when the text is not known.
    """
    return _shown(found, objects=True)


def value_of(found: Any) -> Value | None:
    """Return a value as the text that makes it, and its type; None where there is no such text."""
    return _shown(found, objects=False)


def _shown(found: Any, *, objects: bool) -> Value | None:
    kind = type(found)
    if kind is Opaque:
        return found.told if isinstance(found.told, Value) else None
    if kind is Lazy:
        return Value(found.shown, found.kind) if objects else None
    try:
        if kind not in _ATOMS:
            short(found)
        text, literal = _Writing(objects).written(found, 0)
    except (Unknown, RecursionError, ValueError):
        return None
    if kind is functools.partial:
        return Value(text, "method_descriptor" if text[:7] == "<method" else _BUILTIN)
    return Value(text, kind.__name__, literal)


class _Writing:
    """Writes values out; with `objects` those as well whose text does not make them."""

    def __init__(self, objects: bool) -> None:
        self._objects = objects

    def written(self, found: Any, depth: int) -> tuple[str, bool]:
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
            return self._items(found, depth)
        if kind is dict:
            return self._pairs(found, depth)
        if kind is range or kind in _PLAIN or (
            isinstance(found, BaseException) and kind.__module__ == "builtins"
        ):  # fmt: skip
            return repr(found), False
        if self._objects:
            return self._object(found, depth), False
        raise Unknown(f"the text of a {kind.__name__}")

    def _pairs(self, found: dict[Any, Any], depth: int) -> tuple[str, bool]:
        pairs = [(self.written(key, depth + 1), self.written(value, depth + 1))
                 for key, value in found.items()]  # fmt: skip
        text = ", ".join(f"{key}: {value}" for (key, _), (value, _) in pairs)
        return f"{{{text}}}", all(one and other for (_, one), (_, other) in pairs)

    def _items(self, found: Any, depth: int) -> tuple[str, bool]:
        kind = type(found)
        written = [self.written(item, depth + 1) for item in found]
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

    def _object(self, found: Any, depth: int) -> str:
        kind = type(found)
        if kind is Opaque and isinstance(found.told, Value):
            if found.told.truncated or found.told.literal:
                raise Unknown("a value that was cut")
            return found.told.repr
        if kind is Lazy:
            return str(found.shown)
        if kind in _VIEWS:
            listed, _ = self._items(list(found), depth)
            return f"{kind.__name__}({listed})"
        if kind in _ITERATORS:
            return f"<{kind.__name__} object at 0x...>"
        if isinstance(found, type) and found.__module__ == "builtins":
            return f"<class '{found.__name__}'>"
        if kind is functools.partial and (text := method_text(found)):
            return text
        raise Unknown(f"the text of a {kind.__name__}")


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
