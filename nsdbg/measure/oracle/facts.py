"""What the oracle found of a program: recorded calls as data, and where commands led.

Nothing here is a claim: all of it was seen under plain `bdb`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nsdbg.claim import Call, Raised, Site
from nsdbg.state import Event, Frame, State, Trace, Value

Wire = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Stop:
    """One event of a run, and the state there; the stack begins at the call's own first frame.

    `opaque` names the locals for which no text stands, and `opaque_arg` says it of the argument:
    an object's `repr` may look like a literal.  `heard`: bdb stops there when it steps.
    `activation`, `generator` and `internal` are as in `Trace`; `operation` is the instruction.
    `inside` says of where a command led that the frame in which it was given is still there.
    """

    state: State
    opaque: frozenset[str] = frozenset()
    opaque_arg: bool = False
    activation: int = 0
    generator: bool = False
    internal: bool = False
    heard: bool = True
    operation: int = 0
    inside: bool = True


@dataclass(frozen=True, slots=True)
class Ran:
    """One call as it went; `why` says why nothing of it is known, and is empty otherwise.

    A coroutine's `value` is what it was awaited for, a generator's the list of its items.
    `complete` is False when the run has more events than are kept.
    """

    entry: str
    call: Call
    stops: tuple[Stop, ...] = ()
    value: Value | None = None
    raised: Raised | None = None
    complete: bool = True
    why: str = ""

    def trace(self) -> Trace:
        """Return the run as a trace, for a walk."""
        stops = self.stops
        return Trace(
            tuple(stop.state for stop in stops),
            self.complete,
            tuple(stop.activation for stop in stops),
            frozenset(stop.activation for stop in stops if stop.generator),
            frozenset(index for index, stop in enumerate(stops) if stop.internal),
        )


@dataclass(frozen=True, slots=True)
class Facts:
    """The recorded calls of one program; `why` says why there are none."""

    file: str
    runs: tuple[Ran, ...]
    why: str = ""


@dataclass(frozen=True, slots=True)
class Lead:
    """Where commands led, one after the other, from a stop: the stops, as far as there were any."""

    start: Stop | None
    ends: tuple[Stop, ...]
    why: str = ""


def stop_from(wire: Wire) -> Stop:
    """Read one event as the worker tells it."""
    frames = [Frame(file, lineno, function) for file, lineno, function in wire["s"]]
    names = tuple((name, _value(told)) for name, *told in wire["l"])
    last = frames[-1]
    frames[-1] = Frame(last.file, last.lineno, last.function, names)
    arg = None if wire["a"] is None else _value(wire["a"])
    return Stop(
        State(Event(wire["e"]), tuple(frames), arg, wire["o"]),
        frozenset(name for name, _, _, is_exact, _, _ in wire["l"] if not is_exact),
        wire["a"] is not None and not wire["a"][2],
        wire.get("n", 0),
        wire.get("g", False),
        wire.get("i", False),
        wire.get("heard", True),
        wire["q"],
        wire.get("inside", True),
    )


def ran_from(entry: str, call: Call, wire: Wire) -> Ran:
    """Read a recorded call as the worker tells it."""
    if "why" in wire:
        return Ran(entry, call, why=wire["why"])
    raised = None
    if wire["raised"] is not None:
        kind, message, sites = wire["raised"]
        raised = Raised(kind, message, tuple(Site(*site) for site in sites))
    value = None if wire["value"] is None else _value(wire["value"])
    stops = tuple(map(stop_from, wire["events"]))
    return Ran(entry, call, stops, value, raised, wire["complete"])


def lead_from(wire: Wire) -> Lead:
    """Read where commands led as the worker tells it."""
    if "why" in wire:
        return Lead(None, (), wire["why"])
    start = None if wire["start"] is None else stop_from(wire["start"])
    return Lead(start, tuple(map(stop_from, wire["ends"])))


def _value(told: list[Any]) -> Value:
    text, kind, _, literal, cut = told
    return Value(text, kind, literal, cut)
