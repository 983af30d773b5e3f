"""The functions, types and modules the evaluator may use by name: a closed list, within bounds."""

from __future__ import annotations

import collections
import collections.abc
import math
import string
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from nsdbg.propose.evaluation import library
from nsdbg.propose.evaluation.bounds import LARGEST, Unknown, bounded, ordered, weigh
from nsdbg.propose.evaluation.lazy import Making
from nsdbg.propose.evaluation.opaque import Opaque
from nsdbg.propose.evaluation.operators import power
from nsdbg.propose.evaluation.printing import format_value, shown, shown_in_ascii, text
from nsdbg.propose.evaluation.scope import Namespace


def _range(*args: Any) -> range:
    made = range(*args)
    if len(made[: LARGEST + 1]) > LARGEST:
        raise Unknown("a range that is too long")
    return made


def _sum(values: Iterable[Any], start: Any = 0) -> Any:
    if isinstance(start, str):
        raise TypeError("sum() can't sum strings [use ''.join(seq) instead]")
    if type(start) is list:
        return _joined(start, values)
    total = start
    for value in ordered(values):
        total = bounded(total + value)
    return total


def _joined(start: list[Any], values: Iterable[Any]) -> list[Any]:
    """Add up lists in one, since a new one for each takes as long as all before it."""
    total = start.copy()
    for value in ordered(values):
        if not isinstance(value, list):
            kind = type(value).__name__
            raise TypeError(f'can only concatenate list (not "{kind}") to list')
        total += value
        bounded(total)
    return total


def _bytes(*args: Any) -> bytes:
    if args and isinstance(args[0], int) and args[0] > LARGEST:
        raise Unknown("bytes that are too many")
    return bytes(*args)


def _pow(base: Any, exponent: Any, modulus: Any = None) -> Any:
    if modulus is None:
        return power(base, exponent)
    whole = all(isinstance(number, int) for number in (base, exponent, modulus))
    # Each bit of the exponent is a multiplication of numbers as long as the modulus.
    if whole and exponent.bit_length() * modulus.bit_length() > LARGEST * 16:
        raise Unknown("a power of too many digits")
    return pow(base, exponent, modulus)


def _print(*_: Any, **__: Any) -> None:
    """Accept what is printed; the evaluator keeps no output."""


def _collect(kind: Callable[..., Any]) -> Callable[..., Any]:
    def collect(values: Any = (), **kwargs: Any) -> Any:
        weigh(values)
        return bounded(kind(ordered(values), **kwargs))

    return collect


def _lazy(kind: Callable[..., Iterator[Any]]) -> Callable[..., Iterator[Any]]:
    def over(*args: Any, **kwargs: Any) -> Iterator[Any]:
        return kind(*map(ordered, args), **kwargs)

    return Making(kind.__name__, over)


