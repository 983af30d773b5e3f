"""Both trees of a trace by the indexes of its states: where commands lead, and whence.

What `nsdbg.verify.walk.Walk` answers for one state, for all states in one pass from the end.  Nodes
are indexes and activations, never values: equal states are different nodes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nsdbg.state import Event, Trace

NOWHERE = -1
_ENDS = ("StopIteration", "GeneratorExit")


@dataclass(frozen=True, slots=True)
class Trees:
    """For each state, by its index: the state at which a command stops, NOWHERE where it does not.

    `inverse_step` and `inverse_next` are the states from which the command leads here; there may be
    several: a line that calls, and the return of what it called.
    """

    step: tuple[int, ...]
    next: tuple[int, ...]
    returning: tuple[int, ...]
    inverse_step: tuple[tuple[int, ...], ...]
    inverse_next: tuple[tuple[int, ...], ...]
    depth: tuple[int, ...]


def trees(trace: Trace) -> Trees:
    """Return the trees of a trace, which has activation numbers."""
    ahead = _Ahead(trace)
    callers = _callers(trace)
    rows = [ahead.behind(index, callers[index]) for index in range(len(trace.states))[::-1]][::-1]
    step, following, returning = zip(*rows, strict=True) if rows else ((), (), ())
    depth = tuple(len(state.stack) for state in trace.states)
    return Trees(step, following, returning, _inverse(step), _inverse(following), depth)


def _callers(trace: Trace) -> list[int]:
    """Return the activation that called each state's own; -1 below the oldest."""
    at_depth: dict[int, int] = {}
    found = []
    for state, activation in zip(trace.states, trace.activations, strict=True):
        at_depth[len(state.stack)] = activation
        found.append(at_depth.get(len(state.stack) - 1, -1))
    return found


def _inverse(successors: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    found: list[list[int]] = [[] for _ in successors]
    for index, later in enumerate(successors):
        if later != NOWHERE:
            found[later].append(index)
    return tuple(map(tuple, found))


class _Ahead:
    """What lies behind an index that moves from the trace's end to its beginning."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._any = NOWHERE  # the nearest state at which `step` stops
        self._stops: dict[int, int] = {}  # by activation: the nearest state where `next` stops
        self._leaves: dict[int, int] = {}  # by activation: its nearest return
        # By activation: its nearest end of an iteration; only of those entered already, since bdb
        # does not trace what is entered after the command.
        self._ends: dict[int, int] = {}
        self._entered: dict[int, int] = {}
        for index, activation in enumerate(trace.activations):
            self._entered.setdefault(activation, index)

    def behind(self, index: int, caller: int) -> tuple[int, int, int]:
        """Return where step, next and return stop, given at a state; then move there."""
        activation = self._trace.activations[index]
        step = self._any
        following = self._next_of(activation)
        if self._trace.states[index].event is Event.RETURN:
            following = step
        if activation in self._trace.generators:
            returning = self._end_outside(activation)
        else:
            leaves = self._leaves.get(activation, NOWHERE)
            returning = _nearest(leaves, self._next_of(caller))
        self._add(index, activation)
        return step, following, returning

    def _next_of(self, activation: int) -> int:
        own = self._stops.get(activation, NOWHERE)
        if activation not in self._trace.generators:
            return own
        # bdb stops where a StopIteration passes a consumer of the generator.
        return _nearest(own, self._end_outside(activation))

    def _end_outside(self, activation: int) -> int:
        others = (index for other, index in self._ends.items() if other != activation)
        return min(others, default=NOWHERE)

    def _add(self, index: int, activation: int) -> None:
        state = self._trace.states[index]
        generator = activation in self._trace.generators
        name = state.arg.type if state.arg is not None else ""
        stops = not generator
        if state.event is Event.EXCEPTION:
            stops = not (generator and index in self._trace.internal and name == "StopIteration")
            if name in _ENDS:
                self._ends[activation] = index
        if state.event is Event.LINE:
            stops = True
        if stops or state.event is not Event.EXCEPTION:
            self._any = index
        if stops:
            self._stops[activation] = index
        if state.event is Event.RETURN:
            self._leaves[activation] = index
        if self._entered[activation] == index:
            self._ends.pop(activation, None)


def _nearest(one: int, other: int) -> int:
    if NOWHERE in (one, other):
        return max(one, other)
    return min(one, other)
