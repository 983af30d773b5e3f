"""Checkpoints: all that a training run needs to go on, in one file.

The file is safetensors: weights and optimizer as tensors, the rest as JSON in its header, so that
nothing is unpickled.  It is replaced at once, so that a run that is killed leaves the one before.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from nsdbg.errors import ModelError
from nsdbg.model.batches import Position

SCHEMA = "nsdbg.checkpoint/1"
LAST = "last.safetensors"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is.

    `step` and `tokens` count from the first run on, `elapsed_s` is within the time box of
    `box_s` seconds; `best` is the lowest held-out loss so far, in nats a token.
    """

    step: int = 0
    tokens: int = 0
    elapsed_s: float = 0.0
    box_s: float = 0.0
    trained_s: float = 0.0
    best: float | None = None
    position: Position = field(default_factory=Position)

    @property
    def finished(self) -> bool:
        """Whether the time box was used up."""
        return self.elapsed_s >= self.box_s


def write_checkpoint(path: Path, network: Any, optimizer: Any, progress: Progress) -> None:
    """Write all of a run's state to one file, whole or not at all."""
    import torch
    from safetensors.torch import save_file

    tensors = {
        f"weights.{name}": weight.detach().contiguous().cpu()
        for name, weight in network.named_parameters()
        if weight.requires_grad
    }
    for number, state in optimizer.state_dict()["state"].items():
        for name, value in state.items():
            tensors[f"optimizer.{number}.{name}"] = value.detach().contiguous().cpu()
    tensors["random"] = torch.get_rng_state()
    fresh = path.with_name(path.name + ".tmp")
    header = {"schema": SCHEMA, "progress": json.dumps(asdict(progress))}
    save_file(tensors, fresh, header)
    fresh.replace(path)


def read_checkpoint(path: Path, network: Any, optimizer: Any) -> Progress:
    """Put a run's state back into its network and optimizer; raises ModelError.

    The optimizer keeps its own settings (learning rate, decay): only its moments come back.
    """
    import torch
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="pt") as file:
            header = file.metadata() or {}
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        if header.get("schema") != SCHEMA:
            raise ModelError(f"{path} is not a checkpoint of this version ({SCHEMA})")
        progress = _progress(json.loads(header["progress"]))
    except (OSError, KeyError, TypeError, ValueError, SafetensorError) as error:
        raise ModelError(f"{path} is not a checkpoint to go on from: {error}") from error
    _put_weights(path, network, tensors)
    _put_moments(path, optimizer, tensors)
    torch.set_rng_state(tensors["random"])
    return progress


def _put_weights(path: Path, network: Any, tensors: dict[str, Any]) -> None:
    import torch

    with torch.no_grad():
        for name, weight in network.named_parameters():
            if not weight.requires_grad:
                continue
            found = tensors.get(f"weights.{name}")
            if found is None or found.shape != weight.shape:
                raise ModelError(f"{path} is of another network: {name} is missing or differs")
            weight.copy_(found)


def _put_moments(path: Path, optimizer: Any, tensors: dict[str, Any]) -> None:
    state: dict[int, dict[str, Any]] = {}
    for name, tensor in tensors.items():
        if name.startswith("optimizer."):
            _, number, part = name.split(".", 2)
            state.setdefault(int(number), {})[part] = tensor
    try:
        optimizer.load_state_dict({**optimizer.state_dict(), "state": state})
    except ValueError as error:
        raise ModelError(f"{path} is of another network: {error}") from error


def _progress(read: dict[str, Any]) -> Progress:
    position = dict(read.pop("position"))
    uses = tuple((str(name), int(count)) for name, count in position.pop("uses"))
    files = tuple(map(str, position.pop("files")))
    return Progress(**read, position=Position(**position, files=files, uses=uses))
