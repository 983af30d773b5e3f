"""What a network reads: programs, states, commands and goals, written out in words."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path

import pytest
from codec_words import FILE, frame, seen, situation, value

from nsdbg.claim import ExceptionClaim, FunctionRef, Goal, Site
from nsdbg.episode import Episode, Listing
from nsdbg.propose.codec import arguments, backward, forward, values
from nsdbg.propose.codec.situation import Situation, entered, names_of
from nsdbg.propose.codec.states import locals_tokens, loops_tokens, type_tokens, value_tokens
from nsdbg.propose.codec.track import situations, without_comprehensions
from nsdbg.propose.codec.view import BUDGET, LONGEST, View, literals
from nsdbg.propose.codec.vocabulary import IDS, LINES, words
from nsdbg.propose.evaluation.opaque import Opaque
from nsdbg.source import Subject, load_subject
from nsdbg.state import Action, ActionKind, Event, Frame, State, Trace, Value

VIEW = seen(
    """
def total(items, rate=2):
    out = []
    for n, item in enumerate(items):
        out.append(item * rate)
    if len(out) > LIMIT:
        print('many', len(out))
    return out
""",
    "def other(a, b):\n    # a comment\n    return a",
    constants={"LIMIT": 3},
)
CALLER = frame(14, "total", items="[3]")
OTHER = frame(22, "other", a="1", b="''")
AT = {
    "line": situation(
        frame(14, "total", items="[3, 'a', 5]", rate="2", out="[6, 'aa']", n="1", item="'a'"),
        loops=((13, 2),),
    ),
    "head": situation(
        frame(13, "total", items="[3]", o="<Order>:shop.Order", t="<x>:a b"), loops=((13, 1),)
    ),
    "call": situation(CALLER, frame(20, "other", a="1", b="''"), event=Event.CALL),
    "ret": Situation(State(Event.RETURN, (CALLER, OTHER), value("1")), (((13, 1),), ())),
    "retloops": Situation(State(Event.RETURN, (CALLER, OTHER), value("1")), ()),
    "exc": situation(CALLER, event=Event.EXCEPTION, arg=Value("no 'x'", "shop.Bad")),
    "exc0": situation(CALLER, event=Event.EXCEPTION),
    "long": situation(
        frame(14, "total", items=repr("abc" * 30), rate=repr(list(range(30))))
    ),
    "nowhere": situation(frame(99, "total", items="[3]")),
    "bare": Situation(State(Event.LINE, (Frame(FILE, 15, "total", None),)), ((),)),
    "trunc": Situation(
        State(Event.LINE, (
            Frame(FILE, 15, "total", (
                ("a", Value("[1, 2", "list", truncated=True)),
                ("b", Value("", "x.Y", truncated=True)),
                ("c", Value("Order(1)", "Order")),
                ("d", Value("é$ ?", "Odd")),
                (".0", value("1")),
            )),
        )),
        ((),),
    ),
}  # fmt: skip


def in_order(text: str, known: dict[str, str]) -> str:
    """Number the slots of a text in the order in which it names them."""
    return " ".join(
        known.setdefault(word, f"<n{len(known)}>") if word.startswith("<n") else word
        for word in text.split(" ")
    )


def same_words(found: str, expected: str) -> bool:
    """Whether two texts are the same but for the numbers of their slots."""
    return in_order(found, {}) == in_order(expected, {})


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "line",
            "<state> <at-line> <loop> <L2> 2 items = [ 3 , <str> a </str> , 5 ] ; <n1> = 2 ; "
            "<n2> = [ 6 , <str> a a </str> ] ; <n3> = 1 ; <n4> = <str> a </str> ; <L3> <n2> . "
            "append ( <n4> * <n1> ) </state>",
        ),
        (
            "head",
            "<state> <at-line> <loop> <L2> 1 items = [ 3 ] ; <n9> = <obj> <n10> ; <n11> = "
            "<obj> object ; <L2> for <n3> , <n4> in enumerate ( items ) : </state>",
        ),
        (
            "call",
            "<state> <at-call> <n7> = 1 ; <n8> = <str> </str> ; <L7> def <n6> ( <n7> , <n8> ) "
            ": </state>",
        ),
        (
            "ret",
            "<state> <at-return> <n7> = 1 ; <n8> = <str> </str> ; <arg> 1 <L8> return <n7> "
            "<caller> <loop> <L2> 1 items = [ 3 ] ; <L3> <n2> . append ( <n4> * <n1> ) </state>",
        ),
        (
            "retloops",
            "<state> <at-return> <n7> = 1 ; <n8> = <str> </str> ; <arg> 1 <L8> return <n7> "
            "<caller> items = [ 3 ] ; <L3> <n2> . append ( <n4> * <n1> ) </state>",
        ),
        (
            "exc",
            "<state> <at-exception> items = [ 3 ] ; <arg> <n12> <str> n o   ' x ' </str> <L3> "
            "<n2> . append ( <n4> * <n1> ) </state>",
        ),
        (
            "exc0",
            "<state> <at-exception> items = [ 3 ] ; <L3> <n2> . append ( <n4> * <n1> ) </state>",
        ),
        (
            "long",
            "<state> <at-line> items = <str> a b c a b c a b c a b c a b c a b c a b c a b c a "
            "b c a b c a b c a b c a b c a b c <cut> ; <n1> = [ 0 , 1 , 2 , 3 , 4 , 5 , 6 , 7 "
            ", 8 , 9 , 1 0 , 1 1 , 1 2 , 1 3 , 1 4 , 1 5 , 1 6 , 1 <cut> ; <L3> <n2> . append "
            "( <n4> * <n1> ) </state>",
        ),
        ("nowhere", "<state> <at-line> items = [ 3 ] ; </state>"),
        ("bare", "<state> <at-line> <L4> if len ( <n2> ) > <n5> : </state>"),
        (
            "trunc",
            "<state> <at-line> <n7> = <obj> list ; <n8> = <obj> <n13> ; <n14> = <n10> ( 1 ) ; "
            "<n15> = <obj> <n16> ; <L4> if len ( <n2> ) > <n5> : </state>",
        ),
    ],
)
def test_a_state_reads_like_this(name: str, expected: str) -> None:
    known = forward.known(VIEW, AT[name])
    asked = known.index(IDS["<forward>"])
    assert same_words(words(known[asked + 1 :]), expected)
    assert known[:asked] == VIEW.tokens(FILE, AT[name].state.frame.lineno)


def test_a_program_reads_like_this() -> None:
    assert words(VIEW.tokens(FILE, 14)) == (
        "<program> <L0> def <n0> ( items , <n1> = 2 ) : <L1> <indent> <n2> = [ ] <L2> for"
        " <n3> , <n4> in enumerate ( items ) : <L3> <indent> <n2> . append ( <n4> * <n1> "
        ") <L4> <dedent> if len ( <n2> ) > <n5> : <L5> <indent> print ( <str> m a n y </s"
        "tr> , len ( <n2> ) ) <L6> <dedent> return <n2> <L7> def <n6> ( <n7> , <n8> ) : <"
        "L8> <indent> return <n7>"
    )
    assert VIEW.tokens(FILE, 11) == VIEW.tokens("other.py", 99)


@pytest.mark.parametrize(
    ("action", "bare", "expected"),
    [
        ("step", "<step>", "<step> <follow> <at-line> <L2>"),
        ("next", "<next>", "<next> <follow> <at-line> <L2>"),
        ("return", "<return>", "<return> <follow> <at-return> <L6>"),
        ("until:15", "<until> <L4>", "<until> <L4> <follow> <at-line> <L4>"),
        ("continue:17", "<continue> <L6>", "<continue> <L6> <follow> <at-line> <L6>"),
        ("continue:99", "<continue>", "<continue> <lost>"),
    ],
)
def test_a_command_reads_like_this_with_where_the_text_leads(
    action: str, bare: str, expected: str
) -> None:
    kind, _, lineno = action.partition(":")
    command = Action(ActionKind(kind), int(lineno) if lineno else None)
    assert words(forward.bare(VIEW, AT["line"], command)) == bare
    assert words(forward.command(VIEW, AT["line"], command)) == expected
    whole = forward.prompt(VIEW, AT["line"], command)
    assert whole == [*forward.known(VIEW, AT["line"]), *forward.command(VIEW, AT["line"], command)]
    asked = backward.prompt(VIEW, AT["line"], command)
    assert asked == [
        IDS["<backward>"] if token == IDS["<forward>"] else token
        for token in [*forward.known(VIEW, AT["line"]), *forward.bare(VIEW, AT["line"], command)]
    ]


def test_a_way_out_of_the_function_is_told_as_such() -> None:
    out = forward.command(VIEW, AT["ret"], Action(ActionKind.STEP))
    assert words(out) == "<step> <lost>"
    ends = situation(CALLER, frame(22, "other", a="1"), event=Event.RETURN, arg=value("1"))
    calls = seen("def f(x):\n    y = g(x)\n    return y", "def g(a):\n    return a")
    up = situation(frame(12, x="1"), frame(17, "g", a="1"), event=Event.RETURN, arg=value("1"))
    assert words(forward.command(calls, up, Action(ActionKind.STEP))) == (
        "<step> <follow> <up> <at-line> <L2>"
    )
    assert ends.state.arg == value("1")


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (
            "line",
            "head",
            "<seen> <at-line> items = [ 3 ] ; <n9> = <obj> <n10> ; <n11> = <obj> object ; <L2> "
            "for <n3> , <n4> in enumerate ( items ) : </state>",
        ),
        (
            "head",
            "line",
            "<seen> <at-line> items = [ 3 , <str> a </str> , 5 ] ; <n1> = 2 ; <n2> = [ 6 , "
            "<str> a a </str> ] ; <n3> = 1 ; <n4> = <str> a </str> ; <L3> <n2> . append ( <n4> "
            "* <n1> ) </state>",
        ),
        (
            "line",
            "call",
            "<seen> <state> <at-call> <n7> = 1 ; <n8> = <str> </str> ; <L7> def <n6> ( <n7> , "
            "<n8> ) : </state>",
        ),
        (
            "call",
            "ret",
            "<seen> <state> <at-return> <n7> = 1 ; <n8> = <str> </str> ; <arg> 1 <L8> return "
            "<n7> <caller> <loop> <L2> 1 items = [ 3 ] ; <L3> <n2> . append ( <n4> * <n1> ) "
            "</state>",
        ),
        (
            "ret",
            "line",
            "<seen> <state> <at-line> <loop> <L2> 2 items = [ 3 , <str> a </str> , 5 ] ; <n1> "
            "= 2 ; <n2> = [ 6 , <str> a a </str> ] ; <n3> = 1 ; <n4> = <str> a </str> ; <L3> "
            "<n2> . append ( <n4> * <n1> ) </state>",
        ),
        (
            "line",
            "exc",
            "<seen> <at-exception> items = [ 3 ] ; <L3> <n2> . append ( <n4> * <n1> ) </state>",
        ),
        ("line", "nowhere", "<seen> <at-line> items = [ 3 ] ; </state>"),
    ],
)
def test_what_came_of_an_answer_reads_like_this(before: str, after: str, expected: str) -> None:
    assert same_words(words(forward.resume(VIEW, AT[before], AT[after])), expected)


def test_a_return_of_the_only_frame_needs_no_caller() -> None:
    alone = situation(frame(17, "total", items="[3]"), event=Event.RETURN, arg=value("1"))
    resumed = words(forward.resume(VIEW, AT["nowhere"], alone))
    assert same_words(resumed, "<seen> <at-return> <L6> return <n2> </state>")
    deeper = Situation(State(Event.LINE, (CALLER, replace(OTHER, locals=None))), ((), ()))
    again = words(forward.resume(VIEW, deeper, deeper))
    assert same_words(again, "<seen> <at-line> <L8> return <n7> </state>")


def test_a_question_about_a_value_names_it_last_and_hides_it() -> None:
    asked = words(values.prompt(VIEW, AT["line"], "rate"))
    start = words([*VIEW.tokens(FILE, 14), IDS["<value>"]])
    assert asked.startswith(start)
    assert asked.removeprefix(start) == (
        " <state> <at-line> <loop> <L2> 2 items = [ 3 , <str> a </str> , 5 ] ; <n2> = [ 6"
        " , <str> a a </str> ] ; <n3> = 1 ; <n4> = <str> a </str> ; <L3> <n2> . append ( "
        "<n4> * <n1> ) </state> <n1>"
    )


def goal(event: Event, lineno: int | None, **fields: object) -> str:
    """Return the question about a goal in words, without the program."""
    ref = FunctionRef(FILE, "total", "", "")
    asked = Goal(ref, event, (Site(FILE, lineno, "total"),), **fields)  # type: ignore[arg-type]
    tokens = arguments.prompt(VIEW, asked)
    start = tokens.index(IDS["<arguments>"])
    assert tokens[:start] == VIEW.tokens(FILE, lineno or 11)
    return words(tokens[start + 1 :])


def test_a_goal_reads_like_this() -> None:
    assert same_words(
        goal(Event.RETURN, None, value="[6, 'aa']", locals=(("out", "[6]"), ("x", "Order(1)"))),
        "<state> <at-return> <n2> = [ 6 ] ; <n17> = <n10> ( 1 ) ; <arg> "
        "[ 6 , <str> a a </str> ] </state>",
    )
    claim = ExceptionClaim("shop.Bad", "m" * 130)
    assert same_words(
        goal(Event.EXCEPTION, 14, exception=claim),
        f"<state> <at-exception> <L3> <arg> <n12> <str> {'m ' * 120}</str> </state>",
    )
    assert goal(Event.EXCEPTION, 99, exception=ExceptionClaim("KeyError")) == (
        "<state> <at-exception> <arg> KeyError <str> </str> </state>"
    )
    long = repr("a" * 130)
    assert same_words(
        goal(Event.LINE, 14, locals=(("out", long),)),
        f"<state> <at-line> <L3> <n2> = <str> {'a ' * 118}<cut> ; </state>",
    )
    assert same_words(
        goal(Event.RETURN, None, value="Order(1)"),
        "<state> <at-return> <arg> <n10> ( 1 ) </state>",
    )
    assert goal(Event.RETURN, None, value=long) == (
        f"<state> <at-return> <arg> <str> {'a ' * 118}<cut> </state>"
    )


def test_values_are_cut_where_they_are_long_and_locals_where_they_are_many() -> None:
    slots = VIEW.slots
    exact = value(repr("a" * 42))
    assert words(value_tokens(exact, slots)) == f"<str> {'a ' * 42}</str>"
    longer = value(repr("a" * 43))
    assert words(value_tokens(longer, slots)) == f"<str> {'a ' * 42}<cut>"
    assert words(value_tokens(longer, slots, 3)) == "<str> a <cut>"
    many = [(f"list{n}" if n < 0 else "list", value("1")) for n in range(30)]
    assert words(locals_tokens(many, slots)) == " ".join(["list = 1 ;"] * 24)
    assert words(type_tokens("a.b.list", slots)) == "list"
    assert words(value_tokens(Value("", "list", truncated=True), slots)) == "<obj> list"
    assert words(value_tokens(Value("x = 1", "list"), slots)) == "<obj> list"
    assert words(locals_tokens([("list", longer)], slots, 3)) == "list = <str> a <cut> ;"
    assert words(loops_tokens(VIEW, CALLER, ((13, 2), (99, 1), (14, 3)))) == (
        "<loop> <L2> 2 <loop> <L3> 3"
    )
    assert words(type_tokens("a b", slots)) == words(slots.name("object"))


# Views.


def lines_of(view: View) -> list[int]:
    return [at for at in range(1, 60) if view.line(FILE, at) is not None]


def test_lines_have_tokens_and_tokens_lines_but_for_comments_and_what_only_describes() -> None:
    text = (
        'def f(x):\n    """Say.\n\n    More."""\n    # no\n    y = (x +\n        1)\n\n    return y'
    )
    view = View([Listing(FILE, "f", 5, text)])
    assert lines_of(view) == [5, 10, 11, 13]
    for lineno in lines_of(view):
        token = view.line(FILE, lineno)
        assert token is not None
        assert view.place(token) == (FILE, lineno)
    assert view.line("other.py", 5) is None
    assert view.place(IDS["<L0>"] - 1) is None
    assert view.place(IDS["<L0>"] + 4) is None
    assert view.place(IDS["<L0>"] + LINES) is None
    assert words(view.source(FILE, 10)) == "<n2> = ( <n1> +"
    assert words(view.source(FILE, 13)) == "return <n2>"
    assert view.source(FILE, 6) == ()


def test_names_are_numbered_from_where_the_shift_has_them_begin() -> None:
    assert words(View([], shift=(3, 7)).slots.name("zz")) == "<n3>"


def test_lines_beyond_those_that_have_tokens_are_not_written() -> None:
    view = View([Listing(FILE, "f", 1, "\n".join(["def f():", *["    x = 1"] * (LINES + 5)]))])
    assert view.line(FILE, LINES) is not None
    assert view.line(FILE, LINES + 1) is None
    last = view.line(FILE, LINES)
    assert last is not None
    assert view.place(last) == (FILE, LINES)
    shifted = View(view.texts, shift=(0, 3))
    assert shifted.line(FILE, 1) == IDS["<L3>"]
    assert shifted.line(FILE, LINES) == IDS["<L2>"]
    assert shifted.place(IDS["<L3>"]) == (FILE, 1)
    near_the_end = view.tokens(FILE, LINES + 4)
    assert IDS["<L0>"] in near_the_end


def test_a_long_line_is_cut_and_a_long_program_keeps_the_lines_around() -> None:
    long = View([Listing(FILE, "f", 1, f"def f(x):\n    x = [{'1, ' * LONGEST}]")])
    assert len(long.source(FILE, 2)) == LONGEST - 1 + 1
    assert long.source(FILE, 2)[-1] == IDS["<cut>"]
    rows = ["def f(x):", *(f"    x = {n:04}" for n in range(1, 201))]
    view = View(
        [Listing(FILE, "f", 1, "\n".join(rows)), Listing(FILE, "g", 301, "def g():\n    x")]
    )
    written = view.tokens(FILE, 101)
    assert len(written) <= BUDGET + 1
    assert written == view.tokens(FILE, 101)
    shown = [place[1] for token in written if (place := view.place(token)) is not None]
    assert shown == sorted(shown)
    assert shown[0] == 1
    assert {101, 100, 102} <= set(shown)
    middle = [at for at in shown if 1 < at < 300]
    assert middle == list(range(middle[0], middle[-1] + 1))
    assert abs((101 - middle[0]) - (middle[-1] - 101)) <= 1


def test_a_goal_shows_the_lines_around_its_own() -> None:
    rows = ["def f(x):", *(f"    x = {n:04}" for n in range(1, 201))]
    view = View([Listing(FILE, "f", 1, "\n".join(rows))])
    ref = FunctionRef(FILE, "f", "", "")
    for lineno in (2, 150):
        asked = Goal(ref, Event.LINE, (Site(FILE, lineno, "f"),))
        prompt = arguments.prompt(view, asked)
        assert prompt[: prompt.index(IDS["<arguments>"])] == view.tokens(FILE, lineno)
    assert view.tokens(FILE, 2) != view.tokens(FILE, 150)


def test_what_cannot_be_read_as_a_whole_is_spelled_line_by_line() -> None:
    view = View([Listing(FILE, "f", 1, "def f(x):\n    y = 'open\n    return x")])
    assert lines_of(view) == [1, 3]
    assert words(view.source(FILE, 3)) == "return <n1>"


def test_the_innermost_function_around_a_line_is_the_one_that_begins_last() -> None:
    outer = Listing(FILE, "f", 1, "def f():\n    def g():\n        pass\n    pass")
    inner = Listing(FILE, "g", 2, "    def g():\n        pass")
    view = View([outer, inner])
    starts = [found.lineno if (found := view.syntax_at(FILE, at)) else None for at in range(1, 6)]
    assert starts == [1, 2, 2, 1, None]
    assert view.syntax_at("other.py", 2) is None


SOURCE = """\
import os
LIMIT = 3
TABLE = {"a": [1]}
LIMIT.x = 3
a, b = 1, 2
LATER = os.getcwd()


