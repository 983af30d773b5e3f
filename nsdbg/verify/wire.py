"""Goals and starts into JSON for the child, and its results back into Observations.

Trusts nothing that comes back: what is not of the agreed form is a run that died.  The form is
described in `child/report.py`, `child/states.py` and `child/recording.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from nsdbg.claim import (
    Call,
    Ending,
    FileCoverage,
    Goal,
    Hit,
    Middle,
    Observation,
    Raised,
    Script,
    Site,
    Start,
)
from nsdbg.state import Event, Frame, State, Trace, Value

Json = Any  # what `json.loads` gives: checked by taking it apart
PossibleLines = Callable[[str], tuple[int, ...]]

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


def encode_start(start: Start) -> list[Json]:
    """Return a start as the child reads it."""
    match start:
        case Call(arguments, imports):
            return ["call", arguments, imports]
        case Script(argv, stdin):
            return ["script", argv, stdin]
        case Middle(state):
            return ["middle", _encode_state(state)]


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


def decode_result(result: Json, possible: PossibleLines) -> Observation:
    """Return what the child tells of a run; garbage is a run that died."""
    try:
        return _observation(result, possible)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        return died(f"the child sent a result that cannot be read: {error!r}")


def covered_files(result: Json) -> list[str]:
    """Return the files of which a result has coverage; none when it cannot be read."""
    try:
        return [str(file) for file, _, _ in result.get("g", ())]
    except (AttributeError, TypeError, ValueError):
        return []


def _observation(result: Json, possible: PossibleLines) -> Observation:
    get = result.get
    value, near, distance = get("v"), get("n"), get("d")
    return Observation(
        _ENDINGS[result["e"]],
        float(result["s"]),
        value=value and _value(value),
        raised=_raised(result["r"]) if "r" in result else None,
        hits=tuple(_hit(hit) for hit in get("h", ())),
        near=near and _hit(near),
        visits=int(get("c", 0)),
        distance=None if distance is None else float(distance),
        path=_path(result["p"]) if "p" in result else (),
        coverage=tuple(
            FileCoverage(str(file), _numbers(lines), _arcs(flat), possible(file))
            for file, lines, flat in get("g", ())
        ),
        output=_text(get("o", "")),
        blocked=tuple(_text(text) for text in get("b", ())),
        detail=_text(get("m", "")),
        trace=_trace(result["t"]) if "t" in result else None,
    )


def _text(value: Json) -> str:
    if not isinstance(value, str):
        raise TypeError(f"a text expected, not {value!r:.80}")
    return value


def _numbers(values: Json) -> tuple[int, ...]:
    if not all(type(value) is int for value in values):
        raise TypeError("line numbers expected")
    return tuple(values)


def _arcs(flat: Json) -> tuple[tuple[int, int], ...]:
    numbers = _numbers(flat)
    return tuple(zip(numbers[::2], numbers[1::2], strict=True))


def _value(snapshot: Json) -> Value:
    text, kind, literal, truncated = snapshot
    return Value(_text(text), _text(kind), literal is True, truncated is True)


def _raised(raised: Json) -> Raised:
    kind, message, sites = raised
    found = tuple(Site(_text(file), int(line), _text(name)) for file, name, line in sites)
    return Raised(_text(kind), _text(message), found)


def _hit(hit: Json) -> Hit:
    state, where = hit
    return Hit(_state(state), tuple(truth if truth is None else truth is True for truth in where))


def _state(state: Json) -> State:
    stack = tuple(
        Frame(_text(file), int(line), _text(name), None if found is None else _locals(found))
        for file, line, name, found in state["f"]
    )
    arg = state["a"]
    return State(_EVENTS[state["e"]], stack, arg and _value(arg), _text(state["o"]))


def _locals(found: Json) -> tuple[tuple[str, Value], ...]:
    return tuple((_text(name), _value(snapshot)) for name, *snapshot in found)


def _path(path: Json) -> tuple[Site, ...]:
    table, steps = path
    known: dict[tuple[int, int], Site] = {}
    sites = []
    for key in zip(steps[::2], steps[1::2], strict=True):
        site = known.get(key)
        if site is None:
            file, name = table[key[0]]
            site = known[key] = Site(_text(file), int(key[1]), _text(name))
        sites.append(site)
    return tuple(sites)


def _trace(trace: Json) -> Trace:
    values = [_value(value) for value in trace["values"]]
    codes = [(_text(file), _text(name)) for file, name in trace["codes"]]
    states = tuple(_recorded(state, codes, values) for state in trace["states"])
    return Trace(states, trace["complete"] is True)


def _recorded(state: Json, codes: Sequence[tuple[str, str]], values: Sequence[Value]) -> State:
    event, stack, names, arg, output = state
    places = list(zip(stack[::2], stack[1::2], strict=True))
    found = tuple(
        (_text(name), values[at]) for name, at in zip(names[::2], names[1::2], strict=True)
    )
    frames = [Frame(codes[code][0], int(line), codes[code][1]) for code, line in places[:-1]]
    code, line = places[-1]
    frames.append(Frame(codes[code][0], int(line), codes[code][1], found))
    arg_value = None if arg is None else values[arg]
    return State(_EVENTS[event], tuple(frames), arg_value, _text(output))
