"""The examination of a crash: reading first, then, where that is allowed, runs.

One flow from a report to suspects and a reproducer; `inquiry` does the reading, `reproduce` and
`dynamic` the running.  Without runs the answer is the ranking that reading gives.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from nsdbg.claim import Stats
from nsdbg.crashlog.report import CrashReport, FrameKind
from nsdbg.localize.assume import Assumption, assumptions
from nsdbg.localize.clue import Clue, Mark
from nsdbg.localize.counterfactual import counterfactuals
from nsdbg.localize.dynamic import (
    Runs,
    counterfactual_clues,
    executed,
    run_neighbours,
    spectrum_clues,
)
from nsdbg.localize.history import history_clues
from nsdbg.localize.inquiry import (
    Entry,
    Inquiry,
    exceptions_by_need,
    inquire,
    parse_problem,
)
from nsdbg.localize.locate import LineStatus, LocatedFrame, locate
from nsdbg.localize.rank import Suspect, rank
from nsdbg.localize.surprise import surprise_clues
from nsdbg.localize.wrong.trials import with_trials
from nsdbg.propose.neural.model import Model
from nsdbg.reproduce import Crash, CrashFrame, Outcome, Reproduction, reproduce
from nsdbg.reproduce.recorded import constructed, fields_in
from nsdbg.rulebook import Rulebook
from nsdbg.source import MODULE
from nsdbg.state import Value
from nsdbg.workbench import Workbench

# What is kept of the budget for the neighbours of the reproducer.
FOR_NEIGHBOURS = 0.25
# What of it may be spent on slips that would make a failing test pass.
FOR_TRIALS = 0.4
# Assuming values takes some ten runs; a search's last round may have used up what was kept.
FOR_ASSUMPTIONS_S = 1.0
# Stands for a secret text that the log recorded.
PLACEHOLDER = "'redacted'"


@dataclass(frozen=True, slots=True)
class Examination:
    """What became of one crash.

    `suspects` are ranked, likely first.  `outcome` is None when nothing was run; `unrun` says why.
    `assumptions` are values in the place of calls that the guard blocked.  `python` is the
    interpreter that ran it.
    """

    report: CrashReport
    inquiry: Inquiry
    suspects: tuple[Suspect, ...]
    outcome: Outcome | None = None
    runs: Runs | None = None
    unrun: str | None = None
    assumptions: tuple[Assumption, ...] = ()
    python: Path | None = None

    @property
    def reproduction(self) -> Reproduction | None:
        """The best confirmed reproduction."""
        return self.outcome.best if self.outcome else None


def examine(
    report: CrashReport,
    roots: Sequence[Path],
    rulebook: Rulebook,
    *,
    bench: Workbench | None = None,
    budget_s: float = 0.0,
    seed: int = 0,
    packages: Sequence[Path] = (),
    progress: Callable[[str, Stats], None] | None = None,
    is_secret: Callable[[str, str], bool] = lambda name, text: False,
    model: Model | None = None,
) -> Examination:
    """Examine one crash; without a workbench nothing is run, without a model none is asked.

    A KeyboardInterrupt while code is run ends the running and keeps what was found.
    `is_secret` says of a local's name and text that it must not be used nor shown: texts are then
    replaced, and other values left out.
    """
    ends = time.perf_counter() + budget_s
    inquiry = inquire(locate(report, roots, packages), rulebook)
    inquiry = replace(inquiry, clues=(*inquiry.clues, *_history(inquiry)))
    if model is not None:
        surprises = surprise_clues(inquiry, model, is_secret)
        inquiry = replace(inquiry, clues=(*inquiry.clues, *surprises))
    still = tuple(inquiry.suspects)
    if bench is None:
        return Examination(report, inquiry, still, unrun="running was not asked for (--no-exec)")
    crash = crash_of(inquiry, roots, is_secret)
    if isinstance(crash, str):
        return Examination(report, inquiry, still, unrun=crash)
    crashes = [crash, *_what_it_became(inquiry, crash, roots, is_secret)]
    tried = _tried(inquiry, crash, bench, budget_s * FOR_TRIALS, seed)
    if tried is not None:
        inquiry = tried
        still = tuple(inquiry.suspects)
    left = min(budget_s * (1 - FOR_NEIGHBOURS), ends - time.perf_counter())
    outcome = _first_reproduced(crashes, bench, left, seed, progress)
    best = outcome.best
    python = bench.runner.interpreter.path
    found = Examination(report, inquiry, still, outcome, python=python)
    if outcome.stopped:
        return found
    if best is None:
        return _with_assumptions(found, bench, model, seed, ends)
    try:
        return _with_runs(found, bench, best, seed, ends, edits=tried is None)
    except KeyboardInterrupt:
        return replace(found, outcome=replace(outcome, stopped=True))


def _tried(
    inquiry: Inquiry, crash: Crash, bench: Workbench, seconds: float, seed: int
) -> Inquiry | None:
    """Return the inquiry with what runs of a failing test show; None where none could be run."""
    try:
        return with_trials(inquiry, crash, bench.options, seconds, seed)
    except KeyboardInterrupt:
        return None  # what follows is asked to stop as well, and keeps what there is


def _first_reproduced(
    crashes: Sequence[Crash],
    bench: Workbench,
    budget_s: float,
    seed: int,
    progress: Callable[[str, Stats], None] | None,
) -> Outcome:
    """Reproduce the first of several exceptions of one crash that can be, each with its share."""
    outcome = Outcome()
    for left, crash in zip(range(len(crashes), 0, -1), crashes, strict=True):
        share = (budget_s - outcome.seconds) / left
        one = reproduce(crash, bench, max(0.0, share), seed=seed, progress=progress)
        outcome = Outcome(
            one.reproductions, (*outcome.failures, *one.failures),
            outcome.seconds + one.seconds, one.stopped, outcome.spent or one.spent,
            (*outcome.tried, *one.tried),
        )  # fmt: skip
        if outcome.best is not None or outcome.stopped:
            break
    return outcome


def _with_assumptions(
    found: Examination, bench: Workbench, model: Model | None, seed: int, ends: float
) -> Examination:
    assert found.outcome is not None
    kept: list[Assumption] = []
    ends = max(ends, time.perf_counter() + FOR_ASSUMPTIONS_S)
    try:
        for one in assumptions(
            found.outcome, bench, model, seed, lambda: ends - time.perf_counter()
        ):
            kept.append(one)
    except KeyboardInterrupt:
        found = replace(found, outcome=replace(found.outcome, stopped=True))
    return replace(found, assumptions=tuple(kept))


def _with_runs(
    found: Examination, bench: Workbench, best: Reproduction, seed: int, ends: float, *, edits: bool
) -> Examination:
    """Add what runs of the reproducer show; `edits` are left out where slips were tried already."""
    runs = run_neighbours(
        best, bench.verifier, pure=bench.pure(best.level.subject), seed=seed,
        time_left=lambda: ends - time.perf_counter(),
    )  # fmt: skip
    clues = [*found.inquiry.clues, *spectrum_clues(runs), *counterfactual_clues(best, runs)]
    clues += [Clue(Mark.EXECUTED, *place, "the reproducer ran it") for place in
              sorted({(one.file, one.lineno) for one in found.suspects} & runs.lines)]  # fmt: skip
    suspects = executed(rank(clues), runs)
    others = [one.neighbour.start for one in runs.failing if one.neighbour is not None]
    if edits:
        clues += counterfactuals(
            best, others, suspects, bench.options, lambda: ends - time.perf_counter()
        )
        suspects = executed(rank(clues), runs)
    return replace(found, suspects=tuple(suspects), runs=runs)


def _history(inquiry: Inquiry) -> list[Clue]:
    """Return what version control says of the lines that are suspected anyway."""
    return history_clues([(one.file, one.lineno) for one in inquiry.suspects])


def crash_of(
    inquiry: Inquiry,
    roots: Sequence[Path] = (),
    is_secret: Callable[[str, str], bool] = lambda name, text: False,
) -> Crash | str:
    """Return what is to be reproduced, or why nothing can be.

    The frames are the own ones that are on disk without a gap, from the innermost outwards.
    """
    return _crash_of(exceptions_by_need(inquiry.located)[0], roots, is_secret)


def _what_it_became(
    inquiry: Inquiry,
    crash: Crash,
    roots: Sequence[Path],
    is_secret: Callable[[str, str], bool],
) -> list[Crash]:
    """Return the exception with which the program ended, where a cause went before it.

    What catches the cause, a decorator or the end of a generator, may stand between every call
    and the cause itself: then only what it became comes out.
    """
    first, *others = exceptions_by_need(inquiry.located)
    final = inquiry.located.report.final
    if first[0] is final:
        return []
    made = [_crash_of(one, roots, is_secret) for one in others if one[0] is final]
    return [one for one in made if isinstance(one, Crash) and one != crash]


def _crash_of(
    entry: Entry, roots: Sequence[Path], is_secret: Callable[[str, str], bool]
) -> Crash | str:
    raised, frames, place, _ = entry
    if raised.exception is None:
        return "the log ends before it names the exception"
    if place is not None:
        return "a file that does not parse has nothing to run: the line is named above"
    own = [one for one in frames if one.kind is FrameKind.USER]
    if not own:
        return "no frame of the log is your own code"
    kept: list[LocatedFrame] = []
    for frame in reversed(own):
        if frame.source_path is None or frame.function is None:
            break
        kept.insert(0, frame)
    if not kept:
        problem = parse_problem(own[-1])
        return problem or f"{own[-1].logged.file} could not be read"
    if kept[-1].status is LineStatus.CHANGED:
        return f"{kept[-1].logged.file} is not the version that crashed: {kept[-1].detail}"
    crashed = tuple(_frame(one, is_secret) for one in kept)
    return Crash(
        raised.exception, raised.message or "", crashed, len(own),
        folded=raised.repeated is not None, roots=tuple(roots),
    )  # fmt: skip


def _frame(located: LocatedFrame, is_secret: Callable[[str, str], bool]) -> CrashFrame:
    function = located.function or MODULE
    # A log may print the qualified name; code objects know the plain one.  A class body's frame
    # bears the class's name, whatever function its line belongs to.
    printed = (located.logged.function or function).rpartition(".")[2]
    return CrashFrame(
        str(located.source_path), located.lineno, function, printed,
        tuple(_literals(located.logged.locals, is_secret)),
        tuple(_literals(located.logged.arguments, is_secret)),
    )  # fmt: skip


def _literals(
    values: tuple[tuple[str, Value], ...] | None, is_secret: Callable[[str, str], bool]
) -> Iterator[tuple[str, str]]:
    for name, value in values or ():
        if not value.literal and (value.truncated or constructed(value.repr) is None):
            continue
        if any(is_secret(field or name, text) for field, text in fields_in(value.repr)):
            continue
        if not is_secret(name, value.repr):
            yield name, value.repr
        elif value.type == "str":
            yield name, PLACEHOLDER
