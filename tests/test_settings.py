"""Settings: which files are read, what each may say, and what is in force then."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from nsdbg.errors import SettingsError
from nsdbg.settings.find import File, Owner, user_path
from nsdbg.settings.force import Settings, load
from nsdbg.settings.known import Kind, Known, Option
from nsdbg.settings.lines import line_of

BUDGET = Option("budget", "budget", Kind.NUMBER, minimum=0.1, default=20.0)
TOP = Option("top", "top", Kind.INTEGER, minimum=1, maximum=9, default=5)
NO_EXEC = Option("no-exec", "no_exec", Kind.FLAG, default=False)
FORMAT = Option("output-format", "output_format", Kind.CHOICE, choices=("text", "json"))
WIDER = Option("output-format", "output_format", Kind.CHOICE, choices=("text", "sarif"))
ROOT = Option("source-root", "source_root", Kind.PATH)
PYTHON = Option("python", "python", Kind.PATH)
ALLOW = Option("allow", "allow", Kind.TEXT, several=True)
KNOWN = Known({
    ("localize",): lambda: (BUDGET, TOP, NO_EXEC, FORMAT, ROOT, PYTHON, ALLOW),
    ("gate",): lambda: (BUDGET, WIDER),
    ("measure", "model"): lambda: (BUDGET, FORMAT),
})  # fmt: skip


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder with nothing in it."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return folder


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    return folder


def write_project(folder: Path, text: str) -> Path:
    path = folder / "pyproject.toml"
    path.write_text(text)
    return path


def write_user(home: Path, text: str) -> None:
    path = home / ".config" / "nsdbg" / "config.toml"
    path.parent.mkdir(parents=True)
    path.write_text(text)


def value(settings: Settings, command: str, key: str) -> object:
    return next(
        one.value for one in settings.of(tuple(command.split())) if one.option.key == key
    )  # fmt: skip


def complaint(folder: Path, text: str) -> str:
    write_project(folder, text)
    with pytest.raises(SettingsError) as caught:
        load(folder, KNOWN)
    return str(caught.value)


def test_without_a_file_the_defaults_are_in_force(project: Path) -> None:
    settings = load(project, KNOWN)
    assert settings.files == ()
    assert settings.defaults(("localize",)) == {}
    assert value(settings, "localize", "budget") == 20.0


def test_a_key_at_the_top_is_for_every_command_that_has_the_option(project: Path) -> None:
    write_project(project, "[tool.nsdbg]\nbudget = 3\ntop = 2\n")
    settings = load(project, KNOWN)
    assert settings.defaults(("localize",)) == {"budget": 3, "top": 2}
    assert settings.defaults(("gate",)) == {"budget": 3}
    assert settings.defaults(("measure", "model")) == {"budget": 3}


def test_a_commands_table_wins_over_the_top_of_its_file(project: Path) -> None:
    write_project(project, "[tool.nsdbg.gate]\nbudget = 1\n[tool.nsdbg]\nbudget = 3\n")
    settings = load(project, KNOWN)
    assert value(settings, "gate", "budget") == 1
    assert value(settings, "localize", "budget") == 3


def test_a_groups_table_is_for_all_its_commands(project: Path) -> None:
    write_project(project, "[tool.nsdbg.measure]\nbudget = 7\n")
    settings = load(project, KNOWN)
    assert value(settings, "measure model", "budget") == 7
    assert value(settings, "localize", "budget") == 20.0


def test_a_groups_command_has_a_table_of_its_own(project: Path) -> None:
    write_project(project, "[tool.nsdbg.measure.model]\nbudget = 8\n")
    assert value(load(project, KNOWN), "measure model", "budget") == 8


def test_the_projects_file_wins_over_the_users(project: Path, home: Path) -> None:
    write_user(home, "budget = 1\ntop = 7\n[localize]\nbudget = 2\n")
    write_project(project, "[tool.nsdbg]\nbudget = 3\n")
    settings = load(project, KNOWN)
    assert [file.owner for file in settings.files] == [Owner.USER, Owner.PROJECT]
    assert settings.defaults(("localize",)) == {"budget": 3, "top": 7}


def test_a_named_file_is_read_in_place_of_both(project: Path, home: Path) -> None:
    write_user(home, "budget = 1\n")
    write_project(project, "[tool.nsdbg]\nbudget = 3\n")
    named = project / "other.toml"
    named.write_text("top = 4\nallow = ['open']\n")
    settings = load(project, KNOWN, named)
    assert [file.owner for file in settings.files] == [Owner.NAMED]
    assert settings.defaults(("localize",)) == {"top": 4, "allow": ("open",)}


def test_a_named_pyproject_may_say_no_more_than_a_found_one(project: Path) -> None:
    path = write_project(project, "[tool.nsdbg]\nallow = ['open']\n")
    with pytest.raises(SettingsError, match="not taken from a project's file"):
        load(project.parent, KNOWN, path)


def test_a_value_that_only_some_commands_take_is_left_out_for_the_others(project: Path) -> None:
    write_project(project, "[tool.nsdbg]\noutput-format = 'sarif'\n")
    settings = load(project, KNOWN)
    assert settings.defaults(("gate",)) == {"output_format": "sarif"}
    assert settings.defaults(("localize",)) == {}


def test_the_nearest_pyproject_that_speaks_of_nsdbg_is_read(project: Path) -> None:
    write_project(project, "[tool.nsdbg]\nbudget = 3\n")
    inner = project / "packages" / "one"
    inner.mkdir(parents=True)
    write_project(inner, "[tool.other]\n")
    assert value(load(inner, KNOWN), "localize", "budget") == 3
    write_project(inner, "[tool.nsdbg]\nbudget = 4\n")
    settings = load(inner / "..", KNOWN)
    assert value(settings, "localize", "budget") == 3
    assert value(load(inner, KNOWN), "localize", "budget") == 4


def test_nothing_above_a_repositorys_root_is_read(project: Path) -> None:
    write_project(project.parent, "[tool.nsdbg]\nbudget = 3\n")
    assert load(project, KNOWN).files == ()


def test_nothing_in_or_above_the_home_folder_is_read(home: Path) -> None:
    write_project(home, "[tool.nsdbg]\nbudget = 3\n")
    write_project(home.parent, "[tool.nsdbg]\nbudget = 3\n")
    (home / "work").mkdir()
    assert load(home / "work", KNOWN).files == ()
    assert len(load(home, KNOWN).files) == 1


def test_a_pyproject_that_is_not_about_nsdbg_may_be_broken(project: Path) -> None:
    write_project(project, "[[[\n")
    assert load(project, KNOWN).files == ()


def test_xdg_config_home_moves_the_users_file(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert user_path() == home / ".config" / "nsdbg" / "config.toml"
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))
    assert user_path() == tmp_path / "xdg" / "nsdbg" / "config.toml"
    monkeypatch.setenv("XDG_CONFIG_HOME", "relative")
    assert user_path() == home / ".config" / "nsdbg" / "config.toml"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[tool.nsdbg]\nbudgt = 3\n", "pyproject.toml:2: tool.nsdbg.budgt is no setting; "
         "did you mean budget?"),
        ("[tool.nsdbg]\nno_exec = true\n", "did you mean no-exec?"),
        ("[tool.nsdbg]\n\n[tool.nsdbg.gat]\nbudget = 3\n", "pyproject.toml:3: tool.nsdbg.gat is "
         "no command; did you mean gate?"),
        ("[tool.nsdbg.gate]\ntop = 3\n", "pyproject.toml:2: tool.nsdbg.gate.top is no setting in "
         "gate; it is one of localize"),
        ("[tool.nsdbg.gate]\nxyzzy = 3\n", "is no setting in gate; `nsdbg config gate` shows"),
        ("[tool.nsdbg]\nbudget = 'x'\n", "pyproject.toml:2: tool.nsdbg.budget = 'x': it has to be "
         "a number, 0.1 or more"),
        ("[tool.nsdbg]\nbudget = true\n", "budget = True: it has to be a number"),
        ("[tool.nsdbg]\nbudget = inf\n", "budget = inf: it has to be a number"),
        ("[tool.nsdbg]\nbudget = {a = 1}\n", "it has to be a number"),
        ("[tool.nsdbg]\nbudget = [1]\n", "budget = [1]: it has to be a number"),
        ("[tool.nsdbg]\ntop = 10\n", "it has to be a whole number from 1 to 9"),
        ("[tool.nsdbg]\ntop = 1.0\n", "it has to be a whole number"),
        ("[tool.nsdbg]\nno-exec = 1\n", "it has to be true or false"),
        ("[tool.nsdbg]\noutput-format = 'xml'\n", "it has to be one of text, json"),
        ("[tool.nsdbg]\nsource-root = 1\n", "it has to be a path, as a text"),
        ("[tool.nsdbg]\ngate = 1\n", "tool.nsdbg.gate has to be a table of settings"),
        ("[[tool.nsdbg.gate]]\n", "tool.nsdbg.gate has to be a table of settings"),
        ("[tool]\nnsdbg = 1\n", "pyproject.toml:2: tool.nsdbg has to be a table"),
        ("tool = 'nsdbg'\n", "pyproject.toml:1: tool has to be a table"),
        ("[tool.nsdbg]\nbudget = = 3\n", "pyproject.toml is not TOML: Invalid value (at line 2"),
        (f"[tool.nsdbg]\nbudget = {'[' * 5000}\n", "not TOML"),
        (f"[tool.nsdbg]\nbudget = '{'x' * 500}'\n", "xxx...: it has to be a number"),
        ('[tool.nsdbg]\n"a\\u001bb" = 3\n', "tool.nsdbg.'a\\x1bb' is no setting"),
    ],
)  # fmt: skip
def test_a_wrong_setting_is_named_with_what_is_wanted(
    project: Path, text: str, says: str
) -> None:  # fmt: skip
    assert says in complaint(project, text)


@pytest.mark.parametrize(("key", "given"), [("python", "'bin/python'"), ("allow", "['open']")])
def test_a_project_may_not_say_what_is_run_or_permitted(
    project: Path, home: Path, key: str, given: str
) -> None:
    told = complaint(project, f"[tool.nsdbg.localize]\n{key} = {given}\n")
    assert f"pyproject.toml:2: tool.nsdbg.localize.{key} is not taken from a project's" in told
    assert f"Give --{key} on the command line" in told
    write_user(home, f"{key} = {given}\n")
    write_project(project, "")
    assert key in load(project, KNOWN).defaults(("localize",))


def test_an_option_nobody_has_decided_on_is_closed_to_projects(project: Path) -> None:
    known = Known({("new",): lambda: (Option("brand-new", "brand_new", Kind.FLAG),)})
    write_project(project, "[tool.nsdbg]\nbrand-new = true\n")
    with pytest.raises(SettingsError, match="not taken from a project's file"):
        load(project, known)


@pytest.mark.parametrize("path", ["..", "/etc", "~", "src/../../other", "link"])
def test_a_projects_path_may_not_lead_out_of_it(project: Path, path: str) -> None:
    (project / "link").symlink_to(project.parent)
    assert "leads out of the project" in complaint(project, f"[tool.nsdbg]\nsource-root = '{path}'")


def test_a_path_is_taken_from_the_folder_of_its_file(project: Path, home: Path) -> None:
    write_project(project, "[tool.nsdbg]\nsource-root = 'src'\n")
    write_user(home, "python = '~/bin/python'\n")
    (project / "deep").mkdir()
    settings = load(project / "deep", KNOWN)
    assert value(settings, "localize", "source-root") == str(project / "src")
    assert value(settings, "localize", "python") == str(home / "bin" / "python")


def test_a_list_and_a_single_value_do_for_what_may_be_given_several_times(home: Path) -> None:
    write_user(home, "allow = 'open'\n")
    assert load(home, KNOWN).defaults(("localize",)) == {"allow": ("open",)}


def test_tables_as_in_a_pyproject_are_explained_in_the_users_file(home: Path) -> None:
    write_user(home, "[tool.nsdbg]\nbudget = 3\n")
    with pytest.raises(SettingsError, match="keys stand at the top, without"):
        load(home, KNOWN)


def test_a_file_that_cannot_be_read_is_named(project: Path) -> None:
    with pytest.raises(SettingsError, match=r"none.toml cannot be read: No such file"):
        load(project, KNOWN, project / "none.toml")
    with pytest.raises(SettingsError, match="cannot be read"):
        load(project, KNOWN, project)
    (project / "pyproject.toml").mkdir()
    with pytest.raises(SettingsError, match=r"pyproject.toml cannot be read"):
        load(project, KNOWN)


def test_a_pipe_in_place_of_a_file_is_refused_at_once(project: Path) -> None:
    os.mkfifo(project / "pyproject.toml")
    with pytest.raises(SettingsError, match="cannot be read: it is no file"):
        load(project, KNOWN)


def test_text_that_is_not_utf_8_is_told_with_its_line(project: Path) -> None:
    (project / "pyproject.toml").write_bytes(b"[tool.nsdbg]\nx = '\xff'\n")
    with pytest.raises(SettingsError, match=r"pyproject.toml:2: is not UTF-8"):
        load(project, KNOWN)


def test_a_huge_file_is_not_read(project: Path) -> None:
    write_project(project, "# nsdbg" + "x" * 1_000_000)
    with pytest.raises(SettingsError, match="longer than 1000000 bytes"):
        load(project, KNOWN)


def test_a_part_of_what_is_known_passes_over_the_rest(project: Path) -> None:
    write_project(project, "[tool.nsdbg]\nbudget = 3\nxyz = 1\n[tool.nsdbg.pytest]\ntop = 2\n"
                  "[tool.nsdbg.gate]\nq = 1\n")  # fmt: skip
    part = Known({("pytest",): lambda: (BUDGET, TOP)}, whole=False)
    assert load(project, part).defaults(("pytest",)) == {"budget": 3, "top": 2}
    write_project(project, "[tool.nsdbg.pytest]\nxyz = 1\n")
    with pytest.raises(SettingsError, match="is no setting in pytest"):
        load(project, part)


@pytest.mark.parametrize(
    ("text", "keys", "line"),
    [
        ("a = 1\nb = 2\n", "b", 2),
        ("[x]\na = 1\n[x.y]\na = 2\n", "x.y.a", 4),
        ("[x]\na = 1\n[x.y]\na = 2\n", "x.y", 3),
        ('[ "x" . y ] # comment\n"a" = 1\n', "x.y.a", 2),
        ("[x]\ny.a = 1\n", "x.y.a", 2),
        ("[x]\ny.a = 1\n", "x.y", 2),
        ("[x]\ny = {a = 1}\n", "x.y.a", 2),
        ("[[x]]\n", "x", 1),
        ("# a = 1\n", "a", None),
    ],
)
def test_a_key_is_found_on_its_line(text: str, keys: str, line: int | None) -> None:
    assert line_of(text, tuple(keys.split("."))) == line


def test_a_setting_knows_where_it_stands(project: Path) -> None:
    path = write_project(project, "[tool.nsdbg]\n# why\nbudget = 3\n")
    (setting,) = load(project, KNOWN).all
    assert setting.file == File(path, Owner.PROJECT, "pyproject.toml")
    assert setting.lineno == 3
