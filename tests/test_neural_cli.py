"""Commands with a model that is real, missing or broken: one message, and the others go on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from nsdbg import workbench
from nsdbg.cli import app

pytest.importorskip("onnxruntime")

from tiny_network import write_model

SOURCE = """\
def double(n):
    return n * 2
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "shop.py"
    path.write_text(SOURCE)
    return path


def reverse(file: Path, function: str, value: str, *options: str) -> Any:
    words = ["reverse", f"{file}::{function}", "--state", json.dumps({"value": value})]
    return CliRunner().invoke(app, [*words, "--output-format", "json", *options])


def broken_model(folder: Path) -> Path:
    path = write_model(folder) / "model.onnx"
    path.write_bytes(path.read_bytes()[:1000])
    return folder


def test_rules_go_on_without_a_model_that_is_broken(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workbench, "ROUNDS_OF_THE_FIRST", 0)
    monkeypatch.setattr(
        workbench, "PROPOSERS",
        {name: workbench.PROPOSERS[name] for name in ("neural", "rules")},
    )  # fmt: skip
    model = broken_model(tmp_path / "model")
    ran = reverse(file, "double", "8", "--model", str(model), "--proposers", "rules,neural")
    assert ran.exit_code == 0
    assert json.loads(ran.stdout)["solutions"][0]["args"] == {"n": "4"}
    [message] = ran.stderr.splitlines()
    assert message.startswith("nsdbg: going on without a model: ")
    assert "it was cut or changed" in message


def test_a_model_that_is_not_there_is_told_once_and_nothing_is_found(
    file: Path, tmp_path: Path
) -> None:
    options = ("--model", str(tmp_path), "--proposers", "neural", "--budget", "2")
    ran = reverse(file, "double", "8", *options)
    assert ran.exit_code == 1
    assert ran.stderr.count("going on without a model: there is no model in") == 1
    assert json.loads(ran.stdout)["stats"]["executed"] == 0


def test_a_model_is_not_opened_where_the_rules_answer_at_once(file: Path, tmp_path: Path) -> None:
    ran = reverse(file, "double", "8", "--model", str(tmp_path))
    assert ran.exit_code == 0
    assert ran.stderr == ""


def test_a_real_network_proposes_within_a_command(file: Path, tmp_path: Path) -> None:
    """One with random numbers: whatever it says, it is read, judged and told."""
    model = write_model(tmp_path / "model")
    options = ("--model", str(model), "--proposers", "neural", "--budget", "3")
    first, again = (reverse(file, "double", "8", *options) for _ in range(2))
    assert first.exit_code in (0, 1)
    assert first.stderr == ""
    told = [json.loads(ran.stdout) for ran in (first, again)]
    assert told[0]["trouble"] == []
    assert told[0]["stats"]["proposed"] == told[1]["stats"]["proposed"]


def test_another_provider_than_those_known_is_an_error(file: Path) -> None:
    ran = reverse(file, "double", "8", "--provider", "tpu")
    assert ran.exit_code == 2
    assert "tpu" in ran.stderr
