"""What a function's lines are, what each statement says by itself, and answers that point at it."""

from __future__ import annotations

import ast
from dataclasses import replace
from textwrap import dedent

import pytest
from codec_words import FILE, frame, seen, situation, tokens, told, value

from nsdbg.propose.codec import answer as answers
from nsdbg.propose.codec.answer import FOLLOW, Answer, ChangeKind, Guard, GuardKind
from nsdbg.propose.codec.apply import apply
from nsdbg.propose.codec.pointing import HERE, own_answer, pointed, points, spelled_out
from nsdbg.propose.codec.situation import Situation
from nsdbg.propose.codec.syntax import RETURNS, Syntax, parsed
from nsdbg.propose.codec.vocabulary import (
    END,
    IDS,
    LINES,
    SIZE,
    SLOTS,
    is_line,
    is_slot,
    words,
)
from nsdbg.state import Event

KINDS = """
def f(x, rows):
    y = x + 1
    if y > 2:
        y += 3
    elif y:
        del y
    else:
        pass
    while x:
        x -= 1
        if x == 4:
            break
        if x == 5:
            continue
    for a in rows:
        print(a)
    else:
        print()
    for i, (b, c) in rows:
        rows.append(b)
    for i, b in rows:
        a: int = b
        a: int
        x = y = i
    assert x, 'no'
    assert y
    try:
        raise ValueError(x)
    except KeyError:
        raise
    else:
        global g
        x = 1
    finally:
        'words'
    with open(x) as out:
        x.y = 1
    match x:
        case 1:
            x[0] *= 2
        case _:
            rows, x = x, rows
    yield x
    yield
    del x, rows
    del x.y
    import os
    return x
    return
"""


@pytest.mark.parametrize(
    ("lineno", "kind", "around", "loop", "after", "handling"),
    [
        (1, None, [], None, None, None),
        (2, "Assign", [], None, 3, 0),
        (3, "If", [], None, 9, 0),
        (4, "AugAssign", [], None, 9, 0),
        (5, "If", [], None, 9, 0),
        (6, "Delete", [], None, 9, 0),
        (7, None, [], None, None, None),
        (8, "Pass", [], None, 9, 0),
        (9, "While", [], None, 15, 0),
        (10, "AugAssign", [], None, 11, 0),
        (11, "If", [], None, 13, 0),
        (12, "Break", [], None, 13, 0),
        (13, "If", [], None, 9, 0),
        (14, "Continue", [], None, 9, 0),
        (15, "For", [], 15, 19, 0),
        (16, "Expr", [15], None, 15, 0),
        (17, None, [], None, None, None),
        (18, "Expr", [], None, 19, 0),
        (19, "For", [], 19, 21, 0),
        (20, "Expr", [19], None, 19, 0),
        (21, "For", [], 21, 25, 0),
        (22, "AnnAssign", [21], None, 23, 0),
        (23, "AnnAssign", [21], None, 24, 0),
        (24, "Assign", [21], None, 21, 0),
        (25, "Assert", [], None, 26, 0),
        (26, "Assert", [], None, 27, 0),
        (27, "Try", [], None, 36, 0),
        (28, "Raise", [], None, 32, 29),
        (29, None, [], None, None, None),
        (30, "Raise", [], None, 35, 35),
        (31, None, [], None, None, None),
        (32, "Global", [], None, 33, 35),
        (33, "Assign", [], None, 35, 35),
        (34, None, [], None, None, None),
        (35, "Expr", [], None, None, 0),
        (36, "With", [], None, 38, 0),
        (37, "Assign", [], None, 36, 36),
        (38, "Match", [], None, 43, 0),
        (39, "Match", [], None, 43, 0),
        (40, "AugAssign", [], None, 43, 0),
        (41, None, [], None, None, None),
        (42, "Assign", [], None, 43, 0),
        (43, "Expr", [], None, 44, 0),
        (44, "Expr", [], None, 45, 0),
        (45, "Delete", [], None, 46, 0),
        (46, "Delete", [], None, 47, 0),
        (47, "Import", [], None, 48, 0),
        (48, "Return", [], None, 49, 0),
        (49, "Return", [], None, 0, 0),
        (50, None, [], None, None, None),
    ],
)
def test_the_lines_of_a_function_and_what_comes_after_each(
    lineno: int,
    kind: str | None,
    around: list[int],
    loop: int | None,
    after: int | None,
    handling: int | None,
) -> None:
    syntax = Syntax(FILE, 1, KINDS.strip("\n"))
    node = syntax.statement(lineno)
    assert (type(node).__name__ if node else None) == kind
    assert [one.lineno for one in syntax.loops_around(lineno)] == around
    found = syntax.loop(lineno)
    assert (found.lineno if found else None) == loop
    assert (syntax.after(node) if node else None) == after
    assert syntax.handling(lineno) == handling


