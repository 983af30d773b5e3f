"""Where a debugger's command stops next: a walk over one recorded trace.

Runs nothing.  The stopping rules are `bdb.Bdb`'s (CPython 3.11's `stop_here`, `dispatch_*` and
`set_*`), which compare living frames; so states are told apart by their index and frames by the
number of their activation, never by value.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nsdbg.state import Action, ActionKind, Event, State, Trace

NEVER = -1  # bdb's stoplineno: do not stop in the stop frame at all


@dataclass(frozen=True, slots=True)
class _Stop:
    """What bdb keeps of a command: `frame` None means any frame, `breakpoint` a file and line.

    `given` is the index of the state at which the command is given.
    """

    given: int
    frame: int | None
    returning: int | None = None
    lineno: int = 0
    breakpoint: tuple[str, int] | None = None


class Walk:
    """One trace, prepared for any number of commands."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self._frames = trace.activations or tuple(_number_by_depth(trace.states))
        self._callers = tuple(self._find_callers())
        self._entered: dict[int, int] = {}
        for index, frame in enumerate(self._frames):
            self._entered.setdefault(frame, index)

    def after(self, index: int, action: Action) -> int | None:
        """Return the index of the state at which the command stops, given at state `index`.

        None when it stops nowhere: the program ends first, or the recording does (see
        `Trace.complete`).  Raises IndexError for an index outside the trace.
        """
        state = self.trace.states[index]
        stop = self._stop_for(index, action, state)
        for later in range(index + 1, len(self.trace.states)):
            if self._stops(stop, later):
                return later
        return None

    def before(self, index: int, action: Action) -> list[int]:
        """Return the indexes of the states from which the command leads to state `index`.

        They are the inverse of `after`, oldest first: `continue` from any state since the last
        visit of the line leads here, `step` from one at most.
        """
        return [earlier for earlier in range(index) if self.after(earlier, action) == index]

    def leaves(self, index: int, later: int) -> bool:
        """Tell whether the oldest frame was left between two states, as a generator is by `yield`.

        What happens between leaving and resuming it is its consumer's doing.
        """
        oldest = self._frames[0]
        return any(
            self._frames[place] == oldest and self.trace.states[place].event is Event.RETURN
            for place in range(index, later)
        )

    def _stop_for(self, index: int, action: Action, state: State) -> _Stop:
        frame = self._frames[index]
        generator = frame in self.trace.generators
        ends = state.event is Event.RETURN  # bdb turns next and until into step there
        if action.kind is ActionKind.CONTINUE:
            return _Stop(index, -1, None, NEVER, (state.frame.file, action.lineno or 0))
        if action.kind is ActionKind.RETURN:
            if generator:
                return _Stop(index, frame, None, NEVER)
            return _Stop(index, self._callers[index], frame)
        if action.kind is ActionKind.STEP or ends:
            return _Stop(index, None)
        if action.kind is ActionKind.NEXT:
            return _Stop(index, frame)
        return _Stop(index, frame, frame, action.lineno or 0)

    def _stops(self, stop: _Stop, index: int) -> bool:
        state, frame = self.trace.states[index], self._frames[index]
        generator = frame in self.trace.generators
        here = self._stops_here(stop, index)
        if state.event is Event.LINE:
            return here or stop.breakpoint == (state.frame.file, state.frame.lineno)
        if state.event is Event.EXCEPTION:
            return self._stops_at_exception(stop, index, here)
        if state.event is Event.RETURN:
            here = here or frame == stop.returning
        return here and not (generator and stop.frame is not None)

    def _stops_here(self, stop: _Stop, index: int) -> bool:
        if stop.frame is None:
            return True
        if self._frames[index] != stop.frame or stop.lineno == NEVER:
            return False
        return self.trace.states[index].frame.lineno >= stop.lineno

    def _stops_at_exception(self, stop: _Stop, index: int, here: bool) -> bool:
        """Apply bdb's two exceptions to the rule, both for the StopIteration of generators.

        Of a frame that was entered since the command, and so was not stopped in, bdb is told
        nothing: `dispatch_call` leaves it untraced.
        """
        frame, arg = self._frames[index], self.trace.states[index].arg
        name = arg.type if arg else ""
        if here:
            inner = frame in self.trace.generators and index in self.trace.internal
            return not (inner and name == "StopIteration")
        in_generator = stop.frame in self.trace.generators and frame != stop.frame
        traced = self._entered[frame] <= stop.given
        return in_generator and traced and name in ("StopIteration", "GeneratorExit")

    def _find_callers(self) -> Iterator[int]:
        """Yield the number of each state's calling frame, -1 below the oldest.

        The caller's last event lies before the callee's call, at the depth above it.
        """
        at_depth: dict[int, int] = {}
        for state, frame in zip(self.trace.states, self._frames, strict=True):
            depth = len(state.stack)
            at_depth[depth] = frame
            yield at_depth.get(depth - 1, -1)


def _number_by_depth(states: tuple[State, ...]) -> Iterator[int]:
    """Yield activation numbers for a trace that has none: a call begins a new one.

    A resumed generator gets a new number too, which is wrong for it and the reason why traces
    carry their own.
    """
    number, living = -1, dict[int, int]()
    for state in states:
        depth = len(state.stack)
        if state.event is Event.CALL or depth not in living:
            number += 1
            living[depth] = number
        yield living[depth]
