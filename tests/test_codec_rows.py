"""A statement that spans lines comes to them in the order in which this Python does."""

from __future__ import annotations

import ast
import sys
import textwrap
from types import FrameType
from typing import Any

import pytest

from nsdbg.propose.codec.rows import next_row, rows

STATEMENTS = [
    "x = foo(\n    a,\n    b + 1,\n    k=c,\n)",
    "return foo(\n    a,\n    b)",
    "return (\n    (y for y in a)\n)",
    "return (\n    a,\n    b,\n)",
    "x = {\n    1: a,\n    b: 2,\n}",
    "raise ValueError(\n    f'{a!r} is, '\n    f'{b} perhaps'\n)",
    "x = (a\n     + b\n     ) + (\n     c)",
    "x = [\n    a,\n    foo(b,\n        c),\n]",
    "foo(a)(\n    b,\n    c\n)",
    "x, y = (\n    a,\n    b)",
    "return '{} {}'.format(\n    a, tuple(reversed((b,) + (c,))))",
    "x = y = foo(\n    a\n)",
    "a[\n  b\n] = foo(\n  c)",
    "return foo(a).bar(\n    b\n).bar(\n    c\n)",
    "x: int = foo(\n    a)",
    "x = a.bar(\n    b\n).baz.bar(c)",
    "x = (a\n    .bar(b)\n    .bar(c))",
    "x = foo(lambda: (\n    a), b)",
]


class Anything:
    """Takes part in any operation."""

    def bar(self, *args: Any) -> Anything:
        return self

    __call__ = __getitem__ = bar
    baz = property(lambda self: self)

    def __add__(self, other: Any) -> Anything:
        return self

    def __iter__(self) -> Any:
        return iter((1, 2))

    def __setitem__(self, place: Any, value: Any) -> None:
        return None


def foo(*args: Any, **kwargs: Any) -> Anything:
    return Anything()


@pytest.mark.parametrize("statement", STATEMENTS)
def test_the_lines_of_a_statement_come_as_a_trace_of_it_shows_them(statement: str) -> None:
    source = f"def f(a, b, c):\n{textwrap.indent(statement, '    ')}\n    return 0\n"
    names: dict[str, Any] = {"foo": foo}
    exec(compile(source, "spanning", "exec"), names)
    node = ast.parse(source).body[0].body[0]  # type: ignore[attr-defined]
    seen: list[int] = []

    def trace(frame: FrameType, event: str, arg: object) -> Any:
        if frame.f_code.co_filename != "spanning" or frame.f_code.co_name != "f":
            return None
        if event == "line" and frame.f_lineno <= node.end_lineno:
            seen.append(frame.f_lineno)
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        names["f"](Anything(), Anything(), Anything())
    except ValueError:
        pass
    finally:
        sys.settrace(before)
    assert rows(node) == seen


@pytest.mark.parametrize(
    "statement",
    ["x = a if b else (\n    c)", "x = (a or\n     b)", "x = [\n    y for y in a]",
     "x = (yield\n  a)",
     "x = 1 < a < (\n  b)", "if a == (\n  b):\n    pass", "foo(\n  *a,\n  **{})",
     "return a[\n    b:\n    c]"],
)  # fmt: skip
def test_where_lines_depend_on_values_there_is_no_order(statement: str) -> None:
    assert rows(ast.parse(statement).body[0]) is None


def test_a_statement_goes_on_to_its_next_line_where_that_is_plain() -> None:
    node = ast.parse("x = foo(\n    a,\n    b,\n)").body[0]
    assert [next_row(node, line) for line in (1, 2, 3)] == [None, 3, 1]
    assert next_row(ast.parse("x = a").body[0], 1) is None