@pytest.mark.parametrize(
    ("lineno", "expected"),
    [
        (1, None),
        (2, "<at-line> <L2> <do> <n3> = <n1> + 1 ;"),
        (3, "<at-line> <if> <n3> > 2 ; <L3> <L4>"),
        (4, "<at-line> <L8> <do> <n3> = <n3> + 3 ;"),
        (5, "<at-line> <if> <n3> ; <L5> <L7>"),
        (6, "<at-line> <L8> <del> <n3> ;"),
        (7, None),
        (8, "<at-line> <L8>"),
        (9, "<at-line> <if> <n1> ; <L9> <L14>"),
        (10, "<at-line> <L10> <do> <n1> = <n1> - 1 ;"),
        (11, "<at-line> <if> <n1> == 4 ; <L11> <L12>"),
        (12, "<at-line> <L14>"),
        (13, "<at-line> <if> <n1> == 5 ; <L13> <L8>"),
        (14, "<at-line> <L8>"),
        (15, "<at-line> <each> <n4> in <n2> ; <L15> <L17>"),
        (16, "<at-line> <L14> <print> <n4> ;"),
        (17, None),
        (18, "<at-line> <L18> <print> <str> </str> ;"),
        (19, "<at-line> <each> ( <n5> , ( <n6> , <n7> ) ) in <n2> ; <L19> <L20>"),
        (20, "<at-line> <L18> <do> <n2> . append ( <n6> ) ;"),
        (21, "<at-line> <each> <n5> , <n6> in <n2> ; <L21> <L24>"),
        (22, "<at-line> <L22> <do> <n4> = <n6> ;"),
        (23, "<at-line> <L23>"),
        (24, "<at-line> <L20> <do> <n1> = <n5> ; <do> <n3> = <n5> ;"),
        (25, "<at-line> <if> <n1> ; <L25> <raise> <arg> AssertionError ( <str> n o </str> ) ;"),
        (26, "<at-line> <if> <n3> ; <L26> <raise> <arg> AssertionError ( ) ;"),
        (27, "<at-line> <L27>"),
        (28, "<at-exception> <L27> <arg> ValueError ( <n1> ) ;"),
        (29, None),
        (30, None),
        (31, None),
        (32, "<at-line> <L32>"),
        (33, "<at-line> <do> <n1> = 1 ;"),
        (34, None),
        (35, None),
        (36, "<at-line> <L35>"),
        (37, "<at-line> <L34> <do> <n1> . <n3> = 1 ;"),
        (38, None),
        (39, None),
        (40, "<at-line> <L41> <do> <n1> [ 0 ] = <n1> [ 0 ] * 2 ;"),
        (41, None),
        (42, "<at-line> <L41> <do> <n2> , <n1> = ( <n1> , <n2> ) ;"),
        (43, "<at-return> <L41> <arg> <n1> ;"),
        (44, "<at-return> <L42> <arg> None ;"),
        (45, "<at-line> <L44> <del> <n1> ; <del> <n2> ;"),
        (46, None),
        (47, None),
        (48, "<at-return> <L46> <arg> <n1> ;"),
        (49, "<at-return> <L47> <arg> None ;"),
    ],
)
def test_each_statement_says_what_it_does(lineno: int, expected: str | None) -> None:
    view = seen(KINDS, first=1)
    found = own_answer(view, situation(frame(lineno, x="1")), up=False)
    spelled = None if found is None else words(answers.write(found)[:-1])
    if expected is None or spelled is None:
        assert spelled == expected
        return
    # Slots are numbered in the order of the program, which is no matter here.
    names = ["f", "x", "rows", "y", "a", "i", "b", "c"]
    slots = {f"<n{at}>": name for at, name in enumerate(names)}
    read = " ".join(slots.get(word, word) for word in expected.split())
    assert " ".join(slots.get(word, word) for word in spelled.split()) == read


