"""Wrong values: the suspects are lines of what gave the value, not of the test that found it."""

from __future__ import annotations

import ast
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

import pytest

from nsdbg import crashlog
from nsdbg.localize.clue import Mark
from nsdbg.localize.code import FileCode
from nsdbg.localize.examine import crash_of, examine
from nsdbg.localize.inquiry import Inquiry, inquire
from nsdbg.localize.locate import locate
from nsdbg.localize.wrong import trials
from nsdbg.localize.wrong.callees import Callee
from nsdbg.localize.wrong.influence import parts, proneness
from nsdbg.localize.wrong.plain import trying
from nsdbg.localize.wrong.slips import Slips
from nsdbg.localize.wrong.trials import with_trials
from nsdbg.reproduce import Crash
from nsdbg.rulebook import Rulebook
from nsdbg.workbench import Options, Workbench

TEST = "test_program.py"


@dataclass(frozen=True, slots=True)
class Fault:
    """A small program whose faulty line ends in `# fault`, and an assertion that it fails."""

    kind: str
    source: str
    asserted: str

    @property
    def lineno(self) -> int:
        """The faulty line."""
        lines = dedent(self.source).splitlines()
        return next(number for number, line in enumerate(lines, 1) if line.endswith("# fault"))


FAULTS = (
    Fault(
        "operator",
        """\
        def mean_gap(rows):
            total = 0
            for left, right in zip(rows, rows[1:]):
                total += right + left  # fault
            if len(rows) < 2:
                return 0
            return total / (len(rows) - 1)
        """,
        "mean_gap([1, 4, 9, 11]) == 10 / 3",
    ),
    Fault(
        "off by one",
        """\
        def last_of_each(rows, width):
            found = []
            start = 0
            while start < len(rows):
                end = min(start + width, len(rows))
                found.append(rows[end - 2])  # fault
                start = end
            return found
        """,
        "last_of_each([1, 2, 3, 4, 5, 6, 7], 3) == [3, 6, 7]",
    ),
    Fault(
        "variable",
        """\
        def overlap(a, b):
            low_a, high_a = a
            low_b, high_b = b
            low = max(low_a, low_b)
            high = min(high_a, low_b)  # fault
            if high <= low:
                return 0
            return high - low
        """,
        "overlap((1, 5), (3, 9)) == 2",
    ),
    Fault(
        "base case",
        """\
        def depth(tree):
            if not isinstance(tree, tuple):
                return 1  # fault
            best = 0
            for part in tree:
                best = max(best, depth(part))
            return best + 1
        """,
        "depth((1, (2, (3, 4)))) == 3",
    ),
    Fault(
        "order of arguments",
        """\
        def scaled(value, by):
            return value ** by


        def volume(side, height):
            base = scaled(2, side)  # fault
            if height < 0:
                height = -height
            return base * height
        """,
        "volume(3, 2) == 18",
    ),
    Fault(
        "initial value",
        """\
        def product(rows):
            found = 0  # fault
            for row in rows:
                if row % 2:
                    found *= row
            return found
        """,
        "product([3, 4, 5]) == 15",
    ),
    Fault(
        "update",
        """\
        def balance(moves):
            total = 0
            lowest = 0
            for kind, amount in moves:
                if kind == "in":
                    total += amount
                else:
                    total = amount  # fault
                lowest = min(lowest, total)
            return total, lowest
        """,
        'balance([("in", 5), ("out", -8), ("in", 2)]) == (-1, -3)',
    ),
    Fault(
        "condition",
        """\
        def grade(points, limits):
            place = 0
            for limit in limits:
                if points > limit:  # fault
                    place += 1
                else:
                    break
            names = ["none", "low", "middle", "high"]
            return names[place]
        """,
        'grade(20, [10, 20, 30]) == "middle"',
    ),
    Fault(
        "negation",
        """\
        def words(text, stop):
            found = {}
            for word in text.split():
                word = word.strip(".,").lower()
                if word in stop:  # fault
                    found[word] = found.get(word, 0) + 1
            return sorted(found.items())
        """,
        'words("The cat. the dog, a cat", ["the", "a"]) == [("cat", 2), ("dog", 1)]',
    ),
    Fault(
        "and for or",
        """\
        def is_leap(year):
            if year % 4:
                return False
            if year % 100 and year % 400 == 0:  # fault
                return True
            return False
        """,
        "is_leap(2024)",
    ),
    Fault(
        "index",
        """\
        def transpose(rows):
            if not rows:
                return []
            result = []
            for column in range(len(rows[0])):
                line = []
                for row in rows:
                    line.append(row[0])  # fault
                result.append(line)
            return result
        """,
        "transpose([[1, 2], [3, 4]]) == [[1, 3], [2, 4]]",
    ),
    Fault(
        "slice",
        """\
        def rotate(rows, by):
            by = by % len(rows)
            head = rows[:by]
            tail = rows[by + 1:]  # fault
            return tail + head
        """,
        "rotate([1, 2, 3, 4], 1) == [2, 3, 4, 1]",
    ),
    Fault(
        "result",
        """\
        def closest(rows, to):
            best, gap = None, None
            for row in rows:
                here = abs(row - to)
                if gap is None or here < gap:
                    best, gap = row, here
            return gap  # fault
        """,
        "closest([1, 6, 20], 8) == 6",
    ),
)


