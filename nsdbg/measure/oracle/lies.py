"""Lies about values and states: each nearly true, in every way in which a value can mislead.

Texts in, texts out; nothing is run.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

from nsdbg.state import Event, Frame, State, Value

# Spelled like literals, and no literal of the program's values is one of them.
_ODD = ("nan", "inf", "-inf", "set()", "frozenset()", "...", "NotImplemented", "range(0, 1)")


def lies_of(value: Any, depth: int = 3) -> Iterator[Any]:
    """Yield values that are nearly this one: equal ones of another type, and unequal ones."""
    kind = type(value)
    if kind is bool:
        yield from (int(value), float(value), str(value), not value)
    elif kind is int:
        yield from (value + 1, -value, float(value) if abs(value) < 1 << 60 else None, _text(value))
        if value in (0, 1):
            yield bool(value)
            yield complex(value)
    elif kind is float:
        yield from (-value, math.nextafter(value, math.inf), repr(value))
        if math.isfinite(value) and value == int(value):
            yield int(value)
    elif kind is str or kind is bytes:
        yield from _lies_of_text(value)
    elif value is None:
        yield from (False, 0, "None", (), "")
    elif kind in (list, tuple, set, frozenset):
        yield from _lies_of_items(value, depth)
    elif kind is dict:
        yield from _lies_of_dict(value, depth)


def _text(value: Any) -> str:
    """Return a value's text, that of a number beyond CPython's limit of digits in base 16."""
    try:
        return repr(value)
    except ValueError:
        return hex(value) if type(value) is int else "..."


def _lies_of_text(value: Any) -> Iterator[Any]:
    yield value + value[:1]
    yield value[:-1]
    yield value.swapcase()
    yield value.replace(value[:1], value[-1:], 1) if value else value * 2
    yield value.encode() if isinstance(value, str) and value.isascii() else _text(value)
    if isinstance(value, str):
        yield value + " "
        yield value + "\u200b"
        yield repr(value)
        yield list(value)


def _lies_of_items(value: Any, depth: int) -> Iterator[Any]:
    items = list(value)
    kind = type(value)
    others: dict[Any, type] = {list: tuple, tuple: list, set: frozenset, frozenset: set}
    other = others[kind]
    yield other(value)
    yield sorted(map(_text, items))
    yield [value]
    if kind in (list, tuple):
        yield kind(items[::-1])
        yield kind([*items, None])
        yield kind([*items[:2], ...])  # as a cut `repr` looks
    if items:
        yield kind(items[:-1])
    for at, item in enumerate(items[:4]) if depth else ():
        for lie in lies_of(item, depth - 1):
            if kind in (list, tuple) or type(lie).__hash__ is not None:
                yield from _made(kind, [*items[:at], lie, *items[at + 1 :]])


def _lies_of_dict(value: dict[Any, Any], depth: int) -> Iterator[Any]:
    pairs = list(value.items())
    yield pairs
    yield set(value) if value else []
    yield dict(pairs[::-1])
    yield dict(pairs[:-1])
    for at, (key, item) in enumerate(pairs[:4]) if depth else ():
        for lie in lies_of(item, depth - 1):
            yield {**value, key: lie}
        for lie in lies_of(key, 0):
            yield from _made(dict, [*pairs[:at], (lie, item), *pairs[at + 1 :]])


def _made(kind: type, items: list[Any]) -> Iterator[Any]:
    try:
        yield kind(items)
    except TypeError:
        return  # a key that has no hash


def read(text: str) -> Any:
    """Return the value of a literal; raises ValueError for what `ast.literal_eval` cannot read."""
    try:
        return ast.literal_eval(text)
    except (SyntaxError, TypeError, MemoryError, RecursionError) as error:
        raise ValueError(f"no literal: {text[:40]}") from error


def other_texts(text: str, draw: Random, most: int) -> list[str]:
    """Return so many texts that are nearly the given one, some of which stand for the same."""
    try:
        value = read(text)
    except ValueError:
        return draw.sample([*_ODD, "0", "None", "'a'"], most)
    found = [_text(lie) for lie in lies_of(value)]
    found += [text[: len(text) // 2], text + " ", f"[{text}]", f"({text},)", draw.choice(_ODD)]
    if isinstance(value, int):
        found += [hex(value), f"+{text}", f"{text}.0", f"{text}j"]
    if isinstance(value, set) and value:
        found.append("{" + ", ".join(map(_text, list(value)[::-1])) + "}")
    found = list(dict.fromkeys(one for one in found if one != text))
    return draw.sample(found, min(most, len(found)))


def lying_states(state: State, draw: Random) -> Iterator[State]:
    """Yield states that differ from a true one in one thing, or say it in another way."""
    yield from _other_places(state, draw)
    for changed in _other_locals(list(state.frame.locals or ()), draw):
        yield _with(state, replace(state.frame, locals=tuple(changed)))
    yield replace(state, output=state.output + draw.choice([" ", "\n", "x"]))
    yield replace(state, output=state.output[:-1])
    other = draw.choice([event for event in Event if event is not state.event])
    yield replace(state, event=other, arg=None)
    yield from _other_arguments(state, draw)


def _with(state: State, frame: Frame) -> State:
    return replace(state, stack=(*state.stack[:-1], frame))


def _other_places(state: State, draw: Random) -> Iterator[State]:
    frame = state.frame
    for lineno in {max(1, frame.lineno - 1), frame.lineno + draw.randrange(1, 4)}:
        yield _with(state, replace(frame, lineno=lineno))
    yield replace(state, stack=(frame, *state.stack))
    yield _with(state, replace(frame, function=frame.function + "_"))
    if len(state.stack) > 1:
        yield replace(state, stack=state.stack[1:])
        yield replace(state, stack=state.stack[:-1])
        older = state.stack[0]
        moved = replace(older, lineno=older.lineno + 1)
        yield replace(state, stack=(moved, *state.stack[1:]))


def _other_locals(
    names: list[tuple[str, Value]], draw: Random
) -> Iterator[list[tuple[str, Value]]]:
    yield [*names, ("nobody", Value("1", "int", True))]
    if not names:
        return
    at = draw.randrange(len(names))
    name, seen = names[at]

    def bound(value: Value) -> list[tuple[str, Value]]:
        return [*names[:at], (name, value), *names[at + 1 :]]

    for text in other_texts(seen.repr, draw, 3):
        yield bound(literal(text))
    yield bound(Value(seen.repr, "object"))  # as what no literal stands for
    yield bound(Value("<object>", "object"))
    yield bound(Value(seen.repr[: len(seen.repr) // 2], seen.type, truncated=True))
    yield bound(replace(seen, type="bool" if seen.type == "int" else "int"))
    yield [*names[:at], *names[at + 1 :]]
    other, theirs = draw.choice(names)
    if other != name:
        yield [*bound(theirs)]
        yield [(n, seen if n == other else v) for n, v in bound(theirs)]


def _other_arguments(state: State, draw: Random) -> Iterator[State]:
    arg = state.arg
    if arg is None:
        if state.event is Event.RETURN:
            yield replace(state, arg=Value("None", "NoneType", True))
        return
    if state.event is Event.RETURN:
        for text in other_texts(arg.repr, draw, 3):
            yield replace(state, arg=literal(text))
        yield replace(state, arg=Value(arg.repr, "object"))
    else:
        yield replace(state, arg=replace(arg, repr=arg.repr + " "))
        yield replace(state, arg=replace(arg, repr=arg.repr[:-1]))
        for kind in ("LookupError", "Exception", arg.type + "_", "builtins." + arg.type):
            yield replace(state, arg=replace(arg, type=kind))


def literal(text: str) -> Value:
    """Return a value as a proposer writes it who has only its text."""
    try:
        found = read(text)
    except ValueError:
        return Value(text, "object")
    spelt = _text(found)
    return Value(spelt, type(found).__name__, literal=True)