def _weighed(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        for arg in args:
            weigh(arg)
        if len(args) == 1:
            args = (ordered(args[0]),)  # of equal ones the first comes first
        return bounded(function(*args, **kwargs))

    return call


def _iter(values: Any, *sentinel: Any) -> Iterator[Any]:
    return _until(values, *sentinel) if sentinel else iter(ordered(values))


def _until(function: Callable[[], Any], sentinel: Any) -> Iterator[Any]:
    for _ in range(LARGEST // 4):
        value = function()
        if value == sentinel:
            return
        yield value
    raise Unknown("an iterator that does not end")


_EXCEPTIONS = (
    Exception, ArithmeticError, AssertionError, AttributeError, IndexError, KeyError, LookupError,
    NotImplementedError, OverflowError, RuntimeError, StopIteration, TypeError, ValueError,
    ZeroDivisionError, UnicodeError, UnicodeDecodeError, UnicodeEncodeError,
)  # fmt: skip
BUILTINS: dict[str, Any] = {
    "abs": abs, "all": all, "any": any, "ascii": shown_in_ascii, "bin": bin, "bool": bool,
    "bytes": bytes, "chr": chr,
    "dict": dict, "divmod": divmod, "enumerate": _lazy(enumerate), "filter": _lazy(filter),
    "float": float, "format": format_value, "frozenset": frozenset, "hex": hex, "int": int,
    "isinstance": isinstance, "iter": _iter, "len": len, "list": list, "map": _lazy(map),
    "max": _weighed(max), "min": _weighed(min), "next": next, "object": object, "oct": oct,
    "ord": ord, "pow": _pow, "print": _print, "range": _range, "repr": shown,
    "reversed": reversed, "round": round, "set": set, "slice": slice, "sorted": _weighed(sorted),
    "str": str, "sum": _sum, "tuple": tuple, "type": type, "zip": _lazy(zip), "callable": callable,
    **{error.__name__: error for error in _EXCEPTIONS},
}  # fmt: skip
# Types stay types, so that `isinstance(x, str)` works; to call one goes through these.
CONSTRUCTORS: dict[Any, Callable[..., Any]] = {
    str: lambda *args, **kwargs: text(*args) if len(args) < 2 else str(*args, **kwargs),
    list: _collect(list), tuple: _collect(tuple), bytes: _bytes,
    set: _weighed(set), frozenset: _weighed(frozenset), dict: _weighed(dict),
    int: lambda *args, **kwargs: bounded(int(*args, **kwargs)), float: float, bool: bool,
    object: object, reversed: reversed, slice: slice,
    collections.Counter: _weighed(collections.Counter),
    collections.deque: _weighed(collections.deque),
    collections.OrderedDict: _weighed(collections.OrderedDict),
    collections.defaultdict: _weighed(collections.defaultdict),
    **{error: error for error in _EXCEPTIONS},
}  # fmt: skip
_MATH = (
    "ceil floor sqrt gcd log log2 log10 exp fabs hypot isqrt pi e inf sin cos tan atan atan2 "
    "degrees radians trunc isclose isnan isinf copysign fmod"
)
_STRING = (
    "ascii_letters ascii_lowercase ascii_uppercase digits hexdigits octdigits punctuation "
    "whitespace printable"
)
# Types for `isinstance`; nobody can make one of them.
_ABSTRACT = (
    "Callable Collection Container Generator Hashable Iterable Iterator Mapping MutableMapping "
    "MutableSequence MutableSet Sequence Sized"
)
MODULES: dict[str, dict[str, Any]] = {
    "math": {**{name: getattr(math, name) for name in _MATH.split()}, **library.MATH},
    "string": {**{name: getattr(string, name) for name in _STRING.split()}, **library.STRING},
    "itertools": library.ITERTOOLS,
    "functools": library.FUNCTOOLS,
    "operator": library.OPERATOR,
    "heapq": library.HEAPQ,
    "bisect": library.BISECT,
    "collections": {
        name: getattr(collections, name)
        for name in ("Counter", "deque", "OrderedDict", "defaultdict")
    },
    "abc": {name: getattr(collections.abc, name) for name in _ABSTRACT.split()},
}


# What calls its arguments: each such call is to cost steps of its own.
HIGHER = frozenset([
    *(id(BUILTINS[name]) for name in ("filter", "iter", "map", "max", "min", "sorted")),
    *map(id, library.CALLING),
])  # fmt: skip


def making(function: Any) -> Making | None:
    """Return a function as one that makes an iterator at once, None where it is no such one."""
    found = function.function if isinstance(function, Namespace) else function
    return found if isinstance(found, Making) else None


def call(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a function on the list, or one that the evaluator made itself."""
    if Opaque in map(type, (*args, *kwargs.values())):
        made = making(function)
        if made is not None:
            return made.unknown()
        # `isinstance` and `type` would tell what it is for us, not for the program.
        raise Unknown("a call with an object of which only its text is known")
    if function is type:
        if len(args) != 1:
            raise Unknown("a class made at run time")
        return type(args[0])
    if isinstance(function, type):
        constructor = CONSTRUCTORS.get(function)
        if constructor is None:
            raise Unknown(f"an instance of {function.__name__}")
        return constructor(*args, **kwargs)
    return function(*args, **kwargs)
