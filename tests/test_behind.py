"""What somebody who tried to mislead the verifier found: nothing of it is confirmed any more."""

from __future__ import annotations

import ast
import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from running import goal_for

from nsdbg.claim import Call, Goal, Middle, Proposal, Site, Status
from nsdbg.measure.hallucination.judged import Borne
from nsdbg.measure.oracle.liar import call_of
from nsdbg.measure.oracle.oracle import Oracle
from nsdbg.source import load_subject
from nsdbg.state import Action, ActionKind, Event
from nsdbg.verify.runner import Runner, RunnerConfig
from nsdbg.verify.verifier import Verifier

FOLDER = Path(__file__).parent / "targets"
CASES = [
    (file.name, node.name)
    for file in sorted(FOLDER.glob("behind*.py"))
    for node in ast.parse(file.read_text()).body
    if isinstance(node, ast.FunctionDef) and node.name.startswith("left_")
]
STATES = [case for case in CASES if case[0] != "behind_calls.py"]
CALLS = [case for case in CASES if case[0] == "behind_calls.py"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("behind").resolve()
    for file in [*FOLDER.glob("behind*.py"), FOLDER / "beside.py"]:
        shutil.copy(file, place)
    return place


@pytest.fixture(scope="module")
def judging(folder: Path) -> Iterator[tuple[Verifier, Oracle]]:
    with (
        Runner(RunnerConfig(roots=(folder,))) as runner,
        Oracle(Path(sys.executable)) as oracle,
    ):
        yield Verifier(runner), oracle


@pytest.mark.parametrize(("file", "name"), STATES)
def test_no_state_is_said_to_lead_where_it_does_not(
    folder: Path, judging: tuple[Verifier, Oracle], file: str, name: str
) -> None:
    place, (verifier, oracle) = folder / file, judging
    subject = load_subject(place, name)
    ref, action = subject.ref, Action(ActionKind.RETURN)
    facts = oracle.facts(str(place), ref.root, ref.module, [(name, call_of(subject, ["6"]))])
    goal = Goal(ref, Event.RETURN, (Site(str(place), None, name),), previous=True)
    last = [
        replace(stop.state, stack=stop.state.stack[-1:])
        for stop in facts.runs[0].stops
        if stop.state.event is Event.LINE and stop.state.frame.function == name
    ][-3:]
    assert last
    for state in last:
        verdict = verifier.follow(ref, Middle(state), action).verdict
        if verdict.status is Status.CONFIRMED:
            claimed = Proposal(Middle(state), "test", action, verdict.evidence.observed)
            assert oracle.borne_out(goal, claimed, facts) is not Borne.WRONG


@pytest.mark.parametrize(("file", "name"), CALLS)
def test_no_call_is_said_to_give_what_it_gives_here_only(
    folder: Path, judging: tuple[Verifier, Oracle], file: str, name: str
) -> None:
    place, verifier = folder / file, judging[0]
    if name == "left_by_the_order_of_the_names_of_modules":
        pytest.skip("nine interpreters of ten have a name below m first")
    seen = verifier.runner.single(goal_for(place, name), Call())
    if seen.value is None:
        return  # it met a limit, and no answer is known
    ref = load_subject(place, name).ref
    goal = Goal(ref, Event.RETURN, (Site(str(place), None, name),), value=seen.value.repr)
    assert verifier.confirm(goal, Proposal(Call(), "test")).status is Status.UNKNOWN
