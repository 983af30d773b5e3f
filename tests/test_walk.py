"""Walks over recorded traces stop exactly where the real `bdb` stops."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nsdbg.claim import Call
from nsdbg.measure.oracle.facts import Facts
from nsdbg.measure.oracle.oracle import Oracle
from nsdbg.measure.oracle.walks import compare
from nsdbg.state import Action, ActionKind, Event, Frame, State, Trace, Value
from nsdbg.verify.interpreters import Interpreter, find_interpreters
from nsdbg.verify.walk import Walk

HERE = Path(__file__).parent
PROGRAMS = sorted((HERE / "programs").glob("*.py"))
IDS = [path.stem for path in PROGRAMS]
INTERPRETERS = [found for found in find_interpreters() if found.version >= (3, 11)]
VERSIONS = [".".join(map(str, found.version[:2])) for found in INTERPRETERS]


@pytest.fixture(scope="module", params=INTERPRETERS, ids=VERSIONS)
def oracle(request: pytest.FixtureRequest) -> Iterator[Oracle]:
    interpreter: Interpreter = request.param
    with Oracle(interpreter.path, trusted=True) as oracle:
        yield oracle


def recorded(oracle: Oracle, path: Path) -> Facts:
    facts = oracle.facts(str(path), str(path.parent), path.stem, [("run", Call())])
    assert [ran.why for ran in facts.runs] == [""]
    return facts


@pytest.mark.parametrize("path", PROGRAMS, ids=IDS)
def test_every_command_stops_where_bdb_stops(oracle: Oracle, path: Path) -> None:
    found = compare(oracle, recorded(oracle, path), Random(1), sessions=None, length=10)
    assert list(map(str, found.wrong)) == []
    assert found.unsteady == 0
    assert min(found.commands[kind] for kind in ActionKind) > 20


@pytest.fixture(scope="module")
def bench() -> ModuleType:
    path = HERE.parent / "bench" / "walk_against_bdb.py"
    spec = importlib.util.spec_from_file_location("walk_against_bdb", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_walks_agree_with_bdb_on_a_few_dozen_generated_programs(bench: ModuleType) -> None:
    found, drivers = bench.measure(Path(sys.executable), range(36), 1, 12)
    assert list(map(str, found.wrong)) == []
    assert sum(drivers.values()) == 36
    assert min(drivers[name] for name in bench.DRIVERS) > 2
    assert min(found.commands[kind] for kind in ActionKind) > 40


@pytest.mark.slow
@pytest.mark.parametrize("interpreter", INTERPRETERS, ids=VERSIONS)
def test_walks_agree_with_bdb_on_hundreds_of_generated_programs(
    bench: ModuleType, interpreter: Interpreter
) -> None:
    found, _ = bench.measure(interpreter.path, range(50000, 50400), 2, 12)
    assert list(map(str, found.wrong)) == []


def _tree(depth: int) -> st.SearchStrategy[list[str]]:
    """Draw the lines of a function body that calls, loops, raises, yields and cleans up."""
    simple = st.sampled_from(
        ["x += 1", "x = f(x)", "y = [g(x)]", "x = sum(h(2))", "raise KeyError(x)", "return x"]
    ).map(lambda line: [line])
    if depth == 0:
        return simple
    inner = st.lists(_tree(depth - 1), min_size=1, max_size=2).map(
        lambda blocks: ["    " + line for block in blocks for line in block]
    )
    heads = st.sampled_from(
        ["for i in range(2):", "if x % 2:", "while x < 3 and f(x):", "with C():"]
    )
    block = st.builds(lambda head, body: [head, *body], heads, inner)
    tried = st.builds(
        lambda body, other, word: ["try:", *body, word, *other],
        inner,
        inner,
        st.sampled_from(["except KeyError:", "finally:", "except LookupError as error:"]),
    )
    return st.one_of(simple, block, tried)


PRELUDE = """\
class C:
    def __enter__(self): return self
    def __exit__(self, *args): return False
def f(n):
    return n + 1
def g(n):
    if n > 2:
        raise KeyError(n)
    return n
def h(n):
    got = yield from (i for i in range(n))
    yield n
def run():
    x = y = budget = 0
    try:
        for once in range(2):
{body}
    except Exception:
        x = -1
    return x
