"""What the lines before a state changed, and no local holds, is not overlooked."""

from __future__ import annotations

import ast
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from nsdbg.claim import Goal, Middle, Proposal, Site, Status
from nsdbg.measure.hallucination.judged import Borne
from nsdbg.measure.oracle.liar import call_of
from nsdbg.measure.oracle.oracle import Oracle
from nsdbg.source import load_subject
from nsdbg.state import Action, ActionKind, Event, Frame, State, Value
from nsdbg.verify.child.limits import ALARM
from nsdbg.verify.child.rehearsal import FORCED, OTHER, OWN, Rehearsal, other
from nsdbg.verify.runner import Runner, RunnerConfig
from nsdbg.verify.verifier import Verifier

TARGETS = [
    Path(__file__).parent / "targets" / name for name in ("changing.py", "by_name.py", "keeping.py")
]
CASES = [
    (target.name, node.name)
    for target in TARGETS
    for node in ast.parse(target.read_text()).body
    if isinstance(node, ast.FunctionDef) and node.name.startswith(("left_", "kept_"))
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("changing").resolve()
    for target in TARGETS:
        shutil.copy(target, place)
    return place


@pytest.fixture(scope="module")
def judging(folder: Path) -> Iterator[tuple[Verifier, Oracle]]:
    with (
        Runner(RunnerConfig(roots=(folder,))) as runner,
        Oracle(Path(sys.executable)) as oracle,
    ):
        yield Verifier(runner), oracle


@pytest.mark.parametrize(("file", "name"), CASES)
def test_what_earlier_lines_changed_is_in_no_state(
    folder: Path, judging: tuple[Verifier, Oracle], file: str, name: str
) -> None:
    place, (verifier, oracle) = folder / file, judging
    subject = load_subject(place, name)
    ref = subject.ref
    facts = oracle.facts(str(place), ref.root, ref.module, [(name, call_of(subject, ["6"]))])
    stops = [
        stop.state for stop in facts.runs[0].stops
        if stop.state.event is Event.LINE and len(stop.state.stack) == 1
    ]  # fmt: skip
    assert len(stops) > 1
    returns = {node.lineno for node in ast.walk(subject.node or subject.tree)
               if isinstance(node, ast.Return)}  # fmt: skip
    found = []
    for state in stops:
        start, action = Middle(state), Action(ActionKind.RETURN)
        verdict = verifier.follow(ref, start, action).verdict
        if state.frame.lineno in returns:
            found.append(verdict.status)
        if verdict.status is Status.CONFIRMED:
            goal = Goal(ref, Event.RETURN, (Site(str(place), None, name),), previous=True)
            claimed = Proposal(start, "test", action, verdict.evidence.observed)
            assert oracle.borne_out(goal, claimed, facts) is Borne.OUT
    wanted = Status.CONFIRMED if name.startswith("kept_") else Status.UNKNOWN
    assert found[-1] is wanted


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (True, False), (2, 5), (1.5, 4.5), (2j, 3 + 2j), ("ab", "abax"), ("", "x"),
        (b"ab", b"abax"), (None, 1), ([1], [4, 1]), ([], []), ((1, "a"), (4, "aax", 1)),
        ({"a": [0]}, {"a": [3, 0]}), ({1}, {1}), (range(2), range(2)),
        ([0] * 2000, [0] * 2000), ({"a": {"b": True}}, {"a": {"b": False}}),
    ],
)  # fmt: skip
def test_other_arguments_are_like_those_of_the_state(value: Any, expected: Any) -> None:
    found = other(value, 3)
    assert (type(found), found) == (type(expected), expected)


WAYS = """
def plain(a, b=2, *rest, c=3, **more):
    seen.append((a, b, rest, c, more))
    a = 0
    seen.append("end")

def turned(a):
    if a > 100:
        seen.append("there")
    return a

def loop(a):
    for one in a:
        seen.append(one)
        one = 0

def swallowed(a):
    try:
        while True:
            seen.append(a)
    except BaseException:
        seen.append("caught")
    finally:
        seen.append("after")

def yields(a):
    seen.append(a)
    yield a
    seen.append("more")

def endless(a):
    while a:
        pass
    return a

def fails(a):
    seen.append(a)
    raise KeyError(a)
    return a

def raised(a):
    return seen[
        a.b]

def branches(a):
    if seen.append("asked"):
        seen.append("if")
        return
    else:
        seen.append("else")
    while not a:
        seen.append("while")
        break
    for one in range(2):
        seen.append(one)
        continue
    try:
        raise KeyError
    except ValueError:
        seen.append("handler")
    else:
        seen.append("unraised")
    finally:
        seen.append("finally")
    a.wrong
    return a

def around(a):
    with a:
        seen.append("first")
        for one in []:
            seen.append("loop")
            a = one
            seen.append("end")
"""


