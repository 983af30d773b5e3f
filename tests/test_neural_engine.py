"""The engine against the same network computed plainly, without a cache."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest

np = pytest.importorskip("numpy")
pytest.importorskip("onnxruntime")

from tiny_network import Tiny, onnx_bytes, tiny, write_model  # noqa: E402

from nsdbg.errors import ModelError  # noqa: E402
from nsdbg.propose.codec import vocabulary  # noqa: E402
from nsdbg.propose.neural import engine as engines  # noqa: E402
from nsdbg.propose.neural.engine import BLOCK, Engine, load  # noqa: E402
from nsdbg.propose.neural.network import open_network  # noqa: E402
from nsdbg.propose.neural.sampling import Beams, log_softmax  # noqa: E402

PROMPT = [7, 40, 300, 41, 7, 99, 12]
LONG = [(7 * at) % 700 + 2 for at in range(3 * BLOCK + 5)]


def made(net: Tiny) -> Engine:
    return Engine(open_network(onnx_bytes(net), "cpu"), end=net.end)


@pytest.fixture(scope="module")
def net() -> Tiny:
    return tiny()


@pytest.fixture(scope="module")
def engine(net: Tiny) -> Engine:
    return made(net)


def plain_greedy(net: Tiny, prompt: list[int], longest: int) -> list[int]:
    ids = list(prompt)
    for _ in range(longest):
        ids.append(int(net.logits(ids)[-1].argmax()))
        if ids[-1] == net.end:
            break
    return ids[len(prompt) :]


def plain_logp(net: Tiny, prompt: list[int], ids: tuple[int, ...]) -> float:
    rows = log_softmax(net.logits([*prompt, *ids]))[len(prompt) - 1 :]
    return float(sum(rows[at][token] for at, token in enumerate(ids)))


@pytest.mark.parametrize("prompt", [PROMPT, LONG, [5]])
def test_the_greedy_answer_is_that_of_the_network_without_a_cache(
    net: Tiny, engine: Engine, prompt: list[int]
) -> None:
    [answer] = engine.greedy([prompt], 12)
    assert list(answer.ids) == plain_greedy(net, prompt, 12)
    assert answer.logp == pytest.approx(plain_logp(net, prompt, answer.ids), abs=1e-3)


def test_prompts_of_different_lengths_are_answered_as_each_alone(net: Tiny, engine: Engine) -> None:
    prompts = [LONG[:size] for size in (1, 70, 3, 12, 140, 9, 33, 2)] * 3
    together = engine.greedy(prompts, 8)
    assert [list(one.ids) for one in together] == [plain_greedy(net, p, 8) for p in prompts]


def test_samples_differ_end_and_come_with_their_logp(net: Tiny, engine: Engine) -> None:
    [found] = engine.sample([PROMPT], 12, seed=3, temperature=1.0, longest=8)
    assert len(found) > 3
    assert list(found[0].ids) == plain_greedy(net, PROMPT, 8)
    assert len({one.ids for one in found}) == len(found)
    others = found[1:]
    assert all(one.ids[-1] == net.end and net.end not in one.ids[:-1] for one in others)
    assert [one.logp for one in others] == sorted((one.logp for one in others), reverse=True)
    for one in found:
        assert one.logp == pytest.approx(plain_logp(net, PROMPT, one.ids), abs=1e-3)


def test_one_sample_is_the_greedy_answer(engine: Engine) -> None:
    [[only]] = engine.sample([PROMPT], 1, seed=0, temperature=1.0, longest=9)
    assert only.ids == engine.greedy([PROMPT], 9)[0].ids


def test_same_seed_same_samples_whatever_was_asked_before(net: Tiny) -> None:
    fresh, used = made(net), made(net)
    used.sample([LONG, LONG[:100], PROMPT], 4, seed=1, temperature=1.0, longest=6)
    used.score(LONG[:BLOCK], LONG[BLOCK:])
    asked = [LONG, LONG[:90]]
    first = fresh.sample(asked, 6, seed=8, temperature=1.3, longest=6)
    assert used.sample(asked, 6, seed=8, temperature=1.3, longest=6) == first
    assert used.sample(asked[::-1], 6, seed=8, temperature=1.3, longest=6) == first[::-1]
    assert used.sample(asked, 6, seed=9, temperature=1.3, longest=6) != first


def test_blocks_that_were_read_are_not_read_again(net: Tiny) -> None:
    engine = made(net)
    reads: list[int] = []
    read = engine._network.read

    def counting(ids: object, *rest: object, **named: object) -> object:
        reads.append(np.shape(ids)[1])
        return read(ids, *rest, **named)  # type: ignore[arg-type]

    engine._network.read = counting  # type: ignore[method-assign,assignment]
    engine.score(LONG, [5])
    assert reads == [BLOCK, BLOCK, BLOCK, 5]
    engine.score([*LONG[: 2 * BLOCK], 9, 9], [5])
    assert reads[4:] == [2]


def test_a_score_is_the_logp_of_each_token(net: Tiny, engine: Engine) -> None:
    text = [4, 300, 301, net.end]
    rows = log_softmax(net.logits([*PROMPT, *text]))[len(PROMPT) - 1 :]
    wanted = [float(rows[at][token]) for at, token in enumerate(text)]
    assert engine.score(PROMPT, text) == pytest.approx(wanted, abs=1e-3)
    assert engine.score(PROMPT, []) == []


def test_a_thread_answers_as_if_the_whole_text_were_the_prompt(net: Tiny, engine: Engine) -> None:
    thread = engine.open(LONG)
    text = list(LONG)
    for more in ([], [30, 31, 32], [8]):
        thread.append(more)
        text += more
        answer = thread.answer(5)
        assert list(answer.ids) == plain_greedy(net, text, 5)
        assert answer.logp == pytest.approx(plain_logp(net, text, answer.ids), abs=1e-3)
        text += answer.ids


def test_what_the_context_cannot_hold_has_no_answer(net: Tiny) -> None:
    engine = made(net)
    engine.context = 20
    assert engine.sample([LONG[:17]], 3, 0, 1.0, 4) == [[]]
    too_long, short = engine.greedy([LONG[:17], [5]], 4)
    assert too_long.ids == ()
    assert 1 <= len(short.ids) <= 4
    assert engine.score(LONG[:17], [5, 5, 5, 5]) == []
    assert engine.sample([LONG[:16]], 3, 0, 1.0, 4) != [[]]
    thread = engine.open(LONG[:14])
    thread.append([5, 6])
    answers = [thread.answer(3) for _ in range(4)]
    assert thread.full
    assert answers[-1].ids == ()
    assert sum(len(one.ids) for one in answers) <= 20 - 16 + 1


def test_nothing_and_what_is_no_token_have_no_answer(engine: Engine) -> None:
    assert engine.sample([[], [-1], [10**6]], 3, 0, 1.0, 4) == [[], [], []]
    assert engine.open([]).answer(3).ids == ()


def two_steps(logits: list[list[float]], beams: Beams) -> None:
    """Walk a tree of two levels: the second row of logits depends on the first token."""
    table = np.array(logits, np.float32)
    tokens, _ = beams.advance(table[:1])
    tokens, _ = beams.advance(table[1 + tokens])
    assert len(tokens) == 0


TREE = [[0.5, 1.0, -9.0], [-50.0, -50.0, 2.0], [1.0, -50.0, 0.3], [0.0, 0.0, 0.0]]
END = 2


def test_beams_as_wide_as_the_tree_hold_every_answer_once() -> None:
    beams = Beams(50, 0, 1.0, END)
    table = np.array([[0.1, 0.5, 1.0]], np.float32)
    for _ in range(3):
        tokens, _ = beams.advance(np.repeat(table, max(1, len(beams._open)), axis=0))
    p = np.exp(log_softmax(table))[0]
    wanted = {
        (*head, END): float(np.log(np.prod([p[one] for one in head]) * p[END]))
        for size in range(3)
        for head in itertools.product((0, 1), repeat=size)
    }
    ended = {one.ids: one.logp for one in beams.samples() if one.ids[-1] == END}
    assert ended == pytest.approx(wanted)
    assert len(tokens) == 8


def test_answers_are_drawn_as_likely_as_the_network_finds_them() -> None:
    """Beside the greedy answer, (0, 2), the one other of two is drawn from what it leaves."""
    logits = [[1.0, 0.0, -50.0], [-50.0, -50.0, 0.0], [-50.0, -50.0, 0.0], [0.0, 0.0, 0.0]]
    logits = [[1.0, 0.0, 0.4], *logits[1:]]
    drawn = {(1, 2): 0, (2,): 0}
    for seed in range(2000):
        beams = Beams(2, seed, 1.0, END)
        two_steps(logits, beams)
        greedy, other = beams.samples()
        assert greedy.ids == (0, 2)
        drawn[other.ids] += 1
    share = np.exp(0.0) / (np.exp(0.0) + np.exp(0.4))
    # Four standard deviations of a share of 2000 draws.
    assert abs(drawn[1, 2] / 2000 - share) < 4 * (share * (1 - share) / 2000) ** 0.5


def test_a_low_temperature_draws_the_likeliest_ones() -> None:
    table = np.array([[3.0, 2.0, 1.0, 0.0, -1.0]], np.float32)
    found = []
    for seed in range(20):
        beams = Beams(3, seed, 0.01, 0)
        beams.advance(table)
        found.append(sorted(one.ids for one in (*beams._ended, *beams._open)))
    assert all(ids == [(0,), (1,), (2,)] for ids in found)


def test_a_model_folder_is_loaded(tmp_path: Path) -> None:
    engine = load(write_model(tmp_path))
    assert engine.choice.device == "cpu"
    assert engine.context == 512
    assert engine.folder is not None
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    assert manifest["files"]["model.onnx"]["sha256"].startswith(engine.folder.short)


def test_a_network_with_another_number_of_tokens_is_refused(tmp_path: Path) -> None:
    folder = write_model(tmp_path, tiny(size=99, end=1))
    with pytest.raises(ModelError, match=f"99 tokens, and this nsdbg {vocabulary.SIZE}"):
        engines.load(folder)
