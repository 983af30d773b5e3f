"""Where a value came from, what let it come there, and what is odd on the way."""

from __future__ import annotations

import ast
from pathlib import Path
from textwrap import dedent

import pytest

from nsdbg.crashlog import FrameKind, LoggedException, LoggedFrame
from nsdbg.localize.calls import falls_through, returns
from nsdbg.localize.clue import Clue, Mark
from nsdbg.localize.locate import LineStatus, LocatedFrame
from nsdbg.localize.rank import rank
from nsdbg.localize.site import CrashSite, Files, crash_site
from nsdbg.localize.static import static_clues


def site(
    folder: Path, code: str, frames: list[tuple[int, str]], exception: str, message: str
) -> CrashSite:
    """Make the site of a crash in one file; frames are lines and functions, outermost first."""
    path = folder / "module.py"
    path.write_text(dedent(code))
    logged = tuple(LoggedFrame("module.py", lineno, name) for lineno, name in frames)
    located = [
        LocatedFrame(one, path, one.lineno, one.function, LineStatus.EXACT, kind=FrameKind.USER)
        for one in logged
    ]
    found = crash_site(LoggedException(exception, message, logged), located, Files())
    assert found is not None
    return found


def clues(
    folder: Path, code: str, frames: list[tuple[int, str]], exception: str, message: str
) -> list[Clue]:
    return static_clues(site(folder, code, frames, exception, message))


def marked(found: list[Clue], mark: Mark) -> list[int]:
    return sorted({one.lineno for one in found if one.mark is mark})


def first(found: list[Clue]) -> int:
    return rank(found)[0].lineno


def test_a_none_from_a_lookup_is_followed_to_the_lookup(tmp_path: Path) -> None:
    code = """\
        def shout(names, key):
            name = names.get(key)
            print(key)
            return name.upper()
        """
    found = clues(tmp_path, code, [(4, "shout")], "AttributeError",
                  "'NoneType' object has no attribute 'upper'")  # fmt: skip
    assert first(found) == 2


def test_a_none_from_a_function_that_falls_off_its_end_is_told_there(tmp_path: Path) -> None:
    code = """\
        def find(rows, key):
            for row in rows:
                if row.key == key:
                    return row

        def name(rows, key):
            row = find(rows, key)
            return row.name
        """
    found = clues(tmp_path, code, [(8, "name")], "AttributeError",
                  "'NoneType' object has no attribute 'name'")  # fmt: skip
    assert marked(found, Mark.MISSING_PATH) == [2]


def test_a_method_that_works_in_place_is_known_to_give_none(tmp_path: Path) -> None:
    code = """\
        def best(rows):
            ranked = rows.sort()
            count = len(rows)
            return ranked[0], count
        """
    found = clues(tmp_path, code, [(4, "best")], "TypeError",
                  "'NoneType' object is not subscriptable")  # fmt: skip
    assert first(found) == 2


def test_what_cannot_be_none_is_not_suspected_of_it(tmp_path: Path) -> None:
    code = """\
        class Node:
            next = None

        def last(head):
            start = Node()
            node = start
            while node.next is not head:
                node = node.next
            return node.next
        """
    found = clues(tmp_path, code, [(7, "last")], "AttributeError",
                  "'NoneType' object has no attribute 'next'")  # fmt: skip
    assert 8 in marked(found, Mark.POSSIBLE_ORIGIN)
    assert 6 not in marked(found, Mark.ORIGIN) + marked(found, Mark.POSSIBLE_ORIGIN)


def test_an_argument_is_followed_to_the_caller_that_computed_it(tmp_path: Path) -> None:
    code = """\
        def pick(rows, place):
            return rows[place]

        def middle(rows):
            return pick(rows, len(rows) * 2)
        """
    found = clues(tmp_path, code, [(5, "middle"), (2, "pick")], "IndexError",
                  "list index out of range")  # fmt: skip
    assert marked(found, Mark.ORIGIN) == [5]


def test_a_default_that_was_used_is_told_at_the_parameter(tmp_path: Path) -> None:
    code = """\
        def pick(rows, place=None):
            return rows[place]

        def top(rows):
            return pick(rows)
        """
    found = clues(tmp_path, code, [(5, "top"), (2, "pick")], "TypeError",
                  "list indices must be integers or slices, not NoneType")  # fmt: skip
    assert 1 in marked(found, Mark.POSSIBLE_ORIGIN)


