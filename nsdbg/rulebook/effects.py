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
from nsdbg.rulebook.place import Surroundings, find
from nsdbg.rulebook.rules import EffectRule
from nsdbg.rulebook.scope import FunctionNode, Module, read_module

if TYPE_CHECKING:
    from nsdbg.source import Subject


def effects(rules: Sequence[EffectRule], subject: Subject) -> tuple[Effect, ...]:
    """Return the effects of a function and of what it calls in its module, in source order."""
    module = read_module(subject.tree)
    around = Surroundings(module)
    found: dict[tuple[str, int], Effect] = {}
    for function in _reached(module, subject):
        nodes = _evaluated(function)
        named = [
            (node, tuple(module.dotted(node)))
            for node in nodes
            if isinstance(node, (ast.Name, ast.Attribute))
        ]
        name = subject.ref.qualname if function is subject.node else _name(function)
        for rule in rules:
            for node in _places(rule, nodes, named, around):
                lineno = getattr(node, "lineno", 0)
                found.setdefault((rule.id, lineno), Effect(
                    rule.id, rule.effect, lineno, name, _text(node), rule.reason,
                ))  # fmt: skip
    return tuple(sorted(found.values(), key=lambda effect: (effect.lineno, effect.rule)))


def _places(
    rule: EffectRule,
    nodes: list[ast.AST],
    named: Sequence[tuple[ast.expr, tuple[str, ...]]],
    around: Surroundings,
) -> Iterator[ast.AST]:
    if rule.names:
        for node, names in named:
            if any(_is_named(name, rule) for name in names):
                yield node
    for place in rule.places:
        for found in find(place, nodes, around):
            yield found.node


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


def _reached(module: Module, subject: Subject) -> list[ast.AST]:
    """Return the subject, and the functions of its module that it names, directly or not."""
    start: ast.AST = subject.tree if subject.node is None else subject.node
    reached: dict[ast.AST, None] = {start: None}
    waiting = [start]
    if subject.owner is not None:
        waiting += _special_methods(subject.owner)
    while waiting:
        node = waiting.pop()
        reached.setdefault(node, None)
        for inner in _evaluated(node):
            fresh = [each for each in _named(module, inner) if each not in reached]
            reached.update(dict.fromkeys(fresh))
            waiting += fresh
    return list(reached)


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
