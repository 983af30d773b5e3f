"""Values and texts: what a run shows of a value, and whether a prediction is what it showed."""

from __future__ import annotations

import collections
from collections.abc import Callable
from dataclasses import replace

import pytest
from codec_words import FILE, frame, value

from nsdbg.propose.codec import seen
from nsdbg.propose.codec.alike import alike, same_arg, same_locals, same_return, same_value
from nsdbg.propose.codec.seen import described, known_value, value_in, value_of
from nsdbg.propose.codec.situation import Situation
from nsdbg.propose.evaluation.opaque import Opaque
from nsdbg.state import Event, Frame, State, Value

Shown = tuple[str, str, bool]


def shown(found: Value | None) -> Shown | None:
    return None if found is None else (found.repr, found.type, found.literal)


@pytest.mark.parametrize(
    ("text", "made", "expected"),
    [
        ("1", ("1", "int", True), ("1", "int", True)),
        ("'a'", ("'a'", "str", True), ("'a'", "str", True)),
        ("b'x'", ("b'x'", "bytes", True), ("b'x'", "bytes", True)),
        ("True", ("True", "bool", True), ("True", "bool", True)),
        ("None", ("None", "NoneType", True), ("None", "NoneType", True)),
        ("1.5", ("1.5", "float", True), ("1.5", "float", True)),
        ("float('inf')", ("inf", "float", False), ("inf", "float", False)),
        ("-float('inf')", ("-inf", "float", False), ("-inf", "float", False)),
        ("1+2j", ("(1+2j)", "complex", True), ("(1+2j)", "complex", True)),
        ("complex('inf')", ("(inf+0j)", "complex", False), ("(inf+0j)", "complex", False)),
        ("[1, 'a']", ("[1, 'a']", "list", True), ("[1, 'a']", "list", True)),
        ("(1,)", ("(1,)", "tuple", True), ("(1,)", "tuple", True)),
        ("()", ("()", "tuple", True), ("()", "tuple", True)),
        ("(1, 2)", ("(1, 2)", "tuple", True), ("(1, 2)", "tuple", True)),
        ("{1: 'a'}", ("{1: 'a'}", "dict", True), ("{1: 'a'}", "dict", True)),
        ("{}", ("{}", "dict", True), ("{}", "dict", True)),
        ("{3, 1}", ("{1, 3}", "set", True), ("{1, 3}", "set", True)),
        ("set()", ("set()", "set", False), ("set()", "set", False)),
        (
            "frozenset({2})",
            ("frozenset({2})", "frozenset", False),
            ("frozenset({2})", "frozenset", False),
        ),
        ("frozenset()", ("frozenset()", "frozenset", False), ("frozenset()", "frozenset", False)),
        ("range(3)", ("range(0, 3)", "range", False), ("range(0, 3)", "range", False)),
        (
            "collections.Counter('aab')",
            ("Counter({'a': 2, 'b': 1})", "Counter", False),
            ("Counter({'a': 2, 'b': 1})", "Counter", False),
        ),
        ("collections.deque([1])", ("deque([1])", "deque", False), ("deque([1])", "deque", False)),
        (
            "collections.defaultdict(int)",
            ("defaultdict(<class 'int'>, {})", "defaultdict", False),
            ("defaultdict(<class 'int'>, {})", "defaultdict", False),
        ),
        (
            "KeyError('a')",
            ("KeyError('a')", "KeyError", False),
            ("KeyError('a')", "KeyError", False),
        ),
        (
            "ValueError()",
            ("ValueError()", "ValueError", False),
            ("ValueError()", "ValueError", False),
        ),
        ("[float('inf')]", ("[inf]", "list", False), ("[inf]", "list", False)),
        ("({1},)", ("({1},)", "tuple", True), ("({1},)", "tuple", True)),
        ("[lambda: 0]", None, None),
        ("lambda: 0", None, None),
        ("int", None, ("<class 'int'>", "type", False)),
        ("len", None, None),
        ("str.lower", None, None),
        ("iter([1])", None, ("<list_iterator object at 0x...>", "list_iterator", False)),
        ("[iter([1])]", None, ("[<list_iterator object at 0x...>]", "list", False)),
        ("{1: 2}.items()", None, ("dict_items([(1, 2)])", "dict_items", False)),
        ("{1: 2}.keys()", None, ("dict_keys([1])", "dict_keys", False)),
        ("zip([1])", None, ("<zip object at 0x...>", "zip", False)),
        ("map(str, [1])", None, ("<map object at 0x...>", "map", False)),
        ("enumerate([1])", None, ("<enumerate object at 0x...>", "enumerate", False)),
        (
            "reversed([1])",
            None,
            ("<list_reverseiterator object at 0x...>", "list_reverseiterator", False),
        ),
        ("object()", None, None),
        ("type(None)", None, ("<class 'NoneType'>", "type", False)),
        ("[int]", None, ("[<class 'int'>]", "list", False)),
        ("NotImplemented", None, None),
        ("...", None, None),
        ("[float('nan')]", ("[nan]", "list", False), ("[nan]", "list", False)),
        ("{True: [2.0]}", ("{True: [2.0]}", "dict", True), ("{True: [2.0]}", "dict", True)),
        ("{1: {2}}", ("{1: {2}}", "dict", True), ("{1: {2}}", "dict", True)),
        ("print", None, None),
        ("collections.Counter", None, None),
        ("(i for i in [])", None, None),
        ("slice(1,2)", None, None),
        ("bytearray(b'a')", None, None),
    ],
)
def test_a_value_is_written_as_a_run_shows_it(
    text: str, made: Shown | None, expected: Shown | None
) -> None:
    """`made` is the text that makes the value, `expected` what is shown of it all the same."""
    found = eval(text, {"collections": collections})
    assert shown(value_of(found)) == made
    assert shown(described(found)) == expected


