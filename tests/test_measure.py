"""`nsdbg measure`: what is counted, and that the recorded inputs stay out of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from nsdbg.cli import app
from nsdbg.errors import UsageError
from nsdbg.measure.problems import read_problems

CRUX = [
    {"id": "a", "code": "def f(s):\n    return s.upper()", "input": "'ab'", "output": "'AB'"},
    {"id": "b", "code": "def f(x, y):\n    return x + y", "input": "1, 2", "output": "3"},
    {"id": "c", "code": "def f(x):\n    return len(x) * 0 + 1", "input": "''", "output": "2"},
]
PUZZLES = [
    {"id": "p", "code": "def sat(n: int, a=7):\n    return n * a == 91", "goal": "True"},
    {"id": "q", "code": "def sat(li: List[int]):\n    return sum(li) == 10 and len(li) == 4",
     "goal": "True"},
]  # fmt: skip


def data(folder: Path, rows: list[dict[str, str]]) -> Path:
    file = folder / "data.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return file


def measure(*command: str) -> dict[str, Any]:
    ran = CliRunner().invoke(app, ["measure", *command, "--output-format", "json"])
    assert ran.exit_code == 0, ran.output
    found: dict[str, Any] = json.loads(ran.stdout)
    return found


def test_solved_problems_are_counted_and_the_impossible_one_is_not(tmp_path: Path) -> None:
    found = measure("cruxeval", str(data(tmp_path, CRUX)), "--budget", "1")
    assert found["schema"] == "nsdbg.measure/1"
    assert (found["n"], found["solved"]) == (3, 2)
    assert [row["solved"] for row in found["problems"]] == [True, True, False]
    assert found["problems"][2]["verifications"] > found["problems"][0]["verifications"]
    assert found["pass@1"] <= found["pass@5"] <= found["pass@10"] <= found["solved_share"]
    places = [row["place"] for row in found["problems"]]
    assert places[2] is None
    assert found["pass@1"] == sum(place == 1 for place in places) / 3
    assert all(place <= row["verifications"]
               for place, row in zip(places[:2], found["problems"], strict=False))  # fmt: skip
    assert found["seconds"]["median"] < found["seconds_all"]["p95"]


def test_the_recorded_input_changes_nothing_when_inputs_are_asked_for(tmp_path: Path) -> None:
    bare = [{**row, "input": "'nonsense'"} for row in CRUX[:2]]
    other = tmp_path / "other"
    other.mkdir()
    with_input = measure("cruxeval", str(data(tmp_path, CRUX[:2])))
    without = measure("cruxeval", str(data(other, bare)))
    counts = [
        [(row["solved"], row["verifications"]) for row in found["problems"]]
        for found in (with_input, without)
    ]
    assert counts[0] == counts[1]


def test_the_direction_output_runs_the_recorded_call(tmp_path: Path) -> None:
    found = measure("cruxeval", str(data(tmp_path, CRUX)), "--direction", "output")
    assert [row["solved"] for row in found["problems"]] == [True, True, False]
    assert found["problems"][2]["word"] == "value-differs"
    assert [row["place"] for row in found["problems"]] == [1, 1, None]


def test_puzzles_leave_all_but_the_first_parameter_alone(tmp_path: Path) -> None:
    found = measure("puzzles", str(data(tmp_path, PUZZLES)), "--budget", "5")
    assert found["solved"] == 2


def test_a_limit_takes_the_first_problems(tmp_path: Path) -> None:
    assert [p.id for p in read_problems(data(tmp_path, CRUX), 2)] == ["a", "b"]


@pytest.mark.parametrize(
    ("line", "word"),
    [("{", "not JSON"), ('{"code": 1}', "'code'"), ('{"code": "x = 1"}', "'output'")],
)
def test_a_line_that_is_no_problem_is_named(tmp_path: Path, line: str, word: str) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_text(line + "\n")
    with pytest.raises(UsageError, match=rf"bad.jsonl:1 .*{word}"):
        list(read_problems(file))


def test_code_that_does_not_parse_is_a_problem_not_solved(tmp_path: Path) -> None:
    rows = [{"id": "x", "code": "def f(:", "output": "1"}]
    found = measure("cruxeval", str(data(tmp_path, rows)))
    assert found["solved"] == 0
    assert "does not parse" in found["problems"][0]["word"]


def test_the_text_tells_every_pass_with_its_interval(tmp_path: Path) -> None:
    file = data(tmp_path, CRUX)
    ran = CliRunner().invoke(app, ["measure", "cruxeval", str(file), "--direction", "output"])
    lines = ran.stdout.splitlines()
    assert "  solved and confirmed  2  (66.7 %, 95 % interval 20.8 to 93.9)" in lines
    assert "  pass@10, verified     2  (66.7 %, 95 % interval 20.8 to 93.9)" in lines
    assert max(map(len, lines)) <= 80
