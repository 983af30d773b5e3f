"""Debugging sessions of random commands: where a walk over the recorded run stops, and bdb.

The walk is `verify/`'s, the recorded run and bdb are the oracle's.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from nsdbg.measure.oracle.facts import Facts, Ran, Stop
from nsdbg.measure.oracle.oracle import Oracle
from nsdbg.state import Action, ActionKind, State
from nsdbg.verify.walk import Walk

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
_KINDS = tuple(ActionKind)
_WITH_LINE = (ActionKind.UNTIL, ActionKind.CONTINUE)


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A command that the walk and bdb take to different stops; None: they stop nowhere."""

    file: str
    entry: str
    at: int
    action: Action
    walk: Stop | None
    bdb: Stop | None

    def __str__(self) -> str:
        ends = [_place(stop) for stop in (self.walk, self.bdb)]
        return (
            f"{self.file}: {self.entry}, event {self.at}, {self.action}: "
            f"the walk stops at {ends[0]}, bdb at {ends[1]}"
        )


@dataclass(slots=True)
class Compared:
    """How many commands were compared, by kind, and what did not agree.

    `history` counts commands that led elsewhere only because of the commands before them: bdb does
    not look into frames that it was told to pass over.  `unsteady` counts sessions whose run was
    another one than was recorded.
    """

    commands: Counter[ActionKind] = field(default_factory=Counter)
    runs: int = 0
    states: int = 0
    history: int = 0
    unsteady: int = 0
    wrong: list[Disagreement] = field(default_factory=list)

    def add(self, other: Compared) -> None:
        """Add what was compared elsewhere."""
        self.commands += other.commands
        self.runs += other.runs
        self.states += other.states
        self.history += other.history
        self.unsteady += other.unsteady
        self.wrong += other.wrong


def compare(
    oracle: Oracle, facts: Facts, draw: Random, sessions: int | None, length: int = 8
) -> Compared:
    """Debug each recorded run: so many sessions of so many commands each, begun anywhere.

    With `sessions` None, one is begun at every stop.
    """
    found = Compared()
    for ran in facts.runs:
        if not ran.stops or not ran.complete:
            continue
        found.runs += 1
        found.states += len(ran.stops)
        walk = Walk(ran.trace())
        heard = [at for at, stop in enumerate(ran.stops) if stop.heard]
        starts = heard if sessions is None else draw.choices(heard, k=sessions)
        for at in starts:
            actions = [_command(draw, ran) for _ in range(length)]
            _debug(oracle, facts, ran, walk, at, actions, found)
    return found


def _command(draw: Random, ran: Ran) -> Action:
    kind = draw.choice(_KINDS)
    if kind not in _WITH_LINE:
        return Action(kind)
    return Action(kind, draw.choice(ran.stops).state.frame.lineno)


def _debug(
    oracle: Oracle, facts: Facts, ran: Ran, walk: Walk, at: int, actions: Sequence[Action],
    found: Compared,
) -> None:  # fmt: skip
    """Give commands one after the other, for as long as both stop at the same."""
    lead = oracle.lead(facts, ran, at, actions)
    if lead.start is None or not _is_same(lead.start, ran.stops[at]):
        found.unsteady += 1
        return
    for action, real in zip(actions, _ends(lead.ends), strict=False):
        found.commands[action.kind] += 1
        later = walk.after(at, action)
        if not _agree(ran, at, later, real):
            alone = oracle.lead(facts, ran, at, [action])
            single = alone.ends[0] if alone.ends else None
            if _agree(ran, at, later, single):
                found.history += 1
                return
            stop = None if later is None else ran.stops[later]
            found.wrong.append(Disagreement(facts.file, ran.entry, at, action, stop, single))
            return
        if later is None:
            return
        at = later


def _ends(ends: Sequence[Stop]) -> Iterator[Stop | None]:
    yield from ends
    yield None


def _agree(ran: Ran, at: int, later: int | None, real: Stop | None) -> bool:
    if later is None or real is None:
        return later is None and real is None
    printed = "".join(stop.state.output for stop in ran.stops[at + 1 : later + 1])
    return printed == real.state.output and _is_same(ran.stops[later], real)


def _is_same(one: Stop, other: Stop) -> bool:
    """Tell whether two stops are one, in all but what was printed since the one before."""
    same = (one.state.event, _argument(one), one.operation) == (
        other.state.event, _argument(other), other.operation
    )  # fmt: skip
    return same and (
        one.state.stack == other.state.stack or _frames(one.state) == _frames(other.state)
    )


def _argument(stop: Stop) -> str | None:
    return None if stop.state.arg is None else _ADDRESS.sub("", stop.state.arg.repr)


def _frames(state: State) -> list[tuple[object, ...]]:
    # `f_locals` lists names in the order in which it was told of them.
    return [
        (frame.file, frame.lineno, frame.function, sorted(frame.locals or (), key=repr))
        for frame in state.stack
    ]


def _place(stop: Stop | None) -> str:
    if stop is None:
        return "nothing"
    frame = stop.state.frame
    return f"{stop.state.event.value} {frame.function}:{frame.lineno}"
