"""Episodes: recorded activations of functions, with the source that they ran, as lines of JSON.

The row of the trace corpus.  Knows neither how episodes are recorded (`model/trace`) nor what a
network makes of them.  A state of the line holds the locals of its innermost frame alone, as
changes (`deltas`); an outer frame's locals are those of the last state of its activation.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from nsdbg.deltas import lengthen, shorten
from nsdbg.errors import EpisodeError
from nsdbg.state import Event, Frame, State, Trace, Value

SCHEMA = "nsdbg.episode/1"
MOST_STATES = 400
MOST_CHARS = 400

Locals = tuple[tuple[str, Value], ...] | None
_EVENTS = {event.value: event for event in Event}
# What taking a line apart may raise.
_UNREADABLE = (AttributeError, LookupError, RecursionError, TypeError, ValueError)


@dataclass(frozen=True, slots=True)
class Listing:
    """A function's source: `text` as in the file, from line `lineno` on, decorators included.

    `file` is a short label, the same as in the frames.
    """

    file: str
    qualname: str
    lineno: int
    text: str

    @property
    def end_lineno(self) -> int:
        """The last line of the text, counted as in the file."""
        return self.lineno + self.text.count("\n")

    def covers(self, frame: Frame) -> bool:
        """Tell whether a frame stands in this text."""
        return frame.file == self.file and self.lineno <= frame.lineno <= self.end_lineno


@dataclass(frozen=True, slots=True)
class Episode:
    """One activation of a function from its call on, with every state in the listed functions.

    `source` is "generated", "functions", "doctest" or "pytest".  `function` is the root's
    qualified name.  `listings`: the functions that have frames, none within another.  `names`: the
    module's globals that they name and whose values are literals, as text.  `trace`: every state
    has activation numbers; it is not complete where the recording was cut.
    """

    id: str
    source: str
    package: str
    function: str
    licence: str
    python: str
    listings: tuple[Listing, ...]
    names: tuple[tuple[str, str], ...]
    trace: Trace

    def __post_init__(self) -> None:
        states = self.trace.states
        if not states or states[0].event is not Event.CALL:
            raise ValueError(f"episode {self.id} does not begin with a call")
        if not self.trace.activations:
            raise ValueError(f"episode {self.id} has no activation numbers")

    @property
    def arguments(self) -> tuple[tuple[str, Value], ...]:
        """The arguments of the root's call."""
        return self.trace.states[0].frame.locals or ()

    def listing(self, frame: Frame) -> Listing | None:
        """Return the text in which a frame stands."""
        return next((listing for listing in self.listings if listing.covers(frame)), None)


def episode_json(episode: Episode) -> str:
    """Return an episode as one line of JSON."""
    trace = episode.trace
    values, codes = _Table(), _Table()
    states = [
        _flat(state, number, codes, values)
        for state, number in zip(trace.states, trace.activations, strict=True)
    ]
    row = {
        "schema": SCHEMA,
        "id": episode.id,
        "source": episode.source,
        "package": episode.package,
        "function": episode.function,
        "licence": episode.licence,
        "python": episode.python,
        "listings": [[one.file, one.qualname, one.lineno, one.text] for one in episode.listings],
        "names": episode.names,
        "codes": codes.entries,
        "values": values.entries,
        "states": shorten(states),
        "complete": trace.complete,
        "generators": sorted(trace.generators),
        "internal": sorted(trace.internal),
    }
    return json.dumps(row, separators=(",", ":"))


class _Table:
    """Entries by their places, each once."""

    def __init__(self) -> None:
        self._places: dict[tuple[Any, ...], int] = {}

    @property
    def entries(self) -> list[tuple[Any, ...]]:
        return list(self._places)

    def place(self, entry: tuple[Any, ...]) -> int:
        return self._places.setdefault(entry, len(self._places))


def _flat(state: State, activation: int, codes: _Table, values: _Table) -> list[Any]:
    stack = []
    for frame in state.stack:
        stack += [codes.place((frame.file, frame.function)), frame.lineno]
    names: list[Any] = []
    for name, value in state.frame.locals or ():
        names += [name, values.place(_entry(value))]
    arg = None if state.arg is None else values.place(_entry(state.arg))
    return [state.event.value, stack, names, arg, state.output, activation]


def _entry(value: Value) -> tuple[Any, ...]:
    return (value.repr, value.type, int(value.literal), int(value.truncated))


def episode_from_json(text: str) -> Episode:
    """Return the episode that a line of JSON holds; raises EpisodeError for any other text."""
    try:
        row = json.loads(text)
        if row["schema"] != SCHEMA:
            raise EpisodeError(f"an episode of schema {row['schema']!r}: this reads {SCHEMA!r}")
        return Episode(
            id=_text(row["id"]),
            source=_text(row["source"]),
            package=_text(row["package"]),
            function=_text(row["function"]),
            licence=_text(row["licence"]),
            python=_text(row["python"]),
            listings=tuple([_listing(*listing) for listing in row["listings"]]),
            names=tuple([(_text(name), _text(value)) for name, value in row["names"]]),
            trace=_trace(row),
        )
    except _UNREADABLE as error:
        raise EpisodeError(f"a line that is no episode: {error!r:.200}: {text[:80]!r}") from error


def _listing(file: object, qualname: object, lineno: object, text: object) -> Listing:
    return Listing(_text(file), _text(qualname), _number(lineno), _text(text))


def _trace(row: dict[str, Any]) -> Trace:
    values = [Value(_text(text), _text(kind), literal == 1, truncated == 1)
              for text, kind, literal, truncated in row["values"]]  # fmt: skip
    codes = [(_text(file), _text(name)) for file, name in row["codes"]]
    states = lengthen(row["states"])
    return Trace(
        tuple(_full_states(states, codes, values)),
        row["complete"] is True,
        tuple(_number(state[5]) for state in states),
        frozenset(map(_number, row["generators"])),
        frozenset(map(_number, row["internal"])),
    )


def _full_states(
    states: Sequence[list[Any]], codes: Sequence[tuple[str, str]], values: Sequence[Value]
) -> Iterator[State]:
    """Yield the states with the locals of their outer frames."""
    outer: list[Locals] = []  # by depth: the locals in the last state there
    for event, stack, names, arg, output, _ in states:
        pairs = zip(names[::2], names[1::2], strict=True)
        now = tuple([(_text(name), values[_number(at)]) for name, at in pairs])
        depth = len(stack) // 2
        del outer[depth - 1 :]
        outer.append(now)
        yield State(
            _EVENTS[event],
            tuple(_frames(stack, codes, outer)),
            None if arg is None else values[_number(arg)],
            _text(output),
        )


def _frames(
    stack: Sequence[int], codes: Sequence[tuple[str, str]], found: Sequence[Locals]
) -> Iterator[Frame]:
    for code, line, names in zip(stack[::2], stack[1::2], found, strict=True):
        file, function = codes[_number(code)]
        yield Frame(file, _number(line), function, names)


def _text(value: object) -> str:
    if type(value) is not str:
        raise TypeError(f"a text expected, not {value!r:.80}")
    return value


def _number(value: object) -> int:
    if type(value) is not int:
        raise TypeError(f"a whole number expected, not {value!r:.80}")
    return value


def read_episodes(lines: Iterable[str]) -> Iterator[Episode]:
    """Yield the episodes of lines of JSON, blank lines apart; raises EpisodeError."""
    for line in lines:
        if line.strip():
            yield episode_from_json(line)
