"""What failed on the crash line, from carets or from the exception and the tree."""

from __future__ import annotations

import ast
from textwrap import dedent

import pytest

from nsdbg.localize.pin import Pin, Role, pin, pin_call, statement_at


def pinned(
    code: str, lineno: int, exception: str, message: str, marked: str | None = None
) -> Pin | None:
    """Pin on a line; `marked` is the text under the carets."""
    code = dedent(code)
    columns = None
    if marked is not None:
        start = code.splitlines()[lineno - 1].index(marked)
        columns = (start, start + len(marked))
    return pin(ast.parse(code), code, lineno, exception, message, columns)


def blames(found: Pin | None) -> list[tuple[str, Role]]:
    assert found is not None
    return [(one.text, one.role) for one in found.blames]


def test_carets_choose_between_two_subscripts() -> None:
    found = pinned("x = rows[i] + names[j]\n", 1, "IndexError", "list index out of range",
                   "names[j]")  # fmt: skip
    assert found is not None
    assert (found.text, found.exact, found.column, found.end_column) == ("names[j]", True, 14, 22)
    assert blames(found) == [("j", Role.INDEX), ("names", Role.CONTAINER)]


def test_without_carets_every_operation_that_fits_is_blamed_and_nothing_else() -> None:
    found = pinned("x = rows[i] + len(names[j])\n", 1, "IndexError", "list index out of range")
    assert found is not None
    assert not found.exact
    assert {text for text, _ in blames(found)} == {"rows", "i", "names", "j"}


def test_a_literal_of_another_type_than_the_message_names_clears_its_operation() -> None:
    message = "unsupported operand type(s) for -: 'int' and 'str'"
    found = pinned('return fib(n - 1) + fib(n - "2")\n', 1, "TypeError", message)
    assert found is not None
    assert found.text == 'n - "2"'
    assert blames(found) == [("n", Role.OPERAND), ("'2'", Role.OPERAND)]


def test_columns_count_characters_and_not_bytes() -> None:
    found = pinned("größe = maße[ö]\n", 1, "KeyError", "'x'", "maße[ö]")
    assert found is not None
    assert (found.text, found.column, found.end_column) == ("maße[ö]", 8, 15)


@pytest.mark.parametrize(
    ("line", "exception", "message", "expected"),
    [
        ("total / count", "ZeroDivisionError", "division by zero", [("count", Role.DIVISOR)]),
        ("total % step", "ZeroDivisionError", "modulo by zero", [("step", Role.DIVISOR)]),
        (
            "user.name.lower()", "AttributeError", "'NoneType' object has no attribute 'lower'",
            [("user.name", Role.RECEIVER)],
        ),
        ("fun(a) + totl", "NameError", "name 'totl' is not defined", [("totl", Role.NAME)]),
        (
            "len(count) + len(name)", "TypeError", "object of type 'int' has no len()",
            [("count", Role.ARGUMENT), ("name", Role.ARGUMENT)],
        ),
        (
            "int(text)", "ValueError", "invalid literal for int() with base 10: 'x'",
            [("text", Role.ARGUMENT)],
        ),
        (
            "queue.pop()", "IndexError", "pop from empty list", [("queue", Role.CONTAINER)],
        ),
        ("a, b = parts", "ValueError", "not enough values to unpack (expected 2, got 1)",
         [("parts", Role.UNPACKED)]),
        ("1 << places", "ValueError", "negative shift count", [("places", Role.OPERAND)]),
        ("total += name", "TypeError",
         "unsupported operand type(s) for +=: 'int' and 'str'",
         [("total", Role.OPERAND), ("name", Role.OPERAND)]),
        ("x = input()", "EOFError", "EOF when reading a line", [("input()", Role.READ)]),
        ("table[row].total", "TypeError", "'int' object is not subscriptable",
         [("table", Role.CONTAINER), ("row", Role.INDEX)]),
        ("rows[key]", "TypeError", "list indices must be integers or slices, not str",
         [("key", Role.INDEX), ("rows", Role.CONTAINER)]),
    ],
)  # fmt: skip
def test_each_exception_blames_its_part(
    line: str, exception: str, message: str, expected: list[tuple[str, Role]]
) -> None:
    assert blames(pinned(line + "\n", 1, exception, message)) == expected


def test_a_none_among_the_operands_is_the_one_to_blame() -> None:
    found = pinned("price * amount\n", 1, "TypeError",
                   "unsupported operand type(s) for *: 'int' and 'NoneType'")  # fmt: skip
    assert blames(found) == [("amount", Role.OPERAND)]
    assert found is not None
    assert found.blames[0].had_type == "NoneType"


def test_the_operator_in_the_message_excludes_the_other_ones() -> None:
    found = pinned("a - b + c\n", 1, "TypeError",
                   "unsupported operand type(s) for -: 'list' and 'int'")  # fmt: skip
    assert found is not None
    assert found.text == "a - b"
    assert [(one.text, one.had_type) for one in found.blames] == [("a", "list"), ("b", "int")]


def test_two_statements_on_a_line_are_told_apart_by_the_carets() -> None:
    code = "if beds[i + 1] == 0: beds[i] = 1\n"
    found = pinned(code, 1, "IndexError", "list index out of range", "beds[i + 1]")
    assert found is not None
    assert isinstance(found.statement, ast.If)
    assert found.text == "beds[i + 1]"


def test_a_line_of_a_block_is_not_mixed_up_with_its_header() -> None:
    code = """\
        for row in rows:
            print(row[0])
        """
    found = pinned(code, 2, "IndexError", "tuple index out of range")
    assert found is not None
    assert found.text == "row[0]"


def test_a_raise_blames_what_the_test_around_it_reads() -> None:
    code = """\
        def pay(amount, limit):
            if amount > limit:
                raise ValueError("too much")
        """
    found = pinned(code, 3, "ValueError", "too much")
    assert found is not None
    assert found.raising
    assert blames(found) == [("amount", Role.TESTED), ("limit", Role.TESTED)]


def test_an_assert_blames_what_it_reads() -> None:
    found = pinned("assert order.total > 0\n", 1, "AssertionError", "")
    assert blames(found) == [("order.total", Role.TESTED)]


def test_nothing_is_pinned_where_no_statement_lies() -> None:
    assert pinned("x = 1\n\n\ny = 2\n", 3, "TypeError", "x") is None


def test_the_annotation_of_a_def_is_part_of_its_line() -> None:
    found = pinned("def f(x: Lst[int]): pass\n", 1, "NameError", "name 'Lst' is not defined")
    assert blames(found) == [("Lst", Role.NAME)]


def test_a_call_into_a_library_blames_its_arguments() -> None:
    code = "rows = json.loads(text, strict=flag)\n"
    found = pin_call(ast.parse(code), code, 1)
    assert blames(found) == [("text", Role.ARGUMENT), ("flag", Role.ARGUMENT)]


def test_the_innermost_statement_of_a_line_is_found() -> None:
    tree = ast.parse("class A:\n    def f(self):\n        return 1\n")
    assert isinstance(statement_at(tree, 3), ast.Return)
    assert statement_at(tree, 9) is None
