"""Installed packages, driven by the examples in their docstrings and the tests that came along.

What an example or a test finds wrong does not matter.  A test that needs a fixture is not run.
"""

from __future__ import annotations

import importlib
import os
from functools import partial

from nsdbg.model.trace.worker.collecting import Collector
from nsdbg.verify.child.limits import ALARM
from nsdbg.verify.child.paths import real_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    Test = tuple[str, Callable[[], object]]

_NOT_CODE = frozenset(
    ["test", "tests", "testing", "site-packages", "dist-packages", "node_modules"]
)
# How many of a test's sets of parameters are tried.
_MOST_PARAMETERS = 8


class Roots:
    """Whether a file lies where code is recorded: below a folder, or the file itself; no test."""

    def __init__(self, roots: list[str]) -> None:
        self._folders = [root for root in roots if root.endswith("/")]
        self._files = frozenset(root for root in roots if not root.endswith("/"))

    def __call__(self, file: str) -> bool:
        """Decide about a code object's file."""
        path = real_path(file)
        if path in self._files:
            return True
        return any(path.startswith(root) and is_code(path[len(root) :]) for root in self._folders)


def is_code(path: str) -> bool:
    """Whether a file below a root is neither a test nor of another project inside it."""
    *folders, name = path.split("/")
    if name.startswith("test_") or name.endswith("_test.py") or name == "conftest.py":
        return False
    return not any(folder in _NOT_CODE or folder.startswith(".") for folder in folders)


def read_file(path: str) -> str | None:
    """Return a source file's text, None where it has none."""
    import tokenize

    try:
        with tokenize.open(path) as file:
            return file.read()
    except (OSError, SyntaxError, UnicodeDecodeError):
        return None


def work(job: dict[str, Any], write: Callable[[str], None]) -> None:
    """Record every item of a job: the doctests, or the tests, of a module."""

    def label(file: str) -> str:
        path = real_path(file)
        return os.path.relpath(path, job["base"]) if path.startswith(job["base"]) else path

    collector = Collector(write, Roots(job["roots"]), read_file, label, job["most"], job["cpu_s"])
    for number, item in job["items"]:
        collector.begin(number)
        _record(item, collector, job)
        collector.end()


def _record(item: dict[str, Any], collector: Collector, job: dict[str, Any]) -> None:
    name = item["module"]
    loaded: list[Any] = []
    load = partial(importlib.import_module, name)
    if not collector.run(lambda: loaded.append(load()), job["load_s"], recorded=False):
        collector.leave_out("modules that fail to load")
        return
    tests: list[Test] = []
    find = _doctests if item["kind"] == "doctest" else _tests
    collector.run(lambda: tests.extend(find(loaded[0])), job["load_s"], recorded=False)
    for test, call in tests:
        collector.run(call, job["call_s"])
        if ALARM.expired:
            collector.leave_out("examples and tests that take too long")
        collector.hand_over(item["kind"], item["package"], item["licence"],
                            f"{item['kind']}/{test}")  # fmt: skip


def _doctests(module: Any) -> Iterator[Test]:
    """Yield the docstrings with examples."""
    import doctest

    for found in doctest.DocTestFinder(exclude_empty=True).find(module, module.__name__):
        if found.examples:
            yield found.name, partial(_run_examples, found)


def _run_examples(found: Any) -> None:
    import doctest

    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    doctest.DocTestRunner(optionflags=flags, verbose=False).run(found, out=lambda text: None)


def _tests(module: Any) -> Iterator[Test]:
    """Yield a module's tests: cases of unittest, functions and classes as pytest finds them."""
    import unittest

    suite = unittest.defaultTestLoader.loadTestsFromModule(module)
    for case in _cases(suite):
        yield case.id(), partial(_run_case, case)
    for name, found in list(vars(module).items()):
        if name.startswith("test") and callable(found) and not isinstance(found, type):
            yield from _calls(f"{module.__name__}.{name}", found)
        elif not name.startswith("Test") or not isinstance(found, type):
            continue
        elif not issubclass(found, unittest.TestCase):
            yield from _methods(f"{module.__name__}.{name}", found)


def _cases(suite: Any) -> Iterator[Any]:
    for one in suite:
        if hasattr(one, "__iter__"):
            yield from _cases(one)
        else:
            yield one


def _run_case(case: Any) -> None:
    import unittest

    unittest.TestSuite([case]).run(unittest.TestResult())


def _methods(prefix: str, kind: type) -> Iterator[Test]:
    """Yield the tests of a class, each on an instance of its own."""
    for name in sorted(dir(kind)):
        if name.startswith("test") and callable(getattr(kind, name)):
            for parameters in _parameters(getattr(kind, name)):
                yield f"{prefix}.{name}", partial(_run_method, kind, name, parameters)


def _run_method(kind: type, name: str, parameters: dict[str, Any]) -> None:
    instance = kind()
    for prepare in ("setup_class", "setUpClass", "setup_method", "setUp", "setup"):
        if hasattr(instance, prepare):
            getattr(instance, prepare)()
    getattr(instance, name)(**parameters)


def _calls(name: str, function: Any) -> Iterator[Test]:
    for parameters in _parameters(function):
        yield name, partial(function, **parameters)


def _parameters(function: Any) -> list[dict[str, Any]]:
    """Return the sets of parameters that pytest's marks give a test; one empty set without any."""
    marks = [mark for mark in getattr(function, "pytestmark", ()) if mark.name == "parametrize"]
    if len(marks) != 1:
        return [{}] if not marks else []
    names, values = marks[0].args[:2]
    if isinstance(names, str):
        names = [name.strip() for name in names.split(",")]
    found = []
    for value in list(values)[:_MOST_PARAMETERS]:
        row = [value] if len(names) == 1 else value
        given = getattr(value, "values", row)  # of a `pytest.param`
        found.append(dict(zip(names, row if callable(given) else given)))  # noqa: B905 - as deltas
    return found
