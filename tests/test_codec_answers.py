"""Where answers lead, one by one: forward, backward, as arguments and as a value."""

from __future__ import annotations

from dataclasses import replace

import pytest
from codec_words import FILE, frame, seen, situation, tokens, told, value

from nsdbg.claim import FunctionRef, Goal, Site
from nsdbg.propose.codec import answer as answers
from nsdbg.propose.codec import arguments, backward, forward, values
from nsdbg.propose.codec.apply import apply
from nsdbg.propose.codec.situation import Situation
from nsdbg.propose.codec.vocabulary import END, words
from nsdbg.state import Action, ActionKind, Event, Frame, State, Value

TOTAL = """
def total(items, rate=2):
    out = []
    for n, item in enumerate(items):
        out.append(item * rate)
    if len(out) > LIMIT:
        print('many', len(out))
    return out
"""
VIEW = seen(TOTAL, "def other(a, b):\n    return a", constants={"LIMIT": 3, "TABLE": [1]})
HERE = situation(
    frame(14, "total", items="[3, 'a', 5]", rate="2", out="[6, 'aa']", n="1", item="'a'",
          o="<Order at 0x7f>:Order", p="<Thing>:Thing"),
    loops=((13, 2),),
)  # fmt: skip


def led(text: str, before: Situation = HERE) -> str | None:
    found = answers.read(tokens(VIEW, text))
    assert found is not None
    calls = found.event is Event.CALL
    return told(apply(VIEW, before, found), None if calls else before)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "<at-line>|L13|<do>|out.append(item * rate)|;",
            "line 13, out=[6, 'aa', 'aa'], loops (((13, 2),),)",
        ),
        ("<at-line>|<if>|len(out) > 1|;|L16|L17", "line 16"),
        ("<at-line>|<if>|len(out) > LIMIT|;|L16|L17", "line 17"),
        ("<at-line>|<if>|n > 0|;|L16|<leave>", "line 16"),
        ("<at-line>|<if>|n > 1|;|L16|<leave>", "return 14, arg None, loops (((13, 2),),)"),
        (
            "<at-line>|<if>|n > 1|;|L16|<raise>|<arg>|AssertionError('no', n)|;",
            "exception 14, arg ('no', 1):AssertionError, loops (((13, 2),),)",
        ),
        ("<at-line>|<if>|p > 1|;|L16|L17", None),
        ("<at-line>|<if>|p is None|;|L16|L17", "line 17"),
        (
            "<at-line>|<if>|1 / (n - 1)|;|L16|L17",
            "exception 14, arg division by zero:ZeroDivisionError, loops (((13, 2),),)",
        ),
        ("<at-line>|<if>|x x|;|L16|L17", None),
        (
            "<at-line>|<if>|n|;|L16|L17|<do>|rate = rate + 1|;|<do>|rate = rate * 2|;",
            "line 16, rate=6",
        ),
        (
            "<at-line>|<each>|i, c in enumerate(out)|;|L14|L15",
            "line 14, i=0, c=6, loops (((13, 2),),)",
        ),
        ("<at-line>|<each>|c in 'abc'|;|L14|L15", "line 14, c='a', loops (((13, 2),),)"),
        (
            "<at-line>|<each>|c in 5|;|L14|L15",
            "exception 14, arg 'int' object is not iterable:TypeError, loops (((13, 2),),)",
        ),
        ("<at-line>|<each>|c in p|;|L14|L15", None),
        ("<at-line>|<each>|c|;|L14|L15", None),
        (
            "<at-line>|L17|<print>|'many', len(out), sep=''|;|<print>|n, end='!'|;",
            "line 17, printed 'many2\\n1!'",
        ),
        ("<at-line>|L17|<print>|'a', 'b', sep=None, end=None|;", "line 17, printed 'a b\\n'"),
        ("<at-line>|L17|<print>|'a', file=p|;", None),
        ("<at-line>|L17|<print>|p|;", None),
        (
            "<at-line>|L17|<print>|1 / 0|;",
            "exception 14, arg division by zero:ZeroDivisionError, loops (((13, 2),),)",
        ),
        ("<at-line>|L17|<print>|x x|;", None),
        ("<at-line>|L17|<print>|'a', sep='', end=''|;", "line 17, printed 'a'"),
        ("<at-line>|<leave>|<do>|n = 5|;", "return 14, n=5, arg None, loops (((13, 2),),)"),
        (
            "<at-line>|<raise>|<arg>|ValueError('bad')|;",
            "exception 14, arg bad:ValueError, loops (((13, 2),),)",
        ),
        ("<at-return>|L17|<arg>|out[::-1]|;", "return 17, arg ['aa', 6], loops (((13, 2),),)"),
        ("<at-return>|L17|<arg>|zzz|;", "return 17, arg ?:?, loops (((13, 2),),)"),
        ("<at-return>|L17|<arg>|p|;", "return 17, arg <Thing>:Thing, loops (((13, 2),),)"),
        ("<at-return>|L17|<arg>|p.size|;", "return 17, arg ?:?, loops (((13, 2),),)"),
        (
            "<at-return>|L17|<arg>|1 / 0|;",
            "exception 14, arg division by zero:ZeroDivisionError, loops (((13, 2),),)",
        ),
        ("<at-return>|L17|<arg>|<obj>|list|;", "return 17, arg <?>:list, loops (((13, 2),),)"),
        ("<at-return>|L17", "return 17, loops (((13, 2),),)"),
        (
            "<at-exception>|L14|<arg>|TypeError('no', item)|;",
            "exception 14, arg ('no', 'a'):TypeError, loops (((13, 2),),)",
        ),
        (
            "<at-exception>|L14|<arg>|TypeError()|;",
            "exception 14, arg :TypeError, loops (((13, 2),),)",
        ),
        (
            "<at-exception>|L14|<arg>|KeyError('x')|;",
            "exception 14, arg 'x':KeyError, loops (((13, 2),),)",
        ),
        (
            "<at-exception>|L14|<arg>|shop.Bad('x')|;",
            "exception 14, arg x:Bad, loops (((13, 2),),)",
        ),
        ("<at-exception>|L14|<arg>|shop.Bad|;", "exception 14, arg :Bad, loops (((13, 2),),)"),
        (
            "<at-exception>|L14|<arg>|ValueError(1 / 0)|;",
            "exception 14, arg division by zero:ZeroDivisionError, loops (((13, 2),),)",
        ),
        ("<at-exception>|L14|<arg>|ValueError(9 ** 5000)|;", None),
        ("<at-exception>|L14", None),
        ("<at-exception>|L14|<arg>|x x|;", None),
        ("<unwind>", "return 14, loops (((13, 2),),)"),
        ("<up>|<unwind>", None),
        (
            "<at-line>|L13|<do>|x =|<obj>|list|;|<del>|item|;",
            "line 13, x=<?>:list, -item, loops (((13, 2),),)",
        ),
        ("<at-line>|L13|<do>|rate =|<obj>|list|;", "line 13, rate=<?>:list, loops (((13, 2),),)"),
        ("<at-line>|L13|<do>|x|<obj>|list|;", None),
        ("<at-line>|L13|<do>|<obj>|list|;", None),
        ("<at-line>|L13|<do>|del n|;", None),
        ("<at-line>|L13|<do>|zz = p.size|;", "line 13, zz=?:?, loops (((13, 2),),)"),
        ("<at-line>|L13|<do>|p.size = 3|;", "line 13, p=?:?, loops (((13, 2),),)"),
        ("<at-line>|L13|<do>|o.size = 3|;", "line 13, loops (((13, 2),),)"),
        ("<at-line>|L13|<do>|out[p] = 3|;", "line 13, out=?:?, loops (((13, 2),),)"),
        (
            "<at-line>|L13|<do>|out[0] = p|;",
            "line 13, out=[<Thing>, 'aa']:list, loops (((13, 2),),)",
        ),
        ("<at-line>|L13|<do>|p.load(out)|;", "line 13, out=?:?, loops (((13, 2),),)"),
        ("<at-line>|L13|<do>|out.append(p.x)|;", "line 13, out=?:?, loops (((13, 2),),)"),
        ("<at-line>|L13|<do>|o.load()|;", "line 13, loops (((13, 2),),)"),
        ("<at-line>|L13|<do>|a, out[0] = p|;", "line 13, a=?:?, loops (((13, 2),),)"),
        (
            "<at-line>|L13|<do>|a, (b, c) = 1, (2, 3)|;",
            "line 13, a=1, b=2, c=3, loops (((13, 2),),)",
        ),
        ("<at-line>|L13|<do>|zz = p.x|;|<do>|zz = 4|;", "line 13, zz=4, loops (((13, 2),),)"),
        ("<at-line>|L13|<do>|TABLE.append(2)|;", "line 13, loops (((13, 2),),)"),
        ("<at-line>|L13|<do>|TABLE = 5|;", "line 13, TABLE=5, loops (((13, 2),),)"),
        (
            "<at-line>|L13|<do>|n = out[9]|;",
            "exception 14, arg list index out of range:IndexError, loops (((13, 2),),)",
        ),
        ("<at-line>|L13|<do>|1 +|;", None),
        ("<at-line>|L13|<do>|<loop>|;", None),
        (
            "<at-line>|L13|<do>|item = out.pop()|;",
            "line 13, out=[6], item='aa', loops (((13, 2),),)",
        ),
        ("<at-line>|L13|<del>|nothing|;", "line 13, loops (((13, 2),),)"),
        ("<at-line>|L13|<del>|out.x|;", None),
        ("<at-line>|L13|<del>|None|;", None),
        ("<at-line>|L20", "line 20"),
        ("<at-line>|L13|<do>|n = n|;", "line 13, loops (((13, 2),),)"),
        (
            "<at-call>|L20|<do>|a = out|;|<do>|b =|<obj>|dict|;",
            "call 20, a=[6, 'aa'], b=<?>:dict, in total:14 > other:20, loops (((13, 2),), ())",
        ),
        (
            "<at-call>|L20|<do>|a = p.x|;",
            "call 20, a=?:?, in total:14 > other:20, loops (((13, 2),), ())",
        ),
        ("<at-call>|L20|<do>|a = 1 / 0|;", None),
        ("<at-call>|L20|<do>|a|;", None),
        ("<at-call>|L20|<do>|= 3|;", None),
        ("<at-call>|L20|<print>|a = 3|;", None),
        ("<at-call>|L11", "call 11, in total:14 > total:11, loops (((13, 2),), ())"),
        ("<at-call>|<if>|n|;|L11|L12", None),
        ("<follow>", None),
        ("<up>|<at-line>|L13", None),
        ("<at-line>|L13|<do>|<result> = 3|;", None),
        ("<at-line>|L13|<do>|q =|<result>|;", "line 13, q=?:?, loops (((13, 2),),)"),
    ],
)
def test_an_answer_leads_where_its_expressions_say(text: str, expected: str | None) -> None:
    assert led(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<at-exception>|L13|<arg>|ValueError()|;", "exception 13, arg :ValueError"),
        ("<at-exception>|L14|<arg>|a.b.Bad|;", "exception 14, arg :Bad"),
        ("<at-line>|L13|<del>|item|;|<do>|x = item|;", "line 13, x=?:?, -item"),
        ("<at-line>|L13|<do>|x +|<obj>|list|;", None),
        ("<at-line>|L13|<do>|n =|<obj>|list|;|<do>|y = n|;", "line 13, n=<?>:list, y=?:?"),
        ("<at-line>|L13|<do>|n = p.x|;|<do>|y = n|;", "line 13, n=?:?, y=?:?"),
        ("<at-call>|L21|<do>|a = n|;", "call 21, a=1, in total:14 > other:21"),
    ],
)
def test_what_an_answer_took_away_is_not_known_after_it(text: str, expected: str | None) -> None:
    found = led(text)
    assert (None if found is None else found.partition(", loops")[0]) == expected


