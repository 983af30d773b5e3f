"""The order and the shape of what is learned; no torch is needed for these."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

np = pytest.importorskip("numpy", reason="batches need numpy: pip install 'nsdbg[cpu]'")

from training import capitals, write_samples  # noqa: E402

from nsdbg.errors import CorpusError  # noqa: E402
from nsdbg.model.batches import Feed, FeedPlan, make_batch, plan_batches  # noqa: E402
from nsdbg.model.heldout import Count, held_batches, score  # noqa: E402
from nsdbg.model.packed import Packed, join, read_packed, write_packed  # noqa: E402
from nsdbg.model.schedule import Schedule  # noqa: E402

PAD, END = 0, 1
PLAN = FeedPlan(batch_tokens=60, longest=64, vocabulary=774, pad=PAD, end=END, round_tokens=1)


def packed(*samples: tuple[list[int], list[int]], kinds: list[int] | None = None) -> Packed:
    lengths = [len(tokens) for tokens, _ in samples]
    return Packed(
        np.array([token for tokens, _ in samples for token in tokens], np.uint16),
        np.array([mark for _, marks in samples for mark in marks], np.uint8),
        np.cumsum([0, *lengths]),
        np.array(kinds or [0] * len(samples), np.uint8),
    )


TWO = packed(([5, 6, 7, END], [0, 0, 1, 1]), ([8, 9], [0, 1]), kinds=[3, 4])


def test_a_batch_predicts_each_token_to_be_learned_from_the_one_before_it() -> None:
    batch = make_batch(TWO, [0, 1], PAD, END)
    assert batch.tokens.tolist() == [[5, 6, 7], [8, 9, PAD]]
    assert batch.wanted.tolist() == [7, END, 9]
    assert batch.tokens.ravel()[batch.places].tolist() == [6, 7, 8]
    assert batch.size == 6


def test_the_context_is_all_that_is_not_to_be_learned_but_the_first_tokens() -> None:
    batch = make_batch(TWO, [0, 1], PAD, END)
    assert batch.around.tolist() == [6]
    assert batch.tokens.ravel()[batch.context].tolist() == [5]


def test_an_answer_is_a_run_of_tokens_to_be_learned_and_ends_behind_the_end() -> None:
    several = packed(
        ([5, 6, END, 7, END, 8, 9, END], [0, 1, 1, 1, 1, 0, 1, 1]), ([4, 4], [0, 1]), kinds=[2, 3]
    )
    batch = make_batch(several, [0, 1], PAD, END)
    assert batch.answers.tolist() == [0, 0, 1, 1, 2, 2, 3]
    assert batch.kinds.tolist() == [2, 2, 2, 3]


def test_a_first_token_is_never_learned_since_nothing_stands_before_it() -> None:
    batch = make_batch(packed(([5, 6, 7], [1, 0, 1])), [0], PAD, END)
    assert batch.wanted.tolist() == [7]


def test_batches_hold_every_sample_that_fits_once_and_keep_to_their_size() -> None:
    samples = capitals(100)
    batches = plan_batches(samples, 60, 64, 0)
    assert sorted(one for batch in batches for one in batch) == list(range(100))
    widths = [max(samples.lengths[batch]) * len(batch) for batch in batches]
    assert max(widths) <= 60


def test_the_order_of_batches_is_that_of_the_seed() -> None:
    samples = capitals(50)
    assert plan_batches(samples, 60, 64, 7) == plan_batches(samples, 60, 64, 7)
    assert plan_batches(samples, 60, 64, 7) != plan_batches(samples, 60, 64, 8)


def test_samples_that_are_too_long_or_teach_nothing_are_left_out() -> None:
    samples = packed(([5] * 9, [1] * 9), ([5, 6], [0, 0]), ([5, 6], [0, 1]), ([5], [1]))
    assert plan_batches(samples, 60, 8, 0) == [[2]]


def tokens_of(feed: Feed, count: int) -> list[list[int]]:
    return [next(feed).tokens.ravel().tolist() for _ in range(count)]


def test_a_round_holds_every_sample_of_its_files_once(tmp_path: Path) -> None:
    folder = write_samples(tmp_path, files=1) / "train"
    feed, sizes = Feed(folder, PLAN), 0
    batch = next(feed)
    while feed.position.round == 1:
        sizes += batch.size
        batch = next(feed)
    assert sizes == len(read_packed(folder / "part-0.npz").tokens)


def test_a_feed_that_is_taken_up_again_goes_on_where_it_was(tmp_path: Path) -> None:
    folder = write_samples(tmp_path) / "train"
    feed = Feed(folder, PLAN)
    tokens_of(feed, 5)
    again = Feed(folder, PLAN, feed.position)
    assert tokens_of(again, 200) == tokens_of(feed, 200)
    assert again.position == feed.position


def test_files_that_appear_meanwhile_are_in_the_next_round(tmp_path: Path) -> None:
    folder = write_samples(tmp_path, files=1) / "train"
    feed = Feed(folder, replace(PLAN, in_order=True))
    next(feed)
    write_packed(folder / "part-7.npz", capitals(10))
    while feed.position.round == 1:
        next(feed)
    assert feed.position.files == ("part-7.npz",)


def test_a_file_that_comes_late_is_not_caught_up_on(tmp_path: Path) -> None:
    folder = write_samples(tmp_path, files=1, each=10) / "train"
    feed = Feed(folder, PLAN)
    while feed.position.round < 5:
        next(feed)
    write_packed(folder / "part-7.npz", capitals(10))
    while feed.position.round < 9:
        next(feed)
    assert dict(feed.position.uses) == {"part-0.npz": 7, "part-7.npz": 7}


def test_in_order_takes_files_by_their_names(tmp_path: Path) -> None:
    folder = write_samples(tmp_path, files=5, each=10) / "train"
    feed = Feed(folder, replace(PLAN, in_order=True))
    seen: list[tuple[str, ...]] = []
    while feed.position.round <= 5:
        if not seen or seen[-1] != feed.position.files:
            seen.append(feed.position.files)
        next(feed)
    assert [name for files in seen for name in files] == [f"part-{n}.npz" for n in range(5)]


def test_a_damaged_file_is_left_out_with_a_word(tmp_path: Path) -> None:
    folder = write_samples(tmp_path, files=1, each=10) / "train"
    (folder / "broken.npz").write_bytes(b"PK nothing")
    feed = Feed(folder, replace(PLAN, round_tokens=10**6))
    next(feed)
    assert feed.position.files == ("part-0.npz",)
    assert "broken.npz does not hold samples" in feed.skipped[0]


def test_samples_of_another_vocabulary_are_refused(tmp_path: Path) -> None:
    folder = write_samples(tmp_path, files=1, each=10) / "train"
    with pytest.raises(CorpusError, match="the network knows 50"):
        next(Feed(folder, replace(PLAN, vocabulary=50)))


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="holds no samples"):
        next(Feed(tmp_path, PLAN))


def test_joined_samples_are_those_of_the_parts() -> None:
    whole = join([TWO, TWO])
    assert whole.starts.tolist() == [0, 4, 6, 10, 12]
    assert whole.learned.tolist() == [2, 1, 2, 1]
    assert make_batch(whole, [2], PAD, END).wanted.tolist() == [7, END]


@pytest.mark.parametrize(
    ("starts", "kinds"), [([0, 3], [0]), ([1, 4], [0]), ([0, 4], [0, 0]), ([0, 5, 4], [0, 0])]
)
def test_bounds_that_do_not_fit_the_tokens_are_refused(starts: list[int], kinds: list[int]) -> None:
    with pytest.raises(ValueError, match="bounds"):
        Packed(np.zeros(4), np.zeros(4), np.array(starts), np.array(kinds))


def test_a_file_with_pickled_objects_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "part.npz"
    np.savez(path, tokens=np.array([{}], object), loss=[0], starts=[0, 1], kinds=[0])
    with pytest.raises(CorpusError, match=r"part\.npz does not hold samples"):
        read_packed(path)


def test_the_learning_rate_rises_stays_and_falls_to_nothing() -> None:
    schedule = Schedule(peak=1.0, warm_steps=10, cooling=0.5)
    assert schedule.rate(0, 0.0) == pytest.approx(0.1)
    assert schedule.rate(0, 0.05) == pytest.approx(0.5)
    assert schedule.rate(50, 0.5) == 1.0
    assert schedule.rate(50, 0.625) == pytest.approx(0.5)
    assert schedule.rate(50, 1.0) == 0.0


def test_an_answer_counts_when_all_its_tokens_are_the_first_choice() -> None:
    batch = make_batch(TWO, [0, 1], PAD, END)
    logits = np.full((3, 10), -10.0)
    logits[0, 7], logits[1, 2], logits[2, 9] = 10, 10, 10  # right, wrong, right
    found = score([batch], lambda _: logits)
    assert found.kinds == ((3, Count(1, 0, 2, 1)), (4, Count(1, 1, 1, 1)))
    assert found.all.exact_share == 0.5
    assert found.loss == pytest.approx(20 / 3, abs=1e-4)


def test_a_score_names_its_tasks() -> None:
    batch = make_batch(TWO, [0, 1], PAD, END)
    found = score([batch], lambda _: np.eye(10)[batch.wanted] * 50)
    shown = found.as_json(("a", "b", "c", "values"))
    assert shown["kinds"]["values"] == {
        "answers": 1, "exact": 1.0, "tokens": 2, "token_accuracy": 1.0,
    }  # fmt: skip
    assert "task 4" in shown["kinds"]


def test_held_out_batches_are_the_same_every_time_and_keep_to_their_size(tmp_path: Path) -> None:
    folder = write_samples(tmp_path) / "held"
    one, other = (held_batches(folder, PLAN, 200) for _ in range(2))
    assert [batch.wanted.tolist() for batch in one] == [batch.wanted.tolist() for batch in other]
    assert 100 < sum(batch.size for batch in one) <= 200
    assert len(held_batches(folder, PLAN, 10**6)) > len(one)
