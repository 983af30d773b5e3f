"""Answers without a network: the state copied, the next line taken, the statement evaluated.

They run nothing either.  A measure of a network that does not stand beside them says little.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from nsdbg.propose.codec.apply import apply
from nsdbg.propose.codec.pointing import own_answer
from nsdbg.propose.codec.situation import Situation
from nsdbg.propose.codec.view import View
from nsdbg.source import first_line
from nsdbg.state import Action, ActionKind, Event, State, Value

COPY, LINE, EVALUATOR = "copy", "line", "eval"
LEGEND = (
    "copy: the state as it is; line: the next line of the text, nothing changed; "
    "eval: the statement at hand by the evaluator alone, no network"
)
_MOST_EVALUATED = 100  # a jump over more steps would take seconds


def copied(before: Situation) -> Situation:
    """Return the state as it is."""
    return replace(before, state=replace(before.state, output=""))


def next_line(view: View, before: Situation) -> Situation | None:
    """Return the next line of the function's text with the locals that are known; at its end, None.

    The end of the text is taken for the end of the function.
    """
    frame = before.state.frame
    syntax = view.syntax_at(frame.file, frame.lineno)
    if syntax is None:
        return None
    later = [
        line for line in range(frame.lineno + 1, syntax.end + 1)
        if view.line(frame.file, line) is not None
    ]  # fmt: skip
    stack = before.state.stack
    if not later:
        return Situation(State(Event.RETURN, stack, Value("None", "NoneType", True)), before.loops)
    moved = (*stack[:-1], replace(frame, lineno=later[0]))
    return Situation(State(Event.LINE, moved), before.loops)


def evaluated(view: View, before: Situation, action: Action) -> Situation | None:
    """Return where the statements lead when each is evaluated; None where one cannot be."""
    situation, printed = before, ""
    depth = len(before.state.stack)
    for _ in range(_MOST_EVALUATED):
        after = _one(view, situation)
        if after is None:
            return None
        printed += after.state.output
        if len(after.state.stack) < depth or _stops(action, after.state):
            return replace(after, state=replace(after.state, output=printed))
        situation = after
    return None


def _stops(action: Action, state: State) -> bool:
    if action.kind in (ActionKind.STEP, ActionKind.NEXT):
        return True
    if state.event is Event.LINE and action.lineno is not None:
        line = state.frame.lineno
        return line == action.lineno or (action.kind is ActionKind.UNTIL and line > action.lineno)
    return state.event is Event.RETURN and action.kind is not ActionKind.CONTINUE


def _one(view: View, before: Situation) -> Situation | None:
    """Return where one statement leads, by its own text."""
    state = before.state
    if state.event is Event.CALL:
        return _first(view, before)
    if state.event is Event.EXCEPTION:
        return None
    own = own_answer(view, before, up=state.event is Event.RETURN)
    # Where the line after it is not plain, the statement alone does not tell it.
    if own is None or (own.line is None and own.guard is None):
        return None
    return apply(view, before, own)


def _first(view: View, before: Situation) -> Situation | None:
    """Return the first line of a function that was just called."""
    frame = before.state.frame
    syntax = view.syntax_at(frame.file, frame.lineno)
    body = syntax.definition.body if syntax is not None and syntax.definition else []
    lines = [first_line(node) for node in body if not _is_docstring(node)]
    if not lines:
        return None
    moved = (*before.state.stack[:-1], replace(frame, lineno=lines[0]))
    return Situation(State(Event.LINE, moved), before.loops)


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
