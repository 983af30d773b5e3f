"""The verifier: cheap refusals, provisional screening, and confirmation from fresh processes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from nsdbg.claim import (
    Call,
    Ending,
    FileCoverage,
    Goal,
    Hit,
    Middle,
    Observation,
    Proposal,
    Reason,
    Script,
    Site,
    Start,
    Status,
)
from nsdbg.source import Subject, load_subject
from nsdbg.state import Action, ActionKind, Event, Frame, State, Value
from nsdbg.statefile import goal_from_state, middle_from, parse_state
from nsdbg.verify.native import native_imports
from nsdbg.verify.runner import Runner, RunnerConfig
from nsdbg.verify.sandbox import Layer
from nsdbg.verify.starts import may_alias
from nsdbg.verify.verifier import Verifier

SOURCE = """\
import random
import sqlite3
import time


def scale(n, by=2, *more, unit=1, **rest):
    result = n * by
    return result * unit


def order(words):
    return list(set(words))


def today(n):
    return time.strftime("%Y-%m-%d %H")


def extend(a, b):
    a.append(1)
    return b


def loop(items):
    total = 0
    for item in items:
        total += item
    return total


def spin(n):
    while n:
        pass
    return n


def touch(n):
    try:
        open("/etc/nsdbg-was-here", "w")
    except OSError:
        pass
    return n


def unbound(flag):
    x = 1
    if flag:
        y = 2
    try:
        return y
    except UnboundLocalError:
        return "unbound"
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("verified") / "sums.py"
    file.write_text(SOURCE)
    return file


@pytest.fixture(scope="module")
def verifier(file: Path) -> Iterator[Verifier]:
    with Runner(RunnerConfig(roots=(file.parent,), limit_s=0.5, batch_limit_s=0.2)) as runner:
        yield Verifier(runner)


def asked(file: Path, function: str, **fields: object) -> tuple[Goal, Subject]:
    subject = load_subject(file, function)
    return goal_from_state(parse_state(json.dumps(fields)), subject), subject


def call(**arguments: str) -> Proposal:
    return Proposal(Call(tuple(arguments.items())), "search:0")


@pytest.mark.parametrize("pure", [True, False])
@pytest.mark.parametrize("guided", [True, False])
def test_screening_is_provisional_and_in_order(
    verifier: Verifier, file: Path, pure: bool, guided: bool
) -> None:
    goal, _ = asked(file, "scale", value="12")
    proposals = [call(n=str(n)) for n in (1, 6, 9)] + [call(n="'a'", by="'b'")]
    verdicts = verifier.screen(goal, proposals, pure=pure, guided=guided)
    assert [verdict.proposal for verdict in verdicts] == proposals
    assert [verdict.reason for verdict in verdicts] == [
        Reason.VALUE_DIFFERS, Reason.NOT_REPEATED, Reason.VALUE_DIFFERS, Reason.OTHER_EXCEPTION
    ]  # fmt: skip
    assert verdicts[1].evidence.distance == 0.0
    assert verdicts[3].evidence.raised is not None
    assert verdicts[3].evidence.raised.type == "TypeError"
    if guided:  # the first round runs the function itself, while its twin is made
        verdicts = verifier.screen(goal, proposals, pure=pure, guided=True)
        distances = [verdict.evidence.distance or 0.0 for verdict in verdicts]
        assert distances[0] > distances[2] > 0


def test_a_confirmation_says_what_it_rests_on(verifier: Verifier, file: Path) -> None:
    goal, _ = asked(file, "scale", value="12")
    verdict = verifier.confirm(goal, call(n="6"))
    assert (verdict.reason, verdict.evidence.runs) == (Reason.GOAL_REACHED, 2)
    assert verdict.evidence.python.startswith("3.")
    assert "audit-hook" in verdict.evidence.layers
    assert [site.lineno for site in verdict.evidence.path] == [7, 8]


@pytest.mark.parametrize(
    ("start", "words"),
    [
        (Call((("n", "1 +"),)), "argument n is no expression: '1 +'"),
        (Call((("n", "x = 1"),)), "argument n is no expression"),
        (Call((("n", "'" + "x" * 70000 + "'"),)), "argument n is no expression"),
        (Call((("n", "1"), ("n", "2"))), "given twice"),
        (Call((("*args", "()"),)), "scale has no parameter *args"),
        (Call((("n", "1"),), ("print(1)",)), "not an import: 'print(1)'"),
        (Script(), "a script runs a whole module"),
    ],
)
def test_what_cannot_be_right_is_refused_unrun(
    verifier: Verifier, file: Path, start: Start, words: str
) -> None:
    goal, _ = asked(file, "scale", value="12")
    for verdict in [
        verifier.confirm(goal, Proposal(start, "x")),
        *verifier.screen(goal, [Proposal(start, "x")], pure=True, guided=True),
    ]:
        assert (verdict.reason, verdict.evidence.runs) == (Reason.BAD_PROPOSAL, 0)
        assert words in verdict.evidence.detail


