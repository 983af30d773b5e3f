"""The verifier: gives proposals to the runner and what it shows to the judge.

Screening is cheap and provisional; only `confirm` confirms, and only from fresh processes.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from nsdbg.claim import (
    Difference,
    Ending,
    Evidence,
    FunctionRef,
    Goal,
    Middle,
    Observation,
    Proposal,
    Reason,
    Site,
    Start,
    Status,
    Verdict,
)
from nsdbg.state import Action, Event, State
from nsdbg.verify.agreement import observed_only, shortened
from nsdbg.verify.chance import asked_by_chance, may_differ_elsewhere
from nsdbg.verify.judge import judge
from nsdbg.verify.native import native_imports
from nsdbg.verify.refusals import goal_problem, refusal
from nsdbg.verify.sandbox import Layer, is_strong
from nsdbg.verify.starts import (
    call_of,
    goal_at,
    loop_bodies,
    may_alias,
    may_hold_exception,
    unwritten,
)
from nsdbg.verify.transition import next_state, remaining_after
from nsdbg.verify.unheld import hidden_reads

# So many transitions are remembered between their screening and their confirmation.
_MOST_READY = 1024
# The layouts of memory in further runs of what may depend on an order: two of them on the second
# side, and each other one on a side of its own, which has its own hash seed and day.
LAYOUTS = range(2, 10)


class Settings(Protocol):
    """What the verifier asks of the runner's configuration."""

    @property
    def weak_ok(self) -> bool:
        """Whether verdicts stand although the kernel's layers are missing."""
        ...


class Running(Protocol):
    """What the verifier needs of `runner.Runner`."""

    @property
    def config(self) -> Settings:
        """How targets are run."""
        ...

    @property
    def layers(self) -> tuple[Layer, ...]:
        """The sandbox's layers."""
        ...

    @property
    def python_version(self) -> str:
        """The version of the target's interpreter."""
        ...

    def batch(
        self, goal: Goal, starts: Sequence[Start], trace: bool = True, budget_s: float | None = None
    ) -> list[Observation]:
        """Run many starts in one process."""
        ...

    def probe(
        self, goal: Goal, starts: Sequence[Start], budget_s: float | None = None
    ) -> list[Observation]:
        """Run many starts of the instrumented twin, for their distances."""
        ...

    def single(
        self,
        goal: Goal,
        start: Start,
        *,
        side: int = 0,
        trace: bool = True,
        full_trace: bool = False,
        layout: int = 0,
    ) -> Observation:
        """Run one start in a fork."""
        ...

    def fresh(
        self, goal: Goal, start: Start, full_trace: bool = False
    ) -> tuple[Observation, Observation]:
        """Run one start in a fresh fork of each of two zygotes."""
        ...

    def again(self, goal: Goal, start: Start) -> list[Observation]:
        """Run one start after its way, or after itself, in one process."""
        ...


@dataclass(frozen=True, slots=True)
class Followed:
    """Where an action leads: the verdict, and what is left of the start's `remaining` there."""

    verdict: Verdict
    remaining: tuple[tuple[int, str], ...] = ()


