"""Objects written as expressions, and values made, changed and written."""

from __future__ import annotations

import ast
import random
import textwrap
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nsdbg.propose.guess.kinds import INT, STR, Kind, fits
from nsdbg.propose.make.continuation import continued, rising
from nsdbg.propose.make.edits import list_edits, text_edits
from nsdbg.propose.make.generate import Generator
from nsdbg.propose.make.material import Material, variants
from nsdbg.propose.make.mutate import Mutator, at, leaves, replaced
from nsdbg.propose.make.recipes import Recipe, Recipes, imports_of
from nsdbg.propose.search.writing import written

SHOP = textwrap.dedent(
    """
    import datetime
    from dataclasses import dataclass, field
    from enum import Enum
    from typing import List, NamedTuple, Optional

    class Colour(Enum):
        RED = 1
        BLUE = 2

    class Size(NamedTuple):
        wide: int
        high: int = 1

    @dataclass
    class Item:
        name: str
        colour: Colour
        size: Size
        tags: List[str] = field(default_factory=list)
        made: Optional[datetime.date] = None

    class Order:
        def __init__(self, items: List[Item], *, rate: float = 1.0):
            self.items = items

    class Node:
        def __init__(self, val=0, left=None, right=None):
            self.val, self.left, self.right = val, left, right
    """
)


def generator(seed: int = 0, source: str = SHOP) -> Generator:
    return Generator(random.Random(seed), Material(), Recipes(ast.parse(source)))


@pytest.mark.parametrize("name", ["Colour", "Size", "Item", "Order", "Node"])
def test_instances_of_the_modules_classes_can_be_built(name: str) -> None:
    names: dict[str, Any] = {"__name__": "shop"}
    exec(compile(SHOP, "shop.py", "exec", dont_inherit=True), names)
    for seed in range(30):
        made = generator(seed).make(Kind(f"object:{name}"), 3)
        for statement in imports_of(made):
            exec(statement, names)
        assert type(eval(written(made), names)).__name__ == name


@pytest.mark.parametrize("name", ["datetime", "date", "timedelta", "Decimal", "Path", "UUID"])
def test_classes_of_the_standard_library_are_written_with_their_import(name: str) -> None:
    made = generator().make(Kind(f"object:{name}"), 3)
    names: dict[str, Any] = {}
    for statement in imports_of(made):
        exec(statement, names)
    if not list(imports_of(made)):
        exec("import datetime", names)  # as the module under test does
    assert name in [kind.__name__ for kind in type(eval(written(made), names)).__mro__]


def test_a_module_that_binds_the_name_otherwise_is_left_alone() -> None:
    source = "from datetime import datetime\n"
    made = generator(source=source).make(Kind("object:date"), 3)
    assert written(made).startswith("__import__('datetime').date(")
    made = generator(source=source).make(Kind("object:datetime"), 3)
    assert written(made).startswith("datetime(")
    assert list(imports_of(made)) == []


def test_a_duck_has_the_attributes_that_are_used() -> None:
    made = generator().make(Kind("namespace:name,price", (STR, INT)), 3)
    names: dict[str, Any] = {}
    exec("import types", names)
    duck = eval(written([made]), names)[0]
    assert isinstance(duck.name, str)
    assert isinstance(duck.price, int)


def test_recipes_can_be_seen_into_and_changed() -> None:
    order = Recipe("Order", (("items", [Recipe("Item", (("name", "a"), ("n", 3)))]),))
    assert list(leaves(order)) == [((0, 0, 0), "a"), ((0, 0, 1), 3)]
    assert at(order, (0, 0, 1)) == 3
    assert repr(replaced(order, (0, 0, 1), 4)) == "Order(items=[Item(name='a', n=4)])"
    assert repr(order) == "Order(items=[Item(name='a', n=3)])"


KINDS = [
    INT, STR, Kind("list", (INT,)), Kind("dict", (STR, Kind("list", (INT,)))), Kind("set", (STR,)),
    Kind("tuple", (INT, STR)), Kind("row", (INT,)), Kind("bytes"), Kind("float"), Kind("bool"),
]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_made_values_are_of_their_kind_and_can_be_written(kind: Kind) -> None:
    maker = generator(3)
    for size in range(40):
        value = maker.make(kind, size % 8)
        assert fits(value, kind)
        assert eval(written(value)) == value


@given(st.integers(0, 10_000))
def test_a_change_keeps_the_type(seed: int) -> None:
    maker = generator(seed)
    value = maker.make(KINDS[seed % len(KINDS)], 5)
    assert type(Mutator(maker).mutate(value)) is type(value)


@given(st.recursive(st.integers() | st.text(max_size=5) | st.floats(), st.lists, max_leaves=6))
def test_what_is_written_gives_the_value_back(value: Any) -> None:
    assert repr(eval(written(value))) == repr(value)


def test_long_sequences_are_written_as_repetitions() -> None:
    assert written([1] * 5000 + [2]) == "[1] * 5000 + [2]"
    assert written("ab" + "c" * 900) == "'a' + 'b' + 'c' * 900"
    assert written([1, 2, 3]) == "[1, 2, 3]"


def test_lists_go_on_as_they_began() -> None:
    assert [8] in list(continued([2, 4, 6]))
    assert [10] in list(continued([0, 1, 3, 6]))
    assert any(more[:3] == [10, 15, 21] for more in continued([0, 1, 3, 6]))
    assert rising("b", 3) == ["b0", "b1", "b2"]
    assert rising(4, 2) == [5, 6]


def test_conversions_offer_what_a_result_may_come_from() -> None:
    assert ["a", "b"] in list(variants("a,b"))
    assert "ab" in list(variants(["a", "b"]))
    assert {1: "x"} in list(variants({"x": 1}))
    assert 12 in list(variants("no 12"))
    assert {1: "x", 2: "y"} in list(variants("(1, 'x') (2, 'y')"))


def test_edits_are_single_steps() -> None:
    maker = generator()
    assert all(len(text) <= 8 for text in list(text_edits("abcd", maker))[:20])
    assert [3, 2, 1] in list(list_edits([1, 2, 3], maker, fixed=True))
