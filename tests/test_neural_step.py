"""`nsdbg step` with a model: what it predicts is unchecked, and is compared when that is asked."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from scripted_engine import Scripted, engine_of, line_answer
from typer.testing import CliRunner

from nsdbg.cli import app
from nsdbg.errors import ModelError, UsageError
from nsdbg.propose.codec.view import View
from nsdbg.propose.neural import engine as engines
from nsdbg.source import load_subject

SOURCE = """\
def total(items, tax=0):
    result = tax
    for item in items:
        result += item
        print(item)
    return result
"""
HERE = {"lineno": 2, "locals": {"items": "[1, 2]", "tax": "5"}}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "shop.py"
    path.write_text(SOURCE)
    return path


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Callable[[list[int]], Scripted]:
    """Let the model that comes along say one thing."""

    def saying(answer: list[int]) -> Scripted:
        scripted = Scripted(lambda prompt, number: [answer])
        monkeypatch.setattr(engines, "load", lambda *given: engine_of(scripted))
        return scripted

    return saying


def step(file: Path, *options: str, state: dict[str, Any] = HERE) -> Any:
    words = ["step", f"{file}::total", "--state", json.dumps(state), *options]
    return CliRunner().invoke(app, words)


def answer(file: Path, *options: str, state: dict[str, Any] = HERE) -> dict[str, Any]:
    found = step(file, *options, "--output-format", "json", state=state)
    document: dict[str, Any] = json.loads(found.stdout)
    return document


def view(file: Path) -> View:
    return View.of_subject(load_subject(file, "total"))


def test_a_prediction_runs_nothing_and_says_that_it_is_unchecked(
    file: Path, model: Callable[[list[int]], Scripted]
) -> None:
    model(line_answer(view(file), 3, result="tax"))
    file.write_text(SOURCE + "\nopen('ran', 'w')\nraise SystemExit\n")
    found = step(file, "--predict")
    assert found.exit_code == 0
    assert found.stdout.splitlines() == [
        "line 2 of total (shop.py), step:",
        "-> line 3 of total (shop.py)",
        "    items = [1, 2]",
        "    tax = 5",
        "    result = 5",
        "    unchecked: neural:none predicts it, at 37 % by its own account",
        "    nothing was run; leave out --predict to have it run and confirmed",
    ]
    assert not (file.parent / "ran").exists()


def test_the_json_of_a_prediction_confirms_nothing(
    file: Path, model: Callable[[list[int]], Scripted]
) -> None:
    model(line_answer(view(file), 3, result="tax"))
    document = answer(file, "--predict")
    assert document["next"] is None
    assert document["verdict"] is None
    predicted = document["predicted"]
    assert predicted["checked"] is False
    assert predicted["source"] == "neural:none"
    assert predicted["next"]["locals"] == {"items": "[1, 2]", "tax": "5", "result": "5"}
    assert predicted["next"]["remaining"] == {"3": "[1, 2]"}
    again = {**predicted["next"], "remaining": {"3": "[2]"}}
    inside = line_answer(view(file), 4, item="items[0]")
    model(inside)
    assert answer(file, "--predict", state=again)["predicted"]["next"]["remaining"] == {"3": "[]"}


def test_a_model_without_an_answer_is_told(
    file: Path, model: Callable[[list[int]], Scripted]
) -> None:
    model([3, 4, 5])
    found = step(file, "--predict")
    assert found.exit_code == 1
    assert "gives no answer that can be read" in found.stdout
    assert answer(file, "--predict")["predicted"]["next"] is None


def test_a_run_is_compared_with_what_the_model_expected(
    file: Path, model: Callable[[list[int]], Scripted]
) -> None:
    model(line_answer(view(file), 3, result="tax"))
    found = step(file, "--compare")
    assert found.exit_code == 0
    assert "transition confirmed" in found.stdout
    assert "the model neural:none expected the same, at 37 %" in found.stdout
    assert answer(file, "--compare")["predicted"]["differences"] == []
    model(line_answer(view(file), 3, result="tax + 1"))
    found = step(file, "--compare")
    assert found.exit_code == 0
    assert found.stdout.splitlines()[-2:] == [
        "    the model neural:none expected otherwise, at 37 % by its own account:",
        "      local result: expected 6, seen 5",
    ]
    document = answer(file, "--compare")
    assert document["next"]["locals"]["result"] == "5"
    assert document["predicted"]["differences"] == [
        {"field": "local result", "claimed": "6", "observed": "5"}
    ]


@pytest.mark.skipif(
    sys.version_info >= (3, 12),
    reason="since 3.12 a comprehension's line comes again for each item, which the codec leaves in",
)
def test_the_frame_of_a_comprehension_is_nothing_that_the_model_was_wrong_about(
    tmp_path: Path, model: Callable[[list[int]], Scripted]
) -> None:
    file = tmp_path / "shop.py"
    file.write_text(
        "def total(items, tax):\n    result = [each for each in items]\n    return result\n"
    )
    model(line_answer(view(file), 3, result="items"))
    found = step(file, "--compare")
    assert found.exit_code == 0
    assert "expected otherwise" not in found.stdout


def test_nothing_is_asked_of_a_model_unless_one_wants_it(
    file: Path, model: Callable[[list[int]], Scripted]
) -> None:
    scripted = model([])
    assert step(file).exit_code == 0
    assert scripted.prompts == []
    assert "predicted" not in answer(file)


def test_a_prediction_without_a_model_is_an_error(file: Path, tmp_path: Path) -> None:
    found = step(file, "--predict", "--model", str(tmp_path))
    assert isinstance(found.exception, ModelError)
    assert "there is no model in" in str(found.exception)


def test_predicting_and_comparing_exclude_each_other(file: Path) -> None:
    assert isinstance(step(file, "--predict", "--compare").exception, UsageError)
