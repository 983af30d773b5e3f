"""Triage on pairs of versions: each kind of function with a new crash, and without one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from triage_cases import CASES, Case
from triaging import change, raises_when_pasted

from nsdbg.claim import Status
from nsdbg.triage import Allowance, triage
from nsdbg.workbench import Options, Workbench


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pairs")


@pytest.fixture(scope="module")
def bench(folder: Path) -> Iterator[Workbench]:
    """One for all: both versions of every case lie below its one root."""
    options = Options(roots=(folder,), proposers=("rules", "search"))
    with Workbench(options) as made:
        yield made


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name.replace(" ", "-"))
def test_a_new_crash_is_found_and_nothing_else(case: Case, folder: Path, bench: Workbench) -> None:
    place = folder / f"case{CASES.index(case)}"
    others = {"shop/__init__.py": "", **case.others}
    changes = change(place, {"shop/rows.py": case.old, **others},
                     {"shop/rows.py": case.new, **others})  # fmt: skip
    found = triage(changes, bench, Allowance(per_function_s=5.0), verbose=True)
    told = [(one.exception, one.weight.value) for one in found.findings]
    assert told == ([(case.raises, case.level)] if case.raises else []), found.notes
    for one in found.findings:
        assert one.status is Status.CONFIRMED
        assert case.call in (None, one.call)
        assert [step.event for step in one.path[-1:]] == (["exception"] if one.path else [])
        assert raises_when_pasted(one, changes.root) == case.raises
