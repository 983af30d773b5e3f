"""The network: a small decoder of the Llama family, its loss, and its weights as files.

B samples, T tokens each, C channels, V words of the vocabulary, N tokens to be learned.
Knows neither where samples come from nor how long one trains.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from nsdbg.errors import ModelError

WEIGHTS, CONFIG = "model.safetensors", "config.json"
GROUPED = "nsdbg-grouped"


@dataclass(frozen=True, slots=True)
class Sizes:
    """How large the network is.  The default has 4.5 million parameters.

    `shared`: heads that have keys and values of their own; the others share them, since what a
    step of 16 samples costs is mostly to copy these.
    """

    vocabulary: int
    hidden: int = 256
    layers: int = 6
    inner: int = 688
    heads: int = 4
    shared: int = 2
    positions: int = 1024

    def __post_init__(self) -> None:
        if self.heads % self.shared:
            raise ValueError(f"{self.heads} heads cannot share {self.shared} keys evenly")
        if self.hidden % (2 * self.heads):
            raise ValueError(
                f"{self.hidden} channels cannot be shared among {self.heads} heads of an even width"
            )


def build(sizes: Sizes, pad: int, end: int, seed: int = 0) -> Any:
    """Return a network with random weights, ready to be trained on the CPU."""
    import torch
    from transformers import LlamaConfig

    torch.manual_seed(seed)
    config = LlamaConfig(
        vocab_size=sizes.vocabulary,
        hidden_size=sizes.hidden,
        num_hidden_layers=sizes.layers,
        intermediate_size=sizes.inner,
        num_attention_heads=sizes.heads,
        num_key_value_heads=sizes.shared,
        max_position_embeddings=sizes.positions,
        tie_word_embeddings=True,
        pad_token_id=pad,
        bos_token_id=None,
        eos_token_id=end,
    )
    return _from_config(config)


def _from_config(config: Any) -> Any:
    import torch
    from transformers import LlamaForCausalLM

    # On a CPU torch's fused attention has a slow backward pass: with 8 samples of 256 tokens the
    # plain one learns 16 % more tokens a second, and with 16 of 128 45 % more.
    if not torch.cuda.is_available():
        use_grouped_attention()
        config._attn_implementation = GROUPED
    return LlamaForCausalLM(config)


def use_grouped_attention(mask: Any = None) -> None:
    """Make `attend` known to transformers; mask: what makes its mask, None for the usual."""
    from transformers.masking_utils import ALL_MASK_ATTENTION_FUNCTIONS, eager_mask
    from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

    ALL_ATTENTION_FUNCTIONS.register(GROUPED, attend)
    ALL_MASK_ATTENTION_FUNCTIONS.register(GROUPED, mask or eager_mask)


def attend(
    module: Any, query: Any, key: Any, value: Any, attention_mask: Any, scaling: float,
    **unused: Any,
) -> tuple[Any, None]:  # fmt: skip
    """Attention whose shared keys and values are not copied for each head.

    query: (B, H, T, D); key, value: (B, G, S, D) with H a multiple of G; mask: (B, 1, T, S), what
    is added to the scores.  Returns (B, T, H, D).  Reshapes name no S, so that an exported graph
    takes any.
    """
    import torch

    heads, groups = module.config.num_attention_heads, module.config.num_key_value_heads
    samples, _, length, width = query.shape
    rows = heads // groups * length
    scores = query.reshape(samples, groups, rows, width) @ key.transpose(2, 3)
    scores = scores.reshape(samples, heads, length, -1) * scaling  # (B, H, T, S)
    if attention_mask is not None:
        scores = scores + attention_mask
    weights = torch.softmax(scores, dim=-1, dtype=torch.float32).to(query.dtype)
    found = weights.reshape(samples, groups, rows, -1) @ value
    return found.reshape(samples, heads, length, width).transpose(1, 2).contiguous(), None


def sizes_of(network: Any) -> Sizes:
    """Return the sizes that a network was built with."""
    config = network.config
    return Sizes(
        config.vocab_size, config.hidden_size, config.num_hidden_layers,
        config.intermediate_size, config.num_attention_heads, config.num_key_value_heads,
        config.max_position_embeddings,
    )  # fmt: skip


def parameters(network: Any) -> int:
    """Count the weights, tied ones once."""
    return sum(weight.numel() for weight in network.parameters())


def logits_at(network: Any, tokens: Any, places: Any) -> Any:
    """Return the logits at some places only: float32 (N, V).

    tokens: int64 (B, T); places: int64 (N,), each an index into the flat B * T.
    Padding stands at the right, where a causal network never looks back from, so there is no mask.
    """
    hidden = network.model(input_ids=tokens, use_cache=False).last_hidden_state  # (B, T, C)
    picked = hidden.flatten(0, 1)[places]  # (N, C)
    return network.lm_head(picked).float()


def save(network: Any, folder: Path, words: dict[str, str]) -> None:
    """Write config.json and the weights, in bf16, as model.safetensors; both whole or not at all.

    words: what goes into the header of the weights.  The tied head is not written: `load` ties it
    again.
    """
    import torch
    from safetensors.torch import save as to_bytes

    folder.mkdir(parents=True, exist_ok=True)
    weights = {
        name: weight.detach().to("cpu", torch.bfloat16).contiguous()
        for name, weight in network.state_dict().items()
        if name != "lm_head.weight"
    }
    _write_whole(folder / CONFIG, json.dumps(_config(network), indent=1).encode() + b"\n")
    _write_whole(folder / WEIGHTS, to_bytes(weights, {"format": "pt", **words}))


def _config(network: Any) -> dict[str, Any]:
    kept: dict[str, Any] = network.config.to_diff_dict()
    kept.pop("_name_or_path", None)
    return kept | {"architectures": ["LlamaForCausalLM"], "dtype": "bfloat16"}


def _write_whole(path: Path, content: bytes) -> None:
    fresh = path.with_name(path.name + ".tmp")
    fresh.write_bytes(content)
    fresh.replace(path)


def load(folder: Path) -> Any:
    """Read a network that `save` wrote, with float32 weights; raises ModelError."""
    import torch
    from safetensors import SafetensorError
    from safetensors.torch import load_file
    from transformers import LlamaConfig

    try:
        read = json.loads((folder / CONFIG).read_text())
        weights = load_file(folder / WEIGHTS)
    except (OSError, ValueError, SafetensorError) as error:
        raise ModelError(f"{folder} holds no network to go on from: {error}") from error
    if not isinstance(read, dict) or read.get("model_type") != "llama":
        raise ModelError(f"{folder / CONFIG} does not describe a network of the Llama family")
    network = _from_config(LlamaConfig(**{**read, "dtype": "float32"}))
    weights = {name: weight.to(torch.float32) for name, weight in weights.items()}
    put_weights(network, weights, folder)
    return network


def metadata(folder: Path) -> dict[str, str]:
    """Return the words that `save` put into the header of the weights."""
    from safetensors import safe_open

    with safe_open(folder / WEIGHTS, framework="pt") as file:
        return dict(file.metadata() or {})


def put_weights(network: Any, weights: dict[str, Any], source: Path) -> None:
    """Put weights into a network; raises ModelError where names or shapes differ."""
    try:
        missing, foreign = network.load_state_dict(weights, strict=False)
    except RuntimeError as error:
        raise ModelError(f"the weights of {source} have other sizes: {error}") from error
    wrong = [name for name in missing if name != "lm_head.weight"] + list(foreign)
    if wrong:
        raise ModelError(f"the weights of {source} are of another network: {wrong[0]}")
    network.tie_weights()


def describe(sizes: Sizes) -> dict[str, int]:
    """Return the sizes as the manifest has them."""
    return asdict(sizes)
