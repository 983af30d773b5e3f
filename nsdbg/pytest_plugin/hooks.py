"""What is registered with --nsdbg: sees tests fail, and adds to their reports.

Whatever goes wrong here becomes a line in the report; a test run is never broken by it.
"""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from nsdbg.errors import NsdbgError
from nsdbg.pytest_plugin.asking import Asking, Order
from nsdbg.pytest_plugin.bounded import TooLate, quietly
from nsdbg.pytest_plugin.summary import LEFT_OUT, SECTION, SPENT_S, text_of

if TYPE_CHECKING:
    from nsdbg.pytest_plugin.taking import Failure
    from nsdbg.settings.known import Given

# A record has a limit of its own, but for values whose `repr` sleeps or waits in C.
TAKING_S = 4.0


class Hooks:
    """The hooks of one process; with xdist each worker has its own, and its own total budget."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._asking = Asking()
        self._root = _root(config)
        self._values: dict[str, Given] | None = None
        self._seen: dict[tuple[object, ...], tuple[str, str]] = {}

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Add to the report of a test that failed, or of a fixture of it."""
        report = yield
        if report.failed and call.excinfo is not None:
            self._add(report, call.excinfo, item)
        return report

    @pytest.hookimpl(tryfirst=True)
    def pytest_exception_interact(self, node: Any, call: pytest.CallInfo[Any], report: Any) -> None:
        """Add to the report of a module that cannot be imported; show all before pdb begins."""
        if isinstance(report, pytest.CollectReport) and call.excinfo is not None:
            self._add(report, call.excinfo, node)
        if self._config.getoption("usepdb", False):
            self._show_now(report)

    def _add(self, report: Any, excinfo: pytest.ExceptionInfo[BaseException], node: Any) -> None:
        before = self._asking.spent_s
        try:
            _stop_the_clock(node)
            text = self._said(report, excinfo, node.nodeid)
        except KeyboardInterrupt:
            # The failure is told all the same, and fixtures are torn down before the run ends.
            text = "nsdbg was interrupted"
            node.session.shouldstop = "Ctrl-C while nsdbg examined a failure"
        # A time limit of another plugin is raised as an outcome, which is no Exception.
        except (Exception, pytest.fail.Exception) as error:
            reason = (
                str(error) if isinstance(error, NsdbgError | ValueError | TooLate) else repr(error)
            )
            text = f"nsdbg could not examine this: {' '.join(reason.split())}"
        if text:
            report.sections.append((SECTION, text))
        if self._asking.spent_s > before:
            setattr(report, SPENT_S, self._asking.spent_s - before)

    def _said(self, report: Any, excinfo: pytest.ExceptionInfo[BaseException], test: str) -> str:
        from nsdbg.pytest_plugin.taking import failure_of

        failure = failure_of(excinfo.value, excinfo.tb, self._root)
        if failure is None:
            return ""
        if failure.key in self._seen:
            first, text = self._seen[failure.key]
            return text if first == test else f"as for {first}:\n{text}"
        left = float(str(self._value("total_budget"))) - self._asking.spent_s
        if left <= 0:
            setattr(report, LEFT_OUT, True)
            return ""
        with self._asking.counted():
            text = self._asking.ask(self._order(failure, test, left))
        if text:
            self._seen[failure.key] = test, text
        return text

    def _order(self, failure: Failure, test: str, left: float) -> Order:
        with quietly(TAKING_S):
            record = failure.record(test)
        return Order(
            record, test, str(self._root), str(self._config.invocation_params.dir),
            min(left, float(str(self._value("budget")))), int(str(self._value("top"))),
            bool(self._value("no_exec")),
        )  # fmt: skip

    def _value(self, name: str) -> Given | None:
        """Return what the command line says, else the settings, else the default.

        Raises SettingsError for a file that is broken.
        """
        given: Given | None = self._config.getoption(f"nsdbg_{name}")
        if given is not None:
            return given
        if self._values is None:
            self._values = _settings(self._config)
        return self._values[name]

    def _show_now(self, report: Any) -> None:
        text = text_of(report)
        terminal = self._config.pluginmanager.get_plugin("terminalreporter")
        capture = self._config.pluginmanager.get_plugin("capturemanager")
        if text and terminal is not None:
            if capture is not None:
                capture.suspend(in_=False)
            terminal.ensure_newline()
            terminal.write_sep("-", SECTION)
            terminal.write_line(text)
            if capture is not None:
                capture.resume()


def _stop_the_clock(node: Any) -> None:
    """Take the time limit of pytest-timeout off a test, as it does itself after a failure."""
    cancel = getattr(node.ihook, "pytest_timeout_cancel_timer", None)
    if cancel is not None and isinstance(node, pytest.Item):
        cancel(item=node)


def _root(config: pytest.Config) -> Path:
    """Return the project's folder; one that holds everything is none."""
    root = config.rootpath
    everything = (Path(root.anchor), Path.home())
    return config.invocation_params.dir if root in everything else root


def _settings(config: pytest.Config) -> dict[str, Given]:
    from nsdbg.settings.force import load
    from nsdbg.settings.known import Known
    from nsdbg.settings.plugin import PYTEST

    settings = load(config.rootpath, Known({("pytest",): lambda: PYTEST}, whole=False))
    return {
        one.option.parameter: one.value
        for one in settings.of(("pytest",))
        if one.value is not None
    }  # fmt: skip
