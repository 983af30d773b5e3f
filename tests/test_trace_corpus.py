"""Corpora on disk: both forms, the manifest, and what stays of one that was not finished."""

from __future__ import annotations

import gzip
import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from test_episode import shop

from nsdbg.episode import Episode, episode_json
from nsdbg.errors import CorpusError, EpisodeError
from nsdbg.model.trace.corpus import Writer, manifest_path, read_corpus

needs_arrow = pytest.mark.skipif(
    importlib.util.find_spec("pyarrow") is None, reason="pyarrow is not installed"
)
needs_datasets = pytest.mark.skipif(
    importlib.util.find_spec("datasets") is None, reason="datasets is not installed"
)
FORMS = [".jsonl.gz", pytest.param(".parquet", marks=needs_arrow)]


def write(path: Path, *episodes: Episode) -> None:
    form = "parquet" if path.suffix == ".parquet" else "jsonl"
    with Writer(path, form, {"seed": 3}) as writer:
        for episode in episodes:
            line = episode_json(episode)
            writer.write(line, json.loads(line))


@pytest.mark.parametrize("suffix", FORMS)
def test_a_corpus_is_read_as_it_was_written(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"corpus{suffix}"
    write(path, shop(), shop())
    assert list(read_corpus(path)) == [shop(), shop()]
    names = {file.name for file in tmp_path.iterdir()}
    assert names == {path.name, "corpus.manifest.json"}


def test_the_same_episodes_are_the_same_file(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl.gz", shop())
    write(tmp_path / "b.jsonl.gz", shop())
    assert (tmp_path / "a.jsonl.gz").read_bytes() == (tmp_path / "b.jsonl.gz").read_bytes()


def test_the_manifest_counts_what_was_written(tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl.gz"
    write(path, shop(), shop())
    found = json.loads(manifest_path(path).read_text())
    assert found["schema"] == "nsdbg.corpus/1"
    assert found["settings"] == {"seed": 3}
    assert (found["episodes"], found["states"], found["functions"]) == (2, 14, 1)
    assert found["licences"] == {"MIT": 2}
    assert found["interpreters"] == {"3.11.7": 2}
    assert found["sources"] == {"functions": 2}


def stop_with(path: Path, error: BaseException) -> None:
    with Writer(path, "jsonl", {}) as writer:
        line = episode_json(shop())
        writer.write(line, json.loads(line))
        raise error


def test_a_corpus_that_failed_is_not_there_and_one_that_was_stopped_is(tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl.gz"
    with pytest.raises(CorpusError):
        stop_with(path, CorpusError("no"))
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(KeyboardInterrupt):
        stop_with(path, KeyboardInterrupt())
    assert list(read_corpus(path)) == [shop()]
    assert manifest_path(path).exists()


def test_files_that_are_no_corpus_are_one_error(tmp_path: Path) -> None:
    missing = tmp_path / "missing.jsonl.gz"
    with pytest.raises(CorpusError, match="cannot read"):
        list(read_corpus(missing))
    cut = tmp_path / "cut.jsonl.gz"
    cut.write_bytes(gzip.compress(episode_json(shop()).encode())[:-20])
    with pytest.raises(CorpusError, match="cannot read"):
        list(read_corpus(cut))
    other = tmp_path / "other.jsonl"
    other.write_text("{}\n")
    with pytest.raises(EpisodeError, match="no episode"):
        list(read_corpus(other))
    with pytest.raises(CorpusError, match="cannot write"):
        Writer(tmp_path / "nowhere" / "corpus.jsonl.gz", "jsonl", {})


def test_parquet_without_pyarrow_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(CorpusError, match=r"install nsdbg\[train\], or give --format jsonl"):
        Writer(tmp_path / "corpus.parquet", "parquet", {})
    with pytest.raises(CorpusError, match=r"nsdbg\[train\]"):
        list(read_corpus(tmp_path / "corpus.parquet"))


@needs_arrow
def test_a_file_that_is_no_parquet_is_one_error(tmp_path: Path) -> None:
    path = tmp_path / "corpus.parquet"
    path.write_text("no")
    with pytest.raises(CorpusError, match="as Parquet"):
        list(read_corpus(path))


@needs_datasets
def test_datasets_opens_parquet_with_both_trees(tmp_path: Path) -> None:
    import datasets

    path = tmp_path / "corpus.parquet"
    write(path, shop())
    opened: Any = datasets.load_dataset(
        "parquet", data_files=str(path), split="train", cache_dir=str(tmp_path / "cache")
    )
    (row,) = opened
    assert row["function"] == "total"
    states = row["states"]
    assert [state["step"] for state in states] == [1, 2, 3, 4, 5, 6, -1]
    assert [state["next"] for state in states] == [1, 4, -1, 4, 6, -1, -1]
    assert [state["inverse_step"] for state in states] == [[], [0], [1], [2], [3], [4], [5]]
    assert states[3]["arg"]["repr"] == "0"
    assert [frame["lineno"] for frame in states[2]["stack"]] == [5, 8]
