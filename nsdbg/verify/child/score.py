"""How far a run of the instrumented twin was from the goal: one number, 0.0 when it matched.

Smaller is nearer, within one goal.  Not a verdict: whether it matched is decided by `matching`.
"""

from typing import Any, Optional, Sequence, Tuple

from .distance import squash, text_gap, value_gap
from .meter import Meter
from .twin import Wish

# What each stage still to be reached costs: a frame of the chain, an ending of the wrong kind.
FRAME, ENDING = 8.0, 1000.0
# A failed check counts more than a wrong part of what is returned in the end.
CHECK = 3.0
# Exceptions that wrong types raise are farther than those of wrong values.
_TYPE_ERRORS = (TypeError, AttributeError, NameError, ImportError)


class Outcome(object):
    """How a run ended: `returned` with a value, or with an exception (None: neither of the two).

    `sites` are (file, lineno, function) of the traceback's frames in the project's own files,
    oldest first, the entry's included.
    """

    def __init__(
        self,
        returned: bool,
        value: Any = None,
        exception: Optional[BaseException] = None,
        sites: Sequence[Tuple[str, int, str]] = (),
    ) -> None:
        self.returned = returned
        self.value = value
        self.exception = exception
        self.sites = list(sites)


def score(wish: Wish, outcome: Outcome, meter: Meter, matched: bool) -> float:
    """Return how far a run was from the goal; positive unless `matched`."""
    if matched:
        return 0.0
    try:
        if wish.event == "exception":
            distance = _exception_score(wish, outcome, meter)
        elif wish.event == "return" and len(wish.chain) == 1:
            distance = _return_score(wish, outcome, meter)
        else:
            distance = _site_score(wish, meter)
    except Exception:
        # A value whose own methods raise has no distance; it is only known not to match.
        distance = 100.0
    return max(float(distance), 1e-9)


def _return_score(wish: Wish, outcome: Outcome, meter: Meter) -> float:
    distance = CHECK * meter.failed
    if meter.pending is not None:
        if meter.broken:
            return distance + ENDING / 2.0 + meter.partial
        return distance + _last_score(wish, meter)
    if not outcome.returned:
        return distance + ENDING + _raise_score(outcome, meter)
    if not wish.has_value:
        return distance + 1.0
    if isinstance(wish.value, bool) and isinstance(outcome.value, bool):
        return distance + _truth_score(wish, outcome.value, meter)
    # A constant is never nearer than another way out of the function would be.
    return distance + squash(value_gap(outcome.value, wish.value, True)) + meter.exit


def _truth_score(wish: Wish, value: Any, meter: Meter) -> float:
    """Return how far the returned condition is from the wanted truth."""
    returned = meter.returned
    if returned is None or returned[0] is not value:
        return 1.0
    return float(returned[1] if wish.value else returned[2])


def _last_score(wish: Wish, meter: Meter) -> float:
    if isinstance(wish.value, bool) and meter.returned is not None:
        return float(meter.returned[1] if wish.value else meter.returned[2])
    return 0.0


def _raise_score(outcome: Outcome, meter: Meter) -> float:
    """Return how bad an unwanted exception is: wrong types first, then how early it came."""
    passed = len(meter.passed) + sum(meter.passed.values()) / 1e3
    early = 1.0 / (1.0 + passed + len(meter.branches))
    # The turns of loops come first, and within a turn what the failed operation lacked.
    turns = 1.0 + meter.ticks
    early += 1.0 / (turns + 1.0) + (meter.lack or 1.0) * (1.0 / turns - 1.0 / (turns + 1.0))
    rank = 100.0 if isinstance(outcome.exception, _TYPE_ERRORS) else 0.0
    if outcome.exception is None:
        rank = 200.0
    return rank + early + meter.partial


def _site_score(wish: Wish, meter: Meter) -> float:
    """Return how far a run stayed from the chain's last site, or from the state wanted there."""
    reached = 0
    while reached < len(wish.chain) and _was_reached(wish, meter, reached):
        reached += 1
    left = len(wish.chain) - reached
    if left:
        return FRAME * left + _approach(wish, meter, reached)
    return meter.visits.get(len(wish.chain) - 1, 1.0)


def _was_reached(wish: Wish, meter: Meter, place: int) -> bool:
    if place in meter.visits:
        return True
    # A frame of which no line is known is reached with the next one.
    return wish.chain[place][1] is None and place < len(wish.chain) - 1


def _approach(wish: Wish, meter: Meter, place: int) -> float:
    """Return how many tests before a place went wrong, and by how much the first of them did."""
    guards = wish.guards.get(place, ())
    for passed, (site, taken) in enumerate(guards):
        nearest = meter.nearest.get(site)
        if nearest is None:
            return float(len(guards) - passed) + 0.5
        gap = nearest[0] if taken else nearest[1]
        if gap:
            return float(len(guards) - passed - 1) + squash(gap)
    return squash(meter.partial) or 0.5


def _exception_score(wish: Wish, outcome: Outcome, meter: Meter) -> float:
    """Return how many frames of the chain were not in the traceback, and how near the next is."""
    if outcome.exception is None:
        return 2.0 * FRAME + _site_score(wish, meter) + _spared_gap(wish, meter)
    shared = _shared_frames(wish, outcome.sites)
    left = len(wish.chain) - shared
    distance = 0.0
    if left:
        distance = FRAME + min(FRAME * left, _site_score(wish, meter))
    return distance + _exception_gap(wish, outcome.exception) + _spared_gap(wish, meter)


def _spared_gap(wish: Wish, meter: Meter) -> float:
    """Return how far an operation on the crash line stayed from raising what is wanted."""
    name = wish.exception[0].rpartition(".")[2] if wish.exception is not None else ""
    if name not in ("ZeroDivisionError", "IndexError"):
        return 0.0
    return min([meter.spared[site] for site in wish.crash_sites if site in meter.spared] or [0.0])


def _shared_frames(wish: Wish, sites: Sequence[Tuple[str, int, str]]) -> int:
    shared = 0
    for file, lineno, function in sites:
        if shared == len(wish.chain):
            break
        wanted = wish.chain[shared]
        if wanted[2] == function and wanted[1] in (None, lineno) and wanted[0] == file:
            shared += 1
    return shared


def _exception_gap(wish: Wish, exception: BaseException) -> float:
    if wish.exception is None:
        return 0.0
    name, message, prefix = wish.exception
    names = [kind.__name__ for kind in type(exception).__mro__]
    if names[0] != name.rpartition(".")[2]:
        return 2.0 if name.rpartition(".")[2] in names else 3.0
    if message is None:
        return 0.0
    seen = str(exception)
    return squash(text_gap(seen[: len(message)] if prefix else seen, message))
