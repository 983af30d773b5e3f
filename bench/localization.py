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
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from nsdbg.crashlog import FrameKind, read
from nsdbg.localize.inquiry import inquire
from nsdbg.localize.locate import LocatedReport, locate
from nsdbg.rulebook import Rulebook

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
    """Where the first faulty line stood, counted from 1; None when it was not told."""

    program: Program
    place: int | None
    baseline: int | None
    reproduced: bool = False
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


def measure(program: Program, folder: Path, rulebook: Rulebook) -> Result:
    """Rank one program's lines and see where the first faulty one stands."""
    for name, text in program.files:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    report = next(iter(read(program.traceback.encode())))
    located = locate(report, [folder])
    suspects = inquire(located, rulebook).suspects
    told = [(_relative(one.file, folder), one.lineno) for one in suspects]
    return Result(program, _first(told, program.faulty), _first(_frames(located, folder),
                                                                program.faulty))  # fmt: skip


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
            "lost": [one.program.name for one in chosen if one.baseline == 1 and one.place != 1],
        }
    return rows


def _within(places: list[int | None], limit: int) -> int:
    return sum(1 for place in places if place is not None and place <= limit)


def main() -> None:
    """Measure, print JSON on stdout and a table on stderr."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--limit", type=int)
    options = parser.parse_args()
    rulebook = Rulebook()
    results = []
    for program in programs(options.data, options.limit):
        with tempfile.TemporaryDirectory() as folder:
            results.append(measure(program, Path(folder).resolve(), rulebook))
    rows = table(results)
    print(json.dumps({"schema": "nsdbg.bench-localization/1", "places": PLACES, **rows}))
    print(statistics.median([one.seconds for one in results]), file=sys.stderr)


if __name__ == "__main__":
    main()
