"""Measuring a fine-tuned foreign model: exported by optimum, and run by optimum's runtime."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nsdbg.errors import ModelError
from nsdbg.model.batches import FeedPlan
from nsdbg.model.export import Order
from nsdbg.model.graph import quiet
from nsdbg.model.heldout import held_batches
from nsdbg.model.learner import check_samples, weights_folder
from nsdbg.model.parity import answers_of
from nsdbg.model.train import HELD
from nsdbg.model.tune import LONGEST, TRAINING, Tongue, open_base
from nsdbg.propose.codec import vocabulary


@dataclass(frozen=True, slots=True)
class Measured:
    """Held-out questions, and those that greedy decoding answers wholly, by held-out part."""

    parts: tuple[tuple[str, int, int], ...]

    def lines(self) -> list[str]:
        """Return a line for each part."""
        return [
            f"{part}: {right} of {count} answers whole ({100 * right / count:.1f} %)"
            for part, count, right in self.parts if count
        ]  # fmt: skip


def export_tuned(order: Order, say: Callable[[str], None]) -> Measured:
    """Export a fine-tuned model in float32 into `order.out`, and let it answer held-out questions.

    The folder is optimum's, with the model's own tokenizer; nsdbg's engine takes no such model.
    """
    from optimum.exporters.onnx import main_export

    check_samples(order.shards)
    folder = weights_folder(order.run)
    _check_codec(folder)
    with tempfile.TemporaryDirectory(prefix="nsdbg-export-") as scratch:
        whole = _merged(folder, Path(scratch))
        with quiet():
            main_export(
                str(whole), order.out, task="text-generation-with-past", do_validation=False,
                local_files_only=True, trust_remote_code=False,
            )  # fmt: skip
    say(f"exported to {order.out}")
    return measure_tuned(order)


def _check_codec(folder: Path) -> None:
    codec = json.loads((folder / TRAINING).read_text(encoding="utf-8")).get("codec")
    if codec != vocabulary.VERSION:
        raise ModelError(
            f"{folder} was tuned for codec {codec}, and this nsdbg has {vocabulary.VERSION}"
        )


def _merged(folder: Path, scratch: Path) -> Path:
    """Return a folder with whole weights: LoRA's are added to those of the base."""
    if not (folder / "adapter_config.json").is_file():
        return folder
    from peft import AutoPeftModelForCausalLM
    from transformers import AutoTokenizer

    network = AutoPeftModelForCausalLM.from_pretrained(folder, local_files_only=True)
    network.merge_and_unload().save_pretrained(scratch, safe_serialization=True)
    AutoTokenizer.from_pretrained(folder, local_files_only=True).save_pretrained(scratch)
    open_base(scratch)
    return scratch


def measure_tuned(order: Order) -> Measured:
    """Ask an exported model the held-out questions, through optimum's runtime."""
    from optimum.onnxruntime import ORTModelForCausalLM
    from transformers import AutoTokenizer

    model = ORTModelForCausalLM.from_pretrained(
        order.out, local_files_only=True, trust_remote_code=False
    )
    tokenizer = AutoTokenizer.from_pretrained(order.out, local_files_only=True)
    tongue = Tongue(tokenizer)
    longest = min(getattr(model.config, "max_position_embeddings", None) or LONGEST, LONGEST)
    plan = FeedPlan(4_000, longest, model.config.vocab_size, tongue.pad, tongue.end, order.seed)
    found = []
    for part in HELD:
        if (order.shards / part).is_dir():
            batches = held_batches(order.shards / part, plan, order.held_tokens, tongue.recode)
            asked = answers_of(batches)[: order.prompts]
            right = sum(_answers(model, prompt, wanted, tongue) for prompt, wanted in asked)
            found.append((part, len(asked), right))
    return Measured(tuple(found))


def _answers(model: Any, prompt: Sequence[int], wanted: Sequence[int], tongue: Tongue) -> bool:
    import torch

    given = torch.tensor([list(prompt)])
    found = model.generate(
        given,
        attention_mask=torch.ones_like(given),
        max_new_tokens=len(wanted),
        do_sample=False,
        eos_token_id=tongue.end,
        pad_token_id=tongue.pad,
    )
    return bool(found[0, len(prompt) :].tolist() == list(wanted))
