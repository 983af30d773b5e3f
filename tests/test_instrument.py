"""The instrumented twin computes what the plain code computes, and says how near it came."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nsdbg.verify.child import twin
from nsdbg.verify.child.meter import Meter
from nsdbg.verify.child.score import Outcome, score
from nsdbg.verify.interpreters import Interpreter, find_interpreters

FILE = "probe.py"
# Each is a function `f(x, log)`; what it appends to `log` is its order of evaluation.
PROGRAMS = {
    "short circuit": """
def f(x, log):
    def note(value):
        log.append(value)
        return value
    return note(x > 1) and note(x < 5) or note(x) or (note(x == 0) and "zero")
""",
    "chains": """
def f(x, log):
    def note(value):
        log.append(value)
        return value
    return [0 <= note(x) < note(4) != note(9), 1 < x > 0 <= note(x), not 0 < x < 3]
""",
    "all and any stop where they would": """
def f(x, log):
    items = list(range(x))
    first = all(log.append(item) is None and item < 3 for item in items)
    second = any([item > 2 for item in items])
    third = any(items.pop() == 1 for _ in range(3) if items)
    return first, second, third, items
""",
    "walrus, conditional, f-string": """
def f(x, log):
    if (half := x // 2) > 1 and (rest := x % 2) == 0:
        log.append(half)
        return f"{half == 3}:{rest!r}"
    return "small" if x < 3 else x is None
""",
    "loops that end early": """
def f(x, log):
    for item in range(x):
        if item == 4:
            break
        if item % 2:
            continue
        log.append(item)
    else:
        return "all"
    while x > 0 and x != 5:
        x -= 1
        log.append(-x)
    return x
""",
    "exceptions": """
def f(x, log):
    try:
        assert x != 2, "two"
        if x == 3:
            raise KeyError("three")
        return [1, 2, 3][x] / (x - 1)
    except (IndexError, ZeroDivisionError) as error:
        log.append(type(error).__name__)
        if x > 6:
            raise
    finally:
        log.append("end")
""",
    "super and names of the frame": """
class Base:
    def ready(self, x):
        return x > 2
class Child(Base):
    limit = 3 if 2 > 1 else 0
    def ready(self, x):
        return x is not None and super().ready(x)
def f(x, log):
    y = 3
    return Child().ready(x) and eval("x + y") > 6 and sorted(n for n in locals() if n == "y")
""",
    "generators and closures": """
import functools
def f(x, log):
    total = 0
    def count():
        nonlocal total
        for item in range(x):
            if item > 1 and total < 9:
                total += item
                yield item, total > 3
    @functools.lru_cache(None)
    def cached(n):
        return n < 2 or cached(n - 1)
    return list(count()), total, cached(x), {n for n in range(x) if n != 2}
""",
    "lookups": """
def f(x, log):
    table = {0: "a", 1: "b"}
    log.append(table.get(x))
    return table[x], "abc"[x - 1], int("7"), ["p", "q"].index("pq"[x])
""",
}


def outcome(function: Callable[..., Any], x: int) -> tuple[str, list[Any]]:
    log: list[Any] = []
    try:
        return repr(function(x, log)), log
    except Exception as error:
        return f"{type(error).__name__}: {error}", log


def planted(source: str, wish: twin.Wish | None = None) -> tuple[dict[str, Any], Meter, twin.Wish]:
    wish = wish or twin.Wish("exception", [(FILE, 1, "nowhere")], "nowhere")
    names: dict[str, Any] = {"__name__": "probe"}
    exec(compile(source, FILE, "exec"), names)
    meter = twin.meter_for(wish)
    assert twin.plant(source, FILE, wish, meter, names) > 0
    return names, meter, wish


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_twin_gives_the_same_values_effects_and_exceptions(name: str) -> None:
    plain: dict[str, Any] = {"__name__": "probe"}
    exec(compile(PROGRAMS[name], FILE, "exec"), plain)
    names, meter, _ = planted(PROGRAMS[name])
    for x in range(9):
        meter.begin()
        assert outcome(names["f"], x) == outcome(plain["f"], x), x


def test_the_twin_works_on_every_interpreter(tmp_path: Path) -> None:
    child = Path(twin.__file__).parent
    script = tmp_path / "compare.py"
    script.write_text(
        textwrap.dedent(
            f"""
            import importlib.util, json, sys
            spec = importlib.util.spec_from_file_location(
                "_child", {str(child / "__init__.py")!r},
                submodule_search_locations=[{str(child)!r}])
            module = importlib.util.module_from_spec(spec)
            sys.modules["_child"] = module
            spec.loader.exec_module(module)
            from _child import twin
            def outcome(function, x):
                log = []
                try:
                    return repr(function(x, log)), log
                except Exception as error:
                    return type(error).__name__ + ": " + str(error), log
            for name, source in json.load(sys.stdin).items():
                plain, names = {{"__name__": "p"}}, {{"__name__": "p"}}
                exec(compile(source, "p.py", "exec"), plain)
                exec(compile(source, "p.py", "exec"), names)
                wish = twin.Wish("exception", [("p.py", 1, "nowhere")], "nowhere")
                meter = twin.meter_for(wish)
                assert twin.plant(source, "p.py", wish, meter, names) > 0
                for x in range(9):
                    meter.begin()
                    assert outcome(names["f"], x) == outcome(plain["f"], x), (name, x)
            print("same")
            """
        )
    )
    interpreters: list[Interpreter] = find_interpreters()
    assert interpreters
    for interpreter in interpreters:
        done = subprocess.run(
            [str(interpreter.path), str(script)],
            input=json.dumps(PROGRAMS),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.stdout == "same\n", f"{interpreter.version}: {done.stderr}"


def distance_of(source: str, entry: str, wanted: Any, *arguments: Any) -> float:
    wish = twin.Wish("return", [(FILE, None, entry)], entry, True, wanted)
    names, meter, _ = planted(source, wish)
    meter.begin()
    try:
        value = names[entry](*arguments)
    except Exception as error:
        return score(wish, Outcome(False, None, error), meter, False)
    return score(wish, Outcome(True, value), meter, value == wanted)


SUMS = "def sat(x):\n    return all(b - a == 2 for a, b in zip(x, x[1:])) and len(x) == 4\n"


def test_each_element_that_is_made_right_brings_a_list_nearer() -> None:
    trials = ([0, 0, 0, 0], [0, 2, 0, 0], [0, 2, 4, 4], [0, 2, 4, 6])
    distances = [distance_of(SUMS, "sat", True, trial) for trial in trials]
    assert distances == sorted(distances, reverse=True)
    assert distances[-1] == 0.0 < distances[-2]


def test_a_missing_element_counts_as_one() -> None:
    assert distance_of(SUMS, "sat", True, [0, 2, 4]) == 1.0
    assert distance_of(SUMS, "sat", True, [0, 2]) == 2.0


def test_checks_after_a_failed_assertion_still_count() -> None:
    source = """
def sat(x):
    assert len(x) == 3
    for c in x:
        assert c > 0
    return True
"""
    both = distance_of(source, "sat", True, [-5, 1])
    assert both > distance_of(source, "sat", True, [5, 1]) > 0.0
    assert distance_of(source, "sat", True, [5, 1, 2]) == 0.0


def test_a_ghost_run_ends_as_the_program_would_have() -> None:
    source = (
        "def sat(x):\n    assert x > 0\n    if x < 5:\n        return False\n    return x == 9\n"
    )
    wish = twin.Wish("return", [(FILE, None, "sat")], "sat", True, True)
    names, meter, _ = planted(source, wish)
    meter.begin()
    with pytest.raises(AssertionError):
        names["sat"](-1)
    meter.begin()
    assert names["sat"](3) is False
    meter.begin()
    assert names["sat"](9) is True


def test_an_unwanted_constant_is_as_far_as_the_test_that_led_to_it() -> None:
    source = (
        "def f(n):\n    for d in (3, 8):\n        if n == d * 100:\n            return True\n"
        "    return False\n"
    )
    far, near = distance_of(source, "f", True, 400), distance_of(source, "f", True, 799)
    assert far > near > distance_of(source, "f", True, 800) == 0.0


def test_wrong_kinds_are_farther_than_wrong_values() -> None:
    source = "def f(s):\n    return s.strip()[0] + 'x'\n"
    assert distance_of(source, "f", "ax", 3) > distance_of(source, "f", "ax", "")
    assert distance_of(source, "f", "ax", "") > distance_of(source, "f", "ax", "b")


LINES = """
def outer(a, b):
    if len(a) > 3:
        if b > 10:
            return inner(a, b)
    return 0

def inner(a, k):
    x = a[0] + k
    return x
"""


def site_distance(wish: twin.Wish, *arguments: Any) -> float:
    names, meter, _ = planted(LINES, wish)
    meter.begin()
    return score(wish, Outcome(True, names["outer"](*arguments)), meter, False)


def test_a_line_is_approached_test_by_test() -> None:
    chain = [(FILE, 5, "outer"), (FILE, 9, "inner")]
    wish = twin.Wish("line", chain, "outer", local_values=[("k", 50)], where=["a[0] == 7"])
    trials: list[tuple[Any, int]] = [
        ([], 0), ([1, 2], 0), ([1, 2, 3, 4], 0), ([1, 2, 3, 4], 8), ([1, 2, 3, 4], 20),
        ([1, 2, 3, 4], 50), ([6, 2, 3, 4], 50),
    ]  # fmt: skip
    distances = [site_distance(wish, *trial) for trial in trials]
    assert distances == sorted(distances, reverse=True)
    assert len(set(distances)) == len(distances)
    assert site_distance(wish, [7, 2, 3, 4], 50) == 1e-9


def test_a_division_by_zero_is_approached_by_its_divisor() -> None:
    source = "def f(a, k):\n    return a / (k - 1)\n"
    wish = twin.Wish(
        "exception", [(FILE, 2, "f")], "f", exception=("ZeroDivisionError", None, False)
    )
    names, meter, _ = planted(source, wish)
    distances = []
    for k in (90, 20, 2):
        meter.begin()
        distances.append(score(wish, Outcome(True, names["f"](1, k)), meter, False))
    assert distances == sorted(distances, reverse=True)
    assert len(set(distances)) == 3


def test_numbers_of_conditions_differ_between_modules() -> None:
    wish = twin.Wish("line", [("a.py", 2, "f"), ("b.py", 2, "g")], "f")
    source = "def {}(x):\n    return x > 1\n"
    for file, name in (("a.py", "f"), ("b.py", "g")):
        twin.twin_code(source.format(name), file, wish)
    assert wish.site_count == 2
    assert wish.crash_sites == {1}


def test_failed_comparisons_are_told_with_both_sides() -> None:
    names, meter, _ = planted("def f(x):\n    return x * 2 == 84 or x in ('a', 'b')\n")
    meter.begin()
    names["f"](5)
    assert [miss[1:] for miss in meter.misses] == [("Eq", "10", "84"), ("In", "5", "('a', 'b')")]


def test_an_index_out_of_range_tells_the_length_it_needs() -> None:
    names, meter, _ = planted("def f(x):\n    return x[4]\n")
    meter.begin()
    with pytest.raises(IndexError):
        names["f"]([1])
    assert [miss[1:] for miss in meter.misses] == [("Index", "1", "5")]


def test_endless_elements_beyond_the_decision_end() -> None:
    names, meter, _ = planted(
        "import itertools\ndef f(x):\n    return any(n == x for n in itertools.count())\n"
    )
    meter.begin()
    assert names["f"](3) is True
    assert meter.misses


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(-9, 9), max_size=6), st.integers(-9, 9))
def test_distance_is_zero_exactly_when_the_goal_matches(items: list[int], limit: int) -> None:
    source = (
        "def sat(x, n):\n    assert x, 'empty'\n"
        "    return all(a <= b for a, b in zip(x, x[1:])) and not x[0] < n < x[-1]\n"
    )
    names: dict[str, Any] = {}
    exec(source, names)
    matches = bool(items) and names["sat"](items, limit)
    assert (distance_of(source, "sat", True, items, limit) == 0.0) == matches


def test_this_interpreter_is_among_those_tried() -> None:
    tried = {interpreter.version[:2] for interpreter in find_interpreters()}
    assert sys.version_info[:2] in tried
