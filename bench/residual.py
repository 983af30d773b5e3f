"""Is anything shown as CONFIRMED that is not so?  An adversarial proposer, held against the oracle.

Run as `python bench/residual.py [--proposals 100000] [--minutes M] [--seed N] [--python PATH]`.
Programs are generated ones by seed, and a fifth of the time those of `tests/targets` that are
written to mislead.  What the screen lets through is confirmed, and a share of what it refused; what
is CONFIRMED is held against plain `bdb` in interpreters with other hash seeds, locales, time zones
and dates.  Ends with status 1 when anything was wrong.  Ctrl-C prints what is known so far, and
`--from` goes on at a later program.
"""

from __future__ import annotations

import argparse
import json
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from types import ModuleType

import nsdbg
from nsdbg.claim import Call, Middle, Proposal, Status, Verdict
from nsdbg.measure.hallucination.judged import Borne
from nsdbg.measure.oracle.liar import Liar, Told, call_of
from nsdbg.measure.oracle.oracle import Oracle
from nsdbg.programs import Level, generate
from nsdbg.source import Subject, load_subject
from nsdbg.verify.interpreters import find_interpreter
from nsdbg.verify.runner import Runner, RunnerConfig
from nsdbg.verify.verifier import Verifier

TARGETS = Path(__file__).parent.parent / "tests" / "targets"
MISLEADING = (
    "lies.py", "treacherous.py", "remembering.py", "changing.py", "by_name.py", "keeping.py",
    "behind.py", "behind_called.py", "behind_libraries.py",
)  # fmt: skip
EVERY = 30
# What the screen refused is confirmed all the same so often.
SHARE = 0.04
# And after so many refutations the liar says what the verdict told it.
ECHOES = 0.1


@dataclass(slots=True)
class Counts:
    """What came of the proposals; `wrong` says what was CONFIRMED and is not so."""

    judged: int = 0
    programs: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    ways: Counter[tuple[str, str]] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    borne: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def add(self, way: str, verdict: Verdict) -> None:
        """Count a verdict."""
        self.judged += 1
        self.statuses[verdict.status.value] += 1
        self.ways[way, verdict.status.value] += 1
        self.reasons[verdict.reason.slug] += 1


class Trial:
    """Judges what the liar tells of one program."""

    def __init__(self, verifier: Verifier, oracle: Oracle, seed: int, counts: Counts) -> None:
        self._verifier, self._oracle = verifier, oracle
        self._draw = Random(seed)
        self._counts = counts

    def program(self, calls: list[tuple[Subject, Call]], seed: int, lies: int, most: int) -> None:
        """Judge what is told of a program whose functions are called so, up to so many in all."""
        ref = calls[0][0].ref
        made = [(subject.ref.qualname, call) for subject, call in calls]
        facts = self._oracle.facts(ref.file, ref.root, ref.module, made)
        subjects = [subject for subject, _ in calls]
        liar = Liar(self._oracle, facts, subjects, seed)
        for told in liar.tell(lies):
            for again in self._judge(told, liar):
                list(self._judge(again, liar))
            if self._counts.judged >= most:
                break
        self._counts.programs += 1

    def _judge(self, told: Told, liar: Liar) -> Iterator[Told]:
        """Judge proposals, and yield what a liar makes of the verdicts."""
        screened = self._verifier.screen(told.goal, told.proposals, pure=True, guided=False)
        for proposal, verdict in zip(told.proposals, screened, strict=True):
            final = verdict
            if verdict.evidence.distance == 0.0 or self._draw.random() < SHARE:
                final = self._verifier.confirm(told.goal, proposal)
            self._counts.add(told.way, final)
            if final.status is Status.CONFIRMED:
                self._hold(told, proposal, liar)
            elif final.status is Status.REFUTED and self._draw.random() < ECHOES:
                again = liar.echo(told, final)
                if again is not None:
                    yield again

    def _hold(self, told: Told, proposal: Proposal, liar: Liar) -> None:
        """Hold against the oracle what was confirmed."""
        borne = self._oracle.borne_out(told.goal, proposal, liar.facts)
        kind = "middle" if isinstance(proposal.start, Middle) else "call"
        self._counts.borne[f"{kind}: {borne.value}"] += 1
        if borne is Borne.WRONG:
            self._counts.wrong.append(f"{told.way}: {told.goal}\n    {proposal}")
            sys.stderr.write(f"WRONG {self._counts.wrong[-1]}\n")