def test_values_that_are_only_named_are_told_to_be_cut_and_none_to_be_itself() -> None:
    def after(text: str) -> State:
        found = answers.read(tokens(VIEW, text))
        assert found is not None
        led_to = apply(VIEW, HERE, found)
        assert led_to is not None
        return led_to.state

    assert after("<at-line>|<leave>").arg == Value("None", "NoneType", True)
    named = after("<at-line>|L13|<do>|x =|<obj>|list|;").frame.local("x")
    assert named == Value("<?>", "list", truncated=True)
    called = after("<at-call>|L20|<do>|a =|<obj>|list|;").frame
    assert (called.file, called.local("a")) == (FILE, named)


def test_a_statement_without_a_line_of_its_own_stays_where_it_is() -> None:
    found = apply(VIEW, HERE, answers.Answer(Event.LINE))
    assert told(found, HERE) == "line 14, loops (((13, 2),),)"


def test_a_function_that_is_called_is_not_changed_by_it() -> None:
    shown = "<built-in function len>:builtin_function_or_method"
    before = situation(frame(14, "total", g=shown))
    assert led("<at-line>|L15|<do>|y = g('abc')|;", before) == "line 15, y=3"


def test_going_up_leaves_the_frames_further_out_as_they_are() -> None:
    stack = (frame(5, "main"), frame(14, "total", out="[6]"), frame(21, "other"))
    loops = (((4, 1),), ((13, 2),), ())
    before = Situation(State(Event.RETURN, stack, value("5")), loops)
    found = answers.read(tokens(VIEW, "<up>|<at-line>|L13"))
    assert found is not None
    assert told(apply(VIEW, before, found)) == (
        "line 13, out=[6], in main:5 > total:13, loops (((4, 1),), ((13, 2),))"
    )


