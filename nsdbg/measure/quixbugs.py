"""QuixBugs' faulty programs, their tests run, and where `localize` puts the faulty line.

A program is asked about at most twice: with its first test that crashes in it, and with its first
test that gets a wrong value from it.  Of a wrong value a traceback shows the test alone.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from math import comb
from pathlib import Path
from statistics import mean

from nsdbg.claim import Ending
from nsdbg.crashlog import read
from nsdbg.localize.locate import locate
from nsdbg.measure.failures import Ran, run_file
from nsdbg.measure.faulty import Faulty
from nsdbg.measure.localization import (
    PLACES,
    WHOLE,
    Failing,
    Placed,
    own_frames,
    placed,
    within,
    write_files,
)
from nsdbg.measure.neural.counting import Counts
from nsdbg.measure.tally import spread
from nsdbg.report.measured import Number, Quantities, Table
from nsdbg.rulebook import Rulebook
from nsdbg.source import first_line
from nsdbg.verify.runner import Runner

# After so many tests that do not end the others of a program would not, either.
MOST_ENDLESS = 3
TEST_FILE = "test_program.py"
LOG = "log"
ALL_FRAMES, BY_CALL = "through all own frames", "by a call of the program"
ROWS = {1: "told first", 3: "in the first 3", 5: "in the first 5"}


class Kind(Enum):
    """How a test of a faulty program fails."""

    CRASH = "crash"
    WRONG_VALUE = "wrong value"


ABOUT = {
    Kind.CRASH: "the program raises; lines of the test are left out. log: the lines of the "
    "traceback itself, innermost first, so that its first is the crash line",
    Kind.WRONG_VALUE: "the test's assertion fails, and no frame of the program is in the traceback",
}


@dataclass(frozen=True, slots=True)
class Asked:
    """A failing test that `localize` was asked about, and what came of it.

    `chance` is, for each of PLACES, the probability that a random order of the lines of the faulty
    function has a faulty one there or before.
    """

    program: str
    kind: Kind
    placed: Placed
    chance: tuple[float, ...]


class QuixBugs:
    """Asks about programs, one after the other; what was found stays when it is interrupted.

    `left_out` counts programs by why they were not asked about.
    """

    def __init__(
        self, folder: Path, runner: Runner, budget_s: float | None, seed: int, python: Path | None
    ) -> None:
        self.found: list[Asked] = []
        self.left_out: Counter[str] = Counter()
        self._folder, self._runner = folder.resolve(), runner
        self._budget_s, self._seed, self._python = budget_s, seed, python
        self._rulebook = Rulebook()
        self._runs = 0

    def run(self, programs: Sequence[Faulty], tell: Callable[[str], None]) -> None:
        """Run the tests of each program and ask about those that fail."""
        for number, program in enumerate(programs, 1):
            tell(f"{number} of {len(programs)} programs: {program.name}")
            failing, why = self._failures(program, number)
            if not failing:
                self.left_out[why] += 1
            for kind, one in failing.items():
                folder = self._folder / f"program_{number}"
                found = placed(one, folder, self._rulebook, self._budget_s, self._seed,
                               self._python)  # fmt: skip
                self.found.append(Asked(program.name, kind, found, _chance(program)))

    def tables(self) -> list[Table | Quantities]:
        """Return what was counted."""
        crashes = [one.placed for one in self.found if one.kind is Kind.CRASH]
        seconds = spread([one.placed.seconds for one in self.found])
        times = (Number("median", seconds.median, "s"), Number("95th percentile", seconds.p95, "s"))
        return [
            *self._ranked(Kind.CRASH), *self._ranked(Kind.WRONG_VALUE),
            *([_reproduction(crashes)] if self._budget_s is not None else []),
            Quantities("time", "of localize, for one failing test", times),
        ]  # fmt: skip

    def _ranked(self, kind: Kind) -> list[Table | Quantities]:
        asked = [one for one in self.found if one.kind is kind]
        left_out = self.left_out if kind is Kind.CRASH else Counter[str]()
        return [_ranking(kind, asked, left_out), _by_chance(kind, asked)]

    def _failures(self, program: Faulty, number: int) -> tuple[dict[Kind, Failing], str]:
        """Return the first failing test of each kind, or why there is none."""
        folder = self._folder / f"program_{number}"
        found: dict[Kind, Failing] = {}
        endings: Counter[Ending] = Counter()
        for test in program.tests:
            if len(found) == len(Kind) or endings[Ending.TIMED_OUT] == MOST_ENDLESS:
                break
            for text in test:
                ran = self._test(program, program.source, text, folder)
                if ran.traceback is not None and not self._meant(program, text, number):
                    continue  # the right program fails so, too: another variant is meant
                endings[ran.ending] += 1
                if ran.traceback is not None:
                    one = _failing(program, text, ran.traceback)
                    found.setdefault(_kind(one, folder), one)
                break
        return found, _why_none(endings)

    def _meant(self, program: Faulty, text: str, number: int) -> bool:
        """Whether the right program passes a test, where that is to be found out."""
        if program.right is None:
            return True
        ran = self._test(program, program.right, text, self._folder / f"right_{number}")
        return ran.traceback is None and ran.ending is Ending.RETURNED

    def _test(self, program: Faulty, source: str, text: str, folder: Path) -> Ran:
        write_files(((program.file, source), (TEST_FILE, text), *program.beside), folder)
        self._runs += 1
        teller = self._folder / "told" / f"told_{self._runs}.py"
        teller.parent.mkdir(exist_ok=True)
        return run_file(self._runner, folder / TEST_FILE, teller)


def _failing(program: Faulty, text: str, traceback: str) -> Failing:
    files = ((program.file, program.source), (TEST_FILE, text), *program.beside)
    faulty = frozenset((program.file, line) for line in program.lines)
    return Failing(program.name, files, traceback, faulty, frozenset({TEST_FILE}))


def _ranking(kind: Kind, asked: Sequence[Asked], left_out: Counter[str]) -> Table:
    counts = Counts(ROWS.values())
    counts.left_out = left_out
    for one in asked:
        for place, row in ROWS.items():
            counts.add(row, within([one.placed.place], place) == 1)
            counts.add(row, within([one.placed.baseline], place) == 1, LOG)
    return counts.table(f"faulty line, {kind.value}", ABOUT[kind])


def _by_chance(kind: Kind, asked: Sequence[Asked]) -> Quantities:
    """Return what a random order of the function's lines would reach on average."""
    shares = [100 * mean(one.chance[at] for one in asked) if asked else None
              for at in range(len(PLACES))]  # fmt: skip
    numbers = (Number(row, share, "%") for row, share in zip(ROWS.values(), shares, strict=True))
    return Quantities(
        f"faulty line by chance, {kind.value}",
        "where a random order of the lines of the same functions would put it", tuple(numbers),
    )  # fmt: skip


