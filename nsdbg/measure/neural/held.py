"""Episodes of held-out functions, made ready to be asked about.

Reads what a trace corpus holds; records nothing.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from nsdbg.episode import Episode
from nsdbg.propose.codec.situation import Situation
from nsdbg.propose.codec.track import situations, without_comprehensions
from nsdbg.propose.codec.view import View, literals
from nsdbg.verify.walk import Walk


class Run:
    """One episode as a view, situations and a walk; each is made when it is first needed."""

    def __init__(self, episode: Episode) -> None:
        self._episode = episode

    @cached_property
    def episode(self) -> Episode:
        """The episode without the frames that comprehensions had before Python 3.12."""
        return replace(self._episode, trace=without_comprehensions(self._episode.trace))

    @cached_property
    def view(self) -> View:
        """The source as the network sees it."""
        return View(self._episode.listings, literals(self._episode.names))

    @cached_property
    def situations(self) -> list[Situation]:
        """The states with how far their loops have come."""
        return situations(self.view, self.episode)

    @cached_property
    def walk(self) -> Walk:
        """The trace, prepared for commands."""
        return Walk(self.episode.trace)

    @property
    def name(self) -> tuple[str, str]:
        """The function by which runs are grouped."""
        return self._episode.package, self._episode.function


@dataclass(frozen=True, slots=True)
class Held:
    """Runs grouped by function."""

    functions: tuple[tuple[Run, ...], ...]

    @classmethod
    def of(cls, episodes: Iterable[Episode]) -> Held:
        """Group episodes."""
        found: dict[tuple[str, str], list[Run]] = {}
        for episode in episodes:
            run = Run(episode)
            found.setdefault(run.name, []).append(run)
        return cls(tuple(tuple(found[name]) for name in sorted(found)))

    def draw(self, rng: random.Random, passes: int) -> Iterator[Run]:
        """Yield a run of each function in turn, so that no function with long loops outweighs.

        `passes` times over all functions, in an order of its own each time.
        """
        for _ in range(passes):
            order = list(self.functions)
            rng.shuffle(order)
            for runs in order:
                yield rng.choice(runs)

    @property
    def told(self) -> tuple[tuple[str, str], ...]:
        """What the problems are drawn from, for people."""
        packages = Counter(runs[0].name[0] for runs in self.functions)
        listed = ", ".join(f"{name} {count}" for name, count in sorted(packages.items()))
        runs = sum(map(len, self.functions))
        return (("functions", f"{len(self.functions)} ({listed})"), ("runs", str(runs)))