HEAD = situation(frame(13, "total", items="[3, 'a']", out="[]"), loops=((13, 1),))
EACH = "<at-line>|<each>|n, item in enumerate(items)|;|L14|L15"


def test_a_loop_gives_the_item_after_those_it_has_taken() -> None:
    assert led(EACH, HEAD) == "line 14, n=1, item='a', loops (((13, 2),),)"
    ended = replace(HEAD, loops=(((13, 2),),))
    assert led(EACH, ended) == "line 15"
    other = replace(HEAD, loops=(((12, 9),),))
    assert led(EACH, other) == "line 14, n=0, item=3, loops (((13, 1),),)"
    assert led(EACH, replace(HEAD, loops=())) == "line 14, n=0, item=3, loops (((13, 1),),)"


def test_a_loop_that_has_taken_very_many_items_is_not_told() -> None:
    assert led(EACH, replace(HEAD, loops=(((13, 10_000),),))) == "line 15"
    assert led(EACH, replace(HEAD, loops=(((13, 10_001),),))) is None


def test_the_item_is_bound_before_the_changes_are_made() -> None:
    text = EACH + "|<do>|out.append(item)|;"
    assert led(text, HEAD) == "line 14, out=['a'], n=1, item='a', loops (((13, 2),),)"
    text = EACH + "|<do>|q =|<result>|;"
    assert led(text, HEAD) == "line 14, n=1, item='a', q=?:?, loops (((13, 2),),)"


