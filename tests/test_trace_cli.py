"""`nsdbg model trace`: the corpus of a seed, what it says, and its errors in one sentence."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from nsdbg.cli import app
from nsdbg.errors import CorpusError, NsdbgError, UsageError
from nsdbg.model.trace.corpus import manifest_path, read_corpus


def trace(out: Path, *options: str) -> Result:
    return CliRunner().invoke(app, ["model", "trace", str(out), "--format", "jsonl", *options])


def recorded(out: Path, *options: str) -> dict[str, Any]:
    ran = trace(out, *options)
    assert ran.exit_code == 0, ran.output
    found: dict[str, Any] = json.loads(manifest_path(out).read_text())
    return found


def test_a_seed_is_a_corpus_however_many_work_on_it(tmp_path: Path) -> None:
    one, two, other = (tmp_path / f"{name}.jsonl.gz" for name in ("one", "two", "other"))
    found = recorded(one, "--generated", "12", "--seed", "1")
    recorded(two, "--generated", "12", "--seed", "1", "--jobs", "2")
    recorded(other, "--generated", "12", "--seed", "2")
    assert found["functions"] >= 10
    assert one.read_bytes() == two.read_bytes()
    assert one.read_bytes() != other.read_bytes()
    assert {episode.source for episode in read_corpus(one)} == {"generated"}


def test_the_levels_of_generated_programs_are_mixed_as_asked(tmp_path: Path) -> None:
    out = tmp_path / "a.jsonl.gz"
    found = recorded(out, "--generated", "10", "--levels", "operation:1")
    assert set(found["packages"]) == {"operation"}
    assert found["settings"]["levels"] == {"operation": 1.0}


FUNCTIONS = [
    {"id": "mbpp_1", "code": "def add(a, b):\n    c = a + b\n    return c", "entry": "add",
     "calls": ["1, 2", "3, 4"], "licence": "CC-BY-4.0"},
    {"id": "mbpp_2", "code": "def up(s):\n    return s.upper()", "entry": "up",
     "calls": ["'a'"], "licence": "CC-BY-4.0"},
]  # fmt: skip


def data(folder: Path, rows: list[dict[str, Any]], name: str = "data.jsonl.gz") -> Path:
    file = folder / name
    text = "".join(json.dumps(row) + "\n" for row in rows).encode()
    file.write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    return file


def test_a_data_file_is_recorded_without_the_functions_that_are_excluded(tmp_path: Path) -> None:
    out = tmp_path / "a.jsonl.gz"
    held = data(tmp_path, [{"code": "def f(x, y):\n    z = x + y\n    return z"}], "held.jsonl")
    file = data(tmp_path, FUNCTIONS)
    found = recorded(out, "--functions", str(file), "--exclude", str(held))
    assert found["episodes"] == 1
    assert found["left_out"] == {"equal to a function of the test data": 2}
    assert found["settings"]["excluded"] == ["held.jsonl"]
    (episode,) = read_corpus(out)
    assert (episode.function, episode.package, episode.licence) == ("up", "mbpp", "CC-BY-4.0")


def test_recording_stops_at_the_limit(tmp_path: Path) -> None:
    out = tmp_path / "a.jsonl.gz"
    found = recorded(out, "--functions", str(data(tmp_path, FUNCTIONS)), "--limit", "2")
    assert found["episodes"] == 2


@pytest.mark.parametrize(
    ("options", "kind", "word"),
    [
        ([], UsageError, "nothing to record: give --generated"),
        (["--generated", "1", "--levels", "9:1"], UsageError, "'9:1' is not one of operation"),
        (["--generated", "1", "--levels", "lines:0"], UsageError, "leaves no level a share"),
        (["--functions", "nowhere.jsonl"], CorpusError, "--functions: cannot read"),
        (["--generated", "1", "--exclude", "nowhere.jsonl"], CorpusError, "cannot read"),
        (["--generated", "1", "--exclude-data", "nowhere"], CorpusError, "no data file"),
        (["--package", "nowhere_at_all"], CorpusError, "no package nowhere_at_all"),
        (["--pytest", "nowhere_at_all"], CorpusError, "there is no nowhere_at_all"),
    ],
)
def test_what_cannot_be_recorded_is_one_sentence(
    tmp_path: Path, options: list[str], kind: type[NsdbgError], word: str
) -> None:
    ran = trace(tmp_path / "a.jsonl.gz", *options)
    assert isinstance(ran.exception, kind)
    assert word in str(ran.exception)
    assert "\n" not in str(ran.exception)
    assert list(tmp_path.iterdir()) == []


def test_a_line_of_a_data_file_that_lacks_a_field_is_named(tmp_path: Path) -> None:
    file = data(tmp_path, [FUNCTIONS[0], {"id": "x", "code": ""}], "data.jsonl")
    ran = trace(tmp_path / "a.jsonl.gz", "--functions", str(file))
    assert "line 2" in str(ran.exception)
    assert "lacks entry, calls, licence" in str(ran.exception)


@pytest.mark.parametrize("change", [{"id": 3}, {"calls": "1, 2"}, {"calls": [1]}])
def test_a_line_of_a_data_file_with_a_field_of_the_wrong_kind_is_named(
    tmp_path: Path, change: dict[str, Any]
) -> None:
    file = data(tmp_path, [{**FUNCTIONS[0], **change}], "data.jsonl")
    ran = trace(tmp_path / "a.jsonl.gz", "--functions", str(file))
    assert isinstance(ran.exception, CorpusError)
    assert "line 1" in str(ran.exception)
    assert "no text" in str(ran.exception)
