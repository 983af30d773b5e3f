"""What is asked about a recorded call: where a command leads, and what came before.

A question has its answer in the recording, but only re-execution judges what is proposed.  Draws
by a seeded generator; runs nothing.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from nsdbg.claim import Call, Ending, ExceptionClaim, Goal, Middle, Site
from nsdbg.measure.hallucination.judged import Direction
from nsdbg.measure.hallucination.recording import Recorded, whole_call
from nsdbg.measure.neural.inverse import goal_of
from nsdbg.propose.codec.situation import Situation
from nsdbg.propose.neural.situations import left
from nsdbg.source import Subject
from nsdbg.state import Action, ActionKind, Event, Frame, State

ARGUMENTS = "arguments"
# Lines ahead of the one at hand to which `until` and `continue` go.
AHEAD = (1, 1, 2, 3, 4, 6)
# Of one call: one question for each command, so many for a step back, one for the arguments.
BACK = 2
_TRIES = 6


@dataclass(frozen=True, slots=True)
class Question:
    """One question.  `goal` is what a proposal has to meet, `subject` the function it is about.

    `recorded` is the function that `call`, from which the question comes, is a call of.
    Forward: `action` is given at `start` and leads to `truth`; `situation` is the start as a
    network is told it.  Backward: `truth` is the recorded state before, or None for arguments.
    `horizon` and `aliased` are those of `Judged`.
    """

    program: str
    recorded: Subject
    call: Call
    subject: Subject
    goal: Goal
    direction: Direction
    word: str
    truth: State | None = None
    action: Action | None = None
    start: Middle | None = None
    situation: Situation | None = None
    horizon: int | None = None
    aliased: bool = False


def questions_of(recorded: Recorded, rng: random.Random) -> list[Question]:
    """Return the questions about a recorded call, each once."""
    found = [*forward(recorded, rng), *backward(recorded, rng)]
    asked = arguments(recorded)
    return [*found, asked] if asked else found


def forward(recorded: Recorded, rng: random.Random) -> Iterator[Question]:
    """Yield a question for each of the five commands, where the recording answers one."""
    seen = set()
    for kind in ActionKind:
        for _ in range(_TRIES):
            at = rng.randrange(len(recorded.states))
            line = recorded.states[at].frame.lineno
            needs = kind in (ActionKind.UNTIL, ActionKind.CONTINUE)
            action = Action(kind, line + rng.choice(AHEAD) if needs else None)
            asked = ahead(recorded, at, action) if (at, action) not in seen else None
            if asked is not None:
                seen.add((at, action))
                yield asked
                break


def ahead(recorded: Recorded, at: int, action: Action) -> Question | None:
    """Return the question where a command leads from a state; None where nothing can be told.

    The start is the innermost frame alone, so what lies beyond it is not asked.
    """
    state = recorded.states[at]
    subject = recorded.subject(state.frame)
    to = recorded.walk.after(at, action)
    if subject is None or to is None or not _startable(state) or not _stays(recorded, at, to):
        return None
    if action.kind is ActionKind.STEP and at in recorded.entering:
        return None
    situation = _alone(recorded.situations[at])
    start = Middle(situation.state, left(recorded.view, situation))
    truth = _reached(recorded, at, to)
    if _cut(truth):
        return None
    frame = state.frame
    goal = Goal(
        subject.ref, Event.LINE, (Site(frame.file, frame.lineno, frame.function),), previous=True
    )
    return Question(
        *_origin(recorded), subject, goal, Direction.FORWARD, action.kind.value,
        truth, action, start, situation, to - at - 1, _aliased(recorded, at, action, truth),
    )  # fmt: skip


def _startable(state: State) -> bool:
    told = state.event in (Event.LINE, Event.CALL) and state.frame.locals is not None
    return told and not any(value.truncated for _, value in state.frame.locals or ())


def _stays(recorded: Recorded, at: int, to: int) -> bool:
    """Whether a state's frame is not left, by a return or a yield, before another state."""
    depth, number = len(recorded.states[at].stack), recorded.trace.activations[at]
    left_before = any(
        recorded.states[place].event is Event.RETURN and recorded.trace.activations[place] == number
        for place in range(at, to)
    )
    return not left_before and len(recorded.states[to].stack) >= depth


