"""Distances between values: zero for equals, smaller for what is nearer."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from nsdbg.verify.child.distance import member_gap, order_gap, squash, text_gap, value_gap
from nsdbg.verify.child.gaps import OPERATORS, comparison_gap, literal_text, predicate_gap

SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.binary(max_size=4)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(VALUES)
def test_a_value_is_at_no_distance_from_itself(value: object) -> None:
    assert value_gap(value, value) == 0.0
    assert value_gap(value, value, True) == 0.0


@given(VALUES, VALUES)
def test_only_equal_values_are_at_no_distance(one: object, other: object) -> None:
    assert value_gap(one, other) >= 0.0
    if one != other:
        assert value_gap(one, other) > 0.0


@given(st.floats(min_value=0, allow_nan=False), st.floats(min_value=0, allow_nan=False))
def test_squashing_keeps_the_order_and_stays_at_or_below_one(one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert 0.0 <= squash(low) <= squash(high) <= 1.0


def test_squashing_tells_large_distances_apart() -> None:
    assert squash(1e18) < squash(2e18) < squash(math.inf) == 1.0


def test_kinds_differ_where_equality_is_strict() -> None:
    assert value_gap(1, True) == 0.0
    assert value_gap(1, True, True) == 0.5
    assert value_gap([1.0], [1], True) > 0.0


def test_one_edit_of_a_text_is_about_one() -> None:
    assert text_gap("kitchen", "kitchens") == 1.0
    assert text_gap("xabcdef", "abcdef") == 1.0
    assert 0.5 < text_gap("abc", "abd") < text_gap("abc", "ab\u00e9") < 1.0


def test_a_list_with_one_wrong_element_is_nearer_than_one_with_two() -> None:
    wanted = [1, 2, 3, 4]
    assert value_gap([1, 2, 3, 9], wanted) < value_gap([1, 2, 9, 9], wanted)
    assert value_gap([0, 1, 2, 3, 4], wanted) == 1.0
    assert value_gap((1, 2, 3, 4), wanted) > value_gap([], wanted)


def test_huge_integers_have_a_distance() -> None:
    assert value_gap(10**400, 10**400 + 7) == 7.0
    assert value_gap(10**400, 1) == value_gap(10**399, 1) > 1e300


def test_order_looks_at_the_first_difference() -> None:
    assert order_gap(3, 10) == 7.0
    assert order_gap("b", "d") == 2.0
    assert order_gap([1, 5], [1, 7]) == squash(2.0)


def test_membership_counts_what_is_missing() -> None:
    assert member_gap("lot", "a long line") == 1.0
    assert member_gap(12, range(10)) == 3.0
    assert member_gap(5, [1, 9]) == 4.0


@given(st.integers(-50, 50), st.integers(-50, 50))
def test_a_comparison_is_never_at_no_distance_from_its_opposite(left: int, right: int) -> None:
    for name in ("Eq", "NotEq", "Lt", "LtE", "Gt", "GtE"):
        result = OPERATORS[name](left, right)
        assert comparison_gap(name, left, right, result) > 0.0


def test_the_nearer_operands_make_the_smaller_gap() -> None:
    assert comparison_gap("Lt", 9, 5, False) > comparison_gap("Lt", 6, 5, False)
    assert comparison_gap("Eq", [1, 2, 3], [1, 2, 4], False) < 1.0
    assert comparison_gap("Eq", [0, 0, 0], [9, 9, 9], False) > 1.5
    assert comparison_gap("#Eq", 3, 10, False) == 7.0
    assert comparison_gap("Eq", 3, 10, False) < 1.0


def test_predicates_count_the_characters_that_speak_against_them() -> None:
    assert predicate_gap("isdigit", "12a4b", ()) == 2.0
    assert predicate_gap("startswith", "abx", ("abc",)) < predicate_gap(
        "startswith", "xyz", ("abc",)
    )


def test_only_small_values_of_builtin_types_are_told() -> None:
    assert literal_text({"a": [1, (2.5, None)]}) == "{'a': [1, (2.5, None)]}"
    assert literal_text(object()) is None
    assert literal_text([object()]) is None
    assert literal_text(list(range(1000))) is None
