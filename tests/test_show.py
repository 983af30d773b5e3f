"""Weight and colour of reports, and their absence where nobody looks at a terminal."""

from __future__ import annotations

import pytest

from nsdbg.cli.show import show, style_of


@pytest.mark.parametrize(
    ("line", "style"),
    [
        ("Suspects, likely first", "bold"),
        ("  > 13 | return price * item.quantity", "bold"),
        ("       |        ^^^^^~~~~~", "red"),
        ("  confirmed by 2 runs on Python 3.11.7", "green"),
        ("    13 | a = b | c", ""),
        ("  1. shop/catalog.py:18  0.38", ""),
        ("", ""),
    ],
)
def test_lines_have_the_style_of_what_they_are(line: str, style: str) -> None:
    assert style_of(line) == style


class Terminal:
    """A stdout that says it is a terminal."""

    encoding = "utf-8"

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> int:
        self.text += text
        return len(text)

    def flush(self) -> None: ...

    def isatty(self) -> bool:
        return True


def shown(text: str, monkeypatch: pytest.MonkeyPatch, **environment: str) -> str:
    terminal = Terminal()
    monkeypatch.setattr("sys.stdout", terminal)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    show(text)
    return terminal.text


def test_a_terminal_gets_bold_headings(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown("Where\n  a", monkeypatch) == "\x1b[1mWhere\x1b[0m\n  a\n"


def test_markup_and_emoji_codes_of_foreign_text_stay_text(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "[red]:bug:[/red]" in shown("  [red]:bug:[/red]", monkeypatch)


def test_no_color_has_no_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b[3" not in shown("  confirmed by 2 runs", monkeypatch, NO_COLOR="1")


def test_a_long_line_is_not_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown("  " + "x" * 300, monkeypatch, COLUMNS="80").count("\n") == 1


def test_a_pipe_gets_plain_text(capsys: pytest.CaptureFixture[str]) -> None:
    show("Where\n  a")
    assert capsys.readouterr().out == "Where\n  a\n"
