"""How well an expression's value fits a type, and which code cannot mean what it says."""

from __future__ import annotations

import ast
from textwrap import dedent

import pytest

from nsdbg.localize.clue import Mark
from nsdbg.localize.code import FileCode, Spot
from nsdbg.localize.kinds import could_be, type_of
from nsdbg.localize.oddity import UNRELATED, odd_clues


def expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1", "int"),
        ("None", "NoneType"),
        ("'a'", "str"),
        ("[1]", "list"),
        ("[x for x in y]", "list"),
        ("{1: 2}", "dict"),
        ("{x: x for x in y}", "dict"),
        ("{1}", "set"),
        ("{x for x in y}", "set"),
        ("(1, 2)", "tuple"),
        ("f'{x}'", "str"),
        ("(x for x in y)", "generator"),
        ("lambda: 1", "function"),
        ("a < b", "bool"),
        ("not a", "bool"),
        ("-a", None),
        ("len(x)", "int"),
        ("deque(x)", "collections.deque"),
        ("load(x)", None),
        ("x.split(',')", "list"),
        ("x.load()", None),
        ("rows.append(1)", "NoneType"),
        ("rows.sort()", "NoneType"),
        ("rows.append(1).append(2)", None),
        ("f(x)(y)", None),
        ("1 + 2", "int"),
        ("1 / 2", "float"),
        ("1 / 2.0", "float"),
        ("'a' / 2", None),
        ("1 / x", None),
        ("'%s' % x", "str"),
        ("1 % 2", "int"),
        ("1 % x", None),
        ("1 + 2.0", None),
        ("x + y", None),
        ("x", None),
        ("[1] + [2]", "list"),
    ],
)
def test_a_type_is_told_only_where_the_text_makes_it_certain(
    text: str, expected: str | None
) -> None:
    assert type_of(expression(text)) == expected


OWN = frozenset({"Order", "Item"})


@pytest.mark.parametrize(
    ("text", "wanted", "expected"),
    [
        ("1", "int", 1.0),
        ("1", "str", 0.0),
        ("x", "int", 0.5),
        ("x", None, 0.5),
        ("1", None, 0.5),
        # The last part of a dotted name is what a message prints.
        ("deque(x)", "deque", 1.0),
        ("deque(x)", "collections.deque", 1.0),
        ("deque(x)", "a.b.deque", 1.0),
        ("1", "builtins.int", 1.0),
        # Either branch may give the value.
        ("1 if a else None", "NoneType", 1.0),
        ("None if a else 1", "NoneType", 1.0),
        ("1 if a else 2", "NoneType", 0.0),
        ("a or 1 or None", "NoneType", 1.0),
        ("1 or 2", "NoneType", 0.0),
        ("1 if a else 2", None, 0.5),
        # Calls of the project's own classes make instances of them.
        ("Order()", "Order", 1.0),
        ("shop.Order()", "a.shop.Order", 1.0),
        ("Item()", "Order", 0.0),
        ("Order() if a else 1", "Order", 1.0),
        ("1 if a else Order()", "Order", 1.0),
        ("a or Order()", "Order", 1.0),
        # Lookups that miss give None; a default makes the miss harmless, unless it is None itself.
        ("d.get(k)", "NoneType", 0.9),
        ("d.get(k, 0)", "NoneType", 0.0),
        ("d.get(k, None)", "NoneType", 1.0),
        ("d.get(k, Order())", "NoneType", 0.0),
        ("d.get()", "NoneType", 0.9),
        ("getattr(x, n)", "NoneType", 0.9),
        ("getattr(x, n, None)", "NoneType", 1.0),
        ("getattr(x, n, 1)", "NoneType", 0.0),
        ("re.match(a)", "NoneType", 0.9),
        ("d.get(k)", "int", 0.4),
        ("d.load(k)", "NoneType", 0.4),
        # A builtin type makes what its name says; other calls may give anything.
        ("complex(x)", "int", 0.1),
        ("x.complex()", "int", 0.4),
        ("max(x)", "int", 0.4),
        ("load(x)", "int", 0.4),
        ("f(x)(y)", "int", 0.4),
        # Arithmetic never gives None.
        ("a + b", "NoneType", 0.0),
        ("-a", "NoneType", 0.0),
        ("a.b", "NoneType", 0.5),
        ("a + b", "int", 0.5),
    ],
)
def test_how_well_a_value_fits_a_type(text: str, wanted: str | None, expected: float) -> None:
    assert could_be(expression(text), wanted, OWN) == expected


def test_without_classes_of_ones_own_a_call_may_give_anything() -> None:
    assert could_be(expression("Order()"), "Order") == 0.4


# Odd code.


def odd(code: str, *names: str, qualname: str = "f") -> list[tuple[int, str, float]]:
    text = dedent(code)
    file = FileCode("/nowhere/module.py", text, ast.parse(text))
    spot = Spot(file, qualname, file.tree.body[0])
    found = list(odd_clues(spot, frozenset(names)))
    assert all((one.mark, one.file) == (Mark.ODD_CODE, file.path) for one in found)
    return [(one.lineno, one.text, one.scale) for one in found]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("x", "this statement has no effect: x"),
        ("x.y", "this statement has no effect: x.y"),
        ("x < y", "this statement has no effect: x < y"),
        ("x + 1", "this statement has no effect: x + 1"),
        ("x[0]", "this statement has no effect: x[0]"),
        ("[x]", "this statement has no effect: [x]"),
        ("print(x == x)", "this compares a thing with itself: x == x"),
        ("print(f(x) != f(x))", "this compares a thing with itself: f(x) != f(x)"),
        ("print(x < x)", "this compares a thing with itself: x < x"),
        ("x = x", "this assigns a name to itself: x = x"),
        ("x.y = x.y", "this assigns a name to itself: x.y = x.y"),
        ("x = List[int]", "this assigns a type, not a value: x = List[int]"),
    ],
)
def test_an_odd_line_is_told_in_a_sentence(line: str, told: str) -> None:
    assert odd(f"def f(x):\n    pass\n    {line}\n", "x") == [(3, told, 1.0)]


@pytest.mark.parametrize(
    "line",
    ["f(x)", "'words'", "...", "print(x != x)", "print(x < x < y)", "print(x == y)", "x = y",
     "x = x = y", "x = rows[0]", "x = typing.List[int]", "yield x", "x: int = 1"],
)  # fmt: skip
def test_lines_that_mean_something_are_not_odd(line: str) -> None:
    assert odd(f"def f(x):\n    {line}\n", "x") == []


def test_what_names_no_value_that_failed_counts_less() -> None:
    code = "def f(x, y):\n    x\n    y\n"
    assert [(lineno, scale) for lineno, _, scale in odd(code, "y", "z")] == [
        (2, UNRELATED),
        (3, 1.0),
    ]


def test_only_the_function_at_hand_is_looked_at_and_a_module_as_a_whole() -> None:
    code = "def f(x):\n    x\ndef g(y):\n    y\nz\n"
    assert [one[0] for one in odd(code, "x")] == [2]
    assert [one[0] for one in odd(code, "x", qualname="<module>")] == [2, 4, 5]
