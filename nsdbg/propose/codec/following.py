"""Where a debugger's command leads by the program's own text: statement after statement, evaluated.

Runs nothing, so it is silent where a statement's effect is not plain, and may be wrong: what
functions out of view raise or change, and which exception is handled where, it does not know.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from nsdbg.propose.codec.answer import LEAVE, Answer
from nsdbg.propose.codec.apply import apply
from nsdbg.propose.codec.calling import Calls, Made, Unsure, entered_by
from nsdbg.propose.codec.plain import resumed
from nsdbg.propose.codec.pointing import own_answer
from nsdbg.propose.codec.rows import next_row
from nsdbg.propose.codec.seen import UNTOLD, described, standing_for
from nsdbg.propose.codec.situation import Situation, entered, names_of
from nsdbg.propose.codec.spelling import RESULT
from nsdbg.propose.codec.syntax import RETURNS
from nsdbg.propose.codec.view import View
from nsdbg.propose.evaluate import Unknown, evaluate
from nsdbg.source import generates
from nsdbg.state import Action, ActionKind, Event, Frame, State

MOST = 100  # statements of one command: a jump over more would take seconds
_WITHIN_LINE = ("<lambda>", "<genexpr>")
_SUSPENDS = (ast.Yield, ast.YieldFrom, ast.Await)


def followed(view: View, before: Situation, action: Action, most: int = MOST) -> Situation | None:
    """Return where a command leads; None where a statement on the way does not tell."""
    situation, printed = before, ""
    for _ in range(most):
        after = _one(view, situation)
        if after is None:
            return None
        printed += after.state.output
        if _stops(action, before.state, after.state):
            return replace(after, state=replace(after.state, output=printed))
        situation = after
    return None


def _stops(action: Action, before: State, after: State) -> bool:
    """Whether a command given at one state stops at another, as `bdb` has it."""
    kind, now, depth = action.kind, len(after.stack), len(before.stack)
    # At a return, `next` and `until` are `step`.
    leaving = before.event is Event.RETURN and kind in (ActionKind.NEXT, ActionKind.UNTIL)
    if kind is ActionKind.STEP or leaving:
        return True
    line = after.frame.lineno
    if kind is ActionKind.CONTINUE:
        file = before.frame.file
        return after.event is Event.LINE and (after.frame.file, line) == (file, action.lineno)
    if now != depth:
        return now < depth
    if kind is ActionKind.NEXT or after.event is Event.RETURN:
        return True
    return kind is ActionKind.UNTIL and action.lineno is not None and line >= action.lineno


def _one(view: View, before: Situation) -> Situation | None:
    """Return the next event."""
    state = before.state
    if state.event is Event.CALL:
        return _begun(view, before)
    if state.event is Event.EXCEPTION:
        return _thrown(view, before)
    if state.event is Event.LINE and _is_within_line(state.frame):
        return _of_lambda(view, before)
    up = state.event is Event.RETURN
    if up and (len(state.stack) < 2 or state.arg is None or _yields(view, state.frame)):
        return None
    try:
        called = _called(view, before, up=up)
    except Unsure:
        return None
    if called is not None:
        return called
    if not up and (within := _within_statement(view, before)) is not None:
        return within
    own = own_answer(view, before, up=up)
    # Where the line after it is not plain, the statement alone does not tell it.
    if own is None or (own.line is None and own.guard is None):
        return None
    return apply(view, before, own)


def _yields(view: View, frame: Frame) -> bool:
    """Whether a frame is a generator's: what its consumer does with an item is not told here."""
    syntax = view.syntax_at(frame.file, frame.lineno)
    definition = syntax.definition if syntax is not None else None
    return definition is not None and generates(definition)


def _called(view: View, before: Situation, *, up: bool) -> Situation | None:
    """Return the state in a function that the statement at hand calls; None when it calls none."""
    stack = before.state.stack
    frame = stack[-2] if up else stack[-1]
    syntax = view.syntax_at(frame.file, frame.lineno)
    node = syntax.statement(frame.lineno) if syntax is not None else None
    if node is None:
        return None
    names = names_of(view, frame)
    outer = before
    if up:
        node = resumed(node, stack[-1].function.rpartition(".")[2])
        if node is None:
            raise Unsure
        arg = before.state.arg
        assert arg is not None
        names[RESULT] = standing_for(arg)
        outer = Situation(State(Event.LINE, stack[:-1]), before.loops[:-1])
    part = _evaluated_first(node, outer)
    if isinstance(part, ast.Yield):
        part = part.value
    if part is not None and any(isinstance(one, _SUSPENDS) for one in ast.walk(part)):
        raise Unsure
    made = Calls(view, names).first(part) if part is not None else None
    if made is None or _only_makes(made, part, node):
        return None
    entered_ = entered_by(made, outer, names)
    if entered_ is None:
        raise Unsure
    return entered_


