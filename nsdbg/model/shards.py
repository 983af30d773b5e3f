"""Shards: samples on disk, as the training reads them, split into what is learned and held out.

A shard is an `.npz` with `tokens` (uint16, all samples one after the other), `loss` (uint8, the
same length), `starts` (int64, one more than there are samples) and `kinds` (uint8, the task).
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from itertools import groupby, islice
from pathlib import Path

from nsdbg.episode import Episode
from nsdbg.model.packed import Packed, write_packed
from nsdbg.model.samples import Recipe, Sample, samples
from nsdbg.model.trace.corpus import read_corpus
from nsdbg.propose.codec.vocabulary import VERSION

HELD_SHARE = 0.02
LONG_LINES = 60  # functions of more lines are held out by length
_GROUPS_A_SHARD = 400


@dataclass(frozen=True, slots=True)
class Split:
    """What is held out: these packages, long functions, and a share of all others by their text."""

    packages: frozenset[str] = frozenset()
    share: float = HELD_SHARE

    def part(self, episode: Episode) -> str:
        """Return the folder to which an episode's samples go."""
        if episode.package in self.packages:
            return "held-package"
        text = root_text(episode)
        if text.count("\n") >= LONG_LINES:
            return "held-length"
        number = int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big")
        return "held" if number < self.share * 2**32 else "train"


def root_text(episode: Episode) -> str:
    """Return the text of the function that was called, whatever others lie before it."""
    return next(
        (each.text for each in episode.listings if each.qualname == episode.function),
        episode.listings[0].text,
    )


def _grouped(episodes: Iterable[Episode]) -> Iterator[list[Episode]]:
    for _, group in groupby(episodes, key=lambda each: (each.package, root_text(each))):
        yield list(group)


def write_shards(
    paths: Sequence[Path],
    folder: Path,
    *,
    recipe: Recipe,
    split: Split,
    seed: int = 0,
    jobs: int = 1,
) -> Counter[str]:
    """Encode traces into shards; return how many samples went to each part, and their tokens."""
    folder.mkdir(parents=True, exist_ok=True)
    _write_record(folder, recipe, split, seed)
    counts: Counter[str] = Counter()
    with ProcessPoolExecutor(jobs) as pool:
        waiting: set[Future[Counter[str]]] = set()
        for number, (name, chunk) in enumerate(_named_chunks(paths)):
            waiting.add(pool.submit(_write_part, chunk, folder, name, recipe, split, seed + number))
            # Not more at a time than there are hands, since whole chunks are held in memory.
            while len(waiting) > jobs:
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for found in done:
                    counts.update(found.result())
        for found in waiting:
            counts.update(found.result())
    _write_record(folder, recipe, split, seed)
    return counts


def contents(folder: Path) -> Counter[str]:
    """Return how many samples and tokens the parts of a folder hold, by their files."""
    import numpy as np

    counts: Counter[str] = Counter()
    for path in sorted(folder.glob("*/*.npz")):
        with np.load(path) as shard:
            starts = shard["starts"]
        counts[path.parent.name] += len(starts) - 1
        counts[f"{path.parent.name} tokens"] += int(starts[-1])
    return counts


def _named_chunks(paths: Sequence[Path]) -> Iterator[tuple[str, list[list[Episode]]]]:
    for path in paths:
        for number, chunk in enumerate(_chunks(path)):
            yield f"{path.name.split('.')[0]}-{number:05d}", chunk


def _chunks(path: Path) -> Iterator[list[list[Episode]]]:
    found = _grouped(read_corpus(path))
    while chunk := list(islice(found, _GROUPS_A_SHARD)):
        yield chunk


def _write_part(
    chunk: list[list[Episode]], folder: Path, name: str, recipe: Recipe, split: Split, seed: int
) -> Counter[str]:
    counts: Counter[str] = Counter()
    parts: dict[str, list[list[Episode]]] = {}
    for group in chunk:
        parts.setdefault(split.part(group[0]), []).append(group)
    for part, found in parts.items():
        made = list(samples(found, recipe, seed))
        if made:
            save(made, folder / part / f"{name}.npz")
        counts[part] += len(made)
        counts[f"{part} tokens"] += sum(len(sample.tokens) for sample in made)
    return counts


def save(made: Sequence[Sample], path: Path) -> None:
    """Write one shard, whole or not at all."""
    import numpy as np

    starts = np.cumsum([0, *(len(sample.tokens) for sample in made)], dtype=np.int64)
    tokens = np.concatenate([np.array(each.tokens, np.uint16) for each in made])
    loss = np.concatenate([np.array(each.loss, np.uint8) for each in made])
    kinds = np.array([each.task.value for each in made], np.uint8)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_packed(path, Packed(tokens, loss, starts, kinds))


def _write_record(folder: Path, recipe: Recipe, split: Split, seed: int) -> None:
    """Write what the folder holds, of this encoding and of earlier ones."""
    record = {
        "schema": "nsdbg.shards/1",
        "codec": VERSION,
        "seed": seed,
        "counts": dict(sorted(contents(folder).items())),
        "recipe": {"forward": recipe.forward, "backward": recipe.backward,
                   "arguments": recipe.arguments, "values": recipe.values,
                   "actions": recipe.actions},
        "held": {"packages": sorted(split.packages), "share": split.share, "lines": LONG_LINES},
    }  # fmt: skip
    (folder / "shards.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
