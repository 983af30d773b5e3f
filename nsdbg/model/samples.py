"""Samples: sequences of tokens from recorded episodes, with what is to be learned of each.

A sequence has one program and then either one way forward, command after command, or several
questions of one kind.  Kinds are kept apart, so that no answer stands elsewhere in its sequence.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from nsdbg.claim import ExceptionClaim, FunctionRef, Goal, Site
from nsdbg.episode import Episode
from nsdbg.model.teach.inverse import arguments_lesson, backward_lesson
from nsdbg.model.teach.lessons import forward_lesson
from nsdbg.propose.codec import answer as answers
from nsdbg.propose.codec import arguments, backward, forward, values
from nsdbg.propose.codec.situation import Situation
from nsdbg.propose.codec.track import situations, without_comprehensions
from nsdbg.propose.codec.view import View, literals
from nsdbg.propose.codec.vocabulary import IDS, LINES, SLOTS
from nsdbg.state import Action, ActionKind, Event, State
from nsdbg.verify.walk import Walk

LONGEST = 1000  # tokens of a sequence
MOST_STEPS = 10
MOST_QUESTIONS = 5


class Task(Enum):
    """The four questions; the value is the number in the shards."""

    FORWARD = 0
    BACKWARD = 1
    ARGUMENTS = 2
    VALUE = 3


@dataclass(frozen=True, slots=True)
class Sample:
    """A sequence; `loss` is true beside each token that is to be learned."""

    tokens: tuple[int, ...]
    loss: tuple[bool, ...]
    task: Task


@dataclass(frozen=True, slots=True)
class Recipe:
    """How samples are made: sequences of each task for an episode, and the commands' names.

    `actions` False asks every question with `<any>` in the command's place: what a debugger's
    commands are worth is measured against it.  `follow` False does not tell where the program's
    text leads, nor lets an answer point there; without the command nobody knows it.  `blind` is the
    share of ways forward on which the text is said to lead nowhere, so that answers are spelled.
    """

    forward: float = 1.0
    backward: float = 0.5
    arguments: float = 1.0
    values: float = 0.25
    actions: bool = True
    follow: bool = True
    blind: float = 0.3


class _Sequence:
    """Tokens with their marks, as they are put together."""

    def __init__(self, asked: Sequence[int]) -> None:
        self.tokens = list(asked)
        self.loss = [False] * len(asked)

    def ask(self, tokens: Sequence[int]) -> None:
        self.tokens += tokens
        self.loss += [False] * len(tokens)

    def learn(self, tokens: Sequence[int]) -> None:
        self.tokens += tokens
        self.loss += [True] * len(tokens)

    def fits(self, more: int) -> bool:
        return len(self.tokens) + more <= LONGEST

    def sample(self, task: Task) -> Sample | None:
        if not any(self.loss):
            return None
        return Sample(tuple(self.tokens), tuple(self.loss), task)


class _Recorded:
    """One episode as a view, situations and a walk."""

    def __init__(self, episode: Episode, view: View) -> None:
        self.episode = replace(episode, trace=without_comprehensions(episode.trace))
        self.view = view
        self.situations = situations(view, self.episode)
        self.walk = Walk(self.episode.trace)

    def beside(self, episode: Episode) -> _Recorded:
        """Return another run of the same source."""
        return _Recorded(episode, self.view)


def samples(episodes: Iterable[Sequence[Episode]], recipe: Recipe, seed: int) -> Iterator[Sample]:
    """Yield the samples of episodes, which come in groups of one function each."""
    rng = random.Random(seed)
    makers: list[tuple[float, Task, Callable[..., _Sequence | None]]] = [
        (recipe.forward, Task.FORWARD, _forward),
        (recipe.backward, Task.BACKWARD, _backward),
        (recipe.arguments, Task.ARGUMENTS, _arguments),
        (recipe.values, Task.VALUE, _values),
    ]
    for group in episodes:
        for episode in group:
            shift = (rng.randrange(SLOTS), rng.randrange(LINES))
            view = View(episode.listings, literals(episode.names), shift)
            recorded = _Recorded(episode, view)
            for share, task, make in makers:
                for _ in range(int(share) + (rng.random() < share % 1)):
                    made = make(recorded, group, recipe, rng)
                    sample = None if made is None else made.sample(task)
                    if sample is not None and len(sample.tokens) <= LONGEST:
                        yield sample


def command(rng: random.Random, state: State) -> Action:
    """Draw a command: half of the time any, else step or next."""
    if rng.random() < 0.5:
        return Action(rng.choice((ActionKind.STEP, ActionKind.NEXT)))
    kind = rng.choice(list(ActionKind))
    if kind in (ActionKind.UNTIL, ActionKind.CONTINUE):
        line = state.frame.lineno
        return Action(kind, line + rng.choice((1, 1, 2, 3, 4, 6)))
    return Action(kind)


def _named(
    recipe: Recipe, view: View, action: Action, situation: Situation, *, blind: bool
) -> list[int]:
    if not recipe.actions:
        return [IDS["<any>"]]
    if not recipe.follow:
        return forward.bare(view, situation, action)
    if blind:
        return [*forward.bare(view, situation, action), IDS["<lost>"]]
    return forward.command(view, situation, action)


def _forward(
    recorded: _Recorded, group: Sequence[Episode], recipe: Recipe, rng: random.Random
) -> _Sequence | None:
    view, found = recorded.view, recorded.situations
    at = rng.choice((0, 0, rng.randrange(len(found))))
    blind = not (recipe.follow and recipe.actions) or rng.random() < recipe.blind
    made: _Sequence | None = None
    for _ in range(MOST_STEPS):
        state = found[at].state
        action = command(rng, state)
        to = recorded.walk.after(at, action)
        if to is None:
            action = Action(ActionKind.STEP)
            to = recorded.walk.after(at, action)
        lesson = None
        if to is not None:
            lesson = forward_lesson(view, found[at : to + 1], action, follow=not blind)
        if lesson is None or to is None:
            if made is not None or at:
                break
            at = rng.randrange(len(found))
            continue
        asked = _named(recipe, view, action, found[at], blind=blind)
        if made is None:
            made = _Sequence(forward.known(view, found[at]))
        told = answers.write(lesson)
        after = forward.resume(view, found[at], found[to])
        if not made.fits(len(asked) + len(told)):
            break
        made.ask(asked)
        made.learn(told)
        if not made.fits(len(after) + 8):
            break
        made.ask(after)
        at = to
    return made


def _backward(
    recorded: _Recorded, group: Sequence[Episode], recipe: Recipe, rng: random.Random
) -> _Sequence | None:
    made: _Sequence | None = None
    # Each from another run: neighbouring states of one run would give the answers away.
    for run in _runs(recorded, group, rng, MOST_QUESTIONS):
        for _ in range(3):
            at = rng.randrange(max(len(run.situations) - 1, 1))
            action = Action(rng.choice((ActionKind.STEP, ActionKind.NEXT)), inverse=True)
            to = run.walk.after(at, replace(action, inverse=False))
            if to is None:
                continue
            lesson = backward_lesson(run.view, run.situations[at], run.situations[to])
            if lesson is not None:
                question = backward.prompt(run.view, run.situations[to], action)
                if not recipe.actions:
                    question[-1] = IDS["<any>"]
                made = _joined(made, question, answers.write(lesson), IDS["<backward>"])
                break
    return made


def _runs(
    recorded: _Recorded, group: Sequence[Episode], rng: random.Random, most: int
) -> Iterator[_Recorded]:
    """Yield a run, and others of the same function with other arguments, over one view."""
    yield recorded
    mine = recorded.episode
    others = [each for each in group
              if each.listings == mine.listings and each.arguments != mine.arguments]  # fmt: skip
    rng.shuffle(others)
    for episode in others[: most - 1]:
        yield recorded.beside(episode)


def _joined(
    made: _Sequence | None, question: Sequence[int], told: Sequence[int], mark: int
) -> _Sequence:
    """Add a question to a sequence: with the source when it is the first, else without."""
    if made is None:
        made = _Sequence(question)
    else:
        rest = question[list(question).index(mark) :]
        if not made.fits(len(rest) + len(told)):
            return made
        made.ask(rest)
    made.learn(told)
    return made


def goal_of(recorded: Sequence[Situation], at: int, function: str) -> Goal | None:
    """Return the goal to which a state of the root's frame would be put, or None."""
    state = recorded[at].state
    if len(state.stack) != 1 or state.event is Event.CALL:
        return None
    frame = state.frame
    ref = FunctionRef(frame.file, function, "", "")
    site = Site(frame.file, frame.lineno, frame.function)
    if state.event is Event.RETURN:
        if state.arg is None or not state.arg.literal:
            return None
        whole = Site(frame.file, None, frame.function)
        return Goal(ref, Event.RETURN, (whole,), value=state.arg.repr)
    if state.event is Event.EXCEPTION:
        if state.arg is None:
            return None
        claim = ExceptionClaim(state.arg.type, state.arg.repr)
        return Goal(ref, Event.EXCEPTION, (site,), exception=claim)
    pairs = tuple((name, value.repr) for name, value in frame.locals or () if value.literal)
    return Goal(ref, Event.LINE, (site,), locals=pairs)