def test_a_dict_is_a_literal_where_all_its_keys_and_values_are() -> None:
    assert shown(value_of({1: "a", 2: "b"})) == ("{1: 'a', 2: 'b'}", "dict", True)
    assert shown(value_of({1: float("inf")})) == ("{1: inf}", "dict", False)
    assert shown(value_of({float("inf"): 1})) == ("{inf: 1}", "dict", False)


def nested(depth: int) -> object:
    found: object = []
    for _ in range(depth):
        found = [found]
    return found


def test_values_that_are_nested_too_deeply_or_too_long_have_no_text() -> None:
    assert value_of(nested(20)) is not None
    assert value_of(nested(21)) is None
    assert value_of(["a" * 60_000] * 60_000) is None
    deep: object = {}
    for _ in range(20):
        deep = {1: deep}
    assert value_of(deep) is not None
    assert value_of({1: deep}) is None
    key: object = ()
    for _ in range(19):
        key = (key,)
    assert value_of({key: 1}) is not None
    assert value_of({(key,): 1}) is None
    assert value_of(10**5000) is None


def test_an_object_is_shown_as_it_was_seen() -> None:
    order = Value("<Order>", "shop.Order")
    assert value_of(Opaque(order)) is order
    assert described(Opaque(order)) is order
    assert value_of(Opaque("no value")) is None
    assert value_of([Opaque(order)]) is None
    assert shown(described([Opaque(order), 1])) == ("[<Order>, 1]", "list", False)
    cut = Value("<Ord", "shop.Order", truncated=True)
    assert described([Opaque(cut)]) is None


@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        ("1", "int", "1"),
        ("[1", "list", None),
        ("Counter({'a': 2})", "Counter", "Counter({'a': 2})"),
        ("Counter({'a': 2})", "collections.Counter", "Counter({'a': 2})"),
        ("deque([1])", "deque", "deque([1])"),
        ("nan", "float", "nan"),
        ("KeyError('a')", "KeyError", "KeyError('a')"),
        ("Order(1)", "Order", None),
        ("x", "set", None),
        ("<class 'int'>", "type", "<class 'int'>"),
        ("<built-in function len>", "builtin_function_or_method", "<built-in function len>"),
        ("<function f at 0x1>", "function", None),
        ("<class 'shop.X'>", "type", None),
        (
            "defaultdict(<class 'int'>, {'a': 1})",
            "defaultdict",
            "defaultdict(<class 'int'>, {'a': 1})",
        ),
        (
            "defaultdict(<class 'list'>, {})",
            "collections.defaultdict",
            "defaultdict(<class 'list'>, {})",
        ),
        ("<built-in function foo>", "builtin_function_or_method", None),
        ("<built-in function sqrt>", "builtin_function_or_method", "<built-in function sqrt>"),
        ("1 / 0", "float", None),
        ("range(0, 3)", "range", "range(0, 3)"),
        ("frozenset({1})", "frozenset", "frozenset({1})"),
    ],
)
def test_a_text_stands_for_a_value_where_that_is_known(
    text: str, kind: str, expected: str | None
) -> None:
    seen._known.cache_clear()  # what an earlier test has read is read again
    literal = kind in ("int", "list")
    found, known = known_value(Value(text, kind, literal))
    assert known == (expected is not None)
    assert expected is None or repr(found) == expected
    assert known or found is None


