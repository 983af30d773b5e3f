"""Comparisons of values with unknowns in them: terms of the solver, never decisions."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from nsdbg.propose.symbolic.engine import Engine, z3
from nsdbg.propose.symbolic.values import (
    FreeStr,
    SymBool,
    SymInt,
    SymSet,
    SymStr,
    characters,
    code_of,
    compared,
    engine_of,
    lifted,
    settled,
)  # fmt: skip

_NATIVE: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le,
    ">": operator.gt, ">=": operator.ge, "is": operator.is_, "is not": operator.is_not,
    "in": lambda a, b: a in b, "not in": lambda a, b: a not in b,
}  # fmt: skip
_NUMBERS = (SymInt, SymBool, int, float)


def compare(sign: str, left: Any, right: Any) -> Any:
    """Return `left sign right`, a truth value that may be unknown."""
    engine = engine_of(left) or engine_of(right)
    if engine is None:
        return _NATIVE[sign](left, right)
    if sign in ("!=", "is not", "not in"):
        return negated(compare({"!=": "==", "is not": "is", "not in": "in"}[sign], left, right))
    if sign == "in":
        return contains(left, right, engine)
    if sign in ("==", "is"):
        return equal(left, right, engine)
    if isinstance(left, (SymSet, set, frozenset)) and isinstance(right, (SymSet, set, frozenset)):
        return _subsets(sign, left, right, engine)
    return _ordered(sign, left, right, engine)


def negated(value: Any) -> Any:
    """Return `not value`."""
    if isinstance(value, SymBool):
        return settled(z3.Not(value.expr), value.engine)
    if isinstance(value, SymInt):
        return settled(value.expr == 0, value.engine)
    return not value


def term(value: Any) -> Any:
    """Return a truth value as a term."""
    if isinstance(value, SymBool):
        return value.expr
    if isinstance(value, SymInt):
        return value.expr != 0
    return z3.BoolVal(bool(value))


def every(values: Sequence[Any], engine: Engine) -> Any:
    """Return whether all truth values are true."""
    if any(value is False for value in values):
        return False
    return settled(z3.And([term(value) for value in values]), engine)


def some(values: Sequence[Any], engine: Engine) -> Any:
    """Return whether one of the truth values is true."""
    if any(value is True for value in values):
        return True
    return settled(z3.Or([term(value) for value in values]), engine)


def equal(left: Any, right: Any, engine: Engine) -> Any:
    """Return whether two values are equal."""
    if isinstance(left, SymBool) and isinstance(right, (SymBool, bool)):
        return settled(left.expr == term(right), engine)
    if isinstance(right, SymBool) and isinstance(left, bool):
        return settled(right.expr == term(left), engine)
    if isinstance(left, _NUMBERS) and isinstance(right, _NUMBERS):
        return compared("==", left, right)
    if isinstance(left, (str, SymStr)) and isinstance(right, (str, SymStr)):
        for one, other in ((left, right), (right, left)):
            same = one.is_the_same(other) if isinstance(one, FreeStr) else None
            if same is not None:
                return same
        return _same_characters(characters(left), characters(right), engine)
    if isinstance(left, (list, tuple)) and type(left) is type(right):
        if len(left) != len(right):
            return False
        return every([compare("==", a, b) for a, b in zip(left, right, strict=True)], engine)
    if isinstance(left, (SymSet, set, frozenset)) and isinstance(right, (SymSet, set, frozenset)):
        return every([_subset(left, right, engine), _subset(right, left, engine)], engine)
    if isinstance(left, dict) and isinstance(right, dict) and left.keys() == right.keys():
        return every([compare("==", left[key], right[key]) for key in left], engine)
    return False


def _same_characters(
    left: tuple[str | SymInt, ...], right: tuple[str | SymInt, ...], engine: Engine
) -> Any:
    if len(left) != len(right):
        return False
    pairs = list(zip(left, right, strict=True))
    if any(isinstance(a, str) and isinstance(b, str) and a != b for a, b in pairs):
        return False
    return settled(z3.And([code_of(a) == code_of(b) for a, b in pairs]), engine)


def contains(item: Any, container: Any, engine: Engine) -> Any:
    """Return `item in container`."""
    if isinstance(container, (str, SymStr)):
        if not isinstance(item, (str, SymStr)):
            raise TypeError("'in <string>' requires string as left operand")
        return some(occurrences(item, container, engine), engine)
    if isinstance(container, range):
        number = lifted(item)
        if number is None or not container:
            return False
        low, high = min(container), max(container)
        inside = z3.And(number >= low, number <= high)
        if abs(container.step) != 1:
            inside = z3.And(inside, (number - low) % abs(container.step) == 0)
        return settled(inside, engine)
    if isinstance(item, FreeStr):  # decided one after the other, so that it is one of them
        return any(compare("==", item, part) for part in container)
    parts = container.items if isinstance(container, SymSet) else list(container)
    return some([compare("==", item, part) for part in parts], engine)


def occurrences(part: Any, text: Any, engine: Engine) -> list[Any]:
    """Return, for each place of a text, whether a part stands there."""
    needle, hay = characters(part), characters(text)
    return [
        _same_characters(needle, hay[at : at + len(needle)], engine)
        for at in range(len(hay) - len(needle) + 1)
    ]


def _members(value: Any) -> list[Any]:
    return value.items if isinstance(value, SymSet) else sorted(value, key=repr)


def _subset(left: Any, right: Any, engine: Engine) -> Any:
    return every([contains(item, _members(right), engine) for item in _members(left)], engine)


def _subsets(sign: str, left: Any, right: Any, engine: Engine) -> Any:
    if sign in (">", ">="):
        left, right, sign = right, left, {">": "<", ">=": "<="}[sign]
    inside = _subset(left, right, engine)
    if sign == "<=":
        return inside
    return every([inside, negated(_subset(right, left, engine))], engine)


def _ordered(sign: str, left: Any, right: Any, engine: Engine) -> Any:
    if isinstance(left, _NUMBERS) and isinstance(right, _NUMBERS):
        return compared(sign, left, right)
    texts = isinstance(left, (str, SymStr)) and isinstance(right, (str, SymStr))
    if not texts and not (isinstance(left, (list, tuple)) and type(left) is type(right)):
        raise TypeError(f"{sign!r} not supported between these")
    if sign in (">", ">="):
        left, right, sign = right, left, {">": "<", ">=": "<="}[sign]
    return _before(_keys(left), _keys(right), sign == "<=", engine)


def _keys(value: Any) -> list[Any]:
    if not isinstance(value, (str, SymStr)):
        return list(value)
    return [ord(char) if isinstance(char, str) else char for char in characters(value)]


def _before(left: list[Any], right: list[Any], or_equal: bool, engine: Engine) -> Any:
    """Return whether a sequence comes before another, by its first difference."""
    result: Any = or_equal if len(left) == len(right) else len(left) < len(right)
    for a, b in reversed(list(zip(left, right, strict=False))):
        less, same = compare("<", a, b), compare("==", a, b)
        result = some([less, every([same, result], engine)], engine)
    return result