def _arguments(
    recorded: _Recorded, group: Sequence[Episode], recipe: Recipe, rng: random.Random
) -> _Sequence | None:
    view = recorded.view
    made: _Sequence | None = None
    for run in _runs(recorded, group, rng, MOST_QUESTIONS):
        found = run.situations
        at = len(found) - 1 if rng.random() < 0.75 else rng.randrange(len(found))
        goal = goal_of(found, at, run.episode.function)
        given = [pair for pair in run.episode.arguments if pair[0] not in ("self", "cls")]
        lesson = None if goal is None else arguments_lesson(view, goal, given)
        if goal is not None and lesson is not None:
            question = arguments.prompt(view, goal)
            made = _joined(made, question, answers.write(lesson), IDS["<arguments>"])
    return made


def _values(
    recorded: _Recorded, group: Sequence[Episode], recipe: Recipe, rng: random.Random
) -> _Sequence | None:
    made: _Sequence | None = None
    for run in _runs(recorded, group, rng, MOST_QUESTIONS):
        situation = rng.choice(run.situations)
        pairs = situation.state.frame.locals or ()
        if not pairs:
            continue
        name, value = rng.choice(pairs)
        told = values.spell(run.view, value)
        if told is not None:
            question = values.prompt(run.view, situation, name)
            made = _joined(made, question, told, IDS["<value>"])
    return made
