"""`nsdbg measure cruxeval` of a network: alone, both ways, and what it saves."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from scripted_engine import Scripted, call_answer, engine_of, line_answer, return_answer
from typer.testing import CliRunner

from nsdbg.claim import Call
from nsdbg.cli import app
from nsdbg.measure.inversion import recorded_call, write_problem
from nsdbg.measure.neural.inputs import Inputs
from nsdbg.measure.neural.outputs import Outputs, called
from nsdbg.measure.neural.savings import hard, savings
from nsdbg.measure.problems import Problem
from nsdbg.measure.tally import Attempt
from nsdbg.propose.codec.view import View
from nsdbg.propose.neural import engine as engines
from nsdbg.report.measured import Quantities, Table
from nsdbg.state import Event, Value
from nsdbg.workbench import Options, Workbench

PLUS = Problem("a", "def f(x, y=2):\n    z = x + y\n    return z", "f", "5", "3")
ODD = Problem("b", "def f(x, y=2):\n    z = x + y\n    return z", "f", "'ab'", "'a', 'b'")
NO_CALL = Problem("c", PLUS.code, "f", "5")
BROKEN = Problem("d", "def f(:", "f", "5", "3")


def quiet(text: str) -> None:
    """Tell nobody how far it is."""


def view(folder: Path) -> View:
    """Return the source as the network sees it, whatever the file is called."""
    folder.mkdir()
    return View.of_subject(write_problem(PLUS, 0, folder))


def rows(table: Table | Quantities) -> dict[str, tuple[int, int, dict[str, int]]]:
    assert isinstance(table, Table)
    return {
        row.name: (row.model.right, row.model.n, {who: one.right for who, one in row.beside})
        for row in table.rows
    }


def numbers(table: Table | Quantities) -> dict[str, float | None]:
    assert isinstance(table, Quantities)
    return {one.name: one.value for one in table.numbers}


def test_a_value_told_by_chained_steps_counts_when_it_is_the_recorded_one(tmp_path: Path) -> None:
    seen = view(tmp_path / "view")
    right = [line_answer(seen, 2), line_answer(seen, 3, z="x + y"), return_answer(seen, 3, "z")]
    jump = return_answer(seen, 3, "x * 2")
    script = [*right, jump, line_answer(seen, 2), return_answer(seen, 3, "x")]
    # Garbage after that, however often it is asked again.
    engine = Scripted(lambda prompt, number: [script[number] if number < len(script) else [1]])
    outputs = Outputs(engine_of(engine), tmp_path)
    outputs.run([PLUS, ODD, NO_CALL, BROKEN], quiet)
    table, _, cost = outputs.tables()
    assert rows(table) == {
        "value, chained steps": (1, 2, {"copy": 0, "eval": 2}),
        "value, one jump (return)": (0, 2, {}),
        "chained steps that ended": (2, 2, {}),
        "pass@1, model only": (1, 2, {}),
        "pass@5, model only": (1, 2, {}),
        "pass@10, model only": (1, 2, {}),
    }
    assert isinstance(table, Table)
    assert [count for _, count in table.left_out] == [1, 1]
    assert numbers(cost)["steps of a problem, median"] == 2.5


def test_a_network_that_walks_in_circles_is_given_up(tmp_path: Path) -> None:
    seen = view(tmp_path / "view")
    outputs = Outputs(engine_of(Scripted(lambda prompt, number: [line_answer(seen, 2)])), tmp_path)
    outputs.run([PLUS], quiet)
    table, _, cost = outputs.tables()
    assert rows(table)["chained steps that ended"][:2] == (0, 1)
    assert numbers(cost)["steps of a problem, median"] == 200


def test_the_state_of_a_call_has_the_defaults_of_what_is_not_given(tmp_path: Path) -> None:
    subject = write_problem(PLUS, 0, tmp_path)
    state = called(subject, {"x": "a", "y": 2}).state
    assert (state.event, state.frame.lineno) == (Event.CALL, 1)
    assert state.frame.locals == (
        ("x", Value("'a'", "str", literal=True)), ("y", Value("2", "int", literal=True)),
    )  # fmt: skip
    starred = Problem("s", "def f(x, *more, **named):\n    return x", "f", "1", "1, 2, 3, k=4")
    call = recorded_call(write_problem(starred, 1, tmp_path), "1, 2, 3, k=4")
    assert call == Call((("x", "1"), ("*more", "(2, 3,)"), ("k", "4")))


def inputs(folder: Path, said: Sequence[list[int]], *problems: Problem) -> list[Table | Quantities]:
    engine = Scripted(lambda prompt, number: said)
    with Workbench(Options((folder,), proposers=("rules",))) as bench:
        [rules] = bench.proposers
        measured = Inputs(engine_of(engine), bench.verifier, rules, folder, 0)
        measured.run(problems, bench.pure, quiet)
    return measured.tables()


def test_the_first_sample_and_any_of_ten_are_counted_apart(tmp_path: Path) -> None:
    seen = view(tmp_path / "view")
    said = [call_answer(seen, x="1"), [1], call_answer(seen, x="3"), call_answer(seen, q="3")]
    table, passing, _ = inputs(tmp_path, said, PLUS, BROKEN)
    found = rows(table)
    assert {name: (one[0], one[1]) for name, one in found.items()} == {
        "pass@1, model only": (0, 1), "pass@5, model only": (1, 1), "pass@10, model only": (1, 1),
        "pass@1, verified": (1, 1), "pass@5, verified": (1, 1), "pass@10, verified": (1, 1),
    }  # fmt: skip
    # One of four answers is right: a random one is in a quarter of the cases.
    assert numbers(passing) == {"pass@1": 25, "pass@5": 100, "pass@10": 100}
    assert found["pass@1, model only"][2] == {"copy": 0, "rules": 1}
    assert isinstance(table, Table)
    assert table.left_out == (("problems whose code cannot be read", 1),)


def test_the_result_itself_as_the_argument_is_a_baseline(tmp_path: Path) -> None:
    echo = Problem("e", "def f(x, y=2):\n    z = x\n    return z", "f", "7", "7")
    table, *_ = inputs(tmp_path, [[1]], echo)
    assert rows(table)["pass@1, model only"][:2] == (0, 1)
    assert rows(table)["pass@1, model only"][2]["copy"] == 1


def test_no_more_than_ten_samples_are_run(tmp_path: Path) -> None:
    seen = view(tmp_path / "view")
    said = [call_answer(seen, x=str(at)) for at in range(20, 30)] + [call_answer(seen, x="3")]
    table, *_ = inputs(tmp_path, said, PLUS)
    assert rows(table)["pass@10, model only"][:2] == (0, 1)


def test_the_sixth_answer_passes_at_ten_and_not_at_five(tmp_path: Path) -> None:
    seen = view(tmp_path / "view")
    said = [*[[1]] * 5, call_answer(seen, x="3")]
    table, passing, _ = inputs(tmp_path, said, PLUS)
    found = rows(table)
    assert [found[f"pass@{k}, model only"][0] for k in (1, 5, 10)] == [0, 0, 1]
    # Nothing has to be run of what cannot be read.
    assert [found[f"pass@{k}, verified"][0] for k in (1, 5, 10)] == [1, 1, 1]
    assert numbers(passing)["pass@1"] == pytest.approx(100 / 6)


def test_values_are_told_in_turn_and_verified_by_running_the_call(tmp_path: Path) -> None:
    seen = view(tmp_path / "view")
    chained = [line_answer(seen, 2), return_answer(seen, 3, "x")]
    jumps = [return_answer(seen, 3, text) for text in ("x", "[1] * 3", "7", "y", "x + y", "9")]
    said = [[one] for one in chained] + [jumps]
    engine = engine_of(Scripted(lambda prompt, number: said[number]))
    with Workbench(Options((tmp_path,))) as bench:
        outputs = Outputs(engine, tmp_path, bench.verifier.confirm)
        outputs.run([PLUS], quiet)
    table, passing, _ = outputs.tables()
    found = {name: (one[0], one[1]) for name, one in rows(table).items()}
    # 3 is told twice, and counts once: 3, [1, 1, 1], 7, 2, 5, 9.
    assert [found[f"pass@{k}, model only"] for k in (1, 5, 10)] == [(0, 1), (1, 1), (1, 1)]
    assert [found[f"pass@{k}, verified"] for k in (1, 5, 10)] == [(0, 1), (1, 1), (1, 1)]
    assert numbers(passing)["pass@1"] == pytest.approx(100 / 6)


def test_a_value_that_the_call_does_not_return_is_not_verified_whatever_the_record_says(
    tmp_path: Path,
) -> None:
    seen = view(tmp_path / "view")
    said = [[line_answer(seen, 2)], [return_answer(seen, 3, "6")], [[1]]]
    wrong = Problem("w", PLUS.code, "f", "6", "3")
    engine = engine_of(Scripted(lambda prompt, number: said[number]))
    with Workbench(Options((tmp_path,))) as bench:
        outputs = Outputs(engine, tmp_path, bench.verifier.confirm)
        outputs.run([wrong], quiet)
    found = rows(outputs.tables()[0])
    assert found["pass@1, model only"][:2] == (1, 1)
    assert found["pass@10, verified"][:2] == (0, 1)


def attempt(executions: int, *, solved: bool = True) -> Attempt:
    return Attempt("p", solved, False, executions, 0.1)


def test_hard_is_what_needs_more_than_twenty_verifications_or_fails() -> None:
    attempts = [attempt(20), attempt(21), attempt(3, solved=False), attempt(900)]
    assert hard(attempts) == [1, 2, 3]


def test_savings_count_against_what_was_spent_without_the_network() -> None:
    without = [attempt(100), attempt(30), attempt(500, solved=False), attempt(40)]
    having = [attempt(10), attempt(15), attempt(60), attempt(7, solved=False)]
    table, medians = savings(without, having, 12)
    assert rows(table) == {
        "solved": (3, 4, {"base": 3}),
        "in at most half": (3, 4, {}),
        "in at most a tenth": (1, 4, {}),
    }
    assert "of 12 problems" in table.about
    assert numbers(medians) == {
        "without, solved both ways": 65, "with, solved both ways": 12.5,
        "without, all hard ones": 70, "with, all hard ones": 12.5,
    }  # fmt: skip


@pytest.fixture
def data(tmp_path: Path) -> Path:
    file = tmp_path / "data.jsonl"
    codes = {"easy": "def f(x):\n    return x + 1", "hard": "def f(x):\n    return len(x) * 0 + 1"}
    problems = [{"id": name, "code": code, "input": "2", "output": "3"}
                for name, code in codes.items()]  # fmt: skip
    file.write_text("".join(json.dumps(row) + "\n" for row in problems))
    return file


@pytest.fixture
def silent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the model that comes along say nothing."""
    engine = engine_of(Scripted(lambda prompt, number: [[1]]))
    monkeypatch.setattr(engines, "load", lambda *given: engine)


