"""Foreign text stays text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nsdbg.report.escape import REDACTED, is_secret, plain, plain_lines, redacted, without_secrets


@given(st.text())
def test_what_is_shown_never_contains_a_control_character(text: str) -> None:
    shown = plain(text)
    assert all(character.isprintable() for character in shown)


@given(st.text(alphabet=":#[vso] \n\tx"))
def test_no_line_is_a_workflow_command(text: str) -> None:
    shown = plain(text)
    assert not shown.lstrip().startswith("::")
    assert "##[" not in shown
    assert "##vso[" not in shown


def test_escape_codes_and_overrides_are_spelled_out() -> None:
    assert plain("\x1b[31mred\x07") == "\\x1b[31mred\\x07"
    assert plain("a\u202eb") == "a\\u202eb"
    assert plain("two\nlines") == "two\\nlines"
    assert plain("half \ud800") == "half \\ud800"


def test_what_cannot_be_seen_or_covers_what_is_around_it_is_spelled_out() -> None:
    assert plain("a\u3164\u2800b\ufe0f") == "a\\u3164\\u2800b\\ufe0f"
    assert plain("e\u0301\u0301\u0301!") == "e\\u0301\\u0301\\u0301!"
    assert plain("e\u0301 \U0001f600") == "e\u0301 \U0001f600"


def test_letters_of_all_scripts_and_rich_markup_stay_as_they_are() -> None:
    assert plain("größe 大きさ [bold]x[/bold]") == "größe 大きさ [bold]x[/bold]"


def test_a_function_of_a_file_keeps_its_colons() -> None:
    assert plain("shop/orders.py::total") == "shop/orders.py::total"
    assert plain("::error::owned") == ": :error::owned"
    assert plain("  ::add-mask::x") == "  : :add-mask::x"


def test_a_long_text_is_cut_with_a_mark() -> None:
    assert plain("x" * 50, limit=10) == "xxxxxxx..."
    assert plain("x" * 10, limit=10) == "x" * 10


def test_lines_are_made_harmless_one_by_one() -> None:
    assert plain_lines("\ta\n::b") == ["    a", ": :b"]


@pytest.mark.parametrize(
    "name", ["password", "db_passwd", "API_KEY", "apikey", "access_token", "client_secret", "auth"]
)
def test_a_local_with_the_name_of_a_secret_is_not_shown(name: str) -> None:
    assert redacted(name, "'hunter2'") == REDACTED


@pytest.mark.parametrize("name", ["author", "compass", "keys", "total", "passed"])
def test_an_ordinary_name_is_shown(name: str) -> None:
    assert redacted(name, "'x'") == "'x'"


def test_a_value_that_looks_like_a_secret_is_not_shown_whatever_its_name() -> None:
    assert is_secret("url", "'postgres://app:s3cret@db/main'")
    assert is_secret("h", "'Bearer abcdefghijklmnopqrstuvwxyz'")
    assert without_secrets("dial postgres://app:s3cret@db") == f"dial postgres{REDACTED}db"


def test_an_empty_secret_is_shown_since_its_absence_is_the_news() -> None:
    assert redacted("password", "None") == "None"
    assert redacted("token", "''") == "''"