def returned(arg: Value | None) -> Situation:
    stack = (frame(14, "total", out="[6]"), frame(21, "other", a="1"))
    return Situation(State(Event.RETURN, stack, arg), (((13, 2),), ()))


def test_going_up_an_answer_is_about_the_caller_and_the_value_that_it_got() -> None:
    up = "<up>|<at-line>|L13|<do>|out =|<result>|;"
    before = returned(value("5"))
    found = answers.read(tokens(VIEW, up))
    assert found is not None
    assert told(apply(VIEW, before, found)) == "line 13, out=5, loops (((13, 2),),)"
    opaque = apply(VIEW, returned(value("<Thing>:Thing")), found)
    assert told(opaque) == "line 13, out=<Thing>:Thing, loops (((13, 2),),)"
    nothing = apply(VIEW, returned(None), found)
    assert told(nothing) == "line 13, out=?:?, loops (((13, 2),),)"


def test_loops_that_are_not_known_of_every_frame_are_not_known_of_any() -> None:
    before = replace(returned(value("5")), loops=(((13, 2),),))
    found = answers.read(tokens(VIEW, "<up>|<at-line>|L14"))
    assert found is not None
    assert told(apply(VIEW, before, found)) == "line 14, out=[6], loops (((13, 0),),)"


def test_a_line_of_another_file_is_not_reached_within_a_frame() -> None:
    elsewhere = situation(Frame("other.py", 14, "total", ()))
    assert led("<at-line>|L13", elsewhere) is None
    called = led("<at-call>|L11", elsewhere)
    assert called == "call 11, in total:14 > total:11"


def test_an_answer_that_follows_the_text_depends_on_its_command() -> None:
    assert apply(VIEW, HERE, answers.FOLLOW) is None
    follow = tokens(VIEW, "<follow>")
    step = forward.read(VIEW, HERE, Action(ActionKind.STEP), follow)
    assert told(step, HERE) == "line 13, out=[6, 'aa', 'aa'], loops (((13, 2),),)"


