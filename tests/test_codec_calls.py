"""Where a command leads by the program's text: into calls, out of them, and on within a frame."""

from __future__ import annotations

import ast

import pytest
from codec_words import FILE, frame, seen, situation, told, value

from nsdbg.episode import Listing
from nsdbg.propose.codec.following import MOST, followed
from nsdbg.propose.codec.situation import Situation
from nsdbg.propose.codec.view import View
from nsdbg.state import Action, ActionKind, Event, State, Value

PROGRAM = """
def inner(a, b=2, *rest, k=5, **more):
    return a + b


def twice(x):
    return inner(inner(x), k=x)


class Box:
    def __init__(self, size, unit='m'):
        self.size = size

    def grow(self, by):
        return by

    @staticmethod
    def plain(by):
        return by


def items(n):
    yield n
    for i in range(n):
        yield i


def never():
    yield


@cached
def wrapped(x):
    return x


def f(x, xs, box, func, text):
    a = inner(x)
    a = inner(x, 3, 4, k=6, q=7)
    a = inner(*xs)
    a = inner(*text)
    a = inner(**{})
    a = inner()
    a = inner(x, zz)
    if x and inner(x):
        a = 1
    if x == 99 or inner(x):
        a = 1
    if x == 3 or inner(x):
        a = 1
    if x == 99 and inner(x):
        a = 1
    a = inner(x) if x else twice(x)
    a = inner(x) if x == 99 else twice(x)
    a = 1 if inner(x) else 2
    a = zz and inner(x)
    a = inner(x) if zz else 1
    a = [inner(y) for y in xs]
    a = [y for y in inner(xs)]
    a = x < inner(x)
    a = x < inner(x) < 3
    a = lambda: inner(x)
    a = sorted(xs, key=lambda y: y)
    a = sum(y for y in xs)
    a = sum(items(x))
    a = items(x)
    a = foo(items(x))
    a = box.grow(x)
    a = box.plain(x)
    a = text.grow(x)
    a = zz.grow(x)
    a = zz.inner(x)
    a = Box(x)
    a = func(x)
    a = wrapped(x)
    a = other(x)
    for y in inner(xs):
        a = y
    return inner(x)
    inner(x)
    a += inner(x)
    a: int = inner(x)
    assert inner(x)
    while inner(x):
        a = 1
    raise inner(x)
    x[inner(x)] = 1
    a = await inner(x)
    a = (yield inner(x))
    yield inner(x)
    a = twice(twice(x))
    def within(c, d=1):
        return c + x + a
    a = within(x)
    a = (lambda: 1)()
    a = foo((lambda q: q))
    a = (lambda q: inner(q))
    try:
        a = 1 / 0
    except ZeroDivisionError:
        a = 2
    finally:
        a = 3
    with box as b:
        a = 1
    pass
"""
LINES = PROGRAM.strip("\n").split("\n")
AT = {line.strip(): number for number, line in enumerate(LINES, 1)}
F = "def f(x, xs, box, func, text):"
LOCALS = {
    "x": "3", "xs": "[1, 2]", "box": "<Box>:shop.Box", "func": "<function twice at 0x1>:function",
    "text": "'ab'", "a": "5",
}  # fmt: skip


def listings(node: ast.Module | ast.ClassDef, owner: str = "") -> list[Listing]:
    """Return the functions of the program, each as one listing."""
    found: list[Listing] = []
    for one in node.body:
        if isinstance(one, ast.FunctionDef):
            first = min([one.lineno, *(each.lineno for each in one.decorator_list)])
            text = "\n".join(LINES[first - 1 : one.end_lineno])
            found.append(Listing(FILE, owner + one.name, first, text))
        elif isinstance(one, ast.ClassDef):
            found += listings(one, f"{one.name}.")
    return found


VIEW = View(listings(ast.parse("\n".join(LINES))))
STEP = Action(ActionKind.STEP)


def action(text: str) -> Action:
    kind, _, lineno = text.partition(":")
    return Action(ActionKind(kind), int(lineno) if lineno else None)


