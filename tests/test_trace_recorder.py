"""The recorder: which calls it takes, what their states hold, and what it leaves alone."""

from __future__ import annotations

import importlib.util
import io
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from running import call as running_call
from running import goal_for

from nsdbg.episode import Episode, episode_from_json
from nsdbg.model.trace.worker.recorder import MOST_STATES, Recorder
from nsdbg.model.trace.worker.rows import Sources, dumps, row
from nsdbg.state import Event, Trace
from nsdbg.verify.child.limits import ALARM
from nsdbg.verify.runner import Runner

SHOP = '''
import functools

LIMIT = 10
names = ["no", "literal", print]

def total(items):
    """Add up."""
    result = 0
    for item in items:
        result += add(item, 1)
    return min(result, LIMIT)

def add(a, b):
    return a + b

def fold(items):
    return functools.reduce(add, items)

def counting(n):
    for number in range(n):
        yield number

def use(n):
    return [number for number in counting(n)]

def risky(x):
    try:
        return int(x)
    except ValueError:
        return check(x)

def check(x):
    raise KeyError(x)

def loud(n):
    print("one")
    print("two" * n)

def deep(n):
    return n and deep(n - 1)

def ends(n):
    for _ in range(n):
        pass

def outer(n, m):
    def inner(x):
        return x * LIMIT
    return inner

def says_names():
    return len(names)

class Till:
    held = total([1])

    def __init__(self, n):
        self.n = n

    def take(self, k):
        return self.n - k

last = total([2, 3])
'''


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    file = tmp_path_factory.mktemp("shop") / "shop.py"
    file.write_text(SHOP)
    return load(file)