def test_a_jump_to_the_return_tells_nothing_of_the_locals() -> None:
    text = tokens(VIEW, "<at-return>|L17|<arg>|out|;")
    jump = forward.read(VIEW, HERE, Action(ActionKind.RETURN), text)
    assert told(jump) == "return 17, locals unknown, arg [6, 'aa'], loops (((13, 2),),)"
    assert told(forward.read(VIEW, HERE, Action(ActionKind.STEP), text), HERE) == (
        "return 17, arg [6, 'aa'], loops (((13, 2),),)"
    )
    line = tokens(VIEW, "<at-line>|L13")
    assert told(forward.read(VIEW, HERE, Action(ActionKind.RETURN), line), HERE) == (
        "line 13, loops (((13, 2),),)"
    )
    assert forward.read(VIEW, HERE, Action(ActionKind.STEP), [END]) is None


# Backward.

BEFORE = situation(
    frame(14, "total", items="[3, 'a', 5]", rate="2", out="[6, 'aa']", n="1", item="'a'"),
    loops=((13, 2),),
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<at-line>|L13|<del>|item|;", "line 13, -item, loops (((13, 1),),)"),
        ("<at-line>|L14|<do>|n = 0|;", "line 14, n=0, loops (((13, 2),),)"),
        ("<at-line>|<if>|n|;|L13|L14", None),
        ("<up>|<at-line>|L13", None),
        ("<at-call>|L11", None),
        ("<at-line>|L12|<print>|1|;", "line 12"),
        ("<at-line>|L15", "line 15"),
        ("<at-line>|L20", "line 20"),
        ("<at-return>|L13", "return 13, loops (((13, 1),),)"),
    ],
)
def test_an_answer_backward_tells_the_state_before(text: str, expected: str | None) -> None:
    found = backward.read(VIEW, BEFORE, tokens(VIEW, text))
    assert told(found, BEFORE) == expected


@pytest.mark.parametrize(
    ("lineno", "count", "expected"),
    [
        (13, 2, "line 13, items=[3], loops (((13, 2),),)"),
        (14, 2, "line 14, items=[3], loops (((13, 2),),)"),
        (14, 0, "line 14, items=[3], loops (((13, 0),),)"),
    ],
)
def test_a_loop_that_is_come_from_keeps_its_count_at_its_header(
    lineno: int, count: int, expected: str
) -> None:
    head = situation(frame(13, "total", items="[3]"), loops=((13, count),))
    assert told(backward.read(VIEW, head, tokens(VIEW, f"<at-line>|L{lineno}"))) == expected


def test_a_loop_never_has_taken_less_than_no_item_and_its_callers_keep_theirs() -> None:
    none = situation(frame(14, "total", items="[3]"))
    found = backward.read(VIEW, none, tokens(VIEW, "<at-line>|L13"))
    assert told(found) == "line 13, items=[3], loops (((13, 0),),)"
    stack = (frame(14, "total", items="[3]"), frame(22, "other", a="1"))
    deep = Situation(State(Event.LINE, stack, None, "x"), (((13, 2),), ()))
    found = backward.read(VIEW, deep, tokens(VIEW, "<at-line>|L20"))
    assert told(found) == "line 20, a=1, in total:14 > other:20, loops (((13, 2),), ())"
    elsewhere = situation(frame(99, "total", items="[3]"), loops=((13, 2),))
    assert told(backward.read(VIEW, elsewhere, tokens(VIEW, "<unwind>"))) == "return 99, items=[3]"


def test_a_loop_of_which_no_count_is_known_has_taken_nothing() -> None:
    within = situation(frame(14, "total", items="[3]"))
    found = backward.read(VIEW, within, tokens(VIEW, "<at-line>|L14"))
    assert told(found) == "line 14, items=[3], loops (((13, 0),),)"
    after = situation(frame(15, "total", items="[3]"))
    found = backward.read(VIEW, after, tokens(VIEW, "<at-line>|L13"))
    assert told(found) == "line 13, items=[3], loops (((13, 0),),)"
    assert backward.read(VIEW, after, [END]) is None


def test_what_a_command_printed_was_not_printed_before_it() -> None:
    found = backward.read(VIEW, BEFORE, tokens(VIEW, "<at-line>|L12|<print>|1|;"))
    assert found is not None
    assert found.state.output == ""


