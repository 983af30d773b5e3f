"""Inverse rules on trial: what they say went in, put in again, gives the same result."""

from __future__ import annotations

import ast
import contextlib
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from nsdbg.propose.evaluate import Unknown, evaluate, literal
from nsdbg.propose.inversion.cases import Fit, Inverses
from nsdbg.rulebook.rules import InverseRule
from nsdbg.rulecheck.trial import Case, Outcome, Trial
from nsdbg.state import Frame

_BUILTIN = re.compile(r"<class '(\w+)'>|<built-in function (\w+)>")
_PREIMAGES = 16  # of one fit are tried


def try_inverse_rule(rule: InverseRule, case: Case, trial: Trial) -> Outcome:
    """Run a function, invert its operations from the values it had, and run them again.

    Every preimage of an exact case has to give the result; of the others, one has to.
    """
    hits = trial.returned(case)
    if not hits:
        return case.fails("it did not return")
    known = _values(hits[0].state.frame)
    found = list(_proposed(rule, case, known))
    if not case.must_speak:
        return case.fails(f"it proposes {found[0][2]!r}") if found else case.holds()
    if not found:
        return case.fails("it proposes nothing")
    checks = tuple(_again(fit, node, value) for fit, node, value in found)
    seen = trial.returned(case, checks)
    truth = [all(hit.where[at] is True for hit in seen) for at in range(len(checks))]
    for (fit, _, value), true in zip(found, truth, strict=True):
        if fit.case.exact and not true:
            return case.fails(f"{fit.case.operation}: {value!r} for ${fit.case.unknown} is wrong")
    if not any(truth):
        return case.fails(f"none of {len(found)} preimages gives the result")
    return case.holds(f"{sum(truth)} of {len(found)} preimages hold")


def _values(frame: Frame) -> dict[str, Any]:
    """Return the locals whose values are known here: literals, builtin types and functions."""
    known: dict[str, Any] = {}
    for name, value in frame.locals or ():
        with contextlib.suppress(Unknown):
            if value.literal:
                known[name] = literal(value.repr)
            elif (found := _BUILTIN.fullmatch(value.repr)) is not None:
                known[name] = evaluate(found[1] or found[2], {})
    return known


def _proposed(
    rule: InverseRule, case: Case, known: Mapping[str, Any]
) -> Iterator[tuple[Fit, ast.expr, Any]]:
    """Yield what the rule proposes for each operation of a function, with its place."""
    inverses = Inverses([rule])
    assert case.subject.node is not None
    for node in ast.walk(case.subject.node):
        if not isinstance(node, ast.expr):
            continue
        for fit in inverses.fitting(node):
            try:
                result = _seen(evaluate(node, known))
                others = {name: _seen(evaluate(part, known)) for name, part in fit.others.items()}
            except Unknown:
                continue
            for at, value in enumerate(fit.preimages(result, others)):
                if at < _PREIMAGES and _is_literal(value):
                    yield fit, node, value


def _seen(value: Any) -> Any:
    """Return what goes on to the next operation: rules see the elements of iterators and views."""
    lazy = not isinstance(value, (str, bytes, list, tuple, dict, set, frozenset))
    return list(value) if lazy and isinstance(value, Iterable) else value


def _is_literal(value: object) -> bool:
    try:
        return repr(literal(repr(value))) == repr(value)
    except Unknown:
        return False


def _again(fit: Fit, node: ast.expr, value: object) -> str:
    """Return an expression that is true when the operation gives the same for this value."""
    replaced = ast.unparse(_Replace(fit.unknown, repr(value)).visit(_copy(node)))
    before = ast.unparse(node)
    seen = "(lambda value: list(value) if hasattr(value, '__next__') else value)"
    return (
        f"type({replaced}) is type({before}) and repr({seen}({replaced})) == repr({seen}({before}))"
    )


def _copy(node: ast.expr) -> ast.expr:
    return ast.parse(ast.unparse(node), mode="eval").body


class _Replace(ast.NodeTransformer):
    """Puts a literal in the place of every occurrence of an expression."""

    def __init__(self, part: ast.expr, text: str) -> None:
        self._text = ast.unparse(part)
        self._value = ast.parse(text, mode="eval").body

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, ast.expr) and ast.unparse(node) == self._text:
            return self._value
        return self.generic_visit(node)