def test_star_parameters_are_named_with_their_stars(verifier: Verifier, file: Path) -> None:
    goal, _ = asked(file, "scale", value="12")
    starred = Proposal(Call((("n", "6"), ("**rest", "{'other': 1}"))), "search:0")
    assert verifier.confirm(goal, starred).status is Status.CONFIRMED
    assert verifier.confirm(goal, call(n="6", other="1")).reason is Reason.BAD_PROPOSAL


def test_an_argument_that_raises_is_a_bad_start(verifier: Verifier, file: Path) -> None:
    goal, _ = asked(file, "scale", value="12")
    verdict = verifier.confirm(goal, call(n="1 // 0"))
    assert verdict.reason is Reason.BAD_START
    assert "ZeroDivisionError" in verdict.evidence.detail


def test_a_goal_with_a_text_that_is_no_literal_is_met_by_nothing(
    verifier: Verifier, file: Path
) -> None:
    goal, _ = asked(file, "scale", value="12")
    for bad in (replace(goal, value="f(1)"), replace(goal, where=("n =",))):
        verdict = verifier.confirm(bad, call(n="6"))
        assert verdict.reason is Reason.BAD_PROPOSAL


@pytest.mark.parametrize(
    ("function", "value", "arguments", "reason"),
    [
        ("order", "['a', 'b', 'c', 'd', 'e']", {"words": "'abcde'"}, Reason.NONDETERMINISTIC),
        ("today", "'2020-01-01 00'", {"n": "1"}, Reason.NONDETERMINISTIC),
        ("spin", "0", {"n": "1"}, Reason.TIMEOUT),
        ("touch", "1", {"n": "1"}, Reason.SIDE_EFFECT),
        ("scale", "12", {"n": "5"}, Reason.VALUE_DIFFERS),
        ("scale", "12.0", {"n": "6"}, Reason.VALUE_DIFFERS),
        ("order", "[]", {"words": "[]"}, Reason.GOAL_REACHED),
    ],
)
def test_real_runs_are_judged_for_what_they_show(
    verifier: Verifier, file: Path, function: str, value: str,
    arguments: dict[str, str], reason: Reason,
) -> None:  # fmt: skip
    goal, _ = asked(file, function, value=value)
    assert verifier.confirm(goal, call(**arguments)).reason is reason


def middle(file: Path, function: str, **fields: Any) -> tuple[Goal, Middle]:
    goal, subject = asked(file, function, **fields)
    return goal, middle_from(parse_state(json.dumps(fields)), subject)


STEP, NEXT = Action(ActionKind.STEP), Action(ActionKind.NEXT)


def test_a_step_leads_to_the_state_that_two_runs_show(verifier: Verifier, file: Path) -> None:
    goal, start = middle(file, "scale", lineno=7, locals={"n": "3", "by": "2", "unit": "5"})
    verdict = verifier.follow(goal.entry, start, STEP).verdict
    assert verdict.reason is Reason.TRANSITION
    seen = verdict.evidence.observed
    assert seen is not None
    assert (seen.event, seen.frame.lineno) == (Event.LINE, 8)
    assert seen.frame.local("result") == Value("6", "int", True)
    assert seen.frame.local("rest") is None  # it was not named: it is unbound


def test_a_goal_one_step_later_is_screened_and_confirmed(verifier: Verifier, file: Path) -> None:
    goal, _ = asked(file, "scale", lineno=8, locals={"result": "6"})
    goal = replace(goal, previous=True)
    _, right = middle(file, "scale", lineno=7, locals={"n": "3", "by": "2"})
    _, wrong = middle(file, "scale", lineno=7, locals={"n": "4", "by": "2"})
    proposals = [Proposal(start, "rule:x", STEP) for start in (right, wrong)]
    verdicts = verifier.screen(goal, proposals, pure=True, guided=True)
    assert [v.reason for v in verdicts] == [Reason.NOT_REPEATED, Reason.LOCALS_DIFFER]
    assert verdicts[0].status is Status.UNKNOWN
    called = verifier.confirm(goal, call(n="3"))
    assert called.reason is Reason.BAD_PROPOSAL  # it is not one step earlier
    final = verifier.confirm(goal, proposals[0])
    assert (final.reason, final.proposal) == (Reason.TRANSITION, proposals[0])


def test_locals_that_are_not_named_are_unbound_and_stay_so(verifier: Verifier, file: Path) -> None:
    goal, start = middle(file, "unbound", lineno=46, locals={"flag": "False", "x": "1"})
    verdict = verifier.follow(goal.entry, start, Action(ActionKind.RETURN)).verdict
    assert verdict.evidence.observed is not None
    assert verdict.evidence.observed.arg == Value("'unbound'", "str", True)


