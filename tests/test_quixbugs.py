"""`nsdbg measure quixbugs`: whose fault it is, told from failing tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from nsdbg.claim import Ending
from nsdbg.cli import app
from nsdbg.errors import UsageError
from nsdbg.measure.failures import run_file
from nsdbg.measure.faulty import Faulty, changed_lines, read_programs
from nsdbg.measure.localization import Failing, first_faulty, within
from nsdbg.measure.quixbugs import Kind, QuixBugs
from nsdbg.report.measured import Quantities, Table
from nsdbg.verify.runner import Runner, RunnerConfig

LAST = {
    "name": "last", "buggy": "def last(items):\n    at = len(items)\n    return items[at]\n",
    "faulty_lines": [2],
    "tests": [
        {"kind": "call", "call": "last([3])", "expected": "3", "compare": "=="},
        {"kind": "call", "call": "last('ab')", "expected": "'b'", "compare": "=="},
    ],
}  # fmt: skip
TWICE = {
    "name": "twice", "buggy": "def twice(x):\n    y = x + x\n    return y + 1\n",
    "faulty_lines": [3],
    "tests": [
        {"kind": "call", "call": "twice('a')", "expected": "'aa'", "fixed_status": "fail"},
        {"kind": "call", "call": "twice(2)", "expected": "4", "wrap": "int"},
    ],
}  # fmt: skip
NODES = {
    "name": "length", "faulty_lines": [3], "node_class": "class Node:\n    next = None\n",
    "buggy": "def length(node):\n    n = 0\n    while node.next:\n        node = node.next\n"
             "        n += 1\n    return n + bool(node)\n",
    "tests": [{"kind": "script", "script": "n = length(Node())\nassert n == 1\nlength(None)"}],
}  # fmt: skip
ENDLESS = {
    "name": "endless", "buggy": "def endless():\n    while True:\n        pass\n",
    "faulty_lines": [2], "tests": [{"kind": "call", "call": "endless()", "expected": "1"}] * 9,
}  # fmt: skip
FINE = {**TWICE, "name": "fine", "buggy": "def fine(x):\n    return x\n", "tests": []}


def data(folder: Path, *rows: dict[str, Any]) -> Path:
    file = folder / "data.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return file


def asked(folder: Path, *rows: dict[str, Any], limit_s: float = 2.0) -> QuixBugs:
    programs = list(read_programs(data(folder, *rows)))
    scratch = (folder / "scratch").resolve()
    scratch.mkdir()
    with Runner(RunnerConfig(roots=(scratch,), limit_s=limit_s)) as runner:
        found = QuixBugs(scratch, runner, None, 0, None)
        found.run(programs, lambda text: None)
    return found


def test_a_test_that_crashes_in_the_program_is_told_from_one_that_gets_a_wrong_value(
    tmp_path: Path,
) -> None:
    found = asked(tmp_path, LAST, TWICE, NODES).found
    assert [(one.program, one.kind) for one in found] == [
        ("last", Kind.CRASH), ("twice", Kind.WRONG_VALUE), ("length", Kind.CRASH),
    ]  # fmt: skip
    assert found[0].placed.place == 1
    assert found[0].placed.baseline is None  # the crash line is the one below
    assert found[2].placed.baseline == 1
    assert found[2].placed.place is not None
    assert found[1].placed.baseline is None


def test_the_traceback_is_as_python_prints_it(tmp_path: Path) -> None:
    [crash] = asked(tmp_path, LAST).found
    text = crash.placed.failing.traceback
    assert text.startswith("Traceback (most recent call last):\n")
    assert text.endswith("\nIndexError: list index out of range\n")
    assert text.count("  File ") == 3
    assert "nsdbg" not in text.replace(str(tmp_path), "")


def test_tests_that_do_not_end_are_given_up_and_counted(tmp_path: Path) -> None:
    found = asked(tmp_path, ENDLESS, FINE, limit_s=0.2)
    assert found.found == []
    assert found.left_out == {
        "programs whose failing tests do not end": 1,
        "programs whose tests all pass, or that have none": 1,
    }


def test_a_line_by_chance_is_one_of_the_statements_of_its_function(tmp_path: Path) -> None:
    two, five = asked(tmp_path, LAST, NODES).found
    assert two.chance == (0.5, 1.0, 1.0)
    assert five.chance == pytest.approx((0.2, 0.6, 1.0))


def test_the_tables_count_each_kind_apart(tmp_path: Path) -> None:
    crash, chance, wrong, _, time = asked(tmp_path, LAST, TWICE, FINE).tables()
    assert isinstance(crash, Table)
    assert isinstance(wrong, Table)
    assert isinstance(chance, Quantities)
    assert [(row.name, row.model.right, row.model.n) for row in crash.rows] == [
        ("told first", 1, 1), ("in the first 3", 1, 1), ("in the first 5", 1, 1),
    ]  # fmt: skip
    assert dict(crash.rows[0].beside)["log"].right == 0
    assert wrong.rows[0].model.n == 1
    assert crash.left_out == (("programs whose tests all pass, or that have none", 1),)
    assert [number.value for number in chance.numbers] == [50.0, 100.0, 100.0]
    assert time.name == "time"


def test_lines_of_the_tests_take_no_place_in_the_ranking() -> None:
    failing = Failing("f", (), "", frozenset({("f.py", 7)}), frozenset({"test.py"}))
    told = [("test.py", 1), ("f.py", 3), ("test.py", 2), ("f.py", 7)]
    assert first_faulty(told, failing) == 2
    assert first_faulty([("test.py", 7)], failing) is None
    assert within([1, None, 3, 4], 3) == 2


def test_the_command_runs_tests_and_calls_in_the_sandbox(tmp_path: Path) -> None:
    file = data(tmp_path, LAST, TWICE)
    command = ["measure", "quixbugs", str(file), "--budget", "5", "--limit", "1"]
    ran = CliRunner().invoke(app, [*command, "--output-format", "json"])
    assert ran.exit_code == 0, ran.output
    found = json.loads(ran.stdout)
    assert (found["schema"], found["model"]) == ("nsdbg.measure.quixbugs/1", None)
    assert found["of"] == {"programs": "1", "budget": "5 s a failing test"}
    [program] = found["programs"]
    assert (program["name"], program["kind"], program["place"]) == ("last", "crash", 1)
    assert program["reproduced_by_call"] is True
    # Running the whole test again comes last, and a busy machine may not get to it.
    whole = program["reproduced"] == "whole"
    assert whole or program["reproduced"] == "part"
    assert program["by_chance"] == {"1": 0.5, "3": 1.0, "5": 1.0}
    [reproduced] = [one for one in found["tables"] if one["name"] == "crashes reproduced"]
    assert [(row["right"], row["n"]) for row in reproduced["rows"]] == [(whole, 1), (1, 1)]


def test_the_text_is_80_columns_wide_at_most(tmp_path: Path) -> None:
    long = {
        **LAST,
        "name": "a_very_long_name_of_a_program_that_is_faulty",
        "buggy": str(LAST["buggy"]).replace("last", "a_very_long_name_of_a_program_that_is_faulty"),
        "tests": [{"kind": "script", "script": "a_very_long_name_of_a_program_that_is_faulty('')"}],
    }
    ran = CliRunner().invoke(app, ["measure", "quixbugs", str(data(tmp_path, long)), "--no-exec"])
    assert ran.exit_code == 0, ran.output
    assert "told first                         1/1" in ran.stdout
    assert "crashes reproduced" not in ran.stdout
    assert max(map(len, ran.stdout.splitlines())) <= 80
    last = ran.stdout.splitlines()[-1].split()
    assert last[0].startswith("a_very_long")
    assert last[1:4] == ["crash", "1", "-"]


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("{", "is not JSON"), ("{}", "KeyError: 'name'"), ("[]", "no QuixBugs program"),
        (json.dumps({**LAST, "buggy": "def ("}), "SyntaxError"),
        (json.dumps({**LAST, "name": "../x"}), "cannot be the name of a module"),
        (json.dumps({**LAST, "tests": [{"kind": "script", "script": "("}]}), "SyntaxError"),
    ],
)  # fmt: skip
def test_a_line_that_is_no_program_is_named(tmp_path: Path, line: str, word: str) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_text(line + "\n")
    with pytest.raises(UsageError, match=rf"bad.jsonl:1\b.*{word}"):
        list(read_programs(file))
    with pytest.raises(UsageError, match="cannot read"):
        list(read_programs(tmp_path / "none.jsonl"))


def test_a_test_is_kept_when_the_right_program_passes_it_and_its_comparison_is_known(
    tmp_path: Path,
) -> None:
    odd = {"kind": "call", "call": "twice(0.5)", "expected": "1.0", "compare": "approx"}
    slow = {"kind": "call", "call": "twice(9)", "expected": "18", "slow": True}
    rows = data(tmp_path, {**TWICE, "tests": [*TWICE["tests"], odd, slow]})
    [program] = read_programs(rows)
    assert isinstance(program, Faulty)
    [[kept]] = program.tests
    assert "result = int(twice(2))\n    assert result == 4\n" in kept


def test_what_a_program_prints_is_not_taken_for_its_traceback(tmp_path: Path) -> None:
    file = tmp_path.resolve() / "noisy.py"
    file.write_text("print('Traceback (most recent call last):')\nprint(1 / 0)\n")
    quiet = file.with_name("quiet.py")
    quiet.write_text("print('ValueError: not so')\n")
    with Runner(RunnerConfig(roots=(file.parent,))) as runner:
        ran = run_file(runner, file, file.with_name("told.py"))
        silent = run_file(runner, quiet, file.with_name("told_2.py"))
    assert ran.traceback is not None
    assert ran.traceback.count("Traceback") == 1
    assert ran.traceback.endswith("ZeroDivisionError: division by zero\n")
    assert (silent.ending, silent.traceback) == (Ending.RETURNED, None)


CHECKOUT = {
    "node.py": "class Node:\n    def __init__(self, value, after=None):\n"
    "        self.value, self.after = value, after\n",
    "python_programs/pairs.py": "def pairs(n):\n    return [(at, at) for at in range(n)]\n\n\n"
    '"""\nPairs\n"""\n',
    "correct_python_programs/pairs.py": "def pairs(n):\n    return [(at, n) for at in range(n)]\n",
    "json_testcases/pairs.json": "[[0], []]\n[[2], [[0, 2], [1, 2]]]\n",
    "python_programs/evens.py": "def evens(items):\n    for one in items:\n"
    "        if one % 2:\n            yield one\n",
    "correct_python_programs/evens.py": "def evens(items):\n    for one in items:\n"
    "        if one % 2 == 0:\n            yield one\n",
    "json_testcases/evens.json": "[[[1, 2]], [2]]\n",
    "python_programs/size.py": "def size(node):\n    n = 0\n    while node.after:\n"
    "        n, node = n + 1, node.after\n    return n\n",
    "correct_python_programs/size.py": "def size(node):\n    n = 0\n    while node:\n"
    "        n, node = n + 1, node.after\n    return n\n",
    "python_testcases/test_size.py": "import pytest\nfrom node import Node\n\n"
    "if pytest.use_correct:\n    from correct_python_programs.size import size\n"
    "else:\n    from python_programs.size import size\n\nlast = Node(2)\n\n\n"
    'def test1():\n    """Two of them."""\n    assert size(Node(1, last)) == 2\n\n\n'
    "def test2():\n    assert size(None) == 0\n",
    "python_programs/size_test.py": "import size\n",
    "python_programs/untested.py": "x = 1\n",
    "correct_python_programs/untested.py": "x = 2\n",
}


def checkout(folder: Path) -> Path:
    root = folder / "QuixBugs"
    for name, text in CHECKOUT.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return root


def test_a_checkout_holds_the_programs_that_have_a_right_version_and_tests(tmp_path: Path) -> None:
    root = checkout(tmp_path)
    programs = {one.name: one for one in read_programs(root)}
    assert {name: one.lines for name, one in programs.items()} == {
        "evens": {3}, "pairs": {2}, "size": {3},
    }  # fmt: skip
    assert [len(variants) for variants in programs["pairs"].tests] == [3, 3]
    assert "assert result == [(0, 2), (1, 2)]" in programs["pairs"].tests[1][2]
    [[first], [second]] = programs["size"].tests
    assert "pytest" not in first + second
    assert first.startswith("from size import *\nfrom node import Node\nlast = Node(2)\n")
    assert second.endswith("\ntest2()\n")
    assert [one.name for one in read_programs(root, 1)] == ["evens"]


def test_of_a_test_the_variant_is_meant_that_the_right_program_passes(tmp_path: Path) -> None:
    scratch = (tmp_path / "scratch").resolve()
    scratch.mkdir()
    with Runner(RunnerConfig(roots=(scratch,))) as runner:
        found = QuixBugs(scratch, runner, None, 0, None)
        found.run(list(read_programs(checkout(tmp_path))), lambda text: None)
    kinds = [(one.program, one.kind) for one in found.found]
    assert kinds == [
        ("evens", Kind.WRONG_VALUE), ("pairs", Kind.WRONG_VALUE), ("size", Kind.WRONG_VALUE),
        ("size", Kind.CRASH),
    ]  # fmt: skip
    tests = [dict(one.placed.failing.files)["test_program.py"] for one in found.found]
    assert "result = list(evens([1, 2]))" in tests[0]
    assert "result = pairs(2)\n    assert result == [(0, 2), (1, 2)]" in tests[1]


def test_a_folder_that_is_no_checkout_and_tests_that_are_none_are_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is no checkout of QuixBugs"):
        list(read_programs(tmp_path))
    root = checkout(tmp_path)
    (root / "json_testcases" / "evens.json").write_text("[1, 2, 3]\n")
    with pytest.raises(UsageError, match=r"evens.json: '\[1, 2, 3\]' is no test"):
        list(read_programs(root))
    (root / "json_testcases" / "evens.json").write_text("[[[1]], []]\n")
    (root / "python_testcases" / "test_size.py").write_text("def (:\n")
    with pytest.raises(UsageError, match=r"test_size\.py does not parse"):
        list(read_programs(root))


@pytest.mark.parametrize(
    ("source", "fixed", "lines"),
    [
        ("a = 1\nb = 2\n", "a = 1\nb = 3\n", {2}),
        ("a = 1\nb = 2\nc = 3\n", "a = 1\nc = 3\n", {2}),
        ("a = 1\nc = 3\n", "a = 1\nb = 2\nc = 3\n", {1, 2}),
        ("a = 1\n", "a = 1\nb = 2\n", {1}),
        ("a = 1  \n\n'''\nold\n'''\n", "a = 1\n\n\n'''\nnew\n'''\n'''\nother\n'''\n", set()),
    ],
)
def test_the_lines_at_fault_are_those_that_the_fix_changes(
    source: str, fixed: str, lines: set[int]
) -> None:
    assert changed_lines(source, fixed) == lines
