"""What every proposer promises, whatever it is made of."""

from __future__ import annotations

import ast
import time
from pathlib import Path

import pytest
from scripted_engine import Scripted, call_answer, model_of

from nsdbg.claim import (
    Call,
    Evidence,
    ExceptionClaim,
    Goal,
    Middle,
    Proposal,
    Reason,
    Script,
    Site,
    Verdict,
)
from nsdbg.propose.codec.view import View
from nsdbg.propose.neural.model import Model
from nsdbg.proposer import Proposer, ProposerSession
from nsdbg.source import MODULE, Subject, load_subject
from nsdbg.state import Event
from nsdbg.workbench import PROPOSERS, make_proposers

SOURCE = '''\
import sys

def join(words, sep="-"):
    """Join words."""
    out = ""
    for word in words:
        out += word + sep
    return out[:-1]

class Order:
    def __init__(self, items, rate: float = 1.0):
        self.items = items
        self.rate = rate

    def total(self, *more, discount=0):
        return sum(item.price for item in self.items) * self.rate - discount

def boom(table: dict, key):
    open("/tmp/must-not-be-opened-by-a-proposer", "w")
    return table[key]

if __name__ == "__main__":
    print(join(sys.argv[1:]))
'''
NAMES = sorted(PROPOSERS)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "shop.py"
    path.write_text(SOURCE)
    return path


def returning(subject: Subject, value: str) -> Goal:
    site = Site(subject.ref.file, None, subject.ref.qualname)
    return Goal(subject.ref, Event.RETURN, (site,), value=value)


def crashing(subject: Subject, lineno: int, type: str, message: str) -> Goal:
    site = Site(subject.ref.file, lineno, subject.ref.qualname)
    claim = ExceptionClaim(type, message)
    return Goal(subject.ref, Event.EXCEPTION, (site,), exception=claim)


def goals(file: Path) -> list[tuple[Goal, Subject]]:
    join, total, boom, module = (
        load_subject(file, name) for name in ("join", "Order.total", "boom", MODULE)
    )
    return [
        (returning(join, "'a-b'"), join),
        (returning(total, "3.5"), total),
        (crashing(boom, 20, "KeyError", "'x'"), boom),
        (crashing(module, 23, "TypeError", "no"), module),
    ]


def drain(session: ProposerSession, rounds: int = 6, size: int = 20) -> list[Proposal]:
    """Ask for some rounds, telling the session each time that it was wrong."""
    found: list[Proposal] = []
    for _ in range(rounds):
        proposals = list(session.ask(size))
        assert len(proposals) <= size
        found += proposals
        session.tell(
            [Verdict(p, Reason.VALUE_DIFFERS, Evidence(1, distance=1.0)) for p in proposals]
        )
    return found


def well_read(file: Path) -> Model:
    """A model that knows the functions of the file, and says much that is wrong besides."""
    views = {name: View.of_subject(load_subject(file, name)) for name in ("join", "boom")}
    said = [
        [call_answer(view, **values), [5, 7], call_answer(view, nobody="1"), []]
        for view, values in (
            (views["join"], {"words": "['a', 'b']"}),
            (views["join"], {"words": "['a-b']", "sep": "''"}),
            (views["boom"], {"table": "{}", "key": "'x'"}),
        )
    ]
    return model_of(Scripted(lambda prompt, number: [ids for group in said for ids in group]))


def proposer(name: str, file: Path) -> Proposer:
    return make_proposers((name,), model=well_read(file))[0]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("number", range(4))
def test_a_proposer_is_the_same_for_the_same_seed(file: Path, name: str, number: int) -> None:
    goal, subject = goals(file)[number]
    first = drain(proposer(name, file).start(goal, subject, 7))
    assert first == drain(proposer(name, file).start(goal, subject, 7))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("number", range(4))
def test_a_start_fits_the_function(file: Path, name: str, number: int) -> None:
    goal, subject = goals(file)[number]
    known = {parameter.argument_name for parameter in subject.parameters}
    for proposal in drain(proposer(name, file).start(goal, subject, 1)):
        if subject.ref.qualname == MODULE:
            assert isinstance(proposal.start, Script)
            continue
        assert isinstance(proposal.start, Call)
        assert {argument for argument, _ in proposal.start.arguments} <= known
        for _, expression in proposal.start.arguments:
            ast.parse(expression, mode="eval")
        for statement in proposal.start.imports:
            assert isinstance(ast.parse(statement).body[0], ast.Import | ast.ImportFrom)


@pytest.mark.parametrize("name", NAMES)
def test_a_source_names_the_proposer(file: Path, name: str) -> None:
    kinds = {"rules": "rule:", "search": "search:", "smt": "smt:", "neural": "neural:"}
    for goal, subject in goals(file):
        for proposal in drain(proposer(name, file).start(goal, subject, 1)):
            assert proposal.source.startswith(kinds[name])


@pytest.mark.parametrize("name", NAMES)
def test_a_session_never_says_the_same_twice(file: Path, name: str) -> None:
    for goal, subject in goals(file):
        starts = [p.start for p in drain(proposer(name, file).start(goal, subject, 3))]
        assert len(starts) == len(set(starts))


@pytest.mark.parametrize("name", NAMES)
def test_a_proposer_executes_nothing(file: Path, name: str) -> None:
    file.write_text(SOURCE + "\nraise SystemExit('imported')\n")
    for goal, subject in goals(file):
        drain(proposer(name, file).start(goal, subject, 1))
    assert not Path("/tmp/must-not-be-opened-by-a-proposer").exists()


@pytest.mark.parametrize("name", NAMES)
def test_a_verdict_on_somebody_elses_proposal_is_taken(file: Path, name: str) -> None:
    goal, subject = goals(file)[0]
    session = proposer(name, file).start(goal, subject, 1)
    foreign = Proposal(Call((("words", "object()"),)), "neural:abc", logp=-3.0)
    unknown = Proposal(middle_of(subject), "neural:abc")
    session.tell([Verdict(foreign, Reason.TIMEOUT, Evidence(1))])
    session.tell([Verdict(unknown, Reason.VALUE_DIFFERS, Evidence(1))])
    assert len(session.ask(5)) <= 5


def middle_of(subject: Subject) -> Middle:
    from nsdbg.state import Frame, State

    return Middle(State(Event.LINE, (Frame(subject.ref.file, 5, "join", ()),)))


@pytest.mark.parametrize("name", NAMES)
def test_the_first_answer_comes_at_once(file: Path, name: str) -> None:
    goal, subject = goals(file)[0]
    proposer(name, file).start(goal, subject, 1).ask(2)  # imports and rule files are read here
    started = time.perf_counter()
    proposer(name, file).start(goal, subject, 1).ask(2)
    assert time.perf_counter() - started < 0.5
