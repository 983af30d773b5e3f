"""Effects by reading: why a call may not be the same, or not leave things the same, a second time.

An approximation in both directions: it follows names through one module, sees no aliases of
mutable globals, and takes methods of unknown objects to be harmless.  Verdicts do not rest on it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from nsdbg.rulebook.answers import Effect
from nsdbg.rulebook.pattern import called_name, compile_pattern
from nsdbg.rulebook.place import Surroundings, find
from nsdbg.rulebook.rules import EffectRule, Place
from nsdbg.rulebook.scope import FunctionNode, Module, read_module

if TYPE_CHECKING:
    from nsdbg.source import Subject


# The class of node that a pattern fits and the name that it calls; None where that is open.
_Head = tuple[type[ast.AST] | None, str | None]


class EffectReader:
    """Effect rules sorted for reading: places by what they fit, names as they come."""

    def __init__(self, rules: Sequence[EffectRule]) -> None:
        self._rules = rules
        self._places: dict[_Head, list[tuple[EffectRule, Place]]] = {}
        self._named: dict[str, tuple[EffectRule, ...]] = {}
        for rule in rules:
            for place in rule.places:
                pattern = compile_pattern(place.pattern)
                for head in pattern.heads or (None,):
                    self._places.setdefault((head, pattern.callee), []).append((rule, place))

    def effects(self, subject: Subject) -> tuple[Effect, ...]:
        """Return the effects of a function and of what it calls in its module, in source order."""
        module = read_module(subject.tree)
        around = Surroundings(module)
        found: dict[tuple[str, int], Effect] = {}
        for function, nodes in _reached(module, subject).items():
            name = subject.ref.qualname if function is subject.node else _name(function)
            for node in nodes:
                for rule in self._fitting(node, around):
                    lineno = getattr(node, "lineno", 0)
                    found.setdefault((rule.id, lineno), Effect(
                        rule.id, rule.effect, lineno, name, _text(node), rule.reason,
                    ))  # fmt: skip
        return tuple(sorted(found.values(), key=lambda effect: (effect.lineno, effect.rule)))

    def _fitting(self, node: ast.AST, around: Surroundings) -> Iterator[EffectRule]:
        if isinstance(node, (ast.Name, ast.Attribute)):
            for name in around.module.dotted(node):
                yield from self._rules_for(name)
        heads: list[_Head] = [(None, None), (type(node), None)]
        if isinstance(node, ast.Call) and (callee := called_name(node)) is not None:
            heads.append((ast.Call, callee))
        for head in heads:
            for rule, place in self._places.get(head, ()):
                if next(find(place, (node,), around), None) is not None:
                    yield rule

    def _rules_for(self, name: str) -> tuple[EffectRule, ...]:
        if name not in self._named:
            self._named[name] = tuple(rule for rule in self._rules if _is_named(name, rule))
        return self._named[name]


def _is_named(name: str, rule: EffectRule) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in rule.names) and not any(
        fnmatchcase(name, pattern) for pattern in rule.allowed
    )


def _evaluated(function: ast.AST) -> list[ast.AST]:
    """Return the nodes that a call evaluates; annotations are not among them."""
    nodes: list[ast.AST] = []
    waiting = [function]
    while waiting:
        node = waiting.pop()
        nodes.append(node)
        for field, value in ast.iter_fields(node):
            if field in ("annotation", "returns"):
                continue
            children = value if isinstance(value, list) else [value]
            waiting += [child for child in children if isinstance(child, ast.AST)]
    return nodes


def _reached(module: Module, subject: Subject) -> dict[ast.AST, list[ast.AST]]:
    """Return the subject, and the functions of its module that it names, directly or not.

    Each with the nodes that a call of it evaluates.
    """
    waiting: list[ast.AST] = [subject.tree if subject.node is None else subject.node]
    if subject.owner is not None:
        waiting += _special_methods(subject.owner)
    reached: dict[ast.AST, list[ast.AST]] = {}
    while waiting:
        function = waiting.pop()
        if function not in reached:
            reached[function] = _evaluated(function)
            for node in reached[function]:
                waiting += _named(module, node)
    return reached


def _named(module: Module, node: ast.AST) -> list[FunctionNode]:
    """Return the functions a node may run: those of its name, or a class's special methods."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        if node.id in module.classes:
            return _special_methods(module.classes[node.id])
        return module.functions.get(node.id, [])
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
        return module.functions.get(node.attr, [])
    return []


def _special_methods(owner: ast.ClassDef) -> list[FunctionNode]:
    return [
        node for node in owner.body if isinstance(node, FunctionNode) and node.name.startswith("__")
    ]


def _name(function: ast.AST) -> str:
    return function.name if isinstance(function, FunctionNode) else "<module>"


def _text(node: ast.AST) -> str:
    return ast.unparse(node).partition("\n")[0]
