"""Which lines of a crash are suspected before anything has run, why, and how much."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from nsdbg.crashlog import FrameKind, LoggedException, LoggedFrame
from nsdbg.localize.clue import Clue, Mark
from nsdbg.localize.locate import LineStatus, LocatedFrame
from nsdbg.localize.site import CrashSite, Files, crash_site
from nsdbg.localize.static import static_clues
from nsdbg.rulebook import Rulebook
from nsdbg.rulebook.answers import Suspicion
from nsdbg.source import Subject

Seen = tuple[int, str] | tuple[int, str, tuple[int, int]]
Told = tuple[Mark, int, float, str]


@dataclass(frozen=True, slots=True)
class Crash:
    """A file, the frames of a log (outermost first, some with carets), and the clues expected.

    `library`: the exception rose in code that is not the project's.
    """

    code: str
    frames: tuple[Seen, ...]
    exception: str
    message: str
    library: bool
    clues: tuple[Told, ...]


def site(folder: Path, crash: Crash) -> CrashSite:
    path = folder / "module.py"
    path.write_text(crash.code)
    logged = [
        LoggedFrame("module.py", one[0], one[1], carets=one[2] if len(one) > 2 else None)
        for one in crash.frames
    ]
    found = [
        LocatedFrame(one, path, one.lineno, one.function, LineStatus.EXACT, kind=FrameKind.USER)
        for one in logged
    ]
    if crash.library:
        below = LoggedFrame("lib.py", 1, "g")
        found.append(LocatedFrame(below, None, 1, "g", LineStatus.EXACT, kind=FrameKind.LIBRARY))
    raised = LoggedException(crash.exception, crash.message, tuple(logged))
    placed = crash_site(raised, found, Files())
    assert placed is not None
    return placed


def told(clues: list[Clue], folder: Path) -> tuple[Told, ...]:
    assert {one.file for one in clues} <= {str(folder / "module.py")}
    return tuple((one.mark, one.lineno, round(one.scale, 4), one.text) for one in clues)


CHAIN = """
def top():
    return middle(1)


def middle(x):
    return middle2(x)


def middle2(x):
    # a comment
    return bottom(x, 0)


def bottom(x, y):
    z = 1

    # a comment
    return x / y

    # nothing
    z = 2


