"""The functions, types and modules the evaluator may use by name: a closed list, within bounds."""

from __future__ import annotations

import collections
import math
import string
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from nsdbg.propose.evaluation.bounds import LARGEST, Unknown, bounded, format_value, ordered, weigh
from nsdbg.propose.evaluation.methods import METHODS
from nsdbg.propose.evaluation.operators import power


def _range(*args: Any) -> range:
    made = range(*args)
    if len(made[: LARGEST + 1]) > LARGEST:
        raise Unknown("a range that is too long")
    return made


def _sum(values: Iterable[Any], start: Any = 0) -> Any:
    total = start
    for value in ordered(values):
        total = bounded(total + value)
    return total


def _printable(value: Any) -> Any:
    """Return a value whose text is the same in every run, else raise Unknown."""
    weigh(value)
    if type(value) not in METHODS and not isinstance(value, (type(None), Exception)):
        raise Unknown(f"the text of a {type(value).__name__}")
    if isinstance(value, (set, frozenset)) and len(value) > 1:
        raise Unknown("the order of a set")
    return bounded(value)


def _text(value: Any = "") -> str:
    return str(_printable(value))


def _repr(value: Any) -> str:
    return repr(_printable(value))


def _bytes(*args: Any) -> bytes:
    if args and isinstance(args[0], int) and args[0] > LARGEST:
        raise Unknown("bytes that are too many")
    return bytes(*args)


def _pow(base: Any, exponent: Any, modulus: Any = None) -> Any:
    return power(base, exponent) if modulus is None else pow(base, exponent, modulus)


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

    return over


def _weighed(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        for arg in args:
            weigh(arg)
        return bounded(function(*args, **kwargs))

    return call


_EXCEPTIONS = (
    Exception, ArithmeticError, AssertionError, AttributeError, IndexError, KeyError, LookupError,
    NotImplementedError, OverflowError, RuntimeError, StopIteration, TypeError, ValueError,
    ZeroDivisionError, UnicodeError, UnicodeDecodeError, UnicodeEncodeError,
)  # fmt: skip
BUILTINS: dict[str, Any] = {
    "abs": abs, "all": all, "any": any, "bin": bin, "bool": bool, "bytes": bytes, "chr": chr,
    "dict": dict, "divmod": divmod, "enumerate": _lazy(enumerate), "filter": _lazy(filter),
    "float": float, "format": format_value, "frozenset": frozenset, "hex": hex, "int": int,
    "isinstance": isinstance, "iter": _lazy(iter), "len": len, "list": list, "map": _lazy(map),
    "max": _weighed(max), "min": _weighed(min), "next": next, "object": object, "oct": oct,
    "ord": ord, "pow": _pow, "print": _print, "range": _range, "repr": _repr,
    "reversed": reversed, "round": round, "set": set, "slice": slice, "sorted": _weighed(sorted),
    "str": str, "sum": _sum, "tuple": tuple, "type": type, "zip": _lazy(zip), "callable": callable,
    **{error.__name__: error for error in _EXCEPTIONS},
}  # fmt: skip
# Types stay types, so that `isinstance(x, str)` works; to call one goes through these.
CONSTRUCTORS: dict[Any, Callable[..., Any]] = {
    str: lambda *args, **kwargs: _text(*args) if len(args) < 2 else str(*args, **kwargs),
    list: _collect(list), tuple: _collect(tuple), bytes: _bytes,
    set: _weighed(set), frozenset: _weighed(frozenset), dict: _weighed(dict),
    int: lambda *args, **kwargs: bounded(int(*args, **kwargs)), float: float, bool: bool,
    object: object, reversed: lambda values: reversed(values),
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
MODULES: dict[str, dict[str, Any]] = {
    "math": {name: getattr(math, name) for name in _MATH.split()},
    "string": {name: getattr(string, name) for name in _STRING.split()},
    "collections": {
        name: getattr(collections, name)
        for name in ("Counter", "deque", "OrderedDict", "defaultdict")
    },
}


def call(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a function on the list, or one that the evaluator made itself."""
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
