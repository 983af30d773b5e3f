"""The record of a failure, taken from the living exception with the values of its frames.

Runs in the process of the tests, so it takes text and leaves; it examines nothing.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from nsdbg.record.recorder import as_json, header
from nsdbg.record.snapshot import snapshot

# The alias of its own module that pytest puts into a module of which it rewrote the assertions.
REWRITTEN = "@pytest_ar"
INSTALLED = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}")


@dataclass(frozen=True, slots=True)
class Failure:
    """What made a test fail: an exception, and the project's own lines that it went through."""

    error: BaseException
    traceback: TracebackType | None
    places: tuple[tuple[str, int], ...]

    @property
    def key(self) -> tuple[object, ...]:
        """The same for a failure of the same kind at the same lines."""
        return (type(self.error).__qualname__, *self.places)

    def record(self, test: str) -> str:
        """Return it as an `nsdbg.crash/1`; runs the `repr` of what is in the frames."""
        fields = header(test)
        fields.update(snapshot(self.error, self.traceback))
        _without_pytests_part(fields["chain"], self.traceback)
        return as_json(fields)


def failure_of(error: BaseException, traceback: TracebackType | None, root: Path) -> Failure | None:
    """Return what made a test fail; None where there is nothing to find out.

    That is a `pytest.fail`, an example whose output differs, and what no line of the project's
    own had a part in.
    """
    found = _meant(error, traceback)
    if found is None:
        return None
    error, traceback = found
    places = _own_places(traceback, root)
    if not places and not isinstance(error, SyntaxError):
        return None
    return Failure(error, traceback, places)


def _meant(
    error: BaseException, traceback: TracebackType | None
) -> tuple[BaseException, TracebackType | None] | None:
    """Return the exception that the test is about, taken out of what pytest put around it."""
    name = type(error).__name__
    if name == "MultipleDoctestFailures":
        failures: list[Any] = list(getattr(error, "failures", ()))
        return next((one for each in failures if (one := _meant(each, None))), None)
    if name == "UnexpectedException":  # of doctest: an example raised
        _, value, where = getattr(error, "exc_info", (None, None, None))
        return (value, where) if isinstance(value, BaseException) else None
    if name == "CollectError" and error.__cause__ is not None:
        return error.__cause__, error.__cause__.__traceback__
    # Of unittest: an error of setUpClass and the like comes as itself.
    if name in ("DocTestFailure", "Failed", "Exit", "Skipped", "CollectError"):
        return None
    return error, traceback or error.__traceback__


def _own_places(traceback: TracebackType | None, root: Path) -> tuple[tuple[str, int], ...]:
    """Return the lines of the project's own files that an exception went through."""
    folder = os.path.join(str(root), "")
    places = []
    while traceback is not None:
        file = traceback.tb_frame.f_code.co_filename
        if file.startswith(folder) and not any(part in file for part in INSTALLED):
            places.append((file, traceback.tb_lineno))
        traceback = traceback.tb_next
    return tuple(places)


def _without_pytests_part(chain: list[dict[str, Any]], traceback: TracebackType | None) -> None:
    """Take out of a record what is only there since pytest rewrote the assertions.

    Where the test is run again they are as written, so the message has to be as well.
    """
    for one in chain:
        for frame in one.get("frames", ()):
            values = frame.get("locals") or {}
            for name in [name for name in values if name.startswith("@")]:
                del values[name]
    last = traceback
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    if last is not None and REWRITTEN in last.tb_frame.f_globals:
        final = chain[-1]
        if final["type"] == "AssertionError":
            said, _, _ = ("\n" + final["message"]).partition("\nassert ")
            final["message"] = said[1:]
