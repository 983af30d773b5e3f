"""Where a command leads by the program's text: into calls, out of them, and on within a frame."""

from __future__ import annotations

import ast

import pytest
from codec_words import FILE, frame, seen, situation, tokens, told, value

from nsdbg.episode import Listing
from nsdbg.propose.codec import forward
from nsdbg.propose.codec.following import MOST, followed
from nsdbg.propose.codec.situation import Situation
from nsdbg.propose.codec.view import View
from nsdbg.propose.codec.vocabulary import words
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


def listings(node: ast.Module | ast.ClassDef, lines: list[str], owner: str = "") -> list[Listing]:
    """Return the functions of a program, each as one listing."""
    found: list[Listing] = []
    for one in node.body:
        if isinstance(one, ast.FunctionDef):
            first = min([one.lineno, *(each.lineno for each in one.decorator_list)])
            text = "\n".join(lines[first - 1 : one.end_lineno])
            found.append(Listing(FILE, owner + one.name, first, text))
        elif isinstance(one, ast.ClassDef):
            found += listings(one, lines, f"{one.name}.")
    return found


VIEW = View(listings(ast.parse("\n".join(LINES)), LINES))
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
        (65, "a = items(x)", "line 66, a=<generator object items at 0x...>:generator"),
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
    assert found is None or {one.file for one in found.state.stack} == {FILE}
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


# Of calls with other receivers, and deeper on the stack.

SECOND = """
def plain(x):
    return x


class A:
    def run(self, x):
        return x


class B:
    def run(self, x):
        return x

    @classmethod
    def make(cls):
        return 1

    @staticmethod
    def lone(x):
        return x


def gen(n):
    yield n


@functools.cache
def kept(x):
    return x


def many(a, b, c=3, d=4, *, k, m=5):
    return a


def outer(p, hidden, z):
    def inner(q):
        hidden = 1
        return q + p + hidden
    return inner(1)


def risky(xs):
    for i in xs:
        try:
            1 / i
        except ZeroDivisionError:
            pass


def top(x, a, b, c, fn, note):
    y = a.run(x)
    y = b.run(x)
    y = c.run(x)
    y = 'x'.join(gen(x))
    y = many(1, 2, k=6)
    y = many(1, *[2], k=6)
    y = kept(x)
    y = note(x)
    y = fn(x)
    y = many(1, 2, k=6) if plain(x) else many(1, 2, k=6)
    y = 1 if x else plain(x)
    y = 1 if x == 99 else plain(x)
    y = gen(x).send
    y = plain(x) + many(1, 2, k=7)
    y = many(plain(x), 2, k=6)
    y = sum(gen(x))
    for z in plain(x):
        y = z
"""
ROWS = SECOND.strip("\n").split("\n")
ON = {line.strip(): number for number, line in enumerate(ROWS, 1)}
DEEP = View(
    [Listing(FILE, "broken", 900, "def broken(:"), *listings(ast.parse("\n".join(ROWS)), ROWS)]
)
TOP = {
    "x": "3", "a": "<A>:shop.A", "b": "<B>:shop.B", "c": "<C>:C", "note": "<A>:shop.A",
    "fn": "<function outer.<locals>.inner at 0x1>:function",
}  # fmt: skip
MANY = "call 32, a=1, b=2, k=6, c=3, d=4, m=5"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("y = a.run(x)", "call 6, self=<A>:shop.A, x=3"),
        ("y = b.run(x)", "call 11, self=<B>:shop.B, x=3"),
        ("y = c.run(x)", None),
        ("y = 'x'.join(gen(x))", "call 23, n=3"),
        ("y = many(1, 2, k=6)", MANY),
        ("y = many(1, *[2], k=6)", MANY),
        ("y = kept(x)", None),
        ("y = note(x)", "line 60, y=?:?"),
        ("y = fn(x)", "call 37, q=3"),
        ("y = many(1, 2, k=6) if plain(x) else many(1, 2, k=6)", "call 1, x=3"),
        ("y = 1 if x else plain(x)", "line 63, y=1"),
        ("y = 1 if x == 99 else plain(x)", "call 1, x=3"),
        ("y = gen(x).send", None),
        ("y = sum(gen(x))", "call 23, n=3"),
        ("for z in plain(x):", "call 1, x=3"),
    ],
)
def test_a_call_is_of_the_one_function_that_its_receiver_has(
    line: str, expected: str | None
) -> None:
    before = situation(frame(ON[line], "top", **TOP), loops=((7, 2),))
    found = followed(DEEP, before, STEP)
    calls = found is not None and found.state.event is Event.CALL
    shown = told(found, None if calls else before)
    assert (None if shown is None else shown.partition(", in ")[0]) == expected
    if calls:
        assert found is not None
        assert found.loops == (((7, 2),), ())
        assert found.state.stack[0] == before.state.frame


