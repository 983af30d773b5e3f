"""Text is measured, cut and wrapped by the columns that it takes on a terminal."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from made_findings import crash

from nsdbg.finding import Findings
from nsdbg.report.columns import WIDTH, cut, width, wrapped
from nsdbg.report.escape import plain
from nsdbg.report.formats.text import findings_text

letters = st.text("ab :\u5927\uff21\u0301\U0001f600\u05d0", max_size=60)


@pytest.mark.parametrize(
    ("text", "columns"),
    [("abc", 3), ("大きさ", 6), ("e\u0301", 1), ("😀", 2), ("שלום", 4), ("", 0)],
)
def test_wide_characters_take_two_columns_and_marks_none(text: str, columns: int) -> None:
    assert width(text) == columns


@given(letters, st.integers(3, 20))
def test_what_is_cut_fits(text: str, columns: int) -> None:
    shown = cut(text, columns)
    assert width(shown) <= columns
    assert shown == text or (shown.endswith("...") and text.startswith(shown[:-3]))


def test_a_cut_never_stands_within_a_wide_character() -> None:
    assert cut("大きさ大きさ", 10) == "大きさ..."
    assert cut("大きさ大きさ", 12) == "大きさ大きさ"


@given(letters)
@example("\u0301" * 5)
def test_lines_hold_all_of_a_text_and_fit_unless_a_word_does_not(text: str) -> None:
    lines = wrapped(plain(text * 3), "- ")
    assert lines[0].startswith("- ")
    assert all(line.startswith("  ") for line in lines[1:])
    assert "".join("".join(line[2:] for line in lines).split()).replace(":", "") == (
        "".join(plain(text * 3).split()).replace(":", "")
    )
    # A pile of marks is spelled out, so that its word may be wide though it takes no column.
    narrow = all(width(word) < WIDTH - 2 for word in plain(text * 3).split())
    assert not narrow or all(width(line) <= WIDTH + 1 for line in lines)


def test_words_stay_whole_and_wide_characters_are_parted_anywhere() -> None:
    assert wrapped("x" * 90 + " y", "  ", "    ") == ["  " + "x" * 90, "    y"]
    assert wrapped("大" * 45) == ["大" * 40, "大" * 5]


def test_no_line_begins_with_a_command() -> None:
    assert wrapped("word " * 15 + "::error::x")[1] == ": :error::x"


def test_a_report_of_wide_text_fits_a_terminal() -> None:
    one = replace(crash(), message="大きさ" * 60, before="全角 " * 60, evidence="ＡＢ" * 60)
    sources = (("src/rows.py", "x = '大きさ'\n" * 12 + f"y = '{'大' * 90}'\nreturn cells[0]\n"),)
    text = findings_text(Findings((one,), sources=sources))
    assert max(map(width, text.splitlines())) <= WIDTH
