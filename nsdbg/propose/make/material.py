"""The stuff new values are made of: what the goal, the source and failed comparisons mention.

Values are kept by kind, the most telling first, together with what they turn into by simple
conversions.  Only collects; making arguments of it is `seeds` and `generate`.
"""

from __future__ import annotations

import ast
import contextlib
import math
import re
from collections.abc import Iterable, Iterator
from typing import Any

from nsdbg.propose.guess.kinds import Kind, fits

_LARGEST = 20_000  # characters of a value's repr
_FIRST = 60
_KEPT = 400  # values of one kind
_BRACKETED = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}")
_TYPES = (int, float, bool, str, bytes, list, tuple, dict, set, frozenset, type(None))


def literal(text: str | None) -> tuple[bool, Any]:
    """Return whether a text is a literal, and its value."""
    if text is None or len(text) > 65_536:
        return False, None
    try:
        return True, ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        if text in ("set()", "frozenset()"):
            return True, set() if text == "set()" else frozenset()
        return False, None


def key_of(value: Any) -> str:
    """Return a text that tells values apart that are equal but not alike (1, True, 1.0)."""
    return repr(value)


class Material:
    """Values by the name of their type, in the order in which they were added."""

    def __init__(self) -> None:
        self.kept: dict[str, dict[str, Any]] = {}
        self.alphabet: dict[str, None] = {}
        self.arguments: dict[int | str, list[Any]] = {}
        self._first: dict[Kind, tuple[int, list[Any]]] = {}
        self._characters: list[str] = []

    def add(self, value: Any, *, deep: bool = True, depth: int = 0) -> bool:
        """Keep a value, its parts, and its characters; tell whether it was new."""
        if type(value) not in _TYPES:
            return False
        key = key_of(value)
        shelf = self.kept.setdefault(type(value).__name__, {})
        if key in shelf or len(key) > _LARGEST or len(shelf) >= _KEPT:
            return False
        shelf[key] = value
        if isinstance(value, str):
            for char in value[:200]:
                self.alphabet.setdefault(char)
        if deep and depth < 4:
            for part in _parts(value):
                self.add(part, depth=depth + 1)
        return True

    def add_variants(self, value: Any) -> None:
        """Keep what a value turns into by conversions."""
        for variant in variants(value):
            self.add(variant)

    def of(self, kind: Kind) -> Iterator[Any]:
        """Give the kept values of a kind."""
        name = "tuple" if kind.name == "row" else kind.name.partition(":")[0]
        name = "dict" if name == "record" else name
        for value in list(self.kept.get(name, {}).values()):
            if fits(value, kind):
                yield value

    def first(self, kind: Kind) -> list[Any]:
        """Return the first few kept values of a kind."""
        shelf = self.kept.get("tuple" if kind.name == "row" else kind.name, {})
        size, found = self._first.get(kind, (-1, []))
        if size != len(shelf):
            found = [value for _, value in zip(range(_FIRST), self.of(kind), strict=False)]
            self._first[kind] = (len(shelf), found)
        return found

    def characters(self) -> list[str]:
        """Return the characters of all kept texts."""
        if len(self._characters) != len(self.alphabet):
            self._characters = list(self.alphabet)
        return self._characters

    def every(self) -> Iterator[Any]:
        """Give all kept values."""
        for shelf in list(self.kept.values()):
            yield from list(shelf.values())


def _parts(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return [*list(value)[:50], *list(value.values())[:50]]
    if isinstance(value, (list, tuple, set, frozenset)):
        return list(value)[:50]
    return ()


def variants(value: Any) -> Iterator[Any]:
    """Give what a value turns into by simple conversions, the telling ones first."""
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, (int, float)):
        yield from _of_number(value)
    elif isinstance(value, str):
        yield from _of_text(value)
    elif isinstance(value, bytes):
        yield from (value.decode("latin-1"), list(value))
    elif isinstance(value, dict):
        yield from _of_dict(value)
    elif isinstance(value, (list, tuple, set, frozenset)):
        yield from _of_collection(value)