def rehearse(
    folder: Path, name: str, lineno: int, given: dict[str, str], way: str = OWN, event: str = "line"
) -> tuple[list[Any], str | None]:
    """Go a way; return what it did, with "arrived" at the state, and why it did not come there."""
    file = folder / "ways.py"
    file.write_text(WAYS)
    seen: list[Any] = []
    space: dict[str, Any] = {"seen": seen, "__name__": "ways"}
    exec(compile(WAYS, str(file), "exec"), space)
    function = space[name]
    first = function.__code__.co_firstlineno
    names = [[name, text, "", True, False] for name, text in given.items()]
    state = {"e": event, "a": None, "f": [[str(file), first + lineno, name, names]]}
    ALARM.install()
    ALARM.begin(10.0)
    try:
        failure = Rehearsal(function, state, way, lambda: seen.append("arrived")).go()
    finally:
        ALARM.end()
    return seen, failure


@pytest.mark.parametrize(
    ("name", "lineno", "given", "expected"),
    [
        ("plain", 2, {"a": "1"}, [(1, None, (), 3, {}), "arrived"]),
        ("plain", 2, {"a": "1", "b": "5", "rest": "(7,)", "c": "4", "more": "{'d': 9}"},
         [(1, 5, (7,), 4, {"d": 9}), "arrived"]),
        ("plain", 3, {"a": "<object>", "b": "5"}, [(None, 5, (), 3, {}), "arrived"]),
        ("turned", 2, {"a": "3"}, ["arrived"]),
        ("turned", 2, {"a": "300"}, ["arrived"]),
        ("turned", 3, {"a": "300"}, ["there", "arrived"]),
        ("loop", 3, {"a": "[4, 5]"}, [4, "arrived"]),
        ("swallowed", 3, {"a": "6"}, ["arrived", "caught", "after"]),
        ("yields", 3, {"a": "6"}, [6, "arrived"]),
        ("fails", 3, {"a": "6"}, [6, "arrived"]),
    ],
)  # fmt: skip
def test_a_way_is_gone_up_to_the_state_and_not_beyond(
    tmp_path: Path, name: str, lineno: int, given: dict[str, str], expected: list[Any]
) -> None:
    assert rehearse(tmp_path, name, lineno, given) == (expected, None)


def test_a_way_is_gone_with_other_arguments(tmp_path: Path) -> None:
    seen, failure = rehearse(tmp_path, "plain", 2, {"a": "1", "b": "'x'"}, OTHER)
    assert seen == [(4, "xxx", (), 3, {}), "arrived"]
    assert failure is None


@pytest.mark.parametrize(
    ("name", "lineno", "given", "expected"),
    [
        ("plain", 3, {"a": "1"}, [(4, None, (), 3, {}), (1004, None, (), 3, {})]),
        ("branches", 21, {"a": "1"},
         2 * ["asked", "if", "else", "while", 0, 1, 1, "unraised", "finally", "handler"]),
        ("branches", 3, {"a": "1"}, 2 * ["asked", "if"]),
        ("branches", 6, {"a": "1"}, 2 * ["asked", "if", "else", "while"]),
        ("branches", 8, {"a": "1"}, 2 * ["asked", "if", "else", "while", "while"]),
        ("branches", 15, {"a": "1"}, 2 * ["asked", "if", "else", "while", 0, 1, 1]),
        ("around", 5, {"a": "1"}, 2 * ["first", "loop", "end", "loop"]),
        ("swallowed", 3, {"a": "6"}, [9, 1009]),
    ],
)  # fmt: skip
def test_a_forced_way_takes_every_branch_with_two_sets_of_arguments(
    tmp_path: Path, name: str, lineno: int, given: dict[str, str], expected: list[Any]
) -> None:
    seen, failure = rehearse(tmp_path, name, lineno, given, FORCED)
    assert (seen, failure) == ([*expected, "arrived"], None)


def test_a_state_may_be_that_of_an_exception_within_a_statement(tmp_path: Path) -> None:
    assert rehearse(tmp_path, "raised", 2, {"a": "1"}, event="exception") == (["arrived"], None)


def test_a_way_that_does_not_end_leads_to_no_state(tmp_path: Path) -> None:
    seen, failure = rehearse(tmp_path, "endless", 3, {"a": "1"})
    assert seen == []
    assert failure is not None
    assert failure.startswith("start-not-reached: ")
    # With other arguments than the state's that shows nothing.
    assert rehearse(tmp_path, "endless", 3, {"a": "0"}, OTHER) == (["arrived"], None)


DEEP = """
def f(n):
    if n:
        return f(n - 1)
    m = 0
    return down(60)

def down(n):
    if n:
        return down(n - 1)
    return 0
"""


@pytest.mark.parametrize(("depth", "expected"), [(3, Status.CONFIRMED), (990, Status.UNKNOWN)])
def test_what_follows_lies_as_deep_as_the_state_says(
    folder: Path, judging: tuple[Verifier, Oracle], depth: int, expected: Status
) -> None:
    file = folder / "deep.py"
    file.write_text(DEEP)
    names = (("n", Value("0", "int", True)), ("m", Value("0", "int", True)))
    older = tuple(Frame(str(file), 4, "f", None) for _ in range(depth))
    state = State(Event.LINE, (*older, Frame(str(file), 6, "f", names)))
    ref = load_subject(file, "f").ref
    verdict = judging[0].follow(ref, Middle(state), Action(ActionKind.RETURN)).verdict
    assert verdict.status is expected
