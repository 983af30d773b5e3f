"""Walks over recorded traces stop exactly where the real `bdb` stops."""

from __future__ import annotations

import bdb
import gc
import importlib.util
import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nsdbg.state import Action, ActionKind, Event, Frame, State, Trace, Value
from nsdbg.verify.walk import Walk

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.py"))
IDS = [path.stem for path in PROGRAMS]
GENERATOR = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"program_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@contextmanager
def nothing_collected() -> Iterator[None]:
    """Keep the collector still: generators that other tests left would be closed, and be traced."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def record(run: Callable[[], object]) -> Trace:
    """Record a run with nothing but `sys.settrace`: what bdb sees, before it decides anything."""
    states: list[State] = []
    numbers: dict[FrameType, int] = {}
    activations: list[int] = []
    internal: set[int] = set()

    def stack_of(frame: FrameType | None) -> tuple[Frame, ...]:
        stack: list[Frame] = []
        while frame is not None and frame is not outside:
            code = frame.f_code
            stack.insert(0, Frame(code.co_filename, frame.f_lineno, code.co_name))
            frame = frame.f_back
        return tuple(stack)

    def trace(frame: FrameType, event: str, arg: Any) -> Any:
        value = None
        if event == "exception":
            value = Value(str(arg[1]), arg[0].__name__)
            if arg[2] is None:
                internal.add(len(states))
        activations.append(numbers.setdefault(frame, len(numbers)))
        states.append(State(Event(event), stack_of(frame), value))
        return trace

    outside = sys._getframe()
    before = sys.gettrace()
    with nothing_collected():
        sys.settrace(trace)
        try:
            run()
        finally:
            sys.settrace(before)
    generators = {n for frame, n in numbers.items() if frame.f_code.co_flags & GENERATOR}
    last = max(i for i, n in enumerate(activations) if n == 0)  # what follows is ours: settrace
    return Trace(
        tuple(states[: last + 1]),
        True,
        tuple(activations[: last + 1]),
        frozenset(generators),
        frozenset(internal),
    )


class OneCommand(bdb.Bdb):
    """Steps to the event of a given index, issues one command, and notes where it stops next."""

    def __init__(self, index: int, action: Action) -> None:
        super().__init__()
        self.index, self.action = index, action
        self.count = -1
        self.issued = False
        self.stopped: int | None = None

    def trace_dispatch(self, frame: FrameType, event: str, arg: Any) -> Any:
        self.count += 1
        super().trace_dispatch(frame, event, arg)
        if self.count == 0 and self.index == 0:  # bdb says nothing of its very first call
            self._interact(frame)
        # bdb leaves frames untraced that cannot stop; ours stay traced, to count their events.
        return self.trace_dispatch

    def _interact(self, frame: FrameType) -> None:
        if self.issued:
            self.stopped = self.count if self.stopped is None else self.stopped
        elif self.count == self.index:
            self.issued = True
            self._issue(frame)

    def _issue(self, frame: FrameType) -> None:
        kind, lineno = self.action.kind, self.action.lineno
        if kind is ActionKind.STEP:
            self.set_step()
        elif kind is ActionKind.NEXT:
            self.set_next(frame)
        elif kind is ActionKind.RETURN:
            self.set_return(frame)
        elif kind is ActionKind.UNTIL:
            self.set_until(frame, lineno)
        else:
            self.set_break(frame.f_code.co_filename, lineno or 0)
            self.set_continue()

    def user_call(self, frame: FrameType, argument_list: Any) -> None:
        if self.stop_here(frame):  # as pdb does: bdb calls this for breakpoints of the file too
            self._interact(frame)

    def user_line(self, frame: FrameType) -> None:
        self._interact(frame)

    def user_return(self, frame: FrameType, return_value: Any) -> None:
        self._interact(frame)

    def user_exception(self, frame: FrameType, exc_info: Any) -> None:
        self._interact(frame)


def real_stop(run: Callable[[], object], index: int, action: Action) -> int | None:
    debugger = OneCommand(index, action)
    debugger.reset()
    before = sys.gettrace()
    with nothing_collected():
        sys.settrace(debugger.trace_dispatch)
        try:
            run()
        finally:
            sys.settrace(before)
            debugger.clear_all_breaks()
    if not debugger.issued:
        raise LookupError(f"bdb never stops at event {index}")
    return debugger.stopped


def actions_at(trace: Trace, index: int) -> list[Action]:
    here = trace.states[index].frame
    lines = {s.frame.lineno for s in trace.states if s.frame.file == here.file}
    near = sorted(lines, key=lambda line: (abs(line - here.lineno), line))[:4]
    plain = [Action(ActionKind.STEP), Action(ActionKind.NEXT), Action(ActionKind.RETURN)]
    until = [Action(ActionKind.UNTIL, line) for line in near]
    return plain + until + [Action(ActionKind.CONTINUE, line) for line in near]


def within(trace: Trace, stop: int | None) -> int | None:
    """Stops after the program's end are in our own `settrace` call: nowhere."""
    return None if stop is None or stop >= len(trace.states) else stop


def is_silent(trace: Trace, index: int) -> bool:
    """Whether bdb does not stop at an event even when stepping."""
    state = trace.states[index]
    return (
        index in trace.internal
        and trace.activations[index] in trace.generators
        and state.arg is not None
        and state.arg.type == "StopIteration"
    )


@pytest.mark.parametrize("path", PROGRAMS, ids=IDS)
def test_every_command_stops_where_bdb_stops(path: Path) -> None:
    run = load(path).run
    trace = record(run)
    walk = Walk(trace)
    wrong, tried = [], 0
    for index in range(len(trace.states)):
        if is_silent(trace, index):
            continue
        for action in actions_at(trace, index):
            real = within(trace, real_stop(run, index, action))
            tried += 1
            if walk.after(index, action) != real:
                wrong.append((index, str(action), walk.after(index, action), real))
    assert tried > 50
    assert wrong == []


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


@settings(max_examples=25, deadline=None)
@given(st.lists(_tree(2), min_size=1, max_size=3), st.data())
def test_walks_agree_with_bdb_on_programs_nobody_wrote(
    blocks: list[list[str]], data: st.DataObject
) -> None:
    body = "\n".join("            " + line for block in blocks for line in block)
    body = body.replace("while x < 3", "while (budget := budget + 1) < 4 and x < 3")
    space: dict[str, Any] = {}
    exec(compile(PRELUDE.format(body=body), __file__, "exec"), space)
    trace = record(space["run"])
    index = data.draw(st.integers(0, len(trace.states) - 1))
    if is_silent(trace, index):
        return
    walk = Walk(trace)
    for action in actions_at(trace, index):
        real = within(trace, real_stop(space["run"], index, action))
        assert walk.after(index, action) == real, (index, str(action), body)


@pytest.mark.parametrize("path", PROGRAMS[:3], ids=IDS[:3])
@pytest.mark.parametrize("kind", [ActionKind.STEP, ActionKind.NEXT, ActionKind.RETURN])
def test_before_is_the_inverse_of_after(path: Path, kind: ActionKind) -> None:
    walk = Walk(record(load(path).run))
    count = len(walk.trace.states)
    forward = [(i, walk.after(i, Action(kind))) for i in range(count)]
    for target in range(0, count, 5):
        expected = [i for i, stop in forward if stop == target]
        assert walk.before(target, Action(kind)) == expected


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