class Verifier:
    """Screens and confirms proposals.

    `screen_budget_s` is what one screening may take; what it did not come to is UNKNOWN, TIMEOUT.
    """

    def __init__(self, runner: Running, screen_budget_s: float = 4.0) -> None:
        self.runner = runner
        self.screen_budget_s = screen_budget_s
        self._ready: dict[tuple[Goal, Proposal], Verdict] = {}

    def screen(
        self,
        goal: Goal,
        proposals: Sequence[Proposal],
        *,
        pure: bool,
        guided: bool,
        budget_s: float | None = None,
    ) -> list[Verdict]:
        """Return provisional verdicts, one a proposal and in order.

        A match is UNKNOWN, NOT_REPEATED, at distance 0.0.  `pure`: many runs may share a process.
        `guided`: distances are wanted for those that do not match.  `budget_s`: for all of them;
        None: `screen_budget_s` where they share a process, else each run's own limit.
        """
        problem = goal_problem(goal)
        verdicts: dict[int, Verdict] = {}
        to_run: list[int] = []
        for place, proposal in enumerate(proposals):
            why = problem or refusal(goal, proposal)
            if why is not None:
                verdicts[place] = _refused(proposal, why)
            elif isinstance(proposal.start, Middle):
                verdicts[place] = self._screen_transition(goal, proposal)
            else:
                to_run.append(place)
        starts = [proposals[place].start for place in to_run]
        runs = self._run(goal, starts, pure=pure, guided=guided, budget_s=budget_s)
        for place, run in zip(to_run, runs, strict=True):
            verdicts[place] = _provisional(judge(goal, proposals[place], [run]), run)
        return [verdicts[place] for place in range(len(proposals))]

    def confirm(self, goal: Goal, proposal: Proposal) -> Verdict:
        """Return the final verdict, from two fresh runs in zygotes that differ."""
        ready = self._ready.pop((goal, proposal), None)
        if ready is not None:
            return ready
        why = goal_problem(goal) or refusal(goal, proposal)
        if why is not None:
            return self._signed(_refused(proposal, why))
        if isinstance(proposal.start, Middle):
            runs = self._fresh(goal, proposal.start, full=proposal.action is not None)
            return self._signed(self._transition(goal, proposal, proposal.start, runs))
        runs = self.runner.fresh(goal, proposal.start)
        verdict = self._unwatched(goal, judge(goal, proposal, runs), runs[0])
        return self._guarded(goal, self._signed(verdict))

    def _unwatched(self, goal: Goal, verdict: Verdict, watched: Observation) -> Verdict:
        """Withhold a confirmation of what is not so when nobody traces the run.

        That run evaluates no constraint either, and lies elsewhere in memory.
        """
        if verdict.status is not Status.CONFIRMED:
            return verdict
        asked = asked_by_chance(verdict.evidence.coverage)
        if asked:
            detail = f"it depends on {' and on '.join(asked)}"
            evidence = replace(verdict.evidence, detail=detail)
            return replace(verdict, reason=Reason.NONDETERMINISTIC, evidence=evidence)
        start = verdict.proposal.start
        plain = self.runner.single(goal, start, side=1, trace=False, layout=LAYOUTS[0])
        if plain.blocked:
            return replace(verdict, reason=Reason.SIDE_EFFECT)
        differences = tuple(observed_only(watched, plain))
        if differences:
            return replace(verdict, reason=Reason.NONDETERMINISTIC, differences=differences)
        return self._elsewhere(goal, verdict, start)

    def _elsewhere(self, goal: Goal, verdict: Verdict, start: Start) -> Verdict:
        """Withhold a confirmation of what is not so under every hash seed, day and layout.

        Asked only of what may depend on the order of a set or on the day.
        """
        if not may_differ_elsewhere(verdict):
            return verdict
        full = verdict.proposal.action is not None
        for layout in LAYOUTS[1:]:
            run = self.runner.single(
                goal, start, side=layout - LAYOUTS[1] + 1, full_trace=full, layout=layout
            )
            if run.blocked:
                return replace(verdict, reason=Reason.SIDE_EFFECT)
            other = judge(goal, verdict.proposal, (run, run))
            if (other.reason, _seen(other)) != (verdict.reason, _seen(verdict)):
                difference = Difference(
                    "in another run", shortened(_seen(verdict)), shortened(_seen(other))
                )
                return replace(verdict, reason=Reason.NONDETERMINISTIC, differences=(difference,))
        return verdict

    def follow(self, entry: FunctionRef, start: Middle, action: Action) -> Followed:
        """Return where an action leads from a state; CONFIRMED when two fresh runs agree on it."""
        frame = start.state.frame
        goal = Goal(entry, start.state.event, (Site(frame.file, frame.lineno, frame.function),))
        proposal = Proposal(start, "step", action)
        why = refusal(goal, proposal)
        if why is not None:
            return Followed(self._signed(_refused(proposal, why)))
        runs = self._fresh(goal, start, full=True)
        found = next_state(start, action, runs[0])
        if found.state is not None and found.reason is None:
            goal = goal_at(entry, found.state)
        verdict = self._signed(self._transition(goal, proposal, start, runs))
        if verdict.status is not Status.CONFIRMED:
            return Followed(verdict)
        return Followed(verdict, remaining_after(start, found.way, loop_bodies(entry)))

    def _fresh(self, goal: Goal, start: Middle, *, full: bool) -> Sequence[Observation]:
        name = unwritten(start.state) if start.state.event is Event.CALL else None
        if name is not None:
            detail = f"{Reason.NOT_A_LITERAL.slug}: no expression stands for {name}"
            return [Observation(Ending.NOT_STARTED, 0.0, detail=detail)] * 2
        return self.runner.fresh(goal, _begun(goal, start), full_trace=full)

    def _run(
        self,
        goal: Goal,
        starts: Sequence[Start],
        *,
        pure: bool,
        guided: bool,
        budget_s: float | None,
    ) -> list[Observation]:
        if not starts:
            return []
        budget = self.screen_budget_s if budget_s is None else budget_s
        if pure:
            run = self.runner.probe if guided else self.runner.batch
            return run(goal, starts, budget_s=budget)
        ends = math.inf if budget_s is None else time.perf_counter() + budget_s
        found: list[Observation] = []
        for start in starts:
            left = ends - time.perf_counter()
            if left <= 0:
                found.append(Observation(Ending.CUT, 0.0, detail="not run in the time"))
            elif guided:
                found += self.runner.probe(goal, [start], budget_s=min(left, budget))
            else:
                found.append(self.runner.single(goal, start))
        return found

    def _screen_transition(self, goal: Goal, proposal: Proposal) -> Verdict:
        """Judge a transition at once: its fresh runs are the cheapest there are.

        What would be confirmed is kept until `confirm` asks for it.
        """
        final = self.confirm(goal, proposal)
        if final.status is not Status.CONFIRMED:
            return final
        if len(self._ready) >= _MOST_READY:
            self._ready.clear()
        self._ready[goal, proposal] = final
        return replace(final, reason=Reason.NOT_REPEATED)

    def _transition(
        self, goal: Goal, proposal: Proposal, start: Middle, runs: Sequence[Observation]
    ) -> Verdict:
        """Judge a start in the middle, with equal mutable values apart and, again, as one object.

        A state does not tell which; what depends on it is UNKNOWN, as is what depends on the
        module's variables.
        """
        apart = judge(goal, proposal, runs)
        hidden = hidden_reads(_executed(proposal, start, runs[0]), may_hold_exception(start.state))
        if apart.status is Status.CONFIRMED and hidden:
            detail = f"the way needs what the state does not hold: {', '.join(hidden)}"
            return replace(
                apart,
                reason=Reason.START_NOT_REACHED,
                evidence=replace(apart.evidence, detail=detail),
            )
        if apart.status is Status.CONFIRMED:
            apart = self._unremembered(goal, apart, start)
        if apart.status is Status.CONFIRMED:
            apart = self._elsewhere(goal, apart, _begun(goal, start))
        if apart.status is Status.UNKNOWN or start.shared or not may_alias(start):
            return self._guarded(goal, apart)
        shared = replace(start, shared=True)
        again = self._fresh(goal, shared, full=proposal.action is not None)
        together = judge(goal, replace(proposal, start=shared), again)
        if (apart.reason, _seen(apart)) == (together.reason, _seen(together)):
            evidence = replace(apart.evidence, runs=len(runs) + len(again))
            return self._guarded(goal, replace(apart, evidence=evidence))
        difference = Difference(
            "next state", shortened(_seen(apart)), shortened(_seen(together))
        )  # fmt: skip
        detail = "equal values of the state may be one object, which changes what follows"
        evidence = replace(apart.evidence, runs=4, detail=detail)
        return Verdict(proposal, Reason.HIDDEN_ALIAS, evidence, (difference,))

    def _unremembered(self, goal: Goal, verdict: Verdict, start: Middle) -> Verdict:
        """Withhold a confirmation of what leads elsewhere once its way was gone, or it itself.

        Modules, closures, classes, iterators and objects remember, and no state tells what.
        """
        for run in self.runner.again(goal, _begun(goal, start)):
            other = judge(goal, verdict.proposal, (run, run))
            if (other.reason, _seen(other)) == (verdict.reason, _seen(verdict)):
                continue
            difference = Difference(
                "next state", shortened(_seen(verdict)), shortened(_seen(other))
            )  # fmt: skip
            detail = "it leads elsewhere another time: something is remembered that no state holds"
            evidence = replace(verdict.evidence, detail=detail)
            return Verdict(verdict.proposal, Reason.START_NOT_REACHED, evidence, (difference,))
        return verdict

    def _guarded(self, goal: Goal, verdict: Verdict) -> Verdict:
        """Withhold a confirmation of code that the guard, as it is here, may not have held."""
        if verdict.status is not Status.CONFIRMED or self.runner.config.weak_ok:
            return verdict
        if is_strong(self.runner.layers):
            return verdict
        native = native_imports(goal.entry)
        if not native:
            return verdict
        detail = f"the kernel's layers are missing here, and {', '.join(native[:3])} may reach past"
        return replace(
            verdict, reason=Reason.WEAK_GUARD, evidence=replace(verdict.evidence, detail=detail)
        )

    def _signed(self, verdict: Verdict) -> Verdict:
        """Add where the runs took place."""
        layers = tuple(layer.name for layer in self.runner.layers if layer.active)
        evidence = replace(verdict.evidence, layers=layers, python=self.runner.python_version)
        return replace(verdict, evidence=evidence)


def _begun(goal: Goal, start: Middle) -> Start:
    """Return how a state is run; one at a call event is that call."""
    if start.state.event is Event.CALL:
        return call_of(goal.entry, start.state)
    return start


def _executed(proposal: Proposal, start: Middle, run: Observation) -> Sequence[Site]:
    """Return the lines between a start and what is claimed."""
    if proposal.action is None:
        return run.path
    way = next_state(start, proposal.action, run).way[:-1]
    return [Site(s.frame.file, s.frame.lineno, s.frame.function) for s in way]


def _refused(proposal: Proposal, why: str) -> Verdict:
    return Verdict(proposal, Reason.BAD_PROPOSAL, Evidence(0, detail=why))


def _provisional(verdict: Verdict, run: Observation) -> Verdict:
    """Take the twin's word for a match: it sees the value, and no visits."""
    open_ended = verdict.status is Status.UNKNOWN
    if run.distance == 0.0 and not open_ended:
        evidence = replace(verdict.evidence, distance=0.0)
        return Verdict(verdict.proposal, Reason.NOT_REPEATED, evidence)
    return verdict


def _seen(verdict: Verdict) -> State | None:
    return verdict.evidence.observed