def measure(data: Path, *options: str) -> dict[str, Any]:
    words = ["measure", "cruxeval", str(data), *options, "--output-format", "json"]
    ran = CliRunner().invoke(app, words)
    assert ran.exit_code == 0, ran.output
    found: dict[str, Any] = json.loads(ran.stdout)
    assert found["schema"] == "nsdbg.measure.model/1"
    return found


@pytest.mark.usefixtures("silent")
def test_the_network_alone_is_measured_both_ways(data: Path) -> None:
    there = measure(data, "--proposers", "neural")
    assert there["of"] == {"problems": "2", "direction": "input"}
    assert [table["name"] for table in there["tables"]] == ["arguments for a result"]
    assert {row["n"] for row in there["tables"][0]["rows"]} == {2}
    back = measure(data, "--proposers", "neural", "--direction", "output", "--limit", "1")
    assert [table["name"] for table in back["tables"]] == ["what a call returns"]
    assert back["tables"][0]["rows"][0]["beside"]["eval"]["right"] == 1


@pytest.mark.usefixtures("silent")
def test_only_hard_problems_are_tried_again_and_compared(data: Path) -> None:
    found = measure(data, "--proposers", "rules,neural", "--against", "rules", "--budget", "4")
    assert found["of"] == {
        "problems": "2", "before": "rules", "with": "rules,neural", "budget": "4 s a problem",
    }  # fmt: skip
    [table] = found["tables"]
    solved = table["rows"][0]
    assert (solved["right"], solved["n"]) == (0, 1)
    assert solved["beside"]["base"]["right"] == 0
