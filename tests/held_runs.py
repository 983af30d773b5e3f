"""A recorded run of one small function, and an engine that knows every answer about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from scripted_engine import Scripted

from nsdbg.episode import Episode, Listing
from nsdbg.measure.neural.held import Held, Run
from nsdbg.model.teach.lessons import forward_lesson
from nsdbg.propose.codec import answer as answers
from nsdbg.propose.codec import forward
from nsdbg.propose.codec.answer import Answer
from nsdbg.propose.codec.vocabulary import END
from nsdbg.state import Action, ActionKind, Event, Frame, State, Trace, Value

TEXT = """\
def total(items):
    n = 0
    for item in items:
        n += item
    return n"""
LISTING = Listing("shop.py", "total", 1, TEXT)
GARBAGE = [END]
STEP = Action(ActionKind.STEP)
ACTIONS = (
    STEP, Action(ActionKind.NEXT), Action(ActionKind.RETURN),
    *(Action(kind, line) for kind in (ActionKind.UNTIL, ActionKind.CONTINUE)
      for line in range(1, 12)),
)  # fmt: skip


def value(found: object) -> Value:
    return Value(repr(found), type(found).__name__, literal=True)


def state(event: Event, lineno: int, arg: object = None, **found: object) -> State:
    """Return a state of `total` for [1, 2]."""
    names = {"items": [1, 2], **found}
    frame = Frame("shop.py", lineno, "total", tuple((n, value(v)) for n, v in names.items()))
    return State(event, (frame,), None if arg is None else value(arg))


STATES = (
    state(Event.CALL, 1),
    state(Event.LINE, 2),
    state(Event.LINE, 3, n=0),
    state(Event.LINE, 4, n=0, item=1),
    state(Event.LINE, 3, n=1, item=1),
    state(Event.LINE, 4, n=1, item=2),
    state(Event.LINE, 3, n=3, item=2),
    state(Event.LINE, 5, n=3, item=2),
    state(Event.RETURN, 5, 3, n=3, item=2),
)


def episode(states: Sequence[State] = STATES, listing: Listing = LISTING) -> Episode:
    """Return the run as an episode."""
    trace = Trace(tuple(states), activations=(0,) * len(states))
    return Episode("shop:1", "functions", "shop", listing.qualname, "MIT", "3.11.7", (listing,),
                   (), trace)  # fmt: skip


def held() -> Held:
    """Return the run alone."""
    return Held.of([episode()])


def taught(actions: Iterable[Action] = ACTIONS) -> Scripted:
    """Return an engine that answers about each state as a network is taught to, else garbage."""
    run, known = Run(episode()), dict[tuple[int, ...], list[int]]()
    for at in range(len(STATES)):
        for action in actions:
            found = _lesson(run, at, action)
            if found is not None:
                known[tuple(forward.prompt(run.view, run.situations[at], action))] = found
        known.update(_chain(run, at))
    return Scripted(lambda prompt, number: [known.get(tuple(prompt), GARBAGE)])


def _lesson(run: Run, at: int, action: Action) -> list[int] | None:
    to = run.walk.after(at, action)
    way = run.situations[at : (to or 0) + 1]
    lesson = forward_lesson(run.view, way, action) if to is not None else None
    return None if lesson is None else answers.write(lesson)


def _chain(run: Run, at: int) -> Iterator[tuple[tuple[int, ...], list[int]]]:
    """Yield what is asked, and answered, when one steps on and on in one text."""
    text = forward.prompt(run.view, run.situations[at], STEP)
    while (answer := _lesson(run, at, STEP)) is not None:
        yield tuple(text), answer
        before, after = run.situations[at : at + 2]
        text += [*answer, *forward.resume(run.view, before, after)]
        text += forward.command(run.view, after, STEP)
        at += 1


def lines_alone(actions: Iterable[Action] = ACTIONS) -> Scripted:
    """Return an engine that is right about events and lines, and says that nothing changes."""
    run, known = Run(episode()), dict[tuple[int, ...], list[int]]()
    for at in range(len(STATES)):
        for action in actions:
            to = run.walk.after(at, action)
            if to is None:
                continue
            seen = STATES[to]
            token = run.view.line("shop.py", seen.frame.lineno)
            answer = replace(Answer(seen.event), line=token)
            prompt = forward.prompt(run.view, run.situations[at], action)
            known[tuple(prompt)] = answers.write(answer)
    return Scripted(lambda prompt, number: [known.get(tuple(prompt), GARBAGE)])
