"""`nsdbg gate` as it is called: exit codes, outputs, and messages for what cannot be asked."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from test_gate_decide import FAILED, LOG, PASSED, ROWS, TESTS, git, report

from nsdbg.cli import main
from nsdbg.cli.findings import FindingsFormat
from nsdbg.report.formats import FORMATS

BROKEN = ROWS
SOUND = ROWS.replace(
    "    return cells[1]", "    return cells[1] if len(cells) > 1 else None"
)  # fmt: skip


@dataclass
class Done:
    """What a call came to."""

    returncode: int
    stdout: str
    stderr: str


Gate = Callable[..., Done]


@pytest.fixture
def gate(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Gate:
    """Call the command in a folder, within this process."""

    def call(folder: Path, *words: str) -> Done:
        monkeypatch.setattr(sys, "argv", ["nsdbg", "gate", *words])
        monkeypatch.chdir(folder)
        monkeypatch.setenv("HOME", str(tmp_path))
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        said = capsys.readouterr()
        return Done(int(ended.value.code or 0), said.out, said.err)

    return call


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "rows.py").write_text(SOUND)
    (folder / "test_rows.py").write_text(TESTS)
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "one")
    (folder / "crash.log").write_text(LOG)
    return folder


def test_asked_nothing_it_shows_how_it_is_asked(tree: Path, gate: Gate) -> None:
    done = gate(tree)
    assert (done.returncode, done.stdout) == (2, "")
    assert "nsdbg gate --junit report.xml --diff origin/main" in done.stderr


def test_a_change_that_adds_a_crash_fails_and_one_that_does_not_is_clean(
    tree: Path, gate: Gate
) -> None:
    (tree / "rows.py").write_text(BROKEN)
    git(tree, "checkout", "-q", "-b", "work")
    git(tree, "commit", "-q", "-a", "-m", "two")
    done = gate(tree, "--diff", "main", "--output", "json=out.json", "--html", "page.html")
    assert done.returncode == 1, done.stderr
    assert "`parse_row('')` now raises IndexError at rows.py:3" in done.stdout
    found = json.loads((tree / "out.json").read_text())
    assert (found["new"], found["failed"]) == (1, True)
    assert "parse_row" in (tree / "page.html").read_text()
    assert gate(tree, "--diff", "main", "--write-baseline").returncode == 0
    git(tree, "checkout", "-q", "--detach")  # as a pipeline checks out
    (tree / "rows.py").write_text("# moved\n\n" + BROKEN)
    done = gate(tree, "--diff", "main")
    assert done.returncode == 0, done.stdout
    assert "1 known (accepted by the baseline)" in done.stdout
    commented = "sum(prices, 0)  # nsdbg: ignore[new-crash] of old"
    (tree / "rows.py").write_text(SOUND.replace("sum(prices)", commented))
    done = gate(tree, "--diff", "main")
    assert done.returncode == 0
    assert "`nsdbg: ignore[new-crash]` at rows.py:7 is not needed" in done.stdout


def test_settings_of_the_project_fill_in_and_the_command_line_wins(tree: Path, gate: Gate) -> None:
    (tree / "pyproject.toml").write_text(
        '[tool.nsdbg.gate]\nfail-on = ["new-crash"]\nno-exec = true\nbaseline = "ci/known.json"\n'
    )
    done = gate(tree, "--log", "crash.log")
    assert done.returncode == 2
    assert "there is no baseline" in done.stderr
    (tree / "ci").mkdir()
    (tree / "ci/known.json").write_text('{"schema": "nsdbg.baseline/1", "findings": []}')
    assert gate(tree, "--log", "crash.log").returncode == 0
    assert gate(tree, "--log", "crash.log", "--fail-on", "logged-crash").returncode == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--diff", "main", "--staged"], "--diff and --staged are two different changes"),
        (["--measure", "--no-exec"], "--measure runs programs"),
        (["--log", "crash.log", "--fail-on", "new-crsh"], "did you mean new-crash?"),
        (["--log", "none.log"], "there is no file none.log"),
        (["--junit", "none.xml"], "there is no file none.xml"),
        (["--log", "crash.log", "--source-root", "none"], "--source-root: none is no folder"),
        (["--log", "crash.log", "--output", "sarf=x"], "did you mean sarif?"),
        (["--log", "crash.log", "--html", "none/x.html"], "--html: there is no folder none"),
        (["--log", "crash.log", "--html", "."], "--html: . is a folder"),
        (["--log", "crash.log", "--baseline", "none.json"], "there is no baseline none.json"),
        (["--diff", "nowhere"], "nowhere"),
        (["--diff", ""], "the revision is empty"),
        (["--log", "crash.log", "--output", "json=-"], "write --output-format json"),
    ],
)
def test_what_cannot_be_asked_is_one_line_and_exit_code_2(
    tree: Path, gate: Gate, words: list[str], said: str
) -> None:
    done = gate(tree, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert done.stderr.startswith("nsdbg: ")
    assert "Traceback" not in done.stderr


def test_a_shallow_clone_without_the_base_says_how_to_get_it(tree: Path, gate: Gate) -> None:
    git(tree, "checkout", "-q", "-b", "work")
    (tree / "rows.py").write_text(BROKEN)
    git(tree, "commit", "-q", "-a", "-m", "two")
    clone = tree.parent / "clone"
    git(tree, "clone", "-q", "--depth", "1", "--branch", "work", f"file://{tree}", str(clone))
    base = subprocess.run(
        ["git", "rev-parse", "main"], cwd=tree, capture_output=True, text=True, check=True
    ).stdout.strip()
    done = gate(clone, "--diff", base)
    assert (done.returncode, done.stdout) == (2, "")
    assert "fetch" in done.stderr


def test_a_change_with_binary_files_is_told_and_decided(tree: Path, gate: Gate) -> None:
    (tree / "logo.png").write_bytes(b"\x89PNG\0\xff" * 50)
    (tree / "odd.py").write_bytes(b"x = '\0\xff'\n")
    git(tree, "add", "logo.png", "odd.py")
    done = gate(tree, "--staged")
    assert done.returncode == 0, done.stderr
    assert "odd.py" in done.stdout
    assert "logo.png" not in done.stdout


def test_a_report_cut_in_half_is_an_error_and_as_a_log_gives_what_it_holds(
    tree: Path, gate: Gate
) -> None:
    path = Path(report(tree, FAILED, PASSED))
    path.write_text(path.read_text()[:-40])
    done = gate(tree, "--junit", "report.xml", "--no-exec")
    assert done.returncode == 2
    assert "report.xml cannot be read as JUnit XML: it is cut off at line 5" in done.stderr
    done = gate(tree, "--log", "report.xml", "--no-exec", "--output-format", "json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["findings"][0]["rule"] == "failed-test"


def test_files_are_named_from_the_repositorys_root_wherever_it_is_called(
    tree: Path, gate: Gate
) -> None:
    (tree / "part").mkdir()
    (tree / "part/rows.py").write_text(BROKEN)
    (tree / "part/crash.log").write_text(LOG)
    done = gate(tree / "part", "--log", "crash.log", "--no-exec", "--output-format", "json")
    assert json.loads(done.stdout)["findings"][0]["place"]["file"] == "part/rows.py"
    gate(tree / "part", "--log", "crash.log", "--no-exec", "--write-baseline")
    assert (tree / "nsdbg-baseline.json").exists()


def test_the_formats_offered_are_those_that_there_are() -> None:
    assert [one.value for one in FindingsFormat] == list(FORMATS)


def test_a_mistake_of_our_own_is_no_finding(
    tree: Path, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit code 1, which Python gives by itself, would say that the change fails."""

    def broken(*_: object) -> None:
        raise RuntimeError("not foreseen")

    monkeypatch.setattr("nsdbg.gate.gate", broken)
    done = gate(tree, "--log", "crash.log")
    assert done.returncode == 2
    assert "RuntimeError: not foreseen" in done.stderr
    assert done.stderr.endswith("nsdbg: this is a mistake in nsdbg; the lines above say where\n")