@pytest.mark.parametrize(
    ("lineno", "line", "expected"),
    [
        (37, "a = inner(x)", "call 1, a=3, b=2, k=5, rest=(), more={}, in f:37 > inner:1"),
        (
            38,
            "a = inner(x, 3, 4, k=6, q=7)",
            "call 1, a=3, b=3, k=6, rest=(4,), more={'q': 7}, in f:38 > inner:1",
        ),
        (39, "a = inner(*xs)", "call 1, a=1, b=2, k=5, rest=(), more={}, in f:39 > inner:1"),
        (40, "a = inner(*text)", None),
        (41, "a = inner(**{})", None),
        (42, "a = inner()", None),
        (43, "a = inner(x, zz)", "call 1, a=3, b=?:?, k=5, rest=(), more={}, in f:43 > inner:1"),
        (44, "if x and inner(x):", "call 1, a=3, b=2, k=5, rest=(), more={}, in f:44 > inner:1"),
        (45, "a = 1", "line 46, a=1"),
        (
            46,
            "if x == 99 or inner(x):",
            "call 1, a=3, b=2, k=5, rest=(), more={}, in f:46 > inner:1",
        ),
        (47, "a = 1", "line 48, a=1"),
        (48, "if x == 3 or inner(x):", "line 49"),
        (49, "a = 1", "line 50, a=1"),
        (50, "if x == 99 and inner(x):", "line 52"),
        (51, "a = 1", "line 52, a=1"),
        (
            52,
            "a = inner(x) if x else twice(x)",
            "call 1, a=3, b=2, k=5, rest=(), more={}, in f:52 > inner:1",
        ),
        (53, "a = inner(x) if x == 99 else twice(x)", "call 5, x=3, in f:53 > twice:5"),
        (
            54,
            "a = 1 if inner(x) else 2",
            "call 1, a=3, b=2, k=5, rest=(), more={}, in f:54 > inner:1",
        ),
        (55, "a = zz and inner(x)", None),
        (56, "a = inner(x) if zz else 1", None),
        (57, "a = [inner(y) for y in xs]", None),
        (
            58,
            "a = [y for y in inner(xs)]",
            "call 1, a=[1, 2], b=2, k=5, rest=(), more={}, in f:58 > inner:1",
        ),
        (59, "a = x < inner(x)", "call 1, a=3, b=2, k=5, rest=(), more={}, in f:59 > inner:1"),
        (60, "a = x < inner(x) < 3", None),
        (61, "a = lambda: inner(x)", "line 62, a=?:?"),
        (62, "a = sorted(xs, key=lambda y: y)", None),
        (63, "a = sum(y for y in xs)", None),
        (64, "a = sum(items(x))", "call 21, n=3, in f:64 > items:21"),
        (65, "a = items(x)", "call 21, n=3, in f:65 > items:21"),
        (66, "a = foo(items(x))", None),
        (67, "a = box.grow(x)", "call 13, self=<Box>:shop.Box, by=3, in f:67 > grow:13"),
        (
            69,
            "a = text.grow(x)",
            "exception 69, arg 'str' object has no attribute 'grow':AttributeError",
        ),
        (70, "a = zz.grow(x)", None),
        (71, "a = zz.inner(x)", "call 1, a=3, b=2, k=5, rest=(), more={}, in f:71 > inner:1"),
        (72, "a = Box(x)", "call 10, self=<?>:Box, size=3, unit='m', in f:72 > __init__:10"),
        (73, "a = func(x)", "call 5, x=3, in f:73 > twice:5"),
        (74, "a = wrapped(x)", None),
        (75, "a = other(x)", "line 76, a=?:?, loops (((76, 0),),)"),
        (
            76,
            "for y in inner(xs):",
            "call 1, a=[1, 2], b=2, k=5, rest=(), more={}, in f:76 > inner:1",
        ),
        (77, "a = y", "line 76, a=?:?, loops (((76, 0),),)"),
        (78, "return inner(x)", "call 1, a=3, b=2, k=5, rest=(), more={}, in f:78 > inner:1"),
        (79, "inner(x)", "call 1, a=3, b=2, k=5, rest=(), more={}, in f:79 > inner:1"),
        (80, "a += inner(x)", "call 1, a=3, b=2, k=5, rest=(), more={}, in f:80 > inner:1"),
        (81, "a: int = inner(x)", "call 1, a=3, b=2, k=5, rest=(), more={}, in f:81 > inner:1"),
        (82, "assert inner(x)", "call 1, a=3, b=2, k=5, rest=(), more={}, in f:82 > inner:1"),
        (83, "while inner(x):", "call 1, a=3, b=2, k=5, rest=(), more={}, in f:83 > inner:1"),
        (84, "a = 1", "line 83, a=1"),
        (85, "raise inner(x)", "call 1, a=3, b=2, k=5, rest=(), more={}, in f:85 > inner:1"),
        (86, "x[inner(x)] = 1", "line 87, x=?:?"),
        (87, "a = await inner(x)", None),
        (88, "a = (yield inner(x))", "call 1, a=3, b=2, k=5, rest=(), more={}, in f:88 > inner:1"),
        (89, "yield inner(x)", "call 1, a=3, b=2, k=5, rest=(), more={}, in f:89 > inner:1"),
        (90, "a = twice(twice(x))", "call 5, x=3, in f:90 > twice:5"),
        (91, "def within(c, d=1):", None),
        (92, "return c + x + a", "return 92, arg ?:?"),
        (93, "a = within(x)", "call 91, c=3, d=1, x=3, a=5, in f:93 > within:91"),
        (94, "a = (lambda: 1)()", "line 95, a=1"),
        (95, "a = foo((lambda q: q))", None),
        (96, "a = (lambda q: inner(q))", "line 97, a=?:?"),
        (97, "try:", "line 98"),
        (98, "a = 1 / 0", "exception 98, arg division by zero:ZeroDivisionError"),
        (99, "except ZeroDivisionError:", None),
        (100, "a = 2", "line 102, a=2"),
        (101, "finally:", None),
        (102, "a = 3", None),
        (103, "with box as b:", "line 104"),
        (104, "a = 1", "line 103, a=1"),
        (105, "pass", "return 105, arg None"),
    ],
)
def test_a_step_goes_into_the_first_call_in_view_or_on(
    lineno: int, line: str, expected: str | None
) -> None:
    assert LINES[lineno - 1].strip() == line
    before = situation(frame(lineno, "f", **LOCALS))
    found = followed(VIEW, before, STEP)
    within = found is not None and len(found.state.stack) == 1
    assert told(found, before if within else None) == expected


