"""The proposers, asked about what a change touches in one function, within its time.

Who is asked for what, and how long; what their calls show is for `examine` to say.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from nsdbg.claim import Call, Goal, Proposal
from nsdbg.proposer import Proposer, ProposerSession
from nsdbg.triage.inputs import Inputs
from nsdbg.triage.pace import Pace
from nsdbg.triage.pair import Pair
from nsdbg.triage.risks import goals_for
from nsdbg.workbench import Workbench

_ROUNDS, _ASKED = 3, 24
_LONGEST_SCREEN_S = 4.0
_FAR_S = 0.5


@dataclass(frozen=True, slots=True)
class Listener:
    """Who hears of calls: `settled` runs those that raised and says whether that is enough.

    `seen` is told of how many calls did not; `note` of what went wrong.
    """

    settled: Callable[[Sequence[Call]], bool]
    seen: Callable[[int], None]
    note: Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Asking:
    """The proposers of a bench for one pair; `ends` is a time of `perf_counter`."""

    pair: Pair
    bench: Workbench
    inputs: Inputs
    listener: Listener
    pace: Pace
    ends: float
    pure: bool
    seed: int = 0

    def ask(self, reached: frozenset[int]) -> None:
        """Ask everybody about what the change touches, and the quickest about the rest."""
        near, far = goals_for(self.pair, reached)
        everybody = list(self.bench.proposers)
        began = time.perf_counter()
        for goal in near:
            if self._pursue(goal, everybody, _ROUNDS):
                return
        # In a long module a proposer takes long to begin: then the rest is left alone.
        ends = began + max(_FAR_S, time.perf_counter() - began)
        for goal in far:
            if time.perf_counter() > ends or self._pursue(goal, everybody[:1], 1):
                return

    @property
    def _left_s(self) -> float:
        return self.ends - time.perf_counter()

    def _pursue(self, goal: Goal, proposers: Sequence[Proposer], rounds: int) -> bool:
        """Ask some proposers about a goal; whether what they said is enough."""
        sessions: list[tuple[str, ProposerSession]] = []
        for one in proposers:
            if self.pace.fits(one.name, self._left_s):
                try:
                    with self.pace.timed(f"{one.name} begins"):
                        sessions.append((one.name, one.start(goal, self.pair.new, self.seed)))
                except Exception as error:  # a proposer may be anybody's; the others go on
                    self._set_aside(one.name, error)
        for _ in range(rounds):
            proposals = self._proposals(sessions)
            if not proposals:
                return False
            kept = [one for one in proposals
                    if isinstance(one.start, Call) and self.inputs.accept(one.start)]  # fmt: skip
            if kept and self._run(goal, kept, sessions):
                return True
        return False

    def _proposals(self, sessions: list[tuple[str, ProposerSession]]) -> list[Proposal]:
        """Ask all who may answer in time."""
        proposals: list[Proposal] = []
        for name, session in list(sessions):
            if self.pace.fits(name, self._left_s):
                try:
                    with self.pace.timed(name):
                        proposals += session.ask(_ASKED)
                except Exception as error:  # as above
                    sessions.remove((name, session))
                    self._set_aside(name, error)
        return proposals

    def _run(
        self, goal: Goal, kept: Sequence[Proposal], sessions: list[tuple[str, ProposerSession]]
    ) -> bool:
        """Run proposals, and tell everybody what became of them; whether that is enough."""
        if self._left_s <= 0:
            return False
        verdicts = self.bench.verifier.screen(
            goal, kept, pure=self.pure, guided=True, budget_s=min(self._left_s, _LONGEST_SCREEN_S)
        )
        for name, session in list(sessions):
            try:
                session.tell(verdicts)
            except Exception as error:  # as above
                sessions.remove((name, session))
                self._set_aside(name, error)
        raising = [one.proposal.start for one in verdicts if one.evidence.raised is not None]
        calls = [call for call in raising if isinstance(call, Call)]
        self.listener.seen(len(verdicts) - len(calls))
        return self.listener.settled(calls)

    def _set_aside(self, name: str, error: Exception) -> None:
        self.listener.note(f"{name} was set aside: {type(error).__name__}: {error}")