def test_a_static_method_gets_no_receiver_and_of_a_class_method_nothing_is_said() -> None:
    view = seen(
        "def lone(x):\n    return x", "def f(b):\n    y = b.lone(1)\n    y = b.make()", first=1
    )
    for decorator in ("staticmethod", "classmethod"):
        text = f"@{decorator}\ndef lone(x=1):\n    return x"
        marked = View([Listing(FILE, "B.lone", 1, text), view.texts[1]])
        before = situation(frame(6, "f", b="<B>:B"))
        found = followed(marked, before, STEP)
        if decorator == "classmethod":
            assert found is None, "of the class that it gets nothing is known"
            continue
        assert found is not None
        assert (found.state.frame.function, found.state.frame.lineno) == ("lone", 1)
        assert found.state.frame.local("x") == Value("1", "int", True)


MAIN = frame(1, "main")


def came_back(line: str, arg: Value, function: str = "plain") -> Situation:
    stack = (MAIN, frame(ON[line], "top", x="3"), frame(2, function, x="3"))
    return Situation(State(Event.RETURN, stack, arg), (((1, 1),), ((7, 2),), ((8, 3),)))


@pytest.mark.parametrize("command", ["step", "next", "until:999"])
def test_back_from_a_call_the_statement_goes_on_to_its_next_one(command: str) -> None:
    around = "in main:1 > top:{} > many:32, loops (((1, 1),), ((7, 2),), ())"
    line = "y = plain(x) + many(1, 2, k=7)"
    found = followed(DEEP, came_back(line, value("5")), action(command))
    assert told(found) == f"call 32, a=1, b=2, k=7, c=3, d=4, m=5, {around.format(65)}"
    line = "y = many(plain(x), 2, k=6)"
    for arg, shown in (("5", "5"), ("<Order>:Order", "<Order>:Order")):
        for function in ("plain", "a.plain"):
            found = followed(DEEP, came_back(line, value(arg), function), action(command))
            assert told(found) == (
                f"call 32, a={shown}, b=2, k=6, c=3, d=4, m=5, {around.format(66)}"
            )


def test_what_a_generator_yields_is_its_consumers_to_go_on_with() -> None:
    stack = (MAIN, frame(ON["y = sum(gen(x))"], "top", x="3"), frame(ON["yield n"], "gen", n="3"))
    before = Situation(State(Event.RETURN, stack, value("3")), ())
    assert followed(DEEP, before, STEP) is None


def test_a_function_within_a_function_sees_what_it_uses_of_it() -> None:
    here = frame(ON["return inner(1)"], "outer", p="7", hidden="8", z="9")
    before = Situation(State(Event.LINE, (MAIN, here)), (((1, 1),), ((7, 2),)))
    assert told(followed(DEEP, before, STEP)) == (
        "call 37, q=1, p=7, in main:1 > outer:40 > inner:37, loops (((1, 1),), ((7, 2),), ())"
    )


def test_deeper_on_the_stack_the_frames_further_out_stay_as_they_are() -> None:
    loop = ON["for i in xs:"]
    risky = frame(ON["1 / i"], "risky", xs="[0]", i="0")
    raised = State(Event.EXCEPTION, (MAIN, risky), Value("", "ZeroDivisionError"))
    found = followed(DEEP, Situation(raised, (((1, 1),), ((loop, 2),))), STEP)
    assert told(found) == (
        "line 47, xs=[0], i=0, in main:1 > risky:47, loops (((1, 1),), ((44, 2),))"
    )
    stack = (MAIN, frame(67, "top", x="3"), frame(ON["def gen(n):"], "gen", n="3"))
    called = Situation(State(Event.CALL, stack), (((1, 1),), ((7, 2),), ()))
    assert told(followed(DEEP, called, STEP)) == (
        "line 24, n=3, in main:1 > top:67 > gen:24, loops (((1, 1),), ((7, 2),), ())"
    )


def test_an_iterator_is_made_once_and_what_it_calls_then_is_not_seen() -> None:
    line = ON["for z in plain(x):"]
    before = situation(frame(line, "top", x="[1]"), loops=((line, 1),))
    assert followed(DEEP, before, STEP) is None


def test_a_lambda_of_a_line_that_is_not_in_view_is_not_told() -> None:
    assert followed(DEEP, situation(MAIN, frame(500, "<lambda>")), STEP) is None
    qualified = within(ONE, "f.<locals>.<lambda>")
    assert told(followed(VIEW, qualified, STEP)) == (
        "return 94, arg 1, in f:94 > f.<locals>.<lambda>:94"
    )


def test_a_prompt_follows_less_far_than_a_jump() -> None:
    far = situation(frame(12, "g", n="25"))
    assert followed(LOOP, far, action("until:16")) is not None
    assert words(forward.command(LOOP, far, action("until:16"))) == "<until> <L5> <lost>"
    follow = tokens(LOOP, "<follow>")
    assert forward.read(LOOP, far, action("until:16"), follow) is None
    near = situation(frame(12, "g", n="5"))
    assert words(forward.command(LOOP, near, action("until:16"))) == (
        "<until> <L5> <follow> <at-line> <L5>"
    )


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
