"""The stuff new values are made of: what the goal, the source and failed comparisons mention.

Values are kept by kind, the most telling first, together with what they turn into by simple
conversions.  Only collects; making arguments of it is `seeds` and `generate`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import Any

from nsdbg.claim import Goal
from nsdbg.propose.kinds import Kind, fits
from nsdbg.source import Subject, functions

_LARGEST = 20_000  # characters of a value's repr
_FIRST = 60
_KEPT = 400  # values of one kind
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
    yield from (value.title(), sorted(value), dict.fromkeys(value, 1), len(value))
    for number in re.findall(r"-?\d+", value)[:20]:
        if len(number) < 12 or number == value:
            yield int(number)
    if "." in value:
        for part in re.findall(r"-?\d+\.\d+", value)[:10]:
            yield float(part)
    yield value.encode("utf-8", "surrogatepass")


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
    try:
        yield sorted(items)
    except TypeError:
        pass
    if all(isinstance(item, str) for item in items):
        yield from ("".join(items), " ".join(items), ",".join(items), ", ".join(items))
        yield from ("\n".join(items), "".join(items[::-1]), " ".join(items[::-1]))
    if items and all(isinstance(item, (list, tuple)) for item in items):
        yield from ([list(item) for item in items], [tuple(item) for item in items])
        yield [part for item in items for part in item]
        if all(len(item) == 2 and getattr(item[0], "__hash__", None) for item in items):
            try:
                yield dict(items)
            except TypeError:
                pass
    if items and all(type(item) is int for item in items):
        yield from (len(items), list(range(len(items))), [str(item) for item in items])
        yield from (sum(items), max(items), min(items), "".join(map(str, items)))
    yield from ([[item] for item in items[:100]], items[:-1], items[1:], items + items)


def of_goal(material: Material, goal: Goal) -> None:
    """Take in what a goal names: its value, its locals, its message, its conditions."""
    for text in [goal.value, *(text for _, text in goal.locals)]:
        known, value = literal(text)
        if known:
            material.add(value)
            material.add_variants(value)
    for text in goal.where:
        for value in _constants(_parsed(text)):
            material.add(value)
            material.add_variants(value)
    if goal.exception and goal.exception.message:
        for value in of_message(goal.exception.message):
            material.add(value)


def of_message(message: str) -> Iterator[Any]:
    """Give the values that an exception's message mentions."""
    known, value = literal(message)
    if known:
        yield value
    for quoted in re.findall(r"'([^']*)'|\"([^\"]*)\"|: (.+)$", message):
        for part in quoted:
            if part:
                known, value = literal(part)
                if known:
                    yield value
                yield part
    for number in re.findall(r"-?\d+", message):
        if len(number) < 30:
            yield int(number)


def of_source(material: Material, subject: Subject) -> None:
    """Take in the constants of the function, its defaults, and its callers' arguments."""
    body = subject.node if subject.node is not None else subject.tree
    for value in _constants(body):
        material.add(value)
        if isinstance(value, str) and len(value) > 1:
            material.add(list(value) if len(value) < 100 else value)
    for parameter in subject.parameters:
        known, value = literal(parameter.default)
        if known:
            material.add(value)
            material.add_variants(value)
    for value in _constants(body):
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            material.add(value + 1)
            material.add(value - 1)
    if subject.node is not None:
        _examples(material, subject, subject.node.name)


def _parsed(text: str) -> ast.AST:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError):
        return ast.Module([], [])


def _constants(node: ast.AST) -> Iterator[Any]:
    """Give the literals of a tree in source order: displays whole, then their parts."""
    document = {id(inner.body[0].value) for inner in ast.walk(node)
                if isinstance(inner, (ast.FunctionDef, ast.ClassDef, ast.Module)) and inner.body
                and isinstance(inner.body[0], ast.Expr)}  # fmt: skip
    for inner in ast.walk(node):
        if id(inner) in document:
            continue
        if isinstance(inner, ast.Constant) and inner.value is not ...:
            yield inner.value
        elif isinstance(inner, (ast.List, ast.Tuple, ast.Set, ast.Dict, ast.UnaryOp)):
            try:
                yield ast.literal_eval(inner)
            except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
                continue


def _examples(material: Material, subject: Subject, name: str) -> None:
    """Keep the literal arguments of calls of the function in the module and in docstrings."""
    trees: list[ast.AST] = [subject.tree]
    for _, function, _ in functions(subject.tree):
        for line in re.findall(r">>> (.*)", ast.get_docstring(function) or ""):
            trees.append(_parsed(line))
    for tree in trees:
        for call in ast.walk(tree):
            if isinstance(call, ast.Call) and name in (
                getattr(call.func, "id", None), getattr(call.func, "attr", None)
            ):  # fmt: skip
                pairs: list[tuple[int | str, ast.expr]] = [*enumerate(call.args)]
                pairs += [(word.arg, word.value) for word in call.keywords if word.arg]
                for position, node in pairs:
                    known, value = literal(ast.unparse(node))
                    if known:
                        material.arguments.setdefault(position, []).append(value)
                        material.add(value)
