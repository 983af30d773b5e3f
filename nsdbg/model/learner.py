"""What is trained: a network with the way to ask it, feed it and keep it.

Our own network here; a foreign one, fine-tuned, in `tune`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nsdbg.errors import CorpusError, ModelError
from nsdbg.model import network as networks
from nsdbg.model.batches import Recode
from nsdbg.propose.codec import vocabulary

BEST = "best"  # in a run's folder: the weights that score best


@dataclass(frozen=True, slots=True)
class Learner:
    """A network and its manners.

    `logits`: (network, tokens (B, T), places (N,)) to float32 (N, V); `save` writes the network
    into a folder, with words for the header; `recode` turns a file's tokens into its own, where
    they differ.  `longest`: tokens of a sample; `vocabulary`: every token is below it; `pad` and
    `end` are tokens.
    """

    network: Any
    logits: Callable[[Any, Any, Any], Any]
    save: Callable[[Any, Path, dict[str, str]], None]
    longest: int
    vocabulary: int
    pad: int
    end: int
    recode: Recode | None = None


def own_learner(sizes: networks.Sizes, seed: int) -> Learner:
    """Return a new network of these sizes, with random weights."""
    return _learner(networks.build(sizes, vocabulary.PAD, vocabulary.END, seed))


def learner_of(folder: Path) -> Learner:
    """Return the network that a folder holds: a run's, or an exported model's; raises ModelError.

    A run's weights are put in by `read_checkpoint`; here its sizes are what counts.
    """
    own = weights_folder(folder)
    network = networks.load(own)
    codec = networks.metadata(own).get("codec")
    if codec != vocabulary.VERSION or networks.sizes_of(network).vocabulary != vocabulary.SIZE:
        raise ModelError(
            f"{folder} was trained for codec {codec}, and this nsdbg has {vocabulary.VERSION}: "
            "train a new one"
        )
    return _learner(network)


def weights_folder(folder: Path) -> Path:
    """Return where a run's folder, or a model's own, has its weights."""
    return folder / BEST if (folder / BEST).is_dir() else folder


def check_samples(folder: Path) -> None:
    """Raise CorpusError where a folder's record says that another codec made its samples."""
    record = folder / "shards.json"
    if not record.is_file():
        return
    try:
        codec = json.loads(record.read_text()).get("codec")
    except (OSError, ValueError, AttributeError) as error:
        raise CorpusError(f"{record} cannot be read: {error}") from error
    if codec != vocabulary.VERSION:
        raise CorpusError(
            f"{folder} was made with codec {codec}, and this nsdbg has {vocabulary.VERSION}: "
            "make the samples anew"
        )


def _save(network: Any, folder: Path, words: dict[str, str]) -> None:
    networks.save(network, folder, {"codec": vocabulary.VERSION, **words})


def _learner(network: Any) -> Learner:
    return Learner(
        network,
        networks.logits_at,
        _save,
        networks.sizes_of(network).positions,
        vocabulary.SIZE,
        vocabulary.PAD,
        vocabulary.END,
    )
