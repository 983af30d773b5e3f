"""Forward: from a situation and a debugger's command to the next situation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from nsdbg.propose.codec import answer as answers
from nsdbg.propose.codec.apply import apply
from nsdbg.propose.codec.following import followed
from nsdbg.propose.codec.situation import Situation
from nsdbg.propose.codec.states import (
    action_tokens,
    changed_tokens,
    place_tokens,
    question_tokens,
    state_tokens,
)
from nsdbg.propose.codec.view import View
from nsdbg.propose.codec.vocabulary import IDS
from nsdbg.state import Action, ActionKind, Event

MOST_FOLLOWED = 60  # statements of a jump that are followed for a prompt


def prompt(view: View, situation: Situation, action: Action) -> list[int]:
    """Return the question as tokens: the source, the state and the command."""
    return [*known(view, situation), *command(view, situation, action)]


def known(view: View, situation: Situation) -> list[int]:
    """Return what stands before any command: the source and the state."""
    return question_tokens(view, "<forward>", situation)


def command(view: View, situation: Situation, action: Action) -> list[int]:
    """Return a command as tokens, and behind it where the program's own text leads."""
    return [*bare(view, situation, action), *_lead(view, situation, action)]


def bare(view: View, situation: Situation, action: Action) -> list[int]:
    """Return a command as tokens alone."""
    return action_tokens(view, action, situation.state.frame)


def _lead(view: View, situation: Situation, action: Action) -> list[int]:
    """Return the event and the line to which the text leads, as tokens; `<lost>` for nowhere.

    A network that sees them has only to say when the text is not to be believed.
    """
    found = _led(view, situation, action)
    state = found.state if found is not None else None
    line = view.line(state.frame.file, state.frame.lineno) if state is not None else None
    if state is None or line is None:
        return [IDS["<lost>"]]
    up = [IDS["<up>"]] if len(state.stack) < len(situation.state.stack) else []
    return [IDS["<follow>"], *up, IDS[f"<at-{state.event.value}>"], line]


def read(
    view: View, situation: Situation, action: Action, tokens: Sequence[int]
) -> Situation | None:
    """Return the situation that an answer tells of, or None when it tells of none."""
    found = answers.read(tokens)
    told = None if found is None else told_by(view, situation, action, found)
    returns = told is not None and told.state.event is Event.RETURN
    if told is None or not returns or action.kind is not ActionKind.RETURN:
        return told
    # A jump to the return tells the value; what became of the locals on the way it does not say.
    *outer, frame = told.state.stack
    stack = (*outer, replace(frame, locals=None))
    return Situation(replace(told.state, stack=stack), told.loops)


def told_by(
    view: View, situation: Situation, action: Action, answer: answers.Answer
) -> Situation | None:
    """Return the situation to which an answer to this command leads, or None."""
    if answer.follow:
        return _led(view, situation, action)
    return apply(view, situation, answer)


@lru_cache(maxsize=32)
def _led(view: View, situation: Situation, action: Action) -> Situation | None:
    """Return where the text leads: wanted for the question, and again where the answer follows."""
    return followed(view, situation, action, MOST_FOLLOWED)


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
