"""Line differences: what is added, and where something was taken away."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nsdbg.changes.diff import changed_lines, lines_of, same_lines

TEXTS = st.lists(st.sampled_from(["a", "b", "c", ""]), max_size=12)


def test_lines_are_followed_through_an_insertion() -> None:
    assert same_lines(["a", "b", "c"], ["a", "new", "b", "c"]) == {1: 1, 3: 2, 4: 3}


@pytest.mark.parametrize(
    ("old", "new", "lines"),
    [
        ("abc", "abc", set()),
        ("abc", "axbc", {2}),
        ("abc", "axc", {2}),
        ("abc", "ac", {2}),
        ("abc", "ab", {2}),
        ("abc", "bc", {1}),
        ("", "ab", {1, 2}),
        ("ab", "", set()),
        ("abcdef", "xbcef", {1, 4}),
    ],
)
def test_added_and_changed_lines_and_what_took_the_place_of_others(
    old: str, new: str, lines: set[int]
) -> None:
    assert changed_lines(list(old), list(new)) == lines


@given(TEXTS, TEXTS)
def test_lines_said_to_be_the_same_are_equal_and_in_order(old: list[str], new: list[str]) -> None:
    same = same_lines(old, new)
    assert all(new[number - 1] == old[other - 1] for number, other in same.items())
    assert list(same) == sorted(same)
    assert list(same.values()) == sorted(set(same.values()))


@given(TEXTS, TEXTS)
def test_a_line_is_the_same_or_changed_and_something_changed_unless_all_is_equal(
    old: list[str], new: list[str]
) -> None:
    changed = changed_lines(old, new)
    assert set(range(1, len(new) + 1)) - changed <= same_lines(old, new).keys()
    assert bool(changed) == (old != new and bool(new))


def test_a_form_feed_ends_no_line_and_every_line_end_counts_once() -> None:
    assert lines_of("a\x0cb\r\nc\rd\n\u2028e") == ["a\x0cb", "c", "d", "\u2028e"]


def test_long_texts_of_equal_lines_are_compared_in_time() -> None:
    old = ["pass", *["", "return None"] * 6000, "x"]
    new = ["", *["return None", "", "pass"] * 4000, "y"]
    started = time.process_time()
    assert len(changed_lines(old, new)) >= 2
    assert time.process_time() - started < 5
