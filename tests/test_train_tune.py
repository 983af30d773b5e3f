"""Fine-tuning a foreign model: a tiny one that is made here, with a tokenizer of its own."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import pytest
from training import capitals, needs_torch, write_samples

from nsdbg.errors import ModelError

pytestmark = needs_torch


def quiet(line: str) -> None:
    """Take a line of progress and show it to nobody."""


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a foreign model of a few thousand parameters that knows our words."""
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    folder = tmp_path_factory.mktemp("base")
    words = ["<unk>", "</s>", *"abcdefghijklABCDEFGHIJKL"]
    tokenizers: Any = importlib.import_module("tokenizers")  # has no types where torch is not
    numbers = {word: at for at, word in enumerate(words)}
    plain = tokenizers.Tokenizer(tokenizers.models.WordLevel(numbers, unk_token="<unk>"))
    plain.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    PreTrainedTokenizerFast(
        tokenizer_object=plain, eos_token="</s>", unk_token="<unk>"
    ).save_pretrained(folder)
    config = LlamaConfig(
        vocab_size=len(words), hidden_size=16, intermediate_size=32, num_hidden_layers=1,
        num_attention_heads=2, num_key_value_heads=2, max_position_embeddings=64,
        bos_token_id=None, eos_token_id=1, pad_token_id=None,
    )  # fmt: skip
    LlamaForCausalLM(config).save_pretrained(folder)
    return folder


def plan(tmp_path: Path, **changes: Any) -> Any:
    from nsdbg.model.train import Plan

    samples = write_samples(tmp_path / "samples")
    settled = {
        "minutes": 5,
        "steps": 3,
        "rate": 1e-2,
        "batch_tokens": 200,
        "threads": 1,
        "context": 0.0,
    }
    return Plan(samples, tmp_path / "run", **{**settled, **changes})


def test_samples_are_read_as_words_with_what_is_to_be_learned_marked(base: Path) -> None:
    from nsdbg.model.tune import Tongue, open_base

    _, tokenizer = open_base(base)
    packed = capitals(1, seed=3)
    found = Tongue(tokenizer).recode(packed)
    text = tokenizer.convert_ids_to_tokens(found.tokens.tolist())
    learned = [word for word, mark in zip(text, found.loss, strict=True) if mark]
    asked = text[text.index("</s>") - 2]
    assert learned[:2] == [asked.upper(), "</s>"]
    assert asked in "abcdefghijkl"
    assert len(text) == len(packed.tokens)
    assert found.loss.tolist() == packed.loss.tolist()


def test_a_tuned_model_answers_through_optimums_runtime(base: Path, tmp_path: Path) -> None:
    from nsdbg.model.export import Order
    from nsdbg.model.train import train
    from nsdbg.model.tune import base_learner
    from nsdbg.model.tuned import export_tuned

    order = plan(tmp_path, steps=100)
    outcome = train(order, base_learner(base, lora=False), quiet)
    assert outcome.scores["held"].all.exact_share > 0.6
    found = export_tuned(Order(order.out, order.shards, tmp_path / "out", prompts=20), quiet)
    ((part, count, right),) = found.parts
    assert (part, count) == ("held", 20)
    assert right >= 10
    assert (tmp_path / "out" / "model.onnx").is_file()
    assert not (tmp_path / "out" / "manifest.json").exists()


def test_lora_learns_its_own_weights_alone_and_is_exported_whole(
    base: Path, tmp_path: Path
) -> None:
    from nsdbg.model.export import Order
    from nsdbg.model.train import train
    from nsdbg.model.tune import base_learner
    from nsdbg.model.tuned import export_tuned

    order = plan(tmp_path)
    learner = base_learner(base, lora=True)
    learned = [name for name, each in learner.network.named_parameters() if each.requires_grad]
    assert learned
    assert all("lora" in name for name in learned)
    train(order, learner, quiet)
    again = train(order, base_learner(base, lora=True), quiet, resume=order.out)
    assert again.progress.step == 6
    assert json.loads((order.out / "best" / "training.json").read_text())["base"] == base.name
    found = export_tuned(Order(order.out, order.shards, tmp_path / "out", prompts=2), quiet)
    assert found.parts[0][1] == 2


def test_weights_that_may_run_code_when_read_are_refused(base: Path, tmp_path: Path) -> None:
    from nsdbg.model.tune import open_base

    (tmp_path / "config.json").write_text((base / "config.json").read_text())
    (tmp_path / "pytorch_model.bin").write_bytes(b"pickle")
    with pytest.raises(ModelError, match=r"no \*\.safetensors and holds pytorch_model\.bin"):
        open_base(tmp_path)


def test_a_model_that_brings_its_own_code_is_refused(base: Path, tmp_path: Path) -> None:
    from nsdbg.model.tune import open_base

    for path in base.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    config = json.loads((base / "config.json").read_text())
    code = {"AutoConfig": "own.Config", "AutoModelForCausalLM": "own.Model"}
    (tmp_path / "config.json").write_text(
        json.dumps({**config, "model_type": "own", "auto_map": code})
    )
    (tmp_path / "own.py").write_text("raise SystemExit('ran')")
    with pytest.raises(ModelError, match="cannot be fine-tuned"):
        open_base(tmp_path)


def test_a_name_to_be_downloaded_is_refused(tmp_path: Path) -> None:
    from nsdbg.model.tune import open_base

    with pytest.raises(ModelError, match="is no folder"):
        open_base(tmp_path / "gpt2")
