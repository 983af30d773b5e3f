"""Reading answers: whatever a network says, a prediction or None, soon, and nothing is changed."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nsdbg.claim import FunctionRef, Goal, Site
from nsdbg.episode import Listing
from nsdbg.propose.codec import arguments, backward, forward, spelling, values
from nsdbg.propose.codec.seen import UNTOLD, known_value, value_of
from nsdbg.propose.codec.situation import WELL_KNOWN, Situation
from nsdbg.propose.codec.view import BUDGET, View
from nsdbg.propose.codec.vocabulary import (
    END,
    IDS,
    LINES,
    OPERATOR,
    SIZE,
    SLOTS,
    WORD,
    is_line,
    is_slot,
)
from nsdbg.propose.evaluate import evaluate
from nsdbg.state import Action, ActionKind, Event, Frame, State, Value

TEXT = """def total(items, rate=2):
    out = []
    for n, item in enumerate(items):
        out.append(item * rate)
    if len(out) > LIMIT:
        print('many', len(out))
    return out"""
STEP, RETURN = Action(ActionKind.STEP), Action(ActionKind.RETURN)


def view(shift: tuple[int, int] = (0, 0)) -> View:
    return View([Listing("m.py", "total", 11, TEXT)], {"LIMIT": 3, "TABLE": [1]}, shift)


def situation(lineno: int, *loops: tuple[int, int], **names: str) -> Situation:
    pairs = tuple((name, Value(text, type(eval(text)).__name__, True))
                  for name, text in names.items())  # fmt: skip
    frame = Frame("m.py", lineno, "total", pairs)
    return Situation(State(Event.LINE, (frame,)), (loops,))


HERE = situation(14, (13, 2), items="[3, 'a', 5]", rate="2", out="[6, 'aa']", n="1", item="'a'")
GOAL = Goal(FunctionRef("m.py", "total", "", ""), Event.RETURN, (Site("m.py", None, "total"),),
            value="[6, 'aa']", locals=(("out", "[6]"),))  # fmt: skip
READS: dict[str, Callable[[View, list[int]], object]] = {
    "forward": lambda seen, ids: forward.read(seen, HERE, STEP, ids),
    "return": lambda seen, ids: forward.read(seen, HERE, RETURN, ids),
    "backward": lambda seen, ids: backward.read(seen, HERE, ids),
    "arguments": lambda seen, ids: arguments.read(seen, GOAL, ids),
    "values": lambda seen, ids: values.read(seen, HERE, ids),
}


def tokens(seen: View, text: str) -> list[int]:
    """Spell an answer: marks in brackets stand for themselves, `L11` for a line, rest is Python."""
    found: list[int] = []
    for part in text.split("|"):
        if part in IDS:
            found.append(IDS[part])
        elif part.startswith("L") and part[1:].isdigit():
            line = seen.line("m.py", int(part[1:]))
            assert line is not None
            found.append(line)
        else:
            found += spelling.spell(part.strip(), seen.slots)
    return [*found, END]


RIGHT = [
    "<at-line>|L13|<do>|out.append(item * rate)|;",
    "<at-line>|<if>|len(out) > 3|;|L16|L17|<do>|rate = rate + 1|;",
    "<at-line>|<each>|n, item in enumerate(items)|;|L14|L15",
    "<at-line>|L17|<print>|'many', len(out), sep=''|;",
    "<at-return>|L17|<arg>|out[::-1]|;",
    "<at-exception>|L14|<arg>|TypeError('no', item)|;",
    "<at-call>|L11|<do>|items = out|;|<do>|rate = [rate, 3]|;",
    "<at-line>|L13|<do>|x =|<obj>|object|;|<del>|item|;",
    "<unwind>",
    "<up>|<unwind>",
]
NASTY = [
    "9 ** 9 ** 9", "'a' * 10 ** 9", "[0] * 10 ** 9", "list(range(10 ** 12))", "list(iter(int, 1))",
    "[[0] * 60000 for _ in range(60000)]", "f'{1:>99999999}'", "str(9 ** 5000)", "__class__",
    "().__class__.__bases__", "__import__('os').getpid()", "__builtins__", "open('/etc/passwd')",
    "'x'.join(['a' * 65536] * 65536)", "['a' * 65536] * 65536", "exec('1')", "eval('1')",
    "(lambda f: f(f))(lambda f: f(f))", "{'a', 'b'}.pop()", "[x for x in out for x in out]",
    "('a,' * 30000).split(',')", "globals()", "type('C', (), {})", "sum(range(10 ** 12))",
]  # fmt: skip
FORMS = [
    "<at-return>|L17|<arg>|{}|;", "<at-line>|L13|<do>|zz = {}|;", "<at-line>|<if>|{}|;|L13|L14",
    "<at-line>|<each>|zz in {}|;|L13|L14", "<at-line>|L13|<print>|{}|;",
    "<at-exception>|L13|<arg>|ValueError({})|;", "<at-exception>|L13|<arg>|{}|;",
    "<at-call>|L11|<do>|items = {}|;", "<at-line>|L13|<do>|{}|;", "{}",
]  # fmt: skip


def read_all(ids: list[int]) -> list[object]:
    """Read tokens as every kind of answer; each ends soon and changes nothing it was given."""
    seen = view()
    tokens(seen, "zz")
    found = []
    for read in READS.values():
        begun = time.process_time()
        found.append(read(seen, ids))
        assert time.process_time() - begun < 0.3
    assert seen.constants == {"LIMIT": 3, "TABLE": [1]}
    return found


@pytest.mark.parametrize("form", FORMS)
def test_an_answer_that_asks_too_much_is_none_or_tells_no_value(form: str) -> None:
    for nasty in NASTY:
        seen = view()
        tokens(seen, "zz")
        for told in read_all(tokens(seen, form.format(nasty))):
            assert told is None or isinstance(told, (Situation, Value, tuple))


def test_nothing_of_an_answer_is_executed() -> None:
    seen = view()
    answer = tokens(seen, "<at-return>|L17|<arg>|__import__('os').getpid()|;")
    told = forward.read(seen, HERE, STEP, answer)
    assert told is not None
    assert told.state.arg == UNTOLD
    assert arguments.read(seen, GOAL, tokens(seen, "<at-call>|L11|<do>|items = open|;")) is None


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(-2, SIZE + 2), max_size=60))
def test_random_tokens_are_read_without_breaking(ids: list[int]) -> None:
    read_all([*ids, END])
    read_all(ids)


@pytest.mark.parametrize("seed", range(30))
def test_right_answers_cut_and_mutated_are_read_without_breaking(seed: int) -> None:
    rng = random.Random(seed)
    for text in RIGHT:
        ids = tokens(view(), text)
        assert not any(read_all(ids[: rng.randrange(len(ids))]))
        for _ in range(4):
            at, other = rng.randrange(len(ids) + 1), rng.randrange(len(ids) + 1)
            ids[at : at + rng.randrange(3)] = rng.choice(
                ([], [rng.randrange(SIZE)], ids[min(at, other) : max(at, other)])
            )
            read_all(ids)


@pytest.mark.parametrize("mark", ["(", "-", "[", "not", "lambda :", "x if x else"])
def test_answers_nested_without_end_are_read_without_breaking(mark: str) -> None:
    seen = view()
    piece = []
    for word in mark.split():
        piece += [OPERATOR[word]] if word in OPERATOR else seen.slots.name(word)
    for count in (50, 400, 5000):
        whole = [IDS["<at-return>"], *tokens(seen, "L17")[:-1], IDS["<arg>"], *piece * count]
        read_all([*whole, *seen.slots.name("x"), IDS[";"], END])


@pytest.mark.parametrize("name", ["None", "class", "(", "a . b", "'x'", "1"])
def test_what_is_no_name_is_no_local_and_no_parameter(name: str) -> None:
    seen = view()
    words = {"None": WORD["None"], "class": WORD["class"], "(": OPERATOR["("]}
    spelled = [words[name]] if name in words else spelling.spell(name, seen.slots)
    for event, line in (("<at-call>", "L11"), ("<at-line>", "L13")):
        start = [IDS[event], tokens(seen, line)[0]]
        bound = [IDS["<do>"], *spelled, OPERATOR["="], IDS["<obj>"], WORD["list"], IDS[";"], END]
        assert forward.read(seen, HERE, STEP, [*start, *bound]) is None
        assert arguments.read(seen, GOAL, [*start, *bound]) is None


@pytest.mark.parametrize(
    ("text", "lineno", "changed"),
    [
        (RIGHT[0], 13, {"out": "[6, 'aa', 'aa']"}),
        (RIGHT[1], 17, {"rate": "3"}),
        ("<at-line>|L13|<do>|item = out.pop()|;", 13, {"item": "'aa'", "out": "[6]"}),
        ("<at-line>|L13|<do>|rate = len(out) + LIMIT|;", 13, {"rate": "5"}),
    ],
)
def test_a_right_answer_gives_the_next_state(
    text: str, lineno: int, changed: dict[str, str]
) -> None:
    seen = view()
    told = forward.read(seen, HERE, STEP, tokens(seen, text))
    assert told is not None
    assert told.state.frame.lineno == lineno
    found = {name: value.repr for name, value in told.state.frame.locals or ()}
    before = {name: value.repr for name, value in HERE.state.frame.locals or ()}
    assert found == {**before, **changed}


def test_a_loop_takes_the_item_after_those_it_has_taken_and_then_ends() -> None:
    seen = view()
    ids = tokens(seen, RIGHT[2])
    for count, lineno, item in ((0, 14, "3"), (2, 14, "5"), (3, 15, "'a'")):
        at = situation(13, (13, count), items="[3, 'a', 5]", item="'a'", out="[]", rate="2")
        told = forward.read(seen, at, STEP, ids)
        assert told is not None
        value = told.state.frame.local("item")
        assert value is not None
        assert (told.state.frame.lineno, value.repr) == (lineno, item)
        assert told.taken(13) == (count + 1 if lineno == 14 else 0)


def test_what_an_answer_prints_and_raises_is_told_with_it() -> None:
    seen = view()
    printed = forward.read(seen, HERE, STEP, tokens(seen, RIGHT[3]))
    raised = forward.read(seen, HERE, STEP, tokens(seen, "<at-line>|L13|<do>|n = 1 / (n - 1)|;"))
    assert printed is not None
    assert raised is not None
    assert printed.state.output == "many2\n"
    assert raised.state.event is Event.EXCEPTION
    assert raised.state.arg == Value("division by zero", "ZeroDivisionError")


def test_shifted_slots_and_lines_change_the_tokens_by_a_permutation_alone() -> None:
    plain = forward.prompt(view(), HERE, STEP)
    shifted = forward.prompt(view((5, 150)), HERE, STEP)
    pairs = set(zip(plain, shifted, strict=True))
    assert len({one for one, _ in pairs}) == len({other for _, other in pairs}) == len(pairs)
    moved = {(one, other) for one, other in pairs if one != other}
    assert all(is_slot(one) == is_slot(other) and is_line(one) == is_line(other)
               for one, other in moved)  # fmt: skip
    assert all(is_slot(one) or is_line(one) for one, _ in moved)
    assert sum(is_slot(one) for one, _ in moved) == len(set(filter(is_slot, plain)))


@pytest.mark.parametrize("shift", [0, 1, SLOTS - 1])
def test_a_shifted_view_reads_what_it_wrote(shift: int) -> None:
    seen = view((shift, LINES - 1 - shift))
    told = forward.read(seen, HERE, STEP, tokens(seen, RIGHT[0]))
    assert told is not None
    assert told.state.frame.lineno == 13


@pytest.mark.parametrize("lineno", [1, 2, 60, 119, 120])
def test_a_view_of_a_long_function_keeps_the_header_and_the_lines_around(lineno: int) -> None:
    lines = ["def f(x):", *(f"    y{n % 9} = x + [{n}, 'text']" for n in range(2, 121))]
    long = View([Listing("m.py", "f", 1, "\n".join(lines))])
    written = long.tokens("m.py", lineno)
    assert len(written) <= BUDGET + 1
    assert {long.line("m.py", 1), long.line("m.py", lineno)} <= set(written)
    shown = sorted(place[1] for token in written if (place := long.place(token)))
    assert [row for row in shown if row > 1] == list(
        range(max(shown[1], 2), max(shown[1], 2) + len([row for row in shown if row > 1]))
    )


def test_a_text_that_lies_left_of_its_method_is_read_all_the_same() -> None:
    text = '    def f(self):\n        """Left\nof it."""\n        for x in self:\n            pass'
    found = View([Listing("m.py", "C.f", 5, text)])
    assert [node.lineno for node in found.syntax[0].loops_around(9)] == [8]
    assert found.line("m.py", 6) is None
    assert found.line("m.py", 8) is not None


@pytest.mark.parametrize(
    "text",
    ["[1, 'a', None]", "{'a': (1,)}", "{3, 1}", "set()", "frozenset({2})", "Counter({'a': 2})",
     "deque([1, 2])", "inf", "1.5", "(1+2j)", "range(0, 3)", "b'x'", "KeyError('a')", "-0.0"],
)  # fmt: skip
def test_a_value_that_is_known_is_shown_as_it_was_seen(text: str) -> None:
    kind = type(evaluate(text, {**WELL_KNOWN, "inf": math.inf})).__name__
    plain = text not in ("inf", "set()") and kind not in (
        "frozenset", "Counter", "deque", "range", "KeyError",
    )  # fmt: skip
    value = Value(text.replace("{3, 1}", "{1, 3}"), kind, plain)
    found, known = known_value(value)
    assert known
    assert value_of(found) == value


@pytest.mark.parametrize("text", ["lambda: 0", "['a' * 60000] * 60000", "type(3)"])
def test_what_has_no_text_of_its_own_is_not_told(text: str) -> None:
    assert value_of(eval(text)) is None
