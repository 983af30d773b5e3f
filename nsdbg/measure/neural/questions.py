"""Questions about recorded runs: a state, a debugger's command, and the state to which it led.

Draws from each function in turn, never from all states alike: neighbouring states of one long loop
are one problem asked many times.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from nsdbg.measure.neural.held import Held, Run
from nsdbg.propose.codec.situation import Situation
from nsdbg.state import Action, ActionKind, Event, State, Value

# Lines ahead of the one at hand to which `until` and `continue` go.
AHEAD = (1, 1, 2, 3, 4, 6)
HORIZONS = ((1, 1), (2, 3), (4, 7), (8, 15), (16, 31))
_PASSES = 40
_CUT = "states with a value that was cut when it was recorded"
_CONSUMER = "commands across a yield, where the consumer decides"


@dataclass(frozen=True, slots=True)
class Question:
    """Where does `action` lead from state `at`?  The run says: to state `to`, which is `truth`."""

    run: Run
    at: int
    to: int
    action: Action
    truth: State

    @property
    def before(self) -> Situation:
        """The situation from which the command is given."""
        return self.run.situations[self.at]

    @property
    def skipped(self) -> int:
        """How many states the command passes over."""
        return self.to - self.at - 1

    @property
    def key(self) -> tuple[object, ...]:
        """What makes two questions the same."""
        return id(self.run), self.at, self.action


def question(run: Run, at: int, action: Action, left_out: Counter[str]) -> Question | None:
    """Return the question, or None where the run does not answer it."""
    to = run.walk.after(at, action)
    if to is None:
        return None
    if run.walk.leaves(at, to):
        left_out[_CONSUMER] += 1
        return None
    way = run.situations[at + 1 : to + 1]
    truth = replace(way[-1].state, output="".join(each.state.output for each in way))
    if _is_cut(run.situations[at].state, truth):
        left_out[_CUT] += 1
        return None
    return Question(run, at, to, action, truth)


def _is_cut(before: State, truth: State) -> bool:
    """Whether nobody could tell the new state, since what was recorded of it is a beginning."""
    known = {pair for frame in before.stack for pair in frame.locals or ()}
    new = [value for name, value in truth.frame.locals or () if (name, value) not in known]
    return any(_truncated(value) for value in (*new, truth.arg))


def _truncated(value: Value | None) -> bool:
    return value is not None and value.truncated


Draw = Callable[[Run, random.Random], Iterator[tuple[int, Action]]]


def draw(
    held: Held, limit: int, seed: int, drawing: Draw, left_out: Counter[str]
) -> list[Question]:
    """Return up to `limit` different questions, drawn from each function in turn."""
    rng = random.Random(seed)
    found: dict[tuple[object, ...], Question] = {}
    for run in held.draw(rng, _PASSES):
        if len(found) >= limit:
            break
        for at, action in drawing(run, rng):
            asked = question(run, at, action, left_out)
            if asked is not None and asked.key not in found:
                found[asked.key] = asked
                break
    return list(found.values())


def commands(kind: ActionKind) -> Draw:
    """Return the drawing of one kind of command, from any state of a run."""

    def drawing(run: Run, rng: random.Random) -> Iterator[tuple[int, Action]]:
        for _ in range(4):
            at = rng.randrange(len(run.situations))
            line = run.situations[at].state.frame.lineno
            needs = kind in (ActionKind.UNTIL, ActionKind.CONTINUE)
            yield at, Action(kind, line + rng.choice(AHEAD) if needs else None)

    return drawing


def jumps(least: int, most: int) -> Draw:
    """Return the drawing of commands that pass over so many states and tell a whole state."""

    def drawing(run: Run, rng: random.Random) -> Iterator[tuple[int, Action]]:
        for _ in range(6):
            at = rng.randrange(len(run.situations))
            line = run.situations[at].state.frame.lineno
            actions = [Action(ActionKind.NEXT)] + [
                Action(kind, line + ahead)
                for kind in (ActionKind.UNTIL, ActionKind.CONTINUE)
                for ahead in sorted(set(AHEAD))
            ]
            rng.shuffle(actions)
            for action in actions:
                to = run.walk.after(at, action)
                if to is not None and least <= to - at - 1 <= most:
                    yield at, action
                    break

    return drawing


def whole_calls(run: Run, rng: random.Random) -> Iterator[tuple[int, Action]]:
    """Draw `return` from a state at which a function was just called and that gives a value."""
    calls = [
        at for at, one in enumerate(run.situations)
        if one.state.event is Event.CALL
        and run.episode.trace.activations[at] not in run.episode.trace.generators
    ]  # fmt: skip
    rng.shuffle(calls)
    for at in calls[:4]:
        action = Action(ActionKind.RETURN)
        to = run.walk.after(at, action)
        if to is None or run.situations[to].state.arg is None:
            continue
        if run.episode.trace.activations[to] == run.episode.trace.activations[at]:
            yield at, action
