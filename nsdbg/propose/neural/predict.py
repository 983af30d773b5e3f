"""Predictions: the next state for a debugger's command, and a call's value by chained steps.

Nothing is run, and nothing here is checked: whoever shows a prediction says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nsdbg.propose.codec import forward
from nsdbg.propose.codec.seen import UNTOLD
from nsdbg.propose.codec.situation import Situation
from nsdbg.propose.codec.view import View
from nsdbg.propose.neural.engine import Engine
from nsdbg.state import Action, ActionKind, Event, Value

LONGEST = 96  # tokens of an answer
MOST_STEPS = 400
MOST_IN_CACHE = 10  # commands of one training sequence
TEMPERATURE = 0.8
RETRIES = 6  # further answers where the likeliest one cannot be read
STEP = Action(ActionKind.STEP)


@dataclass(frozen=True, slots=True)
class Prediction:
    """A predicted situation and how likely the network finds it, in nats.

    `truncated` values in it are those that the network does not tell.
    """

    situation: Situation
    logp: float


@dataclass(frozen=True, slots=True)
class Predicted:
    """A call followed to its end, or to where it was given up.

    `value` is what it returns.  None when an exception leaves it, when the value is not told, and
    when the end was not reached; `ended` and `raised` tell these apart.  `logp` is that of all
    steps together.
    """

    ended: bool
    steps: int
    logp: float
    value: Value | None = None
    raised: Value | None = None


def next_state(
    engine: Engine, view: View, situation: Situation, action: Action
) -> Prediction | None:
    """Return the situation that the network expects; None when none of its answers is one.

    That is the likeliest answer, or, where it cannot be read, the likeliest of some that can.
    """
    [answer] = engine.greedy([forward.prompt(view, situation, action)], LONGEST)
    found = forward.read(view, situation, action, answer.ids)
    if found is not None:
        return Prediction(found, answer.logp)
    return next(iter(next_states(engine, view, situation, action, RETRIES)), None)


def next_states(
    engine: Engine, view: View, situation: Situation, action: Action, count: int, seed: int = 0
) -> list[Prediction]:
    """Return up to `count` different situations, the likeliest answer's first."""
    prompt = forward.prompt(view, situation, action)
    [answers] = engine.sample([prompt], count, seed, TEMPERATURE, LONGEST)
    found: dict[Situation, Prediction] = {}
    for answer in answers:
        after = forward.read(view, situation, action, answer.ids)
        if after is not None:
            found.setdefault(after, Prediction(after, answer.logp))
    return list(found.values())


def follow(
    engine: Engine, view: View, situation: Situation, actions: Sequence[Action]
) -> Iterator[Prediction]:
    """Yield the situations to which commands lead one after the other, in one cache.

    It ends early when no answer can be read.  A cache that is full, or as long as those of the
    training, is left for a new prompt.
    """
    thread, within = None, 0
    for action in actions:
        if thread is None or thread.full or within >= MOST_IN_CACHE:
            thread, within = engine.open(forward.prompt(view, situation, action)), 0
        else:
            thread.append(forward.command(view, situation, action))
        answer = thread.answer(LONGEST)
        if thread.full and within and answer.ids[-1:] != (engine.end,):
            thread, within = engine.open(forward.prompt(view, situation, action)), 0
            answer = thread.answer(LONGEST)
        after = forward.read(view, situation, action, answer.ids)
        if after is None:
            others = next_states(engine, view, situation, action, RETRIES)
            if not others:
                return
            yield others[0]
            situation, thread = others[0].situation, None
            continue
        yield Prediction(after, answer.logp)
        thread.append(forward.resume(view, situation, after))
        situation, within = after, within + 1


def run(
    engine: Engine,
    view: View,
    situation: Situation,
    action: Action = STEP,
    most_steps: int = MOST_STEPS,
) -> Predicted:
    """Follow a call by one command again and again, until the frame at hand is left."""
    depth = len(situation.state.stack)
    raised: Value | None = None
    steps, logp = 0, 0.0
    for one in follow(engine, view, situation, [action] * most_steps):
        steps += 1
        logp += one.logp
        state = one.situation.state
        if len(state.stack) < depth:
            break
        if len(state.stack) > depth:
            continue
        if state.event is Event.EXCEPTION:
            raised = state.arg
        elif state.event is Event.RETURN:
            if state.arg is None:
                return Predicted(True, steps, logp, raised=raised)
            told = state.arg if state.arg != UNTOLD else None
            return Predicted(True, steps, logp, value=told)
        else:
            raised = None
    return Predicted(False, steps, logp)
