"""Which functions a change touches, by the text of two versions of a module."""

from __future__ import annotations

import argparse
import ast
import contextlib
import dataclasses
import gc
import heapq
import inspect
import textwrap
from types import ModuleType

import pytest

from nsdbg.changes.touched import Rewrite, Touch, touched
from nsdbg.source import functions


def between(old: str, new: str) -> list[Touch]:
    found, notes = touched([Rewrite("m.py", "m.py", textwrap.dedent(new), textwrap.dedent(old))])
    assert notes == []
    return found


def names(found: list[Touch]) -> dict[str, tuple[str, ...]]:
    return {one.qualname: one.through for one in found}


ORDER = """
import math
from json import dumps, loads

LIMIT = 3
TWICE = LIMIT * 2
TABLE = {"a": 1}


def helper(x):
    return x + 1


def uses_limit(x):
    return x < LIMIT


def uses_twice(x):
    return x < TWICE


def calls(x):
    return helper(x)


def encodes(x):
    return dumps(x), TABLE[x]


def shadows(LIMIT):
    return LIMIT


class Order:
    rate = 0.2

    def __init__(self, items):
        self.items = items
        self.discount = 0

    def total(self):
        return sum(self.items) * (1 + self.rate)

    def reduced(self):
        return self.total() - self.discount

    def count(self):
        return len(self.items)


class Rush(Order):
    def fee(self):
        return self.rate + 1

    def total(self):
        return super().total() + self.fee()


def make(items):
    return Order(items)
"""


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("return x + 1", "return x + 2", {"helper": (), "calls": ("helper",)}),
        ("return x + 1", "return (x + 1)  # plus one", {}),
        ("return x + 1", '"""Add."""\n    return x + 1', {}),
        ("def helper(x):", "def helper(x: int) -> int:", {}),
        ("def helper(x):", "def helper(x=0):", {"helper": (), "calls": ("helper",)}),
        ("def helper(x):", "@deco\ndef helper(x):", {"helper": (), "calls": ("helper",)}),
        ("LIMIT = 3\n", "LIMIT = 4\n", {"uses_limit": ("LIMIT",), "uses_twice": ("TWICE",)}),
        ("LIMIT = 3\n", "LIMIT: int = 3\n", {}),
        ("LIMIT = 3\n", "", {"uses_limit": ("LIMIT",), "uses_twice": ("TWICE",)}),
        ('TABLE = {"a": 1}', 'TABLE = {"a": 1}\nTABLE["b"] = 2', {"encodes": ("TABLE",)}),
        ('TABLE = {"a": 1}', 'TABLE = {"a": 1}\nTABLE.clear()', {"encodes": ("TABLE",)}),
        ("import dumps, loads", "import loads", {"encodes": ("dumps",)}),
        ("import dumps, loads", "import dumps, loads, load", {}),
        ("from json import", "from simplejson import", {"encodes": ("dumps",)}),
        ("import math\n", "", {}),
        ("    rate = 0.2\n", "    rate = 0.3\n", {
            "Order.total": ("Order.rate",), "Rush.fee": ("Rush.rate",),
        }),
        ("        self.discount = 0\n", "", {
            "Order.__init__": (), "Order.reduced": ("Order.discount",), "make": ("Order",),
        }),
        ("return len(self.items)", "return len(self.items) - 1", {"Order.count": ()}),
        ("sum(self.items) *", "max(self.items) *", {
            "Order.total": (), "Order.reduced": ("Order.total",), "Rush.total": ("Order.total",),
        }),
        ("class Rush(Order):", "class Rush(dict):", {
            "Rush.fee": ("Rush",), "Rush.total": ("Rush",),
        }),
        ("import math\n", "import math\n\n\ndef more(x):\n    return x\n", {"more": ()}),
        ("def helper(x):\n    return x + 1\n", "", {"calls": ("helper",)}),
    ],
)  # fmt: skip
def test_functions_are_touched_by_their_own_code_and_by_what_they_look_at(
    old: str, new: str, expected: dict[str, tuple[str, ...]]
) -> None:
    assert old in ORDER
    assert names(between(ORDER, ORDER.replace(old, new, 1))) == expected


def test_own_changes_come_before_those_by_something_else() -> None:
    found = between(ORDER, ORDER.replace("sum(self.items)", "max(self.items)"))
    assert [bool(one.through) for one in found] == [False, True, True]


