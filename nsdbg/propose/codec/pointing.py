"""Answers that point at the line at hand instead of spelling its expressions again.

`<here>` in the place of a condition, a value or the changes is what the statement itself says: a
copy by pointing, as pointer networks have it (Vinyals et al. 2015, arXiv 1506.03134).  A small
network learns early when a statement does what it says, and late to copy it token by token.
"""

from __future__ import annotations

from dataclasses import replace

from nsdbg.propose.codec.answer import Answer, ChangeKind
from nsdbg.propose.codec.plain import Plain, resumed
from nsdbg.propose.codec.situation import Situation
from nsdbg.propose.codec.view import View
from nsdbg.propose.codec.vocabulary import IDS
from nsdbg.state import Event

HERE = (IDS["<here>"],)
_CHANGES = ((ChangeKind.DO, HERE),)


def pointed(answer: Answer) -> Answer:
    """Return a statement's own answer with `<here>` for all that the statement says."""
    guard = answer.guard and replace(answer.guard, test=HERE)
    arg = answer.arg and HERE
    return replace(answer, guard=guard, arg=arg, changes=_CHANGES if answer.changes else ())


def points(answer: Answer) -> bool:
    """Whether an answer points anywhere: at the line at hand, or at the text as a whole."""
    if answer.follow:
        return True
    test = answer.guard.test if answer.guard is not None else None
    return HERE in (test, answer.arg) or answer.changes == _CHANGES


def spelled_out(view: View, situation: Situation, answer: Answer) -> Answer | None:
    """Return an answer with what it points at; None when there is no such thing."""
    if answer.follow or not points(answer):
        return answer
    own = own_answer(view, situation, up=answer.up)
    if own is None:
        return None
    guard, arg, changes = answer.guard, answer.arg, answer.changes
    if guard is not None and guard.test == HERE:
        if own.guard is None or own.guard.kind is not guard.kind:
            return None
        guard = replace(guard, test=own.guard.test)
    if arg == HERE:
        if own.arg is None:
            return None
        arg = own.arg
    if changes == _CHANGES:
        changes = own.changes
    return replace(answer, guard=guard, arg=arg, changes=changes)


def own_answer(view: View, situation: Situation, *, up: bool) -> Answer | None:
    """Return the answer of the statement at hand; with `up`, of the caller's, once it goes on."""
    stack = situation.state.stack
    if up and len(stack) < 2:
        return None
    frame = stack[-2] if up else stack[-1]
    syntax = view.syntax_at(frame.file, frame.lineno)
    node = syntax.statement(frame.lineno) if syntax is not None else None
    if syntax is None or node is None:
        return None
    if up:
        node = resumed(node, stack[-1].function.rpartition(".")[2])
        if node is None:
            return None
    plain = Plain(view, syntax, node.lineno, up=up)
    answer = plain.answer(node)
    if answer is None and (changes := plain.changes(node)):
        return Answer(Event.LINE, None, changes=changes, up=up)
    return answer
