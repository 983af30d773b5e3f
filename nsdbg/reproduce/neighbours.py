"""Neighbours of a reproducer: starts that differ from it in one small thing.

For the spectrum and the counterfactual, which ask what is different where nothing crashes, and
for shrinking.  Proposes only; a neighbour's run decides what it shows.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from nsdbg.claim import Call, Script, Start

MOST_PER_VALUE = 12
MOST_SCRIPTS = 40
LARGEST_TEXT = 400


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A start beside the reproducer: `argument` is what was changed, and how it reads now."""

    start: Start
    argument: str
    was: str
    now: str


def neighbours(start: Start, seed: int = 0) -> Iterator[Neighbour]:
    """Yield the neighbours of a call or a script, small changes first, argument by argument."""
    if isinstance(start, Call):
        for place, (name, text) in enumerate(start.arguments):
            for now in dict.fromkeys(other_values(text)):
                arguments = (*start.arguments[:place], (name, now), *start.arguments[place + 1 :])
                yield Neighbour(replace(start, arguments=arguments), name, text, now)
    elif isinstance(start, Script):
        chance = random.Random(seed)
        seen = {start.stdin}
        for _ in range(MOST_SCRIPTS if start.stdin else 0):
            now = changed(start.stdin, chance)
            if now not in seen:
                seen.add(now)
                yield Neighbour(replace(start, stdin=now), "stdin", start.stdin, now)


def changed(stdin: str, chance: random.Random) -> str:
    """Return a standard input with one token changed."""
    lines = [line.split(" ") for line in stdin.splitlines()]
    line = chance.choice(lines) if lines else []
    if not line:
        return stdin
    place = chance.randrange(len(line))
    token = line[place]
    if token.lstrip("-").isdigit():
        number = int(token)
        line[place] = str(chance.choice((number + 1, number - 1, 0, number * 2, -number)))
    elif token:
        at = chance.randrange(len(token))
        choices = (token[:at] + token[at + 1 :], token + token[at], token[::-1], token[at])
        line[place] = chance.choice(choices)
    return "".join(" ".join(words) + "\n" for words in lines)


def other_values(text: str) -> list[str]:
    """Return expressions that differ a little from one: simpler, larger, one part less."""
    if len(text) > LARGEST_TEXT:
        return []
    try:
        node = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError):
        return []
    found = [one for one in _changed(node) if one != text]
    return found[:MOST_PER_VALUE]


def _changed(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant):
        yield from _changed_constant(node.value)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant):
        yield ast.unparse(node.operand)
        yield "0"
    elif isinstance(node, ast.List | ast.Tuple | ast.Set):
        yield from _changed_elements(node)
    elif isinstance(node, ast.Dict):
        yield from _changed_entries(node)
    elif isinstance(node, ast.Call):
        yield from _changed_arguments(node)


def _changed_constant(value: object) -> Iterator[str]:
    if value is None:
        yield from ("0", "''", "[]", "{}")
    elif isinstance(value, bool):
        yield repr(not value)
    elif isinstance(value, int):
        yield from map(repr, (value + 1, value - 1, 0, 1, value * 2, -value))
    elif isinstance(value, float):
        yield from map(repr, (value + 1.0, value / 2.0, 0.0, 1.0, -value))
    elif isinstance(value, str | bytes):
        yield from map(repr, (value[:-1], value[1:], value * 2, value[:1], value[:0]))
        if isinstance(value, str):
            yield from map(repr, (value + "a", value + "0", "1"))


def _changed_elements(node: ast.List | ast.Tuple | ast.Set) -> Iterator[str]:
    elements = node.elts
    for place in range(min(len(elements), 3)):
        yield _with(node, [*elements[:place], *elements[place + 1 :]])
    if elements:
        yield _with(node, [])
        yield _with(node, [*elements, elements[-1]])
        yield _with(node, [elements[0]])
    else:
        for text in ("0", "1", "'a'"):
            yield _with(node, [ast.parse(text, mode="eval").body])
    for place, element in enumerate(elements[:4]):
        for now in list(_changed(element))[:3]:
            inner = ast.parse(now, mode="eval").body
            yield _with(node, [*elements[:place], inner, *elements[place + 1 :]])


def _with(node: ast.List | ast.Tuple | ast.Set, elements: list[ast.expr]) -> str:
    if isinstance(node, ast.Set):
        return ast.unparse(ast.Set(elements)) if elements else "set()"
    kind = ast.List if isinstance(node, ast.List) else ast.Tuple
    return ast.unparse(kind(elements, ast.Load()))


def _changed_entries(node: ast.Dict) -> Iterator[str]:
    pairs = list(zip(node.keys, node.values, strict=True))
    for place in range(min(len(pairs), 3)):
        yield _dict([*pairs[:place], *pairs[place + 1 :]])
    for place, (key, value) in enumerate(pairs[:4]):
        for now in list(_changed(value))[:3]:
            inner = ast.parse(now, mode="eval").body
            yield _dict([*pairs[:place], (key, inner), *pairs[place + 1 :]])


def _dict(pairs: list[tuple[ast.expr | None, ast.expr]]) -> str:
    return ast.unparse(ast.Dict([key for key, _ in pairs], [value for _, value in pairs]))


def _changed_arguments(node: ast.Call) -> Iterator[str]:
    """Change the arguments of a constructor, as `Order(items=[])`, or leave one out."""
    for place in range(len(node.keywords)):
        kept = [*node.keywords[:place], *node.keywords[place + 1 :]]
        yield ast.unparse(ast.Call(node.func, node.args, kept))
    if node.args:
        yield ast.unparse(ast.Call(node.func, node.args[:-1], node.keywords))
    for place, argument in enumerate(node.args[:4]):
        for now in list(_changed(argument))[:3]:
            inner = ast.parse(now, mode="eval").body
            args = [*node.args[:place], inner, *node.args[place + 1 :]]
            yield ast.unparse(ast.Call(node.func, args, node.keywords))
    for place, keyword in enumerate(node.keywords[:4]):
        for now in list(_changed(keyword.value))[:3]:
            inner = ast.parse(now, mode="eval").body
            words = [*node.keywords[:place], ast.keyword(keyword.arg, inner),
                     *node.keywords[place + 1 :]]  # fmt: skip
            yield ast.unparse(ast.Call(node.func, node.args, words))
