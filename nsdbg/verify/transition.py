"""One command from one state: where it leads in the trace of a run that was started there.

Pure: reads a recorded trace and says in what it differs from the claim.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

from nsdbg.claim import Ending, Goal, Hit, Middle, Observation, Proposal, Reason, Status
from nsdbg.state import Action, ActionKind, Event, Frame, State
from nsdbg.verify.child.literals import parse
from nsdbg.verify.comparison import Finding, hit_findings, state_findings
from nsdbg.verify.walk import Walk

_UNKNOWN_SLUGS = {reason.slug: reason for reason in Reason if reason.status is Status.UNKNOWN}


@dataclass(frozen=True, slots=True)
class Step:
    """Where a command led: the state, or the reason why none is known; and what was not so.

    `way` is every recorded state from the start to it: what two runs have to agree in, since what
    comes later is not claimed.
    """

    state: State | None = None
    reason: Reason | None = None
    findings: tuple[Finding, ...] = ()
    detail: str = ""
    way: tuple[State, ...] = ()


def slug_of(detail: str) -> Reason | None:
    """Return the UNKNOWN reason whose slug a detail begins with, as the child puts it."""
    return _UNKNOWN_SLUGS.get(detail.partition(":")[0])


def examine_step(goal: Goal, proposal: Proposal, action: Action, observation: Observation) -> Step:
    """Return where the action leads from the proposal's start, compared with what was claimed.

    Without a predicted state the goal is what is claimed.
    """
    if not isinstance(proposal.start, Middle) or observation.trace is None:
        return Step(reason=Reason.START_NOT_REACHED, detail="no run was recorded from a state")
    step = next_state(proposal.start, action, observation)
    if step.state is None or step.reason is not None:
        return step
    if proposal.predicted is not None:
        return replace(step, findings=tuple(state_findings(proposal.predicted, step.state)))
    hit, trusted = _hit_of(step.state, observation)
    return replace(step, findings=tuple(hit_findings(goal, hit, trusted=trusted)))


def next_state(start: Middle, action: Action, observation: Observation) -> Step:
    """Return the state to which an action leads in a run that was started at `start`."""
    walk = Walk(observation.trace) if observation.trace is not None else None
    index = None if walk is None else _start_index(walk, start.state)
    if walk is None or index is None:
        reason = slug_of(observation.detail) or Reason.START_NOT_REACHED
        return Step(reason=reason, detail=observation.detail or "the run never stood at the state")
    older = start.state.stack[:-1]
    here = _with_older(walk.trace.states[index], older)
    wrong = state_findings(replace(start.state, output=""), replace(here, output=""))
    if wrong:
        return Step(here, Reason.START_NOT_REACHED, tuple(wrong), "the run began in another state")
    later = walk.after(index, action)
    if later is None:
        return _nowhere(action, observation)
    if walk.leaves(index, later):
        return Step(here, Reason.START_NOT_REACHED, detail=_CONSUMER)
    way = walk.trace.states[index : later + 1]
    printed = "".join(state.output for state in way[1:])
    return Step(replace(_with_older(way[-1], older), output=printed), way=way)


_CONSUMER = "between lies a yield, and what its consumer does is not in the state"


def _start_index(walk: Walk, start: State) -> int | None:
    """Return the index of the start: the first event of its kind, in the oldest frame."""
    for index, state in enumerate(walk.trace.states[:3]):
        if state.event is start.event and len(state.stack) == 1:
            return index
    return None


def _with_older(state: State, older: tuple[Frame, ...]) -> State:
    """Put the frames that the start names above the entry, which were not run, on the stack."""
    return replace(state, stack=(*older, *state.stack))


def _nowhere(action: Action, observation: Observation) -> Step:
    trace = observation.trace
    reason = slug_of(observation.detail)
    if reason is not None:
        return Step(reason=reason, detail=observation.detail)
    if (trace and not trace.complete) or observation.ending is Ending.CUT:
        return Step(reason=Reason.TOO_LARGE, detail="the run is longer than what is recorded of it")
    if action.kind in (ActionKind.CONTINUE, ActionKind.UNTIL):
        return Step(
            reason=Reason.LINE_NOT_REACHED,
            detail=f"the function ends before it reaches line {action.lineno}",
        )
    return Step(
        reason=Reason.START_NOT_REACHED,
        detail="what follows lies in the caller, which the state does not hold",
    )


def _hit_of(state: State, observation: Observation) -> tuple[Hit, bool]:
    """Return the visit that is this state, with the truths the child found, and whether it is one.

    Hits are recorded without output, and their outer frames without locals.
    """
    for hit in observation.hits:
        same_place = [(f.function, f.lineno) for f in hit.state.stack] == [
            (f.function, f.lineno) for f in state.stack
        ]
        alike = (hit.state.event, hit.state.arg, hit.state.frame) == (
            state.event,
            state.arg,
            state.frame,
        )
        if same_place and alike:
            return Hit(state, hit.where), True
    return Hit(state), False


def remaining_after(
    start: Middle, way: tuple[State, ...], bodies: Mapping[int, range]
) -> tuple[tuple[int, str], ...]:
    """Return what the loops around the start have yet to give once a way was gone.

    `bodies` maps a `for` statement's line to the lines of its body.  An item was taken where the
    loop's line is followed by one of its body.  Loops that were left are no longer in it.
    """
    own = [state for state in way if len(state.stack) == 1]
    here = way[-1].stack[0].lineno
    found = []
    for line, text in start.remaining:
        body = bodies.get(line, range(0))
        if here != line and here not in body:
            continue
        taken = sum(
            one.event is Event.LINE and one.frame.lineno == line and other.frame.lineno in body
            for one, other in pairwise(own)
        )
        items = parse(text)
        found.append((line, repr(items[taken:])))
    return tuple(found)
