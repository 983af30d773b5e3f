"""An examined crash as a finding: with runs and without, and what it must not show."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from textwrap import dedent

import pytest

from nsdbg import crashlog
from nsdbg.claim import (
    Call,
    Evidence,
    FunctionRef,
    Goal,
    Proposal,
    Reason,
    Site,
    Start,
    Status,
    Verdict,
)  # fmt: skip
from nsdbg.crashlog import CrashReport
from nsdbg.finding import Finding, Place, Rule
from nsdbg.localize.examine import Examination, examine
from nsdbg.localize.finding import finding_of, sources_of
from nsdbg.localize.places import Places
from nsdbg.localize.steps import MOST_STEPS, recorded, steps_of_run
from nsdbg.localize.veil import Veil
from nsdbg.record.secrecy import is_secret
from nsdbg.reproduce import Level
from nsdbg.reproduce.attempts import FIRST_KEPT, NEAREST_KEPT, Attempts
from nsdbg.rulebook import Rulebook
from nsdbg.source import load_subject
from nsdbg.state import Event, Frame, State, Trace, Value
from nsdbg.workbench import Options, Workbench

ROWS = '''\
"""Prices."""


def price(row, token):
    cells = row.split(",")
    total = 0
    for cell in cells:
        total += int(cell)
    return 100 / total


def main(row, token="x"):
    return price(row, token)
'''
# As `traceback.TracebackException(..., capture_locals=True)` prints it.
LOG = """\
    Traceback (most recent call last):
      File "/app/rows.py", line 13, in main
        return price(row, token)
        row = '1,-1'
        token = 'hunter2-hunter2'
      File "/app/rows.py", line 9, in price
        return 100 / total
               ~~~~^~~~~~~
        cells = ['1', '-1']
        row = '1,-1'
        token = 'hunter2-hunter2'
        total = 0
    ZeroDivisionError: division by zero
    """


def report_of(log: str) -> CrashReport:
    return next(iter(crashlog.read(dedent(log).encode())))


def never(name: str, text: str) -> bool:
    return False


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project").resolve()
    (folder / "src").mkdir()
    (folder / "src" / "rows.py").write_text(ROWS)
    return folder


@pytest.fixture(scope="module")
def bench(project: Path) -> Iterator[Workbench]:
    with Workbench(Options(roots=(project / "src",), proposers=("rules", "search"))) as running:
        yield running


@pytest.fixture(scope="module")
def examined(project: Path, bench: Workbench) -> Examination:
    """The crash with runs, and with what is secret kept out of them."""
    return examine(
        report_of(LOG), [project / "src"], Rulebook(), bench=bench, budget_s=8.0,
        is_secret=is_secret,
    )  # fmt: skip


@pytest.fixture(scope="module")
def found(project: Path, bench: Workbench, examined: Examination) -> Finding:
    return finding_of(examined, project, origin="ci.log", trace=recorded(examined, bench))


@pytest.fixture(scope="module")
def read_only(project: Path) -> Finding:
    return finding_of(examine(report_of(LOG), [project / "src"], Rulebook()), project)


def test_a_reproduced_crash_says_by_which_call_and_where(found: Finding) -> None:
    assert found.message == (
        "`main('1,-1', 'redacted')` raises ZeroDivisionError at src/rows.py:9 in price "
        "(division by zero), as in ci.log"
    )
    assert found.status is Status.CONFIRMED
    assert (found.rule, found.origin) == (Rule.LOGGED_CRASH, "ci.log")
    assert (found.exception, found.exception_message) == ("ZeroDivisionError", "division by zero")
    assert found.now == "raises ZeroDivisionError: division by zero"
    assert found.evidence.startswith("2 fresh runs on Python 3")
    assert "ZeroDivisionError through 2 of the 2 frames of your own code" in found.evidence
    assert "proposed by log:0" in found.evidence
    assert "Guarded by process-group" in found.evidence


def test_a_crash_that_was_only_read_says_so(read_only: Finding) -> None:
    assert read_only.message == (
        "ZeroDivisionError at src/rows.py:9 in price (division by zero), not run"
    )
    assert read_only.status is Status.UNKNOWN
    assert read_only.evidence == "Nothing was run: running was not asked for (--no-exec)."
    assert (read_only.call, read_only.imports, read_only.now, read_only.tried) == (
        None, (), None, (),
    )  # fmt: skip


def test_the_place_is_the_likeliest_line_and_each_suspect_has_reasons(found: Finding) -> None:
    assert found.place == Place("src/rows.py", 9, "return 100 / total", "price")
    assert found.suspects[0].place == found.place
    assert found.suspects[0].reasons[:2] == (
        "traceback: the line that raised", "pin: the part that failed: 100 / total",
    )  # fmt: skip
    scores = [one.score for one in found.suspects]
    assert scores == sorted(scores, reverse=True)
    assert {one.place.lineno for one in found.suspects} >= {6, 8, 9, 13}


def test_where_another_line_is_likelier_the_sentence_names_it(
    project: Path, examined: Examination
) -> None:
    turned = replace(examined, suspects=examined.suspects[::-1])
    one = finding_of(turned, project)
    assert one.place is not None
    assert one.message.endswith(f"; the likeliest line at fault is src/rows.py:{one.place.lineno}")
    assert one.place.lineno != 9


def test_the_call_can_be_pasted_where_the_project_lies(found: Finding, project: Path) -> None:
    assert found.imports == ("import sys", "sys.path.insert(0, 'src')", "from rows import main")
    text = "\n".join((*found.imports, found.call or ""))
    run = subprocess.run([sys.executable, "-c", text], cwd=project, capture_output=True, text=True)
    assert run.stderr.strip().endswith("ZeroDivisionError: division by zero")


def test_seen_from_its_own_folder_a_module_needs_no_path(
    examined: Examination, project: Path
) -> None:
    one = finding_of(examined, project / "src")
    assert one.imports == ("from rows import main",)
    assert one.place is not None
    assert one.place.file == "rows.py"


def test_the_path_goes_state_by_state_to_the_crash_and_no_further(found: Finding) -> None:
    assert [(step.place.lineno, step.event) for step in found.path] == [
        (12, "call"), (13, "line"), (4, "call"), (5, "line"), (6, "line"), (7, "line"), (8, "line"),
        (7, "line"), (8, "line"), (7, "line"), (9, "line"), (9, "exception"),
    ]  # fmt: skip
    assert [step.changed for step in found.path] == [
        ("row", "token"), (), ("row", "token"), (), ("cells",), ("total",), ("cell",), ("total",),
        ("cell",), ("total",), (), (),
    ]  # fmt: skip
    assert dict(found.path[-1].locals)["total"] == "0"
    assert found.path[-1].arg == "ZeroDivisionError: division by zero"
    assert found.path[0].place == Place("src/rows.py", 12, 'def main(row, token="x"):', "main")


def test_without_runs_the_path_is_the_traceback_with_what_was_logged(read_only: Finding) -> None:
    assert [(step.place.lineno, step.event, step.arg) for step in read_only.path] == [
        (13, "line", None), (9, "exception", "ZeroDivisionError: division by zero"),
    ]  # fmt: skip
    assert read_only.path[0].locals == (("row", "'1,-1'"), ("token", "<redacted>"))


def test_a_secret_of_the_log_is_nowhere_in_the_finding(
    found: Finding, read_only: Finding, project: Path, bench: Workbench
) -> None:
    assert "hunter2" not in repr(found)
    assert "hunter2" not in repr(read_only)
    # Who runs with the secret still does not show it, and says that the call is not what was run.
    careless = examine(
        report_of(LOG), [project / "src"], Rulebook(), bench=bench, budget_s=8.0, is_secret=never
    )
    assert "hunter2" in repr(careless.outcome)
    one = finding_of(careless, project, trace=recorded(careless, bench))
    assert "hunter2" not in repr(one)
    assert one.call == "main('1,-1', 'redacted')"
    assert "A secret was taken out of the call" in one.evidence
    shown = finding_of(careless, project, show_secrets=True, trace=recorded(careless, bench))
    assert shown.call == "main('1,-1', 'hunter2-hunter2')"
    assert dict(shown.path[0].locals)["token"] == "'hunter2-hunter2'"
    assert "A secret was taken out" not in shown.evidence


def test_what_a_log_recorded_as_secret_is_taken_out_of_other_texts() -> None:
    veil = Veil(report_of(LOG))
    assert veil.text("no login with hunter2-hunter2") == "no login with <redacted>"
    assert veil.call("f('hunter2-hunter2', '1,-1')") == "f('redacted', '1,-1')"
    assert veil.value("row", "['hunter2-hunter2']") == "['<redacted>']"
    assert veil.value("password", "'abc'") == "<redacted>"
    short = Veil(report_of(LOG.replace("hunter2-hunter2", "x")))
    assert short.text("xxx") == "xxx"


def test_what_was_tried_is_told_with_its_verdict_the_best_first(found: Finding) -> None:
    assert [one.call for one in found.tried[:2]] == [
        "main('1,-1', 'redacted')", "price('1,-1', 'redacted')",
    ]  # fmt: skip
    assert [one.status for one in found.tried] == [Status.CONFIRMED] * 2 + [Status.REFUTED] * (
        len(found.tried) - 2
    )
    best = found.tried[0]
    assert (best.source, best.reason, best.runs) == ("log:0", "goal-reached", 2)
    assert best.evidence == "raised ZeroDivisionError: division by zero on line 9"
    other = next(one for one in found.tried if one.call == "price()")
    assert other.reason == "other-exception"
    assert other.evidence == (
        "raised TypeError: price() missing 2 required positional arguments: 'row' and 'token'"
    )


def test_what_cannot_be_reproduced_says_why_for_each_way_in(
    project: Path, bench: Workbench
) -> None:
    log = LOG.replace("ZeroDivisionError: division by zero", "KeyError: 'none'")
    log = "\n".join(line for line in log.splitlines() if " = " not in line or "/" in line)
    one = finding_of(
        examine(report_of(log), [project / "src"], Rulebook(), bench=bench, budget_s=3.0),
        project,
    )  # fmt: skip
    assert one.message == "KeyError at src/rows.py:9 in price ('none'), not reproduced"
    assert one.status is Status.UNKNOWN
    assert one.evidence.startswith("Not reproduced. price: ")
    assert re.search(r"(none raised|did not raise) this here; the nearest raised", one.evidence)
    assert one.tried
    assert {tried.status for tried in one.tried} <= {Status.REFUTED, Status.UNKNOWN}
    assert len(one.tried) <= 40
    assert [step.event for step in one.path] == ["line", "exception"]


def test_the_fingerprint_stays_when_lines_move_and_whether_or_not_anything_runs(
    found: Finding, read_only: Finding, tmp_path: Path
) -> None:
    assert found.fingerprint == read_only.fingerprint
    (tmp_path / "rows.py").write_text("import os\n\n" + ROWS)
    moved = report_of(LOG.replace("line 13", "line 15").replace("line 9", "line 11"))
    one = finding_of(examine(moved, [tmp_path], Rulebook()), tmp_path)
    assert one.place is not None
    assert one.place.lineno == 11
    assert one.fingerprint == found.fingerprint
    nowhere = finding_of(examine(moved, [tmp_path / "none"], Rulebook()), tmp_path)
    assert nowhere.fingerprint == found.fingerprint
    other = report_of(LOG.replace("ZeroDivisionError", "ValueError"))
    assert finding_of(examine(other, [tmp_path], Rulebook()), tmp_path).fingerprint != (
        found.fingerprint
    )
    as_test = finding_of(examine(moved, [tmp_path], Rulebook()), tmp_path, Rule.FAILED_TEST)
    assert as_test.rule is Rule.FAILED_TEST
    assert as_test.fingerprint != found.fingerprint


def test_a_crash_of_files_that_are_elsewhere_has_no_place(tmp_path: Path) -> None:
    one = finding_of(examine(report_of(LOG), [tmp_path], Rulebook()), tmp_path)
    assert (one.place, one.suspects, one.path) == (None, (), ())
    assert one.message == "ZeroDivisionError at /app/rows.py:9 (division by zero), not run"


def test_a_script_is_run_from_the_root_with_its_arguments_and_input(tmp_path: Path) -> None:
    (tmp_path / "tool.py").write_text("import sys\nprint(1 / len(sys.argv[1:]))\n")
    log = """\
        Traceback (most recent call last):
          File "/app/tool.py", line 2, in <module>
            print(1 / len(sys.argv[1:]))
        ZeroDivisionError: division by zero
        """
    with Workbench(Options(roots=(tmp_path,), proposers=("rules", "search"))) as bench:
        whole = examine(report_of(log), [tmp_path], Rulebook(), bench=bench, budget_s=4.0)
        one = finding_of(whole, tmp_path, trace=recorded(whole, bench))
    assert one.call == "runpy.run_path('tool.py', run_name=\"__main__\")"
    assert one.imports == ("import runpy", "import sys", "sys.argv = ['tool.py']")
    text = "\n".join((*one.imports, one.call))
    run = subprocess.run([sys.executable, "-c", text], cwd=tmp_path, capture_output=True, text=True)
    assert run.stderr.strip().endswith("ZeroDivisionError: division by zero")
    assert one.message.startswith("`tool.py` raises ZeroDivisionError at tool.py:2 in <module>")
    assert [step.place.lineno for step in one.path][-1] == 2


def test_sources_are_those_of_the_files_that_are_named_and_below_the_root(
    found: Finding, project: Path
) -> None:
    assert sources_of([found], project) == (("src/rows.py", ROWS),)
    (project / "outside.py").write_text("secret = 1\n")
    for name in ("../outside.py", str(project / "outside.py"), "none.py", "\0", "x" * 5000):
        one = replace(found, place=Place(name, 1), suspects=(), path=())
        assert sources_of([one], project / "src") == ()


def test_a_link_out_of_the_root_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    (tmp_path / "outside.py").write_text("secret = 1\n")
    (tmp_path / "root" / "link.py").symlink_to(tmp_path / "outside.py")
    places = Places(tmp_path / "root")
    assert places.at("link.py", 1) is None
    assert places.text("link.py") is None


def test_a_place_counts_lines_as_python_does(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n\x0c\ndef f():\n    return '\u2028'\n", encoding="utf-8")
    assert Places(tmp_path).at("a.py", 4) == Place("a.py", 4, "return '\u2028'", "f")
    assert Places(tmp_path).at("a.py", 99) == Place("a.py", 99, "", "<module>")
    (tmp_path / "broken.py").write_text("def f(:\n")
    assert Places(tmp_path).at("broken.py", 1, "f") == Place("broken.py", 1, "def f(:", "f")


def state(event: Event, lineno: int, depth: int = 1, **values: str) -> State:
    """Return a state of `rows.price`, below so many frames."""
    bound = tuple((name, Value(text, "int")) for name, text in values.items())
    frames = tuple(Frame("rows.py", 1, "price") for _ in range(depth - 1))
    arg = Value("no", "ValueError") if event is Event.EXCEPTION else None
    return State(event, (*frames, Frame("rows.py", lineno, "price", bound)), arg)


def goal_at(lineno: int | None) -> Goal:
    entry = FunctionRef("rows.py", "price", "rows", "")
    return Goal(entry, Event.EXCEPTION, (Site("rows.py", lineno, "price"),))


def steps_at(project: Path, trace: Trace, lineno: int | None) -> tuple[list[int], int]:
    steps, count = steps_of_run(trace, goal_at(lineno), Places(project / "src"), lambda _, x: x)
    return [step.place.lineno for step in steps], count


def test_of_a_long_run_the_last_states_are_kept(project: Path) -> None:
    states = [state(Event.LINE, n % 13 + 1, n=str(n)) for n in range(200)]
    trace = Trace((*states, state(Event.EXCEPTION, 9)))
    linenos, count = steps_at(project, trace, 9)
    assert count == 201
    assert len(linenos) == MOST_STEPS
    assert linenos[-3:] == [4, 5, 9]


def test_a_path_ends_at_the_last_try_and_in_the_deepest_call(project: Path) -> None:
    raised, line = Event.EXCEPTION, Event.LINE
    tries = (state(line, 8), state(raised, 9), state(line, 7), state(line, 8), state(raised, 9),
             state(Event.RETURN, 9))  # fmt: skip
    assert steps_at(project, Trace(tries), 9) == ([8, 9, 7, 8, 9], 5)
    deep = (state(line, 5), state(raised, 6, 2), state(raised, 7, 3), state(raised, 8, 2),
            state(raised, 9))  # fmt: skip
    assert steps_at(project, Trace(deep), None) == ([5, 6, 7], 3)
    assert steps_at(project, Trace(tries[:1]), 9) == ([8], 1)  # cut before the crash


def test_what_changed_is_told_against_the_same_call_and_no_other(project: Path) -> None:
    states = (state(Event.LINE, 5, 1, a="1", b="2"), state(Event.LINE, 5, 2, a="7"),
              state(Event.LINE, 6, 1, a="1", b="3"))  # fmt: skip
    trace = Trace(states, activations=(0, 1, 0))
    steps, _ = steps_of_run(trace, goal_at(9), Places(project / "src"), lambda _, text: text)
    assert [step.changed for step in steps] == [("a", "b"), ("a",), ("b",)]


def test_a_recording_that_is_interrupted_leaves_the_path_of_the_traceback(
    examined: Examination, project: Path
) -> None:
    class Stopped:
        def fresh(self, *asked: object, full_trace: bool) -> None:
            raise KeyboardInterrupt

    class Bench:
        runner = Stopped()

    trace = recorded(examined, Bench())  # type: ignore[arg-type]
    assert trace is None
    steps = finding_of(examined, project, trace=trace).path
    assert [step.place.lineno for step in steps] == [13, 9]


def test_what_ends_an_iterator_within_python_is_no_step(project: Path) -> None:
    states = (state(Event.LINE, 7), state(Event.EXCEPTION, 7), state(Event.LINE, 9),
              state(Event.EXCEPTION, 9))  # fmt: skip
    trace = Trace(states, internal=frozenset([1]))
    assert steps_at(project, trace, 9) == ([7, 9, 9], 3)


def test_a_line_that_is_hardly_suspected_is_left_out_unless_it_is_the_only_one(
    project: Path, examined: Examination
) -> None:
    low = tuple(replace(one, score=0.01) for one in examined.suspects)
    one = finding_of(replace(examined, suspects=low), project)
    assert [suspect.place.lineno for suspect in one.suspects] == [9]
    none = finding_of(replace(examined, suspects=()), project)
    assert none.place == Place("src/rows.py", 9, "return 100 / total", "price")


def test_a_long_value_and_many_locals_are_cut_and_what_changed_is_kept(project: Path) -> None:
    many = {f"n{n}": str(n) for n in range(60)}
    changed = {**many, "n59": "x" * 999}
    states = (state(Event.LINE, 5, 1, **many), state(Event.LINE, 6, 1, **changed))
    trace = Trace(states, activations=(0, 0))
    steps, _ = steps_of_run(trace, goal_at(9), Places(project / "src"), lambda _, text: text)
    assert len(steps[1].locals) == 24
    assert steps[1].changed == ("n59",)
    assert steps[1].locals[-1] == ("n59", "x" * 297 + "...")


def attempt(level: Level, number: int, distance: float | None, reason: Reason) -> Verdict:
    start: Start = Call((("row", repr(number)),))
    return Verdict(Proposal(start, "search:0"), reason, Evidence(1, distance=distance))


def test_of_thousands_of_attempts_the_first_and_the_nearest_are_kept(project: Path) -> None:
    subject = load_subject(project / "src" / "rows.py", "price")
    level = Level(goal_at(9), subject, 1, None)  # type: ignore[arg-type]
    kept = Attempts(level)
    for number in range(1000):
        distance = float((number * 37) % 1000)
        kept.add(attempt(level, number, distance, Reason.NO_EXCEPTION))
    kept.add(attempt(level, 5, None, Reason.TIMEOUT))  # asked again: the later verdict counts
    verdicts = [one.verdict for one in kept]
    assert len(verdicts) == FIRST_KEPT + NEAREST_KEPT
    numbers = [one.proposal.start.arguments[0][1] for one in verdicts]  # type: ignore[union-attr]
    assert numbers[:FIRST_KEPT] == [str(n) for n in range(FIRST_KEPT)]
    nearest = [one.evidence.distance for one in verdicts[FIRST_KEPT:]]
    expected = sorted(float((n * 37) % 1000) for n in range(FIRST_KEPT, 1000))
    assert nearest == expected[:NEAREST_KEPT]
    assert verdicts[5].reason is Reason.TIMEOUT
