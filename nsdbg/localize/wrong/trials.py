"""Trials: the failing test run under the guard, as it is and with slips in the code it judges.

Where the test passes with one thing written otherwise, that line has a hand in the wrong value
(Papadakis and Le Traon, "Metallaxis-FL", 2015; Moon et al., "Ask the mutants", 2014).  All
variants are run by one process of the target's interpreter; the user's files are never changed.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from nsdbg.claim import Call, Goal, Script, Site
from nsdbg.localize.clue import Clue, Mark
from nsdbg.localize.dynamic import Ran, Runs, spectrum_clues
from nsdbg.localize.inquiry import Inquiry
from nsdbg.localize.wrong.callees import WrongValue
from nsdbg.localize.wrong.influence import Line, Part, influence_clues, parts
from nsdbg.localize.wrong.slips import Slip, Slips
from nsdbg.reproduce import Crash, Level, levels
from nsdbg.reproduce.fromlog import starts
from nsdbg.source import MODULE, load_subject
from nsdbg.state import Event
from nsdbg.verify.runner import Runner, RunnerConfig
from nsdbg.workbench import Options

WORKER = Path(__file__).parent / "plain" / "trying.py"
MARK = "=== nsdbg: what the test did follows ===\n"
PASSED, FAILED = "passed", "failed"
MOST_VARIANTS = 600
LONGEST_S = 4.0
# What the process takes beyond its own clock: its imports, and the last variant.
GRACE_S = 4.0
# A slip with which the test passes tells less where slips on many lines do the same.
COMMON = 0.6
# What is taken off when all the tests that passed fail with it.
BREAKS = 0.9


@dataclass(frozen=True, slots=True)
class Trial:
    """A slip of a statement, and how the test ended with it; None when it was not run.

    `broken` counts the other tests, which pass, that fail with the slip.
    """

    part: Part
    slip: Slip
    ending: str | None = None
    broken: int = 0

    @property
    def line(self) -> Line:
        """The line of the slip itself, which may be a further one of its statement."""
        return (self.part.callee.code.path, self.slip.lineno)

    @property
    def passed(self) -> bool:
        """Whether the test passed."""
        return self.ending == PASSED


@dataclass(frozen=True, slots=True)
class Trials:
    """What the failing test executed, and what became of it with each slip.

    `passing` and `failing` are the lines of the other tests of its module.
    """

    executed: frozenset[Line]
    trials: tuple[Trial, ...] = ()
    passing: tuple[frozenset[Line], ...] = ()
    failing: tuple[frozenset[Line], ...] = ()


def try_slips(
    wrong: WrongValue, crash: Crash, options: Options, seconds: float, seed: int = 0
) -> Trials | None:
    """Run the failing test, and again with slips; None when it does not fail so by itself.

    seconds: of wall time for all; what is not run by then is left out.
    """
    planned = _planned(wrong)
    ends = time.perf_counter() + seconds
    for start in _starts(crash):
        left = min(LONGEST_S, ends - time.perf_counter())
        if left <= 0:
            break
        place = [wrong.site.spot.code.path, wrong.site.frame.lineno]
        orders = {
            "start": start, "roots": [str(one.resolve()) for one in options.roots],
            "place": place, "seconds": left, "seed": seed,
            "variants": [_order(one) for one in planned],
            "files": sorted({one.part.callee.code.path for one in planned}),
        }  # fmt: skip
        answer = _run(orders, options, left)
        if answer and answer[0][0] == FAILED:
            return _trials(planned, answer)
    return None


def _trials(planned: Sequence[Trial], answer: Sequence[Any]) -> Trials:
    others = answer[1] if len(answer) > 1 else []
    ran = zip(planned, answer[2:], strict=False)
    return Trials(
        _lines(answer[0][1]),
        tuple(Trial(one.part, one.slip, *told) for one, told in ran if told is not None),
        tuple(_lines(found) for ending, found in others if ending == PASSED),
        tuple(_lines(found) for ending, found in others if ending == FAILED),
    )


def _lines(found: Sequence[Any]) -> frozenset[Line]:
    return frozenset((file, line) for file, lines in found for line in lines)


def _planned(wrong: WrongValue) -> list[Trial]:
    """Return the slips to be tried: the telling ones first, and of those the near ones."""
    found: list[Trial] = []
    seen: set[Line] = set()
    for callee in wrong.callees:
        for part in parts(callee):
            if part.line in seen:
                continue
            seen.add(part.line)
            slips = Slips(part.callee.code.text)
            found += [Trial(part, one) for one in slips.of(part.statement, part.callee.function)]
    found.sort(key=lambda one: (-one.slip.scale, -one.part.nearness * one.part.callee.sureness))
    return found[:MOST_VARIANTS]


def _order(one: Trial) -> list[Any]:
    slip = one.slip
    return [one.part.callee.code.path, slip.lineno, slip.end_lineno, slip.first, slip.end,
            slip.inside]  # fmt: skip


def _starts(crash: Crash) -> Iterator[dict[str, Any]]:
    """Yield how the test may be run: by its outermost own frame, else by one further in."""
    for level in reversed(list(levels(crash))):
        for start in dict.fromkeys(starts(level)):
            if isinstance(start, Call | Script):
                yield _start(level, start)


def _start(level: Level, start: Call | Script) -> dict[str, Any]:
    ref = level.subject.ref
    call = start if isinstance(start, Call) else Call()
    return {"file": ref.file, "root": ref.root, "module": ref.module, "qualname": ref.qualname,
            "arguments": [list(one) for one in call.arguments],
            "imports": list(call.imports)}  # fmt: skip


def _run(orders: dict[str, Any], options: Options, seconds: float) -> list[Any]:
    """Run the worker in the sandbox; return its answers, as far as it came."""
    with tempfile.TemporaryDirectory(prefix="nsdbg-") as folder:
        base = Path(folder).resolve()
        base.chmod(0o755)  # the sandbox runs targets as another user
        worker, told = base / "nsdbg_trying.py", base / "orders.json"
        worker.write_text(WORKER.read_text(encoding="utf-8"), encoding="utf-8")
        told.write_text(json.dumps(orders), encoding="utf-8")
        ref = load_subject(worker, MODULE, base).ref
        goal = Goal(ref, Event.RETURN, (Site(ref.file, None, MODULE),))
        config = RunnerConfig(
            python=options.python, roots=(*options.roots, base), allow=options.allow,
            weak_ok=options.weak_ok, limit_s=seconds + GRACE_S,
        )  # fmt: skip
        with Runner(config) as runner:
            seen = runner.single(goal, Script((str(told),)), trace=False)
    return list(_answers(seen.output.rpartition(MARK)[2]))


def _answers(text: str) -> Iterator[Any]:
    for line in text.splitlines():
        try:
            yield json.loads(line)
        except ValueError:
            return  # the run was ended, or its output cut, in the middle of a line


def trial_clues(wrong: WrongValue, trials: Trials) -> Iterator[Clue]:
    """Yield the lines with a part in the wrong value that ran, and those with a slip that helps."""
    yield from influence_clues(wrong.callees, trials.executed)
    yield from _spectrum(trials)
    best: dict[Line, Trial] = {}
    for one in trials.trials:
        known = best.get(one.line)
        if one.passed and (known is None or _telling(known, trials) < _telling(one, trials)):
            best[one.line] = one
    tried = {one.line for one in trials.trials}
    for line, one in best.items():
        scale = _telling(one, trials) * (1.0 - COMMON * (len(best) - 1) / len(tried))
        text = f"with `{_short(one.slip.now)}` instead of `{_short(one.slip.was)}` the test passes"
        if one.broken:
            text += f", and {one.broken} of {len(trials.passing)} others fail"
        yield Clue(Mark.TEST_PASSES, *line, text, scale)


def _telling(one: Trial, trials: Trials) -> float:
    """How telling a slip with which the test passes is: little, if others then fail."""
    return one.slip.scale * (1.0 - BREAKS * one.broken / max(1, len(trials.passing)))


def _spectrum(trials: Trials) -> Iterator[Clue]:
    """Yield lines that failing tests of the module run more often than passing ones."""
    runs = Runs(
        trials.executed, trials.executed,
        tuple(Ran(None, failed, lines) for failed, several in
              ((True, trials.failing), (False, trials.passing)) for lines in several),
    )  # fmt: skip
    yield from spectrum_clues(runs, "failing", "tests")


def _short(text: str, limit: int = 40) -> str:
    return text if len(text) <= limit else text[: limit - 3] + "..."


def with_trials(
    inquiry: Inquiry, crash: Crash, options: Options, seconds: float, seed: int
) -> Inquiry | None:
    """Return an inquiry with what runs of the failing test show; None where none could be run.

    What they executed tells better than the text alone which lines had a part in the value.
    """
    if inquiry.wrong is None:
        return None
    trials = try_slips(inquiry.wrong, crash, options, seconds, seed)
    if trials is None:
        return None
    kept = [one for one in inquiry.clues if one.mark is not Mark.WRONG_VALUE]
    return replace(inquiry, clues=(*kept, *trial_clues(inquiry.wrong, trials)))
