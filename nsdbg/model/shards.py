"""Shards: samples on disk, as the training reads them, split into what is learned and held out.

A shard is an `.npz` with `tokens` (uint16, all samples one after the other), `loss` (uint8, the
same length), `starts` (int64, one more than there are samples) and `kinds` (uint8, the task).
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from pathlib import Path

from nsdbg.episode import Episode, read_episodes
from nsdbg.errors import ModelError
from nsdbg.model.samples import Recipe, Sample, samples
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
        text = episode.listings[0].text
        if text.count("\n") >= LONG_LINES:
            return "held-length"
        number = int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big")
        return "held" if number < self.share * 2**32 else "train"


def groups(paths: Iterable[Path]) -> Iterator[list[Episode]]:
    """Yield the episodes of files, those of one function that follow each other together."""
    for path in paths:
        yield from _grouped(episodes_of(path))


def _grouped(episodes: Iterable[Episode]) -> Iterator[list[Episode]]:
    for _, group in groupby(episodes, key=lambda each: (each.package, each.listings[0].text)):
        yield list(group)


def episodes_of(path: Path) -> Iterator[Episode]:
    """Yield the episodes of a file of lines of JSON, packed or not; raises ModelError."""
    try:
        if path.suffix == ".gz":
            with gzip.open(path, "rt", encoding="utf-8") as lines:
                yield from read_episodes(lines)
        else:
            with path.open(encoding="utf-8") as lines:
                yield from read_episodes(lines)
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise ModelError(f"cannot read traces from {path}: {error}") from error


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
    from joblib import Parallel, delayed

    folder.mkdir(parents=True, exist_ok=True)
    work = (
        delayed(_write_part)(chunk, folder, f"{path.stem.split('.')[0]}-{number:05d}", recipe,
                             split, seed + number)
        for path in paths
        for number, chunk in enumerate(_chunks(path))
    )  # fmt: skip
    counts: Counter[str] = Counter()
    for found in Parallel(n_jobs=jobs, return_as="generator_unordered")(work):
        counts.update(found)
        _write_record(folder, counts, recipe, split, seed)
    return counts


def _chunks(path: Path) -> Iterator[list[list[Episode]]]:
    found = _grouped(episodes_of(path))
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
    arrays = {
        "tokens": np.concatenate([np.array(each.tokens, np.uint16) for each in made]),
        "loss": np.concatenate([np.array(each.loss, np.uint8) for each in made]),
        "starts": starts,
        "kinds": np.array([each.task.value for each in made], np.uint8),
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    with partial.open("wb") as file:
        np.savez_compressed(file, **arrays)
    os.replace(partial, path)


def _write_record(
    folder: Path, counts: Counter[str], recipe: Recipe, split: Split, seed: int
) -> None:
    record = {
        "schema": "nsdbg.shards/1",
        "codec": VERSION,
        "seed": seed,
        "counts": dict(sorted(counts.items())),
        "recipe": {"forward": recipe.forward, "backward": recipe.backward,
                   "arguments": recipe.arguments, "values": recipe.values,
                   "actions": recipe.actions},
        "held": {"packages": sorted(split.packages), "share": split.share, "lines": LONG_LINES},
    }  # fmt: skip
    (folder / "shards.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
