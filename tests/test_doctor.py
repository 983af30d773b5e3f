"""`nsdbg doctor`: what it finds, and what it calls amiss."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from nsdbg.cli import app
from nsdbg.doctor import examine


def test_it_finds_at_least_the_interpreter_it_runs_on() -> None:
    versions = [found.version[:2] for found in examine().interpreters]
    assert sys.version_info[:2] in versions
    assert versions == sorted(set(versions))


def test_every_layer_says_why() -> None:
    layers = examine().layers
    assert {"landlock", "seccomp", "rlimits", "audit-hook"} <= {layer.name for layer in layers}
    assert [layer.name for layer in layers if not layer.why] == []


def test_a_broken_rule_is_amiss_and_named(tmp_path: Path) -> None:
    (tmp_path / "exceptions").mkdir()
    (tmp_path / "exceptions" / "odd.toml").write_text("type = [")
    trouble = examine(rules=tmp_path).trouble
    assert any("odd.toml" in text for text in trouble)


def test_an_interpreter_that_is_not_there_is_amiss() -> None:
    ran = CliRunner().invoke(app, ["doctor", "--python", "/no/such/python"])
    assert ran.exit_code == 1
    assert "amiss: " in ran.stdout
    assert "/no/such/python" in ran.stdout


def test_no_line_but_one_with_a_path_is_wider_than_80_columns() -> None:
    text = CliRunner().invoke(app, ["doctor"]).stdout
    assert text.count("\n") > 15
    assert [line for line in text.splitlines() if len(line) > 80 and "/" not in line] == []


def test_json_tells_the_same() -> None:
    ran = CliRunner().invoke(app, ["doctor", "--output-format", "json"])
    found = json.loads(ran.stdout)
    assert found["schema"] == "nsdbg.doctor/1"
    assert sum(found["rules"].values()) >= 40
    assert found["model"].startswith(("neural:", "none: "))


def test_a_model_is_named_by_its_hash_and_a_broken_one_is_amiss(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    from tiny_network import write_model

    folder = write_model(tmp_path)
    found = examine(model=folder)
    assert re.fullmatch(r"neural:[0-9a-f]{8}, 0.1 MB", found.model)
    assert found.provider.startswith("cpu: ")
    (folder / "model.onnx").write_bytes(b"cut")
    found = examine(model=folder)
    assert found.model == "none: rules and search do the proposing"
    assert any("it was cut or changed" in text for text in found.trouble)
