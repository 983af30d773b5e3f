"""Asks a process of its own about a failure.

A process, since tests change what is around them: a frozen clock, a folder that is another,
sockets that are blocked and patched modules must not meet the examination, nor it them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass

# What the process needs beside its budget: its start, its imports and its end.
GRACE_S = 15.0
ENDING_S = 3.0
LONGEST_PROBLEM = 200
# Coverage and warnings are set up for the tests, and would take hold of the process as well.
NOT_FOR_IT = (
    "COV_CORE_", "COVERAGE_", "PYTEST_", "PYTHONWARNINGS", "PYTHONOPTIMIZE", "PYTHONINSPECT",
    "PYTHONDEVMODE", "PYTHONTRACEMALLOC", "PYTHONPROFILEIMPORTTIME",
)  # fmt: skip
COMMAND = (sys.executable, "-P", "-c", "from nsdbg.pytest_plugin.answering import main; main()")


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be examined: the record of a failure, and what the options say.

    `root` is the project's folder, `folder` the one from which files are named.
    """

    record: str
    test: str
    root: str
    folder: str
    budget: float
    top: int
    no_exec: bool


class Asking:
    """Starts a process for each failure; made before any test can have changed anything."""

    def __init__(self, command: Sequence[str] = COMMAND) -> None:
        self._command = command
        self._popen = subprocess.Popen
        self._clock = time.monotonic
        self._folder = os.getcwd()
        self._environment = {
            name: value for name, value in os.environ.items() if not name.startswith(NOT_FOR_IT)
        }
        self.spent_s = 0.0

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Count what is done within as time that failures take."""
        started = self._clock()
        try:
            yield
        finally:
            self.spent_s += max(0.0, self._clock() - started)

    def ask(self, order: Order) -> str:
        """Return what the process has to say, as lines for a report.

        Raises OSError or ValueError when it could not be asked.
        """
        process = self._popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            cwd=self._folder, env=self._environment, start_new_session=True,
        )  # fmt: skip
        try:
            told, complaint = process.communicate(
                json.dumps(asdict(order)).encode(), order.budget + GRACE_S
            )
        except subprocess.TimeoutExpired as error:
            raise ValueError(f"no answer within {order.budget + GRACE_S:g} s") from error
        finally:
            # Also on Ctrl-C, which the process does not get: it has a session of its own.
            _end(process)
        return _answer(told, complaint)


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(ENDING_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()


def _answer(told: bytes, complaint: bytes) -> str:
    try:
        answer = json.loads(told)
    except ValueError:
        last = complaint.decode("utf-8", "replace").strip().rpartition("\n")[2]
        raise ValueError(f"it ended without an answer: {last[:LONGEST_PROBLEM]}") from None
    if "problem" in answer:
        raise ValueError(str(answer["problem"])[:LONGEST_PROBLEM])
    return str(answer["text"])