def _within_statement(view: View, before: Situation) -> Situation | None:
    """Return the next line of a statement that spans several, where it is not at its end."""
    frame = before.state.frame
    syntax = view.syntax_at(frame.file, frame.lineno)
    node = syntax.statement(frame.lineno) if syntax is not None else None
    lineno = next_row(node, frame.lineno) if node is not None else None
    if lineno is None:
        return None
    moved = replace(frame, lineno=lineno)
    return replace(before, state=State(Event.LINE, (*before.state.stack[:-1], moved)))


def _only_makes(made: Made, part: ast.AST | None, node: ast.stmt) -> bool:
    """Whether a call makes a generator that the statement keeps: none of its code runs yet."""
    kept = made.call is part and not isinstance(node, (ast.For, ast.AsyncFor))
    return kept and generates(made.callee.node)


def _is_yield(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Yield)


def _is_within_line(frame: Frame) -> bool:
    return frame.function.rpartition(".")[2] in _WITHIN_LINE


def _of_lambda(view: View, before: Situation) -> Situation | None:
    """Return the return of a lambda, where its line has no other; None for generators."""
    frame = before.state.frame
    syntax = view.syntax_at(frame.file, frame.lineno)
    node = syntax.statement(frame.lineno) if syntax is not None else None
    found = [part for part in ast.walk(node) if isinstance(part, ast.Lambda)] if node else []
    if len(found) != 1 or frame.function.rpartition(".")[2] != "<lambda>":
        return None
    names = names_of(view, frame)
    try:
        if Calls(view, names).first(found[0].body) is not None:
            return None
        value = described(evaluate(found[0].body, names))
    except (Unsure, Unknown):
        return None
    return replace(before, state=State(Event.RETURN, before.state.stack, value or UNTOLD))


def _evaluated_first(node: ast.stmt, situation: Situation) -> ast.AST | None:
    """Return the part of a statement that is evaluated at its line; None when there is none."""
    if isinstance(node, (ast.If, ast.While, ast.Assert)):
        return node.test
    if isinstance(node, (ast.For, ast.AsyncFor)):
        # Its iterator is made once, and what it then calls is not seen.
        return node.iter if situation.taken(node.lineno) == 0 else None
    if isinstance(node, (ast.Return, ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign)):
        return node.value
    if isinstance(node, ast.Raise):
        return node.exc
    return None


def _begun(view: View, before: Situation) -> Situation | None:
    """Return the first line of a function that was just called, or the next one of a generator."""
    frame = before.state.frame
    syntax = view.syntax_at(frame.file, frame.lineno)
    if syntax is None:
        return None
    loops = before.here
    if _is_within_line(frame):
        lineno: int | None = frame.lineno
    else:
        lineno = syntax.body_at(frame.lineno)
    node = syntax.statement(frame.lineno)
    if lineno is None and node is not None and _is_yield(node):
        lineno = syntax.after(node)
        if lineno == RETURNS:
            return apply(view, before, Answer(Event.LINE, LEAVE))
    if lineno is None:
        return None
    moved = replace(frame, lineno=lineno)
    kept = entered(view, moved, loops, frame.lineno)
    state = State(Event.LINE, (*before.state.stack[:-1], moved))
    around = before.loops if len(before.loops) == len(before.state.stack) else None
    outer = around[:-1] if around is not None else ((),) * (len(before.state.stack) - 1)
    return Situation(state, (*outer, kept))


def _thrown(view: View, before: Situation) -> Situation | None:
    """Return where an exception goes: to `except`, `finally` or `with`, or out of the function."""
    frame = before.state.frame
    syntax = view.syntax_at(frame.file, frame.lineno)
    lineno = syntax.handling(frame.lineno) if syntax is not None else None
    if lineno is None:
        return None
    if lineno == RETURNS:
        return apply(view, before, Answer(Event.RETURN, unwind=True))
    moved = replace(frame, lineno=lineno)
    state = State(Event.LINE, (*before.state.stack[:-1], moved))
    loops = before.loops
    if len(loops) == len(before.state.stack):
        loops = (*loops[:-1], entered(view, moved, loops[-1], frame.lineno))
    return Situation(state, loops)