UP = """
def f(x):
    y = g(x) + 1
    if g(x):
        y = g(g(x))
    return self.g(y)
    g(x)
    z = h(x)
"""


@pytest.mark.parametrize(
    ("lineno", "expected", "leads"),
    [
        (1, None, None),
        (2, "<up> <at-line> <L2> <do> <n2> = <result> + 1 ;", "line 3, x=1, y=6"),
        (3, None, None),
        (5, "<up> <at-return> <L4> <arg> <result> ;", "return 5, x=1, arg 5"),
        (6, "<up> <at-line> <L6> <do> <result> ;", "line 7, x=1"),
        (7, None, None),
    ],
)
def test_a_caller_goes_on_with_the_value_of_its_one_call(
    lineno: int, expected: str | None, leads: str | None
) -> None:
    view = seen(UP, "def g(a):\n    return a", first=1)
    stack = (frame(lineno, x="1"), frame(11, "g", a="1"))
    before = situation(*stack, event=Event.RETURN, arg=value("5"))
    found = own_answer(view, before, up=True)
    assert (None if found is None else words(answers.write(found)[:-1])) == expected
    if found is not None:
        assert told(apply(view, before, found)) == leads
    assert own_answer(view, situation(stack[0]), up=True) is None


def test_a_line_that_is_not_in_view_says_nothing() -> None:
    view = seen(KINDS, first=1)
    assert own_answer(view, situation(frame(80)), up=False) is None
    assert own_answer(view, situation(frame(7)), up=False) is None


# Where exceptions and jumps go.

BLOCKS = """
def f(x):
    try:
        a = 1
    except KeyError:
        b = 1
    finally:
        c = 1
    try:
        d = 1
    finally:
        e = 1
    with x as y:
        g = 1
        while x:
            with y:
                break
            try:
                continue
            finally:
                h = 1
            break
        else:
            i = 1
    try:
        j = 1
    except KeyError:
        k = 1
    for z in x:
        try:
            break
        except KeyError:
            continue
    def inner(q):
        return q
    @x
    def decorated(q):
        "words"
        return q
    async def waits():
        async for o in x:
            async with x:
                p = 1
    class C:
        r = 1
    try:
        s = 1
    except* KeyError:
        t = 1
"""


@pytest.mark.parametrize(
    ("lineno", "handling", "after", "left"),
    [
        (3, 4, 7, None), (5, 7, 7, None), (7, 0, None, None), (9, 11, 11, None),
        (13, 12, 14, None), (14, 12, 12, None), (16, 15, 15, None), (18, 20, 20, None),
        (20, 12, None, None), (21, 12, 14, 14), (23, 12, 12, None), (25, 26, 28, None),
        (27, 0, 28, None), (30, 31, 28, 28), (32, 0, 28, 28), (34, 0, 0, None),
        (33, 0, 35, None), (36, 0, 39, None), (38, 0, 0, None), (42, 41, 41, None),
        (41, 0, 40, None), (44, 0, 0, None), (46, 47, 0, None), (48, 0, 0, None),
    ],
)  # fmt: skip
def test_where_an_exception_and_a_jump_of_a_line_go(
    lineno: int, handling: int | None, after: int | None, left: int | None
) -> None:
    syntax = Syntax(FILE, 1, BLOCKS.strip("\n"))
    node = syntax.statement(lineno)
    assert node is not None
    loop = syntax.loop_left(node) if isinstance(node, ast.Break | ast.Continue) else None
    assert (
        syntax.handling(lineno), syntax.after(node), loop.lineno if loop else None,
    ) == (handling, after, left)  # fmt: skip


def test_the_body_of_a_function_begins_behind_its_words() -> None:
    syntax = Syntax(FILE, 1, BLOCKS.strip("\n"))
    starts = {lineno: syntax.body_at(lineno) for lineno in range(1, 49)}
    assert {lineno: body for lineno, body in starts.items() if body is not None} == {
        1: 2, 33: 34, 35: 38, 39: 40,
    }  # fmt: skip
    assert Syntax(FILE, 1, 'def f():\n    "only words"').body_at(1) is None


