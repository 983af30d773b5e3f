"""Whole measurements: the library, the command, the example, and what ends or stops them."""

from __future__ import annotations

import json
import os
import runpy
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from hallucinating import Liar, Truthful, total
from running import write
from typer.testing import CliRunner

from nsdbg.claim import Reason, Status
from nsdbg.cli import app
from nsdbg.cli.measure_hallucination import Progress
from nsdbg.errors import NsdbgError, UsageError
from nsdbg.measure import Answers, Plan, measure_hallucination
from nsdbg.measure.hallucination.judged import Borne, Direction
from nsdbg.measure.hallucination.judging import Closed, Judge, Work, is_shown
from nsdbg.measure.hallucination.proposers import SEARCH_ANSWERS, Asker, Inverse
from nsdbg.measure.hallucination.run import Found, Run
from nsdbg.measure.hallucination.sharing import Asking, shared
from nsdbg.measure.oracle.oracle import Oracle
from nsdbg.propose.search import SearchProposer
from nsdbg.report.rated import Measurement
from nsdbg.verify.runner import Runner, RunnerConfig
from nsdbg.verify.verifier import Verifier

EXAMPLE = Path(__file__).parent.parent / "examples" / "measure_own_model" / "measure.py"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("drawn")


@pytest.fixture(scope="module")
def run(folder: Path) -> Iterator[Run]:
    """A run that asks somebody truthful, a liar and the search."""
    with (
        Runner(RunnerConfig(roots=(folder,))) as runner,
        Oracle(runner.interpreter.path) as oracle,
    ):
        judge = Judge(Verifier(runner), lambda subject: True, oracle)
        askers: list[Asker] = [Truthful(), Liar(), Inverse(SearchProposer())]
        yield Run(runner, judge, askers, seed=1)


@pytest.fixture(scope="module")
def found(run: Run, folder: Path) -> Found:
    """What came of one program."""
    return run.about(total(folder))


def test_who_says_what_was_recorded_is_never_refuted(found: Found) -> None:
    said = [one for one in found.judged if one.proposer == "truthful"]
    assert [one for one in said if one.status is Status.REFUTED] == []
    assert sum(one.status is Status.CONFIRMED for one in said) > 10
    assert all(same for one in said for _, same in one.fields)
    ahead = [one for one in said if one.direction is Direction.FORWARD]
    assert {name for one in ahead for name, _ in one.fields} >= {"line", "event", "locals"}


def test_what_is_shown_is_borne_out_by_the_oracle(found: Found) -> None:
    shown = [one for one in found.judged if is_shown(one)]
    assert {one.oracle for one in shown} <= {Borne.OUT, Borne.SILENT}
    assert sum(one.oracle is Borne.OUT for one in shown) > 10
    assert {one.oracle for one in found.judged if one not in shown} == {None}


def test_a_liar_is_refuted(found: Found) -> None:
    said = [one for one in found.judged if one.proposer == "liar"]
    ahead = [one for one in said if one.direction is Direction.FORWARD]
    assert {one.status for one in ahead} == {Status.REFUTED}
    assert all(dict(one.fields)["event"] for one in ahead)
    assert not any(dict(one.fields).get("locals", False) for one in ahead)


def test_a_search_is_asked_for_so_many_answers_whatever_becomes_of_them(found: Found) -> None:
    said = [one for one in found.judged if one.proposer == "search"]
    assert {one.action for one in said} == {"arguments"}
    assert len(said) == 2 * SEARCH_ANSWERS  # about each of two calls
    assert found.counts.asked["search"] == 2


def test_of_many_that_match_one_is_confirmed_and_the_others_are_not_shown(found: Found) -> None:
    said = [one for one in found.judged if one.proposer == "search"]
    right = [one for one in said if one.status is Status.CONFIRMED]
    assert 0 < len([one for one in right if is_shown(one)]) <= 4  # one a batch
    assert [one.reason for one in right if not is_shown(one)] == [Reason.NOT_REPEATED] * (
        found.work.matched
    )
    assert found.work.screened == len(found.judged)


