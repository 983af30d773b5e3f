"""Whether an exported graph does what the network does: logits, texts and held-out answers.

Runs the graph as `propose.neural` will, with onnxruntime and no torch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from nsdbg.model.batches import Batch
from nsdbg.model.heldout import Score, score
from nsdbg.propose.neural.engine import Engine
from nsdbg.propose.neural.network import Network, open_network

# Of float32 logits, which are sums of some hundred products of numbers up to about 10.
TOLERANCE = 1e-3
MOST_LOST = 0.01


@dataclass(frozen=True, slots=True)
class Parity:
    """What was compared.

    `difference`: the largest between float32 logits of torch and of the graph; `tolerance`: what
    is allowed.  `same`: prompts to which float32 answers with torch's text, of `prompts`;
    `same_int8`: to which int8 does.  `exact`, `exact_int8`: the share of `answers` held-out
    answers that come out whole, in float32 and in int8; None where there are none.
    """

    difference: float
    prompts: int
    same: int
    same_int8: int
    answers: int
    exact: float | None
    exact_int8: float | None
    tolerance: float = TOLERANCE

    def problems(self) -> list[str]:
        """Return what forbids to ship the graph, in words."""
        found = []
        if self.difference > self.tolerance:
            found.append(f"float32 logits differ by {self.difference:.2g} from torch's, and at "
                         f"most {self.tolerance:.2g} is allowed")  # fmt: skip
        if self.same < self.prompts:
            found.append(f"float32 answers {self.prompts - self.same} of {self.prompts} prompts "
                         "with another text than torch")  # fmt: skip
        if self.exact is not None and self.exact_int8 is not None:
            lost = self.exact - self.exact_int8
            if lost > MOST_LOST:
                found.append(f"int8 has {100 * lost:.1f} points fewer whole held-out answers than "
                             f"float32, and at most {100 * MOST_LOST:.0f} may be lost")  # fmt: skip
        return found

    def as_json(self) -> dict[str, Any]:
        """Return what the manifest keeps."""
        return asdict(self)


def graph_score(content: bytes, batches: Sequence[Batch]) -> Score:
    """Score held-out batches with a graph's file."""
    network = open_network(content, "cpu")
    return score(batches, lambda batch: _logits(network, batch)[batch.places])


def difference(content: bytes, network: Any, batches: Sequence[Batch]) -> float:
    """Return the largest difference between a graph's logits and torch's, everywhere."""
    import numpy as np
    import torch

    graph, largest = open_network(content, "cpu"), 0.0
    for batch in batches:
        with torch.no_grad():
            whole = network(input_ids=torch.from_numpy(batch.tokens), use_cache=False).logits
        theirs = whole.flatten(0, 1).numpy()
        largest = max(largest, float(np.abs(_logits(graph, batch) - theirs).max()))
    return largest


def _logits(network: Network, batch: Batch) -> Any:
    """Return float32 (B * T, V).  Padding at the right is behind all that counts."""
    logits, _ = network.read(batch.tokens, network.empty(len(batch.tokens)))
    return logits.reshape(-1, logits.shape[-1])


def graph_texts(
    content: bytes, prompts: Sequence[Sequence[int]], longest: int, end: int
) -> list[tuple[int, ...]]:
    """Return a graph's greedy answers, as the engine gives them."""
    engine = Engine(open_network(content, "cpu"), end=end)
    return [sample.ids for sample in engine.greedy(prompts, longest)]


def torch_texts(
    network: Any, prompts: Sequence[Sequence[int]], longest: int, end: int
) -> list[tuple[int, ...]]:
    """Return torch's greedy answers, up to and with `end`."""
    import torch

    texts = []
    for prompt in prompts:
        given = torch.tensor([list(prompt)])
        with torch.no_grad():
            found = network.generate(
                given,
                attention_mask=torch.ones_like(given),
                max_new_tokens=longest,
                do_sample=False,
                eos_token_id=end,
            )
        texts.append(tuple(found[0, len(prompt) :].tolist()))
    return texts


def prompts_of(
    batches: Sequence[Batch], count: int, longest: int, seed: int
) -> list[tuple[int, ...]]:
    """Draw prompts: what stands before held-out answers.

    longest: of a prompt, in tokens.  Fewer than `count` where there are fewer answers.
    """
    import numpy as np

    ordered = sorted({prompt for prompt, _ in answers_of(batches) if len(prompt) <= longest})
    chosen = np.random.default_rng(seed).permutation(len(ordered))[:count]
    return [ordered[at] for at in sorted(chosen)]


def answers_of(batches: Sequence[Batch]) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Return every held-out answer behind all that stands before it."""
    import numpy as np

    found = []
    for batch in batches:
        width = batch.tokens.shape[1]
        firsts = np.flatnonzero(np.diff(batch.answers, prepend=-1))
        for first, end in zip(firsts, [*firsts[1:], len(batch.answers)], strict=True):
            row, column = divmod(int(batch.places[first]), width)
            prompt = batch.tokens[row, : column + 1].tolist()
            found.append((tuple(prompt), tuple(batch.wanted[first:end].tolist())))
    return found
