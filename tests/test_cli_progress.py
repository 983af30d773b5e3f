"""The line of progress of commands that may take long."""

from __future__ import annotations

import sys
import time

import pytest

from nsdbg.cli.progress import AFTER_S, Progress

Captured = pytest.CaptureFixture[str]


def test_each_line_is_written_over_the_last_one_and_wiped_away(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    line = Progress()
    line.tell("calling \x1b[1m")
    line.tell("x" * 200)
    line.end()
    _, first, second, *rest = capsys.readouterr().err.split("\r")
    assert first == r"calling \x1b[1m".ljust(78)
    assert second == "x" * 75 + "..."
    assert rest == [" " * 78, ""]


def test_nothing_is_shown_of_what_is_done_soon(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    line = Progress(time.perf_counter())
    line.tell("soon")
    line.end()
    assert capsys.readouterr().err == ""
    Progress(time.perf_counter() - AFTER_S).tell("late")
    assert capsys.readouterr().err == "\r" + "late".ljust(78)


def test_nothing_is_shown_where_nobody_looks(capsys: Captured) -> None:
    line = Progress()
    line.tell("a")
    line.end()
    assert capsys.readouterr().err == ""
