"""The composite action: its scripts, run here with stand-ins for what a runner provides."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ACTION = (ROOT / "action.yml").read_text()
LOGS = Path(__file__).parent / "logs"

# Records how it was called; a stand-in for nsdbg and for the Python that nsdbg runs on.
RECORDER = """\
#!{python}
import json, os, pathlib, sys
with open({calls!r}, "a") as file:
    file.write(json.dumps([os.path.basename(sys.argv[0]), *sys.argv[1:]]) + "\\n")
for one in sys.argv:
    if one.startswith("--output=json="):
        pathlib.Path(one.removeprefix("--output=json=")).write_text('{{"new": 3}}')
if sys.argv[1:3] == ["-m", "venv"]:
    place = pathlib.Path(sys.argv[3]) / "bin"
    place.mkdir(parents=True)
    (place / "python").write_text(pathlib.Path(sys.argv[0]).read_text())
    (place / "python").chmod(0o755)
sys.exit({status})
"""


def steps() -> dict[str, tuple[str, dict[str, str]]]:
    """Return the script of each step that has one, and the environment it is given."""
    found = {}
    for step in re.split(r"^    - name: ", ACTION, flags=re.MULTILINE)[1:]:
        name, _, rest = step.partition("\n")
        head, run, script = rest.partition("      run: |\n")
        if run:
            given = dict(re.findall(r"^        ([A-Z_]+): \$\{\{ (.+?) \}\}$", head, re.MULTILINE))
            found[name] = (textwrap.dedent(script), given)
    return found


class Runner:
    """A folder with what a runner provides, and stand-ins that record."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.temp = folder / "temp"
        self.work = folder / "work"
        self.calls = folder / "calls"
        self.summary = folder / "summary.md"
        self.output = folder / "output"
        for one in (self.temp, self.work):
            one.mkdir()

    def stand_in(self, path: Path, status: int = 0) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        text = RECORDER.format(python=sys.executable, calls=str(self.calls), status=status)
        path.write_text(text)
        path.chmod(0o755)
        return path

    def nsdbg(self, status: int = 0) -> None:
        self.stand_in(self.temp / "nsdbg/bin/nsdbg", status)
        (self.temp / "nsdbg/bin/python").symlink_to(sys.executable)

    def run(self, name: str, **inputs: str) -> subprocess.CompletedProcess[str]:
        script, given = steps()[name]
        environment = {
            "PATH": os.environ["PATH"], "RUNNER_TEMP": str(self.temp), "GITHUB_ACTIONS": "true",
            "GITHUB_STEP_SUMMARY": str(self.summary), "GITHUB_OUTPUT": str(self.output),
            **dict.fromkeys(given, ""), "NSDBG_SARIF": "nsdbg.sarif", "NSDBG_EXTRA": "cpu",
        }  # fmt: skip
        environment |= inputs
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script], cwd=self.work,
            env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip

    def called(self) -> list[list[str]]:
        if not self.calls.exists():
            return []
        return [json.loads(line) for line in self.calls.read_text().splitlines()]


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    return Runner(tmp_path)


INSTALL, GATE = "Install nsdbg", "Run nsdbg gate"
NASTY = ("$(touch pwned)", "`touch pwned`", '"; touch pwned; "', "'; touch pwned #", "a b*?")


def test_no_script_has_an_expression_in_it() -> None:
    scripts = [script for script, _ in steps().values()]
    assert len(scripts) == 2
    assert [script for script in scripts if "${{" in script] == []


def test_every_input_is_used_and_every_one_used_is_declared() -> None:
    declared = set(
        re.findall(r"^  ([a-z-]+):\n    description:", ACTION.split("outputs:")[0], re.M)
    )
    assert set(re.findall(r"inputs\.([a-z-]+)", ACTION)) == declared


def test_nsdbg_is_installed_from_the_actions_own_folder_into_an_environment_of_its_own(
    runner: Runner,
) -> None:
    python = runner.stand_in(runner.folder / "own/python")
    done = runner.run(INSTALL, NSDBG_OWN_PYTHON=str(python), NSDBG_ACTION="/the action")
    assert done.returncode == 0, done.stderr
    assert runner.called() == [
        ["python", "-m", "venv", str(runner.temp / "nsdbg")],
        ["python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
         "/the action[cpu]"],
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("version", "extra", "wanted"),
    [("1.2.3", "cpu,smt", "nsdbg[cpu,smt]==1.2.3"), ("1.0", "", "nsdbg==1.0"), ("", "", "/a")],
)
def test_version_and_extra_choose_what_is_installed(
    runner: Runner, version: str, extra: str, wanted: str
) -> None:
    python = runner.stand_in(runner.folder / "own/python")
    runner.run(
        INSTALL, NSDBG_OWN_PYTHON=str(python), NSDBG_ACTION="/a", NSDBG_VERSION=version,
        NSDBG_EXTRA=extra,
    )  # fmt: skip
    assert runner.called()[-1][-1] == wanted


@pytest.mark.parametrize(
    ("extra", "wanted"),
    [("cpu", "/a[cpu,measure]"), ("", "/a[measure]"), ("measure,cpu", "/a[measure,cpu]")],
)
def test_measuring_brings_what_it_needs(runner: Runner, extra: str, wanted: str) -> None:
    python = runner.stand_in(runner.folder / "own/python")
    runner.run(
        INSTALL, NSDBG_OWN_PYTHON=str(python), NSDBG_ACTION="/a", NSDBG_EXTRA=extra,
        NSDBG_MEASURE="true",
    )  # fmt: skip
    assert runner.called()[-1][-1] == wanted


