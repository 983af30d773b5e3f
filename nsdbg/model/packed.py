"""Packed samples: the files `*.npz` of `shards`, as training reads them.

A sample is a sequence of tokens of which some are to be learned.  Makes no samples and no batches.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

from nsdbg.errors import CorpusError

if TYPE_CHECKING:
    from collections.abc import Iterable

PARTS = ("tokens", "loss", "starts", "kinds")


@dataclass(frozen=True, slots=True)
class Packed:
    """Samples, end to end.

    `tokens`: unsigned integers (time,); `loss`: 1 where the token is to be learned (time,);
    `starts`: where each sample begins, and the end of the last (samples + 1,); `kinds`: the task
    of each (samples,).
    """

    tokens: Any
    loss: Any
    starts: Any
    kinds: Any

    def __post_init__(self) -> None:
        if len(self.tokens) != len(self.loss):
            raise ValueError(f"{len(self.tokens)} tokens have {len(self.loss)} marks")
        if len(self.starts) != len(self.kinds) + 1:
            raise ValueError(f"{len(self.kinds)} samples have {len(self.starts)} bounds")
        if int(self.starts[0]) != 0 or int(self.starts[-1]) != len(self.tokens):
            raise ValueError(f"the bounds do not span the {len(self.tokens)} tokens")
        if (self.starts[1:] < self.starts[:-1]).any():
            raise ValueError("the bounds do not ascend")

    @property
    def lengths(self) -> Any:
        """The length of each sample: int64 (samples,)."""
        return self.starts[1:] - self.starts[:-1]

    @property
    def learned(self) -> Any:
        """How many tokens of each sample are to be learned: int64 (samples,)."""
        import numpy as np

        sums = np.concatenate([[0], np.cumsum(self.loss != 0)])
        return sums[self.starts[1:]] - sums[self.starts[:-1]]


def packed_files(folder: Path) -> list[Path]:
    """Return a folder's files in the order of their names."""
    return sorted(folder.glob("*.npz"))


def read_packed(path: Path) -> Packed:
    """Read a file; raises CorpusError where it is not a whole one.  Nothing is unpickled."""
    import numpy as np

    try:
        with np.load(path, allow_pickle=False) as file:
            tokens, loss, starts, kinds = (file[name] for name in PARTS)
        return Packed(tokens, loss, starts.astype(np.int64), kinds)
    except (OSError, KeyError, ValueError, EOFError, BadZipFile) as error:
        raise CorpusError(f"{path} does not hold samples: {error}") from error


def write_packed(path: Path, packed: Packed) -> None:
    """Write a file at once: a reader sees the whole of it or none."""
    import numpy as np

    fresh = path.with_suffix(".tmp")
    with fresh.open("wb") as file:
        np.savez_compressed(file, **{name: getattr(packed, name) for name in PARTS})
    fresh.replace(path)


def join(parts: Iterable[Packed]) -> Packed:
    """Put the samples of several files end to end."""
    import numpy as np

    kept = list(parts)
    edges = np.cumsum([0, *(len(part.tokens) for part in kept)])
    starts = [part.starts[:-1] + edge for part, edge in zip(kept, edges[:-1], strict=True)]
    return Packed(
        np.concatenate([part.tokens for part in kept]),
        np.concatenate([part.loss for part in kept]),
        np.concatenate([*starts, edges[-1:]]),
        np.concatenate([part.kinds for part in kept]),
    )