def test_equal_lists_that_may_be_one_are_unknown_when_it_matters(
    verifier: Verifier, file: Path
) -> None:
    def follows(a: str, b: str) -> Reason:
        goal, start = middle(file, "extend", lineno=20, locals={"a": a, "b": b})
        return verifier.follow(goal.entry, start, NEXT).verdict.reason

    assert follows("[]", "[]") is Reason.HIDDEN_ALIAS
    assert follows("[]", "[2]") is Reason.TRANSITION
    assert follows("[[2]]", "[2]") is Reason.TRANSITION  # the outer list changes, not the inner
    assert follows("[]", "()") is Reason.TRANSITION


def test_a_loop_is_followed_as_far_as_its_items_are_told(verifier: Verifier, file: Path) -> None:
    bound = {"items": "[0, 0, 0]", "item": "0", "total": "0"}
    goal, start = middle(file, "loop", lineno=27, locals=bound)
    assert verifier.follow(goal.entry, start, NEXT).verdict.reason is Reason.TRANSITION
    away = verifier.follow(goal.entry, start, Action(ActionKind.RETURN)).verdict
    assert away.reason is Reason.HIDDEN_ITERATOR
    told = replace(start, remaining=((26, "[5, 7]"),))
    followed = verifier.follow(goal.entry, told, Action(ActionKind.RETURN))
    assert followed.verdict.evidence.observed is not None
    assert followed.verdict.evidence.observed.arg == Value("12", "int", True)
    assert followed.remaining == ()
    again = verifier.follow(goal.entry, told, Action(ActionKind.CONTINUE, 27))
    assert again.remaining == ((26, "[7]"),)


def test_a_state_at_a_call_is_that_call(verifier: Verifier, file: Path) -> None:
    bound = {"n": "3", "by": "2", "more": "(1,)", "unit": "5", "rest": "{'k': 1}"}
    goal, start = middle(file, "scale", event="call", locals=bound)
    verdict = verifier.follow(goal.entry, start, STEP).verdict
    assert verdict.reason is Reason.TRANSITION
    assert verdict.evidence.observed is not None
    assert verdict.evidence.observed.frame.lineno == 7


def test_a_start_outside_the_function_is_refused(verifier: Verifier, file: Path) -> None:
    goal, start = middle(file, "scale", lineno=7, locals={})
    frame = start.state.frame
    for other in (replace(frame, lineno=20), replace(frame, function="loop")):
        moved = Middle(State(Event.LINE, (other,)))
        verdict = verifier.follow(goal.entry, moved, STEP).verdict
        assert (verdict.reason, verdict.evidence.runs) == (Reason.BAD_PROPOSAL, 0)


@pytest.mark.parametrize(
    ("names", "remaining", "expected"),
    [
        ({"a": "[]", "b": "[]"}, {}, True),
        ({"a": "[[1], [1]]"}, {}, True),
        ({"a": "[1]", "b": "([1],)"}, {}, True),
        ({"a": "{'k': [1]}", "b": "[1]"}, {}, True),
        ({"row": "[1]"}, {5: "[[1]]"}, True),
        ({"a": "[]", "b": "{}", "c": "()", "d": "()", "e": "1", "f": "1"}, {}, False),
        ({"a": "[1]", "b": "[1.0]", "c": "[True]"}, {}, False),
    ],
)
def test_only_equal_mutable_values_may_be_one(
    names: dict[str, str], remaining: dict[int, str], expected: bool
) -> None:
    bound = tuple((name, Value(text, "x")) for name, text in names.items())
    state = State(Event.LINE, (Frame("f.py", 1, "f", bound),))
    assert may_alias(Middle(state, tuple(remaining.items()))) is expected


@dataclass(frozen=True)
class Weak:
    """A runner's settings."""

    weak_ok: bool = False


class Scripted:
    """A runner that shows one observation, under layers of choice."""

    python_version = "3.11.0"

    def __init__(self, shown: Observation, layers: Sequence[str], weak_ok: bool = False) -> None:
        self.shown, self.config = shown, Weak(weak_ok)
        self.layers = tuple(Layer(name, True, "") for name in layers)

    def again(self, goal: Goal, start: Start) -> Any:
        raise AssertionError("no transition is judged here")

    def fresh(self, goal: Goal, start: Start, full_trace: bool = False) -> Any:
        return self.shown, replace(self.shown, seconds=9.0)

    def single(self, *given: Any, **more: Any) -> Observation:
        return self.shown

    def batch(
        self, goal: Goal, starts: Sequence[Start], trace: bool = True, budget_s: float | None = None
    ) -> list[Observation]:
        return [self.shown for _ in starts]

    def probe(
        self, goal: Goal, starts: Sequence[Start], budget_s: float | None = None
    ) -> list[Observation]:
        return [self.shown for _ in starts]