def project(folder: Path, program: str, test: str) -> Path:
    """Write a program and its tests."""
    folder = folder.resolve()
    (folder / "program.py").write_text(dedent(program))
    (folder / TEST).write_text(dedent(test))
    return folder


def failure(folder: Path, call: str) -> str:
    """Return the traceback of a call in the test module, the caller's own frame left out."""
    code = (
        "import sys, traceback, test_program as t\n"
        f"try:\n    {call}\n"
        "except AssertionError as error:\n"
        "    traceback.print_exception(type(error), error, error.__traceback__.tb_next)\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True,
                         check=True)  # fmt: skip
    assert "AssertionError" in ran.stderr
    return ran.stderr


def tried(folder: Path, log: str) -> Inquiry:
    """Return what reading and the trials tell."""
    inquiry = inquired(folder, log)
    crash = crash_of(inquiry, [folder])
    assert isinstance(crash, Crash)
    found = with_trials(inquiry, crash, Options(roots=(folder,)), 20.0, seed=0)
    assert found is not None
    return found


def inquired(folder: Path, log: str) -> Inquiry:
    return inquire(locate(next(iter(crashlog.read(log.encode()))), [folder]))


def lines_of(found: Inquiry, name: str) -> list[int]:
    return [one.lineno for one in found.suspects if Path(one.file).name == name]


def plain_test(asserted: str) -> str:
    return f"from program import *\n\n\ndef test_it():\n    assert {asserted}\n"


def callee(source: str, name: str) -> Callee:
    text = dedent(source)
    code = FileCode("/app/program.py", text, ast.parse(text))
    node = code.node(name)
    assert node is not None
    return Callee(code, name, node)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda one: one.kind)
def test_reading_alone_ranks_lines_of_the_function_above_those_of_the_test(
    tmp_path: Path, fault: Fault
) -> None:
    folder = project(tmp_path, fault.source, plain_test(fault.asserted))
    found = inquired(folder, failure(folder, "t.test_it()"))
    assert fault.lineno in lines_of(found, "program.py")
    assert Path(found.suspects[0].file).name == "program.py"


@pytest.mark.parametrize("fault", FAULTS, ids=lambda one: one.kind)
def test_with_runs_the_faulty_line_is_told_first(tmp_path: Path, fault: Fault) -> None:
    folder = project(tmp_path, fault.source, plain_test(fault.asserted))
    found = tried(folder, failure(folder, "t.test_it()"))
    first = found.suspects[0]
    assert (Path(first.file).name, first.lineno) == ("program.py", fault.lineno)
    assert first.clues[0].mark is Mark.TEST_PASSES


COUNTING = """\
    def count(rows, least):
        found = 0
        for row in rows:
            if row > least:
                found += 1
        return found
    """


@pytest.mark.parametrize(
    ("test", "call"),
    [
        (
            """\
            import unittest
            from program import count

            class TestCount(unittest.TestCase):
                def setUp(self):
                    self.rows = [1, 2, 3]

                def test_equal(self):
                    self.assertEqual(count(self.rows, 2), 2)
            """,
            "t.TestCount('test_equal').debug()",
        ),
        (
            """\
            from program import count

            def check(given, expected):
                assert given == expected

            def test_count():
                check(count([1, 2, 3], 2), 2)
            """,
            "t.test_count()",
        ),
        (
            """\
            import program

            def test_count():
                rows = [1, 2, 3]
                result = program.count(rows, 2)
                expected = 2
                assert result == expected, "a message"
            """,
            "t.test_count()",
        ),
    ],
    ids=["unittest", "a helper that asserts", "a name in between"],
)
def test_the_function_is_found_behind_every_form_of_assertion(
    tmp_path: Path, test: str, call: str
) -> None:
    folder = project(tmp_path, COUNTING, test)
    found = tried(folder, failure(folder, call))
    first = found.suspects[0]
    assert (Path(first.file).name, first.lineno) == ("program.py", 4)
    assert "with `row >= least` instead of `row > least` the test passes" in first.clues[0].text


