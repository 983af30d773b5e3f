"""A change that keeps a module from being imported is told; what the environment lacks is not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from triage_history import git
from triaging import change

from nsdbg.claim import Status
from nsdbg.finding import Finding
from nsdbg.triage import Allowance, triage
from nsdbg.workbench import Options, Workbench

BEFORE = """\
LIMIT = 3


def most(items):
    return items[:LIMIT]


def least(items):
    return items[LIMIT:]
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("importing")


@pytest.fixture(scope="module")
def bench(folder: Path) -> Iterator[Workbench]:
    with Workbench(Options(roots=(folder,), proposers=("rules",))) as made:
        yield made


def found_in(place: Path, bench: Workbench, before: str, after: str) -> tuple[Finding, ...]:
    changes = change(place, {"shop/__init__.py": "", "shop/rows.py": before},
                     {"shop/__init__.py": "", "shop/rows.py": after})  # fmt: skip
    return triage(changes, bench, Allowance(per_function_s=2.0)).findings


def test_a_module_that_is_not_imported_any_more_is_one_finding(
    folder: Path, bench: Workbench
) -> None:
    after = BEFORE.replace("LIMIT = 3", "LIMIT = 3 + OTHER")
    (one,) = found_in(folder / "broken", bench, BEFORE, after)
    assert one.call == "import shop.rows"
    assert one.status is Status.CONFIRMED
    assert one.place is not None
    assert (one.place.file, one.place.lineno) == ("shop/rows.py", 1)
    assert one.now == "raises NameError: name 'OTHER' is not defined"
    assert one.before == "succeeded"


def test_a_name_that_a_module_of_the_project_lacks_is_a_finding(
    folder: Path, bench: Workbench
) -> None:
    after = "from shop import no_such_thing\n" + BEFORE.replace("[:LIMIT]", "[:2]")
    (one,) = found_in(folder / "lacking", bench, BEFORE, after)
    assert one.exception == "ImportError"


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("environment", BEFORE, "import not_installed_here\n" + BEFORE.replace("[:LIMIT]", "[:2]")),
        ("left", BEFORE, "import sys\nsys.exit('usage: ...')\n" + BEFORE),
        ("variable", BEFORE, "import os\nLEVEL = os.environ['SHOP_LEVEL']\n" + BEFORE),
        ("both", "OTHER\n" + BEFORE, "OTHER\n" + BEFORE.replace("[:LIMIT]", "[:2]")),
    ],
)
def test_what_is_not_installed_or_was_broken_before_is_no_finding(
    folder: Path, bench: Workbench, name: str, before: str, after: str
) -> None:
    assert found_in(folder / name, bench, before, after) == ()


def test_a_module_that_git_ignores_is_made_by_something_else(
    folder: Path, bench: Workbench
) -> None:
    place = folder / "generated"
    place.mkdir()
    git(place, "init", "-q")
    (place / ".gitignore").write_text("_version.py\n")
    after = "from shop._version import VERSION\n" + BEFORE.replace("[:LIMIT]", "[:2]")
    assert found_in(place, bench, BEFORE, after) == ()
    after = after.replace("_version", "_versions")
    (one,) = found_in(folder / "forgotten", bench, BEFORE, after)
    assert one.exception == "ModuleNotFoundError"
