"""Lessons: for two situations of a run and the command between them, the answer to be learned."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace

from nsdbg.model.teach import compose
from nsdbg.model.teach.literally import literal_answer, spelled
from nsdbg.propose.codec import forward, spelling
from nsdbg.propose.codec.alike import alike, same_return
from nsdbg.propose.codec.answer import FOLLOW, Answer
from nsdbg.propose.codec.apply import apply
from nsdbg.propose.codec.plain import Change, setting
from nsdbg.propose.codec.pointing import own_answer, pointed
from nsdbg.propose.codec.situation import Situation
from nsdbg.propose.codec.states import whole_value
from nsdbg.propose.codec.syntax import Syntax
from nsdbg.propose.codec.view import View
from nsdbg.state import Action, ActionKind, Event, Frame, State


def forward_lesson(
    view: View, way: Sequence[Situation], action: Action, *, follow: bool = True
) -> Answer | None:
    """Return the answer that leads from the first situation of a way to its last.

    With `follow` that is to follow the program's text, where its text leads there.

    `way` has every state of the run between the two.  What is printed on the way belongs to the
    last state.  None when no answer that can be spelled leads there.
    """
    before = way[0]
    truth = replace(way[-1].state, output="".join(each.state.output for each in way[1:]))
    returns = action.kind is ActionKind.RETURN and truth.event is Event.RETURN
    if follow:
        led = forward.told_by(view, before, action, FOLLOW)
        if same_return(led, truth) if returns else alike(led, truth):
            return FOLLOW
    if returns:
        return next(
            (found for found in _returning(view, way, truth)
             if same_return(apply(view, before, found), truth)), None,
        )  # fmt: skip
    for answer in _forward(view, way, truth):
        if alike(apply(view, before, answer), truth):
            return answer
    return None


def _returning(view: View, way: Sequence[Situation], truth: State) -> Iterator[Answer]:
    """Yield answers for the value that a frame returns: an expression, a literal."""
    token = view.line(truth.frame.file, truth.frame.lineno)
    if token is None or len(truth.stack) != len(way[0].state.stack):
        return
    if truth.arg is None:
        yield Answer(Event.RETURN, unwind=True)
        return
    frame = way[0].state.frame
    syntax = view.syntax_at(frame.file, frame.lineno)
    own = own_answer(view, way[0], up=False) if way[0].state.event is Event.LINE else None
    if own is not None and own.event is Event.RETURN:
        yield pointed(own)
    if syntax is not None:
        composed = compose.compose(syntax, way[:-1]).tokens(view, None)
        if composed is not None:
            yield Answer(Event.RETURN, token, arg=composed)
    literal = spelled(view, truth.arg)
    if literal is not None:
        yield Answer(Event.RETURN, token, arg=literal)


def _forward(view: View, way: Sequence[Situation], truth: State) -> Iterator[Answer]:
    before = way[0].state
    rise = len(before.stack) - len(truth.stack)
    if truth.event is Event.CALL:
        yield from _calls(view, before, truth)
        return
    if rise not in (0, 1):
        return
    frame = before.stack[-1 - rise]
    if before.event is Event.EXCEPTION and truth.event is Event.RETURN and truth.arg is None:
        yield Answer(Event.RETURN, up=rise == 1, unwind=True)
    syntax = view.syntax_at(frame.file, frame.lineno)
    stepping = len(way) == 2 or all(len(each.state.stack) > len(before.stack) for each in way[1:-1])
    if stepping:
        yield from _stepping(view, way[0], truth, rise == 1)
    if syntax is not None and not rise and len(way) > 2:
        yield from _jumping(view, syntax, way, truth)
    found = literal_answer(view, frame, truth, up=rise == 1)
    if found is not None:
        yield found


def _stepping(view: View, situation: Situation, truth: State, up: bool) -> Iterator[Answer]:
    """Yield the statement's own answer, then its changes with the line that was seen."""
    before = situation.state
    if before.event is Event.RETURN and not up:
        return
    own = own_answer(view, situation, up=up)
    if own is None or before.event not in (Event.LINE, Event.RETURN):
        return
    if own.line is not None or own.guard is not None:
        yield pointed(own)
    token = view.line(truth.frame.file, truth.frame.lineno)
    if token is not None and truth.event is Event.LINE and own.changes:
        yield pointed(Answer(Event.LINE, token, changes=own.changes, up=up))


