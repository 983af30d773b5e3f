"""What each interpreter found here prints of its exceptions reads back to what they were."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from nsdbg import crashlog
from nsdbg.crashlog import LoggedException
from nsdbg.verify.interpreters import Interpreter, find_interpreters

ORACLE = Path(__file__).parent / "targets" / "print_tracebacks.py"
INTERPRETERS = find_interpreters()


def name(interpreter: Interpreter) -> str:
    return ".".join(map(str, interpreter.version[:2]))


@pytest.mark.parametrize("interpreter", INTERPRETERS, ids=name)
def test_what_an_interpreter_prints_reads_back(interpreter: Interpreter) -> None:
    run = subprocess.run(
        [str(interpreter.path), str(ORACLE), "7"], capture_output=True, text=True, check=True,
        env={"PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip
    printed = json.loads(run.stdout)
    assert len(printed) == 65
    for text, expected in printed:
        (report,) = crashlog.read(text.encode())
        assert report.truncated is None
        compare_chain(report.chain, expected)


def compare_chain(read: tuple[LoggedException, ...], expected: list[dict[str, Any]]) -> None:
    assert [one.exception for one in read] == [one["exception"] for one in expected]
    assert [one.link and one.link.value for one in read] == [one["link"] for one in expected]
    for one, told in zip(read, expected, strict=True):
        compare(one, told)


def compare(read: LoggedException, told: dict[str, Any]) -> None:
    if told["place"] is None:
        said = "\n".join([read.message or "", *read.notes])
        assert said.rstrip() == told["text"].rstrip()
        assert read.place is None
    else:
        assert read.place is not None
        assert [read.place.file, read.place.lineno] == told["place"]
    frames = [[one.file, one.lineno, one.function] for one in read.frames]
    if read.repeated is None:
        assert frames == told["frames"]
        assert [(one.source or "").split("\n")[0] for one in read.frames] == told["lines"]
    else:
        assert len(frames) + read.repeated == len(told["frames"])
        assert frames[-1] == told["frames"][-1]
    assert len(read.members) == len(told["members"])
    for members, expected in zip(read.members, told["members"], strict=True):
        compare_chain(members, expected)
