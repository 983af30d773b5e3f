"""How often the faulty line is told first, in three and in five: measured on programs that crash.

    python bench/localization.py DATA.jsonl [--no-exec] [--limit N] [--budget SECONDS]

DATA is lines of JSON with `files`, `entry`, `stdin`, `traceback`, `faulty_lines` and `hard`.  The
same table is printed for what needs no tool: the own frames of the traceback, innermost first.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from nsdbg.crashlog import FrameKind, read
from nsdbg.localize.examine import examine
from nsdbg.localize.locate import LocatedReport
from nsdbg.rulebook import Rulebook
from nsdbg.workbench import Options, Workbench

PLACES = (1, 3, 5)


@dataclass(frozen=True, slots=True)
class Program:
    """A program that crashes, and the lines its fix changed."""

    name: str
    hard: bool
    files: tuple[tuple[str, str], ...]
    traceback: str
    faulty: frozenset[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class Result:
    """Where the first faulty line stood, counted from 1; None when it was not told.

    `reproduced`: `whole` (all own frames), `part`, `other values` (in the message), or None.
    """

    program: Program
    place: int | None
    baseline: int | None
    reproduced: str | None = None
    seconds: float = 0.0


def programs(data: Path, limit: int | None) -> Iterator[Program]:
    """Read the programs, the first `limit` of them."""
    for number, line in enumerate(data.read_text().splitlines()):
        if limit is not None and number >= limit:
            return
        record = json.loads(line)
        faulty = frozenset((file, n) for file, ns in record["faulty_lines"].items() for n in ns)
        yield Program(
            record["id"], record["hard"], tuple(record["files"].items()), record["traceback"],
            faulty,
        )  # fmt: skip


def measure(program: Program, folder: Path, rulebook: Rulebook, budget_s: float | None) -> Result:
    """Rank one program's lines and see where the first faulty one stands.

    With a budget the crash is reproduced, too, and runs add their evidence.
    """
    for name, text in program.files:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    report = next(iter(read(program.traceback.encode())))
    started = time.perf_counter()
    if budget_s is None:
        found = examine(report, [folder], rulebook)
    else:
        with Workbench(Options(roots=(folder,))) as bench:
            found = examine(report, [folder], rulebook, bench=bench, budget_s=budget_s)
    seconds = time.perf_counter() - started
    told = [(_relative(one.file, folder), one.lineno) for one in found.suspects]
    frames = _frames(found.inquiry.located, folder)
    best = found.reproduction
    return Result(
        program,
        _first(told, program.faulty),
        _first(frames, program.faulty),
        None if best is None else "other values" if best.values_differ
        else "whole" if best.frames == best.of else "part",
        seconds,
    )  # fmt: skip


def _relative(file: str, folder: Path) -> str:
    path = Path(file)
    return str(path.relative_to(folder)) if path.is_relative_to(folder) else file


def _frames(located: LocatedReport, folder: Path) -> list[tuple[str, int]]:
    own = [one for one in reversed(located.frames) if one.kind is FrameKind.USER]
    places = [(_relative(str(one.source_path or one.logged.file), folder), one.lineno)
              for one in own]  # fmt: skip
    return list(dict.fromkeys(places))


def _first(told: list[tuple[str, int]], faulty: frozenset[tuple[str, int]]) -> int | None:
    return next((place for place, one in enumerate(told, 1) if one in faulty), None)


def table(results: list[Result]) -> dict[str, object]:
    """Return the counts in a form that JSON takes."""
    rows: dict[str, object] = {}
    for name, chosen in (
        ("all", results),
        ("hard", [one for one in results if one.program.hard]),
        ("rest", [one for one in results if not one.program.hard]),
    ):
        rows[name] = {
            "n": len(chosen),
            "nsdbg": [_within([one.place for one in chosen], k) for k in PLACES],
            "frames": [_within([one.baseline for one in chosen], k) for k in PLACES],
            "reproduced": dict(Counter(str(one.reproduced) for one in chosen)),
            "lost": [one.program.name for one in chosen if one.baseline == 1 and one.place != 1],
        }
    return rows


def _within(places: list[int | None], limit: int) -> int:
    return sum(1 for place in places if place is not None and place <= limit)


def main() -> None:
    """Measure; print a line for each program on stderr and the counts as JSON on stdout."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--no-exec", action="store_true")
    parser.add_argument("--budget", type=float, default=10.0, help="seconds for one program")
    options = parser.parse_args()
    rulebook = Rulebook()
    results = []
    for program in programs(options.data, options.limit):
        with tempfile.TemporaryDirectory() as folder:
            budget_s = None if options.no_exec else options.budget
            results.append(measure(program, Path(folder).resolve(), rulebook, budget_s))
            one = results[-1]
            print(f"{one.place} (frames {one.baseline}) {one.seconds:.1f} s {one.reproduced} "
                  f"{program.name}", file=sys.stderr, flush=True)  # fmt: skip
    rows = table(results)
    seconds = sorted(one.seconds for one in results)
    print(json.dumps({
        "schema": "nsdbg.bench-localization/1", "places": PLACES, **rows,
        "seconds": {"median": round(statistics.median(seconds), 2),
                    "p95": round(seconds[int(len(seconds) * 0.95)], 2)},
    }))  # fmt: skip


if __name__ == "__main__":
    main()
