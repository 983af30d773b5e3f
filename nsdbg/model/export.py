"""Export: a run's best weights as a model folder that was held against torch.

The folder changes only when everything holds, and its manifest last.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nsdbg.errors import CorpusError, ModelError
from nsdbg.model import network as networks
from nsdbg.model.batches import Batch, FeedPlan
from nsdbg.model.card import card
from nsdbg.model.graph import quantize, write_graph
from nsdbg.model.heldout import Score, held_batches
from nsdbg.model.learner import Learner, check_samples, learner_of, weights_folder
from nsdbg.model.manifest import fingerprint, manifest, read_corpora, training_record
from nsdbg.model.parity import (
    Parity,
    difference,
    graph_score,
    graph_texts,
    prompts_of,
    torch_texts,
)
from nsdbg.model.speed import speed
from nsdbg.model.train import HELD

GRAPH, MANIFEST, CARD = "model.onnx", "manifest.json", "README.md"
FILES = (GRAPH, networks.WEIGHTS, networks.CONFIG, CARD)


@dataclass(frozen=True, slots=True)
class Order:
    """What to export.

    `run`: a run's folder, or one with weights; `shards`: the samples, whose held-out parts are
    answered; `out`: the model folder; `corpora`: manifests of the traces, for the card.
    `prompts`: how many are answered by torch and by the graph, with at most `longest` tokens;
    `held_tokens`: of held-out samples scored, of each part; `force`: write what does not hold.
    """

    run: Path
    shards: Path
    out: Path
    corpora: tuple[Path, ...] = ()
    prompts: int = 200
    longest: int = 64
    held_tokens: int = 200_000
    seed: int = 0
    force: bool = False


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written."""

    parity: Parity
    sizes_bytes: dict[str, int]
    problems: list[str]


def export(order: Order, say: Callable[[str], None], names: Sequence[str] = ()) -> Exported:
    """Write a model folder; names: of the tasks, by number.

    Raises ModelError when the graph does not do what the network does, unless forced, and where
    the weights cannot be read; CorpusError where there are no held-out samples.
    """
    if (order.out / "__init__.py").exists():
        raise ModelError(f"{order.out} is a Python package: a model folder must not be importable")
    check_samples(order.shards)
    corpora = read_corpora(order.corpora)
    learner = learner_of(order.run)
    held = _held(order, learner)
    with tempfile.TemporaryDirectory(prefix="nsdbg-export-") as scratch:
        folder = Path(scratch)
        floats = write_graph(learner.network, folder / "float32")
        fresh = folder / "fresh"
        fresh.mkdir()
        quantize(floats, fresh / GRAPH)
        say(f"exported: {floats.stat().st_size / 1e6:.1f} MB in float32, "
            f"{(fresh / GRAPH).stat().st_size / 1e6:.1f} MB in int8")  # fmt: skip
        parity, scores = _compare(order, learner, held, floats, fresh / GRAPH, say)
        problems = parity.problems()
        if problems and not order.force:
            raise ModelError("not exported: " + "; ".join(problems) + " (--force writes it anyway)")
        words = networks.metadata(weights_folder(order.run))
        networks.save(learner.network, fresh, {key: words[key] for key in words if key != "format"})
        found = manifest(
            fresh, [name for name in FILES if name != CARD], networks.sizes_of(learner.network),
            networks.parameters(learner.network),
            training_record(order.run, json.loads(words.get("training", "{}")), order.shards,
                            corpora),
            {"held_out": {part: each.as_json(names) for part, each in scores.items()},
             "speed": speed((fresh / GRAPH).read_bytes()).as_json()},
            parity,
        )  # fmt: skip
        _publish(order.out, fresh, found, card(found, corpora))
    sizes = {name: (order.out / name).stat().st_size for name in (*FILES, MANIFEST)}
    return Exported(parity, sizes, problems)


def _held(order: Order, learner: Learner) -> dict[str, list[Batch]]:
    plan = FeedPlan(4_000, learner.longest, learner.vocabulary, learner.pad, learner.end,
                    order.seed)  # fmt: skip
    found = {
        part: held_batches(order.shards / part, plan, order.held_tokens)
        for part in HELD if (order.shards / part).is_dir()
    }  # fmt: skip
    if not any(found.values()):
        raise CorpusError(f"{order.shards} has no held-out samples to compare answers on")
    return found


def _compare(
    order: Order, learner: Learner, held: dict[str, list[Batch]], floats: Path, int8: Path,
    say: Callable[[str], None],
) -> tuple[Parity, dict[str, Score]]:  # fmt: skip
    """Hold the graphs against torch; returns also what int8 scores, by held-out part."""
    every = [batch for batches in held.values() for batch in batches]
    prompts = prompts_of(every, order.prompts, learner.longest - order.longest, order.seed)
    whole, small = floats.read_bytes(), int8.read_bytes()
    torchs = torch_texts(learner.network, prompts, order.longest, learner.end)
    same = _equal(torchs, graph_texts(whole, prompts, order.longest, learner.end))
    same_int8 = _equal(torchs, graph_texts(small, prompts, order.longest, learner.end))
    say(f"torch's text, of {len(prompts)} prompts: float32 {same}, int8 {same_int8}")
    in_float = graph_score(whole, every)
    scores = {part: graph_score(small, batches) for part, batches in held.items()}
    exact = sum(each.all.exact for each in scores.values())
    answers = in_float.all.answers
    parity = Parity(
        difference(whole, learner.network, every[:8]),
        len(prompts), same, same_int8, answers,
        in_float.all.exact_share if answers else None,
        exact / answers if answers else None,
    )  # fmt: skip
    say(f"whole held-out answers, of {answers}: float32 {100 * (parity.exact or 0):.2f} %, "
        f"int8 {100 * (parity.exact_int8 or 0):.2f} %; float32 logits differ by "
        f"{parity.difference:.1e} at most")  # fmt: skip
    return parity, scores


def _equal(theirs: Sequence[tuple[int, ...]], ours: Sequence[tuple[int, ...]]) -> int:
    return sum(one == other for one, other in zip(theirs, ours, strict=True))


def _publish(out: Path, fresh: Path, found: dict[str, Any], text: str) -> None:
    """Move the files into the folder: a manifest never stands beside files it does not describe
    for longer than it takes to rename them, and then their hashes differ."""
    (fresh / CARD).write_text(text, encoding="utf-8")
    found["files"][CARD] = fingerprint(fresh / CARD)
    (fresh / MANIFEST).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    out.mkdir(parents=True, exist_ok=True)
    for name in (*FILES, MANIFEST):
        shutil.copyfile(fresh / name, out / (name + ".tmp"))
    for name in (*FILES, MANIFEST):
        os.replace(out / (name + ".tmp"), out / name)