def helper(x):
    return x + LIMIT


class Till:
    @property
    def open(self):
        return helper(self.close())

    def close(self):
        return 1


def close():
    return 2


@os.fspath
def main(items):
    return [helper(item) for item in items] + [os.close(1), unknown()]


main(1)
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "shop.py"
    path.write_text(SOURCE)
    return path


def test_the_view_of_a_function_holds_what_it_calls_of_its_file(source: Path) -> None:
    view = View.of_subject(load_subject(source, "main"))
    assert [(one.qualname, one.lineno) for one in view.texts] == [
        ("main", 26), ("helper", 9), ("Till.close", 18), ("close", 22),
    ]  # fmt: skip
    assert {one.file for one in view.texts} == {str(source)}
    assert view.texts[0].text.splitlines()[0] == "@os.fspath"
    assert view.texts[0].text.splitlines()[-1].lstrip().startswith("return [helper")
    assert view.constants == {"LIMIT": 3, "TABLE": {"a": [1]}}


def test_the_view_of_a_module_is_its_text_after_the_functions_it_calls(source: Path) -> None:
    view = View.of_subject(load_subject(source, "<module>"))
    names = [one.qualname for one in view.texts]
    assert names[-1] == "<module>"
    assert view.texts[-1] == Listing(str(source), "<module>", 1, SOURCE)
    assert {"main", "helper", "close"} <= set(names)


