"""Targets: how they are imported, kept and given up; and files run as scripts."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from running import call, goal_for, line_of, run, value_of, write

from nsdbg.claim import Call, Ending, ExceptionClaim, FunctionRef, Goal, Script, Site
from nsdbg.source import import_name
from nsdbg.state import Event, Value
from nsdbg.verify.runner import Runner, RunnerConfig


def test_an_import_that_fails_is_told_each_time_and_tried_once(
    runner: Runner, tmp_path: Path
) -> None:
    file = write(tmp_path, "broken.py", "import nowhere_to_be_found\ndef f(): return 1\n")
    found = runner.batch(goal_for(file, "f"), [Call(), Call()])
    assert [each.ending for each in found] == [Ending.NOT_STARTED] * 2
    assert found[0].detail == "ModuleNotFoundError: No module named 'nowhere_to_be_found'"
    started = time.monotonic()
    assert run(runner, file, "f").detail == found[0].detail
    assert time.monotonic() - started < 0.5


def test_an_import_that_exits_or_dies_is_told(runner: Runner, tmp_path: Path) -> None:
    file = write(tmp_path, "leaves.py", "import sys\nsys.exit(2)\ndef f(): return 1\n")
    assert run(runner, file, "f").detail == "SystemExit: 2"
    file = write(tmp_path, "dies.py", "import os\nos._exit(2)\ndef f(): return 1\n")
    found = run(runner, file, "f")
    assert found.ending is Ending.NOT_STARTED
    assert found.detail == "importing the target: the process is gone"


def test_an_import_that_was_refused_something_leaves_every_run_open(
    runner: Runner, tmp_path: Path
) -> None:
    file = write(tmp_path, "writer.py", f"""
        try:
            open({str(tmp_path / "x")!r}, "w")
        except OSError:
            pass
        def f():
            return 1
        """)  # fmt: skip
    found = run(runner, file, "f")
    assert found.ending is Ending.BLOCKED
    assert found.blocked[0] == f"open-write:{tmp_path / 'x'}"


def test_a_target_does_not_find_ours_as_its_main_module(runner: Runner, target: Path) -> None:
    assert value_of(run(runner, target, "main_file")) == "[True, False]"


def test_an_import_that_takes_too_long_is_told(target: Path, tmp_path: Path) -> None:
    file = write(tmp_path, "slow.py", "while True: pass\ndef f(): return 1\n")
    with Runner(RunnerConfig(roots=(tmp_path,), import_limit_s=0.3)) as runner:
        assert run(runner, file, "f").detail == "the import takes longer than 0.3 s"


def test_a_function_that_is_not_there_once_imported_is_told(runner: Runner, tmp_path: Path) -> None:
    file = write(tmp_path, "gone.py", "def f(): return 1\ndel f\n")
    found = run(runner, file, "f")
    assert (found.ending, found.detail) == (
        Ending.NOT_STARTED, "f has no f once it is imported",
    )  # fmt: skip


@pytest.mark.parametrize("name", ["types.py", "json.py", "random.py", "values.py", "main.py"])
def test_a_file_may_bear_the_name_of_another_module(
    runner: Runner, tmp_path: Path, name: str
) -> None:
    file = write(tmp_path, name, """
        import collections, dataclasses

        @dataclasses.dataclass
        class Point:
            x: int

        def f(x):
            return Point(x).x + 1
        """)  # fmt: skip
    assert value_of(run(runner, file, "f", x=1)) == "2"


def test_a_module_of_a_package_is_imported_within_it(runner: Runner, tmp_path: Path) -> None:
    write(tmp_path, "pkg/__init__.py", "BASE = 40\n")
    write(tmp_path, "pkg/sub/__init__.py", "")
    write(tmp_path, "pkg/other.py", "def help(n):\n    return n + 1\n")
    file = write(tmp_path, "pkg/sub/mod.py", """
        from .. import BASE
        from ..other import help

        def f(n):
            return help(BASE + n)
        """)  # fmt: skip
    assert import_name(file) == (tmp_path, "pkg.sub.mod")
    found = run(runner, file, "f", n=1)
    assert value_of(found) == "42"
    assert [Path(site.file).name for site in found.path] == ["mod.py", "other.py"]


def test_targets_are_evicted_and_come_back(tmp_path: Path) -> None:
    files = [write(tmp_path, f"m{n}.py", f"def f():\n    return {n}\n") for n in range(4)]
    with Runner(RunnerConfig(roots=(tmp_path,), targets=2)) as runner:
        for _ in range(2):
            assert [value_of(run(runner, file, "f")) for file in files] == list("0123")


def test_a_root_that_was_not_announced_is_admitted(target: Path, tmp_path: Path) -> None:
    file = write(tmp_path, "m.py", "def f():\n    return 7\n")
    with Runner(RunnerConfig(roots=(target.parent,))) as runner:
        assert value_of(run(runner, target, "add", a=1)) == "3"
        assert value_of(run(runner, file, "f")) == "7"


def test_a_base_process_that_is_gone_is_replaced(target: Path) -> None:
    with Runner(RunnerConfig(roots=(target.parent,))) as runner:
        assert value_of(run(runner, target, "add", a=1)) == "3"
        side = runner._sides[0]
        assert side is not None
        side.base.process.kill()
        side.base.process.wait()
        endings = [run(runner, target, "add", a=1).ending for _ in range(2)]
    assert endings[-1] is Ending.RETURNED


def test_patched_builtins_and_modules_do_not_fool_the_child(runner: Runner, tmp_path: Path) -> None:
    file = write(tmp_path, "patches.py", """
        import builtins, json, os, sys, time, ast, select, signal, tokenize

        def lie(*args, **kwargs):
            return "42"

        for name in ("repr", "isinstance", "len", "type", "str", "sorted", "compile", "eval", "max",
                     "hash", "id", "getattr", "all", "any", "map", "list", "dict", "tuple", "zip"):
            if name != "len" or sys.version_info < (3, 12):  # whose import counts locks by it
                setattr(builtins, name, lie)
        for module in (json, os, sys, time, ast, select, signal, tokenize):
            for name in ("dumps", "loads", "write", "read", "_exit", "settrace", "monotonic",
                         "poll", "perf_counter", "parse", "setitimer", "kill", "fork", "waitpid"):
                if name in vars(module):
                    setattr(module, name, lie)
        json.JSONEncoder.encode = lie

        def f(n):
            return [n, n + 1]
        """)  # fmt: skip
    goal = goal_for(file, "f", value="[1, 2]")
    found = runner.batch(goal, [call(n=1), call(n=2)])
    assert [value_of(each) for each in found] == ["[1, 2]", "[2, 3]"]
    assert [len(each.hits) for each in found] == [1, 0]
    assert runner.fresh(goal, call(n=1))[1].path == found[0].path


# Scripts.

SCRIPT = """
import os, sys
from beside import NAME

