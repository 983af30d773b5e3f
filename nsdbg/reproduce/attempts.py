"""What was tried on the way to a reproduction: a bounded number of verdicts, for a report.

Watches the verifier and decides nothing; the counts of all attempts are in `Stats`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from nsdbg.claim import Goal, Proposal, Reason, Start, Status, Verdict
from nsdbg.reproduce.crash import Level
from nsdbg.solve import Judging

# Of each way in: those tried first (the log's own hints are among them), and those that came
# nearest of the others.
FIRST_KEPT = 20
NEAREST_KEPT = 5


@dataclass(frozen=True, slots=True)
class Attempt:
    """A start that was tried by one way in, and the last verdict on it.

    Its evidence is without coverage and path: thousands are tried, and those are the bulk of it.
    """

    level: Level
    verdict: Verdict


class Attempts:
    """The attempts by one way in that are worth keeping, in the order in which they came."""

    def __init__(self, level: Level) -> None:
        self._level = level
        self._first: dict[Start, Verdict] = {}
        self._nearest: list[Verdict] = []

    def __iter__(self) -> Iterator[Attempt]:
        verdicts = [*self._first.values(), *self._nearest]
        return (Attempt(self._level, verdict) for verdict in verdicts)

    def add(self, verdict: Verdict) -> None:
        """Note a verdict; a later one on the same start takes the place of the earlier one."""
        start = verdict.proposal.start
        if start in self._first or len(self._first) < FIRST_KEPT:
            self._first[start] = _light(verdict)
        elif verdict.evidence.distance is not None and self._is_near(verdict.evidence.distance):
            others = [one for one in self._nearest if one.proposal.start != start]
            nearest = sorted([*others, _light(verdict)], key=_distance)
            self._nearest = nearest[:NEAREST_KEPT]

    def _is_near(self, distance: float) -> bool:
        full = len(self._nearest) == NEAREST_KEPT
        return not full or distance < _distance(self._nearest[-1])


def _distance(verdict: Verdict) -> float:
    distance = verdict.evidence.distance
    return float("inf") if distance is None else distance


def _light(verdict: Verdict) -> Verdict:
    return replace(verdict, evidence=replace(verdict.evidence, coverage=(), path=(), misses=()))


class Watching:
    """A verifier that remembers: the attempts, the first whose message differed, the first unknown.

    `unknown` is about the latest search alone, `attempts` are of all searches by the same way in.
    """

    def __init__(self, verifier: Judging, attempts: Attempts) -> None:
        self._verifier = verifier
        self._attempts = attempts
        self.message_differs: Verdict | None = None
        self.unknown: Verdict | None = None

    def screen(
        self, goal: Goal, proposals: Sequence[Proposal], *, pure: bool, guided: bool
    ) -> list[Verdict]:
        """Screen, and remember."""
        verdicts = self._verifier.screen(goal, proposals, pure=pure, guided=guided)
        for verdict in verdicts:
            self._attempts.add(verdict)
            if verdict.reason is Reason.MESSAGE_DIFFERS and self.message_differs is None:
                self.message_differs = verdict
            if verdict.status is Status.UNKNOWN and verdict.reason is not Reason.NOT_REPEATED:
                self.unknown = self.unknown or verdict
        return verdicts

    def confirm(self, goal: Goal, proposal: Proposal) -> Verdict:
        """Confirm, and remember."""
        verdict = self._verifier.confirm(goal, proposal)
        self._attempts.add(verdict)
        if verdict.status is Status.UNKNOWN:
            self.unknown = self.unknown or verdict
        return verdict
