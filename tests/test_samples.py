"""Samples: what is learned is what is asked later, token by token, and nothing gives it away."""

from __future__ import annotations

import operator
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

import pytest
from recorded import of_code, recorded

from nsdbg.claim import Goal
from nsdbg.episode import Episode
from nsdbg.model.samples import LONGEST, Recipe, Sample, Task, goal_of, samples
from nsdbg.programs import Level
from nsdbg.propose.codec import arguments, backward, forward, values
from nsdbg.propose.codec.alike import alike, same_locals, same_place, same_return
from nsdbg.propose.codec.situation import Situation
from nsdbg.propose.codec.track import situations, without_comprehensions
from nsdbg.propose.codec.view import View, literals
from nsdbg.propose.codec.vocabulary import END, IDS, LINES, SLOTS
from nsdbg.state import Action, ActionKind, Event

ALONE = {
    Task.FORWARD: Recipe(1, 0, 0, 0, blind=0), Task.BACKWARD: Recipe(0, 1, 0, 0),
    Task.ARGUMENTS: Recipe(0, 0, 1, 0), Task.VALUE: Recipe(0, 0, 0, 1),
}  # fmt: skip
COMMANDS = [IDS[f"<{kind.value}>"] for kind in ActionKind]
ASKED = {Task.FORWARD: "<forward>", Task.BACKWARD: "<backward>", Task.ARGUMENTS: "<arguments>",
         Task.VALUE: "<value>"}  # fmt: skip


@lru_cache
def episodes() -> tuple[Episode, ...]:
    return (*recorded(5000, 10, Level.LINES), *recorded(5000, 5, Level.PROGRAM))


def first_sample(episode: Episode, task: Task, seed: int) -> tuple[Sample, View] | None:
    """Return the first sample of an episode alone, and a view of its own with the same shifts."""
    rng = random.Random(seed)
    shift = (rng.randrange(SLOTS), rng.randrange(LINES))
    made = next(samples([[episode]], ALONE[task], seed), None)
    return None if made is None else (made, View(episode.listings, literals(episode.names), shift))


def actions(situation: Situation) -> Iterator[Action]:
    for kind in ActionKind:
        if kind in (ActionKind.UNTIL, ActionKind.CONTINUE):
            lineno = situation.state.frame.lineno
            yield from (Action(kind, lineno + more) for more in (1, 2, 3, 4, 6))
        else:
            yield Action(kind)


def begins(tokens: Sequence[int], start: Sequence[int], at: int = 0) -> bool:
    return tuple(tokens[at : at + len(start)]) == tuple(start)


Question = Callable[[View, Situation], Iterator[list[int]]]


def asks_forward(view: View, found: Situation) -> Iterator[list[int]]:
    yield from (forward.prompt(view, found, action) for action in actions(found))


def asks_backward(view: View, found: Situation) -> Iterator[list[int]]:
    for kind in (ActionKind.STEP, ActionKind.NEXT):
        yield backward.prompt(view, found, Action(kind, inverse=True))


def asks_value(view: View, found: Situation) -> Iterator[list[int]]:
    yield from (values.prompt(view, found, name) for name, _ in found.state.frame.locals or ())


@pytest.mark.parametrize(
    ("task", "asks"),
    [(Task.FORWARD, asks_forward), (Task.BACKWARD, asks_backward), (Task.VALUE, asks_value)],
)
def test_a_sample_begins_with_the_prompt_that_is_put_to_the_network(
    task: Task, asks: Question
) -> None:
    found = 0
    for seed, episode in enumerate(episodes()[::3]):
        made = first_sample(episode, task, seed)
        if made is None:
            continue
        sample, view = made
        start = sample.loss.index(True)
        assert any(
            tuple(prompt) == sample.tokens[:start]
            for each in track(view, episode)
            for prompt in asks(fresh(view), each)
        )
        found += 1
    assert found > 8


def track(view: View, episode: Episode) -> list[Situation]:
    trace = without_comprehensions(episode.trace)
    return situations(view, replace(episode, trace=trace))


def fresh(view: View) -> View:
    """Return the same view with no more names than its source has."""
    return View(view.texts, view.constants, (view.slots.shift, view._shift))


def goals(view: View, episode: Episode) -> Iterator[Goal]:
    found = track(view, episode)
    every = (goal_of(found, at, episode.function) for at in range(len(found)))
    yield from (goal for goal in every if goal is not None)


def test_questions_for_arguments_are_put_as_they_are_later_and_answered_as_recorded() -> None:
    found = 0
    for seed, episode in enumerate(episodes()[::3]):
        made = first_sample(episode, Task.ARGUMENTS, seed)
        if made is None:
            continue
        sample, view = made
        start = sample.loss.index(True)
        asked = sample.tokens[:start]
        goal = next(each for each in goals(view, episode)
                    if tuple(arguments.prompt(fresh(view), each)) == asked)  # fmt: skip
        told = arguments.read(view, goal, answer(sample, start))
        assert told == tuple((name, value.repr) for name, value in episode.arguments
                             if name != "self")  # fmt: skip
        found += 1
    assert found > 8


def answer(sample: Sample, start: int) -> list[int]:
    """Return the answer that begins at a place; it is learned up to its end."""
    end = sample.tokens.index(END, start) + 1
    assert all(sample.loss[start:end])
    assert not any(sample.loss[end : end + 1])
    return list(sample.tokens[start:end])


def test_a_way_forward_goes_on_in_the_sequence_as_it_does_in_the_networks_cache() -> None:
    chained = 0
    for seed, episode in enumerate(episodes()[::3]):
        made = first_sample(episode, Task.FORWARD, seed)
        if made is not None:
            chained += len(followed(*made, episode))
    assert chained > 40


