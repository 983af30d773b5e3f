"""Drawing several different answers from one network: stochastic beams.

Sampling without replacement by Gumbel noise that is handed down a tree (Kool, van Hoof and Welling,
"Stochastic beams and where to find them", 2019): what comes out is a sample of the answers, none
of them twice, in one pass.  The likeliest path is kept beside them.  Runs no network.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ids = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Sample:
    """An answer: its tokens, the last one the end if it came to one, and its logp in nats."""

    ids: tuple[int, ...]
    logp: float


@dataclass(frozen=True, slots=True)
class _Beam:
    """A beginning of an answer.

    `logp` is the network's own, `tempered` that of the distribution drawn from, `score` the same
    with its noise.
    """

    ids: tuple[int, ...]
    logp: float
    tempered: float
    score: float
    greedy: bool = False


def log_softmax(logits: NDArray[np.float32] | Floats) -> Floats:
    """Return log-probabilities in nats along the last axis."""
    import numpy as np

    wide = logits.astype(np.float64)
    wide -= wide.max(axis=-1, keepdims=True)
    return np.asarray(wide - np.log(np.exp(wide).sum(axis=-1, keepdims=True)))


class Beams:
    """The answers being drawn; feed it logits, read the tokens to go on with.

    `count` answers in all; `temperature` above 1 flattens the distribution and below 1 sharpens it.
    """

    def __init__(self, count: int, seed: int | list[int], temperature: float, end: int) -> None:
        import numpy as np

        self._count, self._temperature, self._end = count, temperature, end
        self._noise = np.random.default_rng(seed)
        self._ended: list[_Beam] = []
        self._open = [_Beam((), 0.0, 0.0, 0.0, greedy=True)]

    def advance(self, logits: NDArray[np.float32]) -> tuple[Ids, Ids]:
        """Take logits (open beams, vocabulary); return the next tokens and their parents' rows.

        The tokens are those of the beams that are open now, the likeliest path first as long as it
        has not ended; none are left when the answers are complete.
        """
        import numpy as np

        logp = log_softmax(logits)
        tempered = log_softmax(logits / self._temperature)
        parents = np.array([one.tempered for one in self._open])
        scores = self._handed_down(parents[:, None] + tempered)
        chosen = self._choose(scores, logp)
        candidates: list[tuple[_Beam, int | None, int]] = [(one, None, 0) for one in self._ended]
        for row, token in chosen:
            candidates.append((self._child(row, token, logp, tempered, scores), row, token))
        best = sorted(candidates, key=lambda item: (not item[0].greedy, -item[0].score))
        kept = best[: self._count]
        self._ended = [one for one, row, token in kept if row is None or token == self._end]
        going = [(one, row, token) for one, row, token in kept
                 if row is not None and token != self._end]  # fmt: skip
        self._open = [one for one, _, _ in going]
        rows = np.array([row for _, row, _ in going], np.int64)
        return np.array([token for _, _, token in going], np.int64), rows

    def _handed_down(self, tempered: Floats) -> Floats:
        """Return the children's noisy scores, the best of each row being its parent's own score."""
        import numpy as np

        noisy = tempered + self._noise.gumbel(size=tempered.shape)
        best = noisy.max(axis=1, keepdims=True)
        wanted = np.array([one.score for one in self._open])[:, None]
        with np.errstate(divide="ignore"):
            # The numerically stable form of appendix B.3; log1p(-1) of the best itself is -inf.
            gap = wanted - noisy + np.log1p(-np.exp(noisy - best))
        return np.asarray(wanted - np.maximum(0.0, gap) - np.log1p(np.exp(-np.abs(gap))))

    def _choose(self, scores: Floats, logp: Floats) -> list[tuple[int, int]]:
        """Return the rows and tokens of children that may be kept: the best, and the greedy one."""
        import numpy as np

        size = scores.shape[1]
        flat = scores.ravel()
        most = min(self._count, flat.size)
        best = np.argpartition(-flat, most - 1)[:most]
        order = best[np.lexsort((best, -flat[best]))]
        chosen = [(int(at) // size, int(at) % size) for at in order]
        for row, one in enumerate(self._open):
            if one.greedy:
                chosen.append((row, int(logp[row].argmax())))
        return list(dict.fromkeys(chosen))

    def _child(self, row: int, token: int, logp: Floats, tempered: Floats, scores: Floats) -> _Beam:
        parent = self._open[row]
        greedy = parent.greedy and token == int(logp[row].argmax())
        return _Beam(
            (*parent.ids, token), parent.logp + float(logp[row, token]),
            parent.tempered + float(tempered[row, token]), float(scores[row, token]), greedy,
        )  # fmt: skip

    def samples(self) -> list[Sample]:
        """Return the answers: the likeliest path first, ended or not, then the others by logp."""
        greedy = [one for one in self._open if one.greedy]
        ranked = sorted((*greedy, *self._ended), key=lambda one: (not one.greedy, -one.logp))
        return [Sample(one.ids, one.logp) for one in ranked]
