"""Runs calls of a function in both versions and says which of them are new crashes.

The new version first; the old one only for what raised there.  What is shown rests on fresh runs:
the new version by the verifier, the old one by two that return.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from nsdbg.claim import (
    Call,
    Ending,
    Evidence,
    Goal,
    Observation,
    Proposal,
    Reason,
    Site,
    Status,
    Verdict,
)
from nsdbg.reproduce.crash import exception_claim
from nsdbg.state import Event
from nsdbg.triage.expected import Crash, own_sites
from nsdbg.triage.pair import Pair, entry_site, raising_goal
from nsdbg.triage.plausible import Plausible, Trust
from nsdbg.verify.verifier import Verifier

# A run of its own may take two seconds: of calls that do not end, so many are enough.
_MOST_SLOW = 2
# So long anything is tried, however little time is left.
LEAST_S = 0.03
_NOT_RUN = Observation(Ending.CUT, 0.0)


@dataclass(frozen=True, slots=True)
class Ran:
    """One call and what it did in the new version; in the old one where that was asked."""

    call: Call
    now: Observation
    before: Observation | None = None

    @property
    def raises(self) -> bool:
        """Whether an exception left it; a recursion that ran out cuts the tracing of it off."""
        ended = self.now.ending in (Ending.RAISED, Ending.CUT)
        return ended and not self.now.blocked and self.now.raised is not None

    @property
    def is_new_crash(self) -> bool:
        """Whether it raises now and returned before; provisional."""
        if not self.raises:
            return False
        return self.before is None or (
            self.before.ending is Ending.RETURNED and not self.before.blocked
        )


@dataclass(frozen=True, slots=True)
class Confirmed:
    """A new crash that fresh runs bear out; `before` is None for a function that is new."""

    crash: Crash
    verdict: Verdict
    before: Observation | None
    source: str = "triage"


class Trial:
    """Both versions of one function under one verifier."""

    def __init__(self, pair: Pair, verifier: Verifier, root: Path, *, pure: bool) -> None:
        self.pair = pair
        self.root = root
        self._verifier = verifier
        self._runner = verifier.runner
        self._pure = pure
        self.new_goal = raising_goal(pair.new)
        self.old_goal = raising_goal(pair.old) if pair.old is not None else None

    def run(self, calls: Sequence[Call], budget_s: float) -> list[Ran]:
        """Run calls in the new version, and those that raised there in the old one."""
        ends = time.perf_counter() + budget_s
        seen = self._run(self.new_goal, calls, budget_s)
        ran = [Ran(call, now) for call, now in zip(calls, seen, strict=True)]
        return self.compared(ran, max(ends - time.perf_counter(), LEAST_S))

    def compared(self, ran: Sequence[Ran], budget_s: float) -> list[Ran]:
        """Return runs of the new version with what the old one does where the new one raised."""
        if self.old_goal is None:
            return list(ran)
        raising = [one for one in ran if one.raises]
        asked = [(one, self.pair.old_call(one.call)) for one in raising]
        known = [(one, call) for one, call in asked if call is not None]
        seen = self._run(self.old_goal, [call for _, call in known], budget_s)
        before = {one.call: run for (one, _), run in zip(known, seen, strict=True)}
        never = Observation(Ending.BAD_START, 0.0)
        return [
            replace(one, before=before.get(one.call, never)) if one in raising else one
            for one in ran
        ]

    def _run(self, goal: Goal, calls: Sequence[Call], budget_s: float) -> list[Observation]:
        if not calls:
            return []
        ends = time.perf_counter() + budget_s
        if self._pure:
            found = self._runner.batch(goal, calls, budget_s=budget_s)
            # A first run has imports of its own to do: where none ended in a batch's short time,
            # a few get the time that a run alone has.
            ended = any(one.ending not in (Ending.TIMED_OUT, Ending.CUT) for one in found)
            if ended or time.perf_counter() >= ends:
                return found
        return self._alone(goal, calls, ends)

    def _alone(self, goal: Goal, calls: Sequence[Call], ends: float) -> list[Observation]:
        slow = 0
        found: list[Observation] = []
        for call in calls:
            late = time.perf_counter() >= ends or slow >= _MOST_SLOW
            found.append(_NOT_RUN if late else self._runner.single(goal, call))
            slow += found[-1].ending is Ending.TIMED_OUT
        return found

    def crash(self, ran: Ran, trust: Trust) -> Crash | None:
        """Return a run that raised as a crash; None where no line of the project is in it.

        What an argument's own code raises, a lambda's, is none either.
        """
        raised = ran.now.raised
        own = own_sites(raised, self.root) if raised is not None else ()
        last = raised.sites[-1] if raised is not None and raised.sites else None
        if last is not None and last.function == "<lambda>" and last not in own:
            return None
        return Crash(ran.call, raised, own, trust) if own and raised is not None else None

    def goal(self, crash: Crash) -> Goal:
        """Return the goal of this crash: its exception, at its line, through the function."""
        place = crash.place
        claim = exception_claim(crash.raised.type, crash.raised.message)
        entry = entry_site(self.pair.new)
        if crash.raised.type == "RecursionError":  # where exactly it runs out is chance
            place = Site(place.file, None, place.function)
        is_entry = (place.file, place.function) == (entry.file, entry.function)
        chain = (place,) if is_entry else (entry, place)
        return Goal(self.pair.new.ref, Event.EXCEPTION, chain, exception=claim, exact_chain=False)

    def confirm(self, crash: Crash, source: str = "triage") -> Confirmed | Verdict | Observation:
        """Return the confirmed crash, or what spoke against it: a verdict, or an old run."""
        before = None
        if self.old_goal is not None:
            call = self.pair.old_call(crash.call)
            assert call is not None
            runs = self._runner.fresh(self.old_goal, call)
            for one in runs:
                if one.ending is not Ending.RETURNED or one.blocked:
                    return one
            before = runs[0]
            if runs[0].value != runs[1].value:
                before = replace(before, value=None)
        verdict = self._verifier.confirm(self.goal(crash), Proposal(crash.call, source))
        if verdict.status is not Status.CONFIRMED:
            return verdict
        return Confirmed(crash, verdict, before, source)

    def full(self, crash: Crash) -> Observation:
        """Return a run of a crash with all its states."""
        return self._runner.fresh(self.goal(crash), crash.call, full_trace=True)[0]


class Both:
    """Who judges a simpler call of a crash: it has to raise the same now and to return before.

    Has the part of a verifier that shrinking needs; `ends` is a time of `perf_counter`.
    """

    def __init__(self, trial: Trial, plausible: Plausible, crash: Crash, ends: float) -> None:
        self._trial = trial
        self._plausible = plausible
        self._crash = crash
        self._ends = ends
        is_new = trial.pair.old is None
        self._least = crash.trust if is_new else min(crash.trust, Trust.AGREES)
        self.best: Confirmed | None = None

    @property
    def _left_s(self) -> float:
        return max(self._ends - time.perf_counter(), LEAST_S)

    def screen(
        self, goal: Goal, proposals: Sequence[Proposal], *, pure: bool, guided: bool
    ) -> list[Verdict]:
        """Return provisional verdicts; a match is UNKNOWN, NOT_REPEATED."""
        calls = [one.start for one in proposals]
        trusts = [self._plausible.trust(call) if isinstance(call, Call) else None
                  for call in calls]  # fmt: skip
        kept = [call for call, trust in zip(calls, trusts, strict=True)
                if isinstance(call, Call) and trust is not None
                and trust >= self._least]  # fmt: skip
        ran = {one.call: one for one in self._trial.run(kept, self._left_s)}
        found = []
        for proposal in proposals:
            one = ran.get(proposal.start) if isinstance(proposal.start, Call) else None
            good = one is not None and self._is_same(one)
            reason = Reason.NOT_REPEATED if good else Reason.NO_EXCEPTION
            found.append(Verdict(proposal, reason, Evidence(1)))
        return found

    def _is_same(self, ran: Ran) -> bool:
        raised, wanted = ran.now.raised, self._crash
        if not ran.is_new_crash or raised is None or raised.type != wanted.raised.type:
            return False
        own = own_sites(raised, self._trial.root)
        return bool(own) and own[-1] == wanted.place

    def confirm(self, goal: Goal, proposal: Proposal) -> Verdict:
        """Return the final verdict, of both versions; what is confirmed is kept in `best`."""
        assert isinstance(proposal.start, Call)
        trust = self._plausible.trust(proposal.start) or Trust.GUESSED
        ran = self._trial.run([proposal.start], self._left_s)[0]
        crash = self._trial.crash(ran, trust)
        if crash is None or not self._is_same(ran):
            return Verdict(proposal, Reason.NO_EXCEPTION, Evidence(1))
        found = self._trial.confirm(crash, proposal.source)
        if isinstance(found, Confirmed):
            self.best = found
            return found.verdict
        if isinstance(found, Verdict):
            return found
        return Verdict(proposal, Reason.NO_EXCEPTION, Evidence(1))
