"""Weight and colour of reports, and their absence where nobody looks at a terminal."""

from __future__ import annotations

import pytest

from nsdbg.cli.paint import painted, painter


@pytest.mark.parametrize(
    ("terminal", "said", "coloured"),
    [
        (True, {}, True),
        (True, {"NO_COLOR": "1"}, False),
        (True, {"TERM": "dumb"}, False),
        (False, {}, False),
        (False, {"FORCE_COLOR": "1"}, True),
        (False, {"FORCE_COLOR": "0"}, False),
        (False, {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    ],
)  # fmt: skip
def test_only_a_terminal_that_wants_colour_gets_it_or_who_asks(
    monkeypatch: pytest.MonkeyPatch, terminal: bool, said: dict[str, str], coloured: bool
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in said.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.stdout.isatty", lambda: terminal, raising=False)
    assert ("\x1b" in painter()("Where", "title")) is coloured
    assert "Where" in painter()("Where", "title")


def test_a_style_ends_where_its_text_ends() -> None:
    for style in ("title", "name", "dim", "good", "bad"):
        assert painted("x", style).endswith("x\x1b[0m")
