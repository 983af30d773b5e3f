"""Runs what was generated, to choose calls that show something and to leave dull programs out.

Only for text of this generator, which reads and writes nothing and always ends; no sandbox.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from types import FrameType
from typing import Any

STEP_LIMIT = 350
RESULT_LIMIT = 500  # characters
TEXT_LIMIT = 150  # characters
ITEMS_LIMIT = 40
NUMBER_LIMIT = 10**12
FILE = "<generated>"
CALLS = "_calls"


class TooLong(BaseException):
    """More lines were run, or larger values made, than a program should need."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a call ended: the lines it went through, what it gave or raised."""

    lines: frozenset[int]
    result: str
    error: str  # the exception with its message, empty where it returned
    fit: bool  # short enough, both in steps and in what it gave


class Trial:
    """A program and a few calls of it, loaded together: compiling is what takes the time."""

    def __init__(self, text: str, entry: str, calls: Sequence[tuple[str, ...]]) -> None:
        texts = (f"lambda: {entry}({', '.join(call)})" for call in calls)
        whole = f"{text}{CALLS} = [{', '.join(texts)}]\n"
        self._last = text.count("\n")
        self._lines: set[int] = set()
        self._steps = 0
        module: dict[str, Any] = {"__name__": "generated", "print": silent}
        exec(compile(whole, FILE, "exec"), module)
        self._calls: list[Callable[[], object]] = module[CALLS]

    def outcomes(self) -> Iterator[Outcome]:
        """Run one call after the other, in the module that the ones before have left."""
        for call in self._calls:
            yield self._outcome(call)

    def _outcome(self, call: Callable[[], object]) -> Outcome:
        self._lines = set()
        self._steps = 0
        result, error, fit = "", "", True
        before = sys.gettrace()
        try:
            sys.settrace(self._trace)
            try:
                value = call()
            finally:
                sys.settrace(before)
            result = steady(value)
        except TooLong:
            fit = False
        except Exception as raised:
            error = f"{type(raised).__name__}: {raised}"
        fit = fit and len(result) <= RESULT_LIMIT
        return Outcome(frozenset(self._lines), result[:RESULT_LIMIT], error, fit)

    def _trace(self, frame: FrameType, event: str, arg: object) -> Callable[..., Any] | None:
        if frame.f_code.co_filename != FILE or frame.f_lineno > self._last:
            return None
        self._steps += 1
        if event == "line":
            self._lines.add(frame.f_lineno)
        if self._steps > STEP_LIMIT or (event == "return" and large(frame.f_locals.values())):
            raise TooLong
        return self._trace


def large(values: Iterable[object]) -> bool:
    """Say whether one of the values is too large to be shown at each step."""
    for value in values:
        if isinstance(value, str | bytes):
            if len(value) > TEXT_LIMIT:
                return True
        elif isinstance(value, list | dict | set | tuple):
            if len(value) > ITEMS_LIMIT:
                return True
        elif isinstance(value, int) and abs(value) > NUMBER_LIMIT:
            return True
    return False


def steady(value: object) -> str:
    """Return a text of a value that does not follow the hash seed, as a set's `repr` does."""
    if isinstance(value, set | frozenset):
        return f"{{{', '.join(sorted(map(steady, value)))}}}"
    if isinstance(value, list | tuple):
        return f"{type(value).__name__}({', '.join(map(steady, value))})"
    if type(value) is dict:
        return f"{{{', '.join(f'{key!r}: {steady(item)}' for key, item in value.items())}}}"
    return repr(value)


def silent(*values: object, **_: object) -> None:
    """Stand in for print: format the values, write nothing."""
    for value in values:
        str(value)
