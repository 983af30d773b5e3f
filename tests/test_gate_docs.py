"""docs/ci.md: its YAML parses and says what GitHub, GitLab and pre-commit ask for."""

from __future__ import annotations

import ast
import configparser
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
TEXT = (ROOT / "docs/ci.md").read_text()


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def loaded(text: str) -> Any:
    return pytest.importorskip("yaml", reason="pyyaml is not here").safe_load(text)


def test_the_workflow_gives_the_action_inputs_that_it_has_and_uploads_what_it_gives_back() -> None:
    workflow, more, *_ = blocks("yaml")
    action = loaded((ROOT / "action.yml").read_text())
    steps = loaded(workflow)["jobs"]["gate"]["steps"]
    [gate] = [one for one in [*steps, *loaded(more)] if "nsdbg@" in one.get("uses", "")][:1]
    for step in [*steps, *loaded(more)]:
        if "nsdbg@" in step.get("uses", ""):
            assert set(step["with"]) <= set(action["inputs"])
    upload = steps[-1]
    assert upload["with"]["sarif_file"] == f"${{{{ steps.{gate['id']}.outputs.sarif }}}}"
    assert set(action["outputs"]) == {"sarif", "findings"}
    assert loaded(workflow)["permissions"] == {"contents": "read", "security-events": "write"}
    assert steps[0]["with"]["fetch-depth"] == 0


def test_every_step_of_the_action_that_runs_a_script_names_its_shell() -> None:
    action = loaded((ROOT / "action.yml").read_text())
    steps = action["runs"]["steps"]
    assert action["runs"]["using"] == "composite"
    assert [one["shell"] for one in steps if "run" in one] == ["bash", "bash"]
    assert all("description" in one for one in action["inputs"].values())
    assert all(isinstance(one["default"], str) for one in action["inputs"].values())


def test_the_gitlab_job_keeps_the_reports_that_it_writes() -> None:
    job = loaded(blocks("yaml")[2])["nsdbg"]
    kept = job["artifacts"]["reports"]
    command = job["script"][-1]
    assert f"gitlab={kept['codequality']}" in command
    assert f"junit={kept['junit']}" in command
    assert "\n" not in command.strip()


def test_the_hook_named_is_one_that_there_is() -> None:
    named = loaded(blocks("yaml")[3])["repos"][0]["hooks"][0]["id"]
    assert named in [one["id"] for one in loaded((ROOT / ".pre-commit-hooks.yaml").read_text())]


def test_settings_tox_and_nox_parse() -> None:
    [settings] = blocks("toml")
    assert tomllib.loads(settings)["tool"]["nsdbg"]["gate"]["max-residual"] == 0.0
    tox = configparser.ConfigParser(interpolation=None)
    tox.read_string(blocks("ini")[0])
    assert "nsdbg gate --junit" in tox["testenv:gate"]["commands"]
    assert isinstance(ast.parse(blocks("python")[0]).body[-1], ast.FunctionDef)
