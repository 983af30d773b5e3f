"""A command's model: opened when it is first needed; what is amiss is told once.

Everybody who asks the network goes through here, so that a command without one goes on.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from nsdbg.errors import ModelError
from nsdbg.propose.neural.provider import Wanted

if TYPE_CHECKING:
    from nsdbg.propose.neural.engine import Engine


def _silent(text: str) -> None:
    """Tell nobody."""


class Model:
    """A folder with a model that may turn out not to be there; None stands for our own."""

    def __init__(
        self,
        folder: Path | None = None,
        provider: Wanted = "auto",
        tell: Callable[[str], None] = _silent,
    ) -> None:
        self._folder, self._provider, self._tell = folder, provider, tell
        self._opened: Engine | None = None

    @cached_property
    def engine(self) -> Engine | None:
        """The engine; None when there is none, which was told then."""
        try:
            found = self.opened()
        except ModelError as error:
            self._tell(f"going on without a model: {error}")
            return None
        if found.choice.disappoints:
            self._tell(f"the model runs on the CPU: {found.choice.reason}")
        return found

    def opened(self) -> Engine:
        """Return the engine to whom nothing goes without one; raises ModelError."""
        if self._opened is None:
            from nsdbg.propose.neural.engine import load

            self._opened = load(self._folder, self._provider)
        return self._opened

    @property
    def name(self) -> str:
        """How a proposal names its source; asks for the engine."""
        folder = self.engine.folder if self.engine else None
        return f"neural:{folder.short if folder else 'none'}"