OUTER = frame(AT[F] + 1, "f", **LOCALS)
INNER, ITEMS, RAISES = {"a": "1", "b": "2"}, {"n": "2"}, AT["a = 1 / 0"]
RESUMED = ((AT["for i in range(n):"], 1),)


def called(lineno: int, function: str, /, **names: str) -> Situation:
    return situation(OUTER, frame(lineno, function, **names), event=Event.CALL)


def back(lineno: int, function: str, arg: str, /, **names: str) -> Situation:
    stack = (OUTER, frame(lineno, function, **names))
    return situation(*stack, event=Event.RETURN, arg=value(arg))


def within(line: str, function: str, /, event: Event = Event.LINE, **names: str) -> Situation:
    outer = frame(AT[line], "f", **LOCALS)
    return situation(outer, frame(AT[line], function, **names), event=event)


def thrown(lineno: int) -> Situation:
    error = Value("", "ZeroDivisionError")
    return situation(frame(lineno, "f", **LOCALS), event=Event.EXCEPTION, arg=error)


ONE, ASKED, CALLS = "a = (lambda: 1)()", "a = foo((lambda q: q))", "a = (lambda q: inner(q))"
PLACES = {
    "call inner": called(1, "inner", **INNER),
    "line inner": situation(OUTER, frame(2, "inner", **INNER)),
    "ret inner": back(2, "inner", "3", **INNER),
    "ret none": situation(OUTER, frame(2, "inner", **INNER), event=Event.RETURN),
    "ret top": situation(frame(2, "inner", **INNER), event=Event.RETURN, arg=value("3")),
    "ret gen": back(AT["yield n"], "items", "3", **ITEMS),
    "gen call": called(AT["def items(n):"], "items", **ITEMS),
    "gen resumed": called(AT["yield n"], "items", **ITEMS),
    "gen resumed in loop": situation(
        OUTER, frame(AT["yield i"], "items", n="2", i="0"), event=Event.CALL, loops=RESUMED
    ),
    "gen at end": called(AT["yield"], "never"),
    "gen line": situation(
        OUTER, frame(AT["for i in range(n):"], "items", **ITEMS), loops=RESUMED
    ),
    "call elsewhere": called(99, "inner", **INNER),
    "call mid": called(2, "inner", **INNER),
    "call no loops": Situation(State(Event.CALL, (OUTER, frame(1, "inner", **INNER))), ()),
    "exc": thrown(RAISES),
    "exc out": thrown(AT[F] + 1),
    "exc nowhere": thrown(500),
    "exc no loops": Situation(State(Event.EXCEPTION, (frame(RAISES, "f", **LOCALS),)), ()),
    "exc with": thrown(AT["with box as b:"] + 1),
    "line raises": situation(frame(RAISES, "f", **LOCALS)),
    "lambda line": within(ONE, "<lambda>"),
    "lambda call": within(ONE, "f.<locals>.<lambda>", Event.CALL),
    "lambda q": within(ASKED, "<lambda>", q="7"),
    "lambda unknown": within(ASKED, "<lambda>"),
    "lambda opaque": within(ASKED, "<lambda>", q="<Order>:Order"),
    "lambda calls": within(CALLS, "<lambda>", q="7"),
    "genexpr": within(ONE, "<genexpr>"),
    "once more": situation(
        frame(AT["return inner(x)"], "f", **LOCALS), frame(2, "inner", **INNER),
        event=Event.RETURN, arg=value("<Order>:Order"),
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("place", "command", "expected"),
    [
        ("call inner", "step", "line 2, a=1, b=2, in f:37 > inner:2"),
        ("call inner", "next", "line 2, a=1, b=2, in f:37 > inner:2"),
        ("call inner", "return", "return 2, a=1, b=2, arg 3, in f:37 > inner:2"),
        ("line inner", "step", "return 2, a=1, b=2, arg 3, in f:37 > inner:2"),
        ("line inner", "next", "return 2, a=1, b=2, arg 3, in f:37 > inner:2"),
        ("line inner", "return", "return 2, a=1, b=2, arg 3, in f:37 > inner:2"),
        ("line inner", "until:2", "return 2, a=1, b=2, arg 3, in f:37 > inner:2"),
        ("line inner", "continue:38", "line 38, a=3"),
        ("ret inner", "step", "line 38, a=3"),
        ("ret inner", "next", "line 38, a=3"),
        ("ret inner", "return", "line 38, a=3"),
        ("ret inner", "until:99", "line 38, a=3"),
        ("ret none", "step", None),
        ("ret top", "step", None),
        ("ret gen", "step", None),
        ("gen call", "step", "line 22, n=2, in f:37 > items:22"),
        ("gen resumed", "step", "line 23, n=2, in f:37 > items:23, loops ((), ((23, 0),))"),
        (
            "gen resumed in loop",
            "step",
            "line 23, n=2, i=0, in f:37 > items:23, loops ((), ((23, 1),))",
        ),
        ("gen at end", "step", "return 28, arg None, in f:37 > never:28"),
        ("gen line", "step", "line 24, n=2, i=1, in f:37 > items:24, loops ((), ((23, 2),))"),
        ("gen line", "next", "line 24, n=2, i=1, in f:37 > items:24, loops ((), ((23, 2),))"),
        ("call elsewhere", "step", None),
        ("call mid", "step", None),
        ("call no loops", "step", "line 2, a=1, b=2, in f:37 > inner:2"),
        ("exc", "step", "line 99"),
        ("exc", "next", "line 99"),
        ("exc out", "step", "return 37"),
        ("exc nowhere", "step", None),
        ("exc no loops", "step", "line 99"),
        ("exc with", "step", "line 103"),
        ("line raises", "step", "exception 98, arg division by zero:ZeroDivisionError"),
        ("line raises", "next", "exception 98, arg division by zero:ZeroDivisionError"),
        ("line raises", "continue:100", None),
        ("lambda line", "step", "return 94, arg 1, in f:94 > <lambda>:94"),
        ("lambda call", "step", "line 94, in f:94 > f.<locals>.<lambda>:94"),
        ("lambda q", "step", "return 95, q=7, arg 7, in f:95 > <lambda>:95"),
        ("lambda q", "next", "return 95, q=7, arg 7, in f:95 > <lambda>:95"),
        ("lambda unknown", "step", None),
        (
            "lambda opaque",
            "step",
            "return 95, q=<Order>:Order, arg <Order>:Order, in f:95 > <lambda>:95",
        ),
        ("lambda calls", "step", None),
        ("genexpr", "step", None),
        ("once more", "step", "return 78, arg <Order>:Order"),
    ],
)
def test_where_a_command_leads_from_calls_returns_and_exceptions(
    place: str, command: str, expected: str | None
) -> None:
    before = PLACES[place]
    found = followed(VIEW, before, action(command))
    top = before.state.stack[0].function == "f" and found is not None
    alone = top and len(found.state.stack) == 1  # type: ignore[union-attr]
    outer = Situation(State(Event.LINE, (OUTER,)))
    assert told(found, outer if alone else None) == expected


LOOP = seen("""
def g(n):
    total = 0
    while total < n:
        print(total)
        total += 1
    for i in [1, 2]:
        total += i
    return total
""")


@pytest.mark.parametrize(
    ("n", "command", "expected"),
    [
        ("0", "step", "line 13, n=0, total=0"),
        ("0", "next", "line 13, n=0, total=0"),
        ("0", "return", "return 18, n=0, total=3, i=2, arg 3"),
        ("0", "until:14", "line 16, n=0, total=0, loops (((16, 0),),)"),
        ("0", "until:13", "line 13, n=0, total=0"),
        ("0", "until:16", "line 16, n=0, total=0, loops (((16, 0),),)"),
        ("0", "continue:16", "line 16, n=0, total=0, loops (((16, 0),),)"),
        ("0", "continue:17", "line 17, n=0, total=0, i=1, loops (((16, 1),),)"),
        ("0", "continue:99", None),
        ("3", "step", "line 13, n=3, total=0"),
        ("3", "next", "line 13, n=3, total=0"),
        ("3", "return", "return 18, n=3, total=6, i=2, arg 6, printed '0\\n1\\n2\\n'"),
        ("3", "until:14", "line 14, n=3, total=0"),
        ("3", "until:13", "line 13, n=3, total=0"),
        ("3", "until:16", "line 16, n=3, total=3, printed '0\\n1\\n2\\n', loops (((16, 0),),)"),
        ("3", "continue:16", "line 16, n=3, total=3, printed '0\\n1\\n2\\n', loops (((16, 0),),)"),
        (
            "3",
            "continue:17",
            "line 17, n=3, total=3, i=1, printed '0\\n1\\n2\\n', loops (((16, 1),),)",
        ),
        ("3", "continue:99", None),
        ("70", "step", "line 13, n=70, total=0"),
        ("70", "next", "line 13, n=70, total=0"),
        ("70", "return", None),
        ("70", "until:14", "line 14, n=70, total=0"),
        ("70", "until:13", "line 13, n=70, total=0"),
        ("70", "until:16", None),
        ("70", "continue:16", None),
        ("70", "continue:17", None),
        ("70", "continue:99", None),
    ],
)
def test_a_jump_goes_on_until_its_line_or_the_end_or_too_far(
    n: str, command: str, expected: str | None
) -> None:
    assert told(followed(LOOP, situation(frame(12, "g", n=n)), action(command))) == expected


def test_no_more_statements_are_followed_than_are_asked_for() -> None:
    before = situation(frame(12, "g", n="3"))
    found = [followed(LOOP, before, action("until:14"), most) for most in (1, 2, 3)]
    assert [told(one) for one in found] == [
        None, "line 14, n=3, total=0", "line 14, n=3, total=0",
    ]  # fmt: skip
    # One statement more than are followed: the lines of the function, and three of each round.
    rounds = str((MOST - 3) // 3)
    assert followed(LOOP, situation(frame(12, "g", n=rounds)), action("until:16")) is not None
    more = str(int(rounds) + 1)
    assert followed(LOOP, situation(frame(12, "g", n=more)), action("until:16")) is None
