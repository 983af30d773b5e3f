"""The methods the evaluator may call: a closed list, each within bounds."""

from __future__ import annotations

import collections
import functools
import string
from collections.abc import Callable, Iterable
from typing import Any

from nsdbg.propose.evaluation.bounds import (
    LARGEST,
    SIZED,
    Unknown,
    bounded,
    ordered,
    weigh,
)
from nsdbg.propose.evaluation.printing import printable, small_widths
from nsdbg.propose.evaluation.scope import Module


def _format(text: str, *args: Any, **kwargs: Any) -> str:
    for _, field, spec, _ in string.Formatter().parse(text):
        if field is not None and any(char in field for char in ".["):
            raise Unknown("a format that looks inside of its values")
        small_widths(spec or "")
        if "{" in (spec or ""):
            raise Unknown("a format with a variable width")
    printable([*args, *kwargs.values()])
    return text.format(*args, **kwargs)


def _join(text: str | bytes, parts: Iterable[Any]) -> Any:
    listed = list(ordered(parts))
    total = sum(len(part) for part in listed if isinstance(part, (str, bytes)))
    if total + len(text) * len(listed) > LARGEST:
        raise Unknown("a text that is too long")
    joined: Callable[[Any], Any] = text.join
    return joined(listed)


def _replace(text: Any, old: Any, new: Any, *count: Any) -> Any:
    sized = isinstance(old, SIZED) and isinstance(new, SIZED)
    if sized and len(new) > len(old) and (text.count(old) + 1) * len(new) > LARGEST:
        raise Unknown("a text that is too long")
    return text.replace(old, new, *count)


def _translate(text: Any, table: Any, *args: Any) -> Any:
    parts = table.values() if isinstance(table, dict) else ()
    if any(isinstance(part, str) and len(part) > 16 for part in parts):
        raise Unknown("a translation that grows the text")
    return text.translate(table, *args)


def _padded(name: str) -> Callable[..., Any]:
    def pad(text: Any, width: Any = 8, *args: Any, **kwargs: Any) -> Any:
        if isinstance(width, int) and width > LARGEST // 64:
            raise Unknown("a width that is too large")
        return getattr(text, name)(width, *args, **kwargs)

    return pad


def _extend(values: Any, more: Iterable[Any]) -> None:
    values.extend(list(ordered(more)))


def _pop_any(values: Any) -> Any:
    if len(values) > 1:
        raise Unknown("which element of a set is popped")
    return values.pop()


_TEXT = """capitalize casefold center count encode endswith expandtabs find format index isalnum
    isalpha isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle
    isupper join ljust lower lstrip partition removeprefix removesuffix replace rfind rindex rjust
    rpartition rsplit rstrip split splitlines startswith strip swapcase title translate upper
    zfill maketrans"""
_SET = """add copy difference discard intersection isdisjoint issubset issuperset pop remove union
    symmetric_difference update clear difference_update intersection_update
    symmetric_difference_update"""
_CHANGING = """add pop remove update clear discard difference_update intersection_update
    symmetric_difference_update"""