def test_a_view_holds_six_functions_at_most() -> None:
    text = "def f():\n    " + " + ".join(f"g{n}()" for n in range(9)) + "\n"
    text += "".join(f"def g{n}():\n    pass\n" for n in range(9))
    tree = ast.parse(text)
    node = tree.body[0]
    assert isinstance(node, ast.FunctionDef)
    subject = Subject(FunctionRef("/m.py", "f", "m", "/"), text, tree, node)
    assert len(View.of_subject(subject).texts) == 6


def test_names_of_literals_are_kept_and_others_left_out() -> None:
    assert literals([("a", "[1]"), ("b", "f()"), ("c", " 'x'")]) == {"a": [1], "c": "x"}


# Situations.

LOOPS = seen("""
def f(rows):
    for row in rows:
        for a in row:
            a += 1
        b = 1
    else:
        c = 1
    while rows:
        pass
""")


@pytest.mark.parametrize(
    ("lineno", "before", "came_from", "expected"),
    [
        (12, (), 11, ((12, 0),)),
        (12, (), None, ((12, 0),)),
        (13, ((12, 0),), 12, ((12, 1), (13, 0))),
        (13, ((12, 4),), 12, ((12, 5), (13, 0))),
        (14, ((12, 1), (13, 0)), 13, ((12, 1), (13, 1))),
        (13, ((12, 1), (13, 1)), 14, ((12, 1), (13, 1))),
        (13, ((12, 1), (13, 2)), 13, ((12, 1), (13, 2))),
        (13, ((12, 1), (13, 2)), 12, ((12, 2), (13, 0))),
        (15, ((12, 1), (13, 2)), 13, ((12, 1),)),
        (12, ((12, 1),), 15, ((12, 1),)),
        (12, ((12, 7),), 12, ((12, 7),)),
        (12, ((12, 7),), 18, ((12, 0),)),
        (17, ((12, 2),), 12, ()),
        (18, (), 17, ()),
        (99, ((12, 2),), 12, ()),
    ],
)
def test_a_loop_has_taken_an_item_when_its_body_is_entered_from_its_header(
    lineno: int,
    before: tuple[tuple[int, int], ...],
    came_from: int | None,
    expected: tuple[tuple[int, int], ...],
) -> None:
    assert entered(LOOPS, frame(lineno), before, came_from) == expected


