"""The end of a run: sections that pytest would not show at the failures, and what was left out.

With xdist it runs where the reports of all processes meet.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

SECTION = "nsdbg"
# On a report that was left out: what a report has goes with it from one process to another.
LEFT_OUT = "nsdbg_left_out"
SPENT_S = "nsdbg_spent_s"


def text_of(report: Any) -> str:
    """Return what the section of a report says; "" when it has none."""
    sections = getattr(report, "sections", ())
    return "\n".join(content for name, content in sections if name == SECTION)


class Taking:
    """Takes our sections from the reports before pytest shows them, where it may show none.

    What --tb=line shows differs with pytest's version, and for tests and fixtures.
    """

    def __init__(self) -> None:
        self.taken: list[tuple[str, str]] = []

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_terminal_summary(
        self, terminalreporter: Any, config: pytest.Config
    ) -> Generator[None, None, None]:
        """Take them, and let pytest go on."""
        if _may_hide(config):
            for one in _failed(terminalreporter):
                if text := text_of(one):
                    self.taken.append((one.nodeid, text))
                    one.sections = [each for each in one.sections if each[0] != SECTION]
        return (yield)


class Telling:
    """Shows what was taken, behind the failures and before pytest's short summary."""

    def __init__(self, taking: Taking) -> None:
        self._taking = taking

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Show it, and say what it took and how many failures were not examined."""
        if self._taking.taken:
            terminalreporter.section(SECTION)
        for test, text in self._taking.taken:
            terminalreporter.write_line(test, bold=True)
            terminalreporter.write_line(text)
        took = _took(terminalreporter)
        if took:
            terminalreporter.write_line(took)


def _took(terminalreporter: Any) -> str:
    """Say how many failures were examined and how long that took, "" where there were none."""
    # A failure that was tried again is no failure for pytest, but took its time.
    reports = [one for group in terminalreporter.stats.values() for one in group]
    spent = [getattr(one, SPENT_S) for one in reports if hasattr(one, SPENT_S)]
    left = sum(getattr(one, LEFT_OUT, False) for one in _failed(terminalreporter))
    if not spent:
        return ""
    failures = "1 failure was" if len(spent) == 1 else f"{len(spent)} failures were"
    told = f"nsdbg: {failures} examined in {sum(spent):.1f} s"
    why = "the time for all was spent (--nsdbg-total-budget)"
    return f"{told}; {left} more {'was' if left == 1 else 'were'} not: {why}" if left else told


def _failed(terminalreporter: Any) -> list[Any]:
    return [one for name in ("failed", "error") for one in terminalreporter.stats.get(name, ())]


def _may_hide(config: pytest.Config) -> bool:
    shown = config.getoption("showcapture", "all")
    style = config.getoption("tbstyle", "auto")
    return style in ("no", "line") or (shown != "all" and shown not in SECTION)
