"""Values worth trying for a parameter, best first: from the goal, from the source, and plain ones.

Guesses only; which of them lead to the goal is for the evaluator and the verifier to say.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Any

from nsdbg.claim import Goal
from nsdbg.propose.evaluate import Unknown, literal
from nsdbg.propose.inversion.forward import distinct
from nsdbg.source import Subject

_LONGEST_NEAR = 40
_LONGEST = 400  # characters or elements of a value that is put together
PLAIN: dict[str, list[Any]] = {
    "str": ["", "a", " ", "A", "1", "ab", "a b", "aBc", "abc", "-", ",", "x1", "aa", "é", "\n",
            "aaa", "aba", "abab", "aaaa", "12", "121", "A1b2", "()", "1 2 3", "a,b", "a-b", "a=b"],
    "int": [0, 1, 2, -1, 3, 5, 10, 4, 6, 7, 8, 20, 50, 100, -5, -10, 1000, *range(9, 130),
            -2, -3, -100, 1234, 10_000],
    "list": [[], [1], ["a"], [1, 2], [1, 2, 3], [0], ["a", "b"], [-1], [3, 2, 1], [""], [1, 1],
             [[1, 2], [3, 4]], [5, 1, 4, 2], [(1, 2)], [[]], [1, 1, 1], [1, 2, 1], [1, 2, 3, 4],
             [2, 1], [1, 2, 2, 3], ["a", "a"], ["ab", "b"], [["a"]], [1, -1], [[1]],
             [(1, 2), (3, 4)]],
    "dict": [{}, {"a": 1}, {1: 2}, {"a": "b"}, {1: 2, 3: 4}, {"a": [1]}, {"a": 1, "b": 2},
             {"a": None}],
    "bool": [True, False],
    "float": [0.0, 1.0, 0.5, -1.0, 1.5, 2.0, 10.0],
    "tuple": [(), (1,), (1, 2), ("a",), ("a", "b"), (1, 2, 3), (0, 0)],
    "set": [set(), {1}, {"a"}, {1, 2}],
    "bytes": [b"", b"a", b"abc"],
}  # fmt: skip


class Facts:
    """What the goal and the source mention: values of the result and of its parts, constants."""

    def __init__(self, goal: Goal, subject: Subject) -> None:
        self.results = distinct(list(_results(goal)))
        self.parts = distinct([part for value in self.results for part in _parts(value)])
        self.constants = distinct(list(_constants(subject)))[:40]

    def of(self, kind: type) -> list[Any]:
        """Return the mentioned values of one type: results, then their parts, then constants."""
        every = (*self.results, *self.parts, *self.constants)
        return distinct([value for value in every if type(value) is kind])


def _results(goal: Goal) -> Iterator[Any]:
    texts = [goal.value, *(text for _, text in goal.locals)]
    if goal.exception and goal.exception.message:
        texts += [goal.exception.message, *goal.exception.message.split("'")[1::2]]
        yield from goal.exception.message.split("'")[1::2]
    for text in texts:
        try:
            yield literal(text or "")
        except Unknown:
            continue


def _parts(value: Any, depth: int = 3) -> Iterator[Any]:
    if depth == 0:
        return
    if isinstance(value, dict):
        inner: list[Any] = [*value.keys(), *value.values()]
    else:
        inner = list(value) if isinstance(value, (list, tuple, set)) else []
    yield from inner
    for part in inner:
        yield from _parts(part, depth - 1)


def _constants(subject: Subject) -> Iterator[Any]:
    roots: list[ast.AST] = [subject.tree if subject.node is None else subject.node]
    roots += [node.value for node in subject.tree.body if isinstance(node, ast.Assign)]
    for root in roots:
        for node in ast.walk(root):
            if isinstance(node, ast.Constant) and node.value not in (None, ...):
                yield node.value
            elif isinstance(node, (ast.List, ast.Tuple, ast.Dict, ast.Set)):
                try:
                    yield literal(ast.unparse(node))
                except Unknown:
                    continue


def pool(kind: str, facts: Facts) -> list[Any]:
    """Return values of a kind that are worth trying, best first."""
    made = list(_MAKERS[kind](facts)) if kind in _MAKERS else []
    return [value for value in distinct([*made, *PLAIN.get(kind, ())]) if _handy(value)]


def _handy(value: Any) -> bool:
    return not isinstance(value, (str, list, tuple, dict, set)) or len(value) <= _LONGEST


def _counts(facts: Facts) -> list[int]:
    return [number for number in facts.of(int)[:6] if 0 < number <= _LONGEST]


def _texts(facts: Facts) -> Iterator[str]:
    own = [value for value in facts.results if isinstance(value, str)]
    yield from own
    for value in facts.results:
        if isinstance(value, (list, tuple)) and value and all(type(v) is str for v in value):
            yield from (joiner.join(value) for joiner in ("", " ", ",", "\n", ", "))
        elif isinstance(value, bytes):
            yield value.decode("utf-8", "replace")
        elif isinstance(value, dict) and all(type(key) is str for key in value):
            yield "".join(value)
        elif not isinstance(value, str):
            yield str(value)
    mentioned = facts.of(str)
    yield from mentioned
    for text in own:
        yield from _varied(text)
        yield from _near(text)
    for text in (*mentioned[:8], "a", "A", "1", " "):
        yield from (text * count for count in _counts(facts))
    yield from (left + right for left in mentioned[:6] for right in mentioned[:6])


def _varied(text: str) -> Iterator[str]:
    yield from (text[::-1], text.lower(), text.upper(), text.swapcase(), text.strip())
    yield from (text + "a", "a" + text, text + " ", " " + text, text[1:], text[:-1], text + text)
    yield from ("".join(text.split()), text.replace(" ", "-"), *text.split())
    yield from (text[: len(text) // 2], text[len(text) // 2 :])
    yield from sorted(set(text))


def _near(value: Any) -> Iterator[Any]:
    """Yield what a sequence may have been before something was put to it or taken from it."""
    if len(value) <= _LONGEST_NEAR:
        yield from (value[:end] for end in range(len(value) // 2, len(value)))
        yield from (value[start:] for start in range(1, len(value) // 2 + 1))
        yield from (value[1:] + value[:1], value[-1:] + value[:-1])
        yield from (value[:place] + value[place + 1 :] for place in range(len(value)))
        yield from (value[:end] for end in range(1, len(value) // 2))
        yield from (value[start:] for start in range(len(value) // 2 + 1, len(value)))


def _numbers(facts: Facts) -> Iterator[int]:
    numbers = facts.of(int)
    yield from numbers
    for value in facts.results:
        if isinstance(value, (str, list, tuple, dict, set)):
            yield from (len(value), len(value) - 1, len(value) + 1, len(value) // 2)
        elif isinstance(value, (int, float)) and abs(value) < 1e18:
            yield from (int(value) + 1, int(value) - 1, -int(value), int(value) * 2)
    yield from (int(text) for text in facts.of(str)[:10] if text.isdecimal() and len(text) < 18)
    yield from (left - right for left in numbers[:5] for right in numbers[:5])


def _lists(facts: Facts) -> Iterator[list[Any]]:
    yield from facts.of(list)
    for value in facts.results:
        if isinstance(value, (tuple, set, str)):
            yield sorted(value, key=repr) if isinstance(value, set) else list(value)
        elif isinstance(value, dict):
            yield from (list(value), list(value.values()), list(value.items()))
        if isinstance(value, str):
            yield from (value.split(), value.split(","), value.split("\n"))
    for value in facts.results:
        if isinstance(value, list):
            yield from (value[::-1], value[:-1], value[1:], [*value, 0], [0, *value], value + value)
            yield from _near(value)
    every = [*facts.results, *facts.parts, *facts.constants]
    yield from ([value] for value in every[:12])
    yield from ([[value]] for value in every[:4])
    yield from ([(value, value)] for value in every[:2])
    yield from ([value] * count for value in (*every[:4], 1, "a") for count in _counts(facts))
    yield from (list(range(count)) for count in _counts(facts))
    yield from ([left, right] for left in every[:5] for right in every[:5])


def _dicts(facts: Facts) -> Iterator[dict[Any, Any]]:
    yield from facts.of(dict)
    plain = [
        value for value in (*facts.results, *facts.parts, *facts.constants) if _hashable(value)
    ]
    for value in facts.results:
        if isinstance(value, dict):
            yield {item: key for key, item in value.items() if _hashable(item)}
            # What a function adds to its argument comes behind what was there.
            pairs = list(value.items())
            yield from (dict(pairs[:count]) for count in range(len(pairs) - 1, 0, -1)[:6])
        elif isinstance(value, (list, tuple)):
            if all(isinstance(item, tuple) and len(item) == 2 for item in value):
                yield dict(pair for pair in value if _hashable(pair[0]))
            yield {key: 1 for key in value if _hashable(key)}
            yield dict(enumerate(value))
    yield from ({key: value} for key in plain[:4] for value in (*plain[:4], 1, "a", None))
    yield from ({"a": value} for value in (*facts.results, *facts.parts)[:6])


def _tuples(facts: Facts) -> Iterator[tuple[Any, ...]]:
    yield from facts.of(tuple)
    yield from (tuple(value) for value in facts.of(list))
    yield from ((value,) for value in (*facts.results, *facts.parts)[:6])


def _sets(facts: Facts) -> Iterator[set[Any]]:
    yield from facts.of(set)
    yield from (set(value) for value in facts.of(list) if all(map(_hashable, value)))


def _floats(facts: Facts) -> Iterator[float]:
    yield from facts.of(float)
    yield from (float(value) for value in facts.of(int)[:8])


def _bytes(facts: Facts) -> Iterator[bytes]:
    yield from facts.of(bytes)
    yield from (text.encode() for text in facts.of(str)[:8])


def _hashable(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(_hashable, value))
    return not isinstance(value, (list, dict, set))


_MAKERS: dict[str, Any] = {
    "str": _texts, "int": _numbers, "list": _lists, "dict": _dicts, "tuple": _tuples,
    "set": _sets, "float": _floats, "bytes": _bytes,
}  # fmt: skip


# What makes ordinary code fail: nothing at all, nothing in it, and something of another kind.
CRASHING: list[Any] = [None, "", [], {}, 0, "a", 1, -1, [None], [1], {"a": None}, 1.5, (), ["a"]]


def mixed(pools: Iterable[list[Any]]) -> list[Any]:
    """Return the values of several pools by turns: as many from earlier pools, at least."""
    left = [list(values) for values in pools]
    found: list[Any] = []
    while any(left):
        for place, values in enumerate(left):
            for value in values[: 4 if place == 0 else 2 if place == 1 else 1]:
                found.append(value)
            del values[: 4 if place == 0 else 2 if place == 1 else 1]
    return distinct(found)