def main():
    name = input()
    print("hello", name, NAME, sys.argv[1:], __name__)
    rest = sys.stdin.read().split()
    if "exit" in rest:
        sys.exit("bye")
    return 10 // int(rest[0])

if __name__ == "__main__":
    result = main()
"""


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("scripts")
    write(folder, "beside.py", "NAME = 'beside'\n")
    return write(folder, "script.py", SCRIPT)


def script_goal(file: Path, event: Event, **claims: Any) -> Goal:
    folder, module = import_name(file)
    ref = FunctionRef(str(file), "<module>", module, str(folder))
    return Goal(ref, event, (Site(str(file), None, "<module>"),), **claims)


def test_a_script_runs_as_main_with_arguments_and_input(runner: Runner, script: Path) -> None:
    goal = script_goal(script, Event.RETURN)
    first, second = runner.fresh(goal, Script(("-v",), "you\n5\n"))
    assert first.ending is Ending.RETURNED
    assert first.output == second.output == "hello you beside ['-v'] __main__\n"
    assert first.hits[0].state.frame.local("result") == Value("2", "int", literal=True)
    names = [name for name, _ in first.hits[0].state.frame.locals or ()]
    assert names == ["NAME", "result"]


def test_a_script_s_crash_has_its_frames(runner: Runner, script: Path) -> None:
    file = str(script)
    chain = (
        Site(file, line_of(script, "result = main()"), "<module>"),
        Site(file, line_of(script, "return 10 //"), "main"),
    )
    claim = ExceptionClaim("ZeroDivisionError")
    goal = Goal(script_goal(script, Event.RETURN).entry, Event.EXCEPTION, chain, exception=claim)
    found = runner.batch(goal, [Script(stdin="a\n0"), Script(stdin="a\n1"), Script()])
    assert [len(each.hits) for each in found] == [1, 0, 0]
    assert found[0].raised is not None
    assert found[0].raised.sites == chain
    assert found[2].raised is not None
    assert found[2].raised.type == "EOFError"


def test_a_script_that_exits_says_with_what(runner: Runner, script: Path) -> None:
    found = runner.single(script_goal(script, Event.RETURN), Script(stdin="a\nexit"))
    assert (found.ending, found.detail) == (Ending.EXITED, "exit status 'bye'")


@pytest.mark.parametrize(
    "reading",
    ["open(0).read()", "os.read(0, os.fstat(0).st_size).decode()", "''.join(sys.stdin)",
     "sys.stdin.buffer.read().decode()", "os.fdopen(sys.stdin.fileno()).read()"],
)  # fmt: skip
def test_a_script_may_read_its_input_in_any_way(
    runner: Runner, tmp_path: Path, reading: str
) -> None:
    file = write(tmp_path, "reader.py", f"import os, sys\nprint(repr({reading}))\n")
    text = "one\ntwo\n" + "x" * 100000
    found = runner.single(script_goal(file, Event.RETURN), Script(stdin=text))
    assert found.output[:20] == repr(text)[:20]
    assert found.ending is Ending.RETURNED