def test_what_is_known_of_loops_is_asked_of_the_innermost_frame() -> None:
    deep = Situation(State(Event.LINE, (frame(1), frame(2))), (((5, 1),), ((6, 2), (7, 3))))
    assert deep.here == ((6, 2), (7, 3))
    assert [deep.taken(line) for line in (5, 6, 7)] == [0, 2, 3]
    assert replace(deep, loops=(((5, 1),),)).here == ()
    assert replace(deep, loops=()).taken(6) == 0


def test_names_are_the_frames_then_the_modules_then_what_is_well_known() -> None:
    view = seen("def gcd(x):\n    return x", constants={"LIMIT": [3], "pi": 3})
    names = names_of(view, frame(11, x="[1]", o="<Order>:Order", LIMIT="4"))
    assert (names["x"], names["LIMIT"], names["pi"]) == ([1], 4, 3)
    assert isinstance(names["o"], Opaque)
    assert names["o"].told == Value("<Order>", "Order")
    assert "gcd" not in names
    assert "sqrt" in names
    bare = names_of(view, Frame(FILE, 11, "gcd", None))
    assert bare["LIMIT"] == [3]
    bare["LIMIT"].append(1)
    assert view.constants["LIMIT"] == [3]


# A trace as situations.


def episode(
    states: tuple[State, ...], numbers: tuple[int, ...], *generators: int, internal: int = 99
) -> Episode:
    trace = Trace(states, True, numbers, frozenset(generators), frozenset({internal}) & {1, 2, 3})
    return Episode("x", "functions", "", "f", "MIT", "3.11", (), (), trace)


