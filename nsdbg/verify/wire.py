"""Goals and starts into JSON for the child, and its results back into Observations.

Trusts nothing that comes back: what is not of the agreed form is a run that died.  The form is
described in `child/report.py`, `child/states.py` and `child/recording.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from typing import Any

from nsdbg.claim import (
    Call,
    Ending,
    FileCoverage,
    Goal,
    Hit,
    Middle,
    Miss,
    Observation,
    Raised,
    Script,
    Site,
    Start,
)
from nsdbg.state import Event, Frame, State, Trace, Value

Json = Any  # what `json.loads` gives: checked by taking it apart
# Longer texts are not worth keeping for the next run.
_SHARED_CHARS = 200

# What taking garbage apart may raise: `json` reads deep nesting, and `1e999`, without a word.
UNREADABLE = (
    ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError,
)  # fmt: skip

_ENDINGS = {ending.value: ending for ending in Ending}
_EVENTS = {event.value: event for event in Event}


def encode_goal(goal: Goal) -> dict[str, Json]:
    """Return a goal as the child reads it."""
    entry, exception = goal.entry, goal.exception
    claim = exception and {
        "type": exception.type,
        "message": exception.message,
        "prefix": exception.message_prefix,
    }
    return {
        "entry": {"file": entry.file, "qualname": entry.qualname, "root": entry.root},
        "event": goal.event.value,
        "chain": [[site.file, site.lineno, site.function] for site in goal.chain],
        "locals": goal.locals,
        "where": goal.where,
        "value": goal.value,
        "exception": claim,
        "exact": goal.exact_chain,
    }


def encode_start(start: Start, way: str | None = None) -> list[Json]:
    """Return a start as the child reads it; `way`: how a state is come to before (`rehearsal`)."""
    match start:
        case Call(arguments, imports, of_state):
            return ["call", arguments, imports, of_state]
        case Script(argv, stdin):
            return ["script", argv, stdin]
        case Middle(state, remaining, shared):
            return ["middle", _encode_state(state), remaining, shared, way]


def _encode_state(state: State) -> dict[str, Json]:
    frames = [
        [frame.file, frame.lineno, frame.function, _encode_locals(frame)] for frame in state.stack
    ]
    arg = state.arg and [state.arg.repr, state.arg.type, state.arg.literal, state.arg.truncated]
    return {"e": state.event.value, "f": frames, "a": arg, "o": state.output}


def _encode_locals(frame: Frame) -> list[Json] | None:
    if frame.locals is None:
        return None
    return [
        [name, value.repr, value.type, value.literal, value.truncated]
        for name, value in frame.locals
    ]


def died(detail: str, ending: Ending = Ending.DIED) -> Observation:
    """Return the observation of a run of which nothing is known."""
    return Observation(ending, 0.0, detail=detail)


def covered_files(result: Json) -> list[str]:
    """Return the files of which a result has coverage; none when it cannot be read."""
    try:
        return [str(file) for file, _, _ in result.get("g", ())]
    except UNREADABLE:
        return []


class Decoder:
    """Reads the results of one batch.

    Runs of one function show the same values, lines and arcs again and again; those that were
    made before are shared, which is most of a decoder's speed.
    """

    def __init__(self, possible: Mapping[str, tuple[int, ...]]) -> None:
        self._possible = possible
        self._values: dict[tuple[Json, ...], Value] = {}
        self._covered: dict[Json, FileCoverage] = {}
        self._sites: dict[tuple[str, int, str], Site] = {}

    def result(self, result: Json) -> Observation:
        """Return what the child tells of a run; garbage is a run that died."""
        try:
            return self._observation(result)
        except UNREADABLE as error:
            return died(f"the child sent a result that cannot be read: {error!r:.500}")

    def _observation(self, result: Json) -> Observation:
        get = result.get
        value, near, distance = get("v"), get("n"), get("d")
        return Observation(
            _ENDINGS[result["e"]],
            _amount(result["s"]),
            self._value(value) if value else None,
            self._raised(result["r"]) if "r" in result else None,
            tuple([self._hit(hit) for hit in get("h", ())]),
            self._hit(near) if near else None,
            int(get("c", 0)),
            None if distance is None else _amount(distance),
            self._path(result["p"]) if "p" in result else (),
            tuple([self._coverage(*covered) for covered in get("g", ())]),
            _text(get("o", "")),
            tuple([_text(text) for text in get("b", ())]),
            _text(get("m", "")),
            self._trace(result["t"]) if "t" in result else None,
            tuple([Miss(*map(_text, miss)) for miss in get("x", ())]),
            _number(result["q"]) if "q" in result else None,
        )

    def _value(self, snapshot: Json) -> Value:
        key = tuple(snapshot)
        value = self._values.get(key)
        if value is None:
            text, kind, literal, truncated = key
            value = Value(_text(text), _text(kind), literal is True, truncated is True)
            if len(text) <= _SHARED_CHARS:
                self._values[key] = value
        return value

    def _site(self, file: Json, line: Json, name: Json) -> Site:
        key = (file, line, name)
        site = self._sites.get(key)
        if site is None:
            site = self._sites[key] = Site(_text(file), _number(line), _text(name))
        return site

    def _coverage(self, file: Json, lines: Json, flat: Json) -> FileCoverage:
        key = (file, tuple(lines), tuple(flat))
        covered = self._covered.get(key)
        if covered is None:
            arcs = _numbers(flat)
            covered = self._covered[key] = FileCoverage(
                _text(file),
                _numbers(lines),
                tuple(zip(arcs[::2], arcs[1::2], strict=True)),
                self._possible.get(file, ()),
            )
        return covered

    def _path(self, path: Json) -> tuple[Site, ...]:
        table, steps = path
        site = self._site
        return tuple(
            [
                site(table[code][0], line, table[code][1])
                for code, line in zip(steps[::2], steps[1::2], strict=True)
            ]
        )

    def _raised(self, raised: Json) -> Raised:
        kind, message, sites = raised
        found = tuple([self._site(file, line, name) for file, name, line in sites])
        return Raised(_text(kind), _text(message), found)

    def _hit(self, hit: Json) -> Hit:
        state, where = hit
        return Hit(
            self._state(state), tuple([None if truth is None else truth is True for truth in where])
        )

    def _state(self, state: Json) -> State:
        stack = tuple([self._frame(*frame) for frame in state["f"]])
        arg = state["a"]
        value = self._value(arg) if arg else None
        return State(_EVENTS[state["e"]], stack, value, _text(state["o"]))

    def _frame(self, file: Json, line: Json, name: Json, found: Json) -> Frame:
        names = None
        if found is not None:
            names = tuple([(_text(local[0]), self._value(local[1:])) for local in found])
        return Frame(_text(file), _number(line), _text(name), names)

    def _trace(self, trace: Json) -> Trace:
        values = [self._value(value) for value in trace["values"]]
        codes = [(_text(file), _text(name)) for file, name in trace["codes"]]
        return Trace(
            tuple([_recorded(state, codes, values) for state in trace["states"]]),
            trace["complete"] is True,
            _numbers(state[5] for state in trace["states"]),
            frozenset(_numbers(trace["generators"])),
            frozenset(_numbers(trace["internal"])),
        )


def _recorded(state: Json, codes: Sequence[tuple[str, str]], values: Sequence[Value]) -> State:
    event, stack, names, arg, output, _ = state
    places = list(zip(stack[::2], stack[1::2], strict=True))
    found = tuple(
        [(_text(name), values[at]) for name, at in zip(names[::2], names[1::2], strict=True)]
    )
    frames = [Frame(codes[code][0], _number(line), codes[code][1]) for code, line in places[:-1]]
    code, line = places[-1]
    frames.append(Frame(codes[code][0], _number(line), codes[code][1], found))
    arg_value = None if arg is None else values[arg]
    return State(_EVENTS[event], tuple(frames), arg_value, _text(output))


def _text(value: Json) -> str:
    if type(value) is not str:
        raise TypeError(f"a text expected, not {value!r:.80}")
    return value


def _amount(value: Json) -> float:
    amount = float(value)
    if not isfinite(amount):  # NaN is neither less nor more than any other, and JSON has none
        raise ValueError(f"a finite number expected, not {amount}")
    return amount


def _number(value: Json) -> int:
    if type(value) is not int:
        raise TypeError(f"a whole number expected, not {value!r:.80}")
    return value


def _numbers(values: Iterable[Json]) -> tuple[int, ...]:
    return tuple([_number(value) for value in values])
