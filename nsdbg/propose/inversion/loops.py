"""Loops undone turn by turn, from the last to the first, until what they gather is as it began.

The number of turns is not known: it follows from the accumulators, `[]`, `''` or `0` before the
loop.  Loops that gather nothing demanded are stepped over.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from nsdbg.propose.evaluate import same
from nsdbg.propose.inversion.constants import changed_names
from nsdbg.propose.inversion.elements import element_of, solve_source, target_names
from nsdbg.propose.inversion.expression import Solution

if TYPE_CHECKING:
    from nsdbg.propose.inversion.backward import Backward

_TURNS = 400
_BEAM = 3  # states of the loop followed at a time
_WAYS = 2  # ways back over one turn
_ENDINGS = 4


@dataclass(frozen=True, slots=True)
class Turn:
    """A state between two turns: what held, and the elements of the turns behind it, in order."""

    demand: Solution
    elements: tuple[Any, ...]


def undo_for(back: Backward, loop: ast.For, demand: Solution) -> Iterator[Solution]:
    """Yield what held before a `for` loop that ran to its end."""
    yield from _before(back, loop, demand, ())


def turns_before(back: Backward, loop: ast.For, demand: Solution) -> Iterator[Solution]:
    """Yield what held before a `for` loop, given what holds as one of its turns begins."""
    last = element_of(loop.target, demand.names, back.inverter)
    yield from _before(back, loop, demand.without(*target_names(loop.target)), (last,))


def _before(
    back: Backward, loop: ast.For, demand: Solution, last: tuple[Any, ...]
) -> Iterator[Solution]:
    known = back.constants.before(loop)
    for turn in islice(_peeled(back, loop, loop.target, Turn(demand, last)), _ENDINGS):
        rest = {name: value for name, value in turn.demand.names.items() if name not in known}
        if not turn.elements and not back.inverter.unknown_names(loop.iter, {**known, **rest}):
            yield turn.demand
            continue
        yield from solve_source(
            back.inverter, loop.iter, list(turn.elements), turn.demand, known, 1
        )


def _peeled(
    back: Backward, loop: ast.For | ast.While, target: ast.expr | None, start: Turn
) -> Iterator[Turn]:
    """Yield states before the first turn: those in which the accumulators are as they began."""
    changed = changed_names(loop)
    known = back.constants.before(loop)
    begun = {name: value for name, value in known.items() if name in changed}
    gathered = [name for name in start.demand.names if name in changed]
    open_ended = any(name not in begun for name in gathered)
    passed: list[Turn] = []
    states = [start]
    for _ in range(_TURNS):
        following: list[Turn] = []
        for state in states:
            if _as_begun(state.demand, begun, gathered):
                if not open_ended:
                    yield state
                passed.append(state)
            if gathered and back.inverter.effort > 0:
                following += islice(_turn_back(back, loop.body, target, state, gathered), _WAYS)
        states = _distinct(following)[:_BEAM]
        if not states:
            break
    if open_ended:  # no beginning is known: as many turns as there can be, else none, else some
        yield from passed[-1:]
        yield from passed[:-1]


def _distinct(turns: list[Turn]) -> list[Turn]:
    """Return the first of those turns that leave the same to be explained."""
    found: dict[str, Turn] = {}
    for turn in turns:
        found.setdefault(repr(turn.demand.names), turn)
    return list(found.values())


def _as_begun(demand: Solution, begun: dict[str, Any], gathered: list[str]) -> bool:
    return all(
        name not in demand.names or name not in begun or same(demand.names[name], begun[name])
        for name in gathered
    )


def _turn_back(
    back: Backward,
    body: list[ast.stmt],
    target: ast.expr | None,
    state: Turn,
    gathered: list[str],
) -> Iterator[Turn]:
    """Yield the states one turn earlier in which something that is gathered was less."""
    for found in back.over(body, state.demand):
        if found.lost > state.demand.lost:
            continue
        if not any(_differs(name, found, state.demand) for name in gathered):
            continue
        if target is None:
            yield Turn(found, ())
            continue
        element = element_of(target, found.names, back.inverter)
        rest = found.without(*target_names(target))
        yield Turn(rest, (element, *state.elements))


def _differs(name: str, one: Solution, other: Solution) -> bool:
    if name not in one.names or name not in other.names:
        return False
    return not same(one.names[name], other.names[name])


def undo_while(back: Backward, loop: ast.While, demand: Solution) -> Iterator[Solution]:
    """Yield what held before a `while` loop: no turn, or a few that changed what is demanded."""
    turns = _peeled(back, loop, None, Turn(demand, ()))
    for turn in islice(turns, _ENDINGS):
        yield turn.demand
