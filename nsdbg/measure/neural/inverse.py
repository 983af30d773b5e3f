"""One step back: the earlier states that a network tells, each confirmed by running from it.

Problems are states of held-out functions whose recorded predecessor is confirmed as well: where it
is not (an object without text, a module that is not there), nobody's answer could be.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from nsdbg.claim import ExceptionClaim, Goal, Middle, Proposal, Site, Status, Verdict
from nsdbg.measure.neural.counting import Counts
from nsdbg.measure.neural.held import Held, Run
from nsdbg.measure.neural.modules import Modules
from nsdbg.propose.codec import backward
from nsdbg.propose.codec.alike import same_locals
from nsdbg.propose.codec.situation import Situation
from nsdbg.propose.codec.view import View
from nsdbg.propose.neural import situations
from nsdbg.propose.neural.engine import Engine
from nsdbg.propose.neural.leads import leads
from nsdbg.propose.neural.proposer import LONGEST
from nsdbg.proposer import Proposer
from nsdbg.report.measured import Table
from nsdbg.source import Subject
from nsdbg.state import Action, ActionKind, Event, State

SAMPLES = 8
TEMPERATURE = 1.0
FIRST, ORDERED, ANY = "first sample", "first by the evaluator", "any of 8"
RECORDED = "first sample, as recorded"
LINE, RULES = "line", "rules"
_PASSES = 40
_BACK = Action(ActionKind.STEP, inverse=True)

Confirm = Callable[[Goal, Proposal], Verdict]
Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Problem:
    """A state, as a goal, and the one from which a step led there when it was recorded."""

    subject: Subject
    view: View
    goal: Goal
    later: Situation
    recorded: Proposal


class Inverse:
    """Measures earlier states; `rules` is the proposer of the baseline."""

    def __init__(
        self, engine: Engine, confirm: Confirm, rules: Proposer, folder: Path, seed: int
    ) -> None:
        self._engine, self._confirm, self._rules = engine, confirm, rules
        self._modules, self._seed = Modules(folder), seed

    def table(self, held: Held, limit: int, tell: Tell) -> Table:
        """Return how many problems are solved by samples that are confirmed."""
        counts = Counts([FIRST, ORDERED, ANY, RECORDED])
        for number, problem in enumerate(self._problems(held, limit, counts.left_out), 1):
            self._count(counts, problem)
            tell(f"{number} earlier states")
        return counts.table(
            "one step back",
            "earlier states confirmed by running from them; line: the line before in the text, "
            "nothing changed; rules: the first, and any of 8, of the rules",
        )

    def _problems(self, held: Held, limit: int, left_out: Counter[str]) -> Iterator[Problem]:
        rng = random.Random(self._seed)
        asked: set[tuple[int, int]] = set()
        found = 0
        for run in held.draw(rng, _PASSES):
            if found >= limit:
                return
            at = rng.randrange(len(run.situations))
            if (id(run), at) in asked or run.situations[at].state.event is not Event.LINE:
                continue
            asked.add((id(run), at))
            problem = self._problem(run, at)
            if isinstance(problem, Problem):
                found += 1
                yield problem
            elif problem:
                left_out[f"not askable: {problem}"] += 1

    def _problem(self, run: Run, at: int) -> Problem | str:
        """Return the problem whose answer is state `at`, or why it is none ('': no step back)."""
        to = self._next(run, at)
        if to is None:
            return ""
        module = self._modules.module(run.episode)
        listing = run.episode.listing(run.situations[at].state.frame)
        subject = module.subject(listing.qualname) if listing else None
        later, earlier = (module.situation(run.situations[one]) for one in (to, at))
        if subject is None or later is None or earlier is None:
            return "a function within a function, or text that does not stand alone"
        view = View.of_subject(subject)
        goal = goal_of(subject, later.state)
        start = None if goal is None else situations.middle(view, earlier, later)
        if goal is None or start is None:
            return "a value without text"
        recorded = Proposal(start, "recorded", _action(view, start))
        verdict = self._confirm(goal, recorded)
        if verdict.status is not Status.CONFIRMED:
            return f"the recorded state itself is {verdict.reason.slug}"
        return Problem(subject, view, goal, later, recorded)

    def _next(self, run: Run, at: int) -> int | None:
        """Return the state of the same frame to which a step leads over calls, if there is one."""
        to = run.walk.after(at, Action(ActionKind.NEXT))
        numbers = run.episode.trace.activations
        if to is None or numbers[to] != numbers[at] or run.walk.leaves(at, to):
            return None
        return to

    def _count(self, counts: Counts, problem: Problem) -> None:
        samples = self._samples(problem)
        verdicts = [one is not None and self._is_confirmed(problem, one) for one in samples]
        counts.add(FIRST, verdicts[0] if verdicts else False)
        counts.add(ANY, any(verdicts))
        ranked = sorted(
            (at for at, one in enumerate(samples) if one is not None),
            key=lambda at: _rank(problem, samples[at]),
        )
        counts.add(ORDERED, verdicts[ranked[0]] if ranked else False)
        first = samples[0] if samples else None
        counts.add(RECORDED, first is not None and _same(first, problem.recorded))
        line = _line_before(problem)
        solved = line is not None and self._is_confirmed(problem, line)
        session = self._rules.start(problem.goal, problem.subject, self._seed)
        found = [self._is_confirmed(problem, one) for one in session.ask(SAMPLES)]
        counts.add(FIRST, solved, LINE)
        counts.add(FIRST, found[0] if found else False, RULES)
        counts.add(ANY, any(found), RULES)

    def _samples(self, problem: Problem) -> list[Proposal | None]:
        """Return what the network says, likely first; None for what is no state to start from."""
        later = situations.of_goal(problem.view, problem.goal)
        if later is None:
            return []
        prompt = backward.prompt(problem.view, later, _BACK)
        [samples] = self._engine.sample([prompt], SAMPLES, self._seed, TEMPERATURE, LONGEST)
        return [_proposal(problem, later, one.ids) for one in samples]

    def _is_confirmed(self, problem: Problem, proposal: Proposal) -> bool:
        return self._confirm(problem.goal, proposal).status is Status.CONFIRMED


def goal_of(subject: Subject, state: State) -> Goal | None:
    """Return the goal that a recorded state is: its literal locals, and what goes with it."""
    frame = state.frame
    site = Site(frame.file, frame.lineno, frame.function)
    pairs = tuple((name, value.repr) for name, value in frame.locals or () if value.literal)
    goal = Goal(subject.ref, state.event, (site,), locals=pairs, previous=True)
    if state.event is Event.RETURN:
        if state.arg is None or not state.arg.literal:
            return None
        return replace(goal, value=state.arg.repr)
    if state.event is Event.EXCEPTION and state.arg is not None:
        return replace(goal, exception=ExceptionClaim(state.arg.type, state.arg.repr))
    return goal


def _proposal(problem: Problem, later: Situation, ids: Sequence[int]) -> Proposal | None:
    earlier = backward.read(problem.view, later, ids)
    start = earlier and situations.middle(problem.view, earlier, later)
    return Proposal(start, "neural", _action(problem.view, start)) if start else None


def _action(view: View, start: Middle) -> Action:
    frame = start.state.frame
    calls = situations.calls_own(view, frame.lineno, frame.file)
    return Action(ActionKind.NEXT if calls else ActionKind.STEP)


def _rank(problem: Problem, proposal: Proposal | None) -> int:
    """Return the order in which `nsdbg reverse` tries: what the evaluator agrees with first."""
    assert proposal is not None
    assert isinstance(proposal.start, Middle)
    agrees = leads(problem.view, proposal.start.state.frame, problem.goal)
    return {True: 0, None: 1, False: 2}[agrees]


def _same(one: Proposal, other: Proposal) -> bool:
    assert isinstance(one.start, Middle)
    assert isinstance(other.start, Middle)
    told, seen = one.start.state, other.start.state
    return told.frame.lineno == seen.frame.lineno and same_locals(told, seen)


def _line_before(problem: Problem) -> Proposal | None:
    """Return the line before in the text with the same locals; of a return, its own line."""
    state, view = problem.later.state, problem.view
    frame = state.frame
    syntax = view.syntax_at(frame.file, frame.lineno)
    if syntax is None:
        return None
    first = syntax.lineno if syntax.definition is None else syntax.definition.body[0].lineno
    lines = [line for line in range(first, frame.lineno) if view.line(frame.file, line)]
    lineno = frame.lineno if state.event is not Event.LINE else lines[-1] if lines else None
    if lineno is None:
        return None
    moved = State(Event.LINE, (replace(frame, lineno=lineno),))
    start = situations.middle(view, Situation(moved), problem.later)
    return Proposal(start, LINE, _action(view, start)) if start else None
