"""When something is due again, and what was learned since: for lines of progress."""

from __future__ import annotations

import time
from dataclasses import dataclass, field


@dataclass(slots=True)
class Pace:
    """Due every `every_s` seconds; adds up tokens and losses meanwhile."""

    every_s: float
    since: float = field(default_factory=time.monotonic)
    tokens: int = 0
    losses: list[float] = field(default_factory=list)

    def count(self, tokens: int, loss: float) -> None:
        """Note a step."""
        self.tokens += tokens
        self.losses.append(loss)

    def due(self) -> bool:
        """Whether the time is over."""
        return time.monotonic() - self.since >= self.every_s

    @property
    def loss(self) -> float:
        """The mean loss of the steps since; 0 before the first."""
        return sum(self.losses) / len(self.losses) if self.losses else 0.0

    @property
    def tokens_per_s(self) -> float:
        """Tokens learned a second since."""
        return self.tokens / max(time.monotonic() - self.since, 1e-9)

    def restart(self) -> None:
        """Begin again."""
        self.since, self.tokens, self.losses = time.monotonic(), 0, []
