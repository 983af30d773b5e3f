"""Whether runs agree, and whether coverage saw what is claimed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from observed import CALL, FILE, at_line, exception_goal, line, line_goal, lit, raised, returned
from observed import frame as frame_at
from observed import step_to as step

from nsdbg.claim import Difference, Ending, FileCoverage, Goal, Observation, Raised, Site
from nsdbg.state import Event, State, Value
from nsdbg.verify.agreement import (
    claimed_sites,
    disagreement,
    observed_only,
    saw_lines,
    shortened,
)
from nsdbg.verify.child.tracer import MAX_PATH

RUN = returned(3)


def fields(found: list[Difference]) -> list[tuple[str, str, str]]:
    return [(one.field, one.claimed, one.observed) for one in found]


def test_runs_that_differ_name_each_field_once_with_both_of_its_values() -> None:
    second = replace(RUN, value=lit(4), output="a")
    third = replace(RUN, value=lit(5), output="b")
    assert fields(disagreement([RUN, second, third])) == [
        ("value", repr(lit(3)), repr(lit(4))),
        ("output", "", "a"),
    ]
    assert fields(disagreement([RUN, RUN, third]))[1] == ("output", "", "b")


def test_runs_may_differ_in_their_seconds_and_in_the_words_of_their_ending() -> None:
    assert disagreement([RUN, replace(RUN, seconds=9.0, detail="slow")]) == []


def test_a_distance_that_is_no_number_equals_itself_and_no_other() -> None:
    unknown = replace(RUN, distance=float("nan"))
    assert disagreement([unknown, replace(RUN, distance=float("nan"))]) == []
    assert fields(disagreement([unknown, RUN])) == [("distance", "nan", "0.0")]
    assert fields(disagreement([RUN, unknown])) == [("distance", "0.0", "nan")]


@pytest.mark.parametrize(
    ("plain", "field", "watched", "unwatched"),
    [
        (replace(RUN, ending=Ending.RAISED), "ending", repr(Ending.RETURNED), repr(Ending.RAISED)),
        (replace(RUN, value=None), "value", repr(lit(3)), "None"),
        (replace(RUN, output="x"), "output", "", "x"),
        (replace(RUN, raised=Raised("KeyError", "'x'", ())), "raised", "None",
         repr(Raised("KeyError", "'x'", ()))),
    ],
)  # fmt: skip
def test_what_shows_only_while_it_is_watched_is_told(
    plain: Observation, field: str, watched: str, unwatched: str
) -> None:
    found = observed_only(RUN, plain)
    assert fields(found) == [(f"{field} when not watched", watched, unwatched)]


def test_a_run_that_is_the_same_unwatched_shows_nothing_and_its_lines_do_not_count() -> None:
    assert observed_only(RUN, replace(RUN, path=(), coverage=(), hits=(), seconds=4.0)) == []


def test_a_run_that_watching_cut_short_has_nothing_to_compare() -> None:
    assert observed_only(replace(RUN, ending=Ending.CUT), replace(RUN, output="more")) == []


def test_only_a_recursions_traceback_may_differ_when_nobody_watches() -> None:
    site = Site(FILE, 3, "total")
    deep, deeper = Raised("RecursionError", "too deep", ()), Raised("RecursionError", "at", (site,))
    run = raised("RecursionError", "too deep")
    assert observed_only(replace(run, raised=deep), replace(run, raised=deeper)) == []
    lost, other = Raised("KeyError", "1", ()), Raised("KeyError", "1", (site,))
    for one, two in [(lost, other), (deep, lost), (lost, deep), (deep, None), (None, deep)]:
        found = observed_only(replace(run, raised=one), replace(run, raised=two))
        assert fields(found) == [("raised when not watched", repr(one), repr(two))]


def test_long_values_are_shortened_to_two_hundred_characters() -> None:
    assert shortened("a" * 200) == "a" * 200
    assert shortened("a" * 201) == "a" * 200 + "..."
    assert shortened([1]) == "[1]"
    assert shortened("'a'") == "'a'"


# Which lines are claimed, and whether a run executed them.


def test_a_goal_claims_its_lines_and_of_a_return_only_its_callers() -> None:
    main, here = Site(FILE, 9, "main"), Site(FILE, 3, "total")
    goal = line_goal()
    assert claimed_sites(replace(goal, chain=(main, here)), CALL, None) == [main, here]
    assert claimed_sites(exception_goal(chain=(main, here)), CALL, None) == [main, here]
    ends = Goal(goal.entry, Event.RETURN, (main, here))
    assert claimed_sites(ends, CALL, None) == [main]
    between = replace(ends, chain=(main, here, Site(FILE, 5, "inner")))
    assert claimed_sites(between, CALL, None) == [main, here]
    begins = Goal(goal.entry, Event.CALL, (main, here))
    assert claimed_sites(begins, CALL, None) == [main]
    anywhere = Site(FILE, None, "total")
    assert claimed_sites(replace(goal, chain=(main, anywhere)), CALL, None) == [main]


def test_a_transition_claims_the_line_it_leads_to() -> None:
    assert claimed_sites(line_goal(), step(None), line(7)) == [Site(FILE, 7, "total")]
    returning = State(Event.RETURN, (frame_at(7),), Value("1", "int", True))
    assert claimed_sites(line_goal(), step(None), returning) == []
    assert claimed_sites(line_goal(), step(None), None) == []


def sites(*places: tuple[int, str]) -> tuple[Site, ...]:
    return tuple(Site(FILE, lineno, function) for lineno, function in places)


def ran(*places: tuple[int, str], file: str = FILE) -> Observation:
    lines = tuple(sorted({lineno for lineno, _ in places}))
    path = tuple(Site(file, lineno, function) for lineno, function in places)
    return replace(at_line(2), path=path, coverage=(FileCoverage(file, lines, (), lines),))


def test_claimed_lines_count_in_the_order_in_which_they_ran() -> None:
    run = ran((9, "main"), (2, "total"), (3, "total"))
    assert saw_lines(sites((9, "main"), (3, "total")), run)
    assert saw_lines((), run)
    assert not saw_lines(sites((3, "total"), (9, "main")), run)
    assert not saw_lines(sites((4, "total")), run)
    assert not saw_lines(sites((9, "main"), (4, "total")), run)
    assert not saw_lines(sites((3, "other")), run)
    # Each claimed line is a visit of its own.
    assert not saw_lines(sites((2, "total"), (2, "total")), run)


def test_a_path_needs_the_coverage_of_the_same_file() -> None:
    run = ran((2, "total"))
    elsewhere = replace(run, coverage=ran((2, "total"), file="/shop/other.py").coverage)
    assert saw_lines(sites((2, "total")), run)
    assert not saw_lines(sites((2, "total")), elsewhere)
    assert not saw_lines(sites((2, "total")), replace(run, path=()))


def test_a_path_that_was_cut_shows_no_order() -> None:
    covered = ran((2, "total"), (3, "total"))
    claimed = sites((3, "total"), (2, "total"))
    full = replace(covered, path=sites((3, "total")) * MAX_PATH)
    assert saw_lines(claimed, full)
    assert not saw_lines(claimed, replace(full, path=full.path[1:]))


def test_a_generator_goes_on_in_the_middle_of_a_line_that_ran_before(tmp_path: Path) -> None:
    source = tmp_path / "gen.py"
    source.write_text(
        "def lazy():\n    yield 1\n\ndef eager():\n    return 1\n\n"
        "async def waits(x):\n    await x\n"
    )
    file = str(source)

    def resumed(function: str) -> bool:
        run = ran((2, function), (5, "inner"), (9, "main"), file=file)
        claimed = [Site(file, 9, "main"), Site(file, 2, function), Site(file, 5, "inner")]
        return saw_lines(claimed, run)

    assert resumed("lazy")
    assert resumed("waits")
    assert not resumed("eager")
    assert not resumed("nobody")
    never = [Site(file, 9, "main"), Site(file, 5, "lazy")]
    assert not saw_lines(never, ran((5, "inner"), (9, "main"), file=file))