def misleading(seed: int) -> Path | None:
    """Return the target that is written to mislead, where a seed stands for one."""
    place = seed % EVERY
    return TARGETS / MISLEADING[place] if place < len(MISLEADING) else None


def calls_of(file: Path, seed: int) -> list[tuple[Subject, Call]]:
    """Write a program into a file, and return calls of its functions."""
    target = misleading(seed)
    if target is not None:
        shutil.copy(target, file)
        module = sys.modules[file.stem] = ModuleType(file.stem)  # where records look for it
        exec(compile(file.read_text(), str(file), "exec"), vars(module))
        wanted: list[tuple[str, list[str]]] = module.CALLS
        del sys.modules[file.stem]
        chosen = Random(seed).sample(wanted, min(8, len(wanted)))
    else:
        levels = (Level.LINES, Level.PROGRAM, Level.OPERATION, Level.PROGRAM)
        program = generate(seed, levels[seed % len(levels)])
        file.write_text(program.text)
        chosen = [(program.entry, list(call)) for call in program.calls]
    found = []
    for name, given in chosen:
        subject = load_subject(file, name)
        found.append((subject, call_of(subject, given)))
    return found


def measure(
    python: Path, proposals: int, seed: int, minutes: float, lies: int, counts: Counts,
    progress: bool = False,
) -> int:  # fmt: skip
    """Judge so many proposals, or for so long; return the seed of the next program."""
    end = time.monotonic() + 60 * minutes
    started = said = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        root = Path(name).resolve()
        root.chmod(0o755)
        with (
            Runner(RunnerConfig(python=python, roots=(root,))) as runner,
            Oracle(python, hash_seed=1000 + seed) as careful,
            Oracle(python, hash_seed=2000 + seed, trusted=True) as quick,
        ):
            verifier = Verifier(runner, screen_budget_s=60.0)
            while counts.judged < proposals and time.monotonic() < end:
                file = root / f"told{seed}.py"
                oracle = careful if misleading(seed) else quick
                trial = Trial(verifier, oracle, seed, counts)
                trial.program(calls_of(file, seed), seed, lies, proposals)
                file.unlink()
                seed += 1
                if progress and time.monotonic() > said + 30:
                    said = time.monotonic()
                    sys.stderr.write(
                        f"{counts.judged} judged, {len(counts.wrong)} wrong, next seed {seed}, "
                        f"{dict(counts.statuses)}, {said - started:.0f} s\n"
                    )
    return seed


def report(counts: Counts, python: str, first: int, seed: int, seconds: float) -> str:
    """Return what came out, as JSON."""
    ways: dict[str, dict[str, int]] = {}
    for (way, status), count in sorted(counts.ways.items()):
        ways.setdefault(way, {})[status] = count
    told = {
        "nsdbg": nsdbg.__version__,
        "python": python,
        "seeds": [first, seed - 1],
        "programs": counts.programs,
        "judged": counts.judged,
        "wrong": len(counts.wrong),
        **counts.statuses,
        "oracle": dict(sorted(counts.borne.items())),
        "ways": ways,
        "reasons": dict(counts.reasons.most_common()),
        "seconds": round(seconds),
    }
    return json.dumps(told, indent=2)


def main() -> int:
    """Measure, and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--proposals", type=int, default=100000, help="how many to judge")
    parser.add_argument("--minutes", type=float, default=600.0, help="stop after so long")
    parser.add_argument("--seed", "--from", type=int, default=0, help="the first program's seed")
    parser.add_argument("--lies", type=int, default=4, help="about how many for each truth")
    parser.add_argument("--python", help="the target's interpreter")
    options = parser.parse_args()
    interpreter = find_interpreter(options.python)
    counts, started = Counts(), time.monotonic()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    seed = options.seed
    try:
        seed = measure(
            interpreter.path, options.proposals, options.seed, options.minutes, options.lies,
            counts, progress=True,
        )  # fmt: skip
    except KeyboardInterrupt:
        seed += counts.programs
    version = ".".join(map(str, interpreter.version))
    seconds = time.monotonic() - started
    sys.stdout.write(report(counts, version, options.seed, seed, seconds) + "\n")
    return 1 if counts.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