@pytest.mark.parametrize("field", ["NSDBG_VERSION", "NSDBG_EXTRA"])
@pytest.mark.parametrize("text", [*NASTY, "--index-url=x", "1\n2"])
def test_what_is_no_version_or_extra_is_refused(runner: Runner, field: str, text: str) -> None:
    python = runner.stand_in(runner.folder / "own/python")
    done = runner.run(
        INSTALL, **{"NSDBG_OWN_PYTHON": str(python), "NSDBG_ACTION": "/a", field: text}
    )
    assert done.returncode == 2
    assert "::error::" in done.stdout
    assert runner.called() == []
    assert list(runner.work.iterdir()) == []


def test_inputs_become_arguments_one_a_line(runner: Runner) -> None:
    runner.nsdbg()
    done = runner.run(
        GATE, NSDBG_JUNIT="a.xml\n\n  reports/*.xml \r\n", NSDBG_LOG="one.log\ntwo two.log",
        NSDBG_BASE="abc123", NSDBG_BASELINE="b.json", NSDBG_MEASURE="true",
        NSDBG_PYTHON="/usr/bin/python3", NSDBG_ARGS="--fail-on=new-crash\n--budget=3",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    [[name, command, *arguments]] = runner.called()
    assert (name, command) == ("nsdbg", "gate")
    assert arguments == [
        "--output-format=github", f"--output=sarif={runner.work}/nsdbg.sarif",
        f"--output=markdown={runner.summary}",
        f"--output=json={runner.temp}/nsdbg-findings.json",
        "--junit=a.xml", "--junit=reports/*.xml", "--log=one.log", "--log=two two.log",
        "--baseline=b.json", "--diff=abc123", "--measure", "--python=/usr/bin/python3",
        "--fail-on=new-crash", "--budget=3",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("diff", "base", "wanted"),
    [("", "abc", ["--diff=abc"]), ("main", "abc", ["--diff=main"]), ("none", "abc", []),
     ("", "", [])],
)  # fmt: skip
def test_a_pull_request_is_compared_with_its_base_unless_told_otherwise(
    runner: Runner, diff: str, base: str, wanted: list[str]
) -> None:
    runner.nsdbg()
    runner.run(GATE, NSDBG_DIFF=diff, NSDBG_BASE=base)
    assert [one for one in runner.called()[0] if one.startswith("--diff")] == wanted


@pytest.mark.parametrize("field", ["NSDBG_DIFF", "NSDBG_LOG", "NSDBG_ARGS", "NSDBG_BASELINE"])
def test_no_input_is_run_by_the_shell(runner: Runner, field: str) -> None:
    runner.nsdbg()
    done = runner.run(GATE, **{field: "\n".join(NASTY)})
    assert done.returncode == 0, done.stderr
    given = [one.partition("=")[2] or one for one in runner.called()[0]]
    assert given[-len(NASTY) :] == [*NASTY] or given[-len(NASTY) - 1 : -1] == [*NASTY]
    assert list(runner.work.iterdir()) == []


@pytest.mark.parametrize("status", [0, 1])
def test_count_and_sarif_are_given_back_and_the_exit_code_is_the_gates(
    runner: Runner, status: int
) -> None:
    runner.nsdbg(status)
    done = runner.run(GATE, NSDBG_SARIF="out.sarif\ninjected=1")
    assert done.returncode == status
    assert runner.output.read_text() == f"findings=3\nsarif={runner.work}/out.sarif\n"


def test_the_real_gate_annotates_sums_up_and_fails(runner: Runner) -> None:
    place = runner.temp / "nsdbg/bin"
    place.mkdir(parents=True)
    (place / "python").symlink_to(sys.executable)
    nsdbg = place / "nsdbg"
    nsdbg.write_text(f"#!{sys.executable}\nfrom nsdbg.cli import main\nmain()\n")
    nsdbg.chmod(0o755)
    done = runner.run(
        GATE, NSDBG_JUNIT=str(LOGS / "junit_unittest.log"), NSDBG_ARGS="--no-exec",
        HOME=str(runner.folder),
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    assert done.stdout.count("::error ") == 4
    assert "IndexError" in runner.summary.read_text()
    assert runner.output.read_text().startswith("findings=4\n")
    assert json.loads((runner.work / "nsdbg.sarif").read_text())["version"] == "2.1.0"


def test_the_interpreter_is_meant_and_not_a_script_that_starts_it(runner: Runner) -> None:
    """A shim, as pyenv lays one on the path: the sandbox would not start it."""
    shim = runner.folder / "shims/python"
    shim.parent.mkdir()
    shim.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    shim.chmod(0o755)
    runner.nsdbg()
    done = runner.run(GATE, PATH=f"{shim.parent}:{os.environ['PATH']}")
    assert done.returncode == 0, done.stderr
    assert f"--python={sys.executable}" in runner.called()[0]


def test_an_error_says_so_and_gives_no_count(runner: Runner) -> None:
    place = runner.temp / "nsdbg/bin"
    place.mkdir(parents=True)
    (place / "nsdbg").write_text("#!/bin/sh\nexit 2\n")
    (place / "nsdbg").chmod(0o755)
    (place / "python").symlink_to(sys.executable)
    done = runner.run(GATE)
    assert done.returncode == 2
    assert "::error::nsdbg gate could not be asked" in done.stdout
    assert not runner.output.exists()
