"""Whether one step leads from a state to a goal, as far as the evaluator can tell.

Not a verdict: it only puts first what will most likely be confirmed.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any

from nsdbg.claim import Goal
from nsdbg.propose.codec.situation import names_of
from nsdbg.propose.codec.syntax import RETURNS, Syntax
from nsdbg.propose.codec.view import View
from nsdbg.propose.evaluate import Unknown, evaluate, literal, perform, same
from nsdbg.source import first_line
from nsdbg.state import Event, Frame

_SIMPLE = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Pass, ast.Delete)


@dataclass(frozen=True, slots=True)
class _Next:
    """Where a step leads: a line, or RETURNS with the value, or an exception."""

    lineno: int = RETURNS
    value: Any = None
    error: Exception | None = None


def leads(view: View, frame: Frame, goal: Goal) -> bool | None:
    """Whether a step from a line of a frame leads to the goal; None when that cannot be told."""
    syntax = view.syntax_at(frame.file, frame.lineno)
    statement = syntax.statement(frame.lineno) if syntax else None
    if syntax is None or statement is None:
        return None
    names = names_of(view, frame)
    try:
        found = _step(syntax, statement, names)
        return None if found is None else _is_goal(found, names, goal)
    except (Unknown, SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _step(syntax: Syntax, node: ast.stmt, names: dict[str, Any]) -> _Next | None:
    try:
        if isinstance(node, _SIMPLE):
            perform(node, names)
            return _line(syntax.after(node))
        if isinstance(node, ast.If | ast.While):
            truth = bool(evaluate(node.test, names))
            return _line(first_line(node.body[0]) if truth else syntax.otherwise(node))
        if isinstance(node, ast.Return):
            return _Next(value=None if node.value is None else evaluate(node.value, names))
    except Unknown as error:
        if not isinstance(error.__cause__, Exception) or isinstance(error.__cause__, Unknown):
            raise
        return _Next(error=error.__cause__)
    return None


def _line(lineno: int | None) -> _Next | None:
    return None if lineno is None else _Next(lineno)


def _is_goal(found: _Next, names: dict[str, Any], goal: Goal) -> bool | None:
    """Whether the state after a step has the goal's event, line and values."""
    if found.error is not None or goal.event is Event.EXCEPTION:
        claim = goal.exception
        if found.error is None or goal.event is not Event.EXCEPTION:
            return False
        return claim is None or type(found.error).__name__ == claim.type.rpartition(".")[2]
    if (goal.event is Event.RETURN) != (found.lineno == RETURNS):
        return False
    if goal.event is Event.LINE and found.lineno != goal.chain[-1].lineno:
        return False
    if goal.value is not None and not same(found.value, literal(goal.value)):
        return False
    return all(name in names and same(names[name], literal(text)) for name, text in goal.locals)
