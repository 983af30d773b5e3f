"""Small edits on copies, neighbours and shrinking: what runs add to a ranking."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path
from textwrap import dedent

import pytest

from nsdbg.claim import Call, Evidence, Goal, Proposal, Reason, Script, Verdict
from nsdbg.localize.clue import Mark
from nsdbg.localize.counterfactual import counterfactuals, link_tree, moved, variants
from nsdbg.localize.edits import edits
from nsdbg.localize.rank import Suspect
from nsdbg.reproduce import Crash, CrashFrame, Level, Outcome, levels, reproduce
from nsdbg.reproduce.shrink import shrunk, size
from nsdbg.workbench import Options, Workbench

PAIRS = """\
    from limits import LAST

    def pairs(rows: list):
        found = []
        left, right = 0, len(rows)
        while left < right:
            found.append(rows[left] + rows[right])
            left += 1
            right -= LAST
        return found
    """


def applied(line: str) -> list[tuple[str, float]]:
    statement = ast.parse(line).body[0]
    lines = line.splitlines()
    return [
        (lines[one.lineno - 1][: one.start] + one.now + lines[one.lineno - 1][one.end :], one.scale)
        for one in edits(statement, lines)
    ]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("x = rows[i + 1]", ("x = rows[i]", 1.0)),
        ("n = len(rows)", ("n = len(rows) - 1", 0.15)),
        ("x = rows[i]", ("x = rows[i - 1]", 0.15)),
        ("x = rows[2]", ("x = rows[1]", 0.15)),
        ("for i in range(n): pass", ("for i in range(n - 1): pass", 0.15)),
        ("while i <= n: i += 1", ("while i < n: i += 1", 1.0)),
    ],
)
def test_an_edit_undoes_a_slip(line: str, expected: tuple[str, float]) -> None:
    assert expected in applied(line)


def test_edits_that_take_something_away_come_first_and_all_parse() -> None:
    found = applied("total = rows[i + 1] + len(rows) - 1 if i <= 3 else rows[2]")
    scales = [scale for _, scale in found]
    assert scales == sorted(scales, reverse=True)
    assert len(found) == len(set(found)) > 4
    for line, _ in found:
        ast.parse(line)


def test_a_line_with_letters_beyond_ascii_is_left_alone() -> None:
    assert applied("größe = maße[i + 1]") == []


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path.resolve() / "project"
    (root / "data").mkdir(parents=True)
    (root / ".git").mkdir()
    (root / "limits.py").write_text("LAST = 1\n")
    (root / "pairs.py").write_text(dedent(PAIRS))
    (root / "data" / "big.bin").write_bytes(b"x")
    return root


def crash(project: Path) -> Crash:
    frame = CrashFrame(str(project / "pairs.py"), 7, "pairs", "pairs")
    return Crash("IndexError", "list index out of range", (frame,), 1, roots=(project,))


def test_a_variant_changes_one_line_of_a_copy_and_nothing_of_the_project(
    project: Path, tmp_path: Path
) -> None:
    level = next(levels(crash(project)))
    base = tmp_path / "base"
    base.mkdir()
    suspect = Suspect(str(project / "pairs.py"), 5, 0.5, ())
    found = list(variants(level.subject.ref, suspect, base))
    assert [one.edit.now for one in found] == ["len(rows) - 1"]
    changed = (found[0].root / "pairs.py").read_text().splitlines()
    same = dedent(PAIRS).splitlines()
    assert [n for n, (a, b) in enumerate(zip(changed, same, strict=True), 1) if a != b] == [5]
    assert (project / "pairs.py").read_text() == dedent(PAIRS)
    goal = moved(level.goal, found[0])
    assert goal.entry.file == str(found[0].root / "pairs.py")
    assert goal.chain[0].file == goal.entry.file


def test_a_copy_links_what_is_no_source_and_leaves_out_hidden_folders(
    project: Path, tmp_path: Path
) -> None:
    link_tree(project, tmp_path / "copy")
    assert (tmp_path / "copy" / "data" / "big.bin").is_symlink()
    assert not (tmp_path / "copy" / "limits.py").is_symlink()
    assert not (tmp_path / "copy" / ".git").exists()


def test_the_line_whose_edit_makes_the_crash_go_away_is_told(project: Path) -> None:
    options = Options(roots=(project,))
    with Workbench(options) as bench:
        best = reproduce(crash(project), bench, 20.0).best
    assert best is not None
    file = str(project / "pairs.py")
    suspects = [Suspect(file, 5, 0.7, ()), Suspect(file, 4, 0.5, ())]
    others = [Call((("rows", "[1]"),)), Call((("rows", "[1, 2, 3]"),))]
    found = counterfactuals(best, others, suspects, options, lambda: 30.0)
    assert [(one.mark, one.lineno, one.text) for one in found] == [
        (Mark.CRASH_GONE, 5, "with `len(rows) - 1` instead of `len(rows)` the crash is gone")
    ]


# Shrinking, with a verifier that is told what fails.


class Fails:
    """Finds that exactly the calls fail whose list holds a 7."""

    def screen(
        self, goal: Goal, proposals: Sequence[Proposal], *, pure: bool, guided: bool
    ) -> list[Verdict]:
        return [self._verdict(one, Reason.NOT_REPEATED, 1) for one in proposals]

    def confirm(self, goal: Goal, proposal: Proposal) -> Verdict:
        return self._verdict(proposal, Reason.GOAL_REACHED, 2)

    def _verdict(self, proposal: Proposal, hit: Reason, runs: int) -> Verdict:
        assert isinstance(proposal.start, Call)
        failing = "7" in dict(proposal.start.arguments)["rows"]
        return Verdict(proposal, hit if failing else Reason.NO_EXCEPTION, Evidence(runs))


def level(project: Path) -> Level:
    return next(levels(crash(project)))


def test_a_reproducer_is_made_as_small_as_it_stays_one(project: Path) -> None:
    start = Call((("rows", "[1, 2, 7, 'text', 30]"),))
    verdict = Verdict(Proposal(start, "search:0"), Reason.GOAL_REACHED, Evidence(2))
    small = shrunk(level(project).goal, verdict, Fails(), pure=True, seconds=5.0)
    assert small.proposal.start == Call((("rows", "[7]"),))
    assert small.proposal.source == "search:0"
    assert small.evidence.runs == 2


def test_without_time_the_reproducer_stays_as_it_is(project: Path) -> None:
    start = Call((("rows", "[1, 7]"),))
    verdict = Verdict(Proposal(start, "search:0"), Reason.GOAL_REACHED, Evidence(2))
    assert shrunk(level(project).goal, verdict, Fails(), pure=True, seconds=0.0) is verdict


def test_size_is_what_there_is_to_read() -> None:
    assert size(Call((("x", "[]"),))) < size(Call((("x", "[1]"),)))
    assert size(Script(stdin="1\n")) < size(Script(stdin="12\n"))


def test_an_outcome_without_reproductions_has_no_best() -> None:
    assert Outcome().best is None
    assert Outcome().best_call is None
