"""An adversarial proposer: goals out of recorded runs, true and not, and proposals for them.

It knows what the oracle found, and says it, and what is nearly so.  Nothing here judges.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from nsdbg.claim import (
    Call,
    ExceptionClaim,
    FunctionRef,
    Goal,
    Middle,
    Proposal,
    Site,
    Start,
    Verdict,
)
from nsdbg.errors import SourceError
from nsdbg.measure.oracle.facts import Facts, Ran, Stop
from nsdbg.measure.oracle.lies import lying_states, other_texts
from nsdbg.measure.oracle.oracle import Oracle
from nsdbg.source import Subject, load_subject
from nsdbg.state import Action, ActionKind, Event, Frame, State

SOURCE = "liar"
_KINDS = (ActionKind.STEP, ActionKind.STEP, ActionKind.NEXT, *ActionKind)


@dataclass(frozen=True, slots=True)
class Told:
    """A goal, proposals for it, and in which way they may lie."""

    way: str
    goal: Goal
    proposals: tuple[Proposal, ...]


class Liar:
    """Tells of one program's recorded runs; the same for the same seed."""

    def __init__(
        self, oracle: Oracle, facts: Facts, subjects: Sequence[Subject], seed: int
    ) -> None:
        self._oracle, self.facts = oracle, facts
        self._subjects = {subject.ref.qualname: subject for subject in subjects}
        self._draw = Random(seed)
        self._named: dict[str, FunctionRef | None] = {}

    def tell(self, lies: int) -> Iterator[Told]:
        """Yield what it has to say of every run, with about so many lies for each truth."""
        for ran in self.facts.runs:
            if ran.why or ran.entry not in self._subjects:
                continue
            yield from self._endings(ran, lies)
            stops = [at for at, stop in enumerate(ran.stops) if stop.heard]
            for at in self._draw.sample(stops, min(len(stops), 3)):
                yield from self._visits(ran, ran.stops[at], lies)
            for at in self._draw.sample(stops, min(len(stops), 5)):
                yield from self._transitions(ran, at, lies)

    def echo(self, told: Told, verdict: Verdict) -> Told | None:
        """Return what one says who has listened: what a verdict told of the run."""
        proposal, evidence = verdict.proposal, verdict.evidence
        if proposal.predicted is not None:
            seen = evidence.observed
            if seen is None or seen == proposal.predicted:
                return None
            return Told("echo", told.goal, (replace(proposal, predicted=seen),))
        goal: Goal | None = None
        if evidence.raised is not None and told.goal.exception is not None:
            claim = ExceptionClaim(evidence.raised.type, evidence.raised.message)
            chain = evidence.raised.sites or told.goal.chain
            goal = replace(told.goal, exception=claim, chain=chain)
        elif evidence.value is not None and told.goal.value is not None:
            goal = replace(told.goal, value=evidence.value.repr)
        if goal is None or goal == told.goal:
            return None
        return Told("echo", goal, (proposal,))

    def _goal(self, ran: Ran, event: Event, **claims: object) -> Goal:
        ref = self._subjects[ran.entry].ref
        site = Site(ref.file, None, ref.qualname.rpartition(".")[2])
        return Goal(ref, event, (site,), **claims)  # type: ignore[arg-type]

    def _starts(self, ran: Ran) -> tuple[Proposal, ...]:
        """Return the call itself, calls that were made besides, and calls that are nearly one."""
        others = [other.call for other in self.facts.runs if other.entry == ran.entry]
        found: list[Start] = [ran.call, *self._draw.sample(others, min(len(others), 2))]
        for at, (name, text) in enumerate(ran.call.arguments):
            for lie in other_texts(text, self._draw, 2):
                changed = list(ran.call.arguments)
                changed[at] = (name, lie)
                found.append(replace(ran.call, arguments=tuple(changed)))
        return tuple(Proposal(start, SOURCE) for start in dict.fromkeys(found))

    def _endings(self, ran: Ran, lies: int) -> Iterator[Told]:
        if ran.raised is not None:
            yield from self._failures(ran, lies)
            yield Told("value", self._goal(ran, Event.RETURN, value="None"), self._starts(ran))
            return
        assert ran.value is not None
        true = self._goal(ran, Event.RETURN, value=ran.value.repr)
        yield Told("value", true, self._starts(ran))
        for text in other_texts(ran.value.repr, self._draw, lies * 2):
            yield Told("value", replace(true, value=text), self._starts(ran))
        claim = ExceptionClaim(self._draw.choice(["ValueError", "Exception", "KeyError"]))
        yield Told(
            "exception", self._goal(ran, Event.EXCEPTION, exception=claim), self._starts(ran)
        )

    def _failures(self, ran: Ran, lies: int) -> Iterator[Told]:
        assert ran.raised is not None
        kind, message, sites = ran.raised.type, ran.raised.message, ran.raised.sites
        true = ExceptionClaim(kind, message)
        base = self._goal(ran, Event.EXCEPTION)
        if not sites:
            return
        claims = [
            true, ExceptionClaim(kind, message + " "), ExceptionClaim(kind, message[:-1]),
            ExceptionClaim(kind, message[:3], message_prefix=True), ExceptionClaim("Exception"),
            ExceptionClaim(kind.rpartition(".")[2], message), ExceptionClaim("my." + kind, message),
            ExceptionClaim("LookupError", message), ExceptionClaim(kind, message.upper()),
        ]  # fmt: skip
        last = sites[-1]
        chains = [
            sites, sites[:-1] or sites, sites[1:] or sites, (*sites, last), (sites[0], *sites),
            (*sites[:-1], replace(last, lineno=(last.lineno or 1) + 1)),
            (*sites[:-1], replace(last, function=last.function + "_")),
            tuple(replace(site, lineno=None) for site in sites),
        ]  # fmt: skip
        starts = self._starts(ran)
        yield Told("exception", replace(base, chain=sites, exception=true), starts)
        for _ in range(lies * 2):
            claim, chain = self._draw.choice(claims), self._draw.choice(chains)
            goal = replace(
                base, chain=chain, exception=claim, exact_chain=self._draw.random() < 0.7
            )
            yield Told("exception", goal, starts[: 1 + self._draw.randrange(3)])

    def _visits(self, ran: Ran, stop: Stop, lies: int) -> Iterator[Told]:
        """Claim that a call passes a state, with its whole stack."""
        state = stop.state
        if state.event is Event.EXCEPTION:
            return
        chain = tuple(Site(f.file, f.lineno, f.function) for f in state.stack)
        known = [(n, v.repr) for n, v in state.frame.locals or () if n not in stop.opaque]
        value = None
        if state.event is Event.RETURN and state.arg is not None and not stop.opaque_arg:
            value = state.arg.repr
        ref = self._subjects[ran.entry].ref
        true = Goal(ref, state.event, chain, tuple(known), value=value)
        starts = self._starts(ran)
        yield Told("visit", true, starts)
        for _ in range(lies):
            yield Told("visit", self._other_visit(true), starts[: 1 + self._draw.randrange(3)])

    def _other_visit(self, goal: Goal) -> Goal:
        way = self._draw.randrange(6)
        chain, last = goal.chain, goal.chain[-1]
        if way < 3 and goal.locals:
            at = self._draw.randrange(len(goal.locals))
            name, text = goal.locals[at]
            text = self._draw.choice(other_texts(text, self._draw, 3))
            names = (*goal.locals[:at], (name, text), *goal.locals[at + 1 :])
            if way == 2:
                return replace(goal, locals=(), where=(f"{name} == {text}",))
            return replace(goal, locals=names)
        if way == 3:
            moved = replace(last, lineno=(last.lineno or 0) + self._draw.choice([1, 2]))
            return replace(goal, chain=(*chain[:-1], moved))
        if way == 4:
            shorter = [chain[1:], chain[:-1], (chain[0], *chain), (*chain, last)]
            return replace(goal, chain=self._draw.choice([one for one in shorter if one]))
        if goal.value is not None:
            return replace(goal, value=self._draw.choice(other_texts(goal.value, self._draw, 3)))
        return replace(goal, locals=(*goal.locals, ("nobody", "1")))

    def _transitions(self, ran: Ran, at: int, lies: int) -> Iterator[Told]:
        """Claim where a command leads from a state, and from which states it leads to one."""
        stop = ran.stops[at]
        state = stop.state
        ref = self._ref(state.frame)
        if ref is None or state.event is Event.RETURN:
            return
        depth = len(state.stack) - 1
        start = Middle(replace(state, stack=state.stack[depth:], output=""))
        action = self._action(ran)
        lead = self._oracle.lead(self.facts, ran, at, [action])
        site = Site(state.frame.file, state.frame.lineno, state.frame.function)
        goal = Goal(ref, Event.LINE, (site,), previous=True)
        end = lead.ends[0] if lead.ends else None
        if end is None or not end.inside:
            yield Told("transition", goal, (Proposal(start, SOURCE, action, start.state),))
            return
        truth = replace(end.state, stack=end.state.stack[depth:])
        yield Told("transition", goal, (Proposal(start, SOURCE, action, truth),))
        told = list(lying_states(truth, self._draw))
        for lie in self._draw.sample(told, min(len(told), lies)):
            yield Told("transition", goal, (Proposal(start, SOURCE, action, lie),))
        yield from self._other_starts(goal, start, action, truth)
        yield self._backward(ref, start, action, truth)

    def _other_starts(
        self, goal: Goal, start: Middle, action: Action, truth: State
    ) -> Iterator[Told]:
        """Claim the right end of a way that begins elsewhere, or with what is not in the state."""
        other = self._draw.choice(list(lying_states(start.state, self._draw)))
        yield Told("start", goal, (Proposal(Middle(other), SOURCE, action, truth),))
        shared = Proposal(replace(start, shared=True), SOURCE, action, truth)
        yield Told("shared", goal, (shared,))
        line = max(1, start.state.frame.lineno - self._draw.randrange(3))
        rest = self._draw.choice(["[]", "[0]", "[1, 2, 3]"])
        told = replace(start, remaining=((line, rest),))
        yield Told("remaining", goal, (Proposal(told, SOURCE, action, truth),))

    def _backward(self, ref: FunctionRef, start: Middle, action: Action, truth: State) -> Told:
        """Ask for the state before: the goal is the end, and the start is proposed."""
        chain = tuple(Site(f.file, f.lineno, f.function) for f in truth.stack)
        known = [(n, v.repr) for n, v in truth.frame.locals or () if v.literal]
        if known and self._draw.random() < 0.6:
            at = self._draw.randrange(len(known))
            name, text = known[at]
            known[at] = (name, self._draw.choice(other_texts(text, self._draw, 3)))
        value = None
        if truth.event is Event.RETURN and truth.arg is not None and truth.arg.literal:
            value = truth.arg.repr
        goal = Goal(ref, truth.event, chain, tuple(known), value=value, previous=True)
        return Told("backward", goal, (Proposal(start, SOURCE, action),))

    def _action(self, ran: Ran) -> Action:
        kind = self._draw.choice(_KINDS)
        if kind in (ActionKind.UNTIL, ActionKind.CONTINUE):
            return Action(kind, self._draw.choice(ran.stops).state.frame.lineno)
        return Action(kind)

    def _ref(self, frame: Frame) -> FunctionRef | None:
        """Return the one function of a frame's name."""
        if frame.function not in self._named:
            try:
                found = load_subject(Path(frame.file), frame.function).ref
            except SourceError:
                found = None
            self._named[frame.function] = found
        return self._named[frame.function]


def call_of(subject: Subject, given: Sequence[str]) -> Call:
    """Return a call with arguments in the order of the parameters."""
    names = [parameter.argument_name for parameter in subject.parameters]
    return Call(tuple(zip(names, given, strict=False)))
