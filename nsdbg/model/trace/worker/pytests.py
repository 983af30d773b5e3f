"""A project's own test suite, run by its pytest: the project's functions are recorded meanwhile.

The one item is what pytest is given.  Not recorded: what tests start in other processes and
threads.  A `repr` of the project's own has no time limit here: the alarm is the suite's.
"""

from __future__ import annotations

import importlib.util
import io
import os
import sys

from nsdbg.model.trace.worker.collecting import Collector
from nsdbg.model.trace.worker.packages import Roots, read_file
from nsdbg.verify.child import values
from nsdbg.verify.child.paths import real_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

# What pytest returns when tests ran, whether or not they passed, and when it found none.
_TOLD = {0: "", 1: "", 5: "pytest found no test"}


def work(job: dict[str, Any], write: Callable[[str], None]) -> None:
    """Run the tests of a job in the current folder, which is the project's."""
    import pytest

    values.ALARM = _Untimed()  # type: ignore[assignment, attr-defined]
    root = real_path(os.getcwd())
    sys.path.insert(0, root)

    def label(file: str) -> str:
        path = real_path(file)
        return os.path.relpath(path, root) if path.startswith(root) else path

    collector = Collector(write, Roots([root + "/"]), read_file, label, job["most"])
    for number, path in job["items"]:
        collector.begin(number)
        options = [path, "-q", "-p", "no:cacheprovider", "--continue-on-collection-errors"]
        if importlib.util.find_spec("xdist") is not None:
            options.append("-n0")  # its workers are other processes
        status = int(pytest.main(options, plugins=[_plugin(collector, job)]))
        told = _TOLD.get(status, f"pytest ended with status {status}")
        if told:
            collector.leave_out(told)
        collector.end()


class _Untimed:
    """Stands in for the alarm, which belongs to the test suite."""

    def tighten(self, seconds: float) -> None:
        """Begin no deadline."""

    def loosen(self) -> None:
        """End none."""


class _Tee(io.StringIO):
    """Standard output as it is, of which the recorder sees what is written."""

    def __init__(self, stream: Any) -> None:
        super().__init__()
        self._stream = stream

    def write(self, text: str) -> int:
        self._stream.write(text)
        return super().write(text)

    def flush(self) -> None:
        self._stream.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _plugin(collector: Collector, job: dict[str, Any]) -> Any:
    import pytest

    class Plugin:
        """Records while a test is called; fixtures are not recorded."""

        def pytest_collectreport(self, report: Any) -> None:
            if report.failed:
                why = report.longreprtext.strip().rpartition("\n")[2]
                collector.leave_out(f"test file that pytest cannot collect ({why[:100]})")

        @pytest.hookimpl(hookwrapper=True)
        def pytest_runtest_call(self, item: Any) -> Iterator[None]:
            former = sys.stdout, sys.gettrace()
            sys.stdout = _Tee(sys.stdout)
            collector.recorder.start()
            try:
                yield
            finally:
                collector.recorder.stop()
                sys.stdout = former[0]
                sys.settrace(former[1])
            collector.hand_over("pytest", job["package"], job["licence"], f"pytest/{item.nodeid}")

    return Plugin()
