"""Coverage of runs as coverage.py reads it, and what its parser says beside them."""

from __future__ import annotations

from pathlib import Path

import coverage
import pytest

from nsdbg.claim import Call, FileCoverage, Goal, Site
from nsdbg.source import load_subject
from nsdbg.state import Event
from nsdbg.verify.cover import cross_check, save
from nsdbg.verify.runner import Runner, RunnerConfig

SOURCE = """\
def pick(n):
    if n > 1:
        word = "many"
    else:
        word = "one"
    return join(
        word,
        n,
    )


def join(word, n):
    return f"{n} {word}"
"""


@pytest.fixture(scope="module")
def covered(tmp_path_factory: pytest.TempPathFactory) -> FileCoverage:
    """Return the coverage of a real run of `pick(2)`."""
    file = tmp_path_factory.mktemp("covered") / "words.py"
    file.write_text(SOURCE)
    subject = load_subject(file, "pick")
    goal = Goal(subject.ref, Event.RETURN, (Site(subject.ref.file, None, "pick"),))
    with Runner(RunnerConfig(roots=(file.parent,))) as runner:
        observation = runner.single(goal, Call((("n", "2"),)))
    [found] = observation.coverage
    return found


def test_a_saved_run_is_what_coverage_reads(covered: FileCoverage, tmp_path: Path) -> None:
    data = tmp_path / ".coverage"
    save([covered], data, context="pick(2)")
    found = coverage.Coverage(data_file=str(data), config_file=False)
    found.load()
    assert found.get_data().measured_files() == {covered.file}
    _, statements, _, missing, _ = found.analysis2(covered.file)
    assert (statements, missing) == ([1, 2, 3, 5, 6, 12, 13], [1, 5, 12])
    assert found.get_data().measured_contexts() == {"pick(2)"}


def test_a_saved_run_makes_an_html_report(covered: FileCoverage, tmp_path: Path) -> None:
    data = tmp_path / "run.coverage"
    save([covered], data)
    found = coverage.Coverage(data_file=str(data), config_file=False)
    found.load()
    percent = found.html_report(directory=str(tmp_path / "html"))
    assert 0 < percent < 100
    assert "words.py" in (tmp_path / "html" / "index.html").read_text()


def test_an_older_file_is_replaced(covered: FileCoverage, tmp_path: Path) -> None:
    data = tmp_path / ".coverage"
    other = FileCoverage(str(tmp_path / "other.py"), (1,), ((-1, 1), (1, -1)), (1,))
    save([other], data)
    save([covered], data)
    found = coverage.CoverageData(basename=str(data))
    found.read()
    assert found.measured_files() == {covered.file}


def test_the_parser_and_a_run_agree(covered: FileCoverage) -> None:
    check = cross_check(covered)
    assert check is not None
    assert check.statements == (1, 2, 3, 5, 6, 12, 13)
    assert check.missed == (1, 5, 12)  # definitions are not run by a call
    assert (check.unexpected_lines, check.unexpected_arcs) == ((), ())


def test_an_arc_that_no_source_allows_is_unexpected(covered: FileCoverage) -> None:
    odd = FileCoverage(covered.file, covered.lines, (*covered.arcs, (3, 5)), covered.possible)
    check = cross_check(odd)
    assert check is not None
    assert check.unexpected_arcs == ((3, 5),)


def test_a_file_that_the_parser_cannot_read_is_not_checked(tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("def f(:\n")
    assert cross_check(FileCoverage(str(broken), (1,), (), (1,))) is None
    assert cross_check(FileCoverage(str(tmp_path / "absent.py"), (1,), (), (1,))) is None
