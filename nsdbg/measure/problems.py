"""Inversion problems read from JSON lines: CRUXEval's functions and programming puzzles.

A problem is a function and what it has to return.  The inputs that a data file holds are kept out
of everything a proposer sees.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from nsdbg.errors import UsageError

# What the functions of both collections take for granted.
HEADER = "from typing import *\n"


@dataclass(frozen=True, slots=True)
class Problem:
    """`entry` of the module `code` has to return `value` (literal text).

    `arguments` is the recorded call as text (CRUXEval's `input`); only the direction `output`
    may use it.  `unknown` names the parameters to find; empty means all of them.
    """

    id: str
    code: str
    entry: str
    value: str
    arguments: str | None = None
    first_only: bool = False


def read_problems(path: Path, limit: int | None = None) -> Iterator[Problem]:
    """Yield the problems of a file, `limit` of them at most.

    Raises UsageError for a file that cannot be read, and for a line that is no problem.
    """
    try:
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if limit is not None and number > limit:
                    return
                if line.strip():
                    yield _problem(line, f"{path}:{number}")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(
            f"cannot read {path}: {reason}; docs/measuring.md says where the data come from"
        ) from error


def _problem(line: str, place: str) -> Problem:
    try:
        row = json.loads(line)
    except ValueError as error:
        raise UsageError(f"{place} is not JSON: {error}") from error
    if not isinstance(row, dict) or not isinstance(row.get("code"), str):
        raise UsageError(f"{place} has no field 'code' with a function's source")
    identity = str(row.get("id", place))
    if "goal" in row:
        entry = str(row.get("entry", "sat"))
        return Problem(identity, HEADER + row["code"], entry, str(row["goal"]), first_only=True)
    if "output" not in row:
        raise UsageError(f"{place} has neither 'output' (CRUXEval) nor 'goal' (puzzles)")
    entry = str(row.get("entry", "f"))
    given = row.get("input")
    return Problem(
        identity, row["code"], entry, str(row["output"]), None if given is None else str(given)
    )