def test_the_heads_of_clauses_lie_within_their_loops() -> None:
    syntax = Syntax(FILE, 1, BLOCKS.strip("\n"))
    assert syntax.statement(31) is None
    assert [node.lineno for node in syntax.loops_around(31)] == [28]
    text = (
        "def f(x):\n    for y in x:\n        match y:\n            case 1:\n                z = 1"
    )
    cases = Syntax(FILE, 1, text + "\n            case _:\n                z = 2")
    assert [[node.lineno for node in cases.loops_around(at)] for at in range(1, 8)] == [
        [], [], [2], [2], [2], [2], [2],
    ]  # fmt: skip


def test_lines_are_counted_as_in_the_file_and_a_text_covers_its_own() -> None:
    syntax = Syntax(FILE, 21, "def f(x):\n    return x")
    assert [syntax.covers(lineno) for lineno in (20, 21, 22, 23)] == [False, True, True, False]
    node = syntax.statement(22)
    assert isinstance(node, ast.Return)
    assert syntax.after(node) == RETURNS
    assert syntax.definition is not None
    assert syntax.definition.lineno == 21
    module = Syntax(FILE, 1, "x = 1\ny = 2")
    assert module.definition is None
    first = module.statement(1)
    assert first is not None
    assert module.after(first) == 2


def test_what_is_no_python_has_no_statements_and_what_lies_further_right_is_moved() -> None:
    assert parsed("def f(:") == []
    assert Syntax(FILE, 1, "def f(:").statement(1) is None
    [node] = parsed('    def f(x):\n        s = """a\nb"""\n        return s')
    assert isinstance(node, ast.FunctionDef)
    assert (node.lineno, node.body[1].lineno) == (1, 4)
    [plain] = parsed(dedent("    x = 1"))
    assert plain.lineno == 1


# Pointing.

VIEW = seen("def f(x):\n    y = x + 1\n    if y:\n        y = 2\n    return y")
ASSIGN, TEST, RETURN = (situation(frame(at, x="1", y="5")) for at in (12, 13, 15))


def own(at: Situation) -> Answer:
    found = own_answer(VIEW, at, up=False)
    assert found is not None
    return found


def guarded() -> Guard:
    found = own(TEST).guard
    assert found is not None
    return found


@pytest.mark.parametrize("at", [ASSIGN, TEST, RETURN])
def test_an_answer_that_points_is_the_statements_own_when_it_is_spelled_out(at: Situation) -> None:
    answer = own(at)
    pointing = pointed(answer)
    assert pointing != answer
    assert points(pointing)
    assert not points(answer)
    assert spelled_out(VIEW, at, pointing) == answer
    assert spelled_out(VIEW, at, answer) is answer


def test_each_part_of_an_answer_points_for_itself() -> None:
    line = VIEW.line(FILE, 15)
    assert line is not None
    test = Guard(GuardKind.IF, HERE, line, line)
    changes = ((ChangeKind.DO, HERE),)
    assert pointed(own(TEST)).guard == replace(guarded(), test=HERE)
    assert pointed(own(RETURN)) == Answer(Event.RETURN, line, arg=HERE)
    assert pointed(own(ASSIGN)).changes == changes
    assert pointed(own(RETURN)).changes == ()
    for one in (
        Answer(Event.LINE, guard=test), Answer(Event.RETURN, line, arg=HERE),
        Answer(Event.LINE, line, changes=changes), FOLLOW,
    ):  # fmt: skip
        assert points(one)
    assert not points(Answer(Event.LINE, line, changes=(*changes, *changes)))
    moved = spelled_out(VIEW, TEST, Answer(Event.LINE, guard=test))
    assert moved is not None
    assert moved.guard is not None
    assert (moved.guard.test, moved.guard.then) == (guarded().test, line)


def test_what_points_at_nothing_is_no_answer() -> None:
    line = VIEW.line(FILE, 15)
    assert line is not None
    each = Answer(Event.LINE, guard=Guard(GuardKind.EACH, HERE, line, line))
    test = Answer(Event.LINE, guard=Guard(GuardKind.IF, HERE, line, line))
    value_ = Answer(Event.RETURN, line, arg=HERE)
    assert spelled_out(VIEW, TEST, each) is None
    assert spelled_out(VIEW, ASSIGN, test) is None
    assert spelled_out(VIEW, ASSIGN, value_) is None
    assert spelled_out(VIEW, situation(frame(80)), value_) is None
    assert spelled_out(VIEW, ASSIGN, FOLLOW) is FOLLOW
    up = Answer(Event.RETURN, line, arg=HERE, up=True)
    assert spelled_out(VIEW, RETURN, up) is None