def followed(sample: Sample, view: View, episode: Episode) -> list[int]:
    """Go along a forward sample: each answer read, each state told after it; return the stops."""
    from nsdbg.verify.walk import Walk

    found = track(view, episode)
    walk = Walk(without_comprehensions(episode.trace))
    place = sample.loss.index(True)
    at, action = next(
        (at, action)
        for at, each in enumerate(found)
        for action in actions(each)
        if tuple(forward.prompt(fresh(view), each, action)) == sample.tokens[:place]
        and walk.after(at, action) is not None
    )
    stops = []
    view = fresh(view)
    forward.prompt(view, found[at], action)
    while True:
        ids = answer(sample, place)
        to = walk.after(at, action)
        assert to is not None
        told = forward.read(view, found[at], action, ids)
        truth = found[to].state
        printed = "".join(each.state.output for each in found[at + 1 : to + 1])
        if action.kind is ActionKind.RETURN and truth.event is Event.RETURN:
            assert same_return(told, truth)
        else:
            assert told is not None
            assert told.state.output == printed
            assert same_place(told.state, truth)
            assert same_locals(told.state, truth)
        stops.append(to)
        place += len(ids)
        after = forward.resume(view, found[at], found[to])
        if place == len(sample.tokens):
            return stops
        assert begins(sample.tokens, after, place)
        place += len(after)
        if place == len(sample.tokens):
            return stops
        at = to
        action = next(
            action
            for action in actions(found[at])
            if begins(sample.tokens, forward.command(view, found[at], action), place)
            and sample.loss[place + len(forward.command(view, found[at], action))]
            and walk.after(at, action) is not None
        )
        place += len(forward.command(view, found[at], action))


def every(recipe: Recipe, seed: int = 3) -> list[Sample]:
    group: dict[str, list[Episode]] = {}
    for episode in episodes():
        group.setdefault(episode.id.rpartition("/")[0], []).append(episode)
    return list(samples(list(group.values())[:24], recipe, seed))


def test_a_sample_has_one_program_one_kind_of_question_and_whole_answers() -> None:
    made = every(Recipe(1, 1, 1, 1))
    assert {sample.task for sample in made} == set(Task)
    for sample in made:
        assert len(sample.tokens) == len(sample.loss) <= LONGEST
        assert sample.tokens.count(IDS["<program>"]) == 1
        asked = {mark for mark in ASKED.values() if IDS[mark] in sample.tokens}
        assert asked == {ASKED[sample.task]}
        learned = [token for token, learn in zip(sample.tokens, sample.loss, strict=True) if learn]
        assert learned[-1] == END
        assert sample.tokens.count(END) == learned.count(END)
        if sample.task is not Task.FORWARD:
            assert sample.tokens.count(IDS[ASKED[sample.task]]) == learned.count(END)


def test_the_same_seed_gives_the_same_samples_and_another_gives_others() -> None:
    recipe = Recipe()
    assert every(recipe) == every(recipe)
    assert every(recipe) != every(recipe, 4)


def test_without_commands_every_question_has_any_in_its_place() -> None:
    named, bare = every(Recipe(1, 1, 1, 1)), every(Recipe(1, 1, 1, 1, actions=False))
    assert not any(IDS["<any>"] in sample.tokens for sample in named)
    assert sum(any(each in sample.tokens for each in COMMANDS) for sample in named) > 50
    assert not any(each in sample.tokens for sample in bare for each in COMMANDS)
    for sample in bare:
        asked = sample.task in (Task.FORWARD, Task.BACKWARD)
        answered = sum(map(operator.gt, sample.loss[1:], sample.loss))
        assert sample.tokens.count(IDS["<any>"]) == (answered if asked else 0)


def test_questions_of_one_sample_come_from_runs_with_other_arguments() -> None:
    code = "def f(x):\n    y = x * 2\n    z = y + 1\n    return z"
    group = of_code(code, "1234", "5678", "1234", "9012")
    made = [each for seed in range(20) for each in samples([group], ALONE[Task.BACKWARD], seed)]
    assert max(each.tokens.count(IDS["<backward>"]) for each in made) > 1
    for sample in made:
        marks = [at for at, token in enumerate(sample.tokens) if token == IDS["<backward>"]]
        ends = [*marks[1:], len(sample.tokens)]
        asked = [sample.tokens[at:end] for at, end in zip(marks, ends, strict=True)]
        assert len(asked) == len(set(asked))


def test_a_goal_is_what_is_known_of_a_state_of_the_root() -> None:
    code = "def g(x):\n    return 1 // x\ndef f(x):\n    y = [x]\n    return g(x)"
    episode = of_code(code, "0")[0]
    view = View(episode.listings)
    found = situations(view, episode)
    every = [goal_of(found, at, "f") for at in range(len(found))]
    assert every[0] is None
    line = next(goal for goal in every if goal is not None)
    assert (line.event, line.locals) == (Event.LINE, (("x", "0"),))
    inner = [len(each.state.stack) > 1 for each in found]
    assert all(goal is None for goal, deep in zip(every, inner, strict=True) if deep)
    raised = [goal for goal in every if goal is not None and goal.event is Event.EXCEPTION]
    assert raised[0].exception is not None
    assert raised[0].exception.type == "ZeroDivisionError"
    assert every[-1] is None  # it does not return


def test_states_that_differ_in_one_local_are_not_alike() -> None:
    view = View(of_code("def f(x):\n    return x", "1")[0].listings)
    one, other = (situations(view, of_code("def f(x):\n    return x", text)[0])[1]
                  for text in ("1", "2"))  # fmt: skip
    assert alike(one, one.state)
    assert not alike(one, other.state)