def test_an_element_is_followed_to_where_it_was_put_in(tmp_path: Path) -> None:
    code = """\
        def walk(root):
            todo = [root.left]
            todo.clear()
            todo.append(root.right)
            print(root)
            node = todo.pop()
            return node.value
        """
    found = clues(tmp_path, code, [(7, "walk")], "AttributeError",
                  "'NoneType' object has no attribute 'value'")  # fmt: skip
    assert {2, 4} <= set(marked(found, Mark.POSSIBLE_ORIGIN))


def test_an_attribute_is_followed_to_the_class_that_sets_it(tmp_path: Path) -> None:
    code = """\
        class Order:
            note: str = "none"

            def __init__(self, rows):
                self.rows = rows
                self.customer = None

        def greet(order):
            print(order.rows)
            return order.customer.name
        """
    found = clues(tmp_path, code, [(10, "greet")], "AttributeError",
                  "'NoneType' object has no attribute 'name'")  # fmt: skip
    assert [one.lineno for one in rank(found)[:2]] == [10, 6]


def test_following_a_value_around_a_loop_ends(tmp_path: Path) -> None:
    code = """\
        def f(a, b):
            while a:
                a, b = b, a
                a += b
                b -= a
            return 1 // b
        """
    found = clues(tmp_path, code, [(6, "f")], "ZeroDivisionError", "division by zero")
    assert 5 in marked(found, Mark.ORIGIN) + marked(found, Mark.POSSIBLE_ORIGIN)


@pytest.mark.parametrize(
    ("head", "index"),
    [
        ("for i in range(len(rows) + 1):", "i"),
        ("for i in range(count + 1):", "i"),
        ("for i in range(len(names)):", "i"),
        ("for i in range(1, len(rows)):", "i + 1] + rows[i - 1"),
    ],
)
def test_a_loop_that_runs_too_far_comes_before_the_line_it_breaks(
    tmp_path: Path, head: str, index: str
) -> None:
    code = f"""\
    def f(rows, names):
        count = len(rows)
        {head}
            print(rows[{index}])
"""
    found = clues(tmp_path, code, [(4, "f")], "IndexError", "list index out of range")
    assert first(found) == 3
    assert marked(found, Mark.LOOP_BOUND) == [3]


@pytest.mark.parametrize(
    ("head", "index"),
    [
        ("for i in range(len(rows)):", "i + 1"),
        ("for i in range(1, len(rows) + 1):", "i"),
        ("for row in rows:", "2"),
    ],
)
def test_an_index_that_adds_too_much_to_a_loop_that_fits_is_the_fault(
    tmp_path: Path, head: str, index: str
) -> None:
    code = f"""\
    def f(rows):
        {head}
            print(rows[{index}])
"""
    found = clues(tmp_path, code, [(3, "f")], "IndexError", "list index out of range")
    assert first(found) == 3


def test_a_counter_that_starts_at_the_length_is_suspected_where_it_starts(tmp_path: Path) -> None:
    code = """\
        def pairs(rows):
            left, right = 0, len(rows)
            found = []
            while left < right:
                found.append((rows[left], rows[right]))
                left, right = left + 1, right - 1
        """
    found = clues(tmp_path, code, [(5, "pairs")], "IndexError", "list index out of range")
    assert 2 in marked(found, Mark.LOOP_BOUND)


def test_a_loop_that_reads_more_than_there_is_comes_first(tmp_path: Path) -> None:
    code = """\
        n, m = int(input()), int(input())
        for _ in range(n):
            row = input().split()
            print(row)
        """
    found = clues(tmp_path, code, [(3, "<module>")], "EOFError", "EOF when reading a line")
    assert first(found) == 2


def test_a_loop_that_asks_before_it_takes_is_not_suspected(tmp_path: Path) -> None:
    code = """\
        def f(queue):
            while queue:
                first = queue.pop(0)
                second = queue.pop(0)
        """
    found = clues(tmp_path, code, [(4, "f")], "IndexError", "pop from empty list")
    assert marked(found, Mark.LOOP_BOUND) == []


def test_a_missing_else_is_told_for_an_unbound_local(tmp_path: Path) -> None:
    code = """\
        def grade(points):
            if points > 90:
                word = "good"
            elif points > 50:
                word = "fair"
            return word
        """
    message = "cannot access local variable 'word' where it is not associated with a value"
    found = clues(tmp_path, code, [(6, "grade")], "UnboundLocalError", message)
    assert marked(found, Mark.MISSING_PATH) == [2, 4, 5]