@pytest.mark.parametrize(
    ("shown", "change"),
    [
        (value("[1, [2]]"), lambda one: one[1].append(3)),
        (Value("Counter({'a': [1]})", "Counter"), lambda one: one["a"].append(3)),
        (Value("deque([[1]])", "deque"), lambda one: one[0].append(3)),
    ],
)
def test_a_known_value_is_a_new_one_each_time(
    shown: Value, change: Callable[[object], None]
) -> None:
    first, _ = known_value(shown)
    change(first)
    again, known = known_value(shown)
    assert known
    assert repr(again) == shown.repr
    assert repr(first) != shown.repr


def test_a_literals_text_tells_of_its_value_and_any_other_of_an_object() -> None:
    assert value_in("[1]") == value("[1]")
    assert value_in(" 1") == value("1")
    assert value_in("Order(1)") == Value("Order(1)", "object")
    assert value_in("inf") == Value("inf", "object")
    assert value_in("9" * 5000) == Value("9" * 5000, "object")


# Whether a prediction is what was seen.

TRUTH = State(Event.RETURN, (frame(9, "main"), frame(3, "f", a="1", b="'x'")), value("5"), "out")


def predicted(**fields: object) -> bool:
    state = replace(TRUTH, **fields)  # type: ignore[arg-type]
    return alike(Situation(state), TRUTH)


def test_a_prediction_is_right_when_every_field_is() -> None:
    outer, inner = TRUTH.stack
    assert predicted()
    assert predicted(stack=(frame(8, "other", z="1"), inner))
    assert predicted(stack=(outer, Frame(FILE, 3, "f", inner.locals[::-1] if inner.locals else ())))
    for wrong in (
        {"event": Event.LINE}, {"arg": value("6")}, {"arg": None}, {"output": ""},
        {"stack": (inner,)}, {"stack": (outer, replace(inner, lineno=4))},
        {"stack": (outer, replace(inner, file="other.py"))},
        {"stack": (outer, frame(3, "f", a="1"))},
        {"stack": (outer, frame(3, "f", a="1", b="'x'", c="1"))},
        {"stack": (outer, frame(3, "f", a="1", b="'y'"))},
        {"stack": (outer, replace(inner, locals=None))},
    ):  # fmt: skip
        assert not predicted(**wrong)
    assert not alike(None, TRUTH)


def test_of_a_jump_to_the_return_the_locals_and_the_output_are_not_asked_for() -> None:
    outer, inner = TRUTH.stack
    bare = replace(TRUTH, stack=(outer, replace(inner, locals=None)), output="")
    assert same_return(Situation(bare), TRUTH)
    assert not same_return(Situation(replace(bare, arg=value("6"))), TRUTH)
    assert not same_return(Situation(replace(bare, stack=(inner,))), TRUTH)
    assert not same_return(None, TRUTH)


def test_locals_are_the_same_names_with_the_same_values() -> None:
    bare = State(Event.LINE, (Frame(FILE, 3, "f", None),))
    empty = State(Event.LINE, (Frame(FILE, 3, "f", ()),))
    assert same_locals(bare, empty)
    assert same_locals(TRUTH, TRUTH)
    assert not same_locals(empty, TRUTH)
    assert not same_locals(TRUTH, empty)


def test_an_exception_is_the_same_by_the_last_part_of_its_type_and_its_message() -> None:
    def arg(told: Value | None, seen: Value | None, event: Event = Event.EXCEPTION) -> bool:
        one, other = (State(event, (frame(3),), each) for each in (told, seen))
        return same_arg(one, other)

    bad = Value("no", "shop.Bad")
    assert arg(bad, Value("no", "Bad"))
    assert arg(Value("no", "Bad"), bad)
    assert not arg(Value("yes", "Bad"), bad)
    assert not arg(Value("no", "Worse"), bad)
    assert arg(Value("<?>", "Bad"), Value("<?>", "Bad"))
    assert not arg(Value("<?>", "Bad"), bad)
    assert arg(None, None)
    assert not arg(None, bad)
    assert not arg(bad, None)
    assert arg(Value("<?>", "Bad", truncated=True), bad, Event.RETURN)


@pytest.mark.parametrize(
    ("told", "seen", "expected"),
    [
        (value("1"), value("1"), True),
        (value("1"), value("2"), False),
        (value("1"), Value("1", "str"), False),
        (Value("<Order>", "shop.Order"), Value("<Order>", "Order"), True),
        (Value("<Order>", "a.b.Order"), Value("<Order>", "c.Order"), True),
        (Value("<Order>", "Order"), Value("<Order>", "Item"), False),
        (Value("<?>", "shop.Order"), Value("<Order>", "Order"), True),
        (Value("<?>", "Item"), Value("<Order>", "Order"), False),
        (Value("<?>", "int"), value("1"), False),
    ],
)
def test_of_an_object_without_text_only_the_type_is_told(
    told: Value, seen: Value, expected: bool
) -> None:
    assert same_value(told, seen) is expected
