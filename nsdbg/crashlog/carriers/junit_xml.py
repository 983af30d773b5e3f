"""JUnit XML around the failures of a test run: each as pytest or unittest would have printed it.

Total, as carriers are: of a report that is cut off or broken it gives what stands before that.
The gate reads reports by `nsdbg.crashlog.junit` itself, and tells what is wrong with one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from nsdbg.crashlog.carriers.wrapping import Carrier
from nsdbg.crashlog.clean import clean
from nsdbg.crashlog.junit import Case, Problem, read_cases
from nsdbg.crashlog.lines import BOUNDARY, Line
from nsdbg.crashlog.patterns import EXCEPTION, HEADER
from nsdbg.errors import JUnitError

# pytest's styles: long and short have `E` lines, line has the place alone.
_TOLD = re.compile(r"^E {3}", re.MULTILINE)
_PLACE = re.compile(r"^\S[^:\n]*:\d+: ", re.MULTILINE)
_STRIPPED = re.compile(r"(?:async )?def |@|class ")  # pytest strips the whole text of a failure
_ABOVE = 3  # lines that an XML declaration and comments may take above the root


def failure_lines(case: Case, problem: Problem) -> list[Line]:
    """Return a failure's lines, headed as the tool that ran the test would have headed it.

    Without a traceback its message has to do, and what the test printed, where the traceback of
    another process may stand.
    """
    text, number = problem.text, problem.lineno
    if _has_header(text):
        kind = "FAIL" if problem.kind == "failure" else "ERROR"
        heads = [f"{kind}: {case.name} ({case.classname})", "-" * 70]
        return [*(Line(number, head) for head in heads), *_numbered(text, number)]
    title = Line(number, f"_____ {case.title} _____")
    if _TOLD.search(text):
        indented = "    " + text if _STRIPPED.match(text) else text
        return [title, *_numbered(indented, number)]
    if _has_header(case.printed):
        return _numbered(case.printed, number)
    said = [Line(number, f"E   {line}") for line in _message(problem).split("\n")]
    return [title, *said, *(_numbered(text, number) if _PLACE.search(text) else ())]


def _message(problem: Problem) -> str:
    """Return the line that names the exception, made of the attributes where the text has none."""
    said = problem.message or problem.text.strip()
    first = said.split("\n", 1)[0]
    named = EXCEPTION.match(first)
    if (named is not None and named["colon"]) or not problem.type:
        return said
    last = problem.type.rpartition(".")[2]
    return said if named is not None and named["type"] == last else f"{problem.type}: {said}"


def _has_header(text: str) -> bool:
    return " last):" in text and any(HEADER.search(line) for line in text.split("\n"))


def _numbered(text: str, number: int) -> list[Line]:
    return [Line(number + at, line) for at, line in enumerate(text.split("\n"))]


def _unwrap(lines: Sequence[Line]) -> list[Line] | None:
    start = _start(lines)
    if start is None:
        return None
    found: list[Line] = list(lines[:start])
    first = lines[start].number
    for case, problem in _problems("\n".join(line.text for line in lines[start:])):
        found.append(Line(first + problem.lineno - 1, BOUNDARY))
        found += clean(
            Line(first + line.number - 1, line.text) for line in failure_lines(case, problem)
        )
    found.append(Line(lines[-1].number, BOUNDARY))
    return found


def _start(lines: Sequence[Line]) -> int | None:
    """Return the index of the line at which a report begins."""
    for at, line in enumerate(lines):
        if "<testsuite" in line.text[:500] or line.text.lstrip().startswith("<?xml"):
            near = "".join(other.text[:500] for other in lines[at : at + _ABOVE])
            return at if "<testsuite" in near and line.text.lstrip()[:1] == "<" else None
    return None


def _problems(text: str) -> Iterator[tuple[Case, Problem]]:
    try:
        for case in read_cases(text):
            for problem in case.problems:
                yield case, problem
    except JUnitError:
        return  # what came before is whole


CARRIER = Carrier(
    "junit",
    "JUnit XML of pytest, unittest-xml-reporting, nose and others: the failures and errors",
    _unwrap,
)
