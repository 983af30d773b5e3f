"""Several prompts answered at once, each in a row of its own: the likeliest path of each.

Shorter prompts are padded in front; a token sees its own row's tokens alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nsdbg.propose.codec import vocabulary
from nsdbg.propose.neural.network import Cache, Network
from nsdbg.propose.neural.sampling import Sample, log_softmax

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Logits = NDArray[np.float32]


class Together:
    """Prompts in one batch, B rows and W tokens wide."""

    def __init__(self, network: Network, prompts: Sequence[list[int]], end: int) -> None:
        import numpy as np

        self._network, self._end = network, end
        self._width = max(map(len, prompts))
        self._pads = np.array([self._width - len(one) for one in prompts])  # (B,)
        self._real = np.arange(self._width) >= self._pads[:, None]  # (B, W)
        self._ids: list[list[int]] = [[] for _ in prompts]
        self._logp = [0.0] * len(prompts)
        self._going = np.arange(len(prompts))  # the prompts of the rows that are left
        self._last, self._cache = self._read_prompts(prompts)

    def _read_prompts(self, prompts: Sequence[list[int]]) -> tuple[Logits, Cache]:
        import numpy as np

        width = self._width
        padded = [[vocabulary.PAD] * (width - len(one)) + one for one in prompts]
        logits, cache = self._network.read(
            np.array(padded, np.int64),
            self._network.empty(len(prompts)),
            seen=np.tril(np.ones((width, width), bool)) & self._real[:, None],
            positions=np.maximum(np.arange(width) - self._pads[:, None], 0),
        )
        return logits[:, -1], cache

    def answers(self, longest: int) -> list[Sample]:
        """Return the answers, at most `longest` tokens each, the end included."""
        for step in range(longest):
            tokens = self._choose()
            if step == longest - 1 or not self._open():
                break
            self._read(tokens, step)
        return [Sample(tuple(ids), logp) for ids, logp in zip(self._ids, self._logp, strict=True)]

    def _choose(self) -> NDArray[np.int64]:
        """Add the likeliest token to each answer that has not ended; return those of all rows."""
        import numpy as np

        sure = log_softmax(self._last)
        tokens = sure.argmax(axis=-1)
        for row in self._open():
            at = int(self._going[row])
            self._ids[at].append(int(tokens[row]))
            self._logp[at] += float(sure[row, tokens[row]])
        return np.asarray(tokens, np.int64)

    def _open(self) -> list[int]:
        """Return the rows whose answers have not ended."""
        return [row for row, at in enumerate(self._going) if self._ids[at][-1:] != [self._end]]

    def _read(self, tokens: NDArray[np.int64], step: int) -> None:
        import numpy as np

        rows = np.array(self._open())
        if len(rows) <= len(self._going) // 2:
            # Copying a cache costs about a step, so rows that have ended stay for a while.
            self._going, tokens = self._going[rows], tokens[rows]
            self._cache = self._network.keep(self._cache, rows)
        own = np.ones((len(self._going), step + 1), bool)
        seen = np.concatenate([self._real[self._going], own], axis=1)  # (rows, W + step + 1)
        positions = self._width - self._pads[self._going] + step
        logits, self._cache = self._network.read(
            tokens[:, None], self._cache, seen=seen[:, None], positions=positions[:, None]
        )
        self._last = logits[:, -1]