def _reproduction(crashes: Sequence[Placed]) -> Table:
    counts = Counts([ALL_FRAMES, BY_CALL])
    for one in crashes:
        counts.add(ALL_FRAMES, one.reproduced == WHOLE)
        counts.add(BY_CALL, one.by_call)
    return counts.table(
        "crashes reproduced", "confirmed by two runs; a call of the program itself needs no test"
    )


def _kind(failing: Failing, folder: Path) -> Kind:
    """Say whether the program raised, or the test did, of what the program had given it."""
    located = locate(next(iter(read(failing.traceback.encode()))), [folder])
    innermost = own_frames(located, folder)[:1]
    return Kind.WRONG_VALUE if innermost and innermost[0][0] == TEST_FILE else Kind.CRASH


def _why_none(endings: Counter[Ending]) -> str:
    if endings[Ending.TIMED_OUT]:
        return "programs whose failing tests do not end"
    others = [one.value for one in endings if one is not Ending.RETURNED]
    if others:
        return f"programs whose tests could not be run ({', '.join(sorted(others))})"
    return "programs whose tests all pass, or that have none"


def _chance(program: Faulty) -> tuple[float, ...]:
    """Return the chance of a random line of the function around the fault, for each of PLACES."""
    lines = _lines_around(ast.parse(program.source), program.lines)
    faulty = len(program.lines)
    return tuple(
        1 - comb(max(0, len(lines) - faulty), place) / comb(len(lines), place)
        if place <= len(lines) else 1.0
        for place in PLACES
    )  # fmt: skip


def _lines_around(tree: ast.Module, faulty: frozenset[int]) -> set[int]:
    """Return the lines at which a statement begins in the outermost function with a faulty line."""
    found = set(faulty)
    for node in tree.body:
        span = range(first_line(node), (node.end_lineno or node.lineno) + 1)
        if any(line in span for line in faulty):
            found |= {first_line(one) for one in ast.walk(node)
                      if isinstance(one, ast.stmt) and one is not node}  # fmt: skip
    return found
