"""What is told of a run, as the wire has it: one short dict, with what is empty left out.

`e` ending, `s` seconds, `v` value, `r` raised `[type, message, sites]`, `h` hits and `n` the near
visit as `[state, where]`, `c` visits, `d` distance, `p` path `[[[file, function]], [code, line,
...]]`, `g` coverage `[[file, lines, [from, to, ...]]]`, `o` output, `b` blocked, `m` detail, `t`
trace, `x` misses `[operator, left, right]`, `q` drawn.
"""

import os
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Tuple

from .paths import real_path
from .states import MAX_NEAR_CHARS, Place, code_name, counts, message_of
from .tracer import Tracer
from .values import MAX_CHARS, printed_type, snapshot

if TYPE_CHECKING:
    from .run import Runs

MAX_SITES = 400
_OURS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "")


class Outcome:
    """How one run ended; filled in while it goes on.

    `result` is what `describe` returns of it, where that was asked for at once.
    """

    __slots__ = ("detail", "drawn", "ending", "error", "result", "seconds", "value")

    def __init__(self) -> None:
        self.ending = "died"
        self.value: Any = None
        self.error: Optional[BaseException] = None
        self.detail = ""
        self.seconds = 0.0
        self.drawn: Optional[int] = None
        self.result: Dict[str, Any] = {}


def describe(runs: "Runs", outcome: Outcome) -> Dict[str, Any]:
    """Return the result of a run for the wire."""
    result: Dict[str, Any] = {"e": outcome.ending, "s": round(outcome.seconds, 6)}
    watch = runs.watch
    if outcome.error is not None and outcome.ending == "raised":
        watch.finish_raised(outcome.error, own_places(outcome.error, runs.own))
        result["r"] = _raised(outcome.error, runs.own)
    elif outcome.ending in ("returned", "cut"):
        if outcome.ending == "returned":
            watch.finish_value(outcome.value)
        # In a batch, a value that is not wanted is told for its kind only.
        wanted = runs.deep or watch.hits
        result["v"] = snapshot(outcome.value, MAX_CHARS if wanted else MAX_NEAR_CHARS)
    if runs.traces:
        runs.tracer.finish()
        _add_traced(result, runs.tracer)
        _add_visits(result, runs)
        if runs.tracer.let_go and not watch.hits and outcome.ending != "timed-out":
            result["e"], outcome.detail = "cut", "a recursion too deep to be traced to its end"
    output = runs.streams.take()
    if runs.recording is not None:
        result["t"] = runs.recording.wire()
        output = "".join([*runs.recording.output, output])
    if output:
        result["o"] = output
    if outcome.drawn is not None:
        result["q"] = outcome.drawn
    if outcome.detail:
        result["m"] = outcome.detail[:4096]
    if runs.blocks.seen:
        result["b"] = list(runs.blocks.seen)
        result["e"] = "blocked"
    return result


def _add_visits(result: Dict[str, Any], runs: "Runs") -> None:
    watch = runs.watch
    if watch.hits:
        result["h"] = watch.hits
        result["d"] = 0.0
    elif watch.near is not None:
        result["n"] = watch.near
    if watch.visits:
        result["c"] = watch.visits


def _add_traced(result: Dict[str, Any], tracer: Tracer) -> None:
    codes: Dict[int, int] = {}
    table: List[Tuple[str, str]] = []
    steps: List[int] = []
    for code, line in tracer.path:
        place = codes.get(id(code))
        if place is None:
            place = codes[id(code)] = len(table)
            table.append(code_name(code))
        steps += (place, line)
    if steps:
        result["p"] = [table, steps]
    covered = []
    for file, (lines, arcs) in tracer.covered.items():
        flat: List[int] = []
        for arc in sorted(arcs):
            flat += arc
        covered.append([real_path(file), sorted(lines), flat])
    if covered:
        result["g"] = covered


def _places(error: BaseException) -> List[Place]:
    """Return the frames of a traceback without ours, oldest first."""
    found = []
    trace = error.__traceback__
    while trace is not None:
        if not trace.tb_frame.f_code.co_filename.startswith(_OURS):
            found.append((trace.tb_frame, trace.tb_lineno))
        trace = trace.tb_next
    return found


def own_places(error: BaseException, own: Callable[[str], bool]) -> List[Place]:
    """Return the frames of a traceback that are links of a chain, oldest first."""
    return [place for place in _places(error) if counts(place[0].f_code, own)]


def _raised(error: BaseException, own: Callable[[str], bool]) -> List[Any]:
    places = _places(error)
    # An event loop's frames lie above the entry's; what is asked for begins with the entry.
    first = next((at for at, place in enumerate(places) if own(place[0].f_code.co_filename)), 0)
    places = places[first:]
    if len(places) > MAX_SITES:
        places = places[: MAX_SITES // 2] + places[-MAX_SITES // 2 :]
    sites = [[*code_name(frame.f_code), line] for frame, line in places]
    return [printed_type(type(error)), message_of(error), sites]
