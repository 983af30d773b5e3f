"""The judge: from a goal, a proposal and what its runs showed to a verdict.

Pure: it runs nothing and believes no proposer.  CONFIRMED needs two fresh runs that agree in
everything but their seconds, the goal matched in both from literal values, and coverage that saw
every claimed line in order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from nsdbg.claim import (
    Difference,
    Ending,
    Evidence,
    ExceptionClaim,
    Goal,
    Hit,
    Middle,
    Observation,
    Proposal,
    Reason,
    Status,
    Verdict,
)
from nsdbg.state import Action, Event, State
from nsdbg.verify.agreement import claimed_sites, disagreement, saw_lines, shortened
from nsdbg.verify.comparison import (
    Finding,
    exception_findings,
    hit_findings,
    value_findings,
    worst,
)
from nsdbg.verify.transition import examine_step, slug_of

# What an odd ending says of the goal, unless its detail begins with a reason of its own.
_OPEN_ENDINGS = {
    Ending.TIMED_OUT: Reason.TIMEOUT,
    Ending.BLOCKED: Reason.SIDE_EFFECT,
    Ending.OUT_OF_MEMORY: Reason.OUT_OF_MEMORY,
    Ending.DIED: Reason.PROCESS_DIED,
    Ending.NOT_STARTED: Reason.NO_SOURCE,
    Ending.BAD_START: Reason.BAD_START,
}


@dataclass(frozen=True, slots=True)
class _Examined:
    """What one observation says: a reason (None: matched), the state it rests on, differences."""

    reason: Reason | None
    state: State | None = None
    differences: tuple[Difference, ...] = ()
    detail: str = ""


def judge(goal: Goal, proposal: Proposal, observations: Sequence[Observation]) -> Verdict:
    """Return the verdict on a proposal, from one or more runs of it.

    One run that matches gives UNKNOWN, NOT_REPEATED.  Raises ValueError without any run.
    """
    if not observations:
        raise ValueError("there is nothing to judge without an observation")
    first = observations[0]
    if proposal.action is not None:
        found = _examine_steps(goal, proposal, proposal.action, observations)
    else:
        found = _examine_runs(goal, observations)
    if found.reason is None:
        found = replace(found, reason=_matched(goal, proposal, found, observations))
    return _verdict(proposal, observations, found, first)


def _examine_runs(goal: Goal, observations: Sequence[Observation]) -> _Examined:
    """Examine runs of which everything counts, to their end."""
    for observation in observations:
        reason = _open_reason(observation)
        if reason is not None and reason.status is Status.UNKNOWN:
            return _Examined(reason, detail=observation.detail)
    differences = tuple(disagreement(observations))
    if differences:
        return _Examined(Reason.NONDETERMINISTIC, differences=differences)
    return _examine(goal, observations[0])


def _examine_steps(
    goal: Goal, proposal: Proposal, action: Action, observations: Sequence[Observation]
) -> _Examined:
    """Examine transitions: what comes after the state they lead to does not count."""
    steps = [examine_step(goal, proposal, action, observation) for observation in observations]
    for step, observation in zip(steps, observations, strict=True):
        if observation.blocked:
            return _Examined(Reason.SIDE_EFFECT, detail=observation.detail)
        if step.reason is not None:
            told = step.reason
            if step.state is None and told.status is Status.UNKNOWN:
                told = slug_of(observation.detail) or _open_reason(observation) or told
            return _Examined(told, step.state, _differences(step.findings), step.detail)
    for other in steps[1:]:
        if other.way != steps[0].way:
            ways = Difference("way", shortened(steps[0].way), shortened(other.way))
            return _Examined(Reason.NONDETERMINISTIC, differences=(ways,))
    findings = steps[0].findings
    return _Examined(worst(findings), steps[0].state, _differences(findings))


def _matched(
    goal: Goal, proposal: Proposal, found: _Examined, observations: Sequence[Observation]
) -> Reason:
    if len(observations) < 2:
        return Reason.NOT_REPEATED
    sites = claimed_sites(goal, proposal, found.state)
    if not all(saw_lines(sites, observation) for observation in observations):
        # The hits and the coverage of one run contradict each other.
        return Reason.NONDETERMINISTIC
    return Reason.TRANSITION if isinstance(proposal.start, Middle) else Reason.GOAL_REACHED


def _verdict(
    proposal: Proposal,
    observations: Sequence[Observation],
    found: _Examined,
    shown: Observation,
) -> Verdict:
    near = shown.near.state if shown.near else None
    hit = shown.hits[0].state if shown.hits else None
    matched = found.reason in (Reason.NOT_REPEATED, Reason.TRANSITION, Reason.GOAL_REACHED)
    evidence = Evidence(
        runs=len(observations),
        observed=found.state or hit or near,
        value=shown.value,
        raised=shown.raised,
        coverage=shown.coverage,
        path=shown.path,
        output=shown.output,
        distance=0.0 if matched else shown.distance,
        blocked=shown.blocked,
        # How a run ended after the state that a command led to is nothing to tell.
        detail=found.detail or ("" if proposal.action else shown.detail),
        misses=shown.misses,
        seconds=sum(observation.seconds for observation in observations),
    )
    assert found.reason is not None
    return Verdict(proposal, found.reason, evidence, found.differences)


def _open_reason(observation: Observation) -> Reason | None:
    """Return the reason for which a run leaves the goal's truth open; None when it does not.

    A blocked event counts even where the program went on: it swallowed the refusal.
    """
    if observation.blocked:
        return Reason.SIDE_EFFECT
    reason = _OPEN_ENDINGS.get(observation.ending)
    told = slug_of(observation.detail)
    if observation.ending is Ending.CUT:
        # What was seen before the cut was seen; but not when the program took our sight away.
        return told if told is Reason.SIDE_EFFECT else None
    return reason if reason in (None, Reason.BAD_START) else told or reason


def _examine(goal: Goal, observation: Observation) -> _Examined:
    if observation.ending is Ending.BAD_START:
        return _Examined(Reason.BAD_START)
    if _asks_for_the_call(goal):
        return _examine_call(goal, observation)
    return _examine_hits(goal, observation)


def _asks_for_the_call(goal: Goal) -> bool:
    """Whether all that is asked is what the call gives back, through decorators or not."""
    whole = len(goal.chain) == 1 and goal.chain[0].lineno is None
    return whole and goal.event is Event.RETURN and not (goal.locals or goal.where)


def _examine_call(goal: Goal, observation: Observation) -> _Examined:
    if observation.ending is not Ending.RETURNED:
        return _not_reached(goal, observation)
    if goal.value is None:
        return _Examined(None)
    for hit in observation.hits:
        alike = hit.state.arg == observation.value
        if alike and not hit_findings(goal, hit):
            return _Examined(None, hit.state)
    found = list(value_findings(goal.value, observation.value, trusted=False))
    return _Examined(worst(found), None, _differences(found))


def _examine_hits(goal: Goal, observation: Observation) -> _Examined:
    problems: list[tuple[Hit, list[Finding]]] = []
    for hit in observation.hits:
        found = _hit_problems(goal, hit, observation)
        if not found:
            return _Examined(None, hit.state)
        problems.append((hit, found))
    if observation.near is not None:
        found = _hit_problems(goal, observation.near, observation, trusted=False)
        problems.append((observation.near, found))
    for hit, found in problems:
        if found:
            return _Examined(worst(found), hit.state, _differences(found))
    return _not_reached(goal, observation)


def _hit_problems(
    goal: Goal, hit: Hit, observation: Observation, *, trusted: bool = True
) -> list[Finding]:
    found = hit_findings(goal, hit, trusted=trusted)
    if goal.exception is None:
        return found
    # The exception has to leave the entry, and to be the one that was seen at the site.
    raised, arg = observation.raised, hit.state.arg
    if raised is None:
        found.append(_no_exception(goal.exception, observation))
    elif arg is None or (arg.type, arg.repr) != (raised.type, raised.message):
        found += exception_findings(goal.exception, raised.type, raised.message)
    return found


def _no_exception(claim: ExceptionClaim, observation: Observation) -> Finding:
    difference = Difference("exception", claim.type, observation.ending.value)
    return Finding(Reason.NO_EXCEPTION, difference)


def _not_reached(goal: Goal, observation: Observation) -> _Examined:
    """Return why no visit of the goal's site was seen."""
    found: list[Finding] = []
    raised = observation.raised
    if observation.ending is Ending.CUT:
        started = bool(observation.coverage)
        return _Examined(
            slug_of(observation.detail) or (Reason.TOO_LARGE if started else Reason.TIMEOUT)
        )
    if observation.ending is Ending.EXITED and not observation.visits:
        return _Examined(Reason.PROGRAM_EXITED)
    if goal.exception is not None:
        if raised is None:
            found.append(_no_exception(goal.exception, observation))
        else:
            found += exception_findings(goal.exception, raised.type, raised.message)
            seen = " > ".join(f"{site.function}:{site.lineno}" for site in raised.sites)
            claimed = " > ".join(f"{site.function}:{site.lineno}" for site in goal.chain)
            found.append(Finding(Reason.STACK_DIFFERS, Difference("stack", claimed, seen)))
    elif raised is not None and goal.event is Event.RETURN:
        difference = Difference("value", goal.value or "a return", f"{raised.type} was raised")
        found.append(Finding(Reason.OTHER_EXCEPTION, difference))
    else:
        site = goal.chain[-1]
        claimed = f"{site.function}:{site.lineno or 'any line'}"
        found.append(Finding(Reason.LINE_NOT_REACHED, Difference("line", claimed, "not reached")))
    return _Examined(worst(found), None, _differences(found))


def _differences(found: Sequence[Finding]) -> tuple[Difference, ...]:
    return tuple(finding.difference for finding in found)