def test_the_smallest_is_looked_for_without_being_counted(
    run: Run, found: Found, folder: Path
) -> None:
    wrong = run.hallucinations(run.askers[1], total(folder))
    assert {one.proposer for one in wrong} == {"liar"}
    assert {one.question.call for one in wrong} == {total(folder).calls[0]}
    assert found.smallest["liar"].size <= min(one.size for one in wrong)
    assert "truthful" not in found.smallest
    assert all(one.verdict.status is Status.REFUTED for one in wrong)
    assert run.judge.close(total(folder)) == Closed([], Work())


def test_what_came_of_programs_adds_up(found: Found) -> None:
    whole = Found()
    for _ in range(2):
        whole.add(found)
    assert whole.judged == found.judged * 2
    assert whole.counts.programs == 2
    assert whole.counts.asked["search"] == 2 * found.counts.asked["search"]
    assert whole.work.screened == 2 * found.work.screened
    assert whole.work.confirmed == 2 * found.work.confirmed > 0
    assert whole.smallest == found.smallest


SOURCE = """
def double(number: int) -> int:
    twice = number * 2
    return twice
"""


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("project"), "double.py", SOURCE)


def zero(prompt: str) -> str:
    """Say that it returns zero, whatever is asked."""
    if "Give arguments" in prompt:
        return '{"arguments": {"number": "0"}}'
    return '{"event": "return", "lineno": 4, "value": "0", "logp": -0.25}'


@pytest.fixture(scope="module")
def measured(code: Path) -> Measurement:
    return measure_hallucination([zero], Plan(examples=4, seed=2, programs=str(code), shrink_s=4))


def test_a_callable_is_measured_by_its_name(measured: Measurement) -> None:
    [section] = measured.rates.by_proposer
    assert section.proposer == "zero"
    assert measured.rates.programs == 1
    assert measured.rates.residual.hits == 0
    assert measured.rates.raw.hits > 5
    assert section.reliability is not None
    told = dict(measured.told)
    assert told["programs"].startswith("4 drawn from ")
    assert "screened" in told["judged"]
    assert dict(measured.versions)["Hypothesis"]


def test_the_smallest_hallucination_is_told_with_what_really_happens(measured: Measurement) -> None:
    one = measured.smallest
    assert one is not None
    assert one.proposer == "zero"
    assert one.program == SOURCE.strip("\n")
    assert one.call.startswith("double(")
    assert "0" in one.claim
    assert one.really


def test_the_same_seed_measures_the_same(code: Path, measured: Measurement) -> None:
    again = measure_hallucination([zero], Plan(examples=4, seed=2, programs=str(code), shrink_s=0))
    assert again.rates == measured.rates


def test_processes_that_share_the_programs_measure_the_same(code: Path) -> None:
    plan = Plan(examples=3, seed=2, programs=str(code), answers=4, shrink_s=2)
    alone, both = (
        measure_hallucination(["rules", "search"], replace(plan, jobs=jobs)) for jobs in (1, 2)
    )
    assert both.rates == alone.rates
    assert both.rates.proposals > 10
    assert dict(both.told)["asked"] == dict(alone.told)["asked"]
    assert both.smallest is not None
    assert not both.stopped


def test_what_cannot_be_opened_is_told_by_processes_too(code: Path) -> None:
    missing = Plan(examples=1, programs=str(code), model=Path("no_such_folder"), jobs=2)
    with pytest.raises(NsdbgError, match="no_such_folder"):
        measure_hallucination(["neural"], missing)


def test_a_process_that_is_ended_from_outside_is_told() -> None:
    @contextmanager
    def opened() -> Iterator[Asking]:
        yield lambda number: os._exit(3)

    with pytest.raises(UsageError, match="a lower --jobs"):
        list(shared(opened, 2, 2))


def test_two_of_one_name_are_not_measured_as_one(code: Path) -> None:
    with pytest.raises(UsageError, match="two proposers are called 'zero'"):
        measure_hallucination([zero, zero], Plan(programs=str(code)))


def test_a_file_answers_and_keeps_what_it_was_not_told(code: Path, tmp_path: Path) -> None:
    file, plan = tmp_path / "mine.jsonl", Plan(examples=1, programs=str(code), shrink_s=0)
    empty = Answers(file)
    assert measure_hallucination([empty], plan).rates.proposals == 0
    missing = empty.write_missing(file)
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    assert missing == len(rows) > 3
    answered = [{"prompt": row["prompt"], "answer": zero(row["prompt"])} for row in rows]
    file.write_text("\n".join(map(json.dumps, answered)))
    full = Answers(file)
    [section] = measure_hallucination([full], plan).rates.by_proposer
    assert (section.proposer, full.missing) == ("mine", {})