def test_a_name_bound_nowhere_is_missed_before_its_first_use(tmp_path: Path) -> None:
    code = """\
        def f(rows):
            count = 0
            for row in rows:
                result.append(row)
            return result
        """
    found = clues(tmp_path, code, [(5, "f")], "NameError", "name 'result' is not defined")
    assert marked(found, Mark.MISSING_PATH) == [2, 3]
    near = code.replace("count = 0", "resul = []")
    found = clues(tmp_path, near, [(5, "f")], "NameError", "name 'result' is not defined")
    assert marked(found, Mark.MISSING_PATH) == []


def test_a_guard_that_reads_the_bad_value_is_suspected(tmp_path: Path) -> None:
    code = """\
        def share(total, people):
            if total < 0:
                return 0
            if people < 0:
                return 0
            return total / people
        """
    found = clues(tmp_path, code, [(6, "share")], "ZeroDivisionError", "division by zero")
    assert marked(found, Mark.GUARD) == [4]


@pytest.mark.parametrize(
    ("odd", "exception", "message", "crash"),
    [
        ("text", "TypeError", "object of type 'int' has no len()", "len(text)"),
        ("text == 1", "TypeError", "object of type 'int' has no len()", "len(text)"),
        ("text = List[int]", "TypeError", "'int' object is not subscriptable", "text[0]"),
    ],
)
def test_code_that_cannot_mean_what_it_says_comes_first(
    tmp_path: Path, odd: str, exception: str, message: str, crash: str
) -> None:
    code = f"""\
    def f(text):
        {odd}
        other = 1
        print(other, {crash})
"""
    found = clues(tmp_path, code, [(4, "f")], exception, message)
    assert marked(found, Mark.ODD_CODE) == [2]
    assert first(found) == 2


def test_a_nan_test_and_a_docstring_are_not_odd(tmp_path: Path) -> None:
    code = '''\
        def f(x):
            """Say whether x is a number."""
            if x != x:
                return 1 / 0
        '''
    found = clues(tmp_path, code, [(4, "f")], "ZeroDivisionError", "division by zero")
    assert marked(found, Mark.ODD_CODE) == []


def test_a_call_with_wrong_arguments_points_at_the_signature_in_an_imported_file(
    tmp_path: Path,
) -> None:
    (tmp_path / "other.py").write_text("\n\nclass Till:\n    def open(amount):\n        pass\n")
    code = """\
        from other import Till
        Till().open(3)
        """
    found = clues(tmp_path, code, [(2, "<module>")], "TypeError",
                  "Till.open() takes 1 positional argument but 2 were given")  # fmt: skip
    assert [(Path(one.file).name, one.lineno) for one in found if one.mark is Mark.SIGNATURE] == [
        ("other.py", 4)
    ]


def test_an_unknown_file_and_an_unparsable_one_have_no_site(tmp_path: Path) -> None:
    path = tmp_path / "broken.py"
    path.write_text("def (:\n")
    frame = LoggedFrame("broken.py", 1, "f")
    located = LocatedFrame(frame, path, 1, None, LineStatus.EXACT)
    missing = LocatedFrame(frame, None, 1, None, LineStatus.MISSING)
    raised = LoggedException("ValueError", "x", (frame,))
    assert crash_site(raised, [located], Files()) is None
    assert crash_site(raised, [missing], Files()) is None


def test_returns_of_nested_functions_are_not_a_functions_own() -> None:
    tree = ast.parse("def f():\n    def g():\n        return 1\n    return 2\n")
    function = tree.body[0]
    assert isinstance(function, ast.FunctionDef)
    assert [one.lineno for one in returns(function)] == [4]


@pytest.mark.parametrize(
    ("body", "through"),
    [
        ("return 1", False),
        ("raise ValueError", False),
        ("pass", True),
        ("if a:\n    return 1", True),
        ("if a:\n    return 1\nelse:\n    return 2", False),
        ("while True:\n    pass", False),
        ("while True:\n    break", True),
        ("try:\n    return 1\nexcept ValueError:\n    pass", True),
        ("with a:\n    return 1", False),
    ],
)
def test_a_body_falls_through_unless_every_way_leaves_it(body: str, through: bool) -> None:
    assert falls_through(ast.parse(body).body) is through
