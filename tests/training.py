"""What the tests of training and export share: samples that a tiny network can learn, and it."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from nsdbg.propose.codec import vocabulary

if TYPE_CHECKING:
    from nsdbg.model.learner import Learner
    from nsdbg.model.packed import Packed

needs_torch = pytest.mark.skipif(
    sys.version_info[:2] != (3, 11) or importlib.util.find_spec("torch") is None,
    reason="training is tested on Python 3.11 with torch (pip install 'nsdbg[train]')",
)
FIRST, CAPITAL = vocabulary.CHARACTER["a"], vocabulary.CHARACTER["A"]
COUNT = 12  # of the letters in the samples: a to l


def capitals(number: int, seed: int = 0, longest: int = 6) -> Packed:
    """Return samples whose answer is the capital of the question's last letter, and the end.

    Those of kind 1 have a second question of the same sort.
    """
    import numpy as np

    from nsdbg.model.packed import Packed

    rng = np.random.default_rng(seed)
    tokens: list[int] = []
    loss: list[int] = []
    starts, kinds = [0], []
    for _ in range(number):
        kind = int(rng.integers(2))
        for _ in range(1 + kind):
            letters = rng.integers(0, COUNT, rng.integers(1, longest)).tolist()
            tokens += [*(FIRST + letter for letter in letters), CAPITAL + letters[-1],
                       vocabulary.END]  # fmt: skip
            loss += [0] * len(letters) + [1, 1]
        starts.append(len(tokens))
        kinds.append(kind)
    return Packed(
        np.array(tokens, np.uint16), np.array(loss, np.uint8), np.array(starts, np.int64),
        np.array(kinds, np.uint8),
    )  # fmt: skip


def write_samples(folder: Path, files: int = 2, each: int = 200) -> Path:
    """Write samples to learn and to hold out; returns the folder."""
    from nsdbg.model.packed import write_packed

    for part, count in (("train", files), ("held", 1)):
        (folder / part).mkdir(parents=True)
        for number in range(count):
            seed = number if part == "train" else 99
            packed = capitals(each if part == "train" else 40, seed)
            write_packed(folder / part / f"part-{number}.npz", packed)
    return folder


def tiny(seed: int = 0) -> Learner:
    """Return a network of some 14,000 parameters."""
    from nsdbg.model.learner import own_learner
    from nsdbg.model.network import Sizes

    return own_learner(
        Sizes(vocabulary.SIZE, hidden=16, layers=1, inner=32, heads=2, shared=1, positions=64), seed
    )
