"""Methods of texts and lists with unknowns in them; of known values, the evaluator's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from nsdbg.propose.evaluate import Unknown
from nsdbg.propose.evaluation.methods import call_method
from nsdbg.propose.evaluation.scope import Module
from nsdbg.propose.symbolic.compare import compare, every, negated, occurrences, some, term
from nsdbg.propose.symbolic.engine import Engine, z3
from nsdbg.propose.symbolic.functions import add_up, apply, in_order, item
from nsdbg.propose.symbolic.values import (
    SymBool,
    SymInt,
    SymSet,
    SymStr,
    characters,
    code_of,
    engine_of,
    settled,
    text_of,
)  # fmt: skip

_LONG = 200  # characters of a text


def call_any(value: Any, name: str, *args: Any, **kwargs: Any) -> Any:
    """Call a method of a value, unknowns in it or in the arguments included."""
    args = tuple(list(arg) if isinstance(arg, Iterator) else arg for arg in args)
    if isinstance(value, Module):
        return apply(value.get(name), *args, **kwargs)
    engine = engine_of(value) or engine_of(list(args))
    if engine is None:
        return call_method(value, name, args, kwargs)
    if isinstance(value, (str, SymStr)):
        method = _TEXT.get(name)
        if method is None:
            raise Unknown(f"{name} of a text that is not known")
        return method(engine, value, *args)
    if isinstance(value, (list, tuple)) and name in _LIST:
        return _LIST[name](engine, value, *args, **kwargs)
    if isinstance(value, list) and name in ("append", "extend", "insert", "pop", "reverse", "copy"):
        plain = [_place(arg) if name in ("pop",) or (name == "insert" and at == 0) else arg
                 for at, arg in enumerate(args)]  # fmt: skip
        return getattr(value, name)(*plain)
    if isinstance(value, dict) and name in ("get", "items", "keys", "values", "copy"):
        return _dict_method(engine, value, name, *args)
    if isinstance(value, (SymSet, set)):
        return _set_method(engine, value, name, *args)
    if isinstance(value, SymInt) and name == "is_integer":
        return value.is_integer()
    raise Unknown(f"{name} of a value that is not known")


def _place(value: Any) -> Any:
    return value.__index__() if isinstance(value, (SymInt,)) else value


def _dict_method(engine: Engine, value: dict[Any, Any], name: str, *args: Any) -> Any:
    if name != "get" or engine_of(args[0]) is None:
        return getattr(value, name)(*args)
    if some([compare("==", args[0], key) for key in value], engine):
        return item(value, args[0])
    return args[1] if len(args) > 1 else None


def _set_method(engine: Engine, value: Any, name: str, *args: Any) -> Any:
    if name == "add" and isinstance(value, SymSet):
        value.items.append(args[0])
        return None
    if name in ("issubset", "issuperset"):
        return compare("<=" if name == "issubset" else ">=", value, SymSet(list(args[0]), engine))
    raise Unknown(f"{name} of a set that is not known")


def _list_count(engine: Engine, values: Any, wanted: Any) -> Any:
    return add_up([compare("==", value, wanted) for value in values])


def _list_index(engine: Engine, values: Any, wanted: Any) -> Any:
    return _first_place([compare("==", value, wanted) for value in values], engine, ValueError)


def _list_remove(engine: Engine, values: Any, wanted: Any) -> None:
    for at, value in enumerate(values):
        if compare("==", value, wanted):
            del values[at]
            return
    raise ValueError("list.remove(x): x not in list")


def _list_sort(engine: Engine, values: Any, **kwargs: Any) -> None:
    values[:] = in_order(values, **kwargs)


def _first_place(found: list[Any], engine: Engine, missing: type[Exception] | None) -> Any:
    """Return the first place at which something is true, else -1 or an exception."""
    if missing is not None and not some(found, engine):
        raise missing("not found")
    result: Any = z3.IntVal(-1)
    for at in range(len(found) - 1, -1, -1):
        result = z3.If(term(found[at]), z3.IntVal(at), result)
    return SymInt(z3.simplify(result), engine)


_LIST: dict[str, Callable[..., Any]] = {
    "count": _list_count, "index": _list_index, "remove": _list_remove, "sort": _list_sort,
}  # fmt: skip


def _count(engine: Engine, text: Any, part: Any) -> Any:
    """Count without overlaps: an occurrence counts when none that counts reaches into it.

    In a long text all are counted, since the chain of who counts would be as long.
    """
    found = occurrences(part, text, engine)
    size = len(characters(part))
    if size == 1 or (size and len(found) > _LONG):
        return add_up(found)
    if size == 0:
        return len(characters(text)) + 1
    counted: list[Any] = []
    for at, here in enumerate(found):
        before = counted[max(0, at - size + 1) : at]
        counted.append(every([here, *(negated(each) for each in before)], engine))
    return add_up(counted)


def _find(engine: Engine, text: Any, part: Any, start: Any = 0) -> Any:
    start = _place(start)
    found = occurrences(part, text, engine)
    return _first_place([here if at >= start else False for at, here in enumerate(found)],
                        engine, None)  # fmt: skip


def _index(engine: Engine, text: Any, part: Any) -> Any:
    return _first_place(occurrences(part, text, engine), engine, ValueError)


def _startswith(engine: Engine, text: Any, part: Any) -> Any:
    if isinstance(part, tuple):
        return some([_startswith(engine, text, each) for each in part], engine)
    size = len(characters(part))
    return compare("==", text[:size], part)


def _endswith(engine: Engine, text: Any, part: Any) -> Any:
    size = len(characters(part))
    return compare("==", text[len(characters(text)) - size :], part) if size <= len(text) else False


def _join(engine: Engine, text: Any, parts: Any) -> Any:
    chars: list[Any] = []
    for at, part in enumerate(list(parts)):
        if not isinstance(part, (str, SymStr)):
            raise TypeError("sequence item: expected str instance")
        chars += [*(characters(text) if at else ()), *characters(part)]
    return text_of(chars, engine)


def _split(engine: Engine, text: Any, sep: Any = None) -> list[Any]:
    """Cut at a separator of one character, or at spaces: where they are is decided."""
    if sep is not None and len(characters(sep)) != 1:
        return _split_at(engine, text, sep)
    parts: list[list[Any]] = [[]]
    for char in characters(text):
        here = text_of([char], engine)
        if compare("in", here, " \n\t") if sep is None else compare("==", here, sep):
            parts.append([])
        else:
            parts[-1].append(char)
    kept = [part for part in parts if part] if sep is None else parts
    return [text_of(part, engine) for part in kept]


def _split_at(engine: Engine, text: Any, sep: Any) -> list[Any]:
    chars, size = characters(text), len(characters(sep))
    if size == 0:
        raise ValueError("empty separator")
    parts: list[Any] = []
    begin = at = 0
    while at <= len(chars) - size:
        if compare("==", text_of(chars[at : at + size], engine), sep):
            parts.append(text_of(chars[begin:at], engine))
            begin = at = at + size
        else:
            at += 1
    return [*parts, text_of(chars[begin:], engine)]


def _replace(engine: Engine, text: Any, old: Any, new: Any) -> Any:
    if len(characters(old)) == 1 and len(characters(new)) == 1:
        changed = [_swapped(engine, char, old, new) for char in characters(text)]
        return text_of(changed, engine)
    return _join(engine, new, _split_at(engine, text, old))


def _swapped(engine: Engine, char: Any, old: Any, new: Any) -> Any:
    same = compare("==", text_of([char], engine), old)
    if not isinstance(same, SymBool):
        return characters(new)[0] if same else char
    return SymInt(z3.If(same.expr, code_of(characters(new)[0]), code_of(char)), engine)


def _mapped(low: int, high: int, shift: int) -> Callable[..., Any]:
    def change(engine: Engine, text: Any) -> Any:
        def one(char: Any) -> Any:
            code = code_of(char)
            inside = z3.And(code >= low, code <= high)
            return SymInt(z3.If(inside, code + shift, code), engine)

        return text_of([one(char) for char in characters(text)], engine)

    return change


def _class_of(*ranges: tuple[int, int]) -> Callable[..., Any]:
    def test(engine: Engine, text: Any) -> Any:
        if not len(characters(text)):
            return False
        return settled(z3.And([_in_ranges(code_of(char), ranges) for char in characters(text)]),
                       engine)  # fmt: skip

    return test


def _in_ranges(code: Any, ranges: tuple[tuple[int, int], ...]) -> Any:
    return z3.Or([z3.And(code >= low, code <= high) for low, high in ranges])


def _cased(own: tuple[int, int], other: tuple[int, int]) -> Callable[..., Any]:
    def test(engine: Engine, text: Any) -> Any:
        codes = [code_of(char) for char in characters(text)]
        some_own = z3.Or([_in_ranges(code, (own,)) for code in codes])
        return settled(z3.And(some_own, *(z3.Not(_in_ranges(c, (other,))) for c in codes)), engine)

    return test


def _strip(left: bool, right: bool) -> Callable[..., Any]:
    def strip(engine: Engine, text: Any, chars: Any = " \n\t\r") -> Any:
        kept = list(characters(text))
        while left and kept and compare("in", text_of(kept[:1], engine), chars):
            kept.pop(0)
        while right and kept and compare("in", text_of(kept[-1:], engine), chars):
            kept.pop()
        return text_of(kept, engine)

    return strip


_UPPER, _LOWER, _DIGIT = (65, 90), (97, 122), (48, 57)
_TEXT: dict[str, Callable[..., Any]] = {
    "count": _count, "find": _find, "index": _index, "startswith": _startswith,
    "endswith": _endswith, "join": _join, "split": _split, "replace": _replace,
    "upper": _mapped(*_LOWER, -32), "lower": _mapped(*_UPPER, 32), "strip": _strip(True, True),
    "lstrip": _strip(True, False), "rstrip": _strip(False, True), "isdigit": _class_of(_DIGIT),
    "isdecimal": _class_of(_DIGIT), "isnumeric": _class_of(_DIGIT),
    "isalpha": _class_of(_UPPER, _LOWER), "isalnum": _class_of(_UPPER, _LOWER, _DIGIT),
    "isspace": _class_of((32, 32), (9, 13)), "isupper": _cased(_UPPER, _LOWER),
    "islower": _cased(_LOWER, _UPPER),
}  # fmt: skip