def test_lines_are_those_within_the_function_and_the_cause_is_what_it_looks_at() -> None:
    found = between(
        """
        A = 1


        def f(x):
            if not x:
                return 0
            return x[0]


        def g():
            return A
        """,
        """
        A = 2


        def f(x):
            return x[0]


        def g():
            return A
        """,
    )
    assert {one.qualname: (one.lines, one.cause) for one in found} == {
        "f": (frozenset({6}), frozenset()),
        "g": (frozenset(), frozenset({2})),
    }


def test_a_last_line_that_went_is_marked_within_its_function() -> None:
    found = between("def f():\n    a()\n    b()\n\n\nx = 1\n", "def f():\n    a()\n\n\nx = 1\n")
    assert [(one.qualname, one.lines) for one in found] == [("f", frozenset({2}))]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("def f(x):\n    return x", "def f(x) :\n\n    # why\n    return (x)\n"),
        ("def f():\n    x: int = 1\n    return x", "def f():\n    x = 1\n    return x"),
        ("def f():\n    return u'a'", 'def f():\n    return "a"'),
        ("class A:\n    '''One.'''\n    def f(self): pass", "class A:\n    def f(self): pass"),
        ("@property\ndef f(x): return x", "@property\ndef f(x) -> int: return x"),
        ("def f(x):\n    return 1", "def f(x: 'T') -> None:\n    return 1\n"),
        ("def f():\n    def g(x: int): return x", "def f():\n    def g(x): return x"),
        ("if TYPE_CHECKING:\n    import a\ndef f(): return a",
         "if TYPE_CHECKING:\n    import b as a\ndef f(): return a"),
        ("def f():\n    return 1\nif __name__ == '__main__':\n    f()", "def f():\n    return 1\n"),
        ("from typing import overload\n@overload\ndef f(x: int): ...\ndef f(x): return x",
         "from typing import overload\n@overload\ndef f(x: str): ...\ndef f(x): return x"),
    ],
)  # fmt: skip
def test_what_nobody_sees_at_run_time_touches_nothing(old: str, new: str) -> None:
    assert between(old, new) == []


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        ("@app.command()\ndef f(x: int): pass", "@app.command()\ndef f(x: str): pass", "f"),
        ("def f():\n    x = 1\n    return x", "def f():\n    x: int\n    return x", "f"),
        ("def f():\n    yield 1", "async def f():\n    yield 1", "f"),
        ("def f():\n    def g(): return 1\n    return g",
         "def f():\n    def g(): return 2\n    return g", "f"),
        ("class A:\n    @staticmethod\n    def f(): return 1",
         "class A:\n    @classmethod\n    def f(): return 1", "A.f"),
        ("class A:\n    class B:\n        def f(self): return 1",
         "class A:\n    class B:\n        def f(self): return 2", "A.B.f"),
        ("class A:\n    @property\n    def x(s): return 1\n    @x.setter\n    def x(s, v): pass",
         "class A:\n    @property\n    def x(s): return 2\n    @x.setter\n    def x(s, v): pass",
         "A.x"),
        ("import sys\nif sys.version_info > (3,):\n    def f(): return 1",
         "import sys\nif sys.version_info > (4,):\n    def f(): return 1", "f"),
        ("try:\n    import a\nexcept ImportError:\n    a = None\ndef f(): return a",
         "try:\n    import b as a\nexcept ImportError:\n    a = None\ndef f(): return a", "f"),
        ("from a import *\ndef f(): return thing", "from b import *\ndef f(): return thing", "f"),
        ("def f(): return __doc__", "'''Usage: f'''\ndef f(): return __doc__", "f"),
        ("def f(*a, k=1): return k", "def f(*a, k=2): return k", "f"),
        ("class A: X = 1\ndef f(): return A.X", "class A: X = 2\ndef f(): return A.X", "f"),
        ("class A:\n    x = 1\n    def f(self): return getattr(self, 'x')",
         "class A:\n    x = 2\n    def f(self): return getattr(self, 'x')", "A.f"),
        ("@dataclass\nclass P:\n    x: int\n    def f(self): return self.x",
         "@dataclass\nclass P:\n    y: int\n    def f(self): return self.x",
         "P.f"),
        ("@dataclass\nclass P:\n    x: int\ndef f(): return P(1)",
         "@dataclass\nclass P:\n    x: int\n    y: int = 0\ndef f(): return P(1)",
         "f"),
        ("@dataclass\nclass P:\n    x: int\n    def f(self): self.x = 1",
         "@dataclass(frozen=True)\nclass P:\n    x: int\n    def f(self): self.x = 1",
         "P.f"),
    ],
)  # fmt: skip
def test_what_can_change_behaviour_touches_its_function(old: str, new: str, name: str) -> None:
    assert [one.qualname for one in between(old, new)] == [name]


