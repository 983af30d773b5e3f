"""The calls tried so far that are worth building on, by their distance to the goal.

Keeps the nearest, and one of each way of failing.  Told distances only; runs nothing.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

Arguments = tuple[Any, ...]
_ELITES = 40
_NOVEL = 24


@dataclass(slots=True)
class Tried:
    """A call and what became of it; `way` names how it failed, for novelty."""

    arguments: Arguments
    distance: float
    way: str
    size: int
    misses: tuple[Any, ...] = ()
    tries: int = 0


@dataclass(slots=True)
class Pool:
    """The nearest calls, nearest first, and the nearest of each way of failing."""

    elites: list[Tried] = field(default_factory=list)
    ways: dict[str, Tried] = field(default_factory=dict)

    def add(self, tried: Tried) -> bool:
        """Keep a call if it deserves it; tell whether it is the nearest of all."""
        nearest = not self.elites or tried.distance < self.elites[0].distance
        known = self.ways.get(tried.way)
        if known is None or tried.distance < known.distance:
            self.ways[tried.way] = tried
            if len(self.ways) > _NOVEL:
                worst = max(self.ways, key=lambda way: self.ways[way].distance)
                del self.ways[worst]
        if len(self.elites) < _ELITES or tried.distance <= self.elites[-1].distance:
            self.elites.append(tried)
            # Of equally near ones the newer comes first, so that a plateau is wandered over.
            order = {id(one): -index for index, one in enumerate(self.elites)}
            self.elites.sort(key=lambda one: (one.distance, one.size // 64, order[id(one)]))
            del self.elites[_ELITES:]
        return nearest

    @property
    def best(self) -> Tried | None:
        """The nearest call."""
        return self.elites[0] if self.elites else None

    def choose(self, rng: random.Random) -> Tried | None:
        """Return one of the kept calls, the nearer and the less tried ones more often."""
        if not self.elites:
            return None
        if self.ways and rng.random() < 0.25:
            chosen = rng.choice(list(self.ways.values()))
        else:
            chosen = self.elites[int(len(self.elites) * rng.random() ** 2.5)]
        chosen.tries += 1
        return chosen
