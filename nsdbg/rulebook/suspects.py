"""Suspicions by reading: lines around a crash that look like the usual fault behind it.

Weights are the rules' guesses; whether a line is the fault is for localization to find out.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from nsdbg.rulebook.answers import Suspicion
from nsdbg.rulebook.fill import fill_sentence
from nsdbg.rulebook.place import Surroundings, find, header_nodes, surroundings
from nsdbg.rulebook.regex import MESSAGE_LIMIT
from nsdbg.rulebook.rules import SuspectRule
from nsdbg.rulebook.scope import FunctionNode, Module, read_module
from nsdbg.source import Subject, statements_around

_LATER = 0.6  # a line after the crash line ran before it only in a loop
_FAR = 0.99  # for each line of distance: of two equal places the nearer leads


def suspects(
    rules: Sequence[SuspectRule], subject: Subject, lineno: int, exception: str, message: str
) -> tuple[Suspicion, ...]:
    """Return suspicious lines, heaviest first; `Rulebook.suspects` says what the arguments are."""
    module = read_module(subject.tree)
    crash = statements_at(subject.tree, lineno)
    found: dict[tuple[int, str], Suspicion] = {}
    for rule in rules:
        groups = _groups(rule, exception.rpartition(".")[2], message)
        if groups is None:
            continue
        around = surroundings(module, crash, tuple(groups.items()))
        for suspicion in _suspicions(rule, subject, lineno, around):
            found.setdefault((suspicion.lineno, suspicion.rule), suspicion)
    return tuple(sorted(found.values(), key=lambda each: (-each.weight, each.lineno, each.rule)))


def statements_at(tree: ast.Module, lineno: int) -> tuple[ast.stmt, ...]:
    """Return the statements of which a line holds code of their own, not of their bodies.

    There are several when they share a line (`if x: y = 1; z = 2`).
    """
    return tuple(node for node in statements_around(tree, lineno) if _is_on(node, lineno))


def _is_on(node: ast.stmt, lineno: int) -> bool:
    body = getattr(node, "body", None)
    if not isinstance(body, list):
        return True
    ends = [getattr(part, "end_lineno", None) or 0 for part, _ in header_nodes(node)
            if part is not node]  # fmt: skip
    return lineno <= max([node.lineno, *ends])


def _groups(rule: SuspectRule, exception: str, message: str) -> dict[str, str] | None:
    if rule.exceptions and exception not in rule.exceptions:
        return None
    if not rule.messages:
        return {}
    first = message[:MESSAGE_LIMIT].partition("\n")[0]
    for pattern in rule.messages:
        found = re.fullmatch(pattern, first)
        if found is not None:
            return {name: part for name, part in found.groupdict().items() if part is not None}
    return None


def _suspicions(
    rule: SuspectRule, subject: Subject, lineno: int, around: Surroundings
) -> list[Suspicion]:
    nodes = _searched(rule.search, subject, around)
    found: list[Suspicion] = []
    for place in rule.places:
        for each in find(place, nodes, around):
            at = getattr(each.node, "lineno", lineno)
            reason = fill_sentence(rule.reason, each.bindings, dict(around.groups))
            function = _function_name(each.node, around.module, subject)
            weight = rule.weight * _FAR ** min(abs(at - lineno), 50)
            weight *= _LATER if at > lineno and function == subject.ref.qualname else 1.0
            text = ast.unparse(each.node).partition("\n")[0]
            found.append(Suspicion(at, rule.id, reason, round(weight, 4), function, text))
    return found


def _searched(search: str, subject: Subject, around: Surroundings) -> list[ast.AST]:
    if search == "line":
        return [node for statement in around.crash for node, _ in header_nodes(statement)]
    if search == "function" and subject.node is not None:
        return list(ast.walk(subject.node))
    return list(ast.walk(subject.tree))


def _function_name(node: ast.AST, module: Module, subject: Subject) -> str:
    function = node if isinstance(node, FunctionNode) else module.function_of(node)
    if function is None:
        return "<module>"
    return subject.ref.qualname if function is subject.node else module.qualname(function)