def _jumping(
    view: View, syntax: Syntax, way: Sequence[Situation], truth: State
) -> Iterator[Answer]:
    """Yield what the statements of the way come to, as expressions over the state before."""
    token = view.line(truth.frame.file, truth.frame.lineno)
    if token is None or truth.output:
        return
    composed = compose.compose(syntax, way[:-1])
    changes: list[Change] = []
    before = dict(way[0].state.frame.locals or ())
    for name, value in truth.frame.locals or ():
        if name in before and before[name] == value:
            continue
        tokens = _shorter(spelled(view, value), composed.tokens(view, name))
        if tokens is None:
            return
        changes.append(setting(view, name, tokens))
    if truth.event is Event.LINE:
        yield Answer(Event.LINE, token, changes=tuple(changes))


def _shorter(
    literal: tuple[int, ...] | None, expression: tuple[int, ...] | None
) -> tuple[int, ...] | None:
    """Choose how to tell a value: short ones as they are, others by the expression."""
    if literal is not None and (expression is None or len(literal) <= 3):
        return literal
    return expression


def _calls(view: View, before: State, truth: State) -> Iterator[Answer]:
    """Yield the answer for a step into a function: its parameters, by the call's expressions."""
    token = view.line(truth.frame.file, truth.frame.lineno)
    if token is None or len(truth.stack) != len(before.stack) + 1:
        return
    for told in (_call_expressions(view, before.frame, truth), {}):
        changes: list[Change] = []
        for name, value in truth.frame.locals or ():
            tokens = told.get(name) or spelled(view, value)
            if tokens is None or not name.isidentifier():
                return
            changes.append(setting(view, name, tokens))
        yield Answer(Event.CALL, token, changes=tuple(changes))


def _call_expressions(view: View, caller: Frame, truth: State) -> dict[str, tuple[int, ...]]:
    """Return the expressions of a call's arguments, by the parameters that they reach."""
    syntax = view.syntax_at(caller.file, caller.lineno)
    node = syntax.statement(caller.lineno) if syntax is not None else None
    callee = view.syntax_at(truth.frame.file, truth.frame.lineno)
    if node is None or callee is None or callee.definition is None:
        return {}
    name = truth.frame.function.rpartition(".")[2]
    calls = [
        found
        for found in ast.walk(node)
        if isinstance(found, ast.Call)
        and name in (getattr(found.func, "id", None), getattr(found.func, "attr", None))
    ]
    if len(calls) != 1:
        return {}
    return _bound(view, callee.definition, calls[0], truth)


def _bound(
    view: View,
    definition: ast.FunctionDef | ast.AsyncFunctionDef,
    call: ast.Call,
    truth: State,
) -> dict[str, tuple[int, ...]]:
    values = dict(truth.frame.locals or ())
    plain = [arg.arg for arg in (*definition.args.posonlyargs, *definition.args.args)]
    if isinstance(call.func, ast.Attribute) and plain and plain[0] in ("self", "cls"):
        plain = plain[1:]
    pairs: list[tuple[str, ast.expr]] = list(zip(plain, call.args, strict=False))
    pairs += [(word.arg, word.value) for word in call.keywords if word.arg]
    defaults = dict(
        zip([arg.arg for arg in definition.args.args][::-1], definition.args.defaults[::-1],
            strict=False)
    )  # fmt: skip
    pairs += [(name, node) for name, node in defaults.items() if name not in dict(pairs)]
    found: dict[str, tuple[int, ...]] = {}
    for name, node in pairs:
        if name in values and whole_value(values[name], view.slots) is not None:
            try:
                found[name] = tuple(spelling.spell(ast.unparse(node), view.slots))
            except ValueError:
                continue
    return found
