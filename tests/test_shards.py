"""Shards: samples come back as they were, and what is held out is held out by function."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from recorded import of_code, recorded

from nsdbg.episode import Episode, Listing, episode_json
from nsdbg.model.samples import Recipe, Sample, Task, samples
from nsdbg.model.shards import LONG_LINES, Split, root_text, save, write_shards
from nsdbg.programs import Level
from nsdbg.propose.codec import spelling
from nsdbg.propose.codec.vocabulary import VERSION

np = pytest.importorskip("numpy")
ALL = Recipe(1, 1, 1, 1)


def corpus(path: Path, episodes: Sequence[Episode]) -> Path:
    path.write_bytes(gzip.compress("".join(episode_json(e) + "\n" for e in episodes).encode()))
    return path


def loaded(folder: Path) -> list[Sample]:
    found = []
    for file in sorted(folder.glob("*.npz")):
        with np.load(file) as shard:
            starts = shard["starts"]
            assert (shard["tokens"].dtype, shard["loss"].dtype) == (np.uint16, np.uint8)
            assert (starts.dtype, shard["kinds"].dtype) == (np.int64, np.uint8)
            assert starts[0] == 0
            assert starts[-1] == len(shard["tokens"]) == len(shard["loss"])
            for at, kind in enumerate(shard["kinds"]):
                part = slice(starts[at], starts[at + 1])
                tokens, loss = shard["tokens"][part].tolist(), shard["loss"][part].tolist()
                found.append(Sample(tuple(tokens), tuple(map(bool, loss)), Task(int(kind))))
    return found


def test_samples_come_back_from_a_shard_as_they_were(tmp_path: Path) -> None:
    made = list(samples([list(recorded(5000, 10, Level.LINES)[:6])], ALL, 1))
    save(made, tmp_path / "part" / "a.npz")
    assert loaded(tmp_path / "part") == made
    assert [file.name for file in (tmp_path / "part").iterdir()] == ["a.npz"]


def test_encoding_a_corpus_gives_the_samples_of_its_parts_and_a_record(tmp_path: Path) -> None:
    episodes = recorded(5000, 10, Level.LINES)
    path = corpus(tmp_path / "mine.jsonl.gz", episodes)
    counts = write_shards([path], tmp_path / "out", recipe=ALL, split=Split(share=0.3), seed=5)
    record = json.loads((tmp_path / "out" / "shards.json").read_text())
    assert record["codec"] == VERSION
    assert record["counts"] == dict(counts)
    assert record["held"] == {"packages": [], "share": 0.3, "lines": LONG_LINES}
    for part in ("train", "held"):
        found = loaded(tmp_path / "out" / part)
        assert counts[part] == len(found) > 0
        assert counts[f"{part} tokens"] == sum(len(sample.tokens) for sample in found)
    again = write_shards([path], tmp_path / "again", recipe=ALL, split=Split(share=0.3), seed=5)
    assert again == counts
    assert loaded(tmp_path / "again" / "train") == loaded(tmp_path / "out" / "train")


def test_two_hands_encode_as_one_does(tmp_path: Path) -> None:
    paths = [corpus(tmp_path / f"{name}.jsonl.gz", recorded(5000, 10, Level.LINES)[at::2])
             for at, name in enumerate("ab")]  # fmt: skip
    for jobs in (1, 2):
        write_shards(paths, tmp_path / str(jobs), recipe=ALL, split=Split(), seed=2, jobs=jobs)
    assert loaded(tmp_path / "1" / "train") == loaded(tmp_path / "2" / "train")


def test_a_function_is_held_out_with_all_its_runs_whatever_it_calls() -> None:
    parts = []
    for number in range(12):
        code = f"def h(y):\n    return y\n\ndef f(x):\n    return x and h(x) + {number}"
        runs = of_code(code, "0", "1")
        assert [run.listings[0].qualname for run in runs] == ["f", "h"]
        assert root_text(runs[0]) == root_text(runs[1])
        parts.append({Split(share=0.5).part(run) for run in runs})
    assert all(len(found) == 1 for found in parts)
    assert set().union(*parts) == {"train", "held"}


def test_the_share_that_is_held_out_is_about_the_one_asked_for() -> None:
    (episode,) = of_code("def f(x):\n    return x", "1")
    split = Split(share=0.2)
    parts = []
    for number in range(500):
        text = f"def f(x):\n    return x + {number}"
        parts.append(split.part(replace(episode, listings=(Listing("m.py", "f", 1, text),))))
    assert 70 < parts.count("held") < 130
    assert parts.count("train") == 500 - parts.count("held")
    assert Split(share=0.0).part(episode) == "train"
    assert Split(share=1.0).part(episode) == "held"


def test_packages_and_long_functions_are_held_out_apart() -> None:
    (episode,) = of_code("def f(x):\n    return x", "1")
    split = Split(frozenset({"kept"}), 0.0)
    assert split.part(replace(episode, package="kept")) == "held-package"
    lines = "\n".join(["def f(x):", *["    x += 1"] * LONG_LINES])
    listing = Listing("m.py", "f", 1, lines)
    assert split.part(replace(episode, listings=(listing,))) == "held-length"
    shorter = replace(listing, text=lines.rpartition("\n")[0])
    assert split.part(replace(episode, listings=(shorter,))) == "train"


def test_what_is_held_out_is_in_no_sample_that_is_learned(tmp_path: Path) -> None:
    planted = "def f(x):\n    y = x + 'planted-word'\n    return y"
    held = [replace(each, package="kept") for each in of_code(planted, "'a'", "'b'")]
    path = corpus(tmp_path / "mine.jsonl.gz", [*recorded(5000, 10, Level.LINES)[:9], *held])
    split = Split(frozenset({"kept"}))
    write_shards([path], tmp_path / "out", recipe=ALL, split=split)
    word = tuple(spelling.characters("planted-word"))

    def holds(part: str) -> int:
        found = [sample.tokens for sample in loaded(tmp_path / "out" / part)]
        return sum(any(tokens[at : at + len(word)] == word for at in range(len(tokens)))
                   for tokens in found)  # fmt: skip

    assert holds("held-package") > 0
    assert holds("train") == 0
