"""What a verdict shows beside its reason: evidence, differences and words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
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
    middle,
    raised,
    return_goal,
    returned,
    step_to,
    stepping,
    twice,
)

from nsdbg.claim import (
    Ending,
    Evidence,
    Goal,
    Hit,
    Miss,
    Observation,
    Proposal,
    Raised,
    Reason,
    Site,
    Verdict,
)
from nsdbg.state import Action, ActionKind, Event, Frame, State, Value
from nsdbg.verify.judge import judge


def differences(verdict: Verdict) -> list[tuple[str, str, str]]:
    return [(one.field, one.claimed, one.observed) for one in verdict.differences]


def judged(goal: Goal, run: Observation, proposal: Proposal = CALL) -> Verdict:
    return judge(goal, proposal, [run, run])


def test_all_that_a_run_showed_is_evidence() -> None:
    near = Hit(line(2))
    run = replace(
        returned(3), near=near, output="hello", distance=2.5, detail="slow",
        misses=(Miss("Eq", "1", "2"),),
    )  # fmt: skip
    first = replace(run, seconds=0.25)
    verdict = judge(return_goal("4"), CALL, [first, replace(run, seconds=0.5)])
    assert verdict.proposal is CALL
    assert verdict.evidence == Evidence(
        runs=2, observed=run.hits[0].state, value=lit(3), raised=None, coverage=run.coverage,
        path=run.path, output="hello", distance=2.5, blocked=(), detail="slow", seconds=0.75,
        misses=run.misses,
    )  # fmt: skip


def test_an_exception_and_a_refused_event_are_evidence() -> None:
    run = replace(raised("KeyError", "'x'"), blocked=("open:x",))
    evidence = judged(exception_goal(), run).evidence
    assert evidence.raised == run.raised
    assert evidence.blocked == ("open:x",)


def test_what_a_verdict_rests_on_is_the_visit_else_the_nearest_one() -> None:
    run = at_line(3, n=1)
    hit, near = run.hits[0], Hit(line(4))
    missing = replace(run, ending=Ending.TIMED_OUT, near=near)
    assert judged(line_goal(), missing).evidence.observed == hit.state
    assert judged(line_goal(), replace(missing, hits=())).evidence.observed == near.state
    assert judged(line_goal(), replace(missing, hits=(), near=None)).evidence.observed is None
    wrong = replace(run, hits=(hit, Hit(line(3, n=2))))
    second = judged(line_goal(locals=(("n", "2"),)), wrong)
    assert second.evidence.observed == line(3, n=2)


@pytest.mark.parametrize(
    ("goal", "runs", "proposal", "reason"),
    [
        (return_goal(), [returned(3)] * 2, CALL, Reason.GOAL_REACHED),
        (return_goal(), [returned(3)], CALL, Reason.NOT_REPEATED),
        (line_goal(), [RUN] * 2, step_to(line(3, n=2)), Reason.TRANSITION),
    ],
)
def test_where_a_goal_is_matched_the_distance_is_none_at_all(
    goal: Goal, runs: Sequence[Observation], proposal: Proposal, reason: Reason
) -> None:
    verdict = judge(goal, proposal, [replace(run, distance=7.0) for run in runs])
    assert (verdict.reason, verdict.evidence.distance) == (reason, 0.0)


def test_runs_that_disagree_name_the_fields_in_which_they_do() -> None:
    verdict = judge(return_goal(), CALL, [returned(3), replace(returned(3), output="x")])
    assert verdict.reason is Reason.NONDETERMINISTIC
    assert differences(verdict) == [("output", "", "x")]


def test_the_words_of_an_odd_ending_are_kept() -> None:
    run = replace(returned(3), ending=Ending.TIMED_OUT, detail="2 s were not enough")
    late = judge(return_goal(), CALL, [replace(returned(3), detail="quick"), run])
    assert (late.reason, late.evidence.detail) == (Reason.TIMEOUT, "2 s were not enough")


@pytest.mark.parametrize(
    ("ending", "detail", "reason"),
    [
        (Ending.TIMED_OUT, "hidden-iterator: line 3", Reason.HIDDEN_ITERATOR),
        (Ending.TIMED_OUT, "it is slow", Reason.TIMEOUT),
        (Ending.BAD_START, "hidden-iterator: line 3", Reason.BAD_START),
        (Ending.CUT, "side-effect: took the trace function", Reason.SIDE_EFFECT),
        (Ending.CUT, "timeout: stopped", Reason.GOAL_REACHED),
        (Ending.RETURNED, "timeout: no", Reason.GOAL_REACHED),
    ],
)
def test_a_detail_names_a_reason_only_of_a_run_that_ended_oddly(
    ending: Ending, detail: str, reason: Reason
) -> None:
    assert twice(line_goal(), replace(at_line(3), ending=ending, detail=detail)) is reason


# Whether a goal asks for the call, or for a state within it.


def test_only_a_goal_of_nothing_but_a_value_asks_what_the_call_gives_back() -> None:
    changed = replace(returned(3, n=1), value=lit("3"))
    assert twice(return_goal("'3'"), changed) is Reason.GOAL_REACHED
    main = (Site(FILE, None, "main"), Site(FILE, None, "total"))
    for fields in ({"lineno": 4}, {"locals": (("n", "1"),)}, {"where": ("n",)}, {"chain": main}):
        assert twice(return_goal("'3'", **fields), changed).status.value == "refuted"
    assert twice(return_goal("3", locals=(("n", "1"),)), changed) is Reason.GOAL_REACHED
    assert twice(Goal(ENTRY, Event.CALL, main[1:]), changed) is Reason.EVENT_DIFFERS


def test_a_calls_verdict_rests_on_the_visit_that_gave_its_value() -> None:
    other = Hit(State(Event.RETURN, (frame(4, n=1),), lit(2)))
    wrong_event = Hit(State(Event.LINE, (frame(4, n=2),), lit(3)))
    right = Hit(State(Event.RETURN, (frame(4, n=3),), lit(3)))
    run = replace(returned(3), hits=(other, wrong_event, right))
    assert judged(return_goal(), run).evidence.observed == right.state
    free = judged(return_goal(None), run)
    assert (free.reason, free.evidence.observed) == (Reason.GOAL_REACHED, other.state)
    assert twice(return_goal(None), replace(run, hits=())) is Reason.GOAL_REACHED
    assert twice(return_goal(), replace(run, hits=())) is Reason.GOAL_REACHED


def test_a_value_that_no_visit_gave_has_to_be_a_literal() -> None:
    nan = Value("nan", "float")
    run = replace(returned(0), value=nan, hits=())
    assert differences(judged(return_goal("nan"), run)) == [("value", "nan", "nan")]
    assert twice(return_goal("nan"), run) is Reason.NOT_A_LITERAL
    seen = replace(run, hits=(Hit(State(Event.RETURN, (frame(4),), nan)),))
    assert twice(return_goal("nan"), seen) is Reason.GOAL_REACHED


# Visits of a line.


def test_the_first_visits_differences_are_told_when_none_is_right() -> None:
    hits = (Hit(line(3, n=1)), Hit(line(3, n=2)))
    run = replace(at_line(3), hits=hits, near=Hit(line(4, n=3)))
    verdict = judged(line_goal(locals=(("n", "0"),)), run)
    assert (verdict.reason, verdict.evidence.observed) == (Reason.LOCALS_DIFFER, hits[0].state)
    assert differences(verdict) == [("local n", "0", "1")]


def test_the_nearest_visit_is_told_when_nothing_was_hit_and_is_never_trusted() -> None:
    near = Hit(line(3, n=1))
    run = replace(at_line(3), hits=(), near=near)
    verdict = judged(line_goal(locals=(("n", "0"),)), run)
    assert (verdict.reason, verdict.evidence.observed) == (Reason.LOCALS_DIFFER, near.state)
    assert differences(verdict) == [("local n", "0", "1")]
    loose = Hit(State(Event.LINE, (Frame(FILE, 3, "total", (("n", Value("nan", "float")),)),)))
    claim = line_goal(locals=(("n", "nan"),))
    assert twice(claim, replace(run, near=loose)) is Reason.NOT_A_LITERAL
    assert twice(claim, replace(run, hits=(loose,), near=None)) is Reason.GOAL_REACHED


def test_a_nearest_visit_in_which_all_is_right_is_no_hit() -> None:
    run = replace(at_line(3), hits=(), near=Hit(line(3)))
    assert twice(line_goal(), run) is Reason.LINE_NOT_REACHED


def test_the_exception_has_to_leave_the_entry_as_it_was_seen() -> None:
    run = raised("KeyError", "'x'")
    other = replace(run, raised=Raised("TypeError", "no", ()))
    assert differences(judged(exception_goal(), other)) == [
        ("exception", "KeyError", "TypeError"),
        ("message", "'x'", "no"),
    ]
    caught = replace(run, raised=None, ending=Ending.RETURNED)
    assert differences(judged(exception_goal(), caught)) == [("exception", "KeyError", "returned")]
    near = replace(other, near=other.hits[0], hits=())
    assert differences(judged(exception_goal(), near)) == differences(
        judged(exception_goal(), other)
    )
    bare = replace(run, hits=(Hit(State(Event.EXCEPTION, (frame(3),))),))
    assert differences(judged(exception_goal(), bare)) == [
        ("exception", "KeyError", "none"),
        ("message", "'x'", ""),
    ]
    # A message that only one of the two shows is not the one that left.
    prefix = exception_goal(message="'x", prefix=True)
    assert twice(prefix, replace(run, raised=Raised("KeyError", "'xy'", ()))) is Reason.GOAL_REACHED
    assert twice(prefix, replace(run, raised=Raised("KeyError", "'y'", ()))) is (
        Reason.MESSAGE_DIFFERS
    )


# Why a site was not reached.


def unreached(**fields: object) -> Observation:
    return replace(returned(3), hits=(), visits=0, **fields)  # type: ignore[arg-type]


def test_a_line_that_was_not_reached_is_named() -> None:
    assert differences(judged(line_goal(5), unreached())) == [("line", "total:5", "not reached")]
    anywhere = Goal(ENTRY, Event.LINE, (Site(FILE, 9, "main"), Site(FILE, None, "total")))
    assert differences(judged(anywhere, unreached())) == [("line", "total:any line", "not reached")]


def test_an_exception_in_the_place_of_a_value_is_named() -> None:
    run = unreached(ending=Ending.RAISED, raised=Raised("KeyError", "'x'", ()))
    assert differences(judged(return_goal("3"), run)) == [("value", "3", "KeyError was raised")]
    nothing = judged(return_goal(None), run)
    assert nothing.reason is Reason.OTHER_EXCEPTION
    assert differences(nothing) == [("value", "a return", "KeyError was raised")]
    # Of a line, the exception says nothing.
    assert differences(judged(line_goal(5), run)) == [("line", "total:5", "not reached")]
    assert twice(return_goal("3", lineno=5), unreached()) is Reason.LINE_NOT_REACHED


def test_an_exception_from_elsewhere_is_told_by_its_stack() -> None:
    chain = (Site(FILE, 9, "main"), Site(FILE, 3, "total"))
    sites = (Site(FILE, 8, "main"), Site("/lib/x.py", 1, "f"))
    run = unreached(ending=Ending.RAISED, raised=Raised("KeyError", "'x'", sites))
    verdict = judged(exception_goal(chain=chain), run)
    assert verdict.reason is Reason.STACK_DIFFERS
    assert differences(verdict) == [("stack", "main:9 > total:3", "main:8 > f:1")]
    none = judged(exception_goal(chain=chain), unreached())
    assert none.reason is Reason.NO_EXCEPTION
    assert differences(none) == [("exception", "KeyError", "returned")]


def test_an_exit_is_no_answer_unless_the_site_was_visited() -> None:
    run = unreached(ending=Ending.EXITED)
    verdict = judged(line_goal(), run)
    assert (verdict.reason, verdict.differences) == (Reason.PROGRAM_EXITED, ())
    visited = replace(run, visits=1)
    assert twice(line_goal(), visited) is Reason.LINE_NOT_REACHED


def test_a_bad_start_is_refuted_whatever_was_seen() -> None:
    assert twice(line_goal(), replace(at_line(3), ending=Ending.BAD_START)) is Reason.BAD_START


# Transitions.


def test_a_refused_event_of_a_transition_is_told() -> None:
    run = replace(RUN, blocked=("open:x",), detail="open was refused")
    verdict = judged(line_goal(3), run, step_to(line(3, n=2)))
    assert (verdict.reason, verdict.evidence.detail) == (Reason.SIDE_EFFECT, "open was refused")


def test_a_start_that_was_another_is_shown_with_its_differences() -> None:
    run = stepping(line(2, n=5), line(3, n=2))
    verdict = judged(line_goal(3), run, step_to(line(3, n=2)))
    assert (verdict.reason, verdict.evidence.observed) == (
        Reason.START_NOT_REACHED, line(2, n=5),
    )  # fmt: skip
    assert verdict.evidence.detail == "the run began in another state"
    assert differences(verdict) == [("local n", "1", "5")]
    # How that run ended does not change why it shows nothing.
    late = replace(run, ending=Ending.TIMED_OUT)
    assert twice_step(line(3, n=2), late) is Reason.START_NOT_REACHED


def twice_step(predicted: State, run: Observation) -> Reason:
    return judged(line_goal(3), run, step_to(predicted)).reason


def test_a_run_that_never_stood_there_says_so_for_the_reason_it_ended() -> None:
    ends = replace(stepping(), ending=Ending.TIMED_OUT)
    verdict = judged(line_goal(3), ends, step_to(line(3)))
    assert (verdict.reason, verdict.evidence.detail) == (
        Reason.TIMEOUT, "the run never stood at the state",
    )  # fmt: skip
    blocked = replace(stepping(), ending=Ending.DIED, detail="no-source: gone")
    assert twice_step(line(3), blocked) is Reason.NO_SOURCE
    refuted = replace(stepping(line(2, n=1)), ending=Ending.TIMED_OUT)
    far = Proposal(middle(n=1), "neural:x", Action(ActionKind.CONTINUE, 8))
    assert judged(line_goal(3), refuted, far).reason is Reason.LINE_NOT_REACHED


def test_ways_that_differ_are_shown_both() -> None:
    one, other = (line(2, n=1), line(3, n=2)), (line(2, n=1), line(3, "1", n=2))
    told = [("way", repr(one)[:200] + "...", repr(other)[:200] + "...")]
    for ways in ([one, one, other], [one, other, other]):
        verdict = judge(line_goal(3), step_to(line(3, n=2)), [stepping(*way) for way in ways])
        assert verdict.reason is Reason.NONDETERMINISTIC
        assert differences(verdict) == told


def test_how_a_run_ended_after_the_state_is_not_told() -> None:
    run = replace(RUN, detail="it went on for long")
    assert judged(line_goal(3), run, step_to(line(3, n=2))).evidence.detail == ""
    assert judged(line_goal(3), run, step_to(line(3, n=9))).evidence.detail == ""


def test_a_transition_rests_on_the_state_it_leads_to_and_on_coverage_of_it() -> None:
    verdict = judged(line_goal(3), RUN, step_to(line(3, n=2)))
    assert (verdict.reason, verdict.evidence.observed) == (Reason.TRANSITION, line(3, n=2))
    blind = judged(line_goal(3), replace(RUN, coverage=()), step_to(line(3, n=2)))
    assert blind.reason is Reason.NONDETERMINISTIC
    one_blind = judge(line_goal(3), step_to(line(3, n=2)), [RUN, replace(RUN, path=())])
    assert one_blind.reason is Reason.NONDETERMINISTIC
