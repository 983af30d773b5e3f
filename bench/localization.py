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
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from nsdbg.measure.localization import PLACES, Failing, Placed, placed, within
from nsdbg.rulebook import Rulebook


def programs(data: Path, limit: int | None) -> Iterator[tuple[Failing, bool]]:
    """Read the programs, the first `limit` of them, and whether each is hard."""
    for number, line in enumerate(data.read_text().splitlines()):
        if limit is not None and number >= limit:
            return
        record = json.loads(line)
        faulty = frozenset((file, n) for file, ns in record["faulty_lines"].items() for n in ns)
        files = tuple(record["files"].items())
        yield Failing(record["id"], files, record["traceback"], faulty), record["hard"]


def table(results: list[tuple[Placed, bool]]) -> dict[str, object]:
    """Return the counts in a form that JSON takes."""
    rows: dict[str, object] = {}
    for name, chosen in (
        ("all", [one for one, _ in results]),
        ("hard", [one for one, hard in results if hard]),
        ("rest", [one for one, hard in results if not hard]),
    ):
        rows[name] = {
            "n": len(chosen),
            "nsdbg": [within([one.place for one in chosen], k) for k in PLACES],
            "frames": [within([one.baseline for one in chosen], k) for k in PLACES],
            "reproduced": dict(Counter(str(one.reproduced) for one in chosen)),
            "lost": [one.failing.name for one in chosen if one.baseline == 1 and one.place != 1],
        }
    return rows


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
    for program, hard in programs(options.data, options.limit):
        with tempfile.TemporaryDirectory() as folder:
            budget_s = None if options.no_exec else options.budget
            one = placed(program, Path(folder).resolve(), rulebook, budget_s)
            results.append((one, hard))
            print(f"{one.place} (frames {one.baseline}) {one.seconds:.1f} s {one.reproduced} "
                  f"{program.name}", file=sys.stderr, flush=True)  # fmt: skip
    seconds = sorted(one.seconds for one, _ in results)
    print(json.dumps({
        "schema": "nsdbg.bench-localization/1", "places": PLACES, **table(results),
        "seconds": {"median": round(statistics.median(seconds), 2),
                    "p95": round(seconds[int(len(seconds) * 0.95)], 2)},
    }))  # fmt: skip


if __name__ == "__main__":
    main()
