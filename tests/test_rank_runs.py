"""What runs beside the crash add to a ranking: spectrum, counterfactuals, lines never come to."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from nsdbg.claim import (
    Call,
    Evidence,
    ExceptionClaim,
    FileCoverage,
    FunctionRef,
    Goal,
    Proposal,
    Raised,
    Reason,
    Script,
    Site,
    Verdict,
)
from nsdbg.localize.clue import Clue, Kind, Mark
from nsdbg.localize.dynamic import (
    AT_ONCE,
    MOST_NEIGHBOURS,
    Ran,
    Runs,
    apart,
    counterfactual_clues,
    executed,
    run_neighbours,
    spectrum_clues,
)
from nsdbg.localize.rank import Suspect, rank
from nsdbg.reproduce import CrashFrame, Level, Reproduction
from nsdbg.reproduce.neighbours import Neighbour, neighbours
from nsdbg.source import Subject
from nsdbg.state import Event

FILE = "/shop/orders.py"
TEXT = "import os\n\ndef total(items, n):\n    return items[n]\n"
TREE = ast.parse(TEXT)
NODE = TREE.body[1]
REF = FunctionRef(FILE, "total", "orders", "/shop")
START = Call((("items", "[1, 2]"), ("n", "2")))


def coverage(*lines: int, possible: Sequence[int] = ()) -> tuple[FileCoverage, ...]:
    return (FileCoverage(FILE, lines, (), tuple(possible)),)


def verdict(
    reason: Reason, *lines: int, start: Call | Script = START, raised: Raised | None = None
) -> Verdict:
    found = Evidence(2, coverage=coverage(*lines, possible=(3, 4, 5)), raised=raised)
    return Verdict(Proposal(start, "search:0"), reason, found)


def reproduction(
    *, start: Call | Script = START, caller: CrashFrame | None = None, module: bool = False,
    message: str | None = "list index out of range",
) -> Reproduction:  # fmt: skip
    claim = ExceptionClaim("IndexError", message) if message else None
    event = Event.EXCEPTION if claim else Event.LINE
    goal = Goal(REF, event, (Site(FILE, 4, "total"),), exception=claim)
    assert isinstance(NODE, ast.FunctionDef)
    subject = Subject(REF, TEXT, TREE, None if module else NODE)
    level = Level(goal, subject, 1, CrashFrame(FILE, 4, "total", "total"), caller)
    return Reproduction(level, verdict(Reason.GOAL_REACHED, 3, 4, start=start), 1)


class Screen:
    """A verifier that answers by a rule, and keeps what it was asked."""

    def __init__(self, rule: Callable[[Proposal], Verdict]) -> None:
        self.rule = rule
        self.asked: list[tuple[Goal, list[Proposal], bool, bool]] = []

    def screen(
        self, goal: Goal, proposals: Sequence[Proposal], *, pure: bool, guided: bool
    ) -> list[Verdict]:
        self.asked.append((goal, list(proposals), pure, guided))
        return [self.rule(one) for one in proposals]

    def confirm(self, goal: Goal, proposal: Proposal) -> Verdict:
        raise AssertionError("neighbours are screened, not confirmed")


def run(
    screen: Screen, found: Reproduction | None = None, *, pure: bool = True, seconds: int = 99
) -> Runs:
    left = iter([1.0] * seconds + [0.0] * 99)
    return run_neighbours(
        found or reproduction(), screen, pure=pure, seed=7, time_left=lambda: next(left)
    )


def same(proposal: Proposal) -> Verdict:
    return verdict(Reason.NOT_REPEATED, 3, 4)


def test_the_neighbours_are_screened_for_the_same_exception_whatever_its_message() -> None:
    screen = Screen(same)
    run(screen, pure=False)
    expected = [one.start for one in neighbours(START, 7)]
    asked = [one for _, proposals, _, _ in screen.asked for one in proposals]
    assert [one.start for one in asked] == expected[:MOST_NEIGHBOURS]
    assert {one.source for one in asked} == {"neighbour:7"}
    exact = reproduction().level.goal
    for goal, proposals, pure, guided in screen.asked:
        assert goal == replace(exact, exception=ExceptionClaim("IndexError"))
        assert 0 < len(proposals) <= AT_ONCE
        assert (pure, guided) == (False, False)


def test_a_goal_without_an_exception_stays_as_it_is() -> None:
    screen = Screen(same)
    run(screen, reproduction(message=None))
    assert screen.asked[0][0] == reproduction(message=None).level.goal
    assert screen.asked[0][2] is True


def test_no_more_neighbours_are_run_than_the_time_and_the_limit_allow() -> None:
    many = Call(tuple((f"a{n}", str(n + 10)) for n in range(20)))
    screen = Screen(same)
    found = run(screen, reproduction(start=many))
    assert [len(one[1]) for one in screen.asked] == [AT_ONCE] * (MOST_NEIGHBOURS // AT_ONCE)
    assert len(found.ran) == MOST_NEIGHBOURS
    brief = Screen(same)
    assert len(run(brief, reproduction(start=many), seconds=2).ran) == 2 * AT_ONCE
    assert run(Screen(same), seconds=0).ran == ()


def test_a_scripts_neighbours_are_drawn_by_the_seed() -> None:
    start = Script(stdin="10 20 30\n")
    screen = Screen(same)
    run(screen, reproduction(start=start))
    assert [one.start for one in screen.asked[0][1]] == [one.start for one in neighbours(start, 7)][
        :AT_ONCE
    ]


def test_the_reproducers_own_lines_are_kept_beside_what_could_have_run() -> None:
    found = run(Screen(same))
    assert found.lines == {(FILE, 3), (FILE, 4)}
    assert found.possible == {(FILE, 3), (FILE, 4), (FILE, 5)}


@pytest.mark.parametrize(
    ("reason", "raised", "failed"),
    [
        (Reason.NOT_REPEATED, Raised("IndexError", "", ()), True),
        (Reason.GOAL_REACHED, Raised("IndexError", "", ()), True),
        (Reason.NO_EXCEPTION, None, False),
        (Reason.NO_EXCEPTION, Raised("KeyError", "", ()), None),
        (Reason.OTHER_EXCEPTION, Raised("KeyError", "", ()), None),
        (Reason.OTHER_EXCEPTION, None, None),
        (Reason.TIMEOUT, None, None),
    ],
)
def test_a_neighbour_failed_alike_or_passed_and_others_are_left_out(
    reason: Reason, raised: Raised | None, failed: bool | None
) -> None:
    found = run(Screen(lambda one: verdict(reason, 3, 5, raised=raised)))
    if failed is None:
        assert found.ran == ()
        return
    assert found.ran[0] == Ran(
        next(neighbours(START, 7)), failed, frozenset({(FILE, 3), (FILE, 5)})
    )
    assert list(found.ran) == (found.failing if failed else found.passing)


# The spectrum.


def ran(failed: bool, *lines: int) -> Ran:
    neighbour = Neighbour(START, "n", "2", "1")
    return Ran(neighbour, failed, frozenset((FILE, line) for line in lines))


def runs(*others: Ran, lines: Sequence[int] = (2, 3, 5)) -> Runs:
    return Runs(frozenset((FILE, line) for line in lines), frozenset(), others)


def spectrum(found: Runs) -> list[tuple[int, str, float]]:
    clues = list(spectrum_clues(found))
    assert all((one.mark, one.file) == (Mark.ONLY_FAILING, FILE) for one in clues)
    return [(one.lineno, one.text, round(one.scale, 4)) for one in clues]


def test_ochiai_is_scaled_from_what_a_line_has_that_always_runs() -> None:
    # 2 failing and 2 passing: a line that always runs has sqrt(2 / 4) of 1.
    found = runs(ran(True, 2, 3), ran(False, 2, 3), ran(False, 2, 9))
    # Line 3 has 2 / sqrt(2 * 3); line 5 has 1 / sqrt(2 * 1), and no more than such a line.
    assert spectrum(found) == [
        (3, "ran in 2 of 2 crashing and 1 of 2 passing runs", 0.3735),
    ]
    rare = runs(ran(True, 2, 3), ran(True, 3), ran(False, 2), ran(False, 2), ran(False, 2, 5))
    assert spectrum(rare) == [
        (3, "ran in 3 of 3 crashing and 0 of 3 passing runs", 1.0),
    ]


def test_lines_of_the_spectrum_come_in_the_order_of_the_file() -> None:
    found = runs(ran(False, 7), lines=(9, 2, 5))
    assert [one[0] for one in spectrum(found)] == [2, 5, 9]
    assert {one[2] for one in spectrum(found)} == {1.0}


def test_a_line_that_ran_in_every_run_is_not_told_at_all() -> None:
    # 1 failing and 3 passing: both numbers are exactly a half.
    always = ran(False, 2)
    assert [one[0] for one in spectrum(runs(always, always, always, lines=(2, 3)))] == [3]


def test_the_spectrum_needs_a_run_that_passed() -> None:
    assert spectrum(runs()) == []
    assert spectrum(runs(ran(True, 2))) == []


# Counterfactuals.


def passed(argument: str, was: str, now: str) -> Ran:
    return Ran(Neighbour(START, argument, was, now), False, frozenset())


def test_an_argument_whose_change_ends_the_crash_points_at_the_caller() -> None:
    caller = CrashFrame("/shop/main.py", 12, "main", "main")
    found = runs(passed("*n", "2", "1"), passed("*n", "2", "0"), passed("items", "[1]", "[2]"))
    assert list(counterfactual_clues(reproduction(caller=caller), found)) == [
        Clue(Mark.CRASH_GONE, "/shop/main.py", 12,
             "with `n` = 1 instead of 2 it does not crash"),
        Clue(Mark.CRASH_GONE, "/shop/main.py", 12,
             "with `items` = [2] instead of [1] it does not crash"),
    ]  # fmt: skip


def test_without_a_caller_it_points_at_the_function_a_little() -> None:
    found = runs(passed("n", "2", "1"), ran(True, 2))
    text = "with `n` = 1 instead of 2 it does not crash"
    expected = [Clue(Mark.CRASH_GONE, FILE, 3, text, 0.1)]
    assert list(counterfactual_clues(reproduction(), found)) == expected
    module = CrashFrame("/shop/main.py", 12, "<module>", "<module>")
    assert list(counterfactual_clues(reproduction(caller=module), found)) == expected
    assert list(counterfactual_clues(reproduction(module=True), found)) == []
    assert list(counterfactual_clues(reproduction(), runs(ran(True, 2)))) == []


def test_texts_are_shortened_to_where_they_differ() -> None:
    assert apart("a" * 40, "b") == ["a" * 40, "b"]
    assert apart("a" * 41, "b") == ["a" * 37 + "...", "b"]
    same = "x" * 30
    assert apart(same + "1" * 20, same + "2") == ["..." + "x" * 20 + "1" * 14 + "...",
                                                  "..." + "x" * 20 + "2"]  # fmt: skip
    assert apart("a\nb\n", "a \n") == ["a\\nb", "a "]
    assert apart("abcd", "abce", limit=4) == ["abcd", "abce"]


# Lines that the crash never came to.

CODE = (
    "def f(x):\n    if x:\n        y = 1\n    else:\n        y = 2\n    return y\n"
    "\ndef g():\n    return 1\n"
)


def test_only_lines_of_a_function_that_ran_are_lowered(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text(CODE)
    file = str(path)
    found = Runs(
        frozenset({(file, 2), (file, 3), (file, 8)}),
        frozenset((file, n) for n in (1, 2, 3, 5, 6, 9)),
    )
    clue = Clue(Mark.GUARD, file, 5, "x")
    suspects = [
        Suspect(file, 6, 0.9001, (clue,)),  # the last line of the function: it could have run
        Suspect(file, 5, 0.8, (clue,)),
        Suspect(file, 1, 0.7, ()),  # the `def` itself
        Suspect(file, 4, 0.6, ()),  # an `else` is no line that can run
        Suspect(file, 9, 0.5, ()),  # of its function only the `def` ran
        Suspect("/other.py", 5, 0.4, ()),
        Suspect(file, 3, 0.3, ()),
    ]
    assert executed(suspects, found) == [
        *suspects[2:],
        Suspect(file, 6, 0.225, (clue,)),
        Suspect(file, 5, 0.2, (clue,)),
    ]


def test_a_function_of_which_only_the_last_line_ran_did_run(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text(CODE)
    file = str(path)
    found = Runs(frozenset({(file, 6)}), frozenset((file, n) for n in (2, 3, 6)))
    suspects = [Suspect(file, 3, 0.8, ()), Suspect(file, 6, 0.4, ())]
    assert [one.score for one in executed(suspects, found)] == [0.4, 0.2]


def test_a_file_that_cannot_be_read_lowers_nothing_and_the_next_is_read(tmp_path: Path) -> None:
    broken, good = tmp_path / "a.py", tmp_path / "b.py"
    broken.write_text("def f(:\n    pass\n")
    good.write_text("async def f(x):\n    if x:\n        y = 1\n    return y\n")
    lines = frozenset({(str(broken), 2), (str(good), 2)})
    found = Runs(lines, lines | {(str(good), 3), (str(broken), 1)})
    suspects = [Suspect(str(good), 3, 0.8, ()), Suspect(str(broken), 1, 0.5, ())]
    assert [(one.file, one.score) for one in executed(suspects, found)] == [
        (str(broken), 0.5),
        (str(good), 0.2),
    ]


# Adding up.


def clue(mark: Mark, text: str = "x", scale: float = 1.0, lineno: int = 1) -> Clue:
    return Clue(mark, "a.py", lineno, text, scale)


def test_a_score_is_what_the_strongest_clue_of_each_kind_leaves_together() -> None:
    marks = [clue(Mark.CRASH_LINE, "a"), clue(Mark.CALLER_LINE, "b"), clue(Mark.GUARD, "c", 0.5)]
    [found] = rank(marks)
    assert found.score == round(1 - (1 - 0.5) * (1 - 0.11), 4)
    assert [one.text for one in found.clues] == ["a", "b", "c"]
    assert found.kinds == (Kind.POSITION, Kind.CONTROL)
    assert rank([clue(Mark.PINNED, "a", 0.0)])[0].score == 0.0


def test_scores_are_rounded_to_four_places() -> None:
    third = clue(Mark.PINNED, "a", 1 / 3)
    assert rank([third])[0].score == 0.02
    assert rank([clue(Mark.CRASH_LINE, "a", 0.123456)])[0].score == 0.0617


def test_clues_come_strongest_first_and_the_stronger_of_two_alike_is_told() -> None:
    weak, strong = clue(Mark.GUARD, "same", 0.1), clue(Mark.ORIGIN, "same")
    other = clue(Mark.PINNED, "other")
    for order in ([weak, strong, other], [other, strong, weak]):
        assert rank(order)[0].clues == (strong, other)


def test_lines_are_ranked_by_score_and_ties_by_the_order_of_their_clues() -> None:
    found = rank([
        clue(Mark.PINNED, lineno=3), clue(Mark.ORIGIN, lineno=2), clue(Mark.ORIGIN, lineno=1),
        Clue(Mark.PINNED, "b.py", 3, "x"),
    ])  # fmt: skip
    assert [(one.file, one.lineno) for one in found] == [
        ("a.py", 2), ("a.py", 1), ("a.py", 3), ("b.py", 3),
    ]  # fmt: skip


@pytest.mark.parametrize("scale", [0.0, 1.0])
def test_a_scale_of_0_or_1_is_allowed(scale: float) -> None:
    assert clue(Mark.ORIGIN, scale=scale).weight == 0.5 * scale


@pytest.mark.parametrize("scale", [-0.01, 1.01])
def test_a_scale_beyond_is_refused_by_name(scale: float) -> None:
    with pytest.raises(ValueError, match=rf"a clue's scale lies in 0\.\.1, not {scale}"):
        clue(Mark.ORIGIN, scale=scale)