def test_a_line_without_an_answer_is_named(tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    file.write_text('{"prompt": "a", "answer": "b"}\n{"prompt": "c"}\n')
    with pytest.raises(UsageError, match="line 2"):
        Answers(file)


def test_ctrl_c_keeps_the_programs_that_were_finished(code: Path) -> None:
    asked: list[str] = []

    def impatient(prompt: str) -> str:
        asked.append(prompt)
        if len(asked) > 40:
            raise KeyboardInterrupt
        return zero(prompt)

    found = measure_hallucination([impatient], Plan(examples=50, programs=str(code), shrink_s=5))
    assert found.stopped
    assert 0 < found.rates.proposals <= 40
    assert found.smallest is None


def test_who_breaks_is_set_aside_with_a_word(code: Path) -> None:
    def broken(prompt: str) -> str:
        raise TimeoutError("no answer in 60 s")

    found = measure_hallucination(
        [broken, zero], Plan(examples=2, programs=str(code), shrink_s=0, oracle=False)
    )
    assert dict(found.told)["set aside"] == (
        "broken broke, and was not asked again: TimeoutError: no answer in 60 s"
    )
    assert [section.proposer for section in found.rates.by_proposer] == ["zero"]


def test_progress_is_one_line_on_a_terminal_and_nothing_elsewhere(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = Progress()
    shown("1/2 programs")
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "12")
    shown("1/2 programs: refuted")
    shown("2/2")
    shown.end()
    assert capsys.readouterr().err == "\r1/2 program\r2/2        \n"


def command(*words: object) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["measure", "hallucination", *map(str, words)])
    return result.exit_code, result.stdout, result.stderr


def test_the_command_prints_json_and_fails_over_a_rate(code: Path) -> None:
    words = ("--programs", code, "--examples", 1, "--proposers", "rules,search", "--shrink", 0,
             "--answers", 4, "--output-format", "json")  # fmt: skip
    status, out, _ = command(*words)
    told = json.loads(out)
    assert status == 0
    assert told["schema"] == "nsdbg.measure.hallucination/1"
    status, out, err = command(*words, "--fail-over", 0.0)
    assert json.loads(out) == told or "pace" in out
    assert status == 1
    assert "above --fail-over 0" in err
    assert command(*words, "--fail-over", 1.0)[0] == 0


def test_a_wrong_confirmation_fails_whatever_the_limit(
    code: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Oracle, "borne_out", lambda *_: Borne.WRONG)
    status, out, err = command("--programs", code, "--examples", 1, "--proposers", "rules",
                               "--shrink", 0)  # fmt: skip
    assert status == 1
    assert "shown as CONFIRMED are wrong" in err
    assert "Shown as CONFIRMED, yet wrong of rules\n    1 | " in out
    assert "  claimed: " in out


@pytest.mark.parametrize(
    ("words", "word"),
    [
        (("--proposers", "nobody"), "nobody"),
        (("--programs", "no_such_package"), "no_such_package"),
        (("--plot", "rates.pdf"), ".png"),
        (("--proposers", "neural", "--model", "no_such_folder"), "no_such_folder"),
    ],
)
def test_what_cannot_be_measured_is_told_at_once(words: Sequence[str], word: str) -> None:
    result = CliRunner().invoke(app, ["measure", "hallucination", *words])
    assert isinstance(result.exception, NsdbgError)
    assert result.exception.exit_code == 2
    assert word in str(result.exception)
    assert result.stdout == ""


def test_the_example_measures_a_model_that_answers_from_a_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", [str(EXAMPLE), "1"])
    with pytest.raises(SystemExit, match="1"):  # the stub is wrong too often
        runpy.run_path(str(EXAMPLE), run_name="__main__")
    shown = capsys.readouterr()
    assert shown.out.startswith("How often is an answer made up?")
    assert "my_model" in shown.out
    assert "1/1 programs: refuted" in shown.err
