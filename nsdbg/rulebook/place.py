"""Places: patterns with their surroundings and conditions, searched for in a module.

It answers where a place is and what its metavariables stand for, not what that means.
"""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from nsdbg.rulebook.pattern import Bindings, Bound, compile_pattern, text_of
from nsdbg.rulebook.rules import Condition, Place
from nsdbg.rulebook.scope import FunctionNode, Module, falls_through

_TEXT_LIMIT = 4096  # a regular expression sees no longer text
_NEAR = 0.74  # difflib's ratio of `name` and `nam` is 0.86, of `total` and `totals` 0.91


@dataclass(frozen=True, slots=True)
class Found:
    """A node where a place fits, and what the metavariables stand for."""

    node: ast.AST
    bindings: Bindings


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What conditions may look at: the module, the statements of the crash line, the message."""

    module: Module
    crash: tuple[ast.stmt, ...] = ()
    groups: tuple[tuple[str, str], ...] = ()
    texts: frozenset[str] = frozenset()
    enclosing: frozenset[ast.AST] = frozenset()

    def group(self, name: str) -> str | None:
        """Return a part of the message."""
        return dict(self.groups).get(name)


def surroundings(
    module: Module, crash: tuple[ast.stmt, ...], groups: tuple[tuple[str, str], ...]
) -> Surroundings:
    """Return the surroundings of a crash, with the texts of all that is named on its line."""
    texts: set[str] = set()
    for statement in crash:
        for node, _ in header_nodes(statement):
            if isinstance(node, ast.expr):
                texts.add(ast.unparse(node))
            if isinstance(node, ast.Attribute):
                texts.add(node.attr)
    enclosing = {above for statement in crash for above in module.ancestors(statement)}
    return Surroundings(module, crash, groups, frozenset(texts), frozenset(enclosing))


def find(place: Place, nodes: Iterable[ast.AST], around: Surroundings) -> Iterator[Found]:
    """Yield where a place fits among nodes, in their order.

    Metavariables with the name of a part of the message stand for that part alone.
    """
    pattern = compile_pattern(place.pattern)
    given: Bindings = {name: text for name, text in around.groups if name in metavariables(place)}
    for node in nodes:
        if pattern.heads and type(node) not in pattern.heads:
            continue
        if place.around_crash and node not in around.enclosing:
            continue
        bindings = pattern.match(node, given)
        if bindings is not None:
            bindings = _surrounded(place, node, bindings, around)
        if bindings is not None and all(
            _holds(condition, bindings, node, around) for condition in place.conditions
        ):
            yield Found(node, bindings)


@lru_cache(maxsize=2048)
def metavariables(place: Place) -> frozenset[str]:
    """Return the metavariables of a place and its surroundings."""
    texts = (place.pattern, *place.contains, *place.inside, *place.at_crash)
    return frozenset().union(*(compile_pattern(text).names for text in texts))


def header_nodes(statement: ast.stmt) -> Iterator[tuple[ast.AST, bool]]:
    """Yield a statement's nodes without those of statements in its body.

    The flag tells that a node lies in a lambda or comprehension, which has its own frame (before
    3.12 for comprehensions); the first iterable of a comprehension is evaluated outside of it.
    """
    yield statement, False
    for child in ast.iter_child_nodes(statement):
        if isinstance(child, (ast.expr, ast.arguments, ast.withitem, ast.keyword)):
            yield from _expressions(child, False)


def _expressions(node: ast.AST, inner: bool) -> Iterator[tuple[ast.AST, bool]]:
    yield node, inner
    if isinstance(node, ast.Lambda):
        yield from _expressions(node.args, inner)
        yield from _expressions(node.body, True)
        return
    generators = getattr(node, "generators", [])
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.comprehension) and child is generators[0]:
            for part in ast.iter_child_nodes(child):
                yield from _expressions(part, inner or part is not child.iter)
        else:
            yield from _expressions(child, inner or bool(generators))


def _surrounded(
    place: Place, node: ast.AST, bindings: Bindings, around: Surroundings
) -> Bindings | None:
    for text in place.contains:
        inner = _first_within(text, node, bindings)
        if inner is None:
            return None
        bindings = inner
    if any(_first_within(text, node, bindings) is not None for text in place.lacks):
        return None
    if place.inside:
        enclosing = _first_around(place.inside, node, bindings, around.module)
        if enclosing is None:
            return None
        bindings = enclosing
    if _first_around(place.not_inside, node, bindings, around.module) is not None:
        return None
    return _first_at_crash(place.at_crash, bindings, around) if place.at_crash else bindings


def _first_at_crash(
    texts: tuple[str, ...], bindings: Bindings, around: Surroundings
) -> Bindings | None:
    nodes = [node for statement in around.crash for node, _ in header_nodes(statement)]
    found = (compile_pattern(text).match(node, bindings) for node in nodes for text in texts)
    return next((each for each in found if each is not None), None)


def _first_within(text: str, node: ast.AST, bindings: Bindings) -> Bindings | None:
    pattern = compile_pattern(text)
    for child in ast.walk(node):
        if child is not node and (not pattern.heads or type(child) in pattern.heads):
            found = pattern.match(child, bindings)
            if found is not None:
                return found
    return None


def _first_around(
    texts: tuple[str, ...], node: ast.AST, bindings: Bindings, module: Module
) -> Bindings | None:
    for above in module.ancestors(node):
        for text in texts:
            found = compile_pattern(text).match(above, bindings)
            if found is not None:
                return found
    return None


def _holds(condition: Condition, bindings: Bindings, node: ast.AST, around: Surroundings) -> bool:
    """Return whether every field of a condition that is given holds."""
    bound = bindings.get(condition.var)
    if bound is None:
        return False
    text = text_of(bound)[:_TEXT_LIMIT]
    return (
        (condition.matches is None or re.fullmatch(condition.matches, text) is not None)
        and (condition.not_matches is None or re.fullmatch(condition.not_matches, text) is None)
        and (not condition.node or _kind(bound) in condition.node)
        and (not condition.scope or _scope(bound, node, around.module) in condition.scope)
        and (not condition.near or _is_near_miss(_plain(bound), condition.near, around.module))
        and (condition.near_group is None
             or _is_close(_plain(bound), around.group(condition.near_group)))
        and (condition.on_crash_line is None
             or (text in around.texts) == condition.on_crash_line)
        and (condition.group is None or text == around.group(condition.group))
        and (condition.differs is None or text != text_of(bindings.get(condition.differs, "")))
        and (condition.falls_through is None
             or _falls_through(text, around.module) == condition.falls_through)
        and (not condition.bound_to
             or _is_bound_to(text, condition.bound_to, node, around.module))
    )  # fmt: skip


def _kind(bound: Bound) -> str:
    return "identifier" if isinstance(bound, str) else type(bound).__name__


def _plain(bound: Bound) -> str:
    """Return an identifier or the value of a string literal; other expressions are no word."""
    if isinstance(bound, str):
        return bound
    if isinstance(bound, ast.Name):
        return bound.id
    value = bound.value if isinstance(bound, ast.Constant) else ""
    return value if isinstance(value, str) else ""


def _scope(bound: Bound, node: ast.AST, module: Module) -> str:
    while isinstance(bound, (ast.Attribute, ast.Subscript, ast.Starred)):
        bound = bound.value
    name = bound.id if isinstance(bound, ast.Name) else bound
    if not isinstance(name, str):
        return "none"
    function = node if isinstance(node, FunctionNode) else module.function_of(node)
    return module.scope(name, function)


def _is_close(word: str, other: str | None) -> bool:
    if not word or not other:
        return False
    other = other.strip("'\"")
    return word != other and difflib.SequenceMatcher(None, word, other).ratio() >= _NEAR


def _is_near_miss(word: str, kinds: tuple[str, ...], module: Module) -> bool:
    """Return whether a word nearly the same is used at least as often as this one."""
    known = {"keys": module.keys, "names": module.names, "attributes": module.attributes}
    return any(
        _is_close(word, other)
        for kind in kinds
        for other, count in known[kind].items()
        if count >= known[kind][word]
    )


def _falls_through(name: str, module: Module) -> bool:
    defined = module.functions.get(name.rpartition(".")[2], [])
    return any(
        falls_through(function.body) and any(_returns_value(function)) for function in defined
    )


def _is_bound_to(name: str, values: tuple[str, ...], node: ast.AST, module: Module) -> bool:
    function = module.function_of(node)
    return any(
        compile_pattern(value).match(assigned) is not None
        for assigned in module.assigned(name, function)
        for value in values
    )


def _returns_value(function: FunctionNode) -> Iterator[bool]:
    return (isinstance(node, ast.Return) and node.value is not None for node in ast.walk(function))