def test_a_slip_that_breaks_another_test_is_told_after_one_that_breaks_none(tmp_path: Path) -> None:
    test = """\
        from program import *

        def test_count():
            assert count([1, 2, 3], 2) == 2

        def test_none():
            assert count([], 2) == 0

        def test_all():
            assert count([5, 6], 2) == 2
        """
    folder = project(tmp_path, COUNTING, test)
    found = tried(folder, failure(folder, "t.test_count()"))
    scales = {
        one.lineno: clue.scale
        for one in found.suspects
        for clue in one.clues
        if clue.mark is Mark.TEST_PASSES
    }
    assert scales[4] > scales[2]
    told = [clue.text for one in found.suspects for clue in one.clues if one.lineno == 2]
    assert "with `1` instead of `0` the test passes, and 2 of 2 others fail" in told


def test_a_variant_that_does_not_end_is_none_with_which_the_test_passes(tmp_path: Path) -> None:
    program = """\
        def halvings(number):
            steps = 1
            while number > 1:
                number //= 2
                steps += 1
            return steps
        """
    folder = project(tmp_path, program, plain_test("halvings(8) == 3"))
    found = tried(folder, failure(folder, "t.test_it()"))
    told = {clue.text for one in found.suspects for clue in one.clues
            if clue.mark is Mark.TEST_PASSES}  # fmt: skip
    assert "with `0` instead of `1` the test passes" in told
    assert not any("`number //= 2`" in text for text in told)


def test_the_files_of_the_user_are_not_changed(tmp_path: Path) -> None:
    folder = project(tmp_path, COUNTING, plain_test("count([1, 2, 3], 2) == 2"))
    log = failure(folder, "t.test_it()")
    before = {path: path.read_bytes() for path in folder.glob("*.py")}
    tried(folder, log)
    assert {path: path.read_bytes() for path in folder.glob("*.py")} == before


def test_an_assertion_that_no_function_gave_a_value_to_is_a_crash_like_others(
    tmp_path: Path,
) -> None:
    folder = project(tmp_path, "", "def test_it():\n    rows = []\n    assert rows\n")
    found = inquired(folder, failure(folder, "t.test_it()"))
    assert found.wrong is None
    assert sorted(lines_of(found, TEST)[:2]) == [2, 3]


def test_an_exception_that_a_program_raises_itself_is_no_wrong_value(tmp_path: Path) -> None:
    program = (
        "def get(rows):\n    if not rows:\n        raise AssertionError(rows)\n    return rows\n"
    )
    folder = project(tmp_path, program, plain_test("get([]) == []"))
    assert inquired(folder, failure(folder, "t.test_it()")).wrong is None


def test_lines_that_did_not_run_have_no_part_in_the_value() -> None:
    one = callee(COUNTING, "count")
    ran = frozenset(("/app/program.py", line) for line in (2, 3, 4, 6))
    assert {part.statement.lineno for part in parts(one)} == {2, 3, 4, 5, 6}
    assert {part.statement.lineno for part in parts(one, ran)} == {2, 3, 4, 6}


def test_what_is_returned_is_nearer_than_what_it_was_made_of() -> None:
    found = {part.statement.lineno: part.nearness for part in parts(callee(COUNTING, "count"))}
    assert found[6] == 1.0 > found[5] > found[4]


def test_parts_are_followed_into_the_functions_that_a_function_calls() -> None:
    source = """\
        def inner(number):
            return number + 1

        def outer(number):
            log = []
            return inner(number)
        """
    found = {part.statement.lineno: part.nearness for part in parts(callee(source, "outer"))}
    assert found[2] > found[5]


def test_a_function_that_gives_nothing_back_is_judged_by_what_it_changes() -> None:
    source = """\
        def fill(rows, count):
            for place in range(count):
                rows[place] = place
        """
    found = {part.statement.lineno: part.what for part in parts(callee(source, "fill"))}
    assert found[3] == "gives the value back"
    assert found[2] == "gives the value back"


def test_a_line_with_more_on_it_is_likelier_wrong() -> None:
    plain, full = ast.parse("value = total\ntotal = rows[i + 1] * 2 - len(rows)").body
    assert proneness(plain)[1] < proneness(full)[2] < 1.0


