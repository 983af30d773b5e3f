"""What a start loads: the command that was asked for, and nothing that it does not need."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest
import typer

import nsdbg
from nsdbg.cli.commands import LISTED, Listed


def start(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run the command line; the last line on stdout are the modules that were loaded."""
    code = (
        f"import sys; sys.argv = {['nsdbg', *arguments]!r}\n"
        "from nsdbg.cli import main\n"
        "try: main()\n"
        "finally: print('\\n' + ' '.join(sys.modules))"
    )
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=cwd
    )


def loaded(ran: subprocess.CompletedProcess[str]) -> set[str]:
    return set(ran.stdout.splitlines()[-1].split())


def test_the_version_is_told_without_loading_typer() -> None:
    ran = start("--version")
    assert ran.stdout.splitlines()[0] == f"nsdbg {nsdbg.__version__}"
    assert not loaded(ran) & {"typer", "typing", "re", "pathlib", "nsdbg.errors"}


@pytest.mark.parametrize(
    ("command", "said", "painted"),
    [
        (("localize",), "KeyError: '\\u540d\\u524d'", "\x1b[1mSuspects, likely first\x1b[0m"),
        (("gate", "--log"), "KeyError at /gone/app.py:1 ('\\u540d\\u524d')",
         "\x1b[31m\x1b[1m1 logged crash; 1 log read in "),
    ],
)  # fmt: skip
def test_what_a_console_lacks_is_spelled_out_and_colour_is_for_who_asks(
    tmp_path: Path, command: tuple[str, ...], said: str, painted: str
) -> None:
    log = tmp_path / "crash.log"
    log.write_text(
        "Traceback (most recent call last):\n"
        '  File "/gone/app.py", line 1, in <module>\n    価格()\n'
        "KeyError: '名前'\n",
        encoding="utf-8",
    )
    ran = subprocess.run(
        [sys.executable, "-m", "nsdbg", *command, str(log), "--no-exec"],
        capture_output=True, text=True, check=False, cwd=tmp_path,
        env={"PYTHONIOENCODING": "cp1252", "FORCE_COLOR": "1", "HOME": str(tmp_path)},
    )  # fmt: skip
    assert ran.stderr == ""
    assert said in ran.stdout
    assert painted in ran.stdout


def test_python_m_nsdbg_is_the_command_line() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "nsdbg", "gate"], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 2
    assert ran.stderr.startswith("nsdbg: nothing to decide on")


def test_the_help_loads_no_command() -> None:
    ran = start("--help")
    names = {f"nsdbg.cli.{one.module or one.name}" for one in LISTED}
    assert all(f"  {one.name}  " in ran.stdout for one in LISTED)
    assert not loaded(ran) & names


def test_a_command_loads_its_own_module_and_no_other() -> None:
    names = {f"nsdbg.cli.{one.module or one.name}" for one in LISTED}
    assert loaded(start("triage", "--help")) & names == {"nsdbg.cli.triage"}


@pytest.mark.skipif(
    not hasattr(typer.core.TyperOption, "get_runtime_param"),
    reason="this version of typer makes values without pydantic",
)
def test_the_hook_does_not_load_pydantic(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    (tmp_path / "pyproject.toml").write_text("[tool.nsdbg.triage]\nbudget = 3\n")
    ran = start("triage", "--staged", cwd=tmp_path)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "nsdbg.changes" in loaded(ran)
    assert "pydantic" not in loaded(ran)


def test_what_was_typed_is_made_and_checked_as_ever(tmp_path: Path) -> None:
    for given, said in (
        (("--budget", "0"), "greater than or equal to 0.1"),
        (("--budget", "soon"), "--budget"),
        (("--output-format", "yaml"), "--output-format"),
    ):
        ran = start("triage", *given, cwd=tmp_path)
        assert ran.returncode == 2
        assert said in ran.stderr


@pytest.mark.parametrize("one", LISTED, ids=lambda one: one.name)
def test_a_listed_command_is_there_and_its_line_fits(one: Listed) -> None:
    command = one.built()
    assert command.callback is not None or command.commands
    width = max(len(other.name) for other in LISTED)
    assert len(f"  {one.name:<{width}}  {one.summary}") <= 80


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_terminated_command_ends_by_way_of_what_it_has_opened(number: int) -> None:
    script = (
        "import os, signal\n"
        "from nsdbg.cli import _heed_signals\n"
        f"signal.signal({int(number)}, signal.SIG_DFL)\n"  # who tests may have had it ignored
        "_heed_signals()\n"
        "try:\n"
        f"    os.kill(os.getpid(), {int(number)})\n"
        "finally:\n"
        "    print('closed')\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (128 + number, "closed\n", "")
