"""Whether a run reaches a goal: what the call gives, how it fails, or a visit on the way."""

# It runs on 3.8.
# ruff: noqa: UP006, UP035, UP045, SIM105

import builtins
from types import FrameType
from typing import Any, Callable, Dict, List, Optional, Tuple

from .exact import exact, spelt
from .stepping import Stepper, message, printed

Goal = Dict[str, Any]
Own = Callable[[str], bool]
Place = Tuple[FrameType, int]


def reaches(goal: Goal, call: Callable[[], Any], own: Own, most: int) -> str:
    """Return "yes", "no", or why nobody knows; the call is made here and now."""
    if goal["exception"] is not None:
        return _fails_so(goal, call, own)
    if _asks_for_the_call(goal):
        try:
            value = call()
        except Exception:
            return "no"
        return _yes(goal["value"] is None or _is(value, goal["value"]))
    visits = Visits(goal, own, most)
    try:
        visits.run_call(call)
    except Exception:
        pass
    return _yes(visits.met) if visits.met or visits.complete else "the run is too long"


def _yes(truth: bool) -> str:
    return "yes" if truth else "no"


def _asks_for_the_call(goal: Goal) -> bool:
    """Tell whether all that is asked is what the call gives back, through decorators or not."""
    if goal["event"] != "return" or len(goal["chain"]) > 1 or goal["chain"][0][1] is not None:
        return False
    return not goal["locals"] and not goal["where"]


def _is(value: Any, text: str) -> bool:
    found = exact(value)
    return found is not None and found == spelt(text)


def _fails_so(goal: Goal, call: Callable[[], Any], own: Own) -> str:
    """Tell whether the claimed exception leaves the call, through the claimed frames."""
    try:
        call()
    except Exception as error:
        claim = goal["exception"]
        if not _is_named(claim["type"], printed(type(error))):
            return "no"
        text, claimed = message(error), claim["message"]
        if claimed is not None:
            alike = text.startswith(claimed) if claim["prefix"] else text == claimed
            if not alike:
                return "no"
        places: List[Place] = []
        trace = error.__traceback__
        while trace is not None:
            if own(trace.tb_frame.f_code.co_filename):
                places.append((trace.tb_frame, trace.tb_lineno))
            trace = trace.tb_next
        return _yes(_is_chain(goal, places) and _holds(goal, places[-1][0]))
    return "no"


def _is_named(claimed: str, name: str) -> bool:
    """Tell whether a claimed class may be the one that is printed so: its name, or a dotted end."""
    if claimed == name:
        return True
    if hasattr(builtins, claimed) or hasattr(builtins, name):
        return False
    return name.endswith("." + claimed) or claimed.endswith("." + name)


def _is_chain(goal: Goal, places: List[Place]) -> bool:
    """Tell whether own frames, oldest first, are the claimed ones; wrappers may lie before them."""
    links = [tuple(link) for link in goal["chain"]]
    seen = [(frame.f_code.co_filename, line, frame.f_code.co_name) for frame, line in places]

    def alike(link: Any, place: Any) -> bool:
        return link[0] == place[0] and link[2] == place[2] and link[1] in (None, place[1])

    for first in range(len(seen)):
        rest = seen[first:]
        if goal["exact"]:
            if len(rest) == len(links) and all(map(alike, links, rest)):
                return True
            continue
        if len(rest) < len(links) or not (alike(links[0], rest[0]) and alike(links[-1], rest[-1])):
            continue
        between = iter(rest[1:-1])
        if all(any(alike(link, place) for place in between) for link in links[1:-1]):
            return True
    return False


def _holds(goal: Goal, frame: FrameType) -> bool:
    """Tell whether the claimed locals and constraints are true in a frame."""
    names = dict(frame.f_locals)
    for name, text in goal["locals"]:
        if name not in names or not _is(names[name], text):
            return False
    for text in goal["where"]:
        try:
            if not eval(text.strip(), frame.f_globals, dict(names)):
                return False
        except Exception:
            return False
    return True


class Visits(Stepper):
    """Steps through a call until an event is the goal's state; `met` tells whether one was."""

    def __init__(self, goal: Goal, own: Own, most: int) -> None:
        super().__init__(own, 0, (), most)
        self._goal = goal
        self._seen_events = 0
        self.met = False

    def trace_dispatch(self, frame: FrameType, event: str, arg: Any) -> Any:
        """Look at each event of own frames."""
        if self._own(frame.f_code.co_filename) and not self.met:
            self._seen_events += 1
            self.complete = self.complete and self._seen_events <= self._most
            self.met = self._is_goal(frame, event, arg)
        return super().trace_dispatch(frame, event, arg)

    def _note(self, frame: FrameType, event: str, arg: Any) -> None:
        """Keep nothing: showing values would call their `__repr__`."""

    def _is_goal(self, frame: FrameType, event: str, arg: Any) -> bool:
        goal = self._goal
        if event != goal["event"] or frame.f_code.co_name != goal["chain"][-1][2]:
            return False
        if event == "return":
            if arg is None and self._unwinds(frame):
                return False
            if goal["value"] is not None and not _is(arg, goal["value"]):
                return False
        places: List[Place] = []
        here: Optional[FrameType] = frame
        while here is not None and here is not self._base:
            if self._own(here.f_code.co_filename):
                places.append((here, here.f_lineno))
            here = here.f_back
        return _is_chain(goal, places[::-1]) and _holds(goal, frame)