def test_a_statement_whose_next_line_is_not_plain_points_at_its_changes_alone() -> None:
    view = seen("def f(x):\n    try:\n        pass\n    finally:\n        x = 2\n    return x")
    here = situation(frame(15, x="1"))
    line = view.line(FILE, 16)
    pointing = Answer(Event.LINE, line, changes=((ChangeKind.DO, HERE),))
    found = spelled_out(view, here, pointing)
    assert told(apply(view, here, pointing)) == "line 16, x=2"
    assert found is not None
    assert words(answers.write(found)) == "<at-line> <L5> <do> <n1> = 2 ; <end>"


# Answers as tokens.


@pytest.mark.parametrize(
    "text",
    [
        "<at-line>|L13|<do>|x = 1|;|<del>|y|;|<print>|x|;",
        "<at-line>|<if>|x|;|L13|<leave>",
        "<at-line>|<each>|a in x|;|L13|<raise>|<arg>|x|;",
        "<at-return>|L13|<arg>|x|;",
        "<at-exception>|L13|<arg>|x|;|<do>|x = 1|;",
        "<at-call>|L11",
        "<up>|<at-line>|L13",
        "<up>|<unwind>",
        "<unwind>",
        "<follow>",
    ],
)
def test_an_answer_that_is_read_is_written_as_it_was(text: str) -> None:
    spelled = tokens(VIEW, text)
    found = answers.read(spelled)
    assert found is not None
    assert answers.write(found) == spelled
    assert answers.read([*spelled, IDS["<do>"]]) == found
    assert answers.read(spelled[:-1]) is None


def test_the_parts_of_an_answer_are_read_apart() -> None:
    found = answers.read(tokens(VIEW, "<up>|<at-line>|<if>|x|;|L13|<leave>|<arg>|y|;|<del>|x|;"))
    x, y = VIEW.slots.name("x"), VIEW.slots.name("y")
    line = VIEW.line(FILE, 13)
    assert line is not None
    assert found == Answer(
        Event.LINE, None, Guard(GuardKind.IF, tuple(x), line, IDS["<leave>"]), tuple(y),
        ((ChangeKind.DELETE, tuple(x)),), up=True,
    )  # fmt: skip
    assert answers.read(tokens(VIEW, "<unwind>")) == Answer(Event.RETURN, unwind=True)
    assert answers.read(tokens(VIEW, "<follow>")) == FOLLOW


@pytest.mark.parametrize(
    "text",
    [
        "<follow>|<up>", "<unwind>|L13", "L13", "<at-line>", "<at-line>|x", "<at-line>|L13|x",
        "<at-line>|<if>|x|L13|L13", "<at-line>|<if>|;|L13|L13", "<at-line>|<if>|x|;|L13",
        "<at-line>|L13|<arg>|;", "<at-line>|L13|<arg>|x", "<at-line>|L13|<do>|;",
        "<at-line>|L13|<do>|x|;|<arg>|x|;", "<at-line>|<do>|x|;", "<do>|x|;", "<up>|<follow>",
    ],
)  # fmt: skip
def test_what_is_no_answer_is_none(text: str) -> None:
    assert answers.read(tokens(VIEW, text)) is None


# Tokens.


def test_slots_and_lines_are_ranges_of_tokens() -> None:
    slots, lines = IDS["<n0>"], IDS["<L0>"]
    assert [is_slot(at) for at in (slots - 1, slots, slots + SLOTS - 1, slots + SLOTS)] == [
        False, True, True, False,
    ]  # fmt: skip
    assert [is_line(at) for at in (lines - 1, lines, lines + LINES - 1, lines + LINES)] == [
        False, True, True, False,
    ]  # fmt: skip


def test_tokens_are_written_for_people_as_what_they_stand_for() -> None:
    assert words([END, IDS["o:="], IDS["c::"], IDS["w:def"], IDS["o:::"[:3]], 0, SIZE]) == (
        "<end> = : def : <pad> <?>"
    )
    assert words([]) == ""
