"""The evaluator agrees with Python where it answers, and is Unknown where it does not."""

from __future__ import annotations

import ast
import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nsdbg.propose.evaluate import Program, Unknown, evaluate, literal, same

CRUXEVAL = Path(__file__).parents[2] / "shared" / "data" / "cruxeval_public.jsonl"
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text("ab ,1", max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab", max_size=2), inner),
    max_leaves=6,
)
EXPRESSIONS = [
    "x + y", "x * 2", "x == y", "x in y", "y < x", "x[0]", "x[::-1]", "x[1:]", "len(x)", "str(x)",
    "sorted(x)", "list(x)", "x and y", "not x", "x if y else 1", "[i for i in x if i]",
    "{k: v for k, v in x.items()}", "x.upper()", "x.split(y)", "y.join(x)", "x.get(y, 3)",
    "max(x, key=len)", "sum(x)", "f'{x!r:>4}|{y}'", "list(zip(x, y))", "x.count(y)", "int(x)",
    "(lambda a, b=1, *c, **d: (a, b, c, d))(x, y, 5, k=6)", "tuple(enumerate(reversed(x)))",
    "[*x, *y]", "{**x, 'a': y}", "any(i == y for i in x)", "'%s-%r' % (x, y)", "x.a", "x.index(y)",
    "'{}:{:>3}'.format(x, y)", "list(map(str, x))", "x % y", "x // y", "isinstance(x, (str, list))",
]  # fmt: skip


def program(source: str) -> Program:
    tree = ast.parse(source)
    function = next(node for node in tree.body if isinstance(node, ast.FunctionDef))
    return Program(function, tree)


@pytest.mark.parametrize("expression", EXPRESSIONS)
@settings(max_examples=25, deadline=None)
@given(x=VALUES, y=VALUES)
def test_an_expression_gives_what_python_gives_or_raises_what_python_raises(
    expression: str, x: object, y: object
) -> None:
    code = program(f"def f(x, y):\n    return {expression}\n")
    try:
        guess = code.call({"x": x, "y": y})
    except Unknown:
        assert not isinstance(x, (str, list)) or not isinstance(y, (str, list))
        return
    right, raised = python_gives(expression, x, y)
    assert type(guess.error) is raised
    assert same(guess.value, right)


def python_gives(expression: str, x: object, y: object) -> tuple[object, type]:
    try:
        return eval(expression, {"x": x, "y": y}), type(None)
    except Exception as error:
        return None, type(error)


@settings(max_examples=200, deadline=None)
@given(st.text("x y()[]{}.,:+-*/%'\"\\lambdaifors01=<>", max_size=30))
def test_garbage_is_unknown_and_nothing_else(text: str) -> None:
    names = {"x": 3, "y": [1]}
    with contextlib.suppress(Unknown):
        evaluate(text, names)
    assert names == {"x": 3, "y": [1]}


@pytest.mark.parametrize(
    "expression",
    [
        "9 ** 9 ** 9",
        "'a' * 10 ** 9",
        "[0] * 10 ** 9",
        "list(range(10 ** 12))",
        "'{:>99999999}'.format(1)",
        "'%99999999d' % 1",
        "f'{1:>99999999}'",
        "'a'.ljust(10 ** 9)",
        "1 << 10 ** 9",
        "bytes(10 ** 9)",
        "[i for i in range(60000) for j in range(60000)]",
        "'ab'.replace('', 'x' * 60000)",
        "'{0.__class__}'.format(1)",
        "__import__('os')",
        "open('x')",
        "x.__class__",
        "().__class__.__bases__",
        "str.__subclasses__(str)",
        "type('C', (), {})",
        "(lambda f: f(f))(lambda f: f(f))",
        "{'a', 'b', 'c'}.pop()",
        "str({'a', 'b'})",
        "print.__self__",
        "(" * 500 + "x" + ")" * 500,
        "-" * 3000 + "1",
    ],
)
def test_what_is_off_the_list_or_too_large_is_unknown(expression: str) -> None:
    with pytest.raises(Unknown):
        evaluate(expression, {"x": 3})


def test_a_value_that_shares_its_parts_is_weighed_with_all_of_them() -> None:
    code = program("def f(x):\n    for i in range(60):\n        x = [x, x]\n    return x == [x]\n")
    with pytest.raises(Unknown, match="too many parts"):
        code.call({"x": 1})


def test_a_loop_without_end_runs_out_of_steps() -> None:
    with pytest.raises(Unknown, match="too many steps"):
        program("def f(x):\n    while True:\n        x += 1\n").call({"x": 1})


def test_a_list_that_doubles_is_stopped() -> None:
    with pytest.raises(Unknown, match="elements"):
        program("def f(x):\n    while True:\n        x.extend(x)\n").call({"x": [1]})


def test_recursion_without_end_is_unknown() -> None:
    with pytest.raises(Unknown, match="too deep"):
        program("def f(x):\n    return f(x)\n").call({"x": 1})


