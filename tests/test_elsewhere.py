"""What holds only here, now and under our eyes is not confirmed: clocks, processes, our modules."""

from __future__ import annotations

import ast
import itertools
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from running import goal_for

from nsdbg.claim import Call, Ending, Goal, Middle, Proposal, Reason, Site, Status
from nsdbg.measure.hallucination.judged import Borne
from nsdbg.measure.oracle.liar import call_of
from nsdbg.measure.oracle.oracle import Oracle
from nsdbg.source import load_subject
from nsdbg.state import Action, ActionKind, Event
from nsdbg.verify.interpreters import Interpreter, find_interpreters
from nsdbg.verify.runner import Runner, RunnerConfig
from nsdbg.verify.verifier import Verifier

TARGET = Path(__file__).parent / "targets" / "treacherous.py"
INTERPRETERS = find_interpreters()
VERSIONS = [".".join(map(str, found.version[:2])) for found in INTERPRETERS]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("treacherous").resolve() / "treacherous.py"
    shutil.copy(TARGET, place)
    return place


@pytest.fixture(scope="module")
def verifier(file: Path) -> Iterator[Verifier]:
    with Runner(RunnerConfig(roots=(file.parent,))) as runner:
        yield Verifier(runner)


def claimed_as_seen(verifier: Verifier, file: Path, name: str, *given: str) -> Reason:
    """Claim exactly what a first run gives, as one does who has listened."""
    subject = load_subject(file, name)
    call = call_of(subject, given)
    seen = verifier.runner.single(goal_for(file, name), call)
    assert seen.value is not None, seen
    goal = Goal(
        subject.ref, Event.RETURN, (Site(str(file), None, name),), value=seen.value.repr
    )  # fmt: skip
    return verifier.confirm(goal, Proposal(call, "test")).reason


@pytest.mark.parametrize(
    "name",
    ["weekday", "weekday_utc", "day_number", "year", "this_month", "month_name", "is_weekend",
     "imported_today", "nanoseconds", "date_text", "leap"],
)  # fmt: skip
def test_what_is_so_today_is_not_confirmed(verifier: Verifier, file: Path, name: str) -> None:
    assert claimed_as_seen(verifier, file, name) is Reason.NONDETERMINISTIC


def test_the_year_that_an_argument_names_is_not_always_this_one(
    verifier: Verifier, file: Path
) -> None:
    found = claimed_as_seen(verifier, file, "in_this_year", "2026")
    assert found is Reason.NONDETERMINISTIC


@pytest.mark.parametrize(
    "name",
    ["zone", "offset", "local_hour", "from_timestamp", "point", "language", "all_locale", "hashed",
     "popped", "text_of_set", "process", "parent", "here", "home", "temporary",
     "modules", "watched_modules", "tracing", "depth", "randomly", "identity", "width"],
)  # fmt: skip
def test_what_is_so_in_this_place_or_process_is_not_confirmed(
    verifier: Verifier, file: Path, name: str
) -> None:
    assert claimed_as_seen(verifier, file, name) is Reason.NONDETERMINISTIC


def test_no_order_of_addresses_is_confirmed(verifier: Verifier, file: Path) -> None:
    """Two runs need not agree with each other in it, nor with what was seen before."""
    ref = load_subject(file, "sorted_by_id").ref
    found = set()
    for order in itertools.permutations(range(4)):
        site = Site(str(file), None, "sorted_by_id")
        goal = Goal(ref, Event.RETURN, (site,), value=repr(list(order)))
        found.add(verifier.confirm(goal, Proposal(Call(), "test")).status)
    assert Status.CONFIRMED not in found
    assert Status.UNKNOWN in found


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("hash_parity", "'word'"), ("ordered", "['a', 'b', 'c']"), ("joined", "['x', 'y']"),
        ("by_views", "{'a': 1, 'b': 2, 'c': 3}"), ("least", "['aa', 'bb', 'cc']"),
        ("local_references", "[]"),
    ],
)  # fmt: skip
def test_what_an_order_or_a_count_of_references_makes_so_is_not_confirmed(
    verifier: Verifier, file: Path, name: str, given: str
) -> None:
    assert claimed_as_seen(verifier, file, name, given) is Reason.NONDETERMINISTIC


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("equal_values", ()), ("zero", ()), ("not_numbers", ()), ("alias", ("[1]",)),
        ("order", ("'ba'",)), ("generator", ("3",)), ("huge", ("5000",)), ("dead", ()),
        ("dated", ()), ("timed", ()), ("scheduled", ()), ("held", ()),
    ],
)  # fmt: skip
def test_what_does_not_rest_on_them_is_confirmed(
    verifier: Verifier, file: Path, name: str, given: tuple[str, ...]
) -> None:
    assert claimed_as_seen(verifier, file, name, *given) is Reason.GOAL_REACHED


