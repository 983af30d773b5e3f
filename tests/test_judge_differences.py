"""What a claim and an observation do not have in common, told field by field."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest
from observed import ENTRY, FILE, exception_goal, frame, line, line_goal, lit, return_goal

from nsdbg.claim import ExceptionClaim, Goal, Hit, Reason, Site
from nsdbg.state import Event, Frame, State, Value
from nsdbg.verify.child.values import MAX_CHARS
from nsdbg.verify.comparison import (
    Finding,
    chain_findings,
    exception_findings,
    hit_findings,
    likeness,
    local_findings,
    state_findings,
    value_findings,
    where_findings,
    worst,
)

Told = tuple[Reason, str, str, str]
ORDER = Value("<Order>", "Order")


def told(findings: Iterable[Finding]) -> list[Told]:
    return [
        (one.reason, one.difference.field, one.difference.claimed, one.difference.observed)
        for one in findings
    ]


def test_a_difference_that_was_seen_refutes_whatever_could_not_be_compared() -> None:
    open_, wrong, other = (
        told_as(Reason.NOT_A_LITERAL), told_as(Reason.LINE_DIFFERS), told_as(Reason.LOCALS_DIFFER),
    )  # fmt: skip
    assert worst([open_, wrong, other]) is Reason.LINE_DIFFERS
    assert worst([open_, told_as(Reason.TOO_LARGE)]) is Reason.NOT_A_LITERAL
    assert worst([]) is None


def told_as(reason: Reason) -> Finding:
    [found] = value_findings("1", None, trusted=False)
    return replace(found, reason=reason)


def test_a_value_is_compared_by_type_before_its_text_is_looked_at() -> None:
    assert likeness("1", lit(1)) is None
    assert likeness("1", Value("1...", "str", truncated=True)) is Reason.VALUE_DIFFERS
    assert likeness("'a'", Value("'a", "str", truncated=True)) is Reason.TOO_LARGE
    assert likeness("[1]", Value("[<Order>]", "list")) is Reason.NOT_A_LITERAL
    assert likeness("[1]", Value("[2]", "list")) is Reason.VALUE_DIFFERS
    assert likeness("f()", lit(1)) is Reason.BAD_PROPOSAL


def test_a_return_value_is_told_beside_what_was_claimed() -> None:
    assert told(value_findings("3", lit(4), trusted=False)) == [
        (Reason.VALUE_DIFFERS, "value", "3", "4")
    ]
    assert told(value_findings("3", None, trusted=True)) == [
        (Reason.VALUE_DIFFERS, "value", "3", "no value was returned")
    ]
    assert told(value_findings("3", lit(3), trusted=False)) == []
    loose = Value("nan", "float")
    assert told(value_findings("nan", loose, trusted=True)) == []
    assert told(value_findings("nan", loose, trusted=False)) == [
        (Reason.NOT_A_LITERAL, "value", "nan", "nan")
    ]


def test_each_local_that_is_not_as_claimed_is_told_by_its_name() -> None:
    here = Frame(FILE, 3, "total", (("a", lit(1)), ("b", lit("x")), ("o", ORDER)))
    claimed = [("a", "1"), ("b", "'y'"), ("c", "0"), ("o", "2"), ("a", "f()")]
    assert told(local_findings(claimed, here, trusted=False)) == [
        (Reason.LOCALS_DIFFER, "local b", "'y'", "'x'"),
        (Reason.LOCALS_DIFFER, "local c", "0", "unbound"),
        (Reason.LOCALS_DIFFER, "local o", "2", "<Order>"),
        (Reason.BAD_PROPOSAL, "local a", "f()", "1"),
    ]
    bare = Frame(FILE, 3, "total", None)
    assert told(local_findings([("a", "1")], bare, trusted=True)) == [
        (Reason.NOT_A_LITERAL, "local a", "1", "locals were not recorded")
    ]
    loose = Frame(FILE, 3, "total", (("a", Value("nan", "float")),))
    assert told(local_findings([("a", "nan")], loose, trusted=True)) == []
    assert told(local_findings([("a", "nan")], loose, trusted=False)) == [
        (Reason.NOT_A_LITERAL, "local a", "nan", "nan")
    ]


def test_an_exceptions_type_and_message_are_told_apart() -> None:
    claim = ExceptionClaim("KeyError", "'x'")
    assert told(exception_findings(claim, "KeyError", "'x'")) == []
    assert told(exception_findings(claim, "TypeError", "no")) == [
        (Reason.OTHER_EXCEPTION, "exception", "KeyError", "TypeError"),
        (Reason.MESSAGE_DIFFERS, "message", "'x'", "no"),
    ]
    assert told(exception_findings(ExceptionClaim("KeyError", "'x"), "KeyError", "'x'")) == [
        (Reason.MESSAGE_DIFFERS, "message", "'x", "'x'")
    ]
    assert told(exception_findings(ExceptionClaim("KeyError"), "TypeError", "no")) == [
        (Reason.OTHER_EXCEPTION, "exception", "KeyError", "TypeError")
    ]


def test_a_message_as_long_as_what_is_kept_of_it_may_have_been_cut() -> None:
    long = "x" * MAX_CHARS
    whole = ExceptionClaim("KeyError", long)
    assert told(exception_findings(whole, "KeyError", long)) == [
        (Reason.TOO_LARGE, "message", long, long)
    ]
    prefix = ExceptionClaim("KeyError", long, message_prefix=True)
    assert told(exception_findings(prefix, "KeyError", long)) == []
    short = ExceptionClaim("KeyError", long[1:])
    assert told(exception_findings(short, "KeyError", long[1:])) == []
    begin = ExceptionClaim("KeyError", "ab", message_prefix=True)
    assert told(exception_findings(begin, "KeyError", "abc")) == []
    assert told(exception_findings(begin, "KeyError", "cab")) == [
        (Reason.MESSAGE_DIFFERS, "message", "ab", "cab")
    ]


def chained(*places: tuple[int | None, str], exact: bool = True) -> Goal:
    sites = tuple(Site(FILE, lineno, function) for lineno, function in places)
    return Goal(ENTRY, Event.LINE, sites, exact_chain=exact)


def stack(*places: tuple[int, str]) -> tuple[Frame, ...]:
    return tuple(frame(lineno, function) for lineno, function in places)


def test_a_chain_is_the_stack_from_its_first_function_on() -> None:
    goal = chained((9, "main"), (3, "total"))
    assert told(chain_findings(goal, stack((9, "main"), (3, "total")))) == []
    assert told(chain_findings(goal, stack((1, "wrap"), (9, "main"), (3, "total")))) == []
    seen = stack((9, "main"), (5, "via"), (3, "total"))
    assert told(chain_findings(goal, seen)) == [
        (Reason.STACK_DIFFERS, "stack", "main > total", "main > via > total")
    ]
    assert told(chain_findings(goal, stack((3, "total")))) == [
        (Reason.STACK_DIFFERS, "stack", "main > total", "total")
    ]
    elsewhere = (Frame("/x.py", 9, "main"), frame(3, "total"))
    assert told(chain_findings(goal, elsewhere)) == [
        (Reason.STACK_DIFFERS, "stack", "main > total", "main > total")
    ]


def test_every_line_of_a_chain_is_compared_and_one_that_is_not_given_is_free() -> None:
    goal = chained((9, "main"), (None, "via"), (3, "total"))
    assert told(chain_findings(goal, stack((9, "main"), (5, "via"), (3, "total")))) == []
    goal = chained((9, "main"), (6, "via"), (3, "total"))
    assert told(chain_findings(goal, stack((8, "main"), (5, "via"), (4, "total")))) == [
        (Reason.LINE_DIFFERS, "line", "main:9", "8"),
        (Reason.LINE_DIFFERS, "line", "via:6", "5"),
        (Reason.LINE_DIFFERS, "line", "total:3", "4"),
    ]


def test_other_frames_may_lie_between_those_of_a_loose_chain_in_their_order() -> None:
    loose = chained((9, "main"), (6, "via"), (7, "also"), (3, "total"), exact=False)
    seen = stack((9, "main"), (1, "a"), (6, "via"), (2, "b"), (7, "also"), (3, "total"))
    assert told(chain_findings(loose, seen)) == []
    backwards = stack((9, "main"), (7, "also"), (6, "via"), (3, "total"))
    other_line = stack((9, "main"), (5, "via"), (7, "also"), (3, "total"))
    none_between = stack((9, "main"), (3, "total"))
    not_the_end = stack((9, "main"), (6, "via"), (7, "also"), (3, "other"))
    for wrong in (backwards, other_line, none_between, not_the_end):
        assert [one[0] for one in told(chain_findings(loose, wrong))] == [Reason.STACK_DIFFERS]


def test_the_ends_of_a_loose_chain_keep_their_lines() -> None:
    loose = chained((9, "main"), (None, "via"), (3, "total"), exact=False)
    assert told(chain_findings(loose, stack((8, "main"), (5, "via"), (4, "total")))) == [
        (Reason.LINE_DIFFERS, "line", "main:9", "8"),
        (Reason.LINE_DIFFERS, "line", "total:3", "4"),
    ]
    short = chained((9, "main"), (3, "total"), exact=False)
    assert told(chain_findings(short, stack((9, "main"), (3, "total")))) == []
    one = chained((9, "main"), exact=False)
    assert told(chain_findings(one, stack((9, "main"), (4, "via"), (9, "main")))) == []


def test_constraints_that_were_not_true_are_told_with_what_they_were() -> None:
    goal = line_goal(where=("a", "b", "c", "d"))
    assert told(where_findings(goal, (True, False, None))) == [
        (Reason.CONSTRAINT_FALSE, "where", "b", "False"),
        (Reason.CONSTRAINT_FALSE, "where", "c", "it raised or was not evaluated"),
        (Reason.CONSTRAINT_FALSE, "where", "d", "it raised or was not evaluated"),
    ]
    assert told(where_findings(goal, (True,) * 4)) == []


def test_a_visit_is_compared_in_everything_a_goal_names() -> None:
    goal = return_goal("3", lineno=5, locals=(("n", "1"),), where=("n",))
    hit = Hit(State(Event.LINE, (frame(4, n=2),), None), (False,))
    assert told(hit_findings(goal, hit)) == [
        (Reason.EVENT_DIFFERS, "event", "return", "line"),
        (Reason.LINE_DIFFERS, "line", "total:5", "4"),
        (Reason.VALUE_DIFFERS, "value", "3", "no value was returned"),
        (Reason.LOCALS_DIFFER, "local n", "1", "2"),
        (Reason.CONSTRAINT_FALSE, "where", "n", "False"),
    ]
    thrown = Hit(State(Event.EXCEPTION, (frame(3),), Value("no", "TypeError")))
    assert told(hit_findings(exception_goal(), thrown)) == [
        (Reason.OTHER_EXCEPTION, "exception", "KeyError", "TypeError"),
        (Reason.MESSAGE_DIFFERS, "message", "'x'", "no"),
    ]
    nothing = Hit(State(Event.EXCEPTION, (frame(3),)))
    assert told(hit_findings(exception_goal(), nothing)) == [
        (Reason.OTHER_EXCEPTION, "exception", "KeyError", "none"),
        (Reason.MESSAGE_DIFFERS, "message", "'x'", ""),
    ]


def test_a_visit_that_the_child_compared_is_trusted_unless_it_is_said_not_to_be() -> None:
    loose = Value("nan", "float")
    goal = return_goal("nan", lineno=4, locals=(("a", "nan"),))
    hit = Hit(State(Event.RETURN, (Frame(FILE, 4, "total", (("a", loose),)),), loose))
    assert told(hit_findings(goal, hit)) == []
    assert [one[:2] for one in told(hit_findings(goal, hit, trusted=False))] == [
        (Reason.NOT_A_LITERAL, "value"),
        (Reason.NOT_A_LITERAL, "local a"),
    ]


# Whole states.


def test_each_field_of_a_state_is_told_as_predicted_and_as_seen() -> None:
    predicted = State(Event.LINE, (frame(9, "main"), frame(3, n=1)), None, "a")
    seen = State(Event.RETURN, (frame(4, n=1, m=2),), None, "b")
    assert told(state_findings(predicted, seen)) == [
        (Reason.EVENT_DIFFERS, "event", "line", "return"),
        (Reason.STACK_DIFFERS, "stack", "main > total", "total"),
        (Reason.LINE_DIFFERS, "line", "total:3", "total:4"),
        (Reason.LOCALS_DIFFER, "local m", "unbound", "2"),
        (Reason.OUTPUT_DIFFERS, "output", "a", "b"),
    ]
    assert told(state_findings(seen, seen)) == []


def test_the_frames_of_a_state_are_compared_from_the_innermost_outwards() -> None:
    predicted = State(Event.LINE, (frame(9, "main", a=1), frame(3, n=1)))
    seen = State(Event.LINE, (frame(8, "main", a=2), frame(3, n=2)))
    assert told(state_findings(predicted, seen)) == [
        (Reason.LOCALS_DIFFER, "local n", "1", "2"),
        (Reason.LINE_DIFFERS, "line", "main:9", "main:8"),
        (Reason.LOCALS_DIFFER, "local a", "1", "2"),
    ]


def with_local(value: Value | None) -> State:
    names = () if value is None else (("o", value),)
    return State(Event.LINE, (Frame(FILE, 3, "total", names),))


@pytest.mark.parametrize(
    ("predicted", "seen", "expected"),
    [
        (Value("<Order>", "object"), ORDER, None),
        (Value("<Order>", "object"), lit(1), Reason.LOCALS_DIFFER),
        (Value("<Order>", "object"), None, Reason.LOCALS_DIFFER),
        (Value("<Order>", "object"), Value("set()", "set"), Reason.LOCALS_DIFFER),
        (Value("set()", "object"), Value("set()", "set"), Reason.LOCALS_DIFFER),
        (Value("set()", "object"), Value("set()", "Order"), None),
        (Value("<Order>", "object"), Value("-inf", "float"), Reason.LOCALS_DIFFER),
        (Value("<Order>", "object"), Value("[1, ...", "list", truncated=True), None),
        (ORDER, ORDER, Reason.NOT_A_LITERAL),
        (ORDER, Value("<Item>", "Item"), Reason.LOCALS_DIFFER),
        (ORDER, lit(1), Reason.LOCALS_DIFFER),
        (Value("1", "int"), lit(1), None),
        (Value("1", "str"), lit(1), None),
        (lit(1), ORDER, Reason.LOCALS_DIFFER),
        (Value("nan", "float"), Value("nan", "float"), Reason.NOT_A_LITERAL),
        (Value("inf", "float"), lit(1.0), Reason.LOCALS_DIFFER),
    ],
)
def test_a_predicted_local_is_its_text_and_of_an_opaque_one_only_its_name_is_claimed(
    predicted: Value, seen: Value | None, expected: Reason | None
) -> None:
    found = told(state_findings(with_local(predicted), with_local(seen)))
    observed = "unbound" if seen is None else seen.repr
    wrong = (expected, "local o", predicted.repr, observed)
    assert found == ([] if expected is None else [wrong])


def test_what_no_literal_stands_for_has_not_to_be_predicted() -> None:
    assert told(state_findings(with_local(None), with_local(ORDER))) == []
    assert told(state_findings(with_local(None), with_local(lit(1)))) == [
        (Reason.LOCALS_DIFFER, "local o", "unbound", "1")
    ]
    bare = State(Event.LINE, (Frame(FILE, 3, "total", None),))
    assert told(state_findings(bare, with_local(lit(1)))) == []
    assert told(state_findings(with_local(lit(1)), bare)) == [
        (Reason.NOT_A_LITERAL, "local o", "1", "locals were not recorded")
    ]


def ending(event: Event, arg: Value | None) -> State:
    return State(event, (frame(3),), arg)


def test_what_goes_with_an_event_is_compared_where_it_was_predicted() -> None:
    def arg(event: Event, predicted: Value | None, seen: Value | None) -> list[Told]:
        return told(state_findings(ending(event, predicted), ending(event, seen)))

    assert arg(Event.RETURN, None, lit(1)) == []
    assert arg(Event.RETURN, lit(1), None) == [
        (Reason.VALUE_DIFFERS, "value", "1", "no value was returned")
    ]
    assert arg(Event.RETURN, lit(1), lit(2)) == [(Reason.VALUE_DIFFERS, "value", "1", "2")]
    loose = Value("nan", "float")
    assert arg(Event.RETURN, loose, loose) == [(Reason.NOT_A_LITERAL, "value", "nan", "nan")]
    error = Value("'x'", "KeyError")
    assert arg(Event.EXCEPTION, error, error) == []
    assert arg(Event.EXCEPTION, error, None) == [
        (Reason.OTHER_EXCEPTION, "exception", "KeyError", "none"),
        (Reason.MESSAGE_DIFFERS, "message", "'x'", ""),
    ]
    opaque = Value("<?>", "object")
    assert arg(Event.RETURN, opaque, ORDER) == [(Reason.NOT_A_LITERAL, "value", "<?>", "<Order>")]
    assert arg(Event.RETURN, opaque, lit(1)) == [(Reason.VALUE_DIFFERS, "value", "<?>", "1")]
    assert arg(Event.RETURN, opaque, Value("nan", "float")) == [
        (Reason.VALUE_DIFFERS, "value", "<?>", "nan")
    ]
    assert arg(Event.RETURN, opaque, None) == [
        (Reason.VALUE_DIFFERS, "value", "<?>", "no value was returned")
    ]
    assert arg(Event.LINE, lit(1), lit(2)) == []
    assert arg(Event.LINE, opaque, lit(2)) == []
    other = told(state_findings(ending(Event.RETURN, lit(1)), ending(Event.LINE, None)))
    assert [one[0] for one in other] == [Reason.EVENT_DIFFERS]


def test_what_was_printed_on_the_way_is_compared() -> None:
    assert told(state_findings(line(3, "a"), line(3))) == [
        (Reason.OUTPUT_DIFFERS, "output", "a", "")
    ]
