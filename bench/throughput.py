"""How many verifications a second one core gives: in a batch, with a fork each, a process each.

Run as `python bench/throughput.py`; every figure comes from this one run, on one core, and counts
the parent's share.  The target is small and pure; each verification is traced, has coverage
evidence and is compared with a goal.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from nsdbg.claim import Call, Ending, Goal, Observation, Site
from nsdbg.source import load_subject
from nsdbg.state import Event
from nsdbg.verify.runner import Runner, RunnerConfig

TARGET = """
def f(text, n):
    total = 0
    for char in text:
        if char == "a":
            total += n
    return [total, text.upper()]
"""
ROUNDS = 5


@dataclass(frozen=True, slots=True)
class Throughput:
    """Verifications a second (the best of some rounds), and milliseconds (their median)."""

    batch_per_s: float
    fork_per_s: float
    process_per_s: float
    fresh_pair_ms: float
    new_target_ms: float
    cores: int
    python: str

    def __str__(self) -> str:
        return "\n".join(
            [
                f"a process per run   {self.process_per_s:10.1f} verifications/s",
                f"a fork per run      {self.fork_per_s:10.1f} verifications/s",
                f"batch mode          {self.batch_per_s:10.1f} verifications/s",
                f"two fresh runs      {self.fresh_pair_ms:10.2f} ms",
                f"a new target        {self.new_target_ms:10.2f} ms until its first verification",
                f"on {self.cores} core(s), Python {self.python}, each traced, with coverage",
            ]
        )


def measure(scale: float = 1.0, python: Path | None = None) -> Throughput:
    """Measure everything once; `scale` shortens or lengthens each part."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        goal = make_target(folder, 0)
        starts = [call(n) for n in range(max(2, int(1000 * scale)))]
        single = starts[: max(2, int(100 * scale))]
        with Runner(RunnerConfig(python=python, roots=(folder,))) as runner:
            expect(runner.batch(goal, starts[:2]), 2)
            batch = best(lambda: expect(runner.batch(goal, starts), len(starts)))
            fork = best(lambda: expect([runner.single(goal, start) for start in single], 2))
            runner.fresh(goal, starts[0])
            pairs = [timed(lambda: runner.fresh(goal, starts[0])) for _ in single]
            goals = [make_target(folder, number) for number in range(1, len(single) + 1)]
            new = [timed(lambda goal=goal: runner.batch(goal, starts[:1])) for goal in goals]  # type: ignore[misc]
            command = process_command(runner.interpreter.path, folder)
            process = best(lambda: run_processes(command, max(2, int(10 * scale))), 2)
            return Throughput(
                len(starts) / batch,
                len(single) / fork,
                max(2, int(10 * scale)) / process,
                1000 * statistics.median(pairs),
                1000 * statistics.median(new),
                len(os.sched_getaffinity(0)),
                runner.python_version,
            )


def make_target(folder: Path, number: int) -> Goal:
    """Write a target and return a goal for it, which one call in many reaches."""
    file = folder / f"target{number}.py"
    file.write_text(TARGET)
    ref = load_subject(file, "f").ref
    return Goal(ref, Event.RETURN, (Site(ref.file, None, "f"),), value="[7, 'AB7']")


def call(number: int) -> Call:
    """Return a call that no other number makes."""
    return Call((("text", repr(f"ab{number}")), ("n", str(number))))


def expect(found: Sequence[Observation], count: int) -> None:
    """Check that the runs were what is being measured."""
    assert len(found) >= count
    assert all(each.ending is Ending.RETURNED and each.coverage and each.path for each in found)


def process_command(python: Path, folder: Path) -> list[str]:
    """Return the plainest way to check one call in a process of its own: trace it, compare."""
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); from target0 import f; lines = set()\n"
        "def trace(frame, event, arg):\n"
        "    lines.add((event, frame.f_lineno)); return trace\n"
        "sys.settrace(trace); value = f('ab7', 7); sys.settrace(None)\n"
        "assert value == [7, 'AB7'] and lines"
    )
    return [str(python), "-c", code, str(folder)]


def run_processes(command: Sequence[str], count: int) -> None:
    """Run a command so many times, one after another."""
    for _ in range(count):
        subprocess.run(command, check=True)


def timed(run: Callable[[], object]) -> float:
    """Return the seconds that one call takes."""
    started = time.perf_counter()
    run()
    return time.perf_counter() - started


def best(run: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Return the seconds of the quickest round: what is slower is the machine's other work."""
    return min(timed(run) for _ in range(rounds))


def main() -> None:
    """Pin this process and its children to one core, measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", type=Path, help="the target's interpreter")
    parser.add_argument("--scale", type=float, default=1.0, help="how much of each to run")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    found = measure(options.scale, options.python)
    sys.stdout.write((json.dumps(asdict(found)) if options.json else str(found)) + "\n")


if __name__ == "__main__":
    main()
