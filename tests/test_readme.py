"""What README shows of its own `shop.py` is what nsdbg answers."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from nsdbg.cli import app

TEXT = (Path(__file__).resolve().parent.parent / "README.md").read_text()
# Those with a state of their own; the others begin from a crash of the reader's.
COMMANDS = re.findall(r"^\$ nsdbg ((?:reverse|step) shop\.py.*--state '.*)$", TEXT, re.MULTILINE)


def block(language: str) -> str:
    found = re.search(rf"^```{language}\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "shop.py").write_text(block("python"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_readme_asks_in_both_directions() -> None:
    assert len(COMMANDS) >= 5
    assert {command.split()[0] for command in COMMANDS} == {"reverse", "step"}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_question_of_the_readme_has_a_confirmed_answer(shop: Path, command: str) -> None:
    ran = CliRunner().invoke(app, ["--no-config", *shlex.split(command)])
    assert ran.exit_code == 0, ran.output
    assert "confirmed" in ran.stdout


def test_the_answer_that_the_readme_quotes_is_given(shop: Path) -> None:
    ran = CliRunner().invoke(app, ["--no-config", *shlex.split(COMMANDS[0])])
    quoted = re.search(r"The first answers `([^`]+)`", TEXT)
    assert quoted is not None
    assert ran.stdout.splitlines()[0] == quoted[1]


def test_the_claim_of_the_readme_is_confirmed(shop: Path) -> None:
    (shop / "claims.jsonl").write_text(block("json"))
    ran = CliRunner().invoke(app, ["--no-config", "verify", "claims.jsonl", "--require-all"])
    assert ran.exit_code == 0, ran.output