def test_a_changed_hint_of_a_dataclass_field_touches_nothing_and_of_a_model_does() -> None:
    text = "@dataclass\nclass P{}:\n    x: {}\n    def f(self): return self.x\n"
    assert between(text.format("", "int"), text.format("", "str")) == []
    assert names(between(text.format("(BaseModel)", "int"), text.format("(BaseModel)", "str"))) == {
        "P.f": ("P.x",)
    }


BODY = "    total = 0\n    for item in items:\n        total += item\n    return total\n"


def test_a_renamed_function_is_led_back_to_its_old_name() -> None:
    (one,) = between(f"def old(items):\n{BODY}", f"def new(items):\n{BODY}")
    assert (one.qualname, one.old_qualname, one.lines) == ("new", "old", frozenset({1}))


def test_a_renamed_function_that_calls_itself_is_led_back() -> None:
    (one,) = between("def old(n):\n    return old(n - 1)", "def new(n):\n    return new(n - 1)")
    assert (one.qualname, one.old_qualname) == ("new", "old")


def test_a_renamed_and_edited_function_is_led_back_where_its_parameters_stayed() -> None:
    edited = BODY.replace("total += item", "total -= item")
    (one,) = between(f"def old(items):\n{BODY}", f"def new(items):\n{edited}")
    assert (one.old_qualname, one.lines) == ("old", frozenset({1, 4}))
    (other,) = between(f"def old(items):\n{BODY}", f"def new(things):\n{edited}")
    assert other.old_qualname is None


def test_methods_of_a_renamed_class_are_led_back() -> None:
    text = f"class {{}}:\n    def total(self, items):\n{textwrap.indent(BODY, '    ')}"
    (one,) = between(text.format("A"), text.format("B"))
    assert (one.qualname, one.old_qualname) == ("B.total", "A.total")


def test_a_function_that_moved_to_another_file_is_led_back_to_it() -> None:
    old = f"def stays():\n    return 1\n\n\ndef moved(items):\n{BODY}"
    new = "def stays():\n    return 1\n"
    found, _ = touched(
        [
            Rewrite("a.py", "a.py", new, old),
            Rewrite("b.py", None, f"def moved(items):\n{BODY}", None),
        ]
    )
    assert found == [Touch("b.py", "moved", frozenset({1, 2, 3, 4, 5}), "a.py", "moved")]


def test_a_function_that_is_still_there_did_not_move() -> None:
    text = f"def one(items):\n{BODY}"
    (found,) = between(text, f"{text}\n\ndef two(items):\n{BODY}")
    assert (found.qualname, found.old_qualname) == ("two", None)


def test_a_new_module_is_all_new_and_a_deleted_one_touches_nothing() -> None:
    found, notes = touched(
        [Rewrite("n.py", None, "def f():\n    return 1\n", None),
         Rewrite(None, "o.py", None, "def g():\n    return 2\n")]
    )  # fmt: skip
    assert found == [Touch("n.py", "f", frozenset({1, 2}), None, None)]
    assert notes == []


def test_what_does_not_parse_is_left_out_with_a_word() -> None:
    good, bad = "def f():\n    return 1\n", "def f(:\n"
    _, notes = touched([Rewrite("a.py", "a.py", bad, good)])
    assert notes == ["a.py does not parse and is left out (invalid syntax, line 1)"]
    found, notes = touched([Rewrite("a.py", "a.py", good, bad), Rewrite("b.py", None, good, None)])
    assert notes == ["a.py did not parse before and is left out (invalid syntax, line 1)"]
    assert [one.path for one in found] == ["b.py"]


def test_a_file_that_only_has_a_new_name_touches_nothing() -> None:
    found, _ = touched([Rewrite("new.py", "old.py", ORDER, ORDER)])
    assert found == []


@pytest.mark.parametrize("module", [argparse, contextlib, dataclasses, heapq])
def test_a_module_that_is_only_written_otherwise_touches_nothing(module: ModuleType) -> None:
    text = inspect.getsource(module)
    assert between(text, ast.unparse(ast.parse(text))) == []


@pytest.mark.parametrize("module", [argparse, contextlib, dataclasses, heapq])
def test_every_function_of_a_module_is_found_when_it_differs(module: ModuleType) -> None:
    text = inspect.getsource(module)
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.body.append(ast.Pass())
    everything = {name for name, _, _ in functions(tree) if ".<locals>." not in name}
    found = names(between(text, ast.unparse(tree)))
    assert found == dict.fromkeys(everything, ())


