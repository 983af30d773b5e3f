"""Surprise: how unlikely the network finds a value that was seen, beside what it expected there.

A hint about a crash, never a verdict: networks are surprised by much that is right.
"""

from __future__ import annotations

from dataclasses import dataclass

from nsdbg.propose.codec import values
from nsdbg.propose.codec.situation import Situation
from nsdbg.propose.codec.view import View
from nsdbg.propose.neural.engine import Engine
from nsdbg.state import Value


@dataclass(frozen=True, slots=True)
class Surprise:
    """A local's value against the one that the network expected.

    `nats` is how much less likely the seen value is than the expected one: 0 when it is that one.
    """

    name: str
    seen: Value
    expected: Value | None
    nats: float


@dataclass(frozen=True, slots=True)
class Guess:
    """A value that the network proposes where none was seen, with its logp in nats."""

    value: Value
    logp: float


def surprise(engine: Engine, view: View, situation: Situation, name: str) -> Surprise | None:
    """Return how surprising a local of the innermost frame is; None when it cannot be told."""
    seen = situation.state.frame.local(name)
    spelt = None if seen is None else values.spell(view, seen)
    if seen is None or spelt is None:
        return None
    prompt = values.prompt(view, situation, name)
    logp = engine.score(prompt, spelt)
    if not logp:
        return None
    [answer] = engine.greedy([prompt], values.LONGEST)
    expected = values.read(view, situation, answer.ids)
    if expected == seen:
        return Surprise(name, seen, expected, 0.0)
    return Surprise(name, seen, expected, max(0.0, answer.logp - sum(logp)))


def guesses(
    engine: Engine, view: View, situation: Situation, name: str, count: int, seed: int = 0
) -> list[Guess]:
    """Return up to `count` different values that a local could have, the likeliest first."""
    prompt = values.prompt(view, situation, name)
    [answers] = engine.sample([prompt], count, seed, 1.0, values.LONGEST)
    found: dict[Value, Guess] = {}
    for answer in answers:
        value = values.read(view, situation, answer.ids)
        if value is not None and not value.truncated:
            found.setdefault(value, Guess(value, answer.logp))
    return sorted(found.values(), key=lambda one: -one.logp)
