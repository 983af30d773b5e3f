"""Where the faulty line of a program that fails stands in the ranking of `localize`.

Beside it stand the traceback's own frames, innermost first, which need no tool; the first of them
is the crash line.  Reads no data file.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from nsdbg.crashlog import FrameKind, read
from nsdbg.localize.examine import Examination, examine
from nsdbg.localize.locate import LocatedReport
from nsdbg.rulebook import Rulebook
from nsdbg.workbench import Options, Workbench

PLACES = (1, 3, 5)
WHOLE, PART, OTHER_VALUES = "whole", "part", "other values"

Line = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Failing:
    """A program that fails, with the traceback that it printed and the lines its fix changes.

    Files are named relative to a folder.  Lines of `apart`, the tests', are in no ranking: who
    looks for the fault of a program knows that they are not it.
    """

    name: str
    files: tuple[tuple[str, str], ...]
    traceback: str
    faulty: frozenset[Line]
    apart: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Placed:
    """Where the first faulty line stood, counted from 1; None when it was not told.

    `baseline`: the same among the traceback's own frames, innermost first.  `reproduced`: WHOLE
    (all own frames), PART, OTHER_VALUES (in the message), or None.  `by_call`: a call of a function
    that is not in the tests' files does it, too.
    """

    failing: Failing
    place: int | None
    baseline: int | None
    reproduced: str | None = None
    by_call: bool = False
    seconds: float = 0.0


def placed(
    failing: Failing, folder: Path, rulebook: Rulebook, budget_s: float | None, seed: int = 0,
    python: Path | None = None,
) -> Placed:  # fmt: skip
    """Rank one program's lines and see where the first faulty one stands.

    folder: where its files are written, empty and resolved.  With a budget the crash is reproduced,
    too, and runs add their evidence.
    """
    write_files(failing.files, folder)
    report = next(iter(read(failing.traceback.encode())))
    started = time.perf_counter()
    if budget_s is None:
        found = examine(report, [folder], rulebook, seed=seed)
    else:
        with Workbench(Options(roots=(folder,), python=python)) as bench:
            found = examine(report, [folder], rulebook, bench=bench, budget_s=budget_s, seed=seed)
    seconds = time.perf_counter() - started
    told = [(_relative(one.file, folder), one.lineno) for one in found.suspects]
    return Placed(
        failing,
        first_faulty(told, failing),
        first_faulty(own_frames(found.inquiry.located, folder), failing),
        _reproduced(found),
        _by_call(found, failing, folder),
        seconds,
    )


def write_files(files: Sequence[tuple[str, str]], folder: Path) -> None:
    """Write files below a folder."""
    for name, text in files:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def first_faulty(told: Sequence[Line], failing: Failing) -> int | None:
    """Return the place of the first faulty line among the lines told, the tests' left out."""
    own = [one for one in told if one[0] not in failing.apart]
    return next((place for place, one in enumerate(own, 1) if one in failing.faulty), None)


def own_frames(located: LocatedReport, folder: Path) -> list[Line]:
    """Return the lines of the project's own frames, innermost first, each once."""
    own = [one for one in reversed(located.frames) if one.kind is FrameKind.USER]
    places = [(_relative(str(one.source_path or one.logged.file), folder), one.lineno)
              for one in own]  # fmt: skip
    return list(dict.fromkeys(places))


def within(places: Sequence[int | None], limit: int) -> int:
    """Count the places that are no further down than a limit."""
    return sum(1 for place in places if place is not None and place <= limit)


def _relative(file: str, folder: Path) -> str:
    path = Path(file)
    return str(path.relative_to(folder)) if path.is_relative_to(folder) else file


def _reproduced(found: Examination) -> str | None:
    best = found.reproduction
    if best is None:
        return None
    if best.values_differ:
        return OTHER_VALUES
    return WHOLE if best.frames == best.of else PART


def _by_call(found: Examination, failing: Failing, folder: Path) -> bool:
    made = found.outcome.reproductions if found.outcome else ()
    return any(
        not one.is_script and _relative(one.level.subject.ref.file, folder) not in failing.apart
        for one in made
    )
