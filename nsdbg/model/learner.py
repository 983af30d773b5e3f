"""What is trained: a network with the way to ask it, feed it and keep it.

Our own network here; a foreign one, fine-tuned, in `tune`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nsdbg.errors import ModelError
from nsdbg.model import network as networks
from nsdbg.model.batches import Recode
from nsdbg.model.checkpoint import LAST
from nsdbg.propose.codec import vocabulary


@dataclass(frozen=True, slots=True)
class Learner:
    """A network and its manners.

    `logits`: (network, tokens (B, T), places (N,)) to float32 (N, V); `save` writes the network
    into a folder, with words for the header; `recode` turns a shard's tokens into its own, where
    they differ; `longest`: tokens of a sample; `pad` and `end` are tokens.
    """

    network: Any
    logits: Callable[[Any, Any, Any], Any]
    save: Callable[[Any, Path, dict[str, str]], None]
    longest: int
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
    own = folder / "best" if (folder / LAST).is_file() else folder
    network = networks.load(own)
    size = networks.sizes_of(network).vocabulary
    if size != vocabulary.SIZE:
        raise ModelError(
            f"{folder} has a vocabulary of {size} tokens, and this nsdbg of {vocabulary.SIZE}: "
            "train a new one"
        )
    return _learner(network)


def _learner(network: Any) -> Learner:
    return Learner(
        network,
        networks.logits_at,
        networks.save,
        networks.sizes_of(network).positions,
        vocabulary.PAD,
        vocabulary.END,
    )
