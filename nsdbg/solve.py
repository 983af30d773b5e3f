"""The one loop from a goal to verdicts: ask, screen, tell, confirm.

Knows no proposer and no way of running by name; it spends a budget.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Protocol

from nsdbg.claim import (
    Goal,
    Proposal,
    Reason,
    Stats,
    Status,
    Verdict,
)
from nsdbg.proposer import Proposer, ProposerSession
from nsdbg.refusal import permit_for
from nsdbg.source import Subject

FIRST_ROUND = 2
LARGEST_ROUND = 512
# The first proposer (rules) gets these rounds to itself: its answers are few and mostly right.
ROUNDS_OF_THE_FIRST = 3
# A proposer that works for a long time answers nothing now and something later.
IDLE_ROUNDS = 200
MOST_PERMITS = 3


class Judging(Protocol):
    """What the loop needs of `verify.Verifier`."""

    def screen(
        self, goal: Goal, proposals: Sequence[Proposal], *, pure: bool, guided: bool
    ) -> list[Verdict]:
        """Return provisional verdicts, one a proposal; a match is UNKNOWN, NOT_REPEATED."""
        ...

    def confirm(self, goal: Goal, proposal: Proposal) -> Verdict:
        """Return the final verdict on one proposal."""
        ...


@dataclass(frozen=True, slots=True)
class Budget:
    """How much one goal may cost.  `executions` counts screened proposals; None is no limit."""

    seconds: float
    solutions: int = 1
    executions: int | None = None


class Solving:
    """One goal being answered: iterate over it for the confirmed verdicts, as they come.

    `pure`: the function was found free of effects, so that many proposals may share a process.
    `progress` is called with the counts after every round.
    """

    def __init__(
        self,
        goal: Goal,
        subject: Subject,
        proposers: Sequence[Proposer],
        verifier: Judging,
        budget: Budget,
        *,
        seed: int = 0,
        pure: bool = False,
        progress: Callable[[Stats], None] | None = None,
    ) -> None:
        self.goal = goal
        self.budget = budget
        self.stats = Stats()
        self.nearest: Verdict | None = None
        # Which proposal, counted from 1 in the order asked, was the first to be confirmed.
        self.confirmed_at: int | None = None
        self.trouble: list[str] = []
        # The first refusals that `--allow` would undo, in the order they were met.
        self.permits: list[str] = []
        self._verifier = verifier
        self._pure = pure
        self._progress = progress
        self._started = time.perf_counter()
        self._sessions: dict[str, ProposerSession] = {}
        for proposer in proposers:
            with self._outliving(proposer.name):
                self._sessions[proposer.name] = proposer.start(goal, subject, seed)
        self._seen: set[object] = set()
        self._unknown: Counter[str] = Counter()

    def __iter__(self) -> Iterator[Verdict]:
        size, idle, turn = FIRST_ROUND, 0, 0
        while self.stats.confirmed < self.budget.solutions and not self._spent():
            proposals = self._ask(min(size, self._left()), turn)
            turn += 1
            if not proposals:
                idle += 1
                if idle == IDLE_ROUNDS:
                    break
                continue
            idle, size = 0, min(size * 2, LARGEST_ROUND)
            yield from self._judge(proposals)
        self._count()

    @property
    def first_confirmed(self) -> bool:
        """Whether the very first proposal was confirmed."""
        return self.confirmed_at == 1

    def _ask(self, count: int, turn: int) -> list[Proposal]:
        """Collect up to `count` proposals nobody made before, shared between the sessions."""
        alone = turn < ROUNDS_OF_THE_FIRST
        found: list[Proposal] = []
        sessions = list(self._sessions.items())
        for place, (name, session) in enumerate(sessions):
            left = count - len(found)
            share = left if alone else max(1, left // (len(sessions) - place))
            if left <= 0 or self._spent():
                break
            with self._outliving(name):
                found += self._new(session.ask(share))
        self.stats = replace(self.stats, proposed=self.stats.proposed + len(found))
        return found

    def _new(self, proposals: Sequence[Proposal]) -> list[Proposal]:
        fresh = []
        for proposal in proposals:
            key = (proposal.start, proposal.action, proposal.predicted)
            if key not in self._seen:
                self._seen.add(key)
                fresh.append(proposal)
        return fresh

    def _judge(self, proposals: list[Proposal]) -> Iterator[Verdict]:
        verdicts = self._verifier.screen(self.goal, proposals, pure=self._pure, guided=True)
        self.stats = replace(self.stats, executed=self.stats.executed + len(verdicts))
        for place, verdict in enumerate(verdicts):
            if verdict.reason is Reason.NOT_REPEATED and self._wanted():
                verdicts[place] = final = self._verifier.confirm(self.goal, verdict.proposal)
                if final.status is Status.CONFIRMED:
                    if self.confirmed_at is None:
                        self.confirmed_at = self.stats.executed - len(verdicts) + place + 1
                    self._note(final)
                    yield final
                    continue
            self._note(verdicts[place])
        self._tell(verdicts)

    def _wanted(self) -> bool:
        return self.stats.confirmed < self.budget.solutions and not self._spent()

    def _note(self, verdict: Verdict) -> None:
        field = verdict.status.value
        changed = {field: getattr(self.stats, field) + 1}
        self.stats = replace(self.stats, **changed)
        if verdict.status is Status.UNKNOWN:
            self._unknown[verdict.reason.slug] += 1
            if verdict.reason is Reason.SIDE_EFFECT and len(self.permits) < MOST_PERMITS:
                self._note_refusal(verdict)
        elif verdict.status is Status.REFUTED and self._nearer(verdict):
            self.nearest = verdict

    def _note_refusal(self, verdict: Verdict) -> None:
        event = permit_for(verdict)
        if event is not None and event not in self.permits:
            self.permits.append(event)

    def _nearer(self, verdict: Verdict) -> bool:
        distance = verdict.evidence.distance
        if self.nearest is None or distance is None:
            return self.nearest is None
        best = self.nearest.evidence.distance
        return best is None or distance < best

    def _tell(self, verdicts: Sequence[Verdict]) -> None:
        self._count()
        if self._progress:
            self._progress(self.stats)
        for name, session in list(self._sessions.items()):
            with self._outliving(name):
                session.tell(verdicts)

    @contextmanager
    def _outliving(self, name: str) -> Iterator[None]:
        """Go on without a proposer that breaks; what it said is kept in `trouble`.

        Proposers may be anybody's, and a model file may be damaged: the others still answer.
        """
        try:
            yield
        except Exception as error:
            self._sessions.pop(name, None)
            self.trouble.append(f"{name} was set aside: {type(error).__name__}: {error}")

    def _count(self) -> None:
        self.stats = replace(
            self.stats,
            seconds=time.perf_counter() - self._started,
            unknown_reasons=tuple(sorted(self._unknown.items())),
        )

    def _spent(self) -> bool:
        return time.perf_counter() - self._started >= self.budget.seconds or self._left() <= 0

    def _left(self) -> int:
        limit = self.budget.executions
        return LARGEST_ROUND if limit is None else limit - self.stats.executed