def test_the_line_and_the_exception_are_those_python_would_print() -> None:
    outcome = program("def f(x):\n    y = 1\n    return y / x\n").call({"x": 0})
    assert type(outcome.error) is ZeroDivisionError
    assert (str(outcome.error), outcome.lineno) == ("division by zero", 3)


def test_the_watched_line_shows_the_locals_of_each_visit() -> None:
    source = "def f(x):\n    t = []\n    for i in x:\n        t.append(i)\n    return t\n"
    outcome = program(source).call({"x": [5, 6]}, watch=4)
    assert [seen["t"] for seen in outcome.seen] == [[], [5]]


def test_arguments_are_copied_before_the_call_changes_them() -> None:
    values = [1, [2]]
    outcome = program("def f(x):\n    x[1].append(3)\n    return x\n").call({"x": values})
    assert outcome.value == [1, [2, 3]]
    assert values == [1, [2]]


def test_an_exception_is_caught_by_its_handler_and_finally_runs() -> None:
    source = """
def f(x):
    seen = []
    try:
        seen.append(int(x))
    except ValueError as error:
        seen.append('no')
    else:
        seen.append('yes')
    finally:
        seen.append('end')
    return seen
"""
    assert program(source).call({"x": "4"}).value == [4, "yes", "end"]
    assert program(source).call({"x": "?"}).value == ["no", "end"]


def test_functions_constants_and_imports_of_the_module_are_bound() -> None:
    source = (
        "import math\nK = 3\ndef f(x):\n    return g(x) + K\ndef g(x):\n    return math.gcd(x, 6)"
    )
    assert program(source).call({"x": 4}).value == 5


def test_a_generator_gives_the_list_of_what_it_yields() -> None:
    assert program("def f(n):\n    for i in range(n):\n        yield i * i\n").call(
        {"n": 3}
    ).value == [0, 1, 4]


def test_starred_parameters_take_a_tuple_and_a_dict() -> None:
    code = program("def f(a, *b, c=1, **d):\n    return a, b, c, d\n")
    outcome = code.call({"a": 1, "*b": (2, 3), "**d": {"e": 5}})
    assert outcome.value == (1, (2, 3), 1, {"e": 5})


def test_a_literal_is_data_and_a_call_is_not() -> None:
    assert literal("[1, {'a': (2,)}]") == [1, {"a": (2,)}]
    with pytest.raises(Unknown):
        literal("dict()")


def test_values_of_different_types_are_not_the_same() -> None:
    assert same([1, {"a": (2.0,)}], [1, {"a": (2.0,)}])
    for left, right in ((1, True), (1, 1.0), (0.0, -0.0), ([1], (1,)), ({1: 2}, {1: 2.0})):
        assert not same(left, right)


def test_what_a_function_cannot_come_to_is_not_bound_for_its_calls() -> None:
    own = "LIMIT = 2\ndef inner(x):\n    return x * LIMIT\ndef f(x):\n    return inner(x)\n"
    others = "".join(f"ROWS{n} = [{n}] * 3\ndef g{n}():\n    return ROWS{n}\n" for n in range(50))
    spent = []
    for text in (own, others + own):
        tree = ast.parse(text)
        function = tree.body[-1]
        assert isinstance(function, ast.FunctionDef)
        made = Program(function, tree)
        assert made.call({"x": 4}).value == 8
        spent.append(made.spent)
    assert spent[0] == spent[1] > 0


def test_what_a_module_changes_after_it_was_bound_counts() -> None:
    tree = ast.parse("T = {}\nT['a'] = 3\ndef f(x):\n    return T['a'] + x\n")
    function = tree.body[-1]
    assert isinstance(function, ast.FunctionDef)
    assert Program(function, tree).call({"x": 1}).value == 4


@pytest.mark.skipif(not CRUXEVAL.is_file(), reason="the shared data is not beside the checkout")
def test_most_real_functions_are_evaluated_and_none_wrongly() -> None:
    right = wrong = total = 0
    for line in CRUXEVAL.read_text().splitlines():
        record = json.loads(line)
        arguments = _arguments(record)
        total += 1
        try:
            outcome = program(record["code"]).call(arguments)
        except Unknown:
            continue
        fits = outcome.error is None and same(outcome.value, literal(record["output"]))
        right, wrong = right + fits, wrong + (not fits)
    assert wrong == 0
    assert right > 0.97 * total


def _arguments(record: dict[str, Any]) -> dict[str, Any]:
    call = ast.parse(f"f({record['input']})", mode="eval").body
    assert isinstance(call, ast.Call)
    tree = ast.parse(record["code"])
    function = next(node for node in tree.body if isinstance(node, ast.FunctionDef))
    names = [argument.arg for argument in function.args.args]
    values = [evaluate(value, {}) for value in call.args]
    found: dict[str, Any] = dict(zip(names, values, strict=False))
    if function.args.vararg:
        found["*" + function.args.vararg.arg] = tuple(values[len(names) :])
    found |= {str(item.arg): evaluate(item.value, {}) for item in call.keywords}
    return found
