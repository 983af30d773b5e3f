"""Batches: which samples are learned together, in an order that a seed fixes.

Samples of like length share a batch, since padding is work for nothing.  Knows numpy and no torch.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from nsdbg.errors import CorpusError
from nsdbg.model.packed import Packed, join, packed_files, read_packed

Recode = Callable[[Packed], Packed]


@dataclass(frozen=True, slots=True)
class Batch:
    """Samples side by side, padded at the right.

    `tokens`: int64 (B, T), what goes in; `places`: int64 (N,), where in the flat B * T a token to
    be learned is predicted; `wanted`: int64 (N,), those tokens; `answers`: int64 (N,), the number
    of the answer that each belongs to; `kinds`: (answers,), the task of each answer; `size`: tokens
    without padding.  `context` is what `places` is, for all other tokens, and `around` those
    tokens: they are known to whoever asks, and learned only to learn how programs are copied.
    """

    tokens: Any
    places: Any
    wanted: Any
    answers: Any
    kinds: Any
    size: int
    context: Any
    around: Any


def make_batch(shard: Packed, chosen: Sequence[int], pad: int, end: int) -> Batch:
    """Lay these samples side by side.

    An answer is a run of tokens to be learned; it ends where the run does, and after `end`.
    A first token is never learned: nothing stands before it.
    """
    import numpy as np

    bounds = [(int(shard.starts[one]), int(shard.starts[one + 1])) for one in chosen]
    width = max(stop - start for start, stop in bounds)
    whole = np.full((len(bounds), width), pad, dtype=np.int64)  # (B, T + 1)
    learned = np.zeros((len(bounds), width), dtype=bool)
    other = np.zeros((len(bounds), width), dtype=bool)
    for row, (start, stop) in enumerate(bounds):
        whole[row, : stop - start] = shard.tokens[start:stop]
        learned[row, 1 : stop - start] = shard.loss[start + 1 : stop] != 0
        other[row, 1 : stop - start] = ~learned[row, 1 : stop - start]
    opens = learned.copy()
    opens[:, 1:] &= ~learned[:, :-1] | (whole[:, :-1] == end)
    numbers = opens.ravel().cumsum() - 1
    rows, columns = learned.nonzero()
    other_rows, other_columns = other.nonzero()
    first_rows = opens.nonzero()[0]
    return Batch(
        tokens=whole[:, :-1].copy(),
        places=rows * (width - 1) + columns - 1,
        wanted=whole[rows, columns],
        answers=numbers[learned.ravel()],
        kinds=np.asarray(shard.kinds)[np.asarray(chosen)][first_rows],
        size=sum(stop - start for start, stop in bounds),
        context=other_rows * (width - 1) + other_columns - 1,
        around=whole[other_rows, other_columns],
    )


def plan_batches(shard: Packed, batch_tokens: int, longest: int, seed: Any) -> list[list[int]]:
    """Divide samples into batches of at most `batch_tokens` with padding; the order is seeded.

    Samples longer than `longest`, or with nothing to be learned, are left out.  Lengths are
    blurred by a tenth, so that a sample does not meet the same neighbours each time.
    """
    import numpy as np

    rng = np.random.default_rng(seed)
    lengths = shard.lengths
    fit = (lengths >= 2) & (lengths <= longest) & (shard.learned > 0)
    blurred = lengths * (1 + 0.1 * rng.random(len(lengths)))
    order = [int(one) for one in blurred.argsort(kind="stable") if fit[one]]
    batches: list[list[int]] = []
    widest = 0
    for one in order:
        widest = max(widest, int(lengths[one]))
        if batches and widest * (len(batches[-1]) + 1) <= batch_tokens:
            batches[-1].append(one)
        else:
            batches.append([one])
            widest = int(lengths[one])
    rng.shuffle(batches)
    return batches


@dataclass(frozen=True, slots=True)
class Position:
    """Where training stands in its data: the round, its files, and the batches taken of it.

    `uses`: how often each file has been taken into a round.
    """

    round: int = 0
    files: tuple[str, ...] = ()
    taken: int = 0
    uses: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class FeedPlan:
    """How batches are made.

    Sizes in tokens; `vocabulary`: every token is below it; `in_order` takes files by name, for a
    curriculum.
    """

    batch_tokens: int
    longest: int
    vocabulary: int
    pad: int
    end: int
    seed: int = 0
    round_tokens: int = 4_000_000
    in_order: bool = False


def read_for(path: Path, plan: FeedPlan, recode: Recode | None) -> Packed:
    """Read a file into a learner's own tokens; raises CorpusError where they are foreign to it."""
    shard = read_packed(path)
    shard = recode(shard) if recode else shard
    if len(shard.tokens) and int(shard.tokens.max()) >= plan.vocabulary:
        raise CorpusError(
            f"{path} has token {int(shard.tokens.max())}, and the network knows "
            f"{plan.vocabulary}: make the samples anew with this version"
        )
    return shard


