"""Export: that the graph does what the network does, and the folder can be used; what fails."""

from __future__ import annotations

import hashlib
import importlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from training import needs_torch, tiny, write_samples

from nsdbg.errors import CorpusError, ModelError

pytestmark = needs_torch

CORPUS = {
    "episodes": 1234, "states": 5678, "sources": {"generated": 1234},
    "licences": {"BSD | MIT": 1234}, "interpreters": {"3.11.7": 1234},
}  # fmt: skip


def quiet(line: str) -> None:
    """Take a line of progress and show it to nobody."""


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with samples and a run that has learned them."""
    from nsdbg.model.train import Plan, train

    folder = tmp_path_factory.mktemp("trained")
    samples = write_samples(folder / "samples")
    plan = Plan(samples, folder / "run", minutes=5, steps=100, rate=1e-2, batch_tokens=200,
                threads=1, context=0.0)  # fmt: skip
    train(plan, tiny(), quiet, ("one", "two"))
    (folder / "corpus.manifest.json").write_text(json.dumps(CORPUS))
    return folder


def order(trained: Path, out: Path, **changes: Any) -> Any:
    from nsdbg.model.export import Order

    settled = Order(
        trained / "run", trained / "samples", out, (trained / "corpus.manifest.json",), prompts=12,
        longest=8,
    )  # fmt: skip
    return replace(settled, **changes)


@pytest.fixture(scope="module")
def exported(trained: Path) -> Path:
    """Return a folder with an exported model."""
    from nsdbg.model.export import export

    export(order(trained, trained / "model"), quiet, ("one", "two"))
    return trained / "model"


def manifest(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "manifest.json").read_text())
    return found


def test_the_graph_in_float32_answers_as_torch_does(exported: Path) -> None:
    parity = manifest(exported)["parity"]
    assert parity["difference"] < parity["tolerance"] == 1e-3
    assert parity["same"] == parity["prompts"] == 12


def test_int8_loses_hardly_an_answer(exported: Path) -> None:
    parity = manifest(exported)["parity"]
    assert parity["answers"] > 40
    assert parity["exact"] > 0.6
    assert parity["exact_int8"] >= parity["exact"] - 0.01


def test_the_manifest_has_the_hash_and_the_size_of_each_file(exported: Path) -> None:
    files = manifest(exported)["files"]
    assert sorted(path.name for path in exported.iterdir()) == sorted([*files, "manifest.json"])
    for name, said in files.items():
        content = (exported / name).read_bytes()
        assert said == {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}


def test_the_engine_answers_from_the_folder_what_was_learned(exported: Path) -> None:
    from training import CAPITAL, FIRST

    from nsdbg.propose.codec import vocabulary
    from nsdbg.propose.neural.engine import load

    engine = load(exported, "cpu")
    prompts = [[FIRST + 3, FIRST + letter] for letter in range(6)]
    answers = [sample.ids for sample in engine.greedy(prompts, 6)]
    right = [(CAPITAL + letter, vocabulary.END) for letter in range(6)]
    assert sum(one == other for one, other in zip(answers, right, strict=True)) >= 4


def test_the_context_is_what_the_network_was_trained_for(exported: Path) -> None:
    from nsdbg.propose.codec.vocabulary import VERSION
    from nsdbg.propose.neural.folder import read_folder

    assert read_folder(exported, VERSION).context == 64


def test_the_weights_are_kept_to_go_on_from(exported: Path, trained: Path) -> None:
    import torch

    from nsdbg.model.learner import learner_of

    kept, best = (learner_of(folder).network.state_dict() for folder in (exported, trained / "run"))
    assert all(torch.equal(kept[name], best[name]) for name in best)


def test_the_matrices_are_int8_and_the_embedding_is_not(exported: Path) -> None:
    # By name: to type checkers `import onnx` would be the folder of that name beside nsdbg/.
    onnx: Any = importlib.import_module("onnx")
    graph = onnx.load(exported / "model.onnx").graph
    kinds = [node.op_type for node in graph.node]
    assert kinds.count("MatMulNBits") == 7  # query, key, value, output; gate, up, down
    embedding = next(each for each in graph.initializer if "embed_tokens" in each.name)
    assert embedding.data_type == onnx.TensorProto.FLOAT


def test_the_card_says_data_licences_sizes_metrics_and_limits(exported: Path) -> None:
    text = (exported / "README.md").read_text()
    for said in ("| corpus | 1,234 | 5,678 | generated |", "| BSD \\| MIT | 1,234 |",
                 "## Limits", "## What it reaches", "| two |", "12 held-out prompts"):  # fmt: skip
        assert said in text


def test_the_manifest_tells_how_the_weights_were_made(exported: Path) -> None:
    found = manifest(exported)
    assert found["training"]["step"] <= 100
    assert found["training"]["batch_tokens"] == 200
    assert found["training"]["traces"]["corpus"]["episodes"] == 1234
    assert found["network"]["parameters"] < 20_000
    assert found["metrics"]["held_out"]["held"]["kinds"]["one"]["exact"] > 0.6
    assert found["metrics"]["speed"]["token_ms"] > 0


def test_a_graph_that_differs_from_torch_is_not_written(
    trained: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from nsdbg.model import export as exporting

    monkeypatch.setattr(exporting, "difference", lambda *_: 0.5)
    (tmp_path / "model.onnx").write_text("the one before")
    with pytest.raises(ModelError, match=r"logits differ by 0\.5 .*--force"):
        exporting.export(order(trained, tmp_path), quiet)
    assert [path.name for path in tmp_path.iterdir()] == ["model.onnx"]
    assert (tmp_path / "model.onnx").read_text() == "the one before"
    forced = exporting.export(order(trained, tmp_path, force=True), quiet)
    assert len(forced.problems) == 1
    assert manifest(tmp_path)["parity"]["difference"] == 0.5


def test_lost_answers_and_other_texts_are_problems() -> None:
    from nsdbg.model.parity import Parity

    assert Parity(1e-5, 200, 200, 150, 1000, 0.50, 0.491).problems() == []
    assert "1.2 points fewer" in Parity(1e-5, 200, 200, 200, 1000, 0.50, 0.488).problems()[0]
    assert "1 of 200 prompts" in Parity(1e-5, 200, 199, 200, 0, None, None).problems()[0]


def test_a_folder_that_python_could_import_is_refused(trained: Path, tmp_path: Path) -> None:
    from nsdbg.model.export import export

    (tmp_path / "__init__.py").touch()
    with pytest.raises(ModelError, match="must not be importable"):
        export(order(trained, tmp_path, prompts=1, held_tokens=50), quiet)


def test_without_held_out_samples_nothing_is_exported(trained: Path, tmp_path: Path) -> None:
    from nsdbg.model.export import export

    with pytest.raises(CorpusError, match="no held-out samples"):
        export(order(trained, tmp_path / "out", shards=tmp_path), quiet)
    assert not (tmp_path / "out").exists()


def test_what_is_no_manifest_of_a_corpus_is_refused(tmp_path: Path) -> None:
    from nsdbg.model.manifest import read_corpora

    (tmp_path / "x.json").write_text("[1]")
    with pytest.raises(CorpusError, match="not the manifest of a corpus"):
        read_corpora([tmp_path / "x.json"])
