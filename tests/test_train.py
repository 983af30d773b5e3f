"""Training: that it learns, that it can be stopped and taken up again, and what it refuses."""

from __future__ import annotations

import json
import os
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from training import capitals, needs_torch, tiny, write_samples

from nsdbg.errors import CorpusError, ModelError

pytestmark = needs_torch


def plan(tmp_path: Path, **changes: Any) -> Any:
    """Return a plan over new samples in tmp_path, for 4 steps unless said otherwise."""
    from nsdbg.model.train import Plan

    if not (tmp_path / "samples").exists():
        write_samples(tmp_path / "samples")
    settled = Plan(
        tmp_path / "samples", tmp_path / "run", minutes=5, steps=4, rate=1e-2, batch_tokens=200,
        threads=1, context=0.0,
    )  # fmt: skip
    return replace(settled, **changes)


def quiet(line: str) -> None:
    """Take a line of progress and show it to nobody."""


def weights(network: Any) -> dict[str, Any]:
    return {name: weight.tolist() for name, weight in network.state_dict().items()}


@pytest.fixture
def steady(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the learning rate, so that a run in two parts can equal a run in one."""
    from nsdbg.model.schedule import Schedule

    monkeypatch.setattr(Schedule, "rate", lambda self, step, share: 1e-3)


def test_it_learns_to_answer_whole_questions(tmp_path: Path) -> None:
    from nsdbg.model.train import train

    outcome = train(plan(tmp_path, steps=100), tiny(), quiet, ("one", "two"))
    found = outcome.scores["held"]
    assert found.loss < 0.5
    assert found.all.exact_share > 0.8
    assert not outcome.interrupted


def test_it_writes_what_it_came_to(tmp_path: Path) -> None:
    from nsdbg.model.network import metadata
    from nsdbg.model.train import train
    from nsdbg.propose.codec.vocabulary import VERSION

    said: list[str] = []
    order = plan(tmp_path, steps=6, say_every_s=0.0, score_every_s=0.0)
    outcome = train(order, tiny(), said.append, ("one", "two"))
    rows = [json.loads(line) for line in (order.out / "log.jsonl").read_text().splitlines()]
    assert [row["step"] for row in rows if row["event"] == "progress"] == [1, 2, 3, 4, 5, 6]
    assert rows[-1]["parts"]["held"]["kinds"]["two"]["answers"] > 0
    assert any("tokens/s" in line for line in said)
    words = metadata(order.out / "best")
    assert words["codec"] == VERSION
    assert json.loads(words["training"])["held_out"]["held"]["loss"] == pytest.approx(
        outcome.progress.best, abs=1e-4
    )


def test_weights_that_score_worse_do_not_replace_the_best(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from nsdbg.model import train as training
    from nsdbg.model.heldout import Score

    first = training.train(plan(tmp_path), tiny(), quiet)
    best = tmp_path / "run" / "best" / "model.safetensors"
    before = best.read_bytes()
    for loss, kept in ((99.0, True), (0.5, False)):
        monkeypatch.setattr(training, "score", lambda *_, loss=loss: Score(loss, ()))
        later = training.train(plan(tmp_path), tiny(), quiet, resume=tmp_path / "run")
        assert (best.read_bytes() == before) is kept
        assert later.progress.best == (first.progress.best if kept else 0.5)


@pytest.mark.usefixtures("steady")
def test_a_run_in_two_parts_equals_a_run_in_one(tmp_path: Path) -> None:
    from nsdbg.model.train import train

    whole, parts = tiny(), tiny()
    train(plan(tmp_path, steps=6, out=tmp_path / "whole"), whole, quiet)
    train(plan(tmp_path, steps=2, out=tmp_path / "parts"), parts, quiet)
    again = tiny(seed=5)
    order = plan(tmp_path, steps=4, out=tmp_path / "parts")
    outcome = train(order, again, quiet, resume=tmp_path / "parts")
    assert outcome.progress.step == 6
    assert weights(again.network) == weights(whole.network)


def test_a_signal_ends_it_with_a_checkpoint_and_the_clock_goes_on(tmp_path: Path) -> None:
    from nsdbg.model.train import train

    def stop(line: str) -> None:
        if line.startswith("step 3"):
            os.kill(os.getpid(), signal.SIGTERM)

    before = signal.getsignal(signal.SIGTERM)
    outcome = train(plan(tmp_path, steps=50, say_every_s=0.0), tiny(), stop)
    assert outcome.interrupted
    assert outcome.progress.step == 3
    assert signal.getsignal(signal.SIGTERM) == before
    order = plan(tmp_path, minutes=None, steps=2)
    later = train(order, tiny(), quiet, resume=tmp_path / "run")
    assert later.progress.step == 5
    assert later.progress.box_s == 300
    assert later.progress.elapsed_s > outcome.progress.elapsed_s


def test_a_run_whose_time_is_over_asks_for_more(tmp_path: Path) -> None:
    from nsdbg.model.train import train

    train(plan(tmp_path, minutes=1e-6), tiny(), quiet)
    with pytest.raises(ModelError, match="give --minutes"):
        train(plan(tmp_path, minutes=None), tiny(), quiet, resume=tmp_path / "run")


def test_the_weights_alone_are_enough_to_go_on_from(tmp_path: Path) -> None:
    from nsdbg.model.learner import learner_of
    from nsdbg.model.train import train

    first = train(plan(tmp_path, steps=60), tiny(), quiet)
    best = tmp_path / "run" / "best"
    learner = learner_of(best)
    outcome = train(plan(tmp_path, steps=1, out=tmp_path / "more"), learner, quiet, resume=best)
    assert outcome.progress.step == 1
    assert first.scores["held"].loss < 5
    assert outcome.scores["held"].loss < first.scores["held"].loss + 0.3


def test_with_a_weight_on_the_context_the_questions_are_learned_too(tmp_path: Path) -> None:
    import torch

    from nsdbg.model.batches import make_batch
    from nsdbg.model.train import Training

    batch = make_batch(capitals(20), range(20), 0, 1)
    training = Training(plan(tmp_path, context=0.5), tiny(), quiet, (), None)
    with torch.no_grad():
        answers, total = training._losses(batch)
        alone = Training(plan(tmp_path), tiny(), quiet, (), None)._losses(batch)
    assert float(alone[0]) == float(alone[1]) == pytest.approx(float(answers), rel=1e-3)
    # An untrained network is about as unsure of the context as of the answers.
    assert float(total) == pytest.approx(1.5 * float(answers), rel=0.05)


def test_weights_come_back_as_they_were_saved(tmp_path: Path) -> None:
    import torch

    from nsdbg.model import network as networks

    network = tiny().network
    networks.save(network, tmp_path, {})
    again = networks.load(tmp_path)
    for name, weight in network.state_dict().items():
        assert torch.equal(again.state_dict()[name], weight.to(torch.bfloat16).float()), name
    assert networks.sizes_of(again) == networks.sizes_of(network)
    assert again.lm_head.weight is again.model.embed_tokens.weight


def test_a_damaged_checkpoint_is_refused(tmp_path: Path) -> None:
    from nsdbg.model.train import train

    train(plan(tmp_path), tiny(), quiet)
    (tmp_path / "run" / "last.safetensors").write_bytes(b"cut")
    with pytest.raises(ModelError, match="not a checkpoint to go on from"):
        train(plan(tmp_path), tiny(), quiet, resume=tmp_path / "run")


def test_a_checkpoint_of_other_sizes_is_refused(tmp_path: Path) -> None:
    from nsdbg.model.learner import own_learner
    from nsdbg.model.network import Sizes
    from nsdbg.model.train import train
    from nsdbg.propose.codec.vocabulary import SIZE

    train(plan(tmp_path), tiny(), quiet)
    other = own_learner(Sizes(SIZE, 32, 1, 32, 2, 1, 64), 0)
    with pytest.raises(ModelError, match="of another network"):
        train(plan(tmp_path), other, quiet, resume=tmp_path / "run")


def test_weights_of_another_codec_are_refused(tmp_path: Path) -> None:
    from nsdbg.model import network as networks
    from nsdbg.model.learner import learner_of

    networks.save(tiny().network, tmp_path, {"codec": "0-older"})
    with pytest.raises(ModelError, match="trained for codec 0-older"):
        learner_of(tmp_path)


def test_samples_of_another_codec_are_refused(tmp_path: Path) -> None:
    from nsdbg.model.learner import check_samples

    (tmp_path / "shards.json").write_text('{"codec": "0-older"}')
    with pytest.raises(CorpusError, match="made with codec 0-older"):
        check_samples(tmp_path)


def test_logits_at_places_are_those_of_the_whole_network() -> None:
    import torch

    from nsdbg.model.network import logits_at

    network = tiny().network.eval()
    tokens = torch.tensor([[5, 9, 7, 3], [4, 4, 0, 0]])
    with torch.no_grad():
        whole = network(input_ids=tokens).logits.flatten(0, 1)
        found = logits_at(network, tokens, torch.tensor([0, 3, 5]))
    torch.testing.assert_close(found, whole[[0, 3, 5]])


def test_padding_at_the_right_changes_nothing_before_it() -> None:
    import torch

    from nsdbg.model.network import logits_at

    network = tiny().network.eval()
    with torch.no_grad():
        alone = logits_at(network, torch.tensor([[5, 9]]), torch.tensor([1]))
        padded = logits_at(network, torch.tensor([[5, 9, 0, 0]]), torch.tensor([1]))
    torch.testing.assert_close(alone, padded)


def test_attention_with_shared_keys_is_that_of_transformers() -> None:
    import torch

    network = tiny().network.eval()
    tokens = torch.tensor([[5, 9, 7, 3, 8]])
    with torch.no_grad():
        ours = network(input_ids=tokens).logits
        network.set_attn_implementation("sdpa")
        theirs = network(input_ids=tokens).logits
    torch.testing.assert_close(ours, theirs, atol=1e-5, rtol=1e-4)


def test_heads_that_cannot_share_evenly_are_refused() -> None:
    from nsdbg.model.network import Sizes

    with pytest.raises(ValueError, match="3 keys evenly"):
        Sizes(100, shared=3)
    with pytest.raises(ValueError, match="heads of an even width"):
        Sizes(100, hidden=30, heads=2, shared=1)
