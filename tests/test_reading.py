"""What a script reads, as its source tells."""

from __future__ import annotations

import ast
from textwrap import dedent

import pytest

from nsdbg.propose.search.reading import Line, Loop, Plan, plan_of


def plan(code: str) -> Plan:
    return plan_of(ast.parse(dedent(code)))


def test_lines_are_read_in_source_order_with_what_is_made_of_them() -> None:
    code = """\
        n = int(input())
        rows = list(map(int, input().split()))
        """
    assert plan(code) == (Line("int", None, "n"), Line("ints", None, "rows"))


@pytest.mark.parametrize(
    ("head", "use", "shape"),
    [
        ("for line in sys.stdin:", "total += int(line)", "int"),
        ("for line in sys.stdin:", "total += float(line.strip())", "float"),
        ("for number, line in enumerate(sys.stdin, 1):", "total += float(line)", "float"),
        ("for line in stdin:", "rows.append(line.split())", "words"),
        ("for line in fileinput.input():", "key, value = line.split('=')", "text"),
    ],
)
def test_a_loop_over_the_input_reads_a_line_each_time(head: str, use: str, shape: str) -> None:
    assert plan(f"{head}\n    {use}\n") == (Loop((Line(shape),)),)


def test_a_loop_over_the_input_is_seen_in_the_function_that_is_called() -> None:
    code = """\
        def main():
            for line in sys.stdin:
                print(line)

        main()
        """
    assert plan(code) == (Loop((Line("text"),)),)


def test_a_loop_over_anything_else_reads_nothing() -> None:
    assert plan("for line in open('stdin'):\n    print(line)\n") == ()
