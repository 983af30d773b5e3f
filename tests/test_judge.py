"""The judge: what is confirmed, what is refuted, what stays unknown, and why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from observed import (
    CALL,
    ENTRY,
    FILE,
    RUN,
    at_line,
    exception_goal,
    frame,
    line,
    line_goal,
    lit,
    raised,
    reason,
    return_goal,
    returned,
    step_to,
    stepping,
    twice,
)

from nsdbg.claim import (
    Ending,
    FileCoverage,
    Goal,
    Hit,
    Observation,
    Proposal,
    Raised,
    Reason,
    Site,
    Status,
)
from nsdbg.state import ActionKind, Event, Frame, State, Value
from nsdbg.verify.comparison import likeness
from nsdbg.verify.judge import judge


def test_two_agreeing_runs_of_the_goal_confirm() -> None:
    verdict = judge(return_goal(), CALL, [returned(3), returned(3)])
    assert (verdict.reason, verdict.status) == (Reason.GOAL_REACHED, Status.CONFIRMED)
    assert (verdict.evidence.runs, verdict.evidence.distance) == (2, 0.0)
    assert verdict.evidence.seconds == pytest.approx(0.02)
    assert verdict.evidence.path[0] == Site(FILE, 2, "total")
    assert verdict.differences == ()


def test_one_run_confirms_nothing() -> None:
    assert reason(return_goal(), returned(3)) is Reason.NOT_REPEATED
    assert reason(line_goal(), at_line(3)) is Reason.NOT_REPEATED


def test_no_run_is_nothing_to_judge() -> None:
    with pytest.raises(ValueError, match=r"^there is nothing to judge without an observation$"):
        judge(return_goal(), CALL, [])


def test_a_wrong_value_is_refuted_with_the_difference() -> None:
    verdict = judge(return_goal("3"), CALL, [returned(4), returned(4)])
    assert verdict.reason is Reason.VALUE_DIFFERS
    [difference] = verdict.differences
    assert (difference.field, difference.claimed, difference.observed) == ("value", "3", "4")


@pytest.mark.parametrize(
    ("claimed", "value"),
    [
        ("1", True),
        ("True", 1),
        ("1", 1.0),
        ("0.0", -0.0),
        ("-0.0", 0.0),
        ("(1,)", [1]),
        ("[1, 2]", (1, 2)),
        ("[1]", [True]),
        ("{'a': 1, 'b': 2}", {"b": 2, "a": 1}),
        ("{1: 2}", {True: 2}),
        ("{1}", {True}),
        ("'1'", 1),
        ("b'a'", "a"),
        ("''", None),
        ("[[1], [2]]", [[1], [2.0]]),
        ("1+2j", 1 - 2j),
        ("None", False),
    ],
)
def test_values_that_compare_equal_or_look_alike_are_still_others(
    claimed: str, value: object
) -> None:
    assert twice(return_goal(claimed), returned(value)) is Reason.VALUE_DIFFERS


@pytest.mark.parametrize(
    ("claimed", "value"),
    [
        ("0x10", 16),
        ("{2, 1}", {1, 2}),
        ("'a' 'b'", "ab"),
        (" [1,2] ", [1, 2]),
        ("-0.0", -0.0),
        ("{'b': 2, 'a': 1}", {"b": 2, "a": 1}),
        ("None", None),
    ],
)
def test_the_spelling_of_a_literal_does_not_matter(claimed: str, value: object) -> None:
    assert twice(return_goal(claimed), returned(value)) is Reason.GOAL_REACHED


def with_value(value: Value) -> Observation:
    run = returned(0)
    state = replace(run.hits[0].state, arg=value)
    return replace(run, value=value, hits=(Hit(state),))


@pytest.mark.parametrize(
    ("claimed", "seen", "expected"),
    [
        ("'aaa'", Value("'aa...'", "str", truncated=True), Reason.TOO_LARGE),
        ("[1]", Value("[1]", "list", truncated=True), Reason.TOO_LARGE),
        ("'aaa'", Value("[...]", "list", truncated=True), Reason.VALUE_DIFFERS),
        ("1", Value("<Order at 0x...>", "Order"), Reason.VALUE_DIFFERS),
        ("[1]", Value("[<Order at 0x...>]", "list"), Reason.NOT_A_LITERAL),
        ("'a'", Value("'a'", "Name"), Reason.VALUE_DIFFERS),
        ("f(1)", lit(1), Reason.BAD_PROPOSAL),
        ("", lit(1), Reason.BAD_PROPOSAL),
    ],
)
def test_a_text_that_is_not_the_value_confirms_nothing(
    claimed: str, seen: Value, expected: Reason
) -> None:
    assert twice(return_goal(claimed), with_value(seen)) is expected


def test_a_list_of_objects_that_print_like_numbers_is_no_list_of_numbers() -> None:
    seen = Value("[1, 2]", "list", literal=False)
    assert likeness("[1, 2]", seen) is Reason.NOT_A_LITERAL
    goal = line_goal(3, locals=(("rows", "[1, 2]"),))
    bound = Frame(FILE, 3, "total", (("rows", seen),))
    run = replace(at_line(3), hits=(), near=Hit(State(Event.LINE, (bound,))))
    assert twice(goal, run) is Reason.NOT_A_LITERAL


@pytest.mark.parametrize(("text", "kind"), [("nan", "float"), ("set()", "set"), ("[nan]", "list")])
def test_values_whose_text_is_no_literal_need_the_child_to_have_compared_them(
    text: str, kind: str
) -> None:
    assert likeness(text, Value(text, kind)) is Reason.NOT_A_LITERAL
    assert likeness(text, Value(text, kind), trusted=True) is None
    assert twice(return_goal(text), with_value(Value(text, kind))) is Reason.GOAL_REACHED


def test_a_decorated_call_is_judged_by_what_the_call_gives_back() -> None:
    changed = replace(returned(3), value=lit("3"))
    assert twice(return_goal("3"), changed) is Reason.VALUE_DIFFERS
    assert twice(return_goal("'3'"), changed) is Reason.GOAL_REACHED
    # With a line or a local, it is the function's own return that is asked for.
    assert twice(return_goal("3", lineno=4), changed) is Reason.GOAL_REACHED


ENDINGS = {
    Ending.TIMED_OUT: Reason.TIMEOUT,
    Ending.BLOCKED: Reason.SIDE_EFFECT,
    Ending.OUT_OF_MEMORY: Reason.OUT_OF_MEMORY,
    Ending.DIED: Reason.PROCESS_DIED,
    Ending.NOT_STARTED: Reason.NO_SOURCE,
    Ending.BAD_START: Reason.BAD_START,
}


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("goal", [return_goal(), line_goal(), exception_goal()])
def test_an_ending_that_leaves_the_truth_open_confirms_nothing(ending: Ending, goal: Goal) -> None:
    run = replace(returned(3), ending=ending)
    assert twice(goal, run) is ENDINGS[ending]
    mixed = reason(goal, returned(3), run)
    open_one = ENDINGS[ending].status is Status.UNKNOWN
    assert mixed is (ENDINGS[ending] if open_one else Reason.NONDETERMINISTIC)


def test_every_ending_is_judged() -> None:
    definite = {Ending.RETURNED, Ending.RAISED, Ending.EXITED, Ending.CUT}
    assert set(ENDINGS) | definite == set(Ending)


def test_a_refusal_that_the_program_swallowed_is_a_side_effect() -> None:
    run = replace(returned(3), blocked=("open:/etc/passwd",))
    verdict = judge(return_goal(), CALL, [run, run])
    assert verdict.reason is Reason.SIDE_EFFECT
    assert verdict.evidence.blocked == ("open:/etc/passwd",)


def test_a_detail_may_name_its_own_reason() -> None:
    run = Observation(Ending.NOT_STARTED, 0.0, detail="hidden-iterator: line 12 asks for more")
    verdict = judge(return_goal(), CALL, [run, run])
    assert verdict.reason is Reason.HIDDEN_ITERATOR
    assert verdict.evidence.detail == "hidden-iterator: line 12 asks for more"
    cut = replace(run, ending=Ending.CUT, coverage=returned(3).coverage)
    assert twice(return_goal(), cut) is Reason.HIDDEN_ITERATOR
    assert twice(return_goal(), replace(cut, detail="")) is Reason.TOO_LARGE
    assert twice(return_goal(), replace(cut, detail="", coverage=())) is Reason.TIMEOUT
    lost = replace(at_line(3), ending=Ending.CUT, detail="side-effect: took the trace function")
    assert twice(line_goal(), lost) is Reason.SIDE_EFFECT


def test_what_was_seen_before_a_cut_was_seen() -> None:
    assert twice(line_goal(), replace(at_line(3), ending=Ending.CUT)) is Reason.GOAL_REACHED


def test_an_exit_is_unknown_unless_the_state_was_reached_before() -> None:
    exited = replace(returned(3), ending=Ending.EXITED, value=None, hits=(), visits=0)
    assert twice(return_goal(), exited) is Reason.PROGRAM_EXITED
    assert twice(line_goal(), exited) is Reason.PROGRAM_EXITED
    assert twice(line_goal(), replace(at_line(3), ending=Ending.EXITED)) is Reason.GOAL_REACHED


@pytest.mark.parametrize(
    "change",
    [
        lambda run: replace(run, output="other"),
        lambda run: replace(run, value=lit(9)),
        lambda run: replace(run, hits=()),
        lambda run: replace(run, visits=7),
        lambda run: replace(run, path=run.path[1:]),
        lambda run: replace(run, coverage=()),
        lambda run: replace(run, ending=Ending.RAISED),
        lambda run: replace(run, raised=Raised("KeyError", "'x'", ())),
    ],
)
def test_two_runs_that_differ_anywhere_but_in_time_are_nondeterministic(
    change: Callable[[Observation], Observation],
) -> None:
    verdict = judge(return_goal(), CALL, [returned(3), change(returned(3))])
    assert verdict.reason is Reason.NONDETERMINISTIC
    assert len(verdict.differences) >= 1


def test_locals_are_compared_and_unnamed_ones_are_free() -> None:
    run = at_line(3, total=5, n=1)
    assert twice(line_goal(locals=(("total", "5"),)), run) is Reason.GOAL_REACHED
    assert twice(line_goal(locals=(("total", "6"),)), run) is Reason.LOCALS_DIFFER
    assert twice(line_goal(locals=(("absent", "6"),)), run) is Reason.LOCALS_DIFFER
    bare = replace(run, hits=(Hit(State(Event.LINE, (Frame(FILE, 3, "total", None),))),))
    assert twice(line_goal(locals=(("total", "5"),)), bare) is Reason.NOT_A_LITERAL


def test_a_constraint_must_be_true_not_merely_evaluated() -> None:
    goal = line_goal(where=("n > 0", "m"))
    run = at_line(3)

    def with_truths(*truths: bool | None) -> Observation:
        return replace(run, hits=(Hit(run.hits[0].state, truths),))

    assert twice(goal, with_truths(True, True)) is Reason.GOAL_REACHED
    for truths in [(True, False), (True, None), (None, True), (True,), ()]:
        assert twice(goal, with_truths(*truths)) is Reason.CONSTRAINT_FALSE


def test_a_later_visit_may_be_the_right_one() -> None:
    wrong, right = at_line(3, total=1).hits[0], at_line(3, total=2).hits[0]
    run = replace(at_line(3), hits=(wrong, right))
    verdict = judge(line_goal(locals=(("total", "2"),)), CALL, [run, run])
    assert verdict.reason is Reason.GOAL_REACHED
    assert verdict.evidence.observed == right.state


def test_a_line_nobody_visited_was_not_reached() -> None:
    run = replace(returned(3), hits=(), visits=0)
    assert twice(line_goal(5), run) is Reason.LINE_NOT_REACHED


def test_the_right_line_under_a_wrong_stack_is_not_the_state() -> None:
    main = frame(9, "main")
    nested = replace(at_line(3), hits=(Hit(State(Event.LINE, (main, frame(3)))),))
    chain = (Site(FILE, 9, "main"), Site(FILE, 3, "total"))
    goal = Goal(ENTRY, Event.LINE, chain)
    assert twice(goal, at_line(3)) is Reason.STACK_DIFFERS
    seen = replace(
        nested, path=(Site(FILE, 9, "main"), *nested.path),
        coverage=(FileCoverage(FILE, (2, 3, 4, 9), (), ()),),
    )  # fmt: skip
    assert twice(goal, seen) is Reason.GOAL_REACHED
    other = replace(goal, chain=(Site(FILE, 8, "main"), chain[1]))
    assert twice(other, seen) is Reason.LINE_DIFFERS
    between = replace(seen, hits=(Hit(State(Event.LINE, (main, frame(7, "via"), frame(3)))),))
    assert twice(goal, between) is Reason.STACK_DIFFERS
    assert twice(replace(goal, exact_chain=False), between) is Reason.GOAL_REACHED


def test_a_recursive_call_is_not_the_entry_itself() -> None:
    deep = replace(at_line(3), hits=(Hit(State(Event.LINE, (frame(2), frame(3)))),))
    assert twice(line_goal(3), deep) is Reason.STACK_DIFFERS


def test_wrappers_of_a_decorator_may_lie_above_the_entry() -> None:
    wrapped = replace(at_line(3), hits=(Hit(State(Event.LINE, (frame(20, "wrapper"), frame(3)))),))
    assert twice(line_goal(3), wrapped) is Reason.GOAL_REACHED


def test_coverage_has_to_have_seen_the_line() -> None:
    run = at_line(3)
    blind = replace(run, coverage=(FileCoverage(FILE, (2, 4), (), (2, 3, 4)),))
    assert twice(line_goal(3), blind) is Reason.NONDETERMINISTIC
    elsewhere = replace(run, coverage=(FileCoverage("/shop/other.py", (2, 3, 4), (), ()),))
    assert twice(line_goal(3), elsewhere) is Reason.NONDETERMINISTIC


def test_claimed_lines_must_have_been_executed_in_order() -> None:
    chain = (Site(FILE, 9, "main"), Site(FILE, 3, "total"))
    run = raised("KeyError", "'x'", 3, frame(9, "main"))
    assert twice(exception_goal(chain=chain), run) is Reason.GOAL_REACHED
    backwards = replace(run, path=tuple(reversed(run.path)))
    assert twice(exception_goal(chain=chain), backwards) is Reason.NONDETERMINISTIC


def test_exceptions_are_compared_by_type_message_and_place() -> None:
    run = raised("KeyError", "'x'")
    assert twice(exception_goal(), run) is Reason.GOAL_REACHED
    assert twice(exception_goal(message=None), run) is Reason.GOAL_REACHED
    assert twice(exception_goal(message="'", prefix=True), run) is Reason.GOAL_REACHED
    assert twice(exception_goal("IndexError"), run) is Reason.OTHER_EXCEPTION
    assert twice(exception_goal("LookupError", None), run) is Reason.OTHER_EXCEPTION
    assert twice(exception_goal(message="'y'"), run) is Reason.MESSAGE_DIFFERS
    assert twice(exception_goal(message="x"), run) is Reason.MESSAGE_DIFFERS
    assert twice(exception_goal(chain=(Site(FILE, 4, "total"),)), run) is Reason.LINE_DIFFERS
    assert twice(exception_goal(chain=(Site(FILE, 3, "other"),)), run) is Reason.STACK_DIFFERS
    assert twice(exception_goal(), returned(3)) is Reason.EVENT_DIFFERS
    assert twice(exception_goal(), replace(returned(3), hits=())) is Reason.NO_EXCEPTION


def test_an_exception_that_was_caught_on_the_way_out_does_not_count() -> None:
    run = raised("KeyError", "'x'")
    caught = replace(run, ending=Ending.RETURNED, raised=None, value=lit(3))
    assert twice(exception_goal(), caught) is Reason.NO_EXCEPTION
    other = replace(run, raised=Raised("RuntimeError", "'x'", ()))
    assert twice(exception_goal(), other) is Reason.OTHER_EXCEPTION


def test_another_exception_elsewhere_names_itself() -> None:
    run = replace(raised("TypeError", "no"), hits=())
    verdict = judge(exception_goal(), CALL, [run, run])
    assert verdict.reason is Reason.OTHER_EXCEPTION
    assert ("exception", "KeyError", "TypeError") in [
        (d.field, d.claimed, d.observed) for d in verdict.differences
    ]
    assert twice(return_goal(), run) is Reason.OTHER_EXCEPTION


# Transitions.


def judged(proposal: Proposal, run: Observation = RUN, goal: Goal | None = None) -> Reason:
    goal = goal or Goal(ENTRY, Event.LINE, (Site(FILE, 3, "total"),), previous=True)
    return reason(goal, run, replace(run, seconds=9.0), proposal=proposal)


def test_a_predicted_state_that_comes_true_is_a_transition() -> None:
    assert judged(step_to(line(3, n=2))) is Reason.TRANSITION
    one = judge(line_goal(3), step_to(line(3, n=2)), [RUN])
    assert one.reason is Reason.NOT_REPEATED


@pytest.mark.parametrize(
    ("predicted", "expected"),
    [
        (line(4, n=2), Reason.LINE_DIFFERS),
        (line(3, n=3), Reason.LOCALS_DIFFER),
        (line(3, n=2, m=1), Reason.LOCALS_DIFFER),
        (line(3), Reason.LOCALS_DIFFER),
        (line(3, n=True), Reason.LOCALS_DIFFER),
        (line(3, "hello", n=2), Reason.OUTPUT_DIFFERS),
        (State(Event.RETURN, (frame(3, n=2),), lit(2)), Reason.EVENT_DIFFERS),
        (State(Event.LINE, (frame(9, "main"), frame(3, n=2))), Reason.STACK_DIFFERS),
        (State(Event.LINE, (frame(3, "other", n=2),)), Reason.STACK_DIFFERS),
        (State(Event.LINE, (Frame("/x.py", 3, "total", frame(3, n=2).locals),)),
         Reason.STACK_DIFFERS),
    ],
)  # fmt: skip
def test_every_field_of_a_predicted_state_is_compared(predicted: State, expected: Reason) -> None:
    verdict = judge(line_goal(3), step_to(predicted), [RUN, RUN])
    assert verdict.reason is expected
    assert verdict.evidence.observed is not None
    assert verdict.evidence.observed.frame.lineno == 3
    assert len(verdict.differences) >= 1


def test_every_difference_of_a_predicted_state_is_named() -> None:
    predicted = State(Event.RETURN, (frame(4, n=5, m=1),), lit(1), "out")
    verdict = judge(line_goal(3), step_to(predicted), [RUN, RUN])
    assert {d.field for d in verdict.differences} == {
        "event", "line", "local n", "local m", "output"
    }  # fmt: skip


def test_locals_that_were_not_predicted_are_not_claimed() -> None:
    bare = State(Event.LINE, (Frame(FILE, 3, "total", None),))
    assert judged(step_to(bare)) is Reason.TRANSITION


def test_a_return_value_is_compared_and_so_is_an_exception() -> None:
    def ends(value: Value, event: Event = Event.RETURN) -> State:
        return State(event, (frame(3, n=2),), value)

    action = ActionKind.RETURN
    assert judged(step_to(ends(lit(2)), action)) is Reason.TRANSITION
    assert judged(step_to(ends(lit(2.0)), action)) is Reason.VALUE_DIFFERS
    run = stepping(line(2, n=1), ends(Value("no", "KeyError"), Event.EXCEPTION))
    assert judged(step_to(ends(Value("no", "KeyError"), Event.EXCEPTION)), run) is Reason.TRANSITION
    other = step_to(ends(Value("no", "TypeError"), Event.EXCEPTION))
    assert judged(other, run) is Reason.OTHER_EXCEPTION
    other = step_to(ends(Value("yes", "KeyError"), Event.EXCEPTION))
    assert judged(other, run) is Reason.MESSAGE_DIFFERS


def test_values_that_are_no_literals_neither_confirm_nor_have_to_be_predicted() -> None:
    thing = Value("<Order>", "Order")
    after = State(Event.LINE, (Frame(FILE, 3, "total", (("n", lit(2)), ("o", thing))),))
    run = stepping(line(2, n=1), after)
    assert judged(step_to(line(3, n=2)), run) is Reason.TRANSITION
    assert judged(step_to(after), run) is Reason.NOT_A_LITERAL
    opaque = Frame(FILE, 3, "total", (("n", lit(2)), ("o", Value("<Order>", "object"))))
    assert judged(step_to(State(Event.LINE, (opaque,))), run) is Reason.TRANSITION


def test_a_goal_may_stand_for_the_prediction() -> None:
    goal = Goal(ENTRY, Event.LINE, (Site(FILE, 3, "total"),), locals=(("n", "2"),), previous=True)
    assert judged(step_to(None), goal=goal) is Reason.TRANSITION
    wrong = replace(goal, locals=(("n", "1"),))
    assert judged(step_to(None), goal=wrong) is Reason.LOCALS_DIFFER
    condition = replace(goal, where=("n == 2",))
    assert judged(step_to(None), goal=condition) is Reason.CONSTRAINT_FALSE
    hit = Hit(line(3, n=2), (True,))
    seen = replace(RUN, hits=(hit,))
    assert judged(step_to(None), seen, condition) is Reason.TRANSITION


def test_a_run_that_did_not_begin_in_the_state_shows_nothing() -> None:
    elsewhere = stepping(line(2, n=1, extra=None), line(3, n=2))
    assert judged(step_to(line(3, n=2)), elsewhere) is Reason.START_NOT_REACHED
    assert judged(step_to(line(3, n=2)), stepping()) is Reason.START_NOT_REACHED
    assert judged(step_to(line(3, n=2)), returned(0)) is Reason.START_NOT_REACHED


def test_what_comes_after_the_predicted_state_does_not_count() -> None:
    proposal = step_to(line(3, n=2))
    late = replace(RUN, ending=Ending.TIMED_OUT)
    assert judged(proposal, late) is Reason.TRANSITION
    cut = replace(RUN, ending=Ending.CUT, detail="hidden-iterator: line 9")
    assert judged(proposal, cut) is Reason.TRANSITION
    other = replace(RUN, output="7", trace=replace(RUN.trace, states=RUN.trace.states[:3]))  # type: ignore[type-var,union-attr]
    assert reason(line_goal(3), RUN, other, proposal=proposal) is Reason.TRANSITION
    blocked = replace(RUN, blocked=("open:x",))
    assert judged(proposal, blocked) is Reason.SIDE_EFFECT


def test_what_comes_before_it_does() -> None:
    printed = stepping(line(2, n=1), line(3, "1", n=2))
    proposal = step_to(line(3, n=2))
    assert reason(line_goal(3), RUN, printed, proposal=proposal) is Reason.NONDETERMINISTIC


def test_no_successor_says_why() -> None:
    end = stepping(line(2, n=1))
    assert judged(step_to(None), end) is Reason.START_NOT_REACHED
    far = step_to(None, ActionKind.CONTINUE, 8)
    assert judged(far) is Reason.LINE_NOT_REACHED
    short = replace(end, trace=replace(end.trace, complete=False))  # type: ignore[type-var]
    assert judged(step_to(None), short) is Reason.TOO_LARGE
    cut = replace(end, ending=Ending.CUT, detail="hidden-iterator: line 2 asks for the next item")
    assert judged(step_to(None), cut) is Reason.HIDDEN_ITERATOR
    late = replace(end, ending=Ending.TIMED_OUT)
    assert judged(step_to(None), late) is Reason.TIMEOUT


# No pair of observations that differs or mismatches is confirmed.

values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from([0.0, -0.0, 1.0, "", "1"]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.lists(inner, max_size=2).map(tuple)
        | st.dictionaries(st.sampled_from([0, 1, "a"]), inner, max_size=2)
    ),
    max_leaves=4,
)


@given(values, values)
def test_a_value_is_confirmed_exactly_when_its_text_is_the_same(one: object, two: object) -> None:
    confirmed = twice(return_goal(repr(one)), returned(two)) is Reason.GOAL_REACHED
    assert confirmed == (repr(one) == repr(two))


@given(values, values)
def test_a_local_is_confirmed_exactly_when_its_text_is_the_same(one: object, two: object) -> None:
    goal = line_goal(3, locals=(("x", repr(one)),))
    assert (twice(goal, at_line(3, x=two)) is Reason.GOAL_REACHED) == (repr(one) == repr(two))


frames_ = st.builds(
    lambda lineno, function, names: frame(lineno, function, **names),
    st.integers(2, 4),
    st.sampled_from(["total", "main"]),
    st.dictionaries(st.sampled_from(["n", "m"]), st.integers(0, 1), max_size=2),
)
args_ = st.none() | st.builds(lit, st.integers(0, 1)) | st.just(Value("'x'", "KeyError"))
states_ = st.builds(
    lambda event, stack, arg: State(event, tuple(stack), arg),
    st.sampled_from(Event), st.lists(frames_, min_size=1, max_size=2), args_,
)  # fmt: skip
hits_ = st.builds(
    lambda state, truths: Hit(state, tuple(truths)),
    states_, st.lists(st.sampled_from([True, False, None]), max_size=2),
)  # fmt: skip
runs_ = st.builds(
    lambda ending, value, error, hits, near, lines, blocked: Observation(
        ending, 0.0, value=value, raised=error, hits=tuple(hits), near=near, visits=len(hits),
        path=tuple(Site(FILE, n, "total") for n in lines),
        coverage=(FileCoverage(FILE, tuple(lines), (), ()),), blocked=tuple(blocked),
    ),
    st.sampled_from(Ending), args_, st.none() | st.just(Raised("KeyError", "'x'", ())),
    st.lists(hits_, max_size=2), st.none() | hits_,
    st.lists(st.integers(2, 4), max_size=4), st.lists(st.just("open"), max_size=1),
)  # fmt: skip
goals_ = st.one_of(
    st.builds(lambda value, n: return_goal(value, lineno=n),
              st.sampled_from(["0", "1", None]), st.sampled_from([None, 2, 3])),
    st.builds(lambda n, m, tests: line_goal(n, locals=(("n", m),), where=tuple(tests)),
              st.integers(2, 4), st.sampled_from(["0", "1"]),
              st.lists(st.just("n"), max_size=1)),
    st.builds(exception_goal, st.just("KeyError"), st.sampled_from([None, "'x'"])),
)  # fmt: skip


def holds(goal: Goal, run: Observation) -> bool:
    """Say in other words than the judge's whether a run bears a goal out; used as its oracle."""
    if run.ending not in (Ending.RETURNED, Ending.RAISED, Ending.EXITED, Ending.CUT):
        return False
    if run.blocked:
        return False
    if goal.event is Event.RETURN and goal.chain[0].lineno is None:
        text = run.value and run.value.repr
        return run.ending is Ending.RETURNED and goal.value in (None, text)
    for hit in run.hits:
        top = hit.state.frame
        names = dict(top.locals or ())
        if (
            hit.state.event is goal.event
            and len(hit.state.stack) - sum(f.function == "main" for f in hit.state.stack[:1]) == 1
            and (top.function, top.lineno) == ("total", goal.chain[0].lineno)
            and all(name in names and names[name].repr == text for name, text in goal.locals)
            and hit.where[: len(goal.where)] == (True,) * len(goal.where)
            and (goal.value is None or (hit.state.arg and hit.state.arg.repr == goal.value))
            and (goal.exception is None or (hit.state.arg and hit.state.arg.type == "KeyError"
                                            and run.raised is not None))
            and (goal.event is Event.RETURN or any(s.lineno == top.lineno for s in run.path))
        ):  # fmt: skip
            return True
    return False


