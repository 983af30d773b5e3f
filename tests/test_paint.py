"""Weight and colour of reports, and their absence where nobody looks at a terminal."""

from __future__ import annotations

import pytest

from nsdbg.cli.paint import painted, painter


@pytest.mark.parametrize(
    ("terminal", "no_color", "coloured"),
    [(True, None, True), (True, "1", False), (False, None, False)],
)
def test_only_a_terminal_that_wants_colour_gets_it(
    monkeypatch: pytest.MonkeyPatch, terminal: bool, no_color: str | None, coloured: bool
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    if no_color is not None:
        monkeypatch.setenv("NO_COLOR", no_color)
    monkeypatch.setattr("sys.stdout.isatty", lambda: terminal, raising=False)
    assert ("\x1b" in painter()("Where", "title")) is coloured
    assert "Where" in painter()("Where", "title")


def test_a_style_ends_where_its_text_ends() -> None:
    for style in ("title", "name", "dim", "good", "bad"):
        assert painted("x", style).endswith("x\x1b[0m")
