"""The loop from a goal to verdicts, with proposers and a verifier that are told what to say."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from nsdbg.claim import Call, Evidence, Goal, Proposal, Reason, Site, Status, Verdict
from nsdbg.solve import Budget, Solving
from nsdbg.source import Subject, load_subject
from nsdbg.state import Event


class Lister:
    """Proposes what it was given, once."""

    def __init__(self, name: str, values: Sequence[int]) -> None:
        self.name = name
        self.values = list(values)
        self.told: list[Verdict] = []

    def start(self, goal: Goal, subject: Subject, seed: int) -> Lister:
        return self

    def ask(self, count: int) -> list[Proposal]:
        now, self.values = self.values[:count], self.values[count:]
        return [Proposal(Call((("x", str(value)),)), f"{self.name}:{value}") for value in now]

    def tell(self, verdicts: Sequence[Verdict]) -> None:
        self.told += verdicts


class Answers:
    """Finds a set of values right when screening, and another set when confirming."""

    def __init__(self, screened: set[int], confirmed: set[int]) -> None:
        self.screened, self.confirmed = screened, confirmed
        self.confirmations = 0

    def screen(
        self, goal: Goal, proposals: Sequence[Proposal], *, pure: bool, guided: bool
    ) -> list[Verdict]:
        return [self._provisional(proposal) for proposal in proposals]

    def _provisional(self, proposal: Proposal) -> Verdict:
        matched = value_of(proposal) in self.screened
        reason = Reason.NOT_REPEATED if matched else Reason.VALUE_DIFFERS
        return Verdict(proposal, reason, Evidence(1, distance=float(value_of(proposal))))

    def confirm(self, goal: Goal, proposal: Proposal) -> Verdict:
        self.confirmations += 1
        right = value_of(proposal) in self.confirmed
        reason = Reason.GOAL_REACHED if right else Reason.NONDETERMINISTIC
        return Verdict(proposal, reason, Evidence(2))


def value_of(proposal: Proposal) -> int:
    assert isinstance(proposal.start, Call)
    return int(proposal.start.arguments[0][1])


@pytest.fixture
def subject(tmp_path: Path) -> Subject:
    file = tmp_path / "mod.py"
    file.write_text("def f(x):\n    return x\n")
    return load_subject(file, "f")


@pytest.fixture
def goal(subject: Subject) -> Goal:
    site = Site(subject.ref.file, None, "f")
    return Goal(subject.ref, Event.RETURN, (site,), value="7")


def test_only_what_was_confirmed_comes_out(goal: Goal, subject: Subject) -> None:
    solving = Solving(goal, subject, [Lister("a", range(10))], Answers({3, 7}, {7}), Budget(5))
    assert [value_of(verdict.proposal) for verdict in solving] == [7]
    assert (solving.stats.confirmed, solving.stats.unknown) == (1, 1)
    assert solving.stats.unknown_reasons == (("nondeterministic", 1),)


def test_it_stops_at_the_number_of_solutions_asked_for(goal: Goal, subject: Subject) -> None:
    answers = Answers(set(range(100)), set(range(100)))
    solving = Solving(goal, subject, [Lister("a", range(100))], answers, Budget(5, solutions=3))
    assert len(list(solving)) == 3
    assert answers.confirmations == 3


def test_a_proposal_two_proposers_make_is_executed_once(goal: Goal, subject: Subject) -> None:
    proposers = [Lister("a", range(5)), Lister("b", range(5))]
    solving = Solving(goal, subject, proposers, Answers(set(), set()), Budget(5))
    assert list(solving) == []
    assert solving.stats.executed == 5


def test_every_proposer_is_told_every_verdict(goal: Goal, subject: Subject) -> None:
    first, second = Lister("a", [1]), Lister("b", [2])
    list(Solving(goal, subject, [first, second], Answers(set(), set()), Budget(5)))
    assert {value_of(v.proposal) for v in first.told} == {1, 2}
    assert first.told == second.told


def test_the_execution_limit_is_never_passed(goal: Goal, subject: Subject) -> None:
    budget = Budget(5, executions=11)
    solving = Solving(goal, subject, [Lister("a", range(100))], Answers(set(), set()), budget)
    list(solving)
    assert solving.stats.executed == 11


def test_the_nearest_refuted_attempt_is_kept(goal: Goal, subject: Subject) -> None:
    solving = Solving(goal, subject, [Lister("a", [9, 4, 6])], Answers(set(), set()), Budget(5))
    list(solving)
    assert solving.nearest is not None
    assert value_of(solving.nearest.proposal) == 4
    assert solving.nearest.status is Status.REFUTED


def test_a_second_proposer_gets_its_share_while_the_first_still_talks(
    goal: Goal, subject: Subject
) -> None:
    endless = Lister("a", range(1000, 9000))
    solving = Solving(goal, subject, [endless, Lister("b", [7])], Answers({7}, {7}), Budget(5))
    assert [value_of(verdict.proposal) for verdict in solving] == [7]
    assert solving.stats.executed < 100


def test_whether_the_first_proposal_was_right_is_known(goal: Goal, subject: Subject) -> None:
    right = Solving(goal, subject, [Lister("a", [7, 1])], Answers({7}, {7}), Budget(5))
    late = Solving(goal, subject, [Lister("a", [1, 7])], Answers({7}, {7}), Budget(5))
    assert (len(list(right)), right.first_confirmed) == (1, True)
    assert (len(list(late)), late.first_confirmed) == (1, False)
    assert (right.confirmed_at, late.confirmed_at) == (1, 2)


class Broken(Lister):
    """Breaks at a step of its work."""

    def __init__(self, step: str) -> None:
        super().__init__("broken", [1, 2])
        self.step = step

    def start(self, goal: Goal, subject: Subject, seed: int) -> Lister:
        if self.step == "start":
            raise ValueError("no model")
        return self

    def ask(self, count: int) -> list[Proposal]:
        if self.step == "ask":
            raise ValueError("no model")
        return super().ask(count)

    def tell(self, verdicts: Sequence[Verdict]) -> None:
        if self.step == "tell":
            raise ValueError("no model")


@pytest.mark.parametrize("step", ["start", "ask", "tell"])
def test_the_others_go_on_when_a_proposer_breaks(goal: Goal, subject: Subject, step: str) -> None:
    proposers = [Broken(step), Lister("a", [3, 7])]
    solving = Solving(goal, subject, proposers, Answers({7}, {7}), Budget(5))
    assert [value_of(verdict.proposal) for verdict in solving] == [7]
    assert solving.trouble == ["broken was set aside: ValueError: no model"]
