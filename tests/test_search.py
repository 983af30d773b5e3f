"""The search proposer: deterministic, never repeating, and led by what it is told."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nsdbg.claim import (
    Call,
    Evidence,
    Goal,
    Miss,
    Proposal,
    Raised,
    Reason,
    Script,
    Site,
    Verdict,
)
from nsdbg.propose.search import SearchProposer
from nsdbg.proposer import ProposerSession
from nsdbg.source import MODULE, Subject, load_subject
from nsdbg.state import Event
from nsdbg.verify.child import twin
from nsdbg.verify.child.score import Outcome, score

SEEDS = (0, 1)


class Trial:
    """A function, a value it shall return, and its instrumented twin in this process."""

    def __init__(self, folder: Path, source: str, value: Any, entry: str = "f") -> None:
        file = folder / "module.py"
        file.write_text(textwrap.dedent(source))
        self.subject = load_subject(file, entry)
        site = Site(str(file), None, entry)
        self.goal = Goal(self.subject.ref, Event.RETURN, (site,), value=repr(value))
        self.value = value
        self.names: dict[str, Any] = {"__name__": "module"}
        exec(compile(self.subject.text, str(file), "exec", dont_inherit=True), self.names)
        self.wish = twin.Wish("return", [(str(file), None, entry)], entry, True, value)
        self.meter = twin.meter_for(self.wish)
        twin.plant(self.subject.text, str(file), self.wish, self.meter, self.names)
        self.function: Callable[..., Any] = self.names[entry]

    def run(self, proposal: Proposal) -> Verdict:
        assert isinstance(proposal.start, Call)
        for statement in proposal.start.imports:
            exec(statement, self.names)
        arguments = {name: eval(text, self.names) for name, text in proposal.start.arguments}
        self.meter.begin()
        raised = None
        try:
            value = self.function(**arguments)
            outcome = Outcome(True, value)
            matched = type(value) is type(self.value) and value == self.value
        except Exception as error:
            outcome, matched = Outcome(False, None, error), False
            raised = Raised(type(error).__name__, str(error), ())
        distance = score(self.wish, outcome, self.meter, matched)
        misses = tuple(Miss(*miss[1:]) for miss in self.meter.misses)
        evidence = Evidence(1, raised=raised, distance=distance, misses=misses)
        reason = Reason.NOT_REPEATED if matched else Reason.VALUE_DIFFERS
        return Verdict(proposal, reason, evidence)

    def solve(self, limit: int, seed: int = 0, parameters: int | None = None) -> int:
        """Return how many proposals it took; fails where `limit` did not do."""
        subject = self.subject
        if parameters is not None:
            subject = replace(subject, parameters=subject.parameters[:parameters])
        session = SearchProposer().start(self.goal, subject, seed)
        tried, size = 0, 2
        while tried < limit:
            proposals = session.ask(size)
            verdicts = [self.run(proposal) for proposal in proposals]
            for place, verdict in enumerate(verdicts):
                if verdict.reason is Reason.NOT_REPEATED:
                    return tried + place + 1
            tried, size = tried + len(proposals), min(2 * size, 256)
            session.tell(verdicts)
        pytest.fail(f"not solved in {limit} proposals")


PLAIN = """
def f(words, n=2):
    return [word.upper() for word in words if len(word) > n]
