"""Comments that ignore: where they stand, what they are about, and which nobody needs."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nsdbg.finding import Finding, Place, Rule, Step
from nsdbg.gate.comments import read_ignores
from nsdbg.gate.suppress import Suppressions

SOURCE = '''\
def f(x):
    y = x[0]  # nsdbg: ignore[new-crash] callers check
    text = "# nsdbg: ignore[new-crash] in a string"
    z = """
    # nsdbg: ignore[new-crash]
    """ + x[1]  # nsdbg: ignore[logged-crash, failed-test] both; # noqa
    w = 1 + \\
        x[2]  # nsdbg:ignore[new-crash]
    return (y,
            x[3],  # nsdbg: ignore[new-crash] this one
            z)
'''


def rules_at(text: str, lineno: int) -> list[Rule]:
    return [rule for one in read_ignores(text).at(lineno) for rule in one.rules]


@pytest.mark.parametrize(
    ("lineno", "wanted"),
    [
        (1, []),
        (2, [Rule.NEW_CRASH]),
        (3, []),
        (4, [Rule.LOGGED_CRASH, Rule.FAILED_TEST]),
        (5, [Rule.LOGGED_CRASH, Rule.FAILED_TEST]),
        (6, [Rule.LOGGED_CRASH, Rule.FAILED_TEST]),
        (7, [Rule.NEW_CRASH]),
        (8, [Rule.NEW_CRASH]),
        (9, []),
        (10, [Rule.NEW_CRASH]),
        (11, []),
    ],
)
def test_a_comment_is_about_its_line_and_those_that_can_hold_none(
    lineno: int, wanted: list[Rule]
) -> None:
    assert rules_at(SOURCE, lineno) == wanted


def test_the_reason_ends_where_another_comment_begins() -> None:
    reasons = [one.reason for one in read_ignores(SOURCE).comments]
    assert reasons == ["callers check", "both;", "", "this one"]


@pytest.mark.parametrize(
    ("comment", "problems"),
    [
        ("# nsdbg: ignore[new-crash] why", []),
        ("# noqa  # nsdbg: ignore[new-crash] why", []),
        ("# nsdbg: ignore", ["names no rule, so nothing is ignored; "
                             "write `# nsdbg: ignore[new-crash] why`"]),
        ("# nsdbg: ignore why not", ["names no rule, so nothing is ignored; "
                                     "write `# nsdbg: ignore[new-crash] why`"]),
        ("# nsdbg: ignore[new-crsh] why", ["names 'new-crsh', which is no rule; "
                                           "did you mean new-crash?"]),
        ("# nsdbg: ignore[xyz] why", ["names 'xyz', which is no rule; "
                                      "there are new-crash, logged-crash, failed-test"]),
        ("# nsdbg: ignore[raw-hallucination] why", [
            "cannot ignore raw-hallucination: only new-crash, logged-crash, failed-test belong to "
            "a line"]),
        ("# nsdbg: ignore[new-crash]", ["does not say why; write the reason behind the brackets"]),
        ("# nsdbg: ignored by all", []),
        ("# about nsdbg: nothing", []),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_comment_is_said(comment: str, problems: list[str]) -> None:
    found = read_ignores(f"x = 1  {comment}\n").comments
    assert [said for one in found for said in one.problems] == problems


def test_of_several_rules_the_known_ones_count() -> None:
    [one] = read_ignores("x  # nsdbg: ignore[new-crash,nothing, logged-crash] why\n").comments
    assert one.rules == (Rule.NEW_CRASH, Rule.LOGGED_CRASH)


def test_comments_before_an_error_of_syntax_are_read() -> None:
    text = "x = 1  # nsdbg: ignore[new-crash] why\n  y = (\n"
    assert rules_at(text, 1) == [Rule.NEW_CRASH]


@given(st.text(st.sampled_from("#nsdbg: ignore[new-crash]\"'\\\n()x")))
def test_no_text_makes_reading_fail(text: str) -> None:
    found = read_ignores("# nsdbg: ignore[new-crash] why\n" + text)
    assert found.comments[0].rules == (Rule.NEW_CRASH,)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop/rows.py").write_text(SOURCE)
    return tmp_path


def found_at(
    lineno: int, rule: Rule = Rule.NEW_CRASH, file: str = "shop/rows.py", raised: int | None = None
) -> Finding:
    path = (Step(Place(file, raised, "", "f"), "exception"),) if raised is not None else ()
    return Finding(rule, "raises", "0" * 16, Place(file, lineno, "", "f"), path=path)


def test_a_finding_on_the_line_of_a_comment_for_its_rule_is_silent(tree: Path) -> None:
    comments = Suppressions(tree)
    assert comments.silences(found_at(2))
    assert not comments.silences(found_at(2, Rule.LOGGED_CRASH))
    assert not comments.silences(found_at(3))
    assert not comments.silences(found_at(2, file="shop/none.py"))
    assert not comments.silences(found_at(2, file="../outside.py"))


def test_the_line_that_raised_counts_as_well_as_the_likeliest(tree: Path) -> None:
    assert Suppressions(tree).silences(found_at(1, Rule.LOGGED_CRASH, raised=6))


def test_a_comment_that_silenced_nothing_is_told_where_it_was_checked(tree: Path) -> None:
    comments = Suppressions(tree)
    comments.silences(found_at(2))
    comments.look_into(["shop/rows.py"])
    found = list(comments.unneeded(lambda rule, place: rule is Rule.NEW_CRASH))
    assert [(one.rule, one.place.lineno) for one in found if one.place] == [
        (Rule.UNUSED_IGNORE, 8), (Rule.UNUSED_IGNORE, 10),
    ]  # fmt: skip
    assert found[1].message == (
        "`nsdbg: ignore[new-crash]` at shop/rows.py:10 is not needed: no new-crash was found there"
    )
    assert list(comments.unneeded(lambda rule, place: False)) == []


def test_who_checked_is_asked_with_the_function(tree: Path) -> None:
    asked: set[tuple[Rule, str | None]] = set()

    def checked(rule: Rule, place: Place) -> bool:
        asked.add((rule, place.function))
        return False

    comments = Suppressions(tree)
    comments.look_into(["shop/rows.py"])
    assert list(comments.unneeded(checked)) == []
    assert asked == {
        (Rule.NEW_CRASH, "f"), (Rule.LOGGED_CRASH, "f"), (Rule.FAILED_TEST, "f")
    }  # fmt: skip


def test_notes_name_the_line(tree: Path) -> None:
    comments = Suppressions(tree)
    comments.look_into(["shop/rows.py"])
    assert list(comments.notes()) == [
        "shop/rows.py:8: `nsdbg: ignore` does not say why; write the reason behind the brackets"
    ]