def test_moves_are_found_among_many_functions() -> None:
    body = "    x = {0}\n    y = x * {0}\n    return x + y\n"
    old = "".join(f"def f{n}(a):\n{body.format(n)}\n" for n in range(300))
    new = "".join(f"def g{n}(a):\n{body.format(n)}\n" for n in range(300))
    found, _ = touched([Rewrite("new.py", None, new, None), Rewrite(None, "old.py", None, old)])
    assert [(one.qualname, one.old_qualname) for one in found] == [
        (f"g{n}", f"f{n}") for n in range(300)
    ]


def test_when_the_time_is_up_the_larger_modules_are_left_out_with_a_word(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = iter([1.0, 2.0, 3.0, 4.0])
    monkeypatch.setattr("time.perf_counter", lambda: next(clock))
    large, small = "def f():\n    return 1 + 1\n", "def g():\n    pass\n"
    rewrites = [
        Rewrite("a.py", None, large, None), Rewrite("b.py", None, small, None),
        Rewrite("c.py", None, small, None), Rewrite("d.py", None, large, None),
    ]  # fmt: skip
    found, notes = touched(rewrites, deadline=3.0)
    assert [one.path for one in found] == ["b.py", "c.py"]
    assert notes == ["2 of 4 changed modules were not read in the time"]


def test_the_collector_is_left_as_it_was() -> None:
    assert gc.isenabled()
    touched([Rewrite("a.py", None, "def f(:", None)])
    assert gc.isenabled()
    gc.disable()
    try:
        touched([])
        assert not gc.isenabled()
    finally:
        gc.enable()


@pytest.mark.parametrize("old", [" + ".join("abcdefghij" * 200), "x" + ".f()" * 400])
def test_expressions_that_are_nested_deeply_are_compared_by_their_text(old: str) -> None:
    text = "def f(x):\n    return {}\n\n\nclass A:\n    def g(self):\n        self.x = {}\n"
    assert between(text.format(old, 1), f"# Comment.\n{text.format(old, 1)}") == []
    assert names(between(text.format(old, 1), text.format(f"z + {old}", 1))) == {"f": ()}
    assert names(between(text.format(1, old), text.format(1, f"z + {old}"))) == {"A.g": ()}


def test_a_module_that_is_nested_too_deeply_for_python_is_left_out() -> None:
    good, deep = "def f():\n    return 1\n", "x = " + "-" * 100_000 + "1\n"
    found, notes = touched([Rewrite("a.py", "a.py", deep, good), Rewrite("b.py", None, good, None)])
    assert [one.path for one in found] == ["b.py"]
    assert len(notes) == 1
    assert notes[0].startswith("a.py ")


@pytest.mark.parametrize(
    "body",
    [
        "import json as LIMIT\n    return LIMIT",
        "for LIMIT in x:\n        return LIMIT",
        "try:\n        x()\n    except OSError as LIMIT:\n        return LIMIT",
        "match x:\n        case [LIMIT, *_]:\n            return LIMIT",
        "def LIMIT():\n        pass\n    return LIMIT",
        "with x as LIMIT:\n        return LIMIT",
    ],
)
def test_a_local_is_not_the_global_of_its_name(body: str) -> None:
    text = f"LIMIT = {{}}\n\n\ndef f(x, *args, **more):\n    {body}\n"
    assert between(text.replace("{}", "1"), text.replace("{}", "2")) == []


@pytest.mark.parametrize(
    "body",
    [
        "global LIMIT\n    LIMIT += 1\n    return LIMIT",
        "return [LIMIT for _ in x]",
        "return lambda: LIMIT",
        "def g():\n        return LIMIT\n    return g",
    ],
)
def test_a_global_is_seen_from_scopes_within(body: str) -> None:
    text = f"LIMIT = {{}}\n\n\ndef f(x):\n    {body}\n"
    assert names(between(text.replace("{}", "1"), text.replace("{}", "2"))) == {"f": ("LIMIT",)}


@pytest.mark.parametrize("how", ["self.x", "type(self).x", "self.__class__.x", "A.x"])
def test_an_attribute_of_a_class_is_seen_however_it_is_reached(how: str) -> None:
    text = f"class A:\n    x = {{}}\n\n    def f(self):\n        return {how}\n"
    assert names(between(text.replace("{}", "1"), text.replace("{}", "2"))) == {"A.f": ("A.x",)}


def test_hints_in_blocks_of_a_function_change_nothing() -> None:
    text = (
        "def f(x):\n    try:\n        y{0} = x()\n    except OSError:\n        y{0} = None\n"
        "    if y:\n        z{0} = 1\n    else:\n        z{0} = 2\n    return z\n"
    )
    assert between(text.format(": int"), text.format("")) == []
