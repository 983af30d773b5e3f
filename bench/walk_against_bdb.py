"""Does the walk stop where bdb stops?  Debugging sessions over generated programs, by version.

Run as `python bench/walk_against_bdb.py [--programs 10000] [--python PATH ...]`.  Each program is
called by one of several drivers, so that its frames lie under a generator, a coroutine, a context
manager, a decorator, a `finally`.  The same seed gives the same sessions.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random

from nsdbg.claim import Call
from nsdbg.measure.oracle.oracle import Oracle
from nsdbg.measure.oracle.walks import Compared, compare
from nsdbg.programs import GeneratedProgram, Level, generate
from nsdbg.state import ActionKind
from nsdbg.verify.interpreters import find_interpreter, find_interpreters

DRIVERS = {
    "plain": """
def driven(*given):
    return {entry}(*given)
""",
    "generator": """
def inner_items(given):
    for turn in range(2):
        got = yield {entry}(*given)
    return turn
def items(given):
    last = yield from inner_items(given)
    yield last
def driven(*given):
    found = []
    for item in items(given):
        found.append(item)
    first = next(items(given))
    return found, first
""",
    "coroutine": """
import asyncio
async def fetched(given):
    await asyncio.sleep(0)
    return {entry}(*given)
class Around:
    async def __aenter__(self):
        return self
    async def __aexit__(self, *told):
        return False
async def counted(given):
    for turn in range(2):
        yield await fetched(given)
async def driven(*given):
    async with Around():
        both = await asyncio.gather(fetched(given), fetched(given))
    return [item async for item in counted(given)] + both
""",
    "manager": """
import contextlib
@contextlib.contextmanager
def managed(name):
    try:
        yield name
    finally:
        name = None
class Guard:
    def __enter__(self):
        return self
    def __exit__(self, kind, error, trace):
        return kind is not None
def driven(*given):
    with managed("a") as name, Guard():
        found = {entry}(*given)
        return found
    return None
""",
    "decorator": """
import functools
def twice(function):
    @functools.wraps(function)
    def wrapper(*given, **named):
        first = function(*given, **named)
        return first, function(*given, **named)
    return wrapper
@twice
def driven(*given):
    def nested(step):
        nonlocal given
        return [{entry}(*given) for _ in range(step)]
    return nested(1)
""",
    "finally": """
def attempt(given, depth):
    try:
        if depth:
            return attempt(given, depth - 1)
        return {entry}(*given)
    except (ValueError, KeyError, TypeError) as error:
        raise RuntimeError("again") from error
    finally:
        depth = -1
def driven(*given):
    try:
        return attempt(given, 2)
    except RuntimeError as error:
        return str(error)
    except Exception:
        raise
    else:
        return None
""",
}


def driven(seed: int) -> tuple[GeneratedProgram, str, str]:
    """Return the program of a seed, its text with a driver, and the driver's name."""
    levels, names = tuple(Level), tuple(DRIVERS)
    program = generate(seed, levels[seed % len(levels)])
    name = names[seed // len(levels) % len(names)]
    return program, program.text + DRIVERS[name].format(entry=program.entry), name


def measure(
    python: Path, seeds: range, sessions: int, length: int, progress: bool = False
) -> tuple[Compared, Counter[str]]:
    """Compare sessions over the programs of some seeds; count their drivers, too."""
    found, drivers = Compared(), Counter[str]()
    started = time.monotonic()
    with (
        tempfile.TemporaryDirectory() as name,
        Oracle(python, trusted=True, most=2000) as oracle,
    ):
        root = Path(name).resolve()
        root.chmod(0o755)
        for seed in seeds:
            program, text, driver = driven(seed)
            file = root / f"made{seed}.py"
            file.write_text(text)
            calls = [
                ("driven", Call((("*given", f"({', '.join(call)},)" if call else "()"),)))
                for call in program.calls[:2]
            ]
            facts = oracle.facts(str(file), str(root), file.stem, calls)
            assert not facts.why, (seed, facts.why)
            found.add(compare(oracle, facts, Random(seed), sessions, length))
            drivers[driver] += 1
            file.unlink()
            if progress and (seed + 1) % 100 == 0:
                seconds = time.monotonic() - started
                sys.stderr.write(
                    f"{seed + 1 - seeds.start} programs, {found.commands.total()} commands, "
                    f"{len(found.wrong)} wrong, {seconds:.0f} s\n"
                )
    return found, drivers


def main() -> int:
    """Measure each interpreter, and print a line of JSON for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=10000, help="how many programs")
    parser.add_argument("--first", type=int, default=0, help="the first program's seed")
    parser.add_argument("--sessions", type=int, default=2, help="sessions for each call")
    parser.add_argument("--commands", type=int, default=12, help="commands in a session")
    parser.add_argument(
        "--python", action="append", default=[], help="interpreters; else all here from 3.11 on"
    )
    options = parser.parse_args()
    seeds = range(options.first, options.first + options.programs)
    wrong = 0
    chosen = [find_interpreter(named) for named in options.python] or [
        found for found in find_interpreters() if found.version >= (3, 11)
    ]
    for interpreter in chosen:
        started = time.monotonic()
        found, drivers = measure(
            interpreter.path, seeds, options.sessions, options.commands, progress=True
        )
        wrong += len(found.wrong)
        for one in found.wrong[:20]:
            sys.stderr.write(f"{one}\n")
        told = {
            "python": ".".join(map(str, interpreter.version)),
            "programs": len(seeds),
            "first_seed": seeds.start,
            "runs": found.runs,
            "states": found.states,
            "commands": {kind.value: found.commands[kind] for kind in ActionKind},
            "wrong": len(found.wrong),
            "history": found.history,
            "unsteady": found.unsteady,
            "drivers": dict(drivers),
            "seconds": round(time.monotonic() - started),
        }
        sys.stdout.write(json.dumps(told) + "\n")
        sys.stdout.flush()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
