"""The engine: prompts in, sampled or scored answers out.

Knows tokens as numbers only.  Same network, prompt, seed and options: same answers, whatever was
asked before; a prompt is read in blocks of one size for this, so that blocks read before serve.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

from nsdbg.errors import ModelError
from nsdbg.propose.codec import vocabulary
from nsdbg.propose.neural.folder import DEFAULT_CONTEXT, ModelFolder, read_folder
from nsdbg.propose.neural.network import Cache, Network, open_network
from nsdbg.propose.neural.provider import Wanted
from nsdbg.propose.neural.sampling import Beams, Sample, log_softmax
from nsdbg.propose.neural.together import Together

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Logits = NDArray[np.float32]

# How many tokens are read at once shows in the last digits of the logits, so prompts are always cut
# at the same places.
BLOCK = 64
# Blocks whose caches are kept: some 64 kB a token in a network of 5 million parameters.
KEPT_BLOCKS = 24
# Prompts that are continued at once where each gets one answer.
AT_ONCE = 16

Ids = Sequence[int]


def load(folder: Path | None, provider: Wanted = "auto") -> Engine:
    """Return the engine of a model's folder; None stands for the model that came along.

    Raises ModelError when the model, onnxruntime or numpy is missing or cannot be used.
    """
    found = read_folder(folder, vocabulary.VERSION)
    network = open_network(found.network(), provider)
    if network.vocabulary != vocabulary.SIZE:
        raise ModelError(
            f"the model in {found.path} has {network.vocabulary} tokens, and this nsdbg "
            f"{vocabulary.SIZE}: train and export it again"
        )
    return Engine(network, found)


class Engine:
    """A network at work; `end` is the token that ends an answer."""

    def __init__(
        self, network: Network, folder: ModelFolder | None = None, end: int = vocabulary.END
    ) -> None:
        self.folder = folder
        self.choice = network.choice
        self.context = folder.context if folder else DEFAULT_CONTEXT
        self.end = end
        self._network = network
        self._blocks: OrderedDict[tuple[int, ...], tuple[Logits, Cache]] = OrderedDict()

    def sample(
        self, prompts: Sequence[Ids], count: int, seed: int, temperature: float, longest: int
    ) -> list[list[Sample]]:
        """Return up to `count` different answers to each prompt, at most `longest` tokens long.

        The first is the likeliest path, ended or not; the others ended, and come by logp.  No
        answers to an empty prompt, nor to one that the context cannot hold.
        """
        return [self._sample(list(prompt), count, seed, temperature, longest) for prompt in prompts]

    def _sample(
        self, prompt: list[int], count: int, seed: int, temperature: float, longest: int
    ) -> list[Sample]:
        import numpy as np

        if not self._fits(prompt, longest):
            return []
        logits, cache = self._prefix(prompt)
        own = crc32(np.array(prompt, np.int64).tobytes())
        beams = Beams(count, [seed % (1 << 63), own], temperature, self.end)
        # All beams lie in one cache: each token sees the prompt and its own beam, (beams, length).
        seen = np.ones((1, cache.length), bool)
        last = logits[0, -1:]
        for step in range(longest):
            tokens, parents = beams.advance(last)
            if not len(tokens) or step == longest - 1:
                break
            seen = np.concatenate([seen[parents], np.eye(len(tokens), dtype=bool)], axis=1)
            positions = np.full((1, len(tokens)), len(prompt) + step, np.int64)
            more, cache = self._network.read(
                tokens[None], cache, seen=seen[None], positions=positions
            )
            last = more[0]
        return beams.samples()

    def greedy(self, prompts: Sequence[Ids], longest: int) -> list[Sample]:
        """Return the likeliest path of each prompt, many at once; an empty one where none fits."""
        found = [Sample((), 0.0)] * len(prompts)
        fitting = [at for at, prompt in enumerate(prompts) if self._fits(prompt, longest)]
        # Prompts of like lengths together: the shorter ones are padded.
        fitting.sort(key=lambda at: len(prompts[at]))
        for first in range(0, len(fitting), AT_ONCE):
            chosen = fitting[first : first + AT_ONCE]
            together = Together(self._network, [list(prompts[at]) for at in chosen], self.end)
            for at, answer in zip(chosen, together.answers(longest), strict=True):
                found[at] = answer
        return found

    def score(self, prompt: Ids, continuation: Ids) -> list[float]:
        """Return the logp in nats of each token of a continuation.

        Empty when there is none, when the prompt is empty, or when the context cannot hold both.
        """
        import numpy as np

        if not continuation or not self._fits(prompt, len(continuation)):
            return []
        logits, cache = self._prefix(list(prompt))
        sure = [log_softmax(logits[:, -1])]
        if len(continuation) > 1:
            more, _ = self._network.read(np.array([continuation[:-1]], np.int64), cache)
            sure.append(log_softmax(more[0]))
        every = np.concatenate(sure)
        return [float(every[at, token]) for at, token in enumerate(continuation)]

    def open(self, prompt: Ids) -> Thread:
        """Return a thread of answers and further text, all in one cache."""
        return Thread(self, prompt)

    def _fits(self, prompt: Ids, longest: int) -> bool:
        inside = all(0 <= token < self._network.vocabulary for token in prompt)
        return len(prompt) > 0 and len(prompt) + longest <= self.context and inside

    def _prefix(self, prompt: list[int]) -> tuple[Logits, Cache]:
        """Read a prompt block by block; blocks that were read before are not read again."""
        import numpy as np

        known, cache, logits = 0, None, None
        for end in _ends(len(prompt)):
            key = tuple(prompt[:end])
            if key in self._blocks:
                self._blocks.move_to_end(key)
                (logits, cache), known = self._blocks[key], end
                continue
            block = np.array([prompt[known:end]], np.int64)
            logits, cache = self._network.read(block, cache or self._network.empty(1))
            logits = logits[:, -1:]
            known = end
            self._blocks[key] = (logits, cache)
            if len(self._blocks) > KEPT_BLOCKS:
                self._blocks.popitem(last=False)
        assert logits is not None
        assert cache is not None
        return logits, cache

    def read(self, ids: Ids, cache: Cache) -> tuple[Logits, Cache]:
        """Read tokens behind a cache of one row; return the logits of the last one."""
        import numpy as np

        logits, cache = self._network.read(np.array([ids], np.int64), cache)
        return logits[:, -1], cache


def _ends(length: int) -> Iterator[int]:
    """Yield where the blocks of a prompt end."""
    yield from range(BLOCK, length, BLOCK)
    yield length


class Thread:
    """Answers and the text between them, in one cache; `full` when the context is used up."""

    def __init__(self, engine: Engine, prompt: Ids) -> None:
        self._engine = engine
        self._logits: Logits | None = None
        self._cache: Cache | None = None
        self._pending: list[int] = []
        self.full = not engine._fits(prompt, 1)
        if not self.full:
            logits, self._cache = engine._prefix(list(prompt))
            self._logits = logits[:, -1]

    def append(self, ids: Ids) -> None:
        """Add text behind the last answer, its end included."""
        self._pending += ids

    def answer(self, longest: int) -> Sample:
        """Return the likeliest continuation, up to the end or to `longest` tokens.

        An empty one when the context is used up.
        """
        found: list[int] = []
        logp = 0.0
        while len(found) < longest and self._catch_up():
            assert self._logits is not None
            sure = log_softmax(self._logits)[0]
            token = int(sure.argmax())
            logp += float(sure[token])
            found.append(token)
            self._pending.append(token)
            if token == self._engine.end:
                break
        return Sample(tuple(found), logp)

    def _catch_up(self) -> bool:
        """Read what was not read yet; tell whether there was room for it."""
        if self.full or self._cache is None:
            return False
        if self._pending:
            if self._cache.length + len(self._pending) >= self._engine.context:
                self.full = True
                return False
            self._logits, self._cache = self._engine.read(self._pending, self._cache)
            self._pending = []
        return True