def matched(goal: Goal) -> Observation:
    """Return a run of `scale` that gives 12."""
    value = Value("12", "int", True)
    site = goal.chain[0]
    state = State(Event.RETURN, (Frame(site.file, 8, site.function, ()),), value)
    coverage = FileCoverage(site.file, (7, 8), ((7, 8),), (7, 8))
    path = (Site(site.file, 7, "scale"), Site(site.file, 8, "scale"))
    return Observation(
        Ending.RETURNED, 0.1, value=value, hits=(Hit(state),), coverage=(coverage,), path=path
    )


STRONG = ("landlock", "seccomp", "audit-hook")


@pytest.mark.parametrize(
    ("layers", "weak_ok", "reason"),
    [
        (STRONG, False, Reason.GOAL_REACHED),
        (STRONG[1:], False, Reason.WEAK_GUARD),
        (STRONG[1:], True, Reason.GOAL_REACHED),
    ],
)
def test_where_the_kernel_does_not_hold_native_code_is_not_confirmed(
    file: Path, layers: Sequence[str], weak_ok: bool, reason: Reason
) -> None:
    goal, _ = asked(file, "scale", value="12")
    weak = Verifier(Scripted(matched(goal), layers, weak_ok))
    verdict = weak.confirm(goal, call(n="6"))
    assert verdict.reason is reason
    assert verdict.evidence.layers == tuple(layers)
    if reason is Reason.WEAK_GUARD:
        assert "sqlite3 may reach past" in verdict.evidence.detail


def test_pure_python_needs_no_kernel(tmp_path: Path) -> None:
    plain = tmp_path / "plain.py"
    plain.write_text("import math\nfrom helper import f\n\ndef scale(n):\n    return f(n)\n")
    (tmp_path / "helper.py").write_text("import re\n\ndef f(n):\n    return n * 2\n")
    ref = load_subject(plain, "scale").ref
    assert native_imports(ref) == ()
    other = tmp_path / "other.py"
    other.write_text("import helper2\ndef scale(n):\n    return n\n")
    (tmp_path / "helper2.py").write_text("import ctypes\nimport numpy\n__import__('os')\n")
    assert native_imports(load_subject(other, "scale").ref) == ("__import__", "ctypes", "numpy")


def test_the_twins_word_for_a_match_is_provisional(file: Path) -> None:
    goal, _ = asked(file, "scale", value="12")
    shown = Observation(Ending.RETURNED, 0.1, value=Value("nan", "float"), distance=0.0)
    [verdict] = Verifier(Scripted(shown, STRONG)).screen(
        goal, [call(n="6")], pure=True, guided=True
    )  # fmt: skip
    assert (verdict.reason, verdict.status) == (Reason.NOT_REPEATED, Status.UNKNOWN)
    late = replace(shown, ending=Ending.TIMED_OUT)
    [verdict] = Verifier(Scripted(late, STRONG)).screen(goal, [call(n="6")], pure=True, guided=True)
    assert verdict.reason is Reason.TIMEOUT


PROGRAMS = Path(__file__).parent / "programs"


@pytest.mark.parametrize("name", ["exceptions", "generators", "recursion"])
def test_every_state_that_a_run_passes_is_confirmed_of_it(name: str) -> None:
    """Chains, locals and coverage as claimed are those that were seen: nothing true is refused."""
    subject = load_subject(PROGRAMS / f"{name}.py", "run")
    whole = Goal(subject.ref, Event.RETURN, (Site(subject.ref.file, None, "run"),))
    reasons: dict[str, int] = {}
    with Runner(RunnerConfig(roots=(PROGRAMS,))) as runner:
        trace = runner.fresh(whole, Call(), full_trace=True)[0].trace
        assert trace is not None
        for state in trace.states[::6]:
            goal = _goal_of(state, whole)
            # An exception that leaves a frame is a return event to a trace function, without a
            # value: it is no return.
            if goal is not None:
                reason = Verifier(runner).confirm(goal, Proposal(Call(), "x")).reason.slug
                reasons[reason] = reasons.get(reason, 0) + 1
    assert list(reasons) == ["goal-reached"]
    assert reasons["goal-reached"] > 10


def _goal_of(state: State, whole: Goal) -> Goal | None:
    chain = tuple(Site(frame.file, frame.lineno, frame.function) for frame in state.stack)
    bound = tuple((n, v.repr) for n, v in state.frame.locals or () if v.literal)
    value = None
    if state.event is Event.RETURN:
        if state.arg is None:
            return None
        value = state.arg.repr if state.arg.literal else None
    return Goal(whole.entry, state.event, chain, locals=bound, value=value)
