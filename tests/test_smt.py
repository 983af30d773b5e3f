"""What a solver proposes: arguments for which a function returns a value, checked by running it."""

from __future__ import annotations

import ast
import importlib
import importlib.util
from pathlib import Path
from typing import Any

import pytest

from nsdbg.claim import Call, ExceptionClaim, Goal, Proposal, Site
from nsdbg.propose import smt
from nsdbg.propose.smt import SmtProposer
from nsdbg.source import Subject, load_subject
from nsdbg.state import Event

needs_z3 = pytest.mark.skipif(
    importlib.util.find_spec("z3") is None, reason="the extra nsdbg[smt] is not installed"
)


def subject_of(tmp_path: Path, source: str) -> Subject:
    file = tmp_path / "mod.py"
    file.write_text(source)
    return load_subject(file, "f")


def returning(subject: Subject, value: object) -> Goal:
    site = Site(subject.ref.file, None, "f")
    return Goal(subject.ref, Event.RETURN, (site,), value=repr(value))


def proposals(goal: Goal, subject: Subject, asks: int = 12) -> list[Proposal]:
    session = SmtProposer().start(goal, subject, 0)
    for _ in range(asks):
        found = session.ask(4)
        if found:
            return list(found)
    return []


def arguments(proposal: Proposal) -> dict[str, Any]:
    assert isinstance(proposal.start, Call)
    return {name: ast.literal_eval(text) for name, text in proposal.start.arguments}


def run(source: str, given: dict[str, Any]) -> Any:
    names: dict[str, Any] = {}
    exec(source, names)
    return names["f"](**given)


CONDITIONS = {
    "numbers": "def f(a: int, b: int):\n    return a * 7 - b == 31 and a % b == 6 and b > 5\n",
    "negative remainders": "def f(n: int):\n    return n % -7 == -3 and n // -7 == 12\n",
    "a root": "def f(n: int):\n    return n * n == 15129 and n < 0\n",
    "a list's sum": """
def f(xs: list[int]):
    return len(xs) == 6 and sum(xs) == 100 and all(a < b for a, b in zip(xs, xs[1:]))
""",
    "counts": """
def f(xs: list[int]):
    return xs.count(4) == 3 and xs.index(9) == 2 and len(set(xs)) == 4 and max(xs) == 11
""",
    "an order": "def f(xs: list[int]):\n    return sorted(xs) == [1, 2, 2, 8] and xs[0] > xs[1]\n",
    "places": """
def f(at: list[int], words=("ab", "cd", "ef", "gh")):
    return "".join([words[i] for i in at]) == "efcdgh"
""",
    "text": """
def f(s: str):
    return s.count("ab") == 3 and s[::-1].startswith("xyz") and len(s) == 12 and "q" in s
""",
    "words": """
def f(words: list[str], text="one two  three"):
    return words == text.split() and len(words[0]) < len(words[-1])
""",
    "digits": "def f(n: int):\n    return str(n)[::-1] == '7261' and len(str(n + 9999)) == 5\n",
    "a number in text": "def f(s: str):\n    return int(s) * 3 == 1110 and s.isdigit()\n",
    "branches": """
def f(x: int):
    if x > 50:
        y = x // 3
    else:
        y = -x
    while y > 10:
        y -= 7
    return y == 8 and x % 2 == 0 and x > 60
""",
    "assertions": """
def f(xs: list[int], target=10):
    assert all(0 < x < target for x in xs), "small ones"
    product = 1
    for x in xs:
        product *= x
    return product == 5040
""",
    "truth values": """
def f(picked: list[bool], weights=(3, 5, 8, 13, 21)):
    return sum(w for w, p in zip(weights, picked) if p) == 29 and len(picked) == 5
""",
    "a table": """
def f(path: list[int], table={1: 4, 2: 9, 3: 1}):
    return sum(table[i] for i in path) == 27 and len(path) == 5
""",
    "a float": "def f(x: float):\n    return 2 * x + 0.5 == 3.75\n",
    "inner functions": """
def f(n: int):
    def double(k, by=2):
        return k * by
    return double(n) + double(n, by=3) == 35
""",
    "four squares": """
def f(xs: list[int]):
    return len(xs) == 4 and sum(x * x for x in xs) == 4321
""",
    "characters": """
def f(s: str, shift=3, coded="khoor"):
    return len(s) == len(coded) and all(ord(a) + shift == ord(b) for a, b in zip(s, coded))
""",
}  # fmt: skip


@needs_z3
@pytest.mark.parametrize("name", sorted(CONDITIONS))
def test_a_condition_is_made_true(tmp_path: Path, name: str) -> None:
    source = CONDITIONS[name]
    subject = subject_of(tmp_path, source)
    found = proposals(returning(subject, True), subject)
    assert [run(source, arguments(proposal)) for proposal in found[:1]] == [True]
    assert found[0].source == "smt:z3"


@needs_z3
@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("def f(a: int, b: int):\n    return [a + b, a - b]\n", [10, 4]),
        ("def f(s: str):\n    return s.upper() + '!'\n", "OK!"),
        ("def f(n):\n    return range(0, 100, 7)[n]\n", 63),
        ("def f(xs: list[int]):\n    return max(xs) - min(xs)\n", 17),
        ("def f(s: str):\n    return s.replace('-', '_').split('_')\n", ["a", "b"]),
    ],
)
def test_a_value_is_returned(tmp_path: Path, source: str, value: object) -> None:
    subject = subject_of(tmp_path, source)
    found = proposals(returning(subject, value), subject)
    assert [run(source, arguments(proposal)) for proposal in found[:1]] == [value]


@needs_z3
def test_what_contradicts_itself_comes_to_an_end_without_a_proposal(tmp_path: Path) -> None:
    subject = subject_of(tmp_path, "def f(x: int):\n    return x > 3 and x < 3\n")
    assert proposals(returning(subject, True), subject, asks=40) == []


@needs_z3
def test_the_same_goal_gives_the_same_proposals(tmp_path: Path) -> None:
    subject = subject_of(tmp_path, CONDITIONS["counts"])
    goal = returning(subject, True)
    assert proposals(goal, subject) == proposals(goal, subject)


@needs_z3
def test_remainders_and_quotients_are_pythons() -> None:
    values = importlib.import_module("nsdbg.propose.symbolic.values")
    engine = importlib.import_module("nsdbg.propose.symbolic.engine").Engine(())
    shapes = importlib.import_module("nsdbg.propose.symbolic.shapes")
    for left in (-7, -1, 0, 5, 8):
        for right in (-3, 2, 7):
            number = values.SymInt(values.lifted(left) + 0, engine)
            model = engine.model(100_000, 1_000)
            assert shapes.chosen(number // right, model) == left // right
            assert shapes.chosen(number % right, model) == left % right


def test_it_is_silent_about_what_is_no_returned_value(tmp_path: Path) -> None:
    subject = subject_of(tmp_path, "def f(d: dict):\n    return d['x']\n")
    site = Site(subject.ref.file, 2, "f")
    claim = ExceptionClaim("KeyError", "'x'")
    goal = Goal(subject.ref, Event.EXCEPTION, (site,), exception=claim)
    assert proposals(goal, subject) == []


def test_without_the_solver_it_says_so_and_proposes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    subject = subject_of(tmp_path, CONDITIONS["numbers"])
    assert proposals(returning(subject, True), subject) == []
    assert smt.unavailable() == "z3-solver is not installed: install nsdbg[smt]"
