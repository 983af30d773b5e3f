"""The table of operations: each runs, gives its kind, and binds as tightly as it says."""

from __future__ import annotations

import ast
import contextlib
import random

import pytest

from nsdbg.programs.expressions import literal
from nsdbg.programs.kinds import KINDS
from nsdbg.programs.literals import Literals
from nsdbg.programs.operations import CONSUMERS, MUTATIONS, OPERATIONS, PRODUCERS, Operation
from nsdbg.programs.operations.operation import ATOM, ROLES, operations
from nsdbg.programs.scope import Scope

EXPECTED = (IndexError, KeyError, ValueError, ZeroDivisionError, OverflowError, AttributeError)
SCALARS = {"int": int, "str": str, "float": float, "bytes": bytes}


def conforms(value: object, kind: str) -> bool:
    """Say whether a value is of a kind, items and all."""
    if kind == "char":
        return isinstance(value, str) and len(value) == 1
    if kind == "bool":
        return isinstance(value, int)  # `n % 2` serves as a truth value
    if kind in SCALARS:
        return type(value) is SCALARS[kind]
    base, inner = kind.split("[", 1)
    inner = inner[:-1]
    if base == "dict":
        key, item = inner.split(", ", 1)
        return isinstance(value, dict) and all(
            conforms(k, key) and conforms(v, item) for k, v in value.items()
        )
    if base == "tuple" and not inner.endswith(", ..."):
        first, second = inner.split(", ")
        return (
            isinstance(value, tuple)
            and len(value) == 2
            and conforms(value[0], first)
            and conforms(value[1], second)
        )
    item = inner.removesuffix(", ...")
    return type(value).__name__ == base and all(
        conforms(part, item)
        for part in value  # type: ignore[attr-defined]
    )


def values(operation: Operation, draws: int = 16) -> list[object]:
    """Return what an operation gives for literals of its kinds, where it does not raise."""
    scope = Scope(random.Random(operation.template), 0.0)
    found = []
    for number in range(draws):
        scope.literals.brief = number % 2 == 0
        scope.literals.full = operation.needs_filled
        text, _ = operation.fill([literal(scope, param) for param in operation.params])
        with contextlib.suppress(*(EXPECTED if operation.risky else ())):
            module: dict[str, object] = {}
            for name in operation.features:
                if name.startswith(("from ", "import ")):
                    exec(name, module)
            found.append(eval(text, module))
    return found


@pytest.mark.parametrize("result", sorted(PRODUCERS))
def test_each_operation_gives_the_kind_that_the_table_says(result: str) -> None:
    wrong = []
    for operation in set(PRODUCERS[result]):
        given = values(operation)
        assert given or operation.risky, operation
        for value in given:
            if not conforms(value, result):
                wrong.append((operation.template, operation.params, value))
                break
    assert wrong == []


@pytest.mark.parametrize("kind", sorted(MUTATIONS))
def test_changes_in_place_leave_the_kind_as_it_was(kind: str) -> None:
    scope = Scope(random.Random(kind), 0.0)
    literals = scope.literals
    literals.full = True
    for operation in set(MUTATIONS[kind]):
        done = 0
        for _ in range(15):
            module: dict[str, object] = {}
            texts = [literal(scope, param) for param in operation.params[1:]]
            literals.brief = False
            statement, _ = operation.fill([("subject", ATOM), *texts])
            with contextlib.suppress(*(EXPECTED if operation.risky else ())):
                exec(f"subject = {literals.of(kind)}\n{statement}", module)
                done += 1
                assert conforms(module["subject"], kind), (statement, module["subject"])
        assert done or operation.risky, operation


def test_every_kind_can_be_made_and_used() -> None:
    assert set(PRODUCERS) == KINDS
    assert set(CONSUMERS) >= KINDS


def test_holes_take_expressions_of_every_level_and_keep_their_meaning() -> None:
    samples = [
        ("a if b else c", 0), ("a or b", 1), ("a < b", 4), ("a + b", 9), ("-a", 11), ("a", ATOM),
    ]  # fmt: skip
    for operation in {operation.template: operation for operation in OPERATIONS}.values():
        if "width" in operation.params:  # within an f-string the width is always a literal
            continue
        for sample in samples:
            text, level = operation.fill([sample] * len(operation.params))
            bracketed, _ = operation.fill([(f"({sample[0]})", ATOM)] * len(operation.params))
            assert ast.dump(ast.parse(text)) == ast.dump(ast.parse(bracketed)), text
            assert 0 <= level <= ATOM


def test_an_f_string_never_holds_its_own_quotes() -> None:
    (operation,) = operations("str -> str : f'<{{{0}}}>'")
    assert operation.fill([("x.strip('a')", ATOM)]) == ("f\"<{x.strip('a')}>\"", ATOM)
    assert operation.fill([("""x.strip('a"')""", ATOM)]) == ("""x.strip('a"')""", ATOM)


def test_letters_of_a_row_stand_for_every_kind_that_fits() -> None:
    found = operations("list[S] -> S : {0}[0]")
    assert [(made.params, made.result) for made in found] == [
        (("list[int]",), "int"),
        (("list[str]",), "str"),
    ]


def test_a_row_that_does_not_parse_is_refused() -> None:
    with pytest.raises(ValueError, match="does not parse"):
        operations("str to str: {0}")
    with pytest.raises(ValueError, match="no kinds fit"):
        operations("text -> str : {0}")


def test_roles_have_literals_of_their_kind() -> None:
    literals = Literals(random.Random(3))
    for role, kind in ROLES.items():
        for _ in range(30):
            assert conforms(ast.literal_eval(literals.of(role)), kind), role


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_literals_are_of_their_kind(kind: str) -> None:
    literals = Literals(random.Random(kind))
    for number in range(60):
        literals.brief = number % 2 == 0
        value = eval(literals.of(kind))
        assert conforms(value, kind)