@pytest.mark.parametrize("interpreter", INTERPRETERS, ids=VERSIONS)
def test_every_interpreter_shows_another_day_and_the_types_as_they_are(
    interpreter: Interpreter, file: Path
) -> None:
    with Runner(RunnerConfig(python=interpreter.path, roots=(file.parent,))) as runner:
        verifier = Verifier(runner)
        for name in ("weekday_utc", "day_number", "year", "imported_today"):
            assert claimed_as_seen(verifier, file, name) is Reason.NONDETERMINISTIC, name
        for name in ("dated", "timed", "scheduled", "held"):
            assert claimed_as_seen(verifier, file, name) is Reason.GOAL_REACHED, name


REMEMBERING = TARGET.with_name("remembering.py")
TWICE = [
    node.name for node in ast.parse(REMEMBERING.read_text()).body
    if isinstance(node, ast.FunctionDef) and node.name.startswith("twice_")
]  # fmt: skip


@pytest.fixture(scope="module")
def remembered(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[Path, Verifier, Oracle]]:
    place = tmp_path_factory.mktemp("remembering").resolve() / "remembering.py"
    shutil.copy(REMEMBERING, place)
    with (
        Runner(RunnerConfig(roots=(place.parent,))) as runner,
        Oracle(Path(sys.executable)) as oracle,
    ):
        yield place, Verifier(runner), oracle


@pytest.mark.parametrize("name", TWICE)
def test_what_a_function_remembers_is_in_no_state(
    remembered: tuple[Path, Verifier, Oracle], name: str
) -> None:
    place, verifier, oracle = remembered
    ref = load_subject(place, name).ref
    facts = oracle.facts(str(place), ref.root, ref.module, [(name, Call())])
    tried = []
    for stop in facts.runs[0].stops:
        frame, action = stop.state.frame, Action(ActionKind.NEXT)
        alone = stop.state.event is Event.LINE and len(stop.state.stack) == 1
        if not alone or frame.local("first") is None:
            continue
        start = Middle(stop.state)
        verdict = verifier.follow(ref, start, action).verdict
        tried.append(verdict.status)
        if verdict.status is Status.CONFIRMED:
            site = Site(frame.file, frame.lineno, frame.function)
            goal = Goal(ref, Event.LINE, (site,), previous=True)
            claimed = Proposal(start, "test", action, verdict.evidence.observed)
            assert oracle.borne_out(goal, claimed, facts) is Borne.OUT
    assert tried[-1] is Status.CONFIRMED  # the return of what is in the state
    assert Status.UNKNOWN in tried[:-1]


CAUGHT = """
import threading

def memory():
    try:
        return len(bytearray(6 << 30))
    except MemoryError:
        return "small"

def threads():
    stop, started = threading.Event(), 0
    try:
        for _ in range(200):
            threading.Thread(target=stop.wait, daemon=True).start()
            started += 1
    except RuntimeError:
        pass
    stop.set()
    return started

def files():
    held = []
    try:
        for _ in range(300):
            held.append(open(__file__))
    except OSError:
        return "few"

def plain():
    try:
        raise OSError(2, "no such file")
    except OSError:
        return "caught"
"""


@pytest.mark.parametrize("name", ["memory", "threads", "files", "plain"])
def test_a_limit_of_the_guard_that_a_program_catches_is_no_answer(
    tmp_path: Path, name: str
) -> None:
    file = tmp_path / "caught.py"
    file.write_text(CAUGHT)
    with Runner(RunnerConfig(roots=(tmp_path,))) as runner:
        seen = runner.single(goal_for(file, name), Call())
    assert seen.ending is (Ending.RETURNED if name == "plain" else Ending.OUT_OF_MEMORY)
