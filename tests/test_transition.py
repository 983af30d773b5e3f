"""Where one command leads in a recorded run, and in which words it is told when it is unknown."""

from __future__ import annotations

from dataclasses import replace

import pytest
from observed import RUN, frame, line, line_goal, lit, middle, returned, step_to, stepping

from nsdbg.claim import Call, Ending, Hit, Middle, Observation, Proposal, Reason
from nsdbg.state import Action, ActionKind, Event, Frame, State, Trace, Value
from nsdbg.verify.transition import Step, examine_step, next_state, remaining_after, slug_of

STEP = Action(ActionKind.STEP)
START = middle(n=1)


def test_a_step_leads_to_the_next_state_with_the_way_to_it() -> None:
    found = next_state(START, STEP, RUN)
    assert found == Step(line(3, n=2), way=(line(2, n=1), line(3, n=2)))


def test_what_was_printed_on_the_way_is_the_output_of_the_state_it_leads_to() -> None:
    run = stepping(line(2, "before", n=1), line(3, "a"), line(4, "b"), line(5, "c"), line(6, "d"))
    found = next_state(START, Action(ActionKind.CONTINUE, 5), run)
    assert found.state == line(5, "abc")
    assert [state.output for state in found.way] == ["before", "a", "b", "c"]


def test_what_was_printed_before_the_start_does_not_make_it_another() -> None:
    assert next_state(START, STEP, stepping(line(2, "x", n=1), line(3))).state == line(3)
    told = Middle(line(2, "y", n=1))
    assert next_state(told, STEP, stepping(line(2, n=1), line(3))).state == line(3)


def test_frames_above_the_entry_that_were_not_run_stay_on_the_stack() -> None:
    main = frame(9, "main", a=1)
    start = Middle(State(Event.LINE, (frame(8, "top"), main, frame(2, n=1))))
    found = next_state(start, STEP, RUN)
    assert found.state == State(Event.LINE, (frame(8, "top"), main, frame(3, n=2)))
    assert found.way == (line(2, n=1), line(3, n=2))
    wrong = next_state(start, STEP, stepping(line(2, n=7), line(3)))
    assert wrong.state is not None
    assert wrong.state.stack == (frame(8, "top"), main, frame(2, n=7))
    assert [one.difference.field for one in wrong.findings] == ["local n"]


def test_a_run_that_began_elsewhere_says_in_what() -> None:
    found = next_state(START, STEP, stepping(line(2, n=5), line(3)))
    assert (found.state, found.reason) == (line(2, n=5), Reason.START_NOT_REACHED)
    assert found.detail == "the run began in another state"
    [finding] = found.findings
    assert (finding.difference.claimed, finding.difference.observed) == ("1", "5")


def test_the_start_is_one_of_the_first_three_events_in_the_oldest_frame() -> None:
    inner = State(Event.LINE, (frame(2), frame(2, "inner", n=1)))
    late = stepping(inner, line(2, n=1), line(3))
    assert next_state(START, STEP, late).state == line(3)
    too_late = stepping(inner, inner, line(2, n=1), line(3))
    assert next_state(START, STEP, too_late).state is None
    calls = Middle(State(Event.CALL, (frame(2),)))
    assert next_state(calls, STEP, stepping(line(3))).state == line(3)


def lasting(**fields: object) -> Observation:
    return replace(stepping(line(2, n=1)), **fields)  # type: ignore[arg-type]


CALLER = "what follows lies in the caller, which the state does not hold"
LONG = "the run is longer than what is recorded of it"


@pytest.mark.parametrize(
    ("run", "action", "reason", "detail"),
    [
        (lasting(), STEP, Reason.START_NOT_REACHED, CALLER),
        (lasting(), Action(ActionKind.RETURN), Reason.START_NOT_REACHED, CALLER),
        (lasting(), Action(ActionKind.CONTINUE, 8), Reason.LINE_NOT_REACHED,
         "the function ends before it reaches line 8"),
        (lasting(), Action(ActionKind.UNTIL, 7), Reason.LINE_NOT_REACHED,
         "the function ends before it reaches line 7"),
        (lasting(ending=Ending.CUT), STEP, Reason.TOO_LARGE, LONG),
        (lasting(trace=Trace((line(2, n=1),), complete=False)), STEP, Reason.TOO_LARGE, LONG),
        (lasting(detail="hidden-iterator: asks for more"), STEP, Reason.HIDDEN_ITERATOR,
         "hidden-iterator: asks for more"),
        (stepping(), STEP, Reason.START_NOT_REACHED, "the run never stood at the state"),
        (replace(stepping(), detail="no-source: it is gone"), STEP, Reason.NO_SOURCE,
         "no-source: it is gone"),
        (replace(stepping(), detail="odd"), STEP, Reason.START_NOT_REACHED, "odd"),
        (returned(0), STEP, Reason.START_NOT_REACHED, "the run never stood at the state"),
    ],
)  # fmt: skip
def test_no_next_state_has_a_reason_in_words(
    run: Observation, action: Action, reason: Reason, detail: str
) -> None:
    assert next_state(START, action, run) == Step(reason=reason, detail=detail)


