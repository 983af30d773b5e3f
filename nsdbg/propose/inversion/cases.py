"""Inverse rules at work: which cases of which rules fit an expression, and the preimages they give.

The rules are data (`rules/inverse/`); their expressions are evaluated, never executed.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from nsdbg.propose.evaluate import Unknown, evaluate, literal
from nsdbg.propose.evaluation.scope import Module
from nsdbg.rulebook import InverseCase, InverseRule
from nsdbg.rulebook.pattern import Bindings, Pattern, compile_pattern

# What rules may use beside the evaluator's own list, under the name it has in Python.
_AST = Module("ast", {"literal_eval": literal})


@dataclass(frozen=True, slots=True)
class Fit:
    """A case of a rule that fits an expression, with the parts its metavariables stand for."""

    rule: str
    case: InverseCase
    parts: dict[str, ast.expr]

    @property
    def unknown(self) -> ast.expr:
        """The part that the case solves for."""
        return self.parts[self.case.unknown]

    @property
    def others(self) -> dict[str, ast.expr]:
        """The parts that have to be known first."""
        return {name: part for name, part in self.parts.items() if name != self.case.unknown}

    def preimages(self, result: Any, others: Mapping[str, Any]) -> Iterator[Any]:
        """Yield the values of the unknown part that give the result, the likeliest first."""
        names = {**others, "result": result, "ast": _AST}
        try:
            if not all(evaluate(text, names) for text in self.case.given):
                return
        except Unknown:
            return
        for text in self.case.preimages:
            try:
                yield evaluate(text, names)
            except Unknown:
                continue


class Inverses:
    """The cases of all inverse rules, by what their patterns begin with."""

    def __init__(self, rules: Iterable[InverseRule]) -> None:
        self._cases: dict[object, list[tuple[str, InverseCase, Pattern]]] = defaultdict(list)
        for rule in rules:
            for case in rule.cases:
                pattern = compile_pattern(case.operation)
                self._cases[_head(pattern.tree)].append((rule.id, case, pattern))
        for cases in self._cases.values():
            cases.sort(key=lambda each: -sum(1 for _ in ast.walk(each[2].tree)))

    def fitting(self, node: ast.expr) -> Iterator[Fit]:
        """Yield the cases that fit a node, those with the largest patterns first."""
        for rule, case, pattern in self._cases.get(_head(node), ()):
            bindings = pattern.match(node)
            parts = None if bindings is None else _expressions(bindings)
            if parts is not None:
                yield Fit(rule, case, parts)


def _head(node: ast.AST) -> object:
    """Return what two nodes have in common if one fits the other: a pattern names what it calls."""
    if isinstance(node, ast.Call):
        function = node.func
        name = function.attr if isinstance(function, ast.Attribute) else None
        return (ast.Call, name or getattr(function, "id", None))
    if isinstance(node, (ast.BinOp, ast.UnaryOp)):
        return (type(node), type(node.op))
    if isinstance(node, ast.Compare):
        return (ast.Compare, *map(type, node.ops))
    return type(node)


def _expressions(bindings: Bindings) -> dict[str, ast.expr] | None:
    found = {name: part for name, part in bindings.items() if isinstance(part, ast.expr)}
    return found if len(found) == len(bindings) else None