@given(goals_, runs_, runs_)
def test_what_is_confirmed_agrees_and_holds_in_both_runs(
    goal: Goal, one: Observation, two: Observation
) -> None:
    if judge(goal, CALL, [one, two]).status is Status.CONFIRMED:
        assert one == two
        assert holds(goal, one)


@given(goals_, runs_)
def test_agreeing_runs_are_confirmed_exactly_when_the_goal_holds(
    goal: Goal, run: Observation
) -> None:
    verdict = judge(goal, CALL, [run, run])
    assert (verdict.status is Status.CONFIRMED) == holds(goal, run)
    assert judge(goal, CALL, [run]).status is not Status.CONFIRMED


@given(states_, states_)
def test_a_predicted_state_is_confirmed_only_when_it_is_the_one_that_came(
    predicted: State, came: State
) -> None:
    assume(len(came.stack) == 1)
    run = stepping(line(2, n=1), came)
    verdict = judge(line_goal(3), step_to(predicted), [run, run])
    if verdict.status is Status.CONFIRMED:
        assert (predicted.event, predicted.output) == (came.event, came.output)
        claimed = [(f.file, f.lineno, f.function) for f in predicted.stack]
        assert claimed == [(f.file, f.lineno, f.function) for f in came.stack]
        assert dict(predicted.frame.locals or ()) == dict(came.frame.locals or ())
        if predicted.arg is not None and came.event in (Event.RETURN, Event.EXCEPTION):
            assert predicted.arg == came.arg
