"""Held-out samples: the loss, and how many answers come out whole, by task.

An answer whose every token is the network's first choice, given the right ones before it, is the
answer that greedy decoding gives: so one pass tells exact matches, and nothing is generated.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nsdbg.errors import CorpusError
from nsdbg.model.batches import Batch, FeedPlan, Recode, make_batch, plan_batches, read_for
from nsdbg.model.packed import join, packed_files

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Count:
    """Of one task: answers, those that come out whole, tokens to be learned, those right."""

    answers: int = 0
    exact: int = 0
    tokens: int = 0
    right: int = 0

    def __add__(self, other: Count) -> Count:
        return Count(
            self.answers + other.answers, self.exact + other.exact,
            self.tokens + other.tokens, self.right + other.right,
        )  # fmt: skip

    @property
    def exact_share(self) -> float:
        """The share of answers that come out whole; 0 where there are none."""
        return self.exact / self.answers if self.answers else 0.0

    @property
    def token_share(self) -> float:
        """The share of tokens that are the first choice; 0 where there are none."""
        return self.right / self.tokens if self.tokens else 0.0


@dataclass(frozen=True, slots=True)
class Score:
    """What a network reaches on held-out samples.  `loss` is in nats a token; `kinds` by task."""

    loss: float
    kinds: tuple[tuple[int, Count], ...]

    @property
    def all(self) -> Count:
        """All tasks together."""
        return sum((count for _, count in self.kinds), Count())

    def as_json(self, names: Sequence[str]) -> dict[str, Any]:
        """Return the score as the log and the manifest have it."""
        rows = [("all", self.all), *((_name(names, kind), count) for kind, count in self.kinds)]
        return {
            "loss": round(self.loss, 4),
            "kinds": {
                name: {
                    "answers": count.answers,
                    "exact": round(count.exact_share, 4),
                    "tokens": count.tokens,
                    "token_accuracy": round(count.token_share, 4),
                }
                for name, count in rows
            },
        }

    def line(self, names: Sequence[str]) -> str:
        """Return the score as a line of progress."""
        rows = "  ".join(
            f"{_name(names, kind)} {100 * count.exact_share:.1f}" for kind, count in self.kinds
        )
        return (
            f"loss {self.loss:.4f}, tokens {100 * self.all.token_share:.1f} %, whole answers "
            f"{100 * self.all.exact_share:.1f} %: {rows}"
        )


def _name(names: Sequence[str], kind: int) -> str:
    return names[kind] if kind < len(names) else f"task {kind}"


@dataclass(slots=True)
class Tally:
    """Adds up batches into a score."""

    nats: float = 0.0
    counts: dict[int, Count] = field(default_factory=dict)

    def add(self, batch: Batch, nats: float, right: Any) -> None:
        """Count a batch.  nats: the summed loss; right: bool (N,), tokens that are first choice."""
        import numpy as np

        self.nats += nats
        answers = len(batch.kinds)
        tokens = np.bincount(batch.answers, minlength=answers)
        hits = np.bincount(batch.answers, weights=right, minlength=answers).astype(int)
        for kind in np.unique(batch.kinds):
            of = batch.kinds == kind
            count = Count(
                int(of.sum()), int((hits[of] == tokens[of]).sum()),
                int(tokens[of].sum()), int(hits[of].sum()),
            )  # fmt: skip
            self.counts[int(kind)] = self.counts.get(int(kind), Count()) + count

    def score(self) -> Score:
        """Return the score of what was added."""
        kinds = tuple(sorted(self.counts.items()))
        tokens = sum(count.tokens for _, count in kinds)
        return Score(self.nats / tokens if tokens else 0.0, kinds)


def held_batches(
    folder: Path, plan: FeedPlan, most_tokens: int, recode: Recode | None = None
) -> list[Batch]:
    """Return batches of a folder's samples, always the same ones, up to `most_tokens`.

    Empty where the folder has no file.  A file that is damaged is an error: without it the
    measure would be another.
    """
    shards = [read_for(path, plan, recode) for path in packed_files(folder)]
    if not shards:
        return []
    whole = join(shards)
    batches: list[Batch] = []
    size = 0
    for chosen in plan_batches(whole, plan.batch_tokens, plan.longest, plan.seed):
        batch = make_batch(whole, chosen, plan.pad, plan.end)
        if batches and size + batch.size > most_tokens:
            break
        batches.append(batch)
        size += batch.size
    if not batches:
        raise CorpusError(f"no sample of {folder} can be scored")
    return batches


def score(batches: Iterable[Batch], logits_of: Callable[[Batch], Any]) -> Score:
    """Score held-out batches.  logits_of: gives float32 (N, V) for a batch, as numpy has it."""
    import numpy as np

    tally = Tally()
    for batch in batches:
        logits = logits_of(batch)
        highest = logits.max(axis=1, keepdims=True)
        norm = np.log(np.exp(logits - highest).sum(axis=1)) + highest[:, 0]
        nats = float((norm - logits[np.arange(len(logits)), batch.wanted]).sum())
        tally.add(batch, nats, logits.argmax(axis=1) == batch.wanted)
    return tally.score()
