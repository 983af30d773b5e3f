"""Forward: from a situation and a debugger's command to the next situation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from nsdbg.propose.codec import answer as answers
from nsdbg.propose.codec.apply import apply
from nsdbg.propose.codec.situation import Situation
from nsdbg.propose.codec.states import (
    changed_tokens,
    place_tokens,
    question_tokens,
    state_tokens,
)
from nsdbg.propose.codec.view import View
from nsdbg.propose.codec.vocabulary import IDS
from nsdbg.state import Action, ActionKind, Event


def prompt(view: View, situation: Situation, action: Action) -> list[int]:
    """Return the question as tokens: the source, the state and the command."""
    return question_tokens(view, "<forward>", situation, action)


def read(
    view: View, situation: Situation, action: Action, tokens: Sequence[int]
) -> Situation | None:
    """Return the situation that an answer tells of, or None when it tells of none."""
    found = answers.read(tokens)
    told = None if found is None else apply(view, situation, found)
    returns = told is not None and told.state.event is Event.RETURN
    if told is None or not returns or action.kind is not ActionKind.RETURN:
        return told
    # A jump to the return tells the value; what became of the locals on the way it does not say.
    *outer, frame = told.state.stack
    stack = (*outer, replace(frame, locals=None))
    return Situation(replace(told.state, stack=stack), told.loops)


def resume(view: View, before: Situation, after: Situation) -> list[int]:
    """Return what follows an answer, so that the next command can be asked in the same breath.

    It tells what came of the answer: the line, and the locals that changed, as values.
    """
    same = len(before.state.stack) == len(after.state.stack)
    leaving = after.state.event is Event.RETURN and len(after.state.stack) > 1
    written = [IDS["<seen>"]]
    if leaving or not same:
        return [*written, *state_tokens(view, after)]
    written.append(IDS[f"<at-{after.state.event.value}>"])
    written += changed_tokens(view, dict(before.state.frame.locals or ()), after.state.frame)
    written += place_tokens(view, after.state.frame)
    return [*written, IDS["</state>"]]