@dataclass(slots=True)
class Feed:
    """Endless batches of a folder's shards, in rounds of several files mixed.

    The files least used come first, and of these the ones that have just appeared.
    """

    folder: Path
    plan: FeedPlan
    position: Position = field(default_factory=Position)
    recode: Recode | None = None
    skipped: list[str] = field(default_factory=list)
    _round: Packed | None = None
    _batches: list[list[int]] = field(default_factory=list)

    def __iter__(self) -> Iterator[Batch]:
        return self

    def __next__(self) -> Batch:
        if self._round is None and self.position.files:
            self._open(self.position.files)
        if self._round is None or self.position.taken >= len(self._batches):
            self._advance()
        assert self._round is not None
        chosen = self._batches[self.position.taken]
        self.position = replace(self.position, taken=self.position.taken + 1)
        return make_batch(self._round, chosen, self.plan.pad, self.plan.end)

    def _advance(self) -> None:
        """Go on to the next round, with the files that have been used least."""
        uses = dict(self.position.uses)
        seen = min(uses.values(), default=0)
        # A file that comes late starts level with the others: it is not to be caught up on.
        found = {path.name: uses.get(path.name, seen) for path in packed_files(self.folder)}
        chosen: list[str] = []
        shards: list[Packed] = []
        for name in sorted(found, key=lambda name: (found[name], name in uses, self._order(name))):
            if sum(len(shard.tokens) for shard in shards) >= self.plan.round_tokens:
                break
            shard = self._read(name)
            if shard is not None:
                chosen.append(name)
                shards.append(shard)
        if not chosen:
            why = f": {self.skipped[0]}" if self.skipped else ""
            raise CorpusError(f"{self.folder} holds no samples (*.npz) to learn from{why}")
        counted = found | {name: found[name] + 1 for name in chosen}
        self.position = Position(
            self.position.round + 1, tuple(chosen), 0, tuple(sorted(counted.items()))
        )
        self._lay_out(join(shards))

    def _open(self, names: Sequence[str]) -> None:
        """Take up the round that a run before this one was in."""
        shards = [self._read(name) for name in names]
        if all(shard is not None for shard in shards):
            self._lay_out(join(shard for shard in shards if shard is not None))

    def _lay_out(self, shard: Packed) -> None:
        self._round = shard
        seed = [self.plan.seed, self.position.round]
        self._batches = plan_batches(shard, self.plan.batch_tokens, self.plan.longest, seed)
        if not self._batches:
            raise CorpusError(
                f"no sample of {', '.join(self.position.files)} has something to be learned "
                f"and at most {self.plan.longest} tokens"
            )

    def _read(self, name: str) -> Packed | None:
        """Read a file; one that is damaged is left out, with a word in `skipped`."""
        try:
            return read_for(self.folder / name, self.plan, self.recode)
        except CorpusError as error:
            self.skipped.append(str(error))
            return None

    def _order(self, name: str) -> tuple[int, str]:
        if self.plan.in_order:
            return 0, name
        return zlib.crc32(f"{self.plan.seed} {self.position.round} {name}".encode()), name