def test_a_change_that_adds_to_the_baseline_fails_with_the_ratchet(tree: Path, gate: Gate) -> None:
    git(tree, "checkout", "-q", "-b", "work")
    accept = ("--log", "crash.log", "--no-exec", "--write-baseline")
    ratchet = ("--log", "crash.log", "--no-exec", "--diff", "main", "--ratchet")
    assert gate(tree, *accept).returncode == 0
    done = gate(tree, *ratchet)  # nothing to hold it against
    assert done.returncode == 0
    assert "there is no nsdbg-baseline.json at main" in done.stdout
    git(tree, "checkout", "-q", "main")
    (tree / "nsdbg-baseline.json").write_text('{"schema": "nsdbg.baseline/1", "findings": []}')
    git(tree, "add", "nsdbg-baseline.json")
    git(tree, "commit", "-q", "-m", "begin a baseline")
    git(tree, "checkout", "-q", "-b", "more")
    assert gate(tree, *accept).returncode == 0
    for name in ("main", "HEAD"):
        done = gate(tree, *ratchet[:-2], name, "--ratchet", "--output-format", "github")
        assert done.returncode == 1, done.stdout
        assert "::error file=nsdbg-baseline.json,line=6,title=" in done.stdout
    assert gate(tree, *ratchet[:-1]).returncode == 0
    git(tree, "commit", "-q", "-a", "-m", "grow")
    assert gate(tree, *ratchet).returncode == 1
    git(tree, "checkout", "-q", "main")
    git(tree, "merge", "-q", "more")
    git(tree, "checkout", "-q", "-b", "less")
    assert gate(tree, *ratchet).returncode == 0
    (tree / "crash.log").write_text("fine")
    assert gate(tree, *ratchet, "--write-baseline").returncode == 0
    assert json.loads((tree / "nsdbg-baseline.json").read_text())["findings"] == []
    assert gate(tree, *ratchet).returncode == 0