"""


def asked(trial: Trial, seed: int) -> list[Proposal]:
    session = SearchProposer().start(trial.goal, trial.subject, seed)
    made: list[Proposal] = []
    for count in (2, 16, 64):
        proposals = session.ask(count)
        assert len(proposals) == count
        made += proposals
        session.tell([trial.run(proposal) for proposal in proposals])
    return made


def test_the_same_seed_and_verdicts_give_the_same_proposals(tmp_path: Path) -> None:
    assert asked(Trial(tmp_path, PLAIN, ["ABC"]), 5) == asked(Trial(tmp_path, PLAIN, ["ABC"]), 5)
    assert asked(Trial(tmp_path, PLAIN, ["ABC"]), 5) != asked(Trial(tmp_path, PLAIN, ["ABC"]), 6)


def test_nothing_is_proposed_twice(tmp_path: Path) -> None:
    starts = [proposal.start for proposal in asked(Trial(tmp_path, PLAIN, ["ABC"]), 0)]
    assert len(set(starts)) == len(starts) == 82


def test_arguments_with_defaults_are_left_to_them(tmp_path: Path) -> None:
    for proposal in asked(Trial(tmp_path, PLAIN, ["ABC"]), 0):
        assert isinstance(proposal.start, Call)
        assert [name for name, _ in proposal.start.arguments] == ["words"]
        assert proposal.source == "search:0"


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("source", "value", "limit"),
    [
        ("def f(s):\n    return s.strip().title()\n", "Blue Moon", 60),
        ("def f(d, k):\n    d.pop(k)\n    return list(d)\n", ["x", "y"], 4000),
        ("def f(a, b):\n    return a[b:] + [len(a)]\n", [7, 8, 5], 6000),
        ("def f(x: int):\n    return x * x + x == 998022872\n", True, 3000),
        ("def f(x: int, a=77, b=91442):\n    return x + a == b\n", True, 60),
        ("def f(s: str):\n    return s.count('o') == 40 and len(s) == 90\n", True, 8000),
    ],
)
def test_values_are_found(tmp_path: Path, source: str, value: Any, limit: int, seed: int) -> None:
    assert Trial(tmp_path, source, value).solve(limit, seed) <= limit


@pytest.mark.parametrize("seed", SEEDS)
def test_a_long_list_is_climbed_element_by_element(tmp_path: Path, seed: int) -> None:
    source = """
        from typing import List
        def f(x: List[int], n=40):
            return all(x[i + 1] - x[i] == 3 * i for i in range(n)) and x[0] == 5
        """
    assert Trial(tmp_path, source, True).solve(12_000, seed) <= 12_000


@pytest.mark.parametrize("seed", SEEDS)
def test_assertions_in_a_loop_are_climbed(tmp_path: Path, seed: int) -> None:
    source = """
        def f(t: str, s="Mainz"):
            i = 0
            for c in s.lower():
                assert t[i] == "-"
                assert t[i + 1] == c
                i += 2
            return i == len(t)
        """
    assert Trial(tmp_path, source, True).solve(12_000, seed) <= 12_000


@pytest.mark.parametrize("seed", SEEDS)
def test_the_other_side_of_a_comparison_is_tried(tmp_path: Path, seed: int) -> None:
    source = """
        def f(x: int, m=90817263544, n=5):
            for _ in range(n):
                m = m - 1 if m % 10 else m // 10
            return x == m
        """
    assert Trial(tmp_path, source, True).solve(60, seed) <= 60


def test_objects_are_built_and_changed(tmp_path: Path) -> None:
    source = """
        from dataclasses import dataclass
        @dataclass
        class Item:
            price: int
            name: str
        def f(items):
            return sum(item.price for item in items if item.name.startswith("a"))
        """
    assert Trial(tmp_path, source, 321).solve(4000) <= 4000


def test_another_proposers_near_miss_is_built_on(tmp_path: Path) -> None:
    trial = Trial(tmp_path, "def f(x):\n    return [n + 1 for n in x][::-1]\n", [901, 4, 77, 350])
    session = SearchProposer().start(trial.goal, trial.subject, 0)
    near = Proposal(Call((("x", "[349, 76, 3, 899]"),)), "rule:reverse")
    session.tell([trial.run(near)])
    found = [trial.run(proposal).reason for _ in range(3) for proposal in session.ask(64)]
    assert Reason.NOT_REPEATED in found


def test_a_first_answer_is_quick(tmp_path: Path) -> None:
    trial = Trial(tmp_path, PLAIN, ["ABC"])
    session = SearchProposer().start(trial.goal, trial.subject, 0)
    (first,) = session.ask(1)
    assert isinstance(first.start, Call)
    assert first.start.arguments == (("words", "['ABC']"),)


def scripted(folder: Path, source: str) -> tuple[Subject, ProposerSession]:
    file = folder / "script.py"
    file.write_text(textwrap.dedent(source))
    subject = load_subject(file, MODULE)
    goal = Goal(subject.ref, Event.EXCEPTION, (Site(str(file), None, MODULE),))
    return subject, SearchProposer().start(goal, subject, 0)


def scripts(session: ProposerSession, count: int) -> list[Script]:
    starts = [proposal.start for proposal in session.ask(count)]
    return [start for start in starts if isinstance(start, Script)]


def test_a_script_gets_the_lines_that_it_reads(tmp_path: Path) -> None:
    source = """
        n, m = map(int, input().split())
        rows = [list(map(int, input().split())) for _ in range(n)]
        name = input()
        print(sum(map(sum, rows)) + m, name)
        """
    _, session = scripted(tmp_path, source)
    made = scripts(session, 50)
    assert len(set(made)) == 50
    for script in made:
        lines = script.stdin.splitlines()
        n, _ = map(int, lines[0].split())
        assert len(lines) == 2 + max(n, 0)
        assert all(int(word) is not None for line in lines[1:-1] for word in line.split())


def test_a_script_gets_its_arguments(tmp_path: Path) -> None:
    source = "import sys\ncount = int(sys.argv[1])\nprint(sys.argv[2] * count)\n"
    _, session = scripted(tmp_path, source)
    full = [script.argv for script in scripts(session, 30) if len(script.argv) == 2]
    assert full
    assert all(argv[0].lstrip("-").isdigit() for argv in full)


def test_readers_of_a_scripts_own_are_understood(tmp_path: Path) -> None:
    source = """
        import sys
        read = sys.stdin.readline
        def number(): return int(read())
        def main():
            for _ in range(number()):
                print(read().split())
        main()
        """
    _, session = scripted(tmp_path, source)
    for script in scripts(session, 20):
        lines = script.stdin.splitlines()
        assert len(lines) == 1 + max(int(lines[0]), 0)


@pytest.mark.parametrize("hint", ["Dict[List[int], int]", "Set[List[int]]", "Dict[Any, str]"])
def test_a_hint_with_keys_that_cannot_be_any_breaks_nothing(tmp_path: Path, hint: str) -> None:
    source = f"from typing import *\ndef f(x: {hint}):\n    return len(x) - 100\n"
    trial = Trial(tmp_path, source, 0)
    session = SearchProposer().start(trial.goal, trial.subject, 0)
    made = [proposal for count in (2, 16, 64) for proposal in session.ask(count)]
    assert made[0].source == "search:0"


def test_a_parameter_is_given_what_the_goal_claims_of_it(tmp_path: Path) -> None:
    source = "def f(x: float, y):\n    z = y * 2\n    return z\n"
    trial = Trial(tmp_path, source, 0)
    site = Site(trial.subject.ref.file, 3, "f")
    goal = Goal(trial.subject.ref, Event.LINE, (site,), locals=(("x", "3"), ("z", "8")))
    made = SearchProposer().start(goal, trial.subject, 0).ask(8)
    calls = [dict(p.start.arguments) for p in made if isinstance(p.start, Call)]
    assert sum(call["x"] == "3" for call in calls) >= 4


def test_no_call_is_proposed_where_an_earlier_state_is_wanted(tmp_path: Path) -> None:
    trial = Trial(tmp_path, PLAIN, ["ABC"])
    wanted = replace(trial.goal, previous=True)
    assert list(SearchProposer().start(wanted, trial.subject, 0).ask(20)) == []