"""


_NUMBERS = count()


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Oracle, Path]]:
    with Oracle(Path(sys.executable), trusted=True) as oracle:
        yield oracle, tmp_path_factory.mktemp("made").resolve()


@settings(max_examples=25, deadline=None)
@given(st.lists(_tree(2), min_size=1, max_size=3), st.integers(0, 1 << 30))
def test_walks_agree_with_bdb_on_programs_nobody_wrote(
    ours: tuple[Oracle, Path], blocks: list[list[str]], seed: int
) -> None:
    oracle, folder = ours
    body = "\n".join("            " + line for block in blocks for line in block)
    body = body.replace("while x < 3", "while (budget := budget + 1) < 4 and x < 3")
    path = folder / f"made{next(_NUMBERS)}.py"
    path.write_text(PRELUDE.format(body=body))
    found = compare(oracle, recorded(oracle, path), Random(seed), sessions=4)
    assert list(map(str, found.wrong)) == [], body


@pytest.mark.parametrize("path", PROGRAMS[:3], ids=IDS[:3])
@pytest.mark.parametrize("kind", [ActionKind.STEP, ActionKind.NEXT, ActionKind.RETURN])
def test_before_is_the_inverse_of_after(
    ours: tuple[Oracle, Path], path: Path, kind: ActionKind
) -> None:
    walk = Walk(recorded(ours[0], path).runs[0].trace())
    length = len(walk.trace.states)
    assert length > 20
    forward = [(i, walk.after(i, Action(kind))) for i in range(length)]
    for target in range(0, length, 5):
        expected = [i for i, stop in forward if stop == target]
        assert walk.before(target, Action(kind)) == expected


@pytest.mark.parametrize("kind", [ActionKind.NEXT, ActionKind.RETURN])
def test_the_end_of_a_subiterator_that_bdb_does_not_look_into_stops_nothing(
    kind: ActionKind,
) -> None:
    ended = Value("", "StopIteration")

    def at(lineno: int, depth: int, event: Event = Event.LINE) -> State:
        arg = ended if event is Event.EXCEPTION else None
        return State(event, tuple(Frame("f.py", lineno, "f") for _ in range(depth)), arg)

    inner = (at(8, 2, Event.CALL), at(9, 2), at(9, 2, Event.EXCEPTION), at(9, 2, Event.RETURN))
    states = (at(1, 1, Event.CALL), at(2, 1), *inner, at(3, 1))
    entered_since = Trace(states, True, (0, 0, 1, 1, 1, 1, 0), frozenset([0]))
    expected = 6 if kind is ActionKind.NEXT else None
    assert Walk(entered_since).after(1, Action(kind)) == expected
    known = (at(8, 2, Event.CALL), at(9, 2, Event.RETURN))
    before = Trace((states[0], *known, *states[1:]), True, (0, 1, 1, 0, 1, 1, 1, 1, 0),
                   frozenset([0]))  # fmt: skip
    assert Walk(before).after(3, Action(kind)) == 6


def line(lineno: int, depth: int = 1, event: Event = Event.LINE) -> State:
    return State(event, tuple(Frame("f.py", lineno, "f") for _ in range(depth)))


def test_equal_states_are_told_apart_by_their_index() -> None:
    walk = Walk(Trace((line(1, 1, Event.CALL), line(2), line(3), line(2), line(3), line(4))))
    assert walk.after(1, Action(ActionKind.NEXT)) == 2
    assert walk.after(3, Action(ActionKind.NEXT)) == 4
    assert walk.before(4, Action(ActionKind.STEP)) == [3]
    assert walk.before(3, Action(ActionKind.CONTINUE, 2)) == [1, 2]


def test_a_command_past_the_end_of_the_recording_stops_nowhere() -> None:
    walk = Walk(Trace((line(1, 1, Event.CALL), line(2)), complete=False))
    assert walk.after(1, Action(ActionKind.STEP)) is None
    assert walk.after(0, Action(ActionKind.CONTINUE, 9)) is None


def test_next_steps_over_a_call_of_the_same_function() -> None:
    states = (
        line(1, 1, Event.CALL),
        line(2),
        line(1, 2, Event.CALL),
        line(2, 2),
        line(2, 2, Event.RETURN),
        line(3),
    )
    assert Walk(Trace(states)).after(1, Action(ActionKind.NEXT)) == 5


def test_a_trace_with_too_few_activation_numbers_is_refused() -> None:
    with pytest.raises(ValueError, match="2 states have 1 activation numbers"):
        Trace((line(1), line(2)), activations=(0,))