# Arguments.

GOAL = Goal(
    FunctionRef(FILE, "total", "", ""), Event.RETURN, (Site(FILE, None, "total"),),
    value="[6, 'aa']", locals=(("out", "[6]"), ("x", "Order(1)")),
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "<at-call>|L11|<do>|items = out|;|<do>|rate = [out, 3]|;",
            (("items", "[6]"), ("rate", "[[6], 3]")),
        ),
        ("<at-call>|L11", ()),
        ("<at-line>|L11|<do>|items = out|;", None),
        ("<at-call>|L11|<print>|items = out|;", None),
        ("<at-call>|L11|<do>|items|;", None),
        ("<at-call>|L11|<do>|= 3|;", None),
        ("<at-call>|L11|<do>|items =|;", None),
        ("<at-call>|L11|<do>|items = zz|;", None),
        ("<at-call>|L11|<do>|items = 1 / 0|;", None),
        ("<at-call>|L11|<do>|items = x x|;", None),
        (
            "<at-call>|L11|<do>|items = out.pop()|;|<do>|rate = out|;",
            (("items", "6"), ("rate", "[6]")),
        ),
        ("<at-call>|L11|<do>|items = <result>|;", None),
        ("<at-call>|L11|<do>|items =|<result>|;", (("items", "[6, 'aa']"),)),
        ("<at-call>|<if>|out|;|L11|L12|<do>|items = 1|;", None),
        ("<at-call>|L11|<do>|items = lambda: 1|;", None),
        ("<at-call>|L11|<do>|None = 3|;", None),
        ("<at-call>|L11|<do>|a.b = 3|;", None),
        ("<at-call>|L11|<do>|items = math.floor(2.5)|;", (("items", "2"),)),
    ],
)
def test_arguments_are_expressions_over_what_the_goal_tells(
    text: str, expected: tuple[tuple[str, str], ...] | None
) -> None:
    assert arguments.read(VIEW, GOAL, tokens(VIEW, text)) == expected


def test_garbage_is_no_arguments_and_a_goal_without_a_value_has_no_result() -> None:
    assert arguments.read(VIEW, GOAL, [END]) is None
    free = replace(GOAL, value=None)
    text = tokens(VIEW, "<at-call>|L11|<do>|items =|<result>|;")
    assert arguments.read(VIEW, free, text) is None
    assert arguments.known(free)["out"] == [6]
    assert "x" not in arguments.known(free)


# One value.


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("out", Value(repr="[6, 'aa']", type="list", literal=True, truncated=False)),
        ("out + [1]", Value(repr="[6, 'aa', 1]", type="list", literal=True, truncated=False)),
        ("<obj>|list", Value(repr="<?>", type="list", literal=False, truncated=True)),
        ("<obj>|1", None),
        ("<obj>", None),
        ("zz", None),
        ("1 / 0", None),
        ("x x", None),
        ("", None),
        ("lambda: 1", None),
        ("math.inf", Value(repr="inf", type="float", literal=False, truncated=False)),
        ("<obj>|a.b", None),
    ],
)
def test_an_answer_about_a_value_is_an_expression_or_a_type(
    text: str, expected: Value | None
) -> None:
    assert values.read(VIEW, BEFORE, tokens(VIEW, text)) == expected


def test_an_answer_about_a_value_needs_an_end_and_what_follows_it_does_not_count() -> None:
    whole = tokens(VIEW, "out")
    assert values.read(VIEW, BEFORE, whole[:-1]) is None
    assert values.read(VIEW, BEFORE, [END]) is None
    assert values.read(VIEW, BEFORE, [*whole, *whole]) == value("[6, 'aa']")


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (value("[1]"), "[ 1 ] <end>"),
        (value("<x>:shop.list"), "<obj> list <end>"),
        (Value("", "list", truncated=True), "<obj> list <end>"),
        (value("'" + "a" * 46 + "'"), "<str> " + "a " * 46 + "</str> <end>"),
        (value("'" + "a" * 47 + "'"), None),
    ],
)
def test_a_value_is_spelled_as_an_answer_as_long_as_it_is_short(
    shown: Value, expected: str | None
) -> None:
    found = values.spell(VIEW, shown)
    assert (None if found is None else words(found)) == expected
