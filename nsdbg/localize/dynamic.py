"""The evidence of runs: what the reproducer executed, its spectrum, and counterfactuals.

Everything here was executed by the verifier; nothing is a verdict on a line, only a clue.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path

from nsdbg.claim import ExceptionClaim, Proposal, Reason, Status, Verdict
from nsdbg.localize.clue import Clue, Mark
from nsdbg.localize.rank import Suspect
from nsdbg.reproduce import Reproduction
from nsdbg.reproduce.neighbours import Neighbour, neighbours
from nsdbg.solve import Judging
from nsdbg.source import MODULE

MOST_NEIGHBOURS = 64
AT_ONCE = 16
# A line of a function that ran, and that the crash never came to, is hardly the cause.
NOT_EXECUTED = 0.25

Line = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Ran:
    """A neighbour and what its run showed: whether it failed alike, and which lines ran.

    `neighbour` is None for another test.
    """

    neighbour: Neighbour | None
    failed: bool
    lines: frozenset[Line]


@dataclass(frozen=True, slots=True)
class Runs:
    """The reproducer's lines, and the neighbours that failed alike or passed; others are left out.

    `possible` are the lines of the files that could have run.
    """

    lines: frozenset[Line]
    possible: frozenset[Line]
    ran: tuple[Ran, ...] = ()

    @property
    def passing(self) -> list[Ran]:
        """The neighbours that did not raise at all."""
        return [one for one in self.ran if not one.failed]

    @property
    def failing(self) -> list[Ran]:
        """The neighbours that crashed in the same way."""
        return [one for one in self.ran if one.failed]


def run_neighbours(
    reproduction: Reproduction,
    verifier: Judging,
    *,
    pure: bool,
    seed: int,
    time_left: Callable[[], float],
) -> Runs:
    """Run the neighbours of a reproducer, as many as the time allows."""
    evidence = reproduction.verdict.evidence
    lines = _lines(reproduction.verdict)
    possible = frozenset((one.file, line) for one in evidence.coverage for line in one.possible)
    found: list[Ran] = []
    todo = list(neighbours(reproduction.verdict.proposal.start, seed))[:MOST_NEIGHBOURS]
    # The same exception at the same place: its message may speak of the changed value.
    exact = reproduction.level.goal
    claim = ExceptionClaim(exact.exception.type) if exact.exception else None
    goal = replace(exact, exception=claim)
    while todo and time_left() > 0:
        now, todo = todo[:AT_ONCE], todo[AT_ONCE:]
        proposals = [Proposal(one.start, f"neighbour:{seed}") for one in now]
        verdicts = verifier.screen(goal, proposals, pure=pure, guided=False)
        found += [ran for one, verdict in zip(now, verdicts, strict=True)
                  if (ran := _ran(one, verdict)) is not None]  # fmt: skip
    return Runs(lines, possible, tuple(found))


def _ran(neighbour: Neighbour, verdict: Verdict) -> Ran | None:
    failed = verdict.reason is Reason.NOT_REPEATED or verdict.status is Status.CONFIRMED
    passed = verdict.reason is Reason.NO_EXCEPTION and verdict.evidence.raised is None
    if not (failed or passed):
        return None
    return Ran(neighbour, failed, _lines(verdict))


def _lines(verdict: Verdict) -> frozenset[Line]:
    return frozenset((one.file, line) for one in verdict.evidence.coverage for line in one.lines)


def spectrum_clues(runs: Runs, failed: str = "crashing", what: str = "runs") -> Iterator[Clue]:
    """Yield lines that failing runs covered more often than passing ones.

    Ochiai's coefficient (Abreu et al., 2007): failing / sqrt(all failing * all that covered it).
    A line that always runs has some value too; only what is above it counts.
    """
    if not runs.passing:
        return
    failing = [runs.lines, *(one.lines for one in runs.failing)]
    passing = [one.lines for one in runs.passing]
    always = math.sqrt(len(failing) / (len(failing) + len(passing)))
    for line in sorted(frozenset().union(*failing)):
        ef = sum(line in lines for lines in failing)
        ep = sum(line in lines for lines in passing)
        ochiai = ef / math.sqrt(len(failing) * (ef + ep))
        scale = (ochiai - always) / (1.0 - always)
        if scale > 0.0:
            text = (
                f"ran in {ef} of {len(failing)} {failed} and {ep} of {len(passing)} passing {what}"
            )
            yield Clue(Mark.ONLY_FAILING, *line, text, min(1.0, scale))


def counterfactual_clues(reproduction: Reproduction, runs: Runs) -> Iterator[Clue]:
    """Yield the places that gave an argument with whose change the crash was gone."""
    passing = [one.neighbour for one in runs.passing if one.neighbour is not None]
    for name in dict.fromkeys(one.argument for one in passing):
        passed = next(one for one in passing if one.argument == name)
        was, now = apart(passed.was, passed.now)
        text = f"with `{name.lstrip('*')}` = {now} instead of {was} it does not crash"
        level = reproduction.level
        if level.caller is not None and level.caller.function != MODULE:
            yield Clue(Mark.CRASH_GONE, level.caller.file, level.caller.lineno, text)
        elif level.subject.node is not None:
            entry = level.subject.node
            yield Clue(Mark.CRASH_GONE, level.subject.ref.file, entry.lineno, text, 0.1)


def apart(*texts: str, limit: int = 40) -> list[str]:
    """Shorten texts to where they differ."""
    lines = [text.rstrip("\n").replace("\n", "\\n") for text in texts]
    same = list(takewhile(lambda parts: len(set(parts)) == 1, zip(*lines, strict=False)))
    first = max(0, len(same) - limit // 2)
    first = first if any(len(line) > limit for line in lines) else 0
    head = "..." if first else ""
    cut = [head + line[first:] for line in lines]
    return [line if len(line) <= limit else line[: limit - 3] + "..." for line in cut]


def executed(suspects: Sequence[Suspect], runs: Runs) -> list[Suspect]:
    """Lower the suspects that the reproducer did not execute although their function ran."""
    spans = _spans_that_ran(runs)
    lowered = []
    for one in suspects:
        line = (one.file, one.lineno)
        inside = any(file == one.file and first < one.lineno <= last for file, first, last in spans)
        if line in runs.possible and line not in runs.lines and inside:
            lowered.append(Suspect(one.file, one.lineno, round(one.score * NOT_EXECUTED, 4),
                                   one.clues))  # fmt: skip
        else:
            lowered.append(one)
    return sorted(lowered, key=lambda one: -one.score)


def _spans_that_ran(runs: Runs) -> list[tuple[str, int, int]]:
    """Return the functions, as spans of lines, in which the reproducer executed something."""
    from nsdbg.errors import SourceError
    from nsdbg.source import parse_source

    spans = []
    for file in sorted({file for file, _ in runs.lines}):
        try:
            _, tree = parse_source(Path(file))
        except SourceError:
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                first, last = node.lineno, node.end_lineno or node.lineno
                if any(one == file and first < line <= last for one, line in runs.lines):
                    spans.append((file, first, last))
    return spans
