"""Fine-tuning a foreign causal language model on our samples, which it reads as text.

From local safetensors alone: no remote code, no pickles.  Such a model is measured and not shipped.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nsdbg.errors import ModelError
from nsdbg.model.learner import Learner
from nsdbg.model.network import parameters
from nsdbg.model.packed import Packed
from nsdbg.propose.codec import vocabulary

LARGE = 300_000_000  # parameters: from here on only LoRA's are learned
LONGEST = 2048
TRAINING = "training.json"


@dataclass(frozen=True, slots=True)
class Tongue:
    """How our tokens read in a foreign model's: as words with spaces between.

    Questions and answers are encoded apart, so that the bounds between them are also bounds of
    foreign tokens.  Our end is the model's own.
    """

    tokenizer: Any

    @property
    def end(self) -> int:
        """The foreign token that ends a text."""
        return int(self.tokenizer.eos_token_id)

    @property
    def pad(self) -> int:
        """The foreign token that fills up a batch."""
        found = self.tokenizer.pad_token_id
        return self.end if found is None else int(found)

    def encode(self, tokens: list[int]) -> list[int]:
        """Return the foreign tokens of a stretch of ours."""
        found: list[int] = []
        stretch: list[int] = []
        for token in [*tokens, vocabulary.END]:
            if token != vocabulary.END:
                stretch.append(token)
                continue
            if stretch:
                text = " " + vocabulary.words(stretch)
                found += self.tokenizer.encode(text, add_special_tokens=False)
                stretch = []
            found.append(self.end)
        return found[:-1]

    def recode(self, packed: Packed) -> Packed:
        """Return samples in foreign tokens."""
        import numpy as np

        tokens: list[int] = []
        loss: list[int] = []
        starts = [0]
        for start, stop in zip(packed.starts[:-1], packed.starts[1:], strict=True):
            for marked, stretch in _stretches(packed, int(start), int(stop)):
                encoded = self.encode(stretch)
                tokens += encoded
                loss += [marked] * len(encoded)
            starts.append(len(tokens))
        return Packed(
            np.array(tokens, np.int64), np.array(loss, np.uint8), np.array(starts, np.int64),
            packed.kinds,
        )  # fmt: skip


def _stretches(packed: Packed, start: int, stop: int) -> list[tuple[int, list[int]]]:
    """Divide a sample where what is to be learned begins or ends."""
    found: list[tuple[int, list[int]]] = []
    for token, mark in zip(packed.tokens[start:stop], packed.loss[start:stop], strict=True):
        if not found or found[-1][0] != int(mark):
            found.append((int(mark), []))
        found[-1][1].append(int(token))
    return found


def base_learner(base: Path, lora: bool) -> Learner:
    """Return a local model to fine-tune: all of it, or LoRA's where it is large or `lora`.

    Raises ModelError where the folder is none, has no safetensors, or needs code of its own.
    """
    network, tokenizer = open_base(base)
    if lora or parameters(network) > LARGE:
        network = _with_lora(network)
    tongue = Tongue(tokenizer)

    def save(tuned: Any, folder: Path, words: dict[str, str]) -> None:
        tuned.save_pretrained(folder, safe_serialization=True)
        tokenizer.save_pretrained(folder)
        record = {"base": base.name, "codec": vocabulary.VERSION, **words}
        (folder / TRAINING).write_text(json.dumps(record) + "\n", encoding="utf-8")

    longest = getattr(network.config, "max_position_embeddings", None) or LONGEST
    return Learner(
        network, foreign_logits, save, min(longest, LONGEST), network.config.vocab_size,
        tongue.pad, tongue.end, tongue.recode,
    )  # fmt: skip


def open_base(base: Path) -> tuple[Any, Any]:
    """Read a local model and its tokenizer, from safetensors; raises ModelError."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    if not base.is_dir():
        raise ModelError(f"{base} is no folder: --base takes a model that was downloaded before")
    if not list(base.glob("*.safetensors")):
        pickles = [path.name for path in (*base.glob("*.bin"), *base.glob("*.pt*"))]
        what = f"holds {pickles[0]}, which may run code when it is read" if pickles else "is empty"
        raise ModelError(f"{base} has no *.safetensors and {what}: convert the weights first")
    try:
        tokenizer = AutoTokenizer.from_pretrained(
            base, local_files_only=True, trust_remote_code=False
        )
        network = AutoModelForCausalLM.from_pretrained(
            base, local_files_only=True, trust_remote_code=False, use_safetensors=True
        )
    # transformers has no error of its own: what a folder lacks comes as any of these.
    except (OSError, ValueError, KeyError, ImportError, RuntimeError) as error:
        raise ModelError(f"{base} cannot be fine-tuned: {error}") from error
    if tokenizer.eos_token_id is None:
        raise ModelError(f"the tokenizer of {base} has no token that ends a text")
    return network, tokenizer


def _with_lora(network: Any) -> Any:
    try:
        from peft import LoraConfig, get_peft_model
    except ImportError as error:
        raise ModelError("LoRA needs peft: pip install 'nsdbg[train]'") from error
    config = LoraConfig(
        r=16, lora_alpha=32, target_modules="all-linear", task_type="CAUSAL_LM", bias="none"
    )
    return get_peft_model(network, config)


def foreign_logits(network: Any, tokens: Any, places: Any) -> Any:
    """Return float32 (N, V); through all of the network, since some scale or cap their logits."""
    whole = network(input_ids=tokens, use_cache=False).logits  # (B, T, V)
    return whole.flatten(0, 1)[places].float()


def is_tuned(folder: Path) -> bool:
    """Whether a folder holds a fine-tuned foreign model."""
    return (folder / TRAINING).is_file()
