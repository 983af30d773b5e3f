"""What code asks for that equal runs need not share is known from its text."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from nsdbg.claim import FileCoverage
from nsdbg.verify.chance import (
    ADDRESSES,
    COUNTS,
    LOADED,
    asked_by_chance,
    chances,
    makes_sets,
    orders_by_hash,
    reads_calendar,
)
from nsdbg.verify.child.layout import lay_out


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("{1, 2}", True),
        ("{x for x in y}", True),
        ("set(x)", True),
        ("frozenset(x)", True),
        ("hash(x)", True),
        ("id(x)", True),
        ("builtins.set(x)", True),
        ("x == {1, 2}", True),
        ("x in set(y)", True),
        ("x.keys() & y", True),
        ("x - y.items()", True),
        ("x in {1, 2}", False),
        ("x not in {1, 2}", False),
        ("1 < x in {1, 2}", False),
        ("x & y", False),
        ("x.keys & y", False),
        ("x.keys()", False),
        ("keys() & y", False),
        ("x.values() & y", False),
        ("{1: 2}", False),
        ("sorted(x)", False),
    ],
)
def test_what_has_the_order_of_hashes_is_known_from_the_text(source: str, expected: bool) -> None:
    assert orders_by_hash(ast.parse(source)) is expected


def test_a_file_that_cannot_be_read_makes_no_sets(tmp_path: Path) -> None:
    source = tmp_path / "a.py"
    source.write_text("x = {1, 2}\n")
    broken = tmp_path / "b.py"
    broken.write_text("x = {1, 2\n")
    assert makes_sets(str(source))
    assert not makes_sets(str(broken))
    assert not makes_sets(str(tmp_path / "none.py"))


@pytest.mark.parametrize(
    ("call", "expected"),
    [("time.time()", True), ("date.today()", True), ("now()", True), ("time.sleep(1)", False)],
)
def test_a_file_that_asks_for_the_date_is_known(tmp_path: Path, call: str, expected: bool) -> None:
    source = tmp_path / "a.py"
    source.write_text(f"x = {call}\n")
    assert reads_calendar(str(source)) is expected
    assert not makes_sets(str(source))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("n = gc.get_count()[0]", {COUNTS}),
        ("n = garbage.get_count()", {COUNTS}),
        ("n = gc.collect()", {COUNTS}),
        ("n = refs(x)", {COUNTS}),
        ("n = sys.getrefcount(x) > 2", {COUNTS}),
        ("gc.collect()", set()),
        ("n = x.get_count()", set()),
        ("n = getrefcount(x)", set()),
        ("n = id(x) < id(y)", {ADDRESSES}),
        ("n = 0 <= id(y)", {ADDRESSES}),
        ("n = id(x) % 2", {ADDRESSES}),
        ("n = 16 | id(x)", {ADDRESSES}),
        ("n = f'{id(x)}'", {ADDRESSES}),
        ("n = hex(id(x))", {ADDRESSES}),
        ("n = sorted(x, key=id)", {ADDRESSES}),
        ("n = id(x) == id(y)", set()),
        ("n = memo[id(x)]", set()),
        ("n = id(x) in memo", set()),
        ("n = sorted(x, key=len)", set()),
        ("n = sorted(x, keys=id)", set()),
        ("n = sorted(x, key=lambda y: y)", set()),
        ("n = show(id(x))", set()),
    ],
)
def test_a_line_that_asks_for_counts_or_addresses_is_known(
    tmp_path: Path, line: str, expected: set[str]
) -> None:
    source = tmp_path / "a.py"
    head = (
        "import gc, os, sys\nimport gc as garbage\nfrom os import path\nfrom . import x\n"
        "from sys import getrefcount as refs\n"
    )
    source.write_text(head + line + "\n")
    assert chances(str(source)).get(6, set()) == expected
    ran = FileCoverage(str(source), (6,), (), (1, 6))
    assert set(asked_by_chance([ran])) == expected
    assert asked_by_chance([FileCoverage(str(source), (1, 2, 3), (), (1, 6))]) == ()


def test_what_cannot_be_read_asks_for_nothing(tmp_path: Path) -> None:
    broken = tmp_path / "b.py"
    broken.write_text("x = id(x) <\n")
    assert chances(str(broken)) == {}


# In an interpreter of its own, as runs have one: here, other tests leave holes in the memory.
LAID_OUT = """
from nsdbg.verify.child.layout import lay_out

def lowest_first():
    one, two = object(), object()
    return id(one) < id(two)

for number in range(1, 10):
    kept = lay_out(number)
    assert kept
    print(lowest_first())
"""


def test_no_layout_decides_for_the_others_which_of_two_objects_lies_first() -> None:
    run = subprocess.run(
        [sys.executable, "-c", LAID_OUT], capture_output=True, text=True, check=True
    )
    assert set(run.stdout.split()) == {"True", "False"}
    assert lay_out(0) == []


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("x = len(sys.meta_path)", LOADED),
        ("x = 'ctypes' in sys.modules", LOADED),
        ("x = 'ctypes' not in loaded", LOADED),
        ("x = os.access(y, 2)", COUNTS),
        ("x = resource.getrlimit(7)", COUNTS),
        ("x = sys.modules[y]", None),
        ("x = y in z", None),
        ("x = sys.path", None),
    ],
)
def test_what_is_of_this_process_is_known_from_the_text(
    tmp_path: Path, line: str, what: str | None
) -> None:
    file = tmp_path / "a.py"
    file.write_text(f"import os, resource, sys\nloaded = sys.modules\n{line}\n")
    assert chances(str(file)).get(3, frozenset()) == ({what} if what else set())
