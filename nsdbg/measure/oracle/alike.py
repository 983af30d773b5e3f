"""Whether a stop that the oracle saw is what a proposal or a goal says of it.

Values are compared by the one spelling of what their texts stand for; a value for which no text
stands is like nothing that is claimed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from nsdbg.claim import FunctionRef, Goal, Middle
from nsdbg.measure.oracle.facts import Stop
from nsdbg.state import Event, Frame, State, Value

Spelling = Callable[[str], str | None]
_OPAQUE = "object"


def is_start(start: Middle, stop: Stop, entry: FunctionRef, spelt: Spelling) -> bool:
    """Tell whether a stop is a state from which a proposal starts: all that a state says."""
    claimed, seen = start.state, stop.state
    if claimed.event is not seen.event or entry.file != seen.frame.file:
        return False
    stack = seen.stack[-len(claimed.stack) :]
    if list(map(_place, claimed.stack)) != list(map(_place, stack)):
        return False
    if claimed.event is Event.EXCEPTION and not _is_argument(claimed, stop, spelt):
        return False
    # A local that a start leaves out is unbound in it, also where no literal could name it.
    names = {name for name, _ in claimed.frame.locals or ()}
    if claimed.frame.locals is not None and names != {n for n, _ in seen.frame.locals or ()}:
        return False
    return _are_locals(claimed.frame, stop, spelt)


def is_predicted(predicted: State, stop: Stop, spelt: Spelling) -> bool:
    """Tell whether a stop is the predicted state, in everything that it says."""
    seen = stop.state
    if predicted.event is not seen.event or predicted.output != seen.output:
        return False
    if list(map(_place, predicted.stack)) != list(map(_place, seen.stack)):
        return False
    return _is_argument(predicted, stop, spelt) and _are_locals(predicted.frame, stop, spelt)


def is_goal(goal: Goal, stop: Stop, spelt: Spelling) -> bool:
    """Tell whether a stop is the state of a goal, whose constraints nobody can look at here."""
    seen = stop.state
    if goal.event is not seen.event or goal.where:
        return False
    chain = [(site.file, site.lineno, site.function) for site in goal.chain]
    stack = list(map(_place, seen.stack))
    if len(chain) > len(stack) or (goal.exact_chain and len(chain) != len(stack)):
        return False
    if any(not _is_link(*pair) for pair in ((chain[0], stack[0]), (chain[-1], stack[-1]))):
        return False
    between = iter(stack[1:-1])
    if not all(any(_is_link(link, place) for place in between) for link in chain[1:-1]):
        return False
    if goal.value is not None and not _is(goal.value, seen.arg, stop.opaque_arg, spelt):
        return False
    if goal.exception is not None:
        arg = seen.arg
        if arg is None or not arg.type.endswith(goal.exception.type):
            return False
        if goal.exception.message not in (None, arg.repr):
            return False
    known = dict(seen.frame.locals or ())
    return all(_is(text, known.get(name), name in stop.opaque, spelt) for name, text in goal.locals)


Place = tuple[str, int | None, str]


def _place(frame: Frame) -> Place:
    return frame.file, frame.lineno, frame.function


def _is_link(link: Place, place: Place) -> bool:
    return (link[0], link[2]) == (place[0], place[2]) and link[1] in (None, place[1])


def _is(text: str, seen: Value | None, opaque: bool, spelt: Spelling) -> bool:
    return seen is not None and not opaque and spelt(text) == seen.repr


def _is_argument(claimed: State, stop: Stop, spelt: Spelling) -> bool:
    """Tell whether a claimed argument is what was seen; a state without one claims nothing."""
    told, seen = claimed.arg, stop.state.arg
    if told is None or claimed.event not in (Event.RETURN, Event.EXCEPTION):
        return True
    if seen is None:
        return False
    if claimed.event is Event.EXCEPTION:
        return (told.type, told.repr) == (seen.type, seen.repr)
    if told.type == _OPAQUE:
        return stop.opaque_arg
    return told.type == seen.type and _is(told.repr, seen, stop.opaque_arg, spelt)


def _are_locals(frame: Frame, stop: Stop, spelt: Spelling) -> bool:
    """Tell whether claimed locals are those seen: every one that a literal can name is named."""
    if frame.locals is None:
        return True
    known: Mapping[str, Value] = dict(stop.state.frame.locals or ())
    for name, value in frame.locals:
        if name not in known:
            return False
        if value.type == _OPAQUE or (not value.literal and spelt(value.repr) is None):
            if name not in stop.opaque:
                return False
        elif value.type != known[name].type or not _is(
            value.repr, known[name], name in stop.opaque, spelt
        ):
            return False
    named = {name for name, _ in frame.locals}
    return all(name in named for name, value in known.items() if value.literal)
