"""Which arguments give a result, by a network alone: any of its first 1, 5 and 10 answers.

Each answer is run; a match counts when it is confirmed.  No rules, no search, no climbing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from nsdbg.claim import Call, Goal, Proposal, Reason, Status
from nsdbg.errors import SourceError
from nsdbg.measure.inversion import value_goal, write_problem
from nsdbg.measure.neural.counting import Counts
from nsdbg.measure.neural.passing import ALONE, PASS_AT, VERIFIED, PassAt
from nsdbg.measure.problems import Problem
from nsdbg.measure.tally import spread
from nsdbg.propose.codec import arguments
from nsdbg.propose.codec.view import View
from nsdbg.propose.evaluate import Unknown, literal
from nsdbg.propose.inversion.forward import Forward
from nsdbg.propose.neural.engine import Engine
from nsdbg.propose.neural.proposer import LONGEST
from nsdbg.proposer import Proposer
from nsdbg.report.measured import Number, Quantities, Table
from nsdbg.solve import Judging
from nsdbg.source import Subject

SAMPLES = 10
TEMPERATURE = 0.8
COPY, RULES = "copy", "rules"

Tell = Callable[[str], None]


class Inputs:
    """Counts confirmed arguments over problems; `rules` is the proposer of the baseline."""

    def __init__(
        self, engine: Engine, verifier: Judging, rules: Proposer, folder: Path, seed: int
    ) -> None:
        self._engine, self._verifier, self._rules = engine, verifier, rules
        self._folder, self._seed = folder, seed
        self._counts = Counts([*ALONE.values(), *VERIFIED.values()])
        self._passing = PassAt()
        self._seconds: list[float] = []

    def run(self, problems: Sequence[Problem], pure: Callable[[Subject], bool], tell: Tell) -> None:
        """Measure problems; what was counted stays when this is interrupted."""
        for number, problem in enumerate(problems):
            try:
                subject = write_problem(problem, number, self._folder)
            except SourceError:
                self._counts.left_out["problems whose code cannot be read"] += 1
                continue
            self._one(subject, value_goal(subject, problem.value), pure(subject))
            tell(f"{number + 1} of {len(problems)} problems")

    def tables(self) -> list[Table | Quantities]:
        """Return what was counted."""
        about = (
            "model only: one of its first k answers is right, likeliest first; verified: one of "
            "the first k is confirmed, in the order that the evaluator puts them in, and is known "
            "to be right. copy: the result for each parameter; rules: the first k of the rules"
        )
        seconds = Number("seconds of 10 samples, median", spread(self._seconds).median, "s")
        table = self._counts.table("arguments for a result", about)
        return [
            table,
            self._passing.quantities(),
            Quantities("cost", "drawing alone, nothing run", (seconds,)),
        ]

    def _one(self, subject: Subject, goal: Goal, pure: bool) -> None:
        started = time.perf_counter()
        view = View.of_subject(subject)
        prompt = arguments.prompt(view, goal)
        [samples] = self._engine.sample([prompt], SAMPLES, self._seed, TEMPERATURE, LONGEST)
        self._seconds.append(time.perf_counter() - started)
        found = [arguments.read(view, goal, one.ids) for one in samples]
        calls = [None if one is None else _call(subject, one) for one in found]
        confirmed = self._confirmed(goal, calls, pure)
        check = Forward(goal, subject)
        ranked = sorted((at for at, one in enumerate(found) if one is not None),
                        key=lambda at: _rank(check, found[at] or ()))  # fmt: skip
        self._passing.add(confirmed)
        for k in PASS_AT:
            self._counts.add(ALONE[k], any(confirmed[:k]))
            self._counts.add(VERIFIED[k], any(confirmed[at] for at in ranked[:k]))
        self._without_network(subject, goal, pure)

    def _without_network(self, subject: Subject, goal: Goal, pure: bool) -> None:
        """Count what the baselines reach."""
        assert goal.value is not None
        same = _call(subject, tuple((one.name, goal.value) for one in subject.parameters))
        self._counts.add(ALONE[1], any(self._confirmed(goal, [same], pure)), COPY)
        session = self._rules.start(goal, subject, self._seed)
        told = [one.start if isinstance(one.start, Call) else None for one in session.ask(SAMPLES)]
        solved = self._confirmed(goal, told, pure)
        for k in PASS_AT:
            self._counts.add(ALONE[k], any(solved[:k]), RULES)

    def _confirmed(self, goal: Goal, calls: Sequence[Call | None], pure: bool) -> list[bool]:
        """Return which calls are confirmed."""
        proposals = {at: Proposal(call, "neural") for at, call in enumerate(calls) if call}
        verdicts = self._verifier.screen(goal, list(proposals.values()), pure=pure, guided=False)
        solved = [False] * len(calls)
        for (at, proposal), verdict in zip(proposals.items(), verdicts, strict=True):
            if verdict.reason is Reason.NOT_REPEATED:
                final = self._verifier.confirm(goal, proposal)
                solved[at] = final.status is Status.CONFIRMED
        return solved


def _call(subject: Subject, given: Sequence[tuple[str, str]]) -> Call | None:
    """Return the call; None when an argument is none of the function's."""
    names = {one.name: one.argument_name for one in subject.parameters}
    if not {name for name, _ in given} <= names.keys():
        return None
    return Call(tuple((names[name], text) for name, text in given))


def _rank(check: Forward, given: Sequence[tuple[str, str]]) -> int:
    try:
        agrees = check.agrees({name: literal(text) for name, text in given})
    except Unknown:
        agrees = None
    return {True: 0, None: 1, False: 2}[agrees]
