"""Clues added up into a ranking, and the evidence of runs and of version control."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nsdbg.claim import Call, Script
from nsdbg.localize.clue import Clue, Kind, Mark
from nsdbg.localize.dynamic import Ran, Runs, apart, executed, spectrum_clues
from nsdbg.localize.history import history_clues
from nsdbg.localize.rank import Suspect, rank
from nsdbg.reproduce.neighbours import Neighbour, neighbours, other_values

LINES = st.tuples(st.sampled_from(["a.py", "b.py"]), st.integers(1, 4))
CLUES = st.builds(
    lambda mark, line, scale: Clue(mark, line[0], line[1], f"{mark.name} at {line}", scale),
    st.sampled_from(list(Mark)), LINES, st.floats(0, 1),
)  # fmt: skip


@given(st.lists(CLUES))
def test_a_score_is_a_chance_and_the_order_is_by_score(clues: list[Clue]) -> None:
    ranked = rank(clues)
    assert all(0.0 <= one.score <= 1.0 for one in ranked)
    assert [one.score for one in ranked] == sorted((one.score for one in ranked), reverse=True)
    assert {(one.file, one.lineno) for one in ranked} == {(c.file, c.lineno) for c in clues}


@given(st.lists(CLUES, min_size=1), CLUES)
def test_another_clue_never_lowers_a_line(clues: list[Clue], more: Clue) -> None:
    def score(found: list[Suspect]) -> float:
        place = (more.file, more.lineno)
        return next((one.score for one in found if (one.file, one.lineno) == place), 0.0)

    assert score(rank([*clues, more])) >= score(rank(clues))


@given(st.lists(CLUES))
def test_the_ranking_is_the_same_each_time(clues: list[Clue]) -> None:
    assert rank(clues) == rank(list(clues))


def test_within_a_kind_only_the_strongest_clue_counts() -> None:
    one = Clue(Mark.ORIGIN, "a.py", 1, "x is set here")
    other = Clue(Mark.POSSIBLE_ORIGIN, "a.py", 1, "y is set here")
    assert rank([one, other])[0].score == rank([one])[0].score == Mark.ORIGIN.weight


def test_kinds_add_up_as_independent_chances() -> None:
    found = rank([Clue(Mark.CRASH_LINE, "a.py", 1, "x"), Clue(Mark.PINNED, "a.py", 1, "y")])
    assert found[0].score == round(1 - 0.5 * 0.94, 4)
    assert found[0].kinds == (Kind.POSITION, Kind.PIN)


def test_the_same_words_are_told_once() -> None:
    clue = Clue(Mark.GUARD, "a.py", 1, "this test should end the recursion", 0.5)
    assert len(rank([clue, clue])[0].clues) == 1


def test_a_scale_outside_0_to_1_is_refused() -> None:
    with pytest.raises(ValueError, match="scale lies in"):
        Clue(Mark.PINNED, "a.py", 1, "x", 1.5)


# What runs show.


def ran(failed: bool, *lines: int) -> Ran:
    neighbour = Neighbour(Call((("x", "1"),)), "x", "0", "1")
    return Ran(neighbour, failed, frozenset(("a.py", line) for line in lines))


def runs(*others: Ran) -> Runs:
    lines = frozenset({("a.py", 2), ("a.py", 3), ("a.py", 5)})
    possible = frozenset(("a.py", line) for line in range(1, 9))
    return Runs(lines, possible, others)


def test_a_line_that_only_failing_runs_cover_is_marked_and_a_common_one_is_not() -> None:
    clues = list(spectrum_clues(runs(ran(False, 2, 5), ran(False, 2, 7), ran(True, 2, 3))))
    assert {clue.lineno: clue.scale for clue in clues} == {3: 1.0}
    assert clues[0].text == "ran in 2 of 2 crashing and 0 of 2 passing runs"


def test_values_that_differ_far_inside_are_shown_where_they_differ() -> None:
    was = "{'sku': 'a', 'price': '1,5', 'note': 'nothing', 'date': '2023-02-30'}"
    now = "{'sku': 'a', 'price': '1,5', 'note': 'nothing', 'date': '2023-02-3'}"
    assert apart(was, now) == ["..., 'date': '2023-02-30'}", "..., 'date': '2023-02-3'}"]
    assert apart("[0]", "[]\n") == ["[0]", "[]"]
    assert apart("0" * 50, "1" * 50) == ["0" * 37 + "...", "1" * 37 + "..."]


def test_without_a_passing_run_there_is_no_spectrum() -> None:
    assert list(spectrum_clues(runs(ran(True, 2)))) == []


def test_a_line_the_crash_never_came_to_is_lowered(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text("def f(x):\n    if x:\n        y = 1\n    else:\n        y = 2\n    return y\n")
    file = str(path)
    found = Runs(frozenset({(file, 2), (file, 3)}), frozenset((file, n) for n in (2, 3, 5, 6)))
    suspects = [Suspect(file, 5, 0.8, ()), Suspect(file, 3, 0.4, ()), Suspect(file, 1, 0.3, ())]
    after = executed(suspects, found)
    assert [(one.lineno, one.score) for one in after] == [(3, 0.4), (1, 0.3), (5, 0.2)]


def test_neighbours_change_one_argument_each() -> None:
    start = Call((("rows", "[1, 2]"), ("n", "3")))
    found = list(neighbours(start))
    assert {one.argument for one in found} == {"rows", "n"}
    for one in found:
        assert isinstance(one.start, Call)
        changed = [a for a, b in zip(one.start.arguments, start.arguments, strict=True) if a != b]
        assert changed == [(one.argument, one.now)]


def test_neighbours_of_a_script_change_one_word_of_its_input() -> None:
    found = list(neighbours(Script(stdin="3\n1 2 3\n"), seed=1))
    assert len(found) > 5
    for one in found:
        assert isinstance(one.start, Script)
        assert len(one.start.stdin.split()) == 4
        assert one.start.stdin != "3\n1 2 3\n"


@pytest.mark.parametrize("text", ["5", "'ab'", "[1]", "(1, 2)", "{'a': 1}", "None", "True", "-1",
                                  "P(1, name='x')", "{1, 2}", "[]", "2.5", "b'x'"])  # fmt: skip
def test_other_values_are_expressions_that_differ(text: str) -> None:
    found = other_values(text)
    assert found
    assert text not in found
    for one in found:
        compile(one, "<value>", "eval")


def test_what_is_too_long_or_no_expression_has_no_neighbours() -> None:
    assert other_values("[" + "1," * 500 + "]") == []
    assert other_values("1 +") == []


# Version control.


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(
        ["git", "-C", str(folder), "-c", "user.name=t", "-c", "user.email=t@example.org",
         "-c", "commit.gpgsign=false", *arguments], check=True, capture_output=True,
    )  # fmt: skip


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q")
    for n in range(1, 6):
        (tmp_path / "a.py").write_text("".join(f"x{i} = {i}\n" for i in range(n)))
        git(tmp_path, "add", "a.py")
        git(tmp_path, "commit", "-q", "-m", str(n))
    return tmp_path


def test_the_newest_commits_and_what_is_not_committed_are_told(repository: Path) -> None:
    path = repository / "a.py"
    path.write_text("new = 0\n" + path.read_text())
    found = history_clues([(str(path), n) for n in (1, 2, 5, 6)])
    assert [(one.lineno, one.mark) for one in found] == [
        (1, Mark.UNCOMMITTED), (5, Mark.CHANGED_LATELY), (6, Mark.CHANGED_LATELY),
    ]  # fmt: skip
    assert "the newest of this file" in found[2].text
    assert "the second newest of this file" in found[1].text


def test_a_repository_cannot_run_anything_when_it_is_read(repository: Path) -> None:
    marker = repository / "ran"
    evil = f"touch {marker}; cat"
    keys = (
        "filter.x.clean", "filter.x.smudge", "filter.x.process", "core.fsmonitor",
        "diff.x.textconv", "diff.external", "core.pager", "core.sshCommand", "pager.log",
        "pager.blame", "gpg.program", "diff.x.command", "alias.log", "alias.blame",
    )  # fmt: skip
    for key in keys:
        git(repository, "config", key, evil if not key.startswith("alias") else f"!{evil}")
    git(repository, "config", "log.showSignature", "true")
    (repository / ".gitattributes").write_text("* filter=x diff=x\n")
    path = repository / "a.py"
    path.write_text("new = 0\n" + path.read_text())
    found = history_clues([(str(path), n) for n in (1, 6)])
    assert [one.mark for one in found] == [Mark.UNCOMMITTED, Mark.CHANGED_LATELY]
    assert not marker.exists()


def test_outside_of_a_repository_history_is_silent(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    assert history_clues([(str(tmp_path / "a.py"), 1), (str(tmp_path / "no.py"), 1)]) == []
