"""`nsdbg triage` from the command line: what it says, and with which exit code."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from triage_history import git
from typer.testing import CliRunner, Result

from nsdbg.cli import app
from nsdbg.cli.triage import ON_DISK
from nsdbg.errors import ChangeError, UsageError
from nsdbg.finding import Finding, Findings, Level, Rule
from nsdbg.triage import Stopped

BEFORE = """def parse_row(text):
    if not text:
        return None
    return text.split(",")[0][:1]
"""
AFTER = """def parse_row(text):
    return text.split(",")[0][0]
"""
LOG = """Traceback (most recent call last):
  File "/srv/shop/rows.py", line 2, in parse_row
    return text.split(",")[0][0]
IndexError: string index out of range
"""


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one committed module."""
    folder = tmp_path / "repo"
    (folder / "shop").mkdir(parents=True)
    (folder / "shop" / "__init__.py").touch()
    (folder / "shop" / "rows.py").write_text(BEFORE)
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "Begin")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(folder)
    return folder


def nsdbg(*words: str) -> Result:
    return CliRunner().invoke(app, ["--no-config", "triage", *words])


def change(repo: Path, text: str = AFTER) -> None:
    (repo / "shop" / "rows.py").write_text(text)
    git(repo, "add", ".")


def test_nothing_staged_is_silent(repo: Path) -> None:
    found = nsdbg("--staged")
    assert (found.exit_code, found.output) == (0, "")


def test_a_change_that_is_not_staged_is_not_passed_over_in_silence(repo: Path) -> None:
    (repo / "shop" / "rows.py").write_text(AFTER)
    found = nsdbg()
    assert found.exit_code == 0
    assert found.output == f"note: {ON_DISK}\n"
    assert nsdbg("--staged").output == ""
    change(repo, BEFORE.replace("if not text", "if len(text) == 0"))
    assert "--diff HEAD" not in nsdbg("--budget", "20", "--proposers", "rules").output


def test_a_change_that_keeps_what_it_does_is_silent(repo: Path) -> None:
    change(repo, BEFORE.replace("if not text", "if len(text) == 0"))
    found = nsdbg("--staged", "--budget", "20", "--proposers", "rules")
    assert (found.exit_code, found.output) == (0, "")


def test_a_new_crash_is_told_with_the_call_that_shows_it(repo: Path) -> None:
    change(repo)
    found = nsdbg("--staged", "--budget", "30")
    assert found.exit_code == 1
    lines = [line.strip() for line in found.output.splitlines()]
    assert lines[0].startswith("1. `parse_row('')` now raises IndexError at rows.py:2; before this")
    at = lines.index("from shop.rows import parse_row")
    assert lines[at + 1] == "parse_row('')"


def test_the_json_holds_what_both_versions_did(repo: Path) -> None:
    change(repo)
    found = nsdbg("shop/rows.py", "--output-format", "json")
    assert found.exit_code == 1
    [one] = json.loads(found.stdout)["findings"]
    told = {name: one[name] for name in ("rule", "status", "call", "imports", "touched")}
    assert told == {
        "rule": "new-crash", "status": "confirmed", "call": "parse_row('')",
        "imports": ["from shop.rows import parse_row"], "touched": True,
    }  # fmt: skip
    assert (one["before"], one["now"]) == (
        "returned None", "raises IndexError: string index out of range",
    )  # fmt: skip


def test_a_comment_silences_a_line(repo: Path) -> None:
    change(repo, AFTER.replace("[0][0]\n", "[0][0]  # nsdbg: ignore[new-crash] never empty\n"))
    found = nsdbg("--staged", "--budget", "30")
    assert (found.exit_code, "parse_row('')" in found.output) == (0, False)


def test_a_budget_that_is_spent_says_what_was_left_out(repo: Path) -> None:
    change(repo, AFTER + "".join(f"\n\ndef f{n}(x):\n    return x + {n}\n" for n in range(200)))
    found = nsdbg("--staged", "--budget", "0.1")
    told = " ".join(found.output.split())
    assert re.search(r"\d+ of 201 functions were not run: the time was up", told)


@pytest.mark.parametrize(
    "text", ["    while True:\n        text\n", "    pass\n\nwhile True:\n    3\n"]
)
def test_a_function_of_which_no_call_ends_counts_as_left_out(repo: Path, text: str) -> None:
    change(repo, f"def parse_row(text):\n{text}")
    found = nsdbg("--staged", "--budget", "0.2")
    assert "1 of 1 functions were not run: the time was up" in " ".join(found.output.split())


@pytest.mark.parametrize(("level", "told"), [(Level.NOTE, False), (None, True)])
def test_what_was_known_when_the_user_ended_it_is_told_as_it_would_have_been(
    repo: Path, monkeypatch: pytest.MonkeyPatch, level: Level | None, told: bool
) -> None:
    found = Finding(Rule.NEW_CRASH, "`f()` now raises", "0" * 16, level=level)

    def stop(*_: object, **__: object) -> Findings:
        raise Stopped(Findings((found,), notes=("stopped before all functions were run",)))

    change(repo)
    monkeypatch.setattr("nsdbg.triage.triage", stop)
    said = nsdbg("--staged").output
    assert ("`f()` now raises" in said, "nothing new" in said) == (told, False)
    assert "note: stopped before all functions were run" in said


def test_logs_are_counted_and_held_against_the_change(repo: Path, tmp_path: Path) -> None:
    change(repo)
    other = LOG.replace("IndexError: string index", "KeyError: 'x' #").replace("parse_row", "gone")
    (tmp_path / "crash.log").write_text(LOG + LOG + other.replace("rows.py", "gone.py"))
    found = nsdbg(str(tmp_path / "crash.log"))
    assert found.exit_code == 1
    rows = [line.split()[:3] for line in found.output.splitlines()]
    assert rows[0] == ["count", "touched", "where"]
    assert rows[1] == ["2", "yes", "shop/rows.py:2"]
    assert rows[2][:2] == ["1", "?"]
    assert found.output.splitlines()[3].startswith("note: ?: no line of it is in a file below this")
    assert all(len(line) <= 80 for line in found.output.splitlines())


def test_logs_are_counted_outside_of_git_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "crash.log").write_text(LOG)
    found = nsdbg("crash.log")
    assert found.exit_code == 1
    assert "is not known" in found.output
    assert isinstance(nsdbg("--diff", "HEAD", "crash.log").exception, ChangeError)


@pytest.mark.parametrize(
    "words",
    [("--staged", "--diff", "HEAD"), ("gone.py",), ("shop/rows.py", "some.log"),
     ("shop/rows.py", "--staged"), ("--proposers", "nobody")],
)  # fmt: skip
def test_what_cannot_be_asked_is_an_error(words: tuple[str, ...], repo: Path) -> None:
    assert isinstance(nsdbg(*words).exception, UsageError)


def test_outside_of_git_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = nsdbg("--staged")
    assert isinstance(found.exception, ChangeError)
    assert found.exception.exit_code == 2