_LIST = "append clear copy count extend index insert pop remove reverse sort"
_DICT = "clear copy fromkeys get items keys pop popitem setdefault update values"
METHODS: dict[type, frozenset[str]] = {
    str: frozenset(_TEXT.split()),
    bytes: frozenset(_TEXT.replace("encode", "decode").replace(" format", " hex").split()),
    list: frozenset(_LIST.split()),
    tuple: frozenset({"count", "index"}),
    dict: frozenset(_DICT.split()),
    collections.OrderedDict: frozenset([*_DICT.split(), "move_to_end"]),
    collections.defaultdict: frozenset(_DICT.split()),
    collections.Counter: frozenset([*_DICT.split(), "most_common", "elements", "total"]),
    collections.deque: frozenset([*_LIST.split(), "appendleft", "popleft", "rotate"]),
    set: frozenset(_SET.split()),
    frozenset: frozenset(_SET.split()) - frozenset(_CHANGING.split()),
    int: frozenset({"bit_length", "bit_count", "conjugate"}),
    bool: frozenset({"bit_length", "conjugate"}),
    float: frozenset({"is_integer", "conjugate"}),
    range: frozenset({"count", "index"}),
}
_GUARDED: dict[tuple[type, str], Callable[..., Any]] = {
    **{(kind, "join"): _join for kind in (str, bytes)},
    **{(kind, "replace"): _replace for kind in (str, bytes)},
    **{(kind, "translate"): _translate for kind in (str, bytes)},
    **{(kind, name): _padded(name) for kind in (str, bytes)
       for name in ("center", "ljust", "rjust", "zfill", "expandtabs")},
    (str, "format"): _format,
    (list, "extend"): _extend,
    (collections.deque, "extend"): _extend,
    (set, "pop"): _pop_any,
}  # fmt: skip
_COMPARING = frozenset({"count", "index", "remove", "sort", "add", "get", "pop", "setdefault",
                        "update", "fromkeys"})  # fmt: skip


# Methods that take as long for a large value as for a small one.
CHEAP = frozenset({"append", "appendleft", "add", "discard", "get", "pop", "popitem", "popleft",
                   "setdefault"})  # fmt: skip


def call_method(value: Any, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a method on the list; its result and its receiver stay within the bounds."""
    kind = type(value)
    if kind is type:
        return _call_on_type(value, name, args, kwargs)
    if name not in METHODS.get(kind, ()):
        if hasattr(kind, name) or (kind not in METHODS and value is not None):
            raise Unknown(f"{kind.__name__}.{name}")
        raise AttributeError(f"{kind.__name__!r} object has no attribute {name!r}")
    if name in _COMPARING:
        weigh(value)
        for arg in args:
            weigh(arg)
    guarded = _GUARDED.get((kind, name))
    result = guarded(value, *args, **kwargs) if guarded else getattr(value, name)(*args, **kwargs)
    bounded(value)
    return bounded(result)


def _call_on_type(kind: type, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if name in ("fromkeys", "maketrans") and name in METHODS.get(kind, ()):
        return bounded(getattr(kind, name)(*args, **kwargs))
    if name in METHODS.get(kind, ()) and args and type(args[0]) is kind:
        return call_method(args[0], name, args[1:], kwargs)
    raise Unknown(f"{kind.__name__}.{name}")


def attribute(value: Any, name: str) -> Any:
    """Return a method as a value, the name of a type, or raise as Python does."""
    if isinstance(value, Module):
        return value.get(name)
    if isinstance(value, type) and name == "__name__":
        return value.__name__
    if isinstance(value, type) and name in METHODS.get(value, ()):
        return functools.partial(_on_type, value, name)
    if name in METHODS.get(type(value), ()):
        return functools.partial(_on_value, value, name)
    if type(value) in METHODS and not hasattr(value, name):
        raise AttributeError(f"{type(value).__name__!r} object has no attribute {name!r}")
    if value is None:
        raise AttributeError(f"'NoneType' object has no attribute {name!r}")
    raise Unknown(f"attribute {name}")


def _on_type(kind: type, name: str, *args: Any, **kwargs: Any) -> Any:
    return _call_on_type(kind, name, args, kwargs)


def _on_value(value: Any, name: str, *args: Any, **kwargs: Any) -> Any:
    return call_method(value, name, args, kwargs)


def method_text(found: functools.partial[Any]) -> str:
    """Return how a run shows a method that `attribute` gave, "" where that is not plain."""
    if found.func is not _on_value and found.func is not _on_type:
        return ""
    owner, name = found.args
    if found.func is _on_type:
        return f"<method {name!r} of {owner.__name__!r} objects>"
    return f"<built-in method {name} of {type(owner).__name__} object at 0x...>"
