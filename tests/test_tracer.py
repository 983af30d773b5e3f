"""Lines, arcs and visits as the tracer of the child records them, in this process."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import coverage
import pytest

from nsdbg.verify.child import tracer as tracing
from nsdbg.verify.child.bytecode import possible_lines
from nsdbg.verify.child.tracer import CodeKinds, Tracer

FILE = "/nowhere/program.py"


def load(source: str, file: str = FILE) -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(compile(textwrap.dedent(source), file, "exec"), names)
    return names


def is_program(file: str) -> bool:
    return file == FILE


def trace(call: Callable[[], object], **settings: Any) -> Tracer:
    """Trace a call; whatever trace function was there (coverage's) is put back."""
    before = sys.gettrace()
    tracer = Tracer(CodeKinds(is_program), **settings)
    tracer.begin()
    try:
        call()
    except Exception:
        pass
    finally:
        tracer.end()
        sys.settrace(before)
    tracer.finish()
    return tracer


def arcs(tracer: Tracer) -> set[tuple[int, int]]:
    return tracer.covered[FILE].arcs


def path(tracer: Tracer) -> list[int]:
    return [line for _, line in tracer.path]


LOOP = """
def f(n):
    total = 0
    for i in range(n):
        total += i
    return total
"""


def test_a_loop_is_recorded_line_by_line() -> None:
    names = load(LOOP)
    tracer = trace(lambda: names["f"](2))
    assert path(tracer) == [3, 4, 5, 4, 5, 4, 6]
    assert tracer.covered[FILE].lines == {3, 4, 5, 6}
    assert arcs(tracer) == {(-2, 3), (3, 4), (4, 5), (5, 4), (4, 6), (6, -2)}


def test_a_run_forgets_the_one_before() -> None:
    names = load(LOOP)
    tracer = Tracer(CodeKinds(is_program))
    before = sys.gettrace()
    for count in (3, 0):
        tracer.begin()
        names["f"](count)
        tracer.end()
        sys.settrace(before)
        tracer.finish()
    assert path(tracer) == [3, 4, 6]
    assert (4, 5) not in arcs(tracer)


def test_callees_keep_their_arcs_apart_from_their_callers() -> None:
    names = load("""
        def f(n):
            a = g(n)
            return a

        def g(n):
            return n
        """)
    assert arcs(trace(lambda: names["f"](1))) == {
        (-2, 3), (3, 4), (4, -2), (-6, 7), (7, -6),
    }  # fmt: skip


def test_an_exception_leaves_every_frame_it_passes() -> None:
    names = load("""
        def f():
            g()

        def g():
            raise ValueError
        """)
    tracer = trace(names["f"])
    assert arcs(tracer) == {(-2, 3), (3, -2), (-5, 6), (6, -5)}


def test_a_generator_is_left_at_a_yield_without_an_arc() -> None:
    names = load("""
        def f():
            for item in g():
                print(item, end="")

        def g():
            yield 1
            yield 2
        """)
    assert arcs(trace(names["f"])) == {
        (-2, 3), (3, 4), (4, 3), (3, -2), (-6, 7), (7, 8), (8, -6),
    }  # fmt: skip


def test_other_files_are_passed_through_and_what_they_call_is_seen() -> None:
    names = load("""
        def f(items):
            return apply(items, key)

        def key(item):
            return -item
        """)
    names["apply"] = load("def apply(items, key):\n    return [key(i) for i in items]", "/lib.py")[
        "apply"
    ]
    tracer = trace(lambda: names["f"]([1]))
    assert set(tracer.covered) == {FILE}
    assert path(tracer) == [3, 6]


def test_folding_early_gives_the_same_as_folding_late(monkeypatch: pytest.MonkeyPatch) -> None:
    names = load("""
        def f(n):
            return sum(g(n)) + (f(n - 1) if n else 0)

        def g(n):
            for i in range(n):
                yield i
        """)
    late = trace(lambda: names["f"](5))
    monkeypatch.setattr(tracing, "FOLD_AT", 3)
    early = trace(lambda: names["f"](5))
    assert path(early) == path(late)
    assert early.covered == late.covered


def test_a_path_is_cut_and_coverage_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tracing, "MAX_PATH", 5)
    names = load(LOOP)
    tracer = trace(lambda: names["f"](50))
    assert path(tracer) == [3, 4, 5, 4, 5]
    assert (4, 6) in arcs(tracer)