top()
"""
CRASHES = [
    Crash(
        CHAIN,
        ((24, "<module>"), (3, "top"), (7, "middle"), (12, "middle2"), (19, "bottom")),
        "ZeroDivisionError",
        "division by zero",
        False,
        (
            (Mark.CRASH_LINE, 19, 1.0, "the line that raised"),
            (Mark.CALLER_LINE, 12, 1.0, "called on the way to the crash, one call up"),
            (Mark.CALLER_LINE, 7, 0.7, "called on the way to the crash, 2 calls up"),
            (Mark.CALLER_LINE, 3, 0.49, "called on the way to the crash, 3 calls up"),
            (Mark.BESIDE_CRASH, 16, 1.0, "stands above the crash line"),
            (Mark.BESIDE_CRASH, 22, 0.8, "stands below the crash line"),
            (Mark.PINNED, 19, 1.0, "the part that failed: x / y"),
            (Mark.PASSED_ON, 12, 0.85, "`y` is given here: 0"),
        ),
    ),
    Crash(
        CHAIN,
        ((24, "<module>"), (3, "top"), (3, "top"), (7, "middle"), (19, "bottom")),
        "ZeroDivisionError",
        "division by zero",
        False,
        (
            (Mark.CRASH_LINE, 19, 1.0, "the line that raised"),
            (Mark.CALLER_LINE, 7, 1.0, "called on the way to the crash, one call up"),
            (Mark.CALLER_LINE, 3, 0.7, "called on the way to the crash, 2 calls up"),
            (Mark.BESIDE_CRASH, 16, 1.0, "stands above the crash line"),
            (Mark.BESIDE_CRASH, 22, 0.8, "stands below the crash line"),
            (Mark.PINNED, 19, 1.0, "the part that failed: x / y"),
        ),
    ),
    Crash(
        CHAIN,
        ((12, "middle2"),),
        "ZeroDivisionError",
        "division by zero",
        False,
        (
            (Mark.CRASH_LINE, 12, 1.0, "the line that raised"),
            (Mark.BESIDE_CRASH, 10, 1.0, "stands above the crash line"),
        ),
    ),
    Crash(
        CHAIN,
        ((12, "middle2"),),
        "ValueError",
        "bad",
        True,
        (
            (Mark.CRASH_LINE, 12, 1.0, "the innermost line of your own code"),
            (Mark.BESIDE_CRASH, 10, 1.0, "stands above the crash line"),
            (Mark.PINNED, 12, 1.0, "the part that failed: bottom(x, 0)"),
        ),
    ),
    Crash(
        "x = 1 / 0\n",
        ((1, "<module>"),),
        "ZeroDivisionError",
        "division by zero",
        False,
        (
            (Mark.CRASH_LINE, 1, 1.0, "the line that raised"),
            (Mark.COMPUTED_ON_CRASH_LINE, 1, 1.0, "`0` is computed here"),
        ),
    ),
    Crash(
        "def f():\n    x = 0\n    return 1 / x",
        ((3, "f"),),
        "ZeroDivisionError",
        "division by zero",
        False,
        (
            (Mark.CRASH_LINE, 3, 1.0, "the line that raised"),
            (Mark.BESIDE_CRASH, 2, 1.0, "stands above the crash line"),
            (Mark.PINNED, 3, 1.0, "the part that failed: 1 / x"),
            (Mark.ORIGIN, 2, 1.0, "`x` is set here: x = 0"),
        ),
    ),
    Crash(
        "def f(n):\n    if n < 0:\n        return 1\n    for i in n:\n        if i:\n            "
        "return f(n)\n    if n:\n        return 2\n",
        ((6, "f"),),
        "RecursionError",
        "maximum recursion depth exceeded",
        False,
        (
            (Mark.CRASH_LINE, 6, 1.0, "the line that raised"),
            (Mark.BESIDE_CRASH, 5, 1.0, "stands above the crash line"),
            (Mark.BESIDE_CRASH, 7, 0.8, "stands below the crash line"),
            (Mark.PINNED, 6, 1.0, "the part that failed: f(n)"),
            (Mark.AROUND, 5, 1.0, "encloses the crash line"),
            (Mark.GUARD, 4, 0.85, "decides whether the crash line runs, by `n`"),
            (Mark.GUARD, 2, 1.0, "could have stopped it here: tests `n`"),
            (Mark.GUARD, 2, 1.0, "this test should end the recursion"),
            (Mark.GUARD, 5, 1.0, "this test should end the recursion"),
        ),
    ),
    Crash(
        "def f(n):\n    return f(n)\n",
        ((2, "f"),),
        "RecursionError",
        "maximum recursion depth exceeded",
        False,
        (
            (Mark.CRASH_LINE, 2, 1.0, "the line that raised"),
            (Mark.BESIDE_CRASH, 1, 1.0, "stands above the crash line"),
            (Mark.PINNED, 2, 1.0, "the part that failed: f(n)"),
        ),
    ),
    Crash(
        "f = lambda n: f(n)\nif f: f(1)\n",
        ((2, "<module>"),),
        "RecursionError",
        "maximum",
        False,
        (
            (Mark.CRASH_LINE, 2, 1.0, "the line that raised"),
            (Mark.BESIDE_CRASH, 1, 1.0, "stands above the crash line"),
            (Mark.PINNED, 2, 1.0, "the part that failed: f(1)"),
            (Mark.GUARD, 2, 1.0, "decides whether the crash line runs, by `f`"),
        ),
    ),
    Crash(
        "class A:\n    def run(self, a):\n        return a\nclass B:\n    def run(self):\n        "
        "return 1\ndef g(x):\n    x.run()\n    A().run()\n",
        ((9, "g"),),
        "TypeError",
        "A.run() missing 1 required positional argument: 'a'",
        False,
        (
            (Mark.CRASH_LINE, 9, 1.0, "the line that raised"),
            (Mark.BESIDE_CRASH, 8, 1.0, "stands above the crash line"),
            (Mark.PINNED, 9, 1.0, "the part that failed: A().run()"),
            (
                Mark.SIGNATURE,
                2,
                1.0,
                "the call and this signature do not agree: A.run() missing 1 required "
                "positional argument: 'a'",
            ),
        ),
    ),
    Crash(
        "def run(self, a):\n    return a\ndef g(x):\n    run()\n",
        ((4, "g"),),
        "TypeError",
        "run() missing 1 required positional argument: 'a'",
        False,
        (
            (Mark.CRASH_LINE, 4, 1.0, "the line that raised"),
            (Mark.BESIDE_CRASH, 3, 1.0, "stands above the crash line"),
            (Mark.PINNED, 4, 1.0, "the part that failed: run()"),
            (
                Mark.SIGNATURE,
                1,
                1.0,
                "the call and this signature do not agree: run() missing 1 required positional "
                "argument: 'a'",
            ),
        ),
    ),
    Crash(
        "def run(self, a):\n    return a\ndef g(x):\n    run()\n",
        ((4, "g"),),
        "TypeError",
        "run() does not like it",
        False,
        (
            (Mark.CRASH_LINE, 4, 1.0, "the line that raised"),
            (Mark.BESIDE_CRASH, 3, 1.0, "stands above the crash line"),
            (Mark.PINNED, 4, 1.0, "the part that failed: run()"),
        ),
    ),
    Crash(
        "def run(self, a):\n    return a\ndef g(x):\n    run()\n",
        ((4, "g"),),
        "ValueError",
        "run() missing 1 required positional argument: 'a'",
        False,
        (
            (Mark.CRASH_LINE, 4, 1.0, "the line that raised"),
            (Mark.BESIDE_CRASH, 3, 1.0, "stands above the crash line"),
            (Mark.PINNED, 4, 1.0, "the part that failed: run()"),
        ),
    ),
    Crash(
        "def f(rows):\n    total = 0\n    return rows[\n        5]\n",
        ((3, "f"),),
        "IndexError",
        "list index out of range",
        False,
        (
            (Mark.CRASH_LINE, 3, 1.0, "the line that raised"),
            (Mark.BESIDE_CRASH, 2, 1.0, "stands above the crash line"),
            (Mark.BESIDE_CRASH, 4, 0.8, "stands below the crash line"),
            (Mark.COMPUTED_ON_CRASH_LINE, 3, 1.0, "the index 5 is written here"),
        ),
    ),
    Crash(
        "def f(rows, n):\n    i = n + 1\n    return rows[i]\n",
        ((3, "f"),),
        "IndexError",
        "list index out of range",
        False,
        (
            (Mark.CRASH_LINE, 3, 1.0, "the line that raised"),
            (Mark.BESIDE_CRASH, 2, 1.0, "stands above the crash line"),
            (Mark.PINNED, 3, 1.0, "the part that failed: rows[i]"),
            (Mark.ORIGIN, 2, 1.0, "`i` is set here: i = n + 1"),
        ),
    ),
    Crash(
        "def f(rows, n):\n    return rows[n + 1]\n",
        ((2, "f"),),
        "IndexError",
        "list index out of range",
        False,
        (
            (Mark.CRASH_LINE, 2, 1.0, "the line that raised"),
            (Mark.BESIDE_CRASH, 1, 1.0, "stands above the crash line"),
            (Mark.COMPUTED_ON_CRASH_LINE, 2, 1.0, "`n + 1` is computed here"),
        ),
    ),
    Crash(
        "def f(rows, n):\n    return rows[len(rows)]\n",
        ((2, "f"),),
        "IndexError",
        "list index out of range",
        False,
        (
            (Mark.CRASH_LINE, 2, 1.0, "the line that raised"),
            (Mark.BESIDE_CRASH, 1, 1.0, "stands above the crash line"),
            (Mark.PINNED, 2, 1.0, "the part that failed: rows[len(rows)]"),
        ),
    ),
    Crash(
        "def f(d):\n    x = d.get('a')\n    y = x\n    return y.upper()\n",
        ((4, "f"),),
        "AttributeError",
        "'NoneType' object has no attribute 'upper'",
        False,
        (
            (Mark.CRASH_LINE, 4, 0.6, "the line that raised"),
            (Mark.BESIDE_CRASH, 3, 1.0, "stands above the crash line"),
            (Mark.PINNED, 4, 1.0, "the part that failed: y.upper"),
            (Mark.ORIGIN, 3, 1.0, "`y` is set here: y = x"),
            (Mark.ORIGIN, 2, 0.595, "`x` is set here: x = d.get('a')"),
        ),
    ),
    Crash(
        "def f(x):\n    return x.foo()\n",
        ((2, "f"),),
        "AttributeError",
        "'int' object has no attribute 'foo'",
        False,
        (
            (Mark.CRASH_LINE, 2, 1.0, "the line that raised"),
            (Mark.BESIDE_CRASH, 1, 1.0, "stands above the crash line"),
            (Mark.COMPUTED_ON_CRASH_LINE, 2, 1.0, "`x.foo` is asked for here"),
        ),
    ),
    Crash(
        "def f(x):\n    return undefined\n",
        ((2, "f"),),
        "NameError",
        "name 'undefined' is not defined",
        False,
        (
            (Mark.CRASH_LINE, 2, 1.0, "the line that raised"),
            (Mark.BESIDE_CRASH, 1, 1.0, "stands above the crash line"),
            (Mark.COMPUTED_ON_CRASH_LINE, 2, 1.0, "the name `undefined` is written here"),
        ),
    ),
    Crash(
        "def f(x):\n    if x:\n        y = 1\n    return y\n",
        ((4, "f"),),
        "UnboundLocalError",
        "cannot access local variable 'y' where it is not associated with a value",
        False,
        (
            (Mark.CRASH_LINE, 4, 1.0, "the line that raised"),
            (Mark.BESIDE_CRASH, 3, 1.0, "stands above the crash line"),
            (Mark.PINNED, 4, 1.0, "the part that failed: y"),
            (Mark.MISSING_PATH, 2, 1.0, "without `else` it leaves `y` unbound"),
            (Mark.MISSING_PATH, 3, 0.7, "nothing after this binds `y`"),
            (Mark.ORIGIN, 3, 1.0, "`y` is set here: y = 1"),
        ),
    ),
    Crash(
        "def f(a, b):\n    x = 'a' + b\n    y = a + len(b)\n    return x + y\n",
        ((4, "f"),),
        "TypeError",
        'can only concatenate str (not "int") to str',
        False,
        (
            (Mark.CRASH_LINE, 4, 1.0, "the line that raised"),
            (Mark.BESIDE_CRASH, 3, 1.0, "stands above the crash line"),
            (Mark.PINNED, 4, 1.0, "the part that failed: x + y"),
            (Mark.ORIGIN, 3, 1.0, "`y` is set here: y = a + len(b)"),
            (Mark.ORIGIN, 2, 0.7, "`x` is set here: x = 'a' + b"),
        ),
    ),
    Crash(
        "def f(a, b):\n    return a + b\ndef g():\n    x = 1\n    y = 'a'\n    return f(x, y)\n",
        ((6, "g"), (2, "f")),
        "TypeError",
        "unsupported operand type(s) for +: 'int' and 'str'",
        False,
        (
            (Mark.CRASH_LINE, 2, 1.0, "the line that raised"),
            (Mark.CALLER_LINE, 6, 1.0, "called on the way to the crash, one call up"),
            (Mark.BESIDE_CRASH, 1, 1.0, "stands above the crash line"),
            (Mark.PINNED, 2, 1.0, "the part that failed: a + b"),
            (Mark.PASSED_ON, 6, 0.85, "`a` is given here: x"),
            (Mark.ORIGIN, 4, 0.85, "`x` is set here: x = 1"),
            (Mark.PASSED_ON, 6, 0.595, "`b` is given here: y"),
            (Mark.ORIGIN, 5, 0.595, "`y` is set here: y = 'a'"),
        ),
    ),
    Crash(
        "def f(a):\n    a\n    raise ValueError(a)\n",
        ((3, "f"),),
        "ValueError",
        "no",
        False,
        (
            (Mark.CRASH_LINE, 3, 1.0, "the line that raised"),
            (Mark.BESIDE_CRASH, 2, 1.0, "stands above the crash line"),
            (Mark.ODD_CODE, 2, 0.25, "this statement has no effect: a"),
        ),
    ),
    Crash(
        "def f(a):\n    x = a\n    assert x\n",
        ((3, "f"),),
        "AssertionError",
        "",
        False,
        (
            (Mark.CRASH_LINE, 3, 1.0, "the line that raised"),
            (Mark.BESIDE_CRASH, 2, 1.0, "stands above the crash line"),
            (Mark.PASSED_ON, 2, 1.0, "`x` is set here: x = a"),
        ),
    ),
    Crash(
        "def f(a):\n    x\n    return a()\n",
        ((3, "f"),),
        "TypeError",
        "'int' object is not callable",
        False,
        (
            (Mark.CRASH_LINE, 3, 1.0, "the line that raised"),
            (Mark.BESIDE_CRASH, 2, 1.0, "stands above the crash line"),
            (Mark.PINNED, 3, 1.0, "the part that failed: a()"),
            (Mark.ODD_CODE, 2, 0.25, "this statement has no effect: x"),
        ),
    ),
    Crash(
        "import os\nx\ny = os.nothing\n",
        ((3, "<module>"),),
        "AttributeError",
        "module 'os' has no attribute 'nothing'",
        False,
        (
            (Mark.CRASH_LINE, 3, 1.0, "the line that raised"),
            (Mark.BESIDE_CRASH, 2, 1.0, "stands above the crash line"),
            (Mark.COMPUTED_ON_CRASH_LINE, 3, 1.0, "`os.nothing` is asked for here"),
            (Mark.ODD_CODE, 2, 0.25, "this statement has no effect: x"),
        ),
    ),
    Crash(
        "x\ndef g():\n    return h(1)[0] + h(2)[0]\ndef h(a):\n    return a\ng()\n",
        ((6, "<module>"), (3, "g", (18, 25))),
        "TypeError",
        "'int' object is not subscriptable",
        False,
        (
            (Mark.CRASH_LINE, 3, 1.0, "the line that raised"),
            (Mark.CALLER_LINE, 6, 1.0, "called on the way to the crash, one call up"),
            (Mark.BESIDE_CRASH, 2, 1.0, "stands above the crash line"),
        ),
    ),
    Crash(
        "def g(k):\n    return f(k) + f(k + 1)\ndef f(x):\n    return 10 / x\nprint(g(-1))\n",
        ((5, "<module>", (6, 11)), (2, "g", (14, 22)), (4, "f", (7, 13))),
        "ZeroDivisionError",
        "division by zero",
        False,
        (
            (Mark.CRASH_LINE, 4, 1.0, "the line that raised"),
            (Mark.CALLER_LINE, 2, 1.0, "called on the way to the crash, one call up"),
            (Mark.CALLER_LINE, 5, 0.7, "called on the way to the crash, 2 calls up"),
            (Mark.BESIDE_CRASH, 3, 1.0, "stands above the crash line"),
            (Mark.PINNED, 4, 1.0, "the part that failed: 10 / x"),
            (Mark.ORIGIN, 2, 0.85, "`x` is given here: k + 1"),
            (Mark.PASSED_ON, 5, 0.2457, "`k` is given here: -1"),
        ),
    ),
]


@pytest.mark.parametrize("crash", CRASHES, ids=[str(n) for n in range(len(CRASHES))])
def test_the_clues_of_a_crash_come_with_their_lines_reasons_and_scales(
    tmp_path: Path, crash: Crash
) -> None:
    assert told(static_clues(site(tmp_path, crash)), tmp_path) == crash.clues


class TwoRules(Rulebook):
    """A book that suspects two lines, and keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, int, str, str]] = []

    def suspects(
        self, subject: Subject, lineno: int, exception: str, message: str = ""
    ) -> tuple[Suspicion, ...]:
        self.asked.append((subject.ref.qualname, lineno, exception, message))
        return (Suspicion(2, "a", "often so", 0.4), Suspicion(3, "b", "always so", 1.5),
                Suspicion(1, "c", "never so", -1.0))  # fmt: skip


CRASH = CRASHES[5]


def test_what_the_rules_suspect_comes_last_with_their_weights_as_scales(tmp_path: Path) -> None:
    book = TwoRules()
    found = told(static_clues(site(tmp_path, CRASH), book), tmp_path)
    assert found == (
        *CRASH.clues,
        (Mark.RULE_SUSPECT, 2, 0.4, "often so"),
        (Mark.RULE_SUSPECT, 3, 1.0, "always so"),
        (Mark.RULE_SUSPECT, 1, 0.0, "never so"),
    )
    assert book.asked == [("f", 3, "ZeroDivisionError", "division by zero")]


def test_a_file_that_is_gone_has_no_rules(tmp_path: Path) -> None:
    placed = site(tmp_path, CRASH)
    (tmp_path / "module.py").unlink()
    assert told(static_clues(placed, TwoRules()), tmp_path) == CRASH.clues
