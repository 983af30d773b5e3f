"""Builtin functions and operators over values with unknowns; on known values, the evaluator's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from nsdbg.propose.evaluate import Unknown
from nsdbg.propose.evaluation.calls import BUILTINS, call
from nsdbg.propose.symbolic.compare import compare, every, negated, some, term
from nsdbg.propose.symbolic.engine import z3
from nsdbg.propose.symbolic.values import (
    SymBool,
    SymInt,
    SymSet,
    SymStr,
    characters,
    code_of,
    engine_of,
    lifted,
    settled,
    text_of,
)  # fmt: skip

_DIGITS = 24  # digits of a number whose text is asked for


def choose(condition: Any, one: Any, other: Any) -> Any:
    """Return one value or the other, merged where a single unknown can stand for both."""
    if not isinstance(condition, SymBool):
        return one if condition else other
    engine = condition.engine
    if isinstance(one, (bool, SymBool)) and isinstance(other, (bool, SymBool)):
        return settled(z3.If(condition.expr, term(one), term(other)), engine)
    left, right = lifted(one), lifted(other)
    if left is not None and right is not None:
        return SymInt(z3.simplify(z3.If(condition.expr, left, right)), engine)
    texts = isinstance(one, (str, SymStr)) and isinstance(other, (str, SymStr))
    if texts and len(one) == len(other):
        pairs = zip(characters(one), characters(other), strict=True)
        return text_of([_merged(condition, a, b) for a, b in pairs], engine)
    return one if condition else other


def _merged(condition: SymBool, one: str | SymInt, other: str | SymInt) -> str | SymInt:
    if isinstance(one, str) and one == other:
        return one
    return SymInt(z3.If(condition.expr, code_of(one), code_of(other)), condition.engine)


def item(container: Any, place: Any) -> Any:
    """Return `container[place]`: of a list at an unknown place, one value that stands for all."""
    engine = engine_of(place)
    if isinstance(container, dict) and (engine or any(engine_of(key) for key in container)):
        return _value_of(container, place)
    if engine is None or isinstance(place, slice):
        if isinstance(place, slice) and engine is not None:
            place = slice(*(end if end is None else end.__index__()
                            for end in (place.start, place.stop, place.step)))  # fmt: skip
        return container[place]
    if not isinstance(container, (list, tuple, str, SymStr, range)):
        raise TypeError("an unknown place in what has no places")
    if not len(container):
        raise IndexError("index out of range")
    number, size = place if isinstance(place, SymInt) else place.number(), len(container)
    engine.require(z3.And(number.expr >= -size, number.expr < size))
    values = [container[at] for at in range(size)]
    if not _alike(values):
        return container[number.__index__()]
    result = values[0]
    for at in range(1, size):
        here = z3.Or(number.expr == at, number.expr == at - size)
        result = choose(SymBool(here, engine), values[at], result)
    return result


def _alike(values: list[Any]) -> bool:
    """Whether one unknown can stand for any of the values."""
    if all(lifted(value) is not None for value in values):
        return True
    texts = all(isinstance(value, (str, SymStr)) for value in values)
    return texts and len({len(value) for value in values}) == 1


def _value_of(container: dict[Any, Any], key: Any) -> Any:
    engine = engine_of(key) or engine_of(container)
    assert engine is not None
    same = [compare("==", key, known) for known in container]
    values = list(container.values())
    if values and _alike(values):
        engine.require(term(some(same, engine)))
        result = values[0]
        for here, value in zip(same[1:], values[1:], strict=True):
            result = choose(here, value, result)
        return result
    for here, value in zip(same, values, strict=True):
        if here:
            return value
    raise KeyError("an unknown key")


def store(container: Any, place: Any, value: Any) -> None:
    """Do `container[place] = value`; an unknown place is chosen."""
    if isinstance(container, dict) and engine_of(place) is not None:
        for key in container:
            if compare("==", key, place):
                container[key] = value
                return
        raise Unknown("a new key that is not known")
    container[place] = value


def length(value: Any) -> Any:
    """Return `len(value)`."""
    if not isinstance(value, SymSet):
        return len(value)
    seen: list[Any] = []
    total: Any = 0
    for each in value.items:
        new = negated(some([compare("==", each, old) for old in seen], value.engine))
        total = total + (new.number() if isinstance(new, SymBool) else int(new))
        seen.append(each)
    return total


def add_up(values: Iterable[Any], start: Any = 0) -> Any:
    """Return `sum(values, start)`, as one flat term where the parts are numbers."""
    listed = list(values)
    terms = [lifted(value) for value in listed]
    engine = engine_of(listed)
    if engine is not None and None not in terms and isinstance(start, (int, float)):
        return SymInt(z3.simplify(z3.Sum([*terms, lifted(start)])), engine)
    total = start
    for value in listed:
        total = total + value
    return total


def all_of(values: Iterable[Any]) -> Any:
    """Return `all(values)`."""
    found = []
    for value in values:
        if isinstance(value, (SymBool, SymInt)):
            found.append(value)
        elif not value:
            return False
    return every(found, found[0].engine) if found else True


def any_of(values: Iterable[Any]) -> Any:
    """Return `any(values)`."""
    found = []
    for value in values:
        if isinstance(value, (SymBool, SymInt)):
            found.append(value)
        elif value:
            return True
    return some(found, found[0].engine) if found else False


def _extreme(sign: str) -> Callable[..., Any]:
    native = BUILTINS["max" if sign == ">" else "min"]

    def extreme(*values: Any, **kwargs: Any) -> Any:
        listed = list(values[0]) if len(values) == 1 else list(values)
        if engine_of(listed) is None or "key" in kwargs or not listed:
            return native(listed, **kwargs)
        result = listed[0]
        for value in listed[1:]:
            result = choose(compare(sign, value, result), value, result)
        return result

    return extreme


def in_order(values: Iterable[Any], key: Any = None, reverse: bool = False) -> list[Any]:
    """Return `sorted(values)`: a network of exchanges, since the order is not known."""
    listed = list(values)
    if engine_of(listed) is None and key is None:
        return sorted(listed, reverse=reverse)
    keys = [key(value) if key else value for value in listed]
    if engine_of(keys) is None:
        return sorted(listed, key=key, reverse=reverse)
    if key is not None and not _alike(keys):
        raise Unknown("an order by keys of several kinds")
    rows = list(zip(keys, listed, strict=True))
    for last in range(len(rows) - 1, 0, -1):
        for at in range(last):
            (a, x), (b, y) = rows[at], rows[at + 1]
            swap = compare("<" if reverse else ">", a, b)
            rows[at] = (choose(swap, b, a), choose(swap, y, x))
            rows[at + 1] = (choose(swap, a, b), choose(swap, x, y))
    return [value for _, value in rows]


def as_set(values: Iterable[Any] = ()) -> Any:
    """Return `set(values)`."""
    listed = list(values)
    engine = engine_of(listed)
    return set(listed) if engine is None else SymSet(listed, engine)


def as_list(values: Iterable[Any] = ()) -> list[Any]:
    """Return `list(values)`."""
    if isinstance(values, SymSet):
        raise Unknown("the elements of a set that is not known")
    return list(values)


def as_int(value: Any = 0, base: int = 10) -> Any:
    """Return `int(value, base)`; a text has to consist of digits."""
    if isinstance(value, SymInt):
        return value if value.is_int else SymInt(z3.ToInt(value.expr), value.engine)
    if isinstance(value, SymBool):
        return value.number()
    if not isinstance(value, SymStr):
        return call(int, (value,) if base == 10 else (value, base), {})
    if not len(value):
        raise ValueError("invalid literal for int()")
    total: Any = z3.IntVal(0)
    conditions = []
    for char in value.chars:
        code = code_of(char)
        digit = code - 48 if base <= 10 else z3.If(code >= 97, code - 87, code - 48)
        plain = z3.And(code >= 48, code < 48 + min(base, 10))
        letter = z3.And(code >= 97, code < 87 + base) if base > 10 else z3.BoolVal(False)
        conditions.append(z3.Or(plain, letter))
        total = total * base + digit
    if not value.engine.decide(z3.And(conditions)):
        raise ValueError("invalid literal for int()")
    return SymInt(total, value.engine)


def as_text(value: Any = "") -> Any:
    """Return `str(value)`: the sign and the count of digits of an unknown number are chosen."""
    if isinstance(value, SymStr):
        return value
    if isinstance(value, SymBool):
        return str(bool(value))
    if not isinstance(value, SymInt):
        return call(str, (value,), {})
    if not value.is_int:
        raise Unknown("the text of a float that is not known")
    if compare("<", value, 0):
        return "-" + as_text(-value)
    for digits in range(1, _DIGITS):
        if compare("<", value, 10**digits):
            codes = [(value // 10**at) % 10 + 48 for at in reversed(range(digits))]
            return text_of(codes, value.engine)
    raise Unknown("a number of too many digits")


def code(char: Any) -> Any:
    """Return `ord(char)`."""
    if not isinstance(char, SymStr):
        return ord(char)
    if len(char) != 1:
        raise TypeError("ord() expected a character")
    return char.chars[0]


def character(number: Any) -> Any:
    """Return `chr(number)`."""
    if not isinstance(number, SymInt):
        return chr(number)
    number.engine.require(z3.And(number.expr >= 0, number.expr < 0x110000))
    return SymStr((number,), number.engine)


def is_instance(value: Any, kinds: Any) -> bool:
    """Return `isinstance(value, kinds)`."""
    known = {SymInt: int, SymBool: bool, SymStr: str, SymSet: set}
    kind = known.get(type(value), type(value))
    if isinstance(value, SymInt) and not value.is_int:
        kind = float
    return issubclass(kind, kinds)


def _range(*ends: Any) -> range:
    return BUILTINS["range"](*(end if isinstance(end, int) else end.__index__() for end in ends))  # type: ignore[no-any-return]


def _power(base: Any, exponent: Any, modulus: Any = None) -> Any:
    if modulus is None or engine_of([base, exponent, modulus]) is None:
        return BUILTINS["pow"](base, exponent, modulus)
    return base ** (exponent if isinstance(exponent, int) else exponent.__index__()) % modulus


def _rounded(value: Any, *digits: Any) -> Any:
    if not isinstance(value, SymInt):
        return round(value, *digits)
    if digits or value.is_int:
        raise Unknown("a rounding to digits")
    return SymInt(z3.ToInt(value.expr + z3.RealVal("0.5")), value.engine)


def _as_float(value: Any = 0.0) -> Any:
    if isinstance(value, (SymInt, SymBool)):
        number = lifted(value)
        return SymInt(z3.ToReal(number) if number.is_int() else number, value.engine)
    return float(value)


def _as_bool(value: Any = False) -> Any:
    if isinstance(value, (SymBool, SymInt)):
        return settled(term(value), value.engine)
    return bool(value)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "len": length, "sum": add_up, "all": all_of, "any": any_of, "max": _extreme(">"),
    "min": _extreme("<"), "sorted": in_order, "ord": code, "chr": character,
    "isinstance": is_instance, "range": _range, "pow": _power, "round": _rounded, "abs": abs,
}  # fmt: skip
# Names of types stay types, for `isinstance`; to call one goes through these.
TYPES: dict[type, Callable[..., Any]] = {
    set: as_set, frozenset: as_set, list: as_list, tuple: lambda values=(): tuple(as_list(values)),
    int: as_int, str: as_text, float: _as_float, bool: _as_bool,
}  # fmt: skip


def apply(function: Any, *args: Any, **kwargs: Any) -> Any:
    """Call a function of the program or of the list with values that may be unknown."""
    if isinstance(function, type) and function in TYPES:
        args = tuple(list(arg) if isinstance(arg, Iterator) else arg for arg in args)
        if engine_of([*args]) is None:
            return call(function, args, kwargs)
        return TYPES[function](*args, **kwargs)
    return call(function, args, kwargs)
