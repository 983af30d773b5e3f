"""The pytest plugin: with `pytest --nsdbg` a failing test's report gains the lines at fault.

Idle without the option: this module imports pytest alone.  `hooks` and `summary` have what is
registered then, `taking` makes a record of a living exception, `asking` has it examined by a
process, `answering` is what that does.  The code under test runs in the guard only, never here.

PYTEST_DONT_REWRITE, since no assertion of a test is in this module.
"""

from __future__ import annotations

import argparse

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options; where none is given, [tool.nsdbg.pytest] is asked, and the default."""
    group = parser.getgroup("nsdbg", "nsdbg: the lines at fault for a failing test")
    group.addoption(
        "--nsdbg", action="store_true",
        help="Add to a failing test's report the lines at fault, ranked, and the smallest input "
        "that was confirmed to fail alike, by runs under guard.",
    )  # fmt: skip
    group.addoption(
        "--nsdbg-budget", type=_positive, metavar="SECONDS",
        help="Seconds for one failure (default: 5).",
    )  # fmt: skip
    group.addoption(
        "--nsdbg-total-budget", type=_positive, metavar="SECONDS",
        help="Seconds for all failures of a process; further ones are not examined (default: 60).",
    )  # fmt: skip
    group.addoption(
        "--nsdbg-top", type=_count, metavar="N", help="Show this many lines (default: 3)."
    )  # fmt: skip
    group.addoption(
        "--nsdbg-no-exec", action="store_true", default=None,
        help="Run nothing: rank by reading alone.",
    )  # fmt: skip


def pytest_configure(config: pytest.Config) -> None:
    """Go to work where that was asked for."""
    if config.getoption("nsdbg"):
        from nsdbg.pytest_plugin.hooks import Hooks
        from nsdbg.pytest_plugin.summary import Taking, Telling

        taking = Taking()
        for plugin in (Hooks(config), taking, Telling(taking)):
            config.pluginmanager.register(plugin)


def _positive(text: str) -> float:
    number = float(text)
    if not 0.1 <= number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is no number of seconds, 0.1 or more")
    return number


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is less than 1")
    return number