def load(file: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def record(module: ModuleType, call: Callable[[], Any], most: int = 8) -> list[Episode]:
    """Return the episodes of a call; what it raises is passed over."""
    recorder = Recorder(lambda file: file == module.__file__, most)
    former = sys.gettrace()
    ALARM.install()
    recorder.start()
    try:
        call()
    except Exception:
        pass
    finally:
        recorder.stop()
        sys.settrace(former)
    sources = Sources(lambda name: Path(name).read_text())
    head = {"id": "x", "source": "doctest", "package": "shop", "licence": "MIT"}
    rows = [row(taken, sources, lambda name: Path(name).name, head) for taken in recorder.take()]
    return [episode_from_json(dumps(one)) for one in rows if not isinstance(one, str)]


def told(episode: Episode) -> list[tuple[str, list[tuple[str, int]]]]:
    return [
        (state.event.value, [(frame.function, frame.lineno) for frame in state.stack])
        for state in episode.trace.states
    ]


def test_every_event_of_a_call_and_of_what_it_calls_is_a_state(shop: ModuleType) -> None:
    (episode,) = record(shop, lambda: shop.total([5]))
    assert told(episode) == [
        ("call", [("total", 7)]),
        ("line", [("total", 9)]),
        ("line", [("total", 10)]),
        ("line", [("total", 11)]),
        ("call", [("total", 11), ("add", 14)]),
        ("line", [("total", 11), ("add", 15)]),
        ("return", [("total", 11), ("add", 15)]),
        ("line", [("total", 10)]),
        ("line", [("total", 12)]),
        ("return", [("total", 12)]),
    ]
    assert episode.function == "total"
    assert [one.qualname for one in episode.listings] == ["total", "add"]
    assert episode.listings[0].text.startswith('def total(items):\n    """Add up."""')
    assert episode.names == (("LIMIT", "10"),)
    assert episode.trace.complete
    assert episode.trace.activations == (0, 0, 0, 0, 1, 1, 1, 0, 0, 0)
    inner = episode.trace.states[5]
    assert [(name, value.repr) for name, value in inner.stack[0].locals or ()] == [
        ("items", "[5]"), ("result", "0"), ("item", "5"),
    ]  # fmt: skip
    last = episode.trace.states[-1]
    assert last.arg is not None
    assert last.arg.repr == "6"


def test_libraries_are_stepped_over_and_what_they_call_is_not(shop: ModuleType) -> None:
    (episode,) = record(shop, lambda: shop.fold([1, 2, 3]))
    assert [stack for event, stack in told(episode) if event == "call"] == [
        [("fold", 17)], [("fold", 18), ("add", 14)], [("fold", 18), ("add", 14)],
    ]  # fmt: skip


def test_calls_of_one_function_are_taken_with_other_arguments_and_few(shop: ModuleType) -> None:
    def calls() -> None:
        for number in (1, 1, 2, 3, 4, 5):
            shop.add(number, 0)

    taken = record(shop, calls, most=3)
    assert [episode.arguments[0][1].repr for episode in taken] == ["1", "2", "3"]


def test_a_function_taken_often_enough_leaves_room_for_those_it_calls(shop: ModuleType) -> None:
    taken = record(shop, lambda: [shop.total([number]) for number in range(3)], most=1)
    assert [episode.function for episode in taken] == ["total", "add"]


def test_code_of_other_files_is_not_traced(shop: ModuleType) -> None:
    seen = []
    recorder = Recorder(lambda file: file == shop.__file__)
    former = sys.gettrace()
    recorder.start()
    textwrap.dedent("x")
    seen.append((lambda: sys._getframe().f_trace)())
    recorder.stop()
    sys.settrace(former)
    assert seen == [None]
    assert recorder.take() == []


def test_a_module_that_is_imported_is_no_root_but_what_it_calls_is(shop: ModuleType) -> None:
    assert shop.__file__ is not None
    file = Path(shop.__file__)
    recorder = Recorder(lambda name: name == str(file))
    former = sys.gettrace()
    recorder.start()
    load(file)
    recorder.stop()
    sys.settrace(former)
    assert [taken.code.co_name for taken in recorder.take()] == ["total", "total"]


def test_an_exception_leaves_frames_by_returns_without_a_value(shop: ModuleType) -> None:
    (episode,) = record(shop, lambda: shop.risky("a"))
    states = episode.trace.states
    ends = [(state.event.value, state.frame.function, state.arg and state.arg.type)
            for state in states if state.event in (Event.EXCEPTION, Event.RETURN)]  # fmt: skip
    assert ends == [
        ("exception", "risky", "ValueError"),
        ("exception", "check", "KeyError"),
        ("return", "check", None),
        ("exception", "risky", "KeyError"),
        ("return", "risky", None),
    ]
    assert episode.trace.complete


def test_a_generator_keeps_its_number_when_it_is_resumed(shop: ModuleType) -> None:
    (episode,) = record(shop, lambda: shop.use(2))
    trace = episode.trace
    counting = [number for state, number in zip(trace.states, trace.activations, strict=True)
                if state.frame.function == "counting"]  # fmt: skip
    assert len(set(counting)) == 1
    assert counting[0] in trace.generators
    calls = [state for state in trace.states if state.event is Event.CALL]
    assert [state.frame.function for state in calls].count("counting") == 3


def test_a_generator_that_is_the_root_goes_on_after_other_calls(shop: ModuleType) -> None:
    def consume() -> None:
        for number in shop.counting(2):
            shop.add(number, number)

    taken = record(shop, consume)
    assert [episode.function for episode in taken] == ["add", "add", "counting"]
    generator = taken[2]
    assert generator.trace.complete
    assert {state.frame.function for state in generator.trace.states} == {"counting"}
    assert [state.arg.repr for state in generator.trace.states
            if state.event is Event.RETURN and state.arg] == ["0", "1", "None"]  # fmt: skip


def test_a_generator_that_is_never_ended_is_cut(shop: ModuleType) -> None:
    (episode,) = record(shop, lambda: next(shop.counting(9)))
    # It is closed when it is let go: that is its end, or the recording's.
    assert episode.trace.states[3].event is Event.RETURN
    held = shop.counting(9)
    (kept,) = record(shop, lambda: next(held))
    assert not kept.trace.complete
    assert len(kept.trace.states) == 4


def test_a_long_call_is_cut_and_goes_on_untraced(shop: ModuleType) -> None:
    (episode,) = record(shop, lambda: shop.ends(1000))
    assert len(episode.trace.states) == MOST_STATES
    assert not episode.trace.complete
    (deep,) = record(shop, lambda: shop.deep(100), most=1)
    assert len(deep.trace.states[-1].stack) == 40
    assert not deep.trace.complete


def test_long_values_are_cut(shop: ModuleType) -> None:
    (episode,) = record(shop, lambda: shop.add(["x" * 5000], []))
    value = episode.arguments[0][1]
    assert value.truncated
    assert 350 < len(value.repr) < 450


def test_what_is_printed_belongs_to_the_state_after_it(
    shop: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    print("before")
    (episode,) = record(shop, lambda: shop.loud(2))
    assert [state.output for state in episode.trace.states] == ["", "", "one\n", "twotwo\n"]


def test_a_nested_function_is_listed_within_the_one_around_it_when_both_run(
    shop: ModuleType,
) -> None:
    outer, inner = record(shop, lambda: shop.outer(1, 2)(4))[:2]
    assert [one.qualname for one in outer.listings] == ["outer"]
    assert [(one.qualname, one.lineno) for one in inner.listings] == [("outer.<locals>.inner", 48)]
    assert inner.names == (("LIMIT", "10"),)


def test_globals_that_are_no_literals_are_not_named(shop: ModuleType) -> None:
    (episode,) = record(shop, shop.says_names)
    assert episode.names == ()


def test_methods_are_roots_with_their_qualified_names(shop: ModuleType) -> None:
    till = shop.Till(5)
    (episode,) = record(shop, lambda: till.take(2))
    assert (episode.function, episode.listings[0].qualname) == ("Till.take", "Till.take")
    assert not episode.arguments[0][1].literal


def test_calls_of_which_most_values_say_nothing_are_left_out(shop: ModuleType) -> None:
    recorder = Recorder(lambda file: file == shop.__file__)
    former = sys.gettrace()
    ALARM.install()
    recorder.start()
    shop.Till(object())
    recorder.stop()
    sys.settrace(former)
    (taken,) = recorder.take()
    sources = Sources(lambda name: Path(name).read_text())
    assert row(taken, sources, str, {}) == "opaque values"
    assert row(taken, Sources(lambda name: None), str, {}) == "no source"


@pytest.mark.parametrize(
    ("qualname", "arguments", "call"),
    [
        ("add", {"a": "3"}, lambda module: module.add(3)),
        ("inner", {"values": "[5, 2]"}, lambda module: module.inner([5, 2])),
        ("fails", {"text": "'x'"}, lambda module: module.fails("x")),
        ("countdown", {"n": "3"}, lambda module: module.countdown(3)),
        ("generate", {"n": "2"}, lambda module: list(module.generate(2))),
        ("outer", {"items": "[[1], []]"}, lambda module: module.outer([[1], []])),
    ],
)
def test_states_are_those_that_the_verifier_records(
    target: Path, runner: Runner, qualname: str, arguments: dict[str, str], call: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    module = load(target)
    episode = next(one for one in record(module, lambda: call(module)) if one.function == qualname)
    goal = goal_for(target, qualname)
    trace = runner.fresh(goal, running_call(**arguments), full_trace=True)[0].trace
    assert trace is not None
    assert described(episode.trace) == described(trace)


def described(trace: Trace) -> list[Any]:
    """Return what two recordings of one run must agree in: all but where the file lies."""
    return [
        (state.event, [(frame.function, frame.lineno) for frame in state.stack],
         state.frame.locals, state.arg, state.output, number, number in trace.generators,
         at in trace.internal)
        for at, (state, number) in enumerate(zip(trace.states, trace.activations, strict=True))
    ]  # fmt: skip
