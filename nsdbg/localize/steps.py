"""The way to a crash as the steps of a finding: from a recorded run, or from a traceback alone.

What is shown is bounded: the last steps, some locals of each, the beginnings of their values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from nsdbg.claim import Goal, Site
from nsdbg.finding import Step
from nsdbg.localize.examine import Examination
from nsdbg.localize.inquiry import exceptions_by_need
from nsdbg.localize.locate import LocatedFrame
from nsdbg.localize.places import Places
from nsdbg.state import Event, Frame, State, Trace, Value
from nsdbg.workbench import Workbench

MOST_STEPS = 60
MOST_LOCALS = 24
LONGEST_VALUE = 300

# Gives the text of a value that goes by a name, without what must not be shown.
Hide = Callable[[str, str], str]


def recorded(examination: Examination, bench: Workbench) -> Trace | None:
    """Run the confirmed reproduction once more and return every state of it.

    None where nothing was reproduced, and where a KeyboardInterrupt ends the run: what was found
    before is still to be told.
    """
    best = examination.reproduction
    if best is None:
        return None
    goal, start = best.level.goal, best.verdict.proposal.start
    try:
        return bench.runner.fresh(goal, start, full_trace=True)[0].trace
    except KeyboardInterrupt:
        return None


def steps_of_run(trace: Trace, goal: Goal, places: Places, hide: Hide) -> tuple[list[Step], int]:
    """Return the last steps up to the crash, and how many there are in all.

    The StopIteration by which an iterator ends within CPython is no step of the program.
    """
    end = _end(trace.states, goal.chain[-1])
    numbers = trace.activations or tuple(len(state.stack) for state in trace.states)
    latest: dict[int, Frame] = {}  # of each activation the frame as it was last seen
    found: list[tuple[State, Frame | None]] = []
    for at, (number, state) in enumerate(zip(numbers[:end], trace.states[:end], strict=True)):
        if at not in trace.internal and places.shown(state.frame.file) is not None:
            found.append((state, latest.get(number)))
            latest[number] = state.frame
    steps = [_step(state, before, places, hide) for state, before in found[-MOST_STEPS:]]
    return steps, len(found)


def _end(states: Sequence[State], site: Site) -> int:
    """Return how many states lie before and at the crash; what follows only unwinds the stack.

    Of several exceptions at the line the deepest counts, and of those the last: where a line is
    tried again and again, the last time is the one that nobody caught.
    """
    at = [
        (len(state.stack), place)
        for place, state in enumerate(states)
        if state.event is Event.EXCEPTION
        and (state.frame.file, state.frame.function) == (site.file, site.function)
        and site.lineno in (None, state.frame.lineno)
    ]
    return max(at)[1] + 1 if at else len(states)


def _step(state: State, earlier: Frame | None, places: Places, hide: Hide) -> Step:
    frame = state.frame
    place = places.at(frame.file, frame.lineno, frame.function)
    assert place is not None  # others were left out
    # Without the numbers of activations, frames of one depth may be of two functions.
    same = earlier is not None and (earlier.file, earlier.function) == (frame.file, frame.function)
    known = dict(earlier.locals or ()) if earlier is not None and same else {}
    changed = [name for name, value in frame.locals or () if known.get(name) != value]
    # What changed comes first where there is no room for all.
    names = [*changed, *(name for name, _ in frame.locals or () if name not in changed)]
    kept = set(names[:MOST_LOCALS])
    shown = tuple(pair for pair in _texts(frame.locals, hide) if pair[0] in kept)
    told = tuple(name for name in changed if name in kept)
    return Step(place, state.event.value, shown, told, _arg(state, hide))


def _arg(state: State, hide: Hide) -> str | None:
    if state.arg is None:
        return None
    text = _cut(hide("", state.arg.repr))
    if state.event is not Event.EXCEPTION:
        return text
    return f"{state.arg.type}: {text}" if text else state.arg.type


def _texts(values: Sequence[tuple[str, Value]] | None, hide: Hide) -> Iterator[tuple[str, str]]:
    for name, value in values or ():
        yield name, _cut(hide(name, value.repr))


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 3] + "..."


def steps_of_log(examination: Examination, places: Places, hide: Hide) -> list[Step]:
    """Return the frames of the traceback with the locals that were logged, oldest first."""
    raised, frames, place, _ = exceptions_by_need(examination.inquiry.located)[0]
    found = [*frames, *([place] if place is not None else [])]
    named = raised.exception or ""
    arg = f"{named}: {hide('', raised.message)}" if raised.message else named
    steps = [step for frame in found if (step := _logged(frame, places, hide)) is not None]
    if steps and places.shown(found[-1].source_path) is not None:
        steps[-1] = Step(steps[-1].place, Event.EXCEPTION.value, steps[-1].locals, (), _cut(arg))
    return steps[-MOST_STEPS:]


def _logged(frame: LocatedFrame, places: Places, hide: Hide) -> Step | None:
    place = places.at(frame.source_path, frame.lineno, frame.logged.function)
    if place is None:
        return None
    values = frame.logged.locals or frame.logged.arguments
    return Step(place, Event.LINE.value, tuple(_texts(values, hide))[:MOST_LOCALS])