def _alone(situation: Situation) -> Situation:
    state = situation.state
    return Situation(State(state.event, state.stack[-1:]), (situation.here,))


def _reached(recorded: Recorded, at: int, to: int) -> State:
    """Return the state that a command reaches, as seen from the frame in which it was given."""
    depth = len(recorded.states[at].stack)
    printed = "".join(state.output for state in recorded.states[at + 1 : to + 1])
    state = recorded.states[to]
    return replace(state, stack=state.stack[depth - 1 :], output=printed)


def _cut(truth: State) -> bool:
    """Whether nobody could tell a state, since what was recorded of it is a beginning."""
    values = [value for _, value in truth.frame.locals or ()]
    return any(value is not None and value.truncated for value in (*values, truth.arg))


def _aliased(recorded: Recorded, at: int, action: Action, truth: State) -> bool:
    """Whether the same command leads elsewhere from an equal state of the same run."""
    here = _face(recorded.states[at])
    for other, state in enumerate(recorded.states):
        if other == at or _face(state) != here:
            continue
        to = recorded.walk.after(other, action)
        if to is None or not _stays(recorded, other, to):
            return True
        if _face(_reached(recorded, other, to)) != _face(truth):
            return True
    return False


def _face(state: State) -> tuple[Event, Frame, object]:
    return state.event, state.frame, state.arg


def backward(recorded: Recorded, rng: random.Random) -> Iterator[Question]:
    """Yield questions what the state one step earlier was."""
    places = list(range(1, len(recorded.states)))
    rng.shuffle(places)
    found = 0
    for to in places:
        asked = before(recorded, to)
        if asked is not None:
            yield asked
            found += 1
        if found == BACK:
            return


def before(recorded: Recorded, to: int) -> Question | None:
    """Return the question from which line `next` leads to a state; None where nothing can be told.

    The state is told by its literal locals, and by what is returned or raised there.
    """
    later = recorded.states[to]
    subject = recorded.subject(later.frame)
    numbers = recorded.trace.activations
    step = Action(ActionKind.NEXT)
    at = next((at for at in reversed(range(to)) if numbers[at] == numbers[to]), None)
    if subject is None or at is None or recorded.states[at].event is not Event.LINE:
        return None
    if recorded.walk.after(at, step) != to or not _stays(recorded, at, to):
        return None
    goal = goal_of(subject, later)
    if goal is None or _cut(later):
        return None
    return Question(
        *_origin(recorded), subject, goal, Direction.INVERSE, step.kind.value,
        _alone(recorded.situations[at]).state, horizon=to - at - 1,
        aliased=_aliased_before(recorded, at, to),
    )  # fmt: skip


def _aliased_before(recorded: Recorded, at: int, to: int) -> bool:
    """Whether an equal state of the same run came from another one."""
    numbers = recorded.trace.activations
    for other in range(1, len(recorded.states)):
        if other == to or _face(recorded.states[other]) != _face(recorded.states[to]):
            continue
        earlier = next((o for o in reversed(range(other)) if numbers[o] == numbers[other]), None)
        if earlier is None or _face(recorded.states[earlier]) != _face(recorded.states[at]):
            return True
    return False


def arguments(recorded: Recorded) -> Question | None:
    """Return the question with which arguments a call ends as the recorded one did."""
    subject, goal = recorded.program.subject, _end(recorded)
    if goal is None:
        return None
    return Question(*_origin(recorded), subject, goal, Direction.INVERSE, ARGUMENTS)


def _origin(recorded: Recorded) -> tuple[str, Subject, Call]:
    program = recorded.program
    return program.id, program.subject, recorded.call


def _end(recorded: Recorded) -> Goal | None:
    run, subject = recorded.run, recorded.program.subject
    if run.ending is Ending.RETURNED:
        told = run.value is not None and run.value.literal
        return whole_call(subject, run.value.repr) if told and run.value else None
    if run.raised is None or not run.raised.sites:
        return None
    own = tuple(site for site in run.raised.sites if site.file == subject.ref.file)
    if not own or own[0].function != subject.ref.qualname.rpartition(".")[2]:
        return None
    claim = ExceptionClaim(run.raised.type, run.raised.message)
    return Goal(subject.ref, Event.EXCEPTION, own, exception=claim)