def stop(event: Event, *stack: Frame) -> State:
    return State(event, stack)


def test_each_frame_of_a_trace_keeps_the_count_of_its_own_loops() -> None:
    at, inner = frame, frame(18, "g")
    states = (
        stop(Event.CALL, at(11)), stop(Event.LINE, at(12)), stop(Event.LINE, at(13)),
        stop(Event.LINE, at(14)), stop(Event.CALL, at(14), inner), stop(Event.LINE, at(14), inner),
        stop(Event.RETURN, at(14), inner), stop(Event.LINE, at(13)), stop(Event.EXCEPTION, at(13)),
        stop(Event.LINE, at(14)),
    )  # fmt: skip
    found = situations(LOOPS, episode(states, (0, 0, 0, 0, 1, 1, 1, 0, 0, 0)))
    assert [one.state for one in found] == list(states)
    outer = ((12, 1), (13, 1))
    assert [one.loops for one in found] == [
        ((),), (((12, 0),),), (((12, 1), (13, 0)),), (outer,), (outer, ()), (outer, ()),
        (outer, ()), (outer,), (outer,), (((12, 1), (13, 2)),),
    ]  # fmt: skip


def test_a_call_begins_anew_and_a_resumed_generator_goes_on() -> None:
    states = (
        stop(Event.CALL, frame(11)), stop(Event.LINE, frame(12)), stop(Event.LINE, frame(13)),
        stop(Event.RETURN, frame(13)), stop(Event.CALL, frame(13)), stop(Event.LINE, frame(12)),
    )  # fmt: skip
    again = situations(LOOPS, episode(states, (0,) * 6))
    assert [one.loops for one in again][4:] == [((),), (((12, 0),),)]
    resumed = situations(LOOPS, episode(states, (0,) * 6, 0))
    assert [one.loops for one in resumed][4:] == [
        (((12, 1), (13, 0)),), (((12, 1),),),
    ]  # fmt: skip


def test_a_stack_of_which_frames_were_not_recorded_has_no_loops() -> None:
    states = (stop(Event.CALL, frame(11)), stop(Event.LINE, frame(1), frame(2), frame(12)))
    found = situations(LOOPS, episode(states, (0, 1)))
    assert [one.loops for one in found] == [((),), ()]


def test_comprehensions_and_names_that_are_none_are_taken_out_of_a_trace() -> None:
    named = Frame(FILE, 12, "f", ((".0", value("1")), ("x", value("2"))))
    inside = frame(12, "f.<locals>.<listcomp>")
    states = (
        stop(Event.CALL, frame(11)), stop(Event.CALL, frame(12), inside),
        stop(Event.LINE, named), stop(Event.EXCEPTION, frame(13)),
    )  # fmt: skip
    trace = replace(episode(states, (0, 1, 0, 0)).trace, internal=frozenset({1, 3}))
    kept = without_comprehensions(trace)
    assert kept.states == (
        states[0], stop(Event.LINE, Frame(FILE, 12, "f", (("x", value("2")),))), states[3],
    )  # fmt: skip
    assert kept.activations == (0, 0, 0)
    assert kept.internal == {2}
    assert kept.states[0] is states[0]