def test_a_trace_function_that_was_taken_away_is_noticed() -> None:
    names = load("""
        import sys
        def f():
            sys.settrace(None)
            return 1
        """)
    assert trace(names["f"]).lost
    assert not trace(lambda: load(LOOP)["f"](1)).lost


def seen_events(names: dict[str, Any], wanted: str, function: str) -> list[tuple[int, Any]]:
    """Return (line, arg) of the events told of watched code."""
    found: list[tuple[int, Any]] = []

    def visit(frame: FrameType, event: str, arg: Any) -> None:
        found.append((frame.f_lineno, arg[0].__name__ if event == "exception" else arg))

    def watched(code: CodeType) -> bool:
        return code.co_name == function

    before = sys.gettrace()
    tracer = Tracer(CodeKinds(is_program, watched), wanted, visit)
    tracer.begin()
    try:
        names["f"]()
    except ValueError:
        pass
    finally:
        tracer.end()
        sys.settrace(before)
    return found


RETURNS = """
def f():
    for item in g():
        pass
    h()
    try:
        k()
    except KeyError:
        pass
    raise ValueError

def g():
    yield None
    yield 2

def h():
    for _ in g():
        pass

def k():
    raise KeyError("x")
"""


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        ("g", [(13, None), (14, 2), (14, None)] * 2),
        ("h", [(17, None)]),
        ("k", []),
        ("f", []),
    ],
)
def test_returns_and_yields_are_told_from_exceptions_that_leave(
    function: str, expected: list[tuple[int, Any]]
) -> None:
    assert seen_events(load(RETURNS), "return", function) == expected


def test_a_generator_that_is_closed_does_not_return() -> None:
    names = load("""
        def f():
            generator = g()
            next(generator)
            generator.close()

        def g():
            yield None
        """)
    assert seen_events(names, "return", "g") == [(8, None)]


def test_only_the_wanted_event_is_told() -> None:
    names = load(RETURNS)
    assert seen_events(names, "exception", "k") == [(21, "KeyError")]
    assert seen_events(names, "call", "h") == [(16, None)]
    assert seen_events(names, "line", "k") == [(21, None)]


@pytest.mark.parametrize(
    "name", ["straight", "loops", "exceptions", "generators", "recursion", "nested"]
)
def test_lines_and_arcs_are_those_of_coverage(name: str) -> None:
    """The programs are those with which the walk is held equal to bdb."""
    program, version = Path(__file__).parent / "programs" / f"{name}.py", sys.version_info[:2]
    measured = coverage.Coverage(data_file=None, branch=True, include=[str(program)],
                                 config_file=False, timid=True)  # fmt: skip
    names = load(program.read_text(), str(program))
    before = sys.gettrace()
    sys.settrace(None)
    try:
        measured.start()
        names["run"]()
        measured.stop()
        tracer = Tracer(CodeKinds(lambda file: file == str(program)))
        tracer.begin()
        names["run"]()
        tracer.end()
    finally:
        sys.settrace(before)
    tracer.finish()
    data = measured.get_data()
    assert len(tracer.covered[str(program)].lines) > 10
    assert set(data.lines(str(program)) or ()) == tracer.covered[str(program)].lines
    arcs = set(data.arcs(str(program)) or ()) ^ tracer.covered[str(program)].arcs
    # 3.12 tells of a call where `close` throws into a generator, which coverage takes for its
    # going on.
    thrown = {(20, 25), (-16, 25)} if name == "generators" and version == (3, 12) else set()
    assert arcs - thrown == set()


def test_possible_lines_are_those_that_line_events_can_name() -> None:
    source = textwrap.dedent('''
        """Doc."""
        import os

        def f(a,
              b=1):
            """Doc."""
            x = (a +
                 b)

            if x:
                return [i
                        for i in range(x)]
            # nothing here
            return lambda: x

        def one(): return 1

        class C:
            y = 2

            async def g(self):
                yield self.y
        ''')
    found = possible_lines(compile(source, FILE, "exec"))
    assert {3, 5, 8, 9, 11, 12, 15, 17, 19, 20, 22, 23} <= found
    assert not found & {0, 4, 7, 10, 14, 16, 18, 21}


@pytest.mark.parametrize("name", ["straight", "generators", "cleanup", "coroutines"])
def test_every_line_that_runs_is_possible(name: str) -> None:
    program = Path(__file__).parent / "programs" / f"{name}.py"
    code = compile(program.read_text(), FILE, "exec")
    names: dict[str, Any] = {}
    exec(code, names)
    tracer = trace(names["run"])
    assert len(tracer.covered[FILE].lines) > 10
    assert tracer.covered[FILE].lines <= possible_lines(code)