def test_a_statement_on_several_lines_is_told_line_by_line(tmp_path: Path) -> None:
    program = """\
        def power(base, exponent):
            return base ** exponent

        def shown(base, exponent):
            return "{}".format(
                power(exponent, base)
            )
        """
    folder = project(tmp_path, program, plain_test("shown(2, 3) == '8'"))
    found = tried(folder, failure(folder, "t.test_it()"))
    assert lines_of(found, "program.py")[0] in (2, 6)
    assert {2, 6} == {one.lineno for one in found.suspects for clue in one.clues
                      if clue.mark is Mark.TEST_PASSES}  # fmt: skip


def test_the_whole_examination_reproduces_the_failure_and_keeps_the_ranking(tmp_path: Path) -> None:
    folder = project(tmp_path, COUNTING, plain_test("count([1, 2, 3], 2) == 2"))
    report = next(iter(crashlog.read(failure(folder, "t.test_it()").encode())))
    with Workbench(Options(roots=(folder,), proposers=("rules",))) as bench:
        found = examine(report, [folder], Rulebook(), bench=bench, budget_s=12.0)
    assert found.reproduction is not None
    first = found.suspects[0]
    assert (Path(first.file).name, first.lineno) == ("program.py", 4)
    assert Mark.TEST_PASSES in [clue.mark for clue in first.clues]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("return a + b", "return (a - b)"),
        ("return a - b", "return (b - a)"),
        ("return a < b", "return (a <= b)"),
        ("return f(a, b)", "return f(b, a)"),
        ("return a and b", "return (a or b)"),
        ("return rows[a]", "return rows[b]"),
        ("return max(a, b)", "return min(a, b)"),
        ("return a[b:]", "return (a[b + 1:])"),
        ("return 1 if a else b", "return (b if a else 1)"),
        ("a += 1", "a -= 1"),
        ("a = b", "a += b"),
    ],
)
def test_a_slip_exchanges_one_thing_for_its_like(line: str, expected: str) -> None:
    text = f"def f(a, b, rows):\n    {line}\n"
    function = ast.parse(text).body[0]
    assert isinstance(function, ast.FunctionDef)
    slips = Slips(text)
    changed = [slips.changed(one).splitlines()[1].strip() for one in
               slips.of(function.body[0], function)]  # fmt: skip
    assert ast.unparse(ast.parse(expected)) in [_normal(one) for one in changed]


def _normal(line: str) -> str:
    try:
        return ast.unparse(ast.parse(line))
    except SyntaxError:
        return line


def test_slips_leave_every_other_line_where_it_was() -> None:
    text = "def f(größe, b):\n    x = max(\n        größe,\n        b)\n    return x\n"
    function = ast.parse(text).body[0]
    assert isinstance(function, ast.FunctionDef)
    slips = Slips(text)
    found = list(slips.of(function.body[0], function))
    assert found
    for one in found:
        lines = slips.changed(one).splitlines()
        assert len(lines) == 5
        assert lines[4] == "    return x"


PYTEST = """\
    ================================== FAILURES ===================================
    _________________________________ test_count __________________________________

    rows = [1, 2, 3], least = 2, expected = 2

        @pytest.mark.parametrize(("rows", "least", "expected"), [([], 1, 0), ([1, 2, 3], 2, 2)])
        def test_count(rows, least, expected):
    >       assert count(rows, least) == expected
    E       assert 1 == 2
    E        +  where 1 = count([1, 2, 3], 2)

    test_program.py:9: AssertionError
    =========================== short test summary info ============================
    FAILED test_program.py::test_count[rows1-2-2] - assert 1 == 2
    """


def test_a_parametrized_test_is_run_with_the_values_that_pytest_printed(tmp_path: Path) -> None:
    test = """\
        import pytest

        from program import count


        @pytest.mark.parametrize(("rows", "least", "expected"), [([], 1, 0), ([1, 2, 3], 2, 2)])
        def test_count(rows, least, expected):

            assert count(rows, least) == expected
        """
    folder = project(tmp_path, COUNTING, test)
    found = tried(folder, dedent(PYTEST))
    first = found.suspects[0]
    assert (Path(first.file).name, first.lineno) == ("program.py", 4)


def test_the_worker_is_python_3_8_and_says_the_same_words() -> None:
    ast.parse(trials.WORKER.read_text(), feature_version=(3, 8))
    assert (trials.MARK, trials.PASSED, trials.FAILED) == (
        trying.MARK + "\n",
        trying.PASSED,
        trying.FAILED,
    )
