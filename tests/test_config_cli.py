"""`nsdbg config`, and how the settings reach the commands: the command line wins."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from nsdbg.cli import app
from nsdbg.cli.defaults import Configured
from nsdbg.cli.keys import all_known, options_of
from nsdbg.cli.localize import localize
from nsdbg.errors import NsdbgError, SettingsError
from nsdbg.settings.known import Kind, Option
from nsdbg.settings.trust import LET, REFUSED

CRASH = """Traceback (most recent call last):
  File "shop.py", line 2, in total
    return 1 / n
ZeroDivisionError: division by zero
"""


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a crash log, where we stand, and a home folder with nothing in it."""
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    (folder / "crash.log").write_text(CRASH)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(folder)
    return folder


def write(project: Path, text: str) -> None:
    (project / "pyproject.toml").write_text(text)


def write_user(project: Path, text: str) -> None:
    folder = project.parent / ".config" / "nsdbg"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text(text)


def run(*arguments: str) -> str:
    ran = CliRunner().invoke(app, list(arguments))
    if isinstance(ran.exception, NsdbgError):
        raise ran.exception
    assert ran.exit_code == 0, ran.output
    return ran.stdout


def is_json(text: str) -> bool:
    return text.startswith("{")


def test_a_setting_becomes_a_commands_default_and_the_command_line_wins(project: Path) -> None:
    assert not is_json(run("parse", "crash.log"))
    write(project, "[tool.nsdbg]\noutput-format = 'json'\n")
    assert is_json(run("parse", "crash.log"))
    assert not is_json(run("parse", "crash.log", "--output-format", "text"))
    write(project, "[tool.nsdbg.parse]\noutput-format = 'json'\n")
    assert is_json(run("parse", "crash.log"))
    assert not is_json(run("rules", "list"))


def test_a_command_of_a_group_takes_its_groups_table(project: Path) -> None:
    write(project, "[tool.nsdbg.rules.list]\noutput-format = 'json'\n")
    assert is_json(run("rules", "list"))
    write(project, "[tool.nsdbg.rules]\noutput-format = 'json'\n")
    assert is_json(run("rules", "list"))


def test_no_config_and_config_choose_what_is_read(project: Path) -> None:
    write(project, "[tool.nsdbg]\noutput-format = 'json'\n")
    (project / "mine.toml").write_text("[parse]\noutput-format = 'text'\n")
    assert not is_json(run("--no-config", "parse", "crash.log"))
    assert not is_json(run("--config", "mine.toml", "parse", "crash.log"))
    with pytest.raises(SettingsError, match="nothere cannot be read"):
        run("--config", "nothere", "parse", "crash.log")


def test_click_says_that_a_value_came_from_the_settings(project: Path) -> None:
    """So that a command could tell, should it need to."""
    seen = {}
    small = typer.Typer(cls=Configured)

    @small.callback()
    def root(config: Path | None = None, no_config: bool = False) -> None:
        pass

    @small.command("localize")
    def told(
        ctx: typer.Context, budget: Annotated[float, typer.Option()] = 1.0, top: int = 1
    ) -> None:
        seen["budget"] = (budget, str(ctx.get_parameter_source("budget")))
        seen["top"] = (top, str(ctx.get_parameter_source("top")))

    write(project, "[tool.nsdbg.localize]\nbudget = 3\n")
    assert CliRunner().invoke(small, ["localize"]).exit_code == 0
    assert seen == {"budget": (3.0, "ParameterSource.DEFAULT_MAP"),
                    "top": (1, "ParameterSource.DEFAULT")}  # fmt: skip


def test_a_broken_configuration_stops_a_command_but_neither_help_nor_version(
    project: Path,
) -> None:
    write(project, "[tool.nsdbg]\nbudgt = 3\n")
    with pytest.raises(SettingsError, match="did you mean budget"):
        run("parse", "crash.log")
    with pytest.raises(SettingsError, match="did you mean budget"):
        run("config")
    assert "nsdbg 0" in run("--version")
    assert "Usage" in run("--help")
    assert "Usage" in run("localize", "--help")
    assert "Usage" in run("measure", "hallucination", "--help")
    assert run("--no-config", "parse", "crash.log")


def test_the_help_of_a_program_that_is_run_is_its_own_matter(project: Path) -> None:
    (project / "app.py").write_text("")
    write(project, "[tool.nsdbg]\nbudgt = 3\n")
    with pytest.raises(SettingsError, match="did you mean budget"):
        run("run", "app.py", "--help")
    assert "Usage" in run("run", "--help")


