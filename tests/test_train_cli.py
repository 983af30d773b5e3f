"""`nsdbg model train` and `nsdbg model export` as commands."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest
import typer
from training import needs_torch, write_samples
from typer.testing import CliRunner

from nsdbg.cli import model_train
from nsdbg.errors import ModelError, NsdbgError

TINY = {
    "--hidden": 16, "--layers": 1, "--inner": 32, "--heads": 2, "--kv-heads": 1,
    "--positions": 64, "--batch-tokens": 200, "--threads": 1,
}  # fmt: skip
app = typer.Typer()
app.command("train")(model_train.train)
app.command("export")(model_train.export)


def run(*arguments: object) -> Any:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def samples(tmp_path: Path) -> Path:
    pytest.importorskip("numpy", reason="samples need numpy: pip install 'nsdbg[cpu]'")
    return write_samples(tmp_path / "samples")


@pytest.mark.parametrize("command", ["train", "export"])
def test_without_the_libraries_it_says_what_to_install(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    result = run(command, tmp_path, tmp_path)
    assert isinstance(result.exception, ModelError)
    assert "torch and transformers and optimum: pip install 'nsdbg[train]'" in str(result.exception)


@needs_torch
def test_it_trains_goes_on_and_exports(samples: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    options = [part for pair in TINY.items() for part in pair]
    first = run("train", samples, out, "--steps", 3, *options)
    assert first.exit_code == 0, first.exception
    assert "best: 3 steps" in first.stdout
    again = run("train", samples, out, *options)
    assert isinstance(again.exception, NsdbgError)
    assert "--resume" in str(again.exception)
    more = run("train", samples, out, "--resume", out, "--minutes", 1, "--steps", 2, "--threads", 1)
    assert "best: 5 steps" in more.stdout
    exported = run("export", out, samples, "--out", tmp_path / "model", "--prompts", 2,
                   "--longest", 4, "--held-tokens", 100, "--force")  # fmt: skip
    assert exported.exit_code == 0, exported.exception
    assert "model.onnx 0." in exported.stdout
    assert (tmp_path / "model" / "manifest.json").is_file()


@needs_torch
def test_sizes_that_do_not_fit_are_refused(samples: Path, tmp_path: Path) -> None:
    result = run("train", samples, tmp_path / "run", "--heads", 3)
    assert isinstance(result.exception, NsdbgError)
    assert "heads" in str(result.exception)