def test_what_lies_behind_a_yield_is_the_consumers_doing() -> None:
    out = State(Event.RETURN, (frame(2, n=1),), lit(1))
    back = State(Event.CALL, (frame(2, n=1),))
    run = stepping(line(2, n=1), out, back, line(3, n=1))
    trace = replace(run.trace, activations=(0, 0, 0, 0, 0), generators=frozenset({0}))  # type: ignore[type-var]
    run = replace(run, trace=trace)
    found = next_state(START, Action(ActionKind.NEXT), run)
    assert (found.state, found.reason) == (line(2, n=1), Reason.START_NOT_REACHED)
    assert found.detail == "between lies a yield, and what its consumer does is not in the state"


def test_a_slug_is_what_a_detail_begins_with_and_belongs_to_an_unknown_reason() -> None:
    assert slug_of("timeout: slow") is Reason.TIMEOUT
    assert slug_of("timeout") is Reason.TIMEOUT
    assert slug_of("a: timeout: slow") is None
    assert slug_of("line-differs: no") is None
    assert slug_of("") is None


# Compared with what was claimed.


def test_only_a_start_in_the_middle_of_a_recorded_run_can_be_examined() -> None:
    nothing = Step(reason=Reason.START_NOT_REACHED, detail="no run was recorded from a state")
    called = Proposal(Call(), "neural:x", STEP, line(3, n=2))
    assert examine_step(line_goal(), called, STEP, RUN) == nothing
    assert examine_step(line_goal(), step_to(line(3)), STEP, returned(0)) == nothing


def test_a_step_that_went_wrong_is_not_compared() -> None:
    run = stepping(line(2, n=5), line(3, n=2))
    found = examine_step(line_goal(), step_to(line(9)), STEP, run)
    assert found == next_state(START, STEP, run)
    gone = stepping(line(2, n=1))
    assert examine_step(line_goal(), step_to(line(9)), STEP, gone).findings == ()


def test_without_a_prediction_the_goal_is_compared_with_what_the_child_saw_there() -> None:
    goal = line_goal(3, locals=(("n", "2"),), where=("n == 2",))
    visits = (Hit(line(3, n=1), (False,)), Hit(line(3, n=2), (True,)))
    found = examine_step(goal, step_to(None), STEP, replace(RUN, hits=visits))
    assert found.findings == ()
    elsewhere = State(Event.LINE, (frame(2, n=2), frame(3, n=2)))
    for other in (line(4, n=2), elsewhere, State(Event.CALL, (frame(3, n=2),)), line(3, n=1)):
        seen = replace(RUN, hits=(Hit(other, (True,)),))
        findings = examine_step(goal, step_to(None), STEP, seen).findings
        assert [one.reason for one in findings] == [Reason.CONSTRAINT_FALSE]


def test_a_visit_of_the_child_is_trusted_and_a_state_without_one_is_not() -> None:
    loose = (("n", Value("nan", "float")),)
    after = State(Event.LINE, (Frame(frame(3).file, 3, "total", loose),))
    goal = line_goal(3, locals=(("n", "nan"),))
    run = stepping(line(2, n=1), after)
    [finding] = examine_step(goal, step_to(None), STEP, run).findings
    assert finding.reason is Reason.NOT_A_LITERAL
    seen = replace(run, hits=(Hit(after),))
    assert examine_step(goal, step_to(None), STEP, seen).findings == ()


# What the loops around a start have yet to give.

LOOP = {2: range(3, 5)}


def loop(*lines: int) -> tuple[State, ...]:
    return tuple(line(lineno) for lineno in lines)


def left(*way: State, remaining: tuple[tuple[int, str], ...] = ((2, "[7, 8, 9]"),)) -> object:
    start = Middle(way[0], remaining)
    return remaining_after(start, way, LOOP)


def test_an_item_is_taken_where_a_loops_line_is_followed_by_its_body() -> None:
    assert left(*loop(3, 4)) == ((2, "[7, 8, 9]"),)
    assert left(*loop(3, 4, 2)) == ((2, "[7, 8, 9]"),)
    assert left(*loop(4, 2, 3)) == ((2, "[8, 9]"),)
    assert left(*loop(4, 2, 3, 4, 2, 3)) == ((2, "[9]"),)


def test_a_loop_that_was_left_has_nothing_to_give_and_the_others_go_on() -> None:
    assert left(*loop(4, 2, 5)) == ()
    both = ((8, "[1]"), (2, "[7, 8]"))
    assert left(*loop(4, 2, 3), remaining=both) == ((2, "[8]"),)
    # A loop whose body is not known goes on as long as the way ends on its line.
    assert left(*loop(3, 8), remaining=((8, "[1]"),)) == ((8, "[1]"),)


def test_lines_of_calls_on_the_way_take_nothing() -> None:
    inner = State(Event.LINE, (frame(2), frame(3, "total")))
    assert left(line(2), inner, line(2), line(3)) == ((2, "[8, 9]"),)
    into = State(Event.LINE, (frame(3), frame(9, "inner")))
    assert left(line(4), line(2), line(3), into) == ((2, "[8, 9]"),)
    ends = State(Event.RETURN, (frame(2),), lit(0))
    assert left(line(4), ends, line(3)) == ((2, "[7, 8, 9]"),)