def test_the_error_is_one_line_and_exit_code_2(project: Path) -> None:
    write(project, "[tool.nsdbg]\nallow = ['open']\n")
    ran = subprocess.run(
        [sys.executable, "-c", "from nsdbg.cli import main; main()", "parse", "crash.log"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 2
    assert ran.stdout == ""
    assert ran.stderr.startswith("nsdbg: pyproject.toml:2: tool.nsdbg.allow is not taken from")
    assert ran.stderr.count("\n") == 1


def test_the_table_of_a_project_in_the_users_own_file_is_told(project: Path) -> None:
    """`tool` looks like `to`, an option of `localize`'s kin."""
    write_user(project, "[tool.nsdbg]\nbudget = 1\n")
    with pytest.raises(SettingsError, match="keys stand at the top, without"):
        run("parse", "crash.log")


def test_config_tells_what_the_files_set_and_where(project: Path) -> None:
    write_user(project, "budget = 1\n[localize]\npython = 'py'\n")
    write(project, "[tool.nsdbg]\n# why\nbudget = 3\n[tool.nsdbg.localize]\nno-exec = true\n")
    assert run("config").splitlines() == [
        "User's file      ~/.config/nsdbg/config.toml",
        "Project's file   pyproject.toml",
        "",
        "  budget            1     ~/.config/nsdbg/config.toml:1 (overridden)",
        f"  localize.python   {'':<4}  ~/.config/nsdbg/config.toml:3",
        f"      {project.parent}/.config/nsdbg/py",
        "  budget            3     pyproject.toml:3",
        "  localize.no-exec  true  pyproject.toml:5",
        "",
        "All else is at its default: `nsdbg config COMMAND` shows it.",
    ]


def test_config_of_a_command_tells_every_option(project: Path) -> None:
    write(project, "[tool.nsdbg]\nseed = 3\n")
    told = run("config", "localize").splitlines()
    assert told[0] == "nsdbg localize"
    assert "  budget            20.0                 default" in told
    assert "  seed              3                    pyproject.toml:2" in told
    assert len(told) == 1 + len(options_of(localize))
    assert max(map(len, told)) <= 80


def test_config_of_a_group_tells_of_all_its_commands() -> None:
    told = run("config", "rules")
    assert "nsdbg rules list\n" in told
    assert "nsdbg rules check\n" in told
    assert "localize" not in told


def test_config_in_json_has_value_origin_and_line(project: Path) -> None:
    write(project, "[tool.nsdbg]\nseed = 3\n")
    told = json.loads(run("config", "reverse", "--output-format", "json"))
    assert told["schema"] == "nsdbg.config/1"
    assert told["files"] == [{"owner": "project", "path": str(project / "pyproject.toml")}]
    (command,) = told["commands"]
    options = {one.pop("key"): one for one in command["options"]}
    assert command["command"] == "reverse"
    assert options["seed"] == {
        "value": 3, "from": "project", "file": str(project / "pyproject.toml"), "line": 2,
    }  # fmt: skip
    assert options["budget"] == {"value": 10.0, "from": "default", "file": None, "line": None}
    assert len(json.loads(run("config", "--output-format", "json"))["commands"]) > 10


def test_config_says_when_nothing_was_read(project: Path) -> None:
    write(project, "[tool.nsdbg]\nseed = 3\n")
    told = run("--no-config", "config")
    assert told.startswith("No file was read (--no-config).\n")
    assert "seed" not in told


def test_config_of_an_unknown_command_names_the_nearest() -> None:
    with pytest.raises(NsdbgError, match="no command localise: did you mean localize"):
        run("config", "localise")
    with pytest.raises(NsdbgError, match="did you mean measure model"):
        run("config", "measure", "modl")


def test_without_a_file_nothing_is_loaded_that_reads_one(project: Path) -> None:
    code = (
        "import sys; sys.argv = ['nsdbg', 'config', 'parse']\n"
        "from nsdbg.cli import main\n"
        "try: main()\nfinally: print('tomllib' in sys.modules)"
    )
    asked = [sys.executable, "-c", code]
    assert subprocess.check_output(asked, text=True).endswith("False\n")
    write(project, "[tool.nsdbg]\nseed = 3\n")
    assert subprocess.check_output(asked, text=True).endswith("True\n")


def test_options_are_read_off_a_command() -> None:
    options = {option.key: option for option in options_of(localize)}
    assert options["budget"] == Option("budget", "budget", Kind.NUMBER, minimum=0.1, default=20.0)
    assert options["emit-test"] == Option("emit-test", "emit_test", Kind.PATH)
    assert options["allow"] == Option("allow", "allow", Kind.TEXT, several=True)
    assert options["provider"].choices == ("auto", "cpu", "cuda")
    assert options["provider"].default == "auto"


def test_a_flag_with_two_names_is_known_by_the_first() -> None:
    hallucination = all_known().options(("measure", "hallucination"))
    oracle = next(option for option in hallucination if option.key == "oracle")
    assert (oracle.kind, oracle.default) == (Kind.FLAG, True)
    weak = next(option for option in hallucination if option.key == "allow-weak-guard")
    assert weak.parameter == "weak_guard"


def test_every_option_is_either_let_to_projects_or_refused_for_a_reason() -> None:
    """Training aside: a project that comes along has no say in it at all."""
    known = all_known()
    asked = {option.key for words in known.below(()) for option in known.options(words)
             if words[0] != "model"}  # fmt: skip
    assert asked - LET - REFUSED.keys() == set(), "decide in nsdbg/settings/trust.py"
    assert (LET | REFUSED.keys()) - asked == set(), "no command has these any more"
    assert LET & REFUSED.keys() == set()


def test_what_runs_writes_or_shows_secrets_is_refused_to_projects() -> None:
    named = {"python", "allow", "allow-weak-guard", "rules", "model", "provider", "show-secrets",
             "secrets", "emit-test", "state-out", "plot", "record"}  # fmt: skip
    assert named <= REFUSED.keys()
