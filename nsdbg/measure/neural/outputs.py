"""What a call returns, told by a network alone: step after step, or in one jump.

Nothing is executed, but to verify: then the call is run, and its value compared with those told.
The evaluator without a network stands beside it: what it can work out, the network need not know.
"""

from __future__ import annotations

import ast
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from nsdbg.claim import Call, Goal, Proposal, Status, Verdict
from nsdbg.errors import SourceError
from nsdbg.measure.inversion import recorded_call, value_goal, write_problem
from nsdbg.measure.neural.counting import Counts
from nsdbg.measure.neural.passing import ALONE, PASS_AT, VERIFIED, PassAt
from nsdbg.measure.problems import Problem
from nsdbg.measure.tally import spread
from nsdbg.propose.codec.seen import value_of
from nsdbg.propose.codec.situation import Situation
from nsdbg.propose.codec.view import View
from nsdbg.propose.evaluate import Program, Unknown, literal
from nsdbg.propose.neural.engine import Engine
from nsdbg.propose.neural.predict import Prediction, next_states, run
from nsdbg.report.measured import Number, Quantities, Table
from nsdbg.source import Subject
from nsdbg.state import Action, ActionKind, Event, Frame, State, Value

CHAINED, JUMP = "value, chained steps", "value, one jump (return)"
ENDED = "chained steps that ended"
EVALUATOR, COPY = "eval", "copy"
# A network that has lost its way walks in circles; such functions return within some 100 steps.
MOST_STEPS = 200

ANSWERS = max(PASS_AT)
RETURN = Action(ActionKind.RETURN)

Tell = Callable[[str], None]
Confirm = Callable[[Goal, Proposal], Verdict]


class Outputs:
    """Counts predicted return values over problems; `confirm` is who verifies, None for nobody."""

    def __init__(
        self, engine: Engine, folder: Path, confirm: Confirm | None = None, seed: int = 0
    ) -> None:
        self._engine, self._folder = engine, folder
        self._confirm, self._seed = confirm, seed
        verified = VERIFIED.values() if confirm is not None else ()
        self._counts = Counts([CHAINED, JUMP, ENDED, *ALONE.values(), *verified])
        self._passing = PassAt()
        self._seconds: list[float] = []
        self._steps: list[float] = []

    def run(self, problems: Sequence[Problem], tell: Tell) -> None:
        """Measure problems; what was counted stays when this is interrupted."""
        for number, problem in enumerate(problems):
            why = self._one(problem, number)
            if why:
                self._counts.left_out[why] += 1
            tell(f"{number + 1} of {len(problems)} problems")

    def tables(self) -> list[Table | Quantities]:
        """Return what was counted."""
        about = (
            "return values told without running anything. model only: one of its first k values is "
            "right, that of the chained steps first, then those of a jump, likeliest first; "
            "verified: running the call confirms one of these, which is then known to be right. "
            "eval: the evaluator alone, no network; copy: the first argument"
        )
        numbers = (
            Number("seconds of a problem, median", spread(self._seconds).median, "s"),
            Number("steps of a problem, median", spread(self._steps).median, ""),
        )
        table = self._counts.table("what a call returns", about)
        cost = Quantities("cost", "of the chained steps", numbers)
        return [table, self._passing.quantities(), cost]

    def _one(self, problem: Problem, number: int) -> str:
        """Measure one problem; return why it could not be asked, or nothing."""
        if problem.arguments is None:
            return "problems without a recorded call"
        try:
            subject = write_problem(problem, number, self._folder)
            values = _values(subject, problem.arguments)
            wanted = _shown(literal(problem.value))
        except (SourceError, Unknown, SyntaxError):
            return "problems whose code or recorded call cannot be read"
        told = self._ask(subject, values, wanted)
        self._pass(subject, recorded_call(subject, problem.arguments), told, wanted)
        given = [value for name, value in values.items() if not name.startswith("*")]
        self._counts.add(CHAINED, bool(given) and _shown(given[0]) == wanted, COPY)
        self._counts.add(CHAINED, _evaluated(subject, values) == wanted, EVALUATOR)
        return ""

    def _ask(
        self, subject: Subject, values: dict[str, object], wanted: Value | None
    ) -> list[Value]:
        """Count the value of the chained steps and that of a jump; return all values told."""
        view, started = View.of_subject(subject), time.perf_counter()
        start = called(subject, values)
        found = run(self._engine, view, start, most_steps=MOST_STEPS)
        self._seconds.append(time.perf_counter() - started)
        self._steps.append(found.steps)
        self._counts.add(CHAINED, found.value is not None and found.value == wanted)
        self._counts.add(ENDED, found.ended)
        jumps = [
            _returned(one)
            for one in next_states(self._engine, view, start, RETURN, ANSWERS, self._seed)
        ]
        self._counts.add(JUMP, bool(jumps) and jumps[0] is not None and jumps[0] == wanted)
        told = [value for value in (found.value, *jumps) if value is not None and value.literal]
        return list(dict.fromkeys(told))[:ANSWERS]

    def _pass(
        self, subject: Subject, call: Call, told: Sequence[Value], wanted: Value | None
    ) -> None:
        """Count whether one of the first k values is right, and whether running confirms one."""
        right = [value == wanted for value in told]
        self._passing.add(right)
        for k in PASS_AT:
            self._counts.add(ALONE[k], any(right[:k]))
        if self._confirm is None:
            return
        shown = next((at for at, value in enumerate(told, 1) if self._holds(subject, call, value)),
                     ANSWERS + 1)  # fmt: skip
        for k in PASS_AT:
            self._counts.add(VERIFIED[k], shown <= k)

    def _holds(self, subject: Subject, call: Call, value: Value) -> bool:
        """Say whether running the call confirms that it returns a value."""
        assert self._confirm is not None
        verdict = self._confirm(value_goal(subject, value.repr), Proposal(call, "neural"))
        return verdict.status is Status.CONFIRMED


def _returned(prediction: Prediction) -> Value | None:
    state = prediction.situation.state
    return state.arg if state.event is Event.RETURN else None


def _values(subject: Subject, arguments: str) -> dict[str, object]:
    """Return the arguments of a call, with the defaults of those left out; raises Unknown."""
    given = {name: literal(text) for name, text in recorded_call(subject, arguments).arguments}
    found: dict[str, object] = {}
    for parameter in subject.parameters:
        name = parameter.argument_name
        if name in given:
            found[name] = given[name]
        elif parameter.default is not None:
            found[name] = literal(parameter.default)
        elif name.startswith("*"):
            found[name] = {} if name.startswith("**") else ()
    return found


def called(subject: Subject, values: dict[str, object]) -> Situation:
    """Return the state in which a function was just called; raises Unknown for odd values."""
    assert subject.node is not None
    shown = tuple((name.lstrip("*"), _shown(value)) for name, value in values.items())
    pairs = tuple((name, value) for name, value in shown if value is not None)
    name = subject.ref.qualname.rpartition(".")[2]
    frame = Frame(subject.ref.file, subject.node.lineno, name, pairs)
    return Situation(State(Event.CALL, (frame,)), ((),))


def _shown(value: object) -> Value | None:
    return value_of(value)


def _evaluated(subject: Subject, values: dict[str, object]) -> Value | None:
    if not isinstance(subject.node, ast.FunctionDef):
        return None
    try:
        outcome = Program(subject.node, subject.tree).call(values)
    except Unknown:
        return None
    return None if outcome.error is not None else _shown(outcome.value)
