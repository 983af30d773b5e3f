"""STATE and proposals as users write them: what is read, and what is said of what is wrong."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nsdbg.claim import Call, ExceptionClaim, Middle, Site
from nsdbg.errors import StateError, UsageError
from nsdbg.source import Subject, load_subject
from nsdbg.state import Action, ActionKind, Event, Frame, State, Value
from nsdbg.statefile import (
    StateClaim,
    Submission,
    Unreadable,
    goal_from_state,
    middle_from,
    parse_action,
    parse_state,
    read_proposals,
    read_state_text,
    state_from,
    state_to_json,
)

SOURCE = '''\
def total(items, tax=0):
    """Add them up."""
    result = tax
    # nothing happens here
    for item in items:
        result += item
    return result


def main():
    return total([1])
'''


@pytest.fixture
def subject(tmp_path: Path) -> Subject:
    file = tmp_path / "shop.py"
    file.write_text(SOURCE)
    return load_subject(file, "total")


def state(**fields: object) -> StateClaim:
    return parse_state(json.dumps(fields))


def test_the_three_examples_of_the_manual_are_read() -> None:
    assert state(event="return", value="[(4, 1)]") == StateClaim(Event.RETURN, value="[(4, 1)]")
    assert state(event="exception", exception="KeyError", message="'x'").message == "'x'"
    assert state(event="line", lineno=12, locals={"total": "0"}).locals == (("total", "0"),)


def test_an_event_that_the_other_fields_imply_may_be_left_out() -> None:
    assert state(value="3").event is Event.RETURN
    assert state(exception="KeyError").event is Event.EXCEPTION
    assert state(lineno=3).event is Event.LINE


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, ["names no event", "call, line, return, exception"]),
        ({"event": "returned"}, ["'event'", "returned", "return"]),
        ({"evnt": "return"}, ["'evnt'", "did you mean 'event'"]),
        ({"lineno": "3"}, ["'lineno'", "line number", '"3"']),
        ({"lineno": 0}, ["'lineno'", "from 1"]),
        ({"lineno": True}, ["'lineno'"]),
        ({"event": "line"}, ["'line'", "lineno"]),
        ({"value": 3}, ["'value'", 'a Python literal as text, such as "3", not 3']),
        ({"event": "returned"}, ['exception, not "returned"']),
        ({"value": "abc("}, ["value", "abc(", "not a Python literal"]),
        ({"value": "f(1)"}, ["value", "expression"]),
        ({"value": "[].append"}, ["value", "Attribute"]),
        ({"value": "x"}, ["value", "Name"]),
        ({"event": "line", "lineno": 1, "value": "3"}, ["'value' goes with event 'return'"]),
        ({"event": "return", "exception": "KeyError"}, ["'exception' goes with"]),
        ({"event": "exception", "message": "x"}, ["'message' needs its 'exception'"]),
        ({"lineno": 1, "locals": {"n": 3}}, ["locals['n']", "literals as text", '"3"']),
        ({"lineno": 1, "locals": {"n": "foo"}}, ["locals['n']", "'foo'"]),
        ({"lineno": 1, "locals": ["n"]}, ["'locals'", "object"]),
        ({"lineno": 1, "where": "n > 1"}, ["'where'", "list of strings"]),
        ({"lineno": 1, "where": ["n >"]}, ["where", "'n >'", "expression"]),
        ({"lineno": 1, "where": ["n = 1"]}, ["where", "'n = 1'"]),
        ({"lineno": 1, "stack": [{"file": "a"}]}, ["stack[0]", "'function'"]),
        ({"lineno": 1, "remaining": {"x": "[1]"}}, ["remaining['x']", "line of its for"]),
        ({"lineno": 1, "remaining": {"4": "1"}}, ["remaining['4']", "list"]),
        ({"lineno": 1, "message_prefix": 1}, ["'message_prefix'", "true or false"]),
    ],
)
def test_a_wrong_field_is_named_with_its_value_and_what_it_should_be(
    fields: dict[str, object], words: list[str]
) -> None:
    with pytest.raises(StateError) as caught:
        state(**fields)
    for word in words:
        assert word in str(caught.value)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("text", ["", "nope", "[]", "3", "null", "[" * 9999, '"\ud800"', "{"])
def test_what_is_no_json_object_is_refused(text: str) -> None:
    with pytest.raises(StateError):
        parse_state(text)


def test_a_state_that_is_empty_is_told_from_one_that_is_no_json() -> None:
    with pytest.raises(StateError, match=r"the state is empty; give JSON such as .* with --state"):
        parse_state(" \n")


def test_a_file_that_is_not_there_is_named_once(tmp_path: Path) -> None:
    with pytest.raises(StateError) as caught:
        read_state_text(str(tmp_path / "absent.json"))
    assert "...': No such file or directory; give JSON" in str(caught.value)
    assert "Errno" not in str(caught.value)


def test_a_literal_of_more_than_64_kb_is_refused() -> None:
    with pytest.raises(StateError, match="longer than 64 kB"):
        state(value=repr("x" * 65536))
    assert state(value=repr("x" * 65000)).event is Event.RETURN


@given(st.dictionaries(st.text(max_size=8), st.none() | st.integers() | st.text(), max_size=4))
def test_whatever_json_says_is_read_or_refused(fields: dict[str, object]) -> None:
    try:
        read = parse_state(json.dumps(fields))
    except StateError:
        return
    assert set(fields) <= {field.name for field in dataclasses.fields(read)}


def test_a_state_is_read_from_a_file_and_a_missing_one_says_so(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    path.write_text('{"value": "3"}')
    assert parse_state(read_state_text(str(path))).value == "3"
    with pytest.raises(StateError, match="give JSON such as"):
        read_state_text(str(tmp_path / "absent.json"))
    with pytest.raises(StateError, match="cannot read a state"):
        read_state_text(str(tmp_path))


def test_a_claim_becomes_a_goal_of_its_function(subject: Subject) -> None:
    claim = state(lineno=6, locals={"item": "1"}, where=["result < 0"])
    goal = goal_from_state(claim, subject, where=("item > 0",))
    assert goal.chain == (Site(subject.ref.file, 6, "total"),)
    assert (goal.event, goal.exact_chain, goal.previous) == (Event.LINE, True, False)
    assert goal.locals == (("item", "1"),)
    assert goal.where == ("result < 0", "item > 0")


def test_an_exception_claim_keeps_its_message(subject: Subject) -> None:
    claim = state(exception="TypeError", message="unsupp", message_prefix=True)
    assert goal_from_state(claim, subject).exception == ExceptionClaim("TypeError", "unsupp", True)


def test_a_state_in_a_callee_is_reached_through_the_function(subject: Subject) -> None:
    main = load_subject(Path(subject.ref.file), "main")
    goal = goal_from_state(state(function="total", lineno=6), main)
    assert [site.function for site in goal.chain] == ["main", "total"]
    assert not goal.exact_chain


@pytest.mark.parametrize("lineno", [2, 4, 8, 10, 99])
def test_a_line_without_code_is_refused_with_the_nearest_ones(
    subject: Subject, lineno: int
) -> None:
    with pytest.raises(StateError, match=rf"line {lineno} of .* has no code of total; nearest: "):
        goal_from_state(state(lineno=lineno), subject)


def test_the_head_of_a_function_is_a_call_and_no_line(subject: Subject) -> None:
    with pytest.raises(StateError, match=r"line 1 of .* is the head of total, .* first line is 3"):
        goal_from_state(state(event="line", lineno=1), subject)
    with pytest.raises(StateError, match="is the head of total"):
        middle_from(state(event="line", lineno=1), subject)
    assert goal_from_state(state(event="call", lineno=1), subject).chain[-1].lineno == 1


def test_a_body_on_the_line_of_its_head_is_a_line(tmp_path: Path) -> None:
    file = tmp_path / "short.py"
    file.write_text("def half(n): return n / 2\n")
    subject = load_subject(file, "half")
    assert goal_from_state(state(event="line", lineno=1), subject).chain[-1].lineno == 1


def test_a_where_that_is_no_expression_is_refused(subject: Subject) -> None:
    with pytest.raises(StateError, match="--where: where 'n =' is not a Python expression"):
        goal_from_state(state(lineno=3), subject, where=("n =",))


def test_a_where_about_a_name_that_nobody_binds_is_refused(subject: Subject) -> None:
    with pytest.raises(StateError, match=r"--where 'resutl > 3': .* no name resutl; .* 'result'"):
        goal_from_state(state(lineno=3), subject, where=("resutl > 3",))
    with pytest.raises(StateError, match="no name zz"):
        goal_from_state(state(lineno=3, where=["zz"]), subject)


@pytest.mark.parametrize(
    "text",
    ["len(items) == 0", "main is not None", "all(one > tax for one in items)",
     "(lambda x, *y: x)(item)", "__name__ == 'shop'", "[(a := item), a]"],
)  # fmt: skip
def test_a_where_may_name_what_is_bound_anywhere(subject: Subject, text: str) -> None:
    assert goal_from_state(state(lineno=3), subject, where=(text,)).where == (text,)


def test_a_where_is_not_judged_where_a_module_imports_everything(tmp_path: Path) -> None:
    file = tmp_path / "star.py"
    file.write_text("from math import *\n\ndef f(a):\n    return a\n")
    goal = goal_from_state(state(lineno=4), load_subject(file, "f"), where=("a > pi",))
    assert goal.where == ("a > pi",)


def test_a_start_in_the_middle_binds_exactly_what_is_named(subject: Subject) -> None:
    claim = state(lineno=6, locals={"item": "0x10", "result": "1.50"}, remaining={"5": "[2]"})
    middle = middle_from(claim, subject)
    bound = (("item", Value("16", "int", True)), ("result", Value("1.5", "float", True)))
    assert middle.state.stack == (Frame(subject.ref.file, 6, "total", bound),)
    assert middle.remaining == ((5, "[2]"),)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("nan", Value("nan", "float")),
        ("-inf", Value("-inf", "float")),
        ("set()", Value("set()", "set", True)),
        ("frozenset({1})", Value("frozenset({1})", "frozenset")),
        ("-0.0", Value("-0.0", "float", True)),
        ("'a'  'b'", Value("'ab'", "str", True)),
    ],
)
def test_values_are_spelt_as_their_repr(subject: Subject, text: str, value: Value) -> None:
    found = state_from(state(lineno=3, locals={"tax": text}), subject)
    assert found.frame.local("tax") == value


def test_a_state_in_another_function_is_no_start_here(subject: Subject) -> None:
    with pytest.raises(StateError, match="lies in main of"):
        middle_from(state(function="main", lineno=11), subject)
    with pytest.raises(StateError, match="needs a 'lineno'"):
        middle_from(state(value="3"), subject)


literals = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from(["a", "b", "c"]), literals), literals, st.text(max_size=9))
def test_a_state_written_is_the_state_read(
    names: dict[str, object], value: object, output: str
) -> None:
    def taken(item: object) -> Value:
        return Value(repr(item), type(item).__name__, "inf" not in repr(item))

    bound = tuple((name, taken(item)) for name, item in names.items())
    frame = Frame("/x/shop.py", 6, "total", bound)
    before = State(Event.RETURN, (Frame("/x/shop.py", 11, "main"), frame), taken(value), output)
    claim = parse_state(json.dumps(state_to_json(before)))
    assert dict(claim.locals or ()) | dict(claim.opaque) == {n: v.repr for n, v in bound}
    assert (claim.value or claim.opaque_value, claim.output or "") == (repr(value), output)
    assert (claim.file, claim.function, claim.lineno) == ("/x/shop.py", "total", 6)
    assert [frame.function for frame in claim.stack] == ["main"]


def test_values_without_a_literal_are_written_as_opaque() -> None:
    bound = (("self", Value("<Order at 0x...>", "Order")), ("n", Value("1", "int", True)))
    fields = state_to_json(State(Event.LINE, (Frame("/r/a.py", 3, "f", bound),)), root=Path("/r"))
    assert fields == {
        "event": "line",
        "file": "a.py",
        "function": "f",
        "lineno": 3,
        "locals": {"n": "1"},
        "opaque": {"self": "<Order at 0x...>"},
    }
    assert parse_state(json.dumps(fields)).opaque == (("self", "<Order at 0x...>"),)


def proposals(subject: Subject, *entries: dict[str, object]) -> list[Submission | Unreadable]:
    file = Path(subject.ref.file)
    lines = [json.dumps({"file": file.name, "function": "total", **entry}) for entry in entries]
    return list(read_proposals(lines, file.parent))


def test_a_proposed_call_is_read(subject: Subject) -> None:
    [found] = proposals(
        subject,
        {"start": {"call": {"items": "[1, 2]"}, "imports": ["import math"]},
         "goal": {"value": "3"}, "source": "neural:ab", "logp": -1.5},
    )  # fmt: skip
    assert isinstance(found, Submission)
    assert found.proposal.start == Call((("items", "[1, 2]"),), ("import math",))
    assert (found.proposal.source, found.proposal.logp) == ("neural:ab", -1.5)
    assert found.goal.value == "3"


def test_a_proposed_transition_is_read(subject: Subject) -> None:
    [found] = proposals(
        subject,
        {"start": {"state": {"lineno": 6, "locals": {"item": "1", "result": "2"}}},
         "action": "step", "predicted": {"lineno": 5, "locals": {"item": "1", "result": "3"}}},
    )  # fmt: skip
    assert isinstance(found, Submission)
    assert isinstance(found.proposal.start, Middle)
    assert found.proposal.action == Action(ActionKind.STEP)
    assert found.proposal.predicted is not None
    assert found.proposal.predicted.frame.local("result") == Value("3", "int", True)
    assert found.goal.previous
    assert found.goal.locals == (("item", "1"), ("result", "3"))


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ({}, "line 1, start"),
        ({"start": {"call": {}}}, "claims nothing"),
        ({"start": {"call": {}, "state": {}}, "goal": {"value": "1"}}, "one of 'call', 'state'"),
        ({"start": {"call": {"items": 3}}, "goal": {"value": "1"}}, "call['items']"),
        ({"start": {"script": {}}, "goal": {"value": "1"}}, "runs <module>, not total"),
        ({"start": {"call": {}}, "goal": {"vlaue": "1"}}, "did you mean 'value'"),
        ({"start": {"call": {}}, "goal": {"value": "1"}, "action": "step"}, "starts from"),
        ({"start": {"call": {}}, "goal": {"value": "1"}, "action": "stop"}, "one of step, next"),
        ({"start": {"call": {}}, "goal": {"value": "1"}, "logp": "x"}, "'logp'"),
        ({"start": {"call": {}}, "goal": {"lineno": 99}}, "line 99"),
        ({"function": "totl", "start": {"call": {}}, "goal": {"value": "1"}}, "no function totl"),
        ({"file": "absent.py", "start": {"call": {}}, "goal": {"value": "1"}}, "cannot read"),
    ],
)
def test_a_line_that_is_no_proposal_is_named_and_the_others_go_on(
    subject: Subject, entry: dict[str, object], words: str
) -> None:
    good: dict[str, object] = {"start": {"call": {"items": "[]"}}, "goal": {"value": "0"}}
    bad, rest = proposals(subject, entry, good)
    assert isinstance(bad, Unreadable)
    assert words in bad.message
    assert (bad.lineno, "line 1" in bad.message) == (1, True)
    assert isinstance(rest, Submission)
    assert rest.lineno == 2


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("step", Action(ActionKind.STEP)),
        ("until:7", Action(ActionKind.UNTIL, 7)),
        ("continue:12", Action(ActionKind.CONTINUE, 12)),
    ],
)
def test_actions_are_read(text: str, action: Action) -> None:
    assert parse_action(text) == action


@pytest.mark.parametrize("text", ["", "jump", "until", "continue:x", "step:3", "next:", "until:-1"])
def test_what_is_no_action_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="one of step, next, return"):
        parse_action(text)