def _of_number(value: Any) -> Iterator[Any]:
    yield from (value + 1, value - 1, -value, str(value))
    if isinstance(value, float):
        if value == value and abs(value) < 1e300:
            yield from (int(value), value / 2, value * 2)
        return
    yield from (value * 2, value // 2, [value], (value,))
    if 0 <= value < 0x110000 and not 0xD800 <= value < 0xE000:
        yield chr(value)
    if 0 < value <= 2000:
        yield from (list(range(value)), [0] * value, "a" * value, "ab" * (value // 2))
        yield from ([1] * value, list(range(1, value + 1)), " " * value)


def _of_text(value: str) -> Iterator[Any]:
    yield from ([value], list(value), value.split(), value[::-1], value.swapcase())
    yield from (value.lower(), value.upper(), value.strip(), tuple(value))
    for separator in (",", " ", "\n", ", ", "-", ":", ";", "/", "|", ".", "_"):
        if separator in value:
            yield from (value.split(separator), value.replace(separator, ""))
    yield from _written_in(value)
    yield from (value.title(), sorted(value), dict.fromkeys(value, 1), len(value))
    for number in re.findall(r"-?\d+", value)[:20]:
        if len(number) < 12 or number == value:
            yield int(number)
    if "." in value:
        for part in re.findall(r"-?\d+\.\d+", value)[:10]:
            yield float(part)
    yield value.encode("utf-8", "surrogatepass")


def _written_in(value: str) -> Iterator[Any]:
    """Give the bracketed literals that a text holds, each, together, and as a dict."""
    found = [literal(part) for part in _BRACKETED.findall(value)[:50]]
    items = [item for known, item in found if known]
    if items:
        yield from (items[0], items)
        pairs = all(isinstance(item, tuple) and len(item) == 2 for item in items)
        if pairs and all(getattr(key, "__hash__", None) for key, _ in items):
            yield from (dict(items), dict(reversed(items)))


def _of_dict(value: dict[Any, Any]) -> Iterator[Any]:
    yield from (list(value), list(value.values()), list(value.items()))
    yield from ([[key, item] for key, item in value.items()], dict(reversed(value.items())))
    if all(item.__hash__ for item in value.values()):
        yield {item: key for key, item in value.items()}
    yield dict.fromkeys(value, 0)
    if all(isinstance(key, str) for key in value):
        yield "".join(value)


def _of_collection(value: Any) -> Iterator[Any]:
    items = list(value)
    yield from (items, tuple(items), items[::-1], [items])
    hashable = all(getattr(item, "__hash__", None) for item in items)
    if hashable and not any(isinstance(item, tuple) for item in items):
        yield from (set(items), dict.fromkeys(items), dict.fromkeys(items, 1))
        yield from ({item: index for index, item in enumerate(items)}, dict(enumerate(items)))
    with contextlib.suppress(TypeError):
        yield sorted(items)
    if all(isinstance(item, str) for item in items):
        yield from ("".join(items), " ".join(items), ",".join(items), ", ".join(items))
        yield from ("\n".join(items), "".join(items[::-1]), " ".join(items[::-1]))
    if items and all(isinstance(item, (list, tuple)) for item in items):
        yield from ([list(item) for item in items], [tuple(item) for item in items])
        yield [part for item in items for part in item]
        if all(len(item) == 2 and getattr(item[0], "__hash__", None) for item in items):
            with contextlib.suppress(TypeError):
                yield dict(items)
    if items and all(type(item) is int for item in items):
        yield from (len(items), list(range(len(items))), [str(item) for item in items])
        yield from (sum(items), max(items), min(items), "".join(map(str, items)))
        if len(items) <= 12:
            yield from (math.prod(items), math.gcd(*items), math.lcm(*items))
    yield from ([[item] for item in items[:100]], items[:-1], items[1:], items + items)
