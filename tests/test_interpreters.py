"""The search for the target's interpreter."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from nsdbg.errors import InterpreterError
from nsdbg.verify import interpreters
from nsdbg.verify.interpreters import check_interpreter, find_interpreter, find_interpreters

BASE = Path(sys.executable).resolve()


def environment(folder: Path, python: Path = BASE) -> Path:
    """Lay out a virtual environment of an interpreter; return its python."""
    link = folder / "bin" / "python"
    link.parent.mkdir(parents=True)
    link.symlink_to(python)
    (folder / "pyvenv.cfg").write_text(f"home = {python.parent}\n")
    return link


@pytest.fixture(autouse=True)
def _no_active_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)


def test_the_named_interpreter_is_taken() -> None:
    found = find_interpreter(sys.executable)
    assert found.version == sys.version_info[:3]
    assert found.path == Path(sys.executable).absolute()


def test_a_folder_stands_for_the_environment_in_it(tmp_path: Path) -> None:
    python = environment(tmp_path / "env")
    assert find_interpreter(tmp_path / "env").path == python


def test_a_bare_name_is_looked_up_on_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python = environment(tmp_path / "env")
    monkeypatch.setenv("PATH", str(python.parent) + os.pathsep + os.environ["PATH"])
    monkeypatch.chdir("/")
    assert find_interpreter("python").path == python


@pytest.mark.parametrize(
    ("program", "message"),
    [("true", "it said nothing"), ("echo", "is not a Python 3 interpreter: it said -s -B")],
)
def test_what_is_no_interpreter_is_refused_with_what_it_said(program: str, message: str) -> None:
    found = shutil.which(program)
    assert found is not None
    with pytest.raises(InterpreterError, match=message):
        find_interpreter(found)


def test_an_interpreter_that_is_too_old_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(interpreters, "OLDEST", (3, 99))
    with pytest.raises(InterpreterError, match=r"which is too old; give --python one of 3\.8"):
        find_interpreter(environment(tmp_path))


def test_a_python_2_is_told_from_what_is_no_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = "Unknown option: -I\nusage: python [option] ...\nTry `python -h' for more information."
    monkeypatch.setattr(interpreters, "_ask", lambda path: ("", said))
    with pytest.raises(InterpreterError, match=r"is a Python before 3\.4, which is too old; give"):
        interpreters.check_interpreter(tmp_path / "python2.7", "as named by --python")


def test_a_script_in_the_place_of_an_interpreter_is_said_to_be_one(tmp_path: Path) -> None:
    shim = tmp_path / "python"
    shim.write_text(f'#!/bin/sh\nexec {BASE} "$@"\n')
    shim.chmod(0o755)
    with pytest.raises(InterpreterError, match="it is a script"):
        find_interpreter(shim)


def test_a_file_that_cannot_be_run_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "python"
    file.write_text("")
    with pytest.raises(InterpreterError, match="does not start"):
        find_interpreter(file)


@pytest.mark.parametrize("name", ["no/such/python", "no-such-python-at-all"])
def test_an_interpreter_that_is_not_there_is_refused(name: str) -> None:
    with pytest.raises(InterpreterError, match="there is no interpreter no"):
        find_interpreter(name)


def test_a_folder_without_an_interpreter_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InterpreterError, match="there is no bin/python in"):
        find_interpreter(tmp_path)


def test_an_environment_beside_the_source_is_found_from_below(tmp_path: Path) -> None:
    python = environment(tmp_path / ".venv")
    deep = tmp_path / "src" / "package"
    deep.mkdir(parents=True)
    found = find_interpreter(None, deep)
    assert (found.path, found.why) == (python, ".venv beside the source")


def test_the_active_environment_comes_before_one_nearby(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment(tmp_path / "project" / "venv")
    active = environment(tmp_path / "active")
    monkeypatch.setenv("VIRTUAL_ENV", str(tmp_path / "active"))
    assert find_interpreter(None, tmp_path / "project").path == active


def test_an_environment_that_does_not_serve_is_passed_over(tmp_path: Path) -> None:
    environment(tmp_path / ".venv", Path("/bin/true"))
    assert find_interpreter(None, tmp_path).path == Path(sys.executable).absolute()


def test_a_folder_called_venv_is_not_yet_an_environment(tmp_path: Path) -> None:
    environment(tmp_path / "venv")
    (tmp_path / "venv" / "pyvenv.cfg").unlink()
    assert find_interpreter(None, tmp_path).path == Path(sys.executable).absolute()


def test_without_anything_nearby_it_is_ours(tmp_path: Path) -> None:
    found = find_interpreter(None, tmp_path)
    assert found.why == "nsdbg's own"
    assert str(found) == f"Python {'.'.join(map(str, sys.version_info[:3]))} at {found.path} " \
                         "(nsdbg's own)"  # fmt: skip


def test_every_version_is_found_once_and_none_is_too_old() -> None:
    versions = [found.version for found in find_interpreters()]
    assert sys.version_info[:3] in versions
    assert versions == sorted(versions)
    assert len({version[:2] for version in versions}) == len(versions)
    assert versions[0] >= (3, 8)


def test_the_link_of_a_virtual_environment_is_kept(tmp_path: Path) -> None:
    link = tmp_path / "python"
    link.symlink_to(sys.executable)
    assert check_interpreter(link, "test").path == link
