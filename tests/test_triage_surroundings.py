"""What hangs on where a program runs: no crash of it tells of a change."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from nsdbg.claim import Site
from nsdbg.triage.surroundings import hangs_on_surroundings


def hangs(folder: Path, text: str, marked: str = "# here") -> bool:
    """Ask of the marked line of a module."""
    file = folder / "module.py"
    file.write_text(textwrap.dedent(text))
    [lineno] = [at for at, line in enumerate(file.read_text().splitlines(), 1) if marked in line]
    return hangs_on_surroundings(Site(str(file), lineno, "f"))


@pytest.mark.parametrize(
    "body",
    [
        "return os.environ['X']  # here",
        "return getenv('X').strip()  # here",
        "return o.environ['X']  # here",
        "return sys.argv[1]  # here",
        "return input()[0]  # here",
        "return sys.stdin.read()[0]  # here",
        "return __main__.LIMIT  # here",
        "return shutil.which('git').strip()  # here",
        "home = os.environ.get('HOME')\n    name = home\n    return name[0]  # here",
        "if (found := os.getenv('X')) is None:\n        found = ''\n    return found[0]  # here",
        "for name in os.listdir('.'):\n        name[9]  # here",
        "with open(sys.argv[0]) as file:\n        file.read()[0]  # here",
        "return SETTING[0]  # here",
        "return setting()[0]  # here",
        "return fast.sum(x)  # here",
    ],
)
def test_a_line_that_reads_where_it_runs_is_known(tmp_path: Path, body: str) -> None:
    text = f"""\
import os, sys, shutil, __main__
import os as o
from os import getenv
try:
    import fast
except ImportError:
    fast = None
SETTING = os.environ.get("SETTING")
def setting():
    value = os.environ.get("SETTING")
    return value
def f(x):
    {body}
"""
    assert hangs(tmp_path, text)


@pytest.mark.parametrize(
    "body",
    [
        "return x[0]  # here",
        "os.getenv('X')\n    return x[0]  # here",
        "if os.getenv('X'):\n        return x[0]  # here",
        "input = x\n    return environ[0]  # here",
        "return json.loads(x)  # here",
    ],
)
def test_a_line_that_reads_its_arguments_is_not(tmp_path: Path, body: str) -> None:
    text = f"""\
import os
try:
    import quick as json
except ImportError:
    import json
environ = [1]
def f(x):
    {body}
"""
    assert not hangs(tmp_path, text)


def test_an_attribute_that_is_stored_from_the_environment_is_known_in_other_methods(
    tmp_path: Path,
) -> None:
    text = """
        import os

        class Config:
            def __init__(self, name):
                self.name = name
                self.home = os.environ.get("HOME")

            def first(self):
                return self.home[0]  # here

            def other(self):
                return self.name[0]  # there
        """
    assert hangs(tmp_path, text)
    assert not hangs(tmp_path, text, "# there")


def test_a_line_of_a_file_that_is_not_there_hangs_on_nothing(tmp_path: Path) -> None:
    assert not hangs_on_surroundings(Site(str(tmp_path / "gone.py"), 1, "f"))
