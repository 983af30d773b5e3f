"""Values in the place of calls that the guard blocks, and surprise, in the answer of localize."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import dedent

import pytest
from scripted_engine import Scripted, model_of

from nsdbg import crashlog
from nsdbg.claim import Reason
from nsdbg.localize import examine as examining
from nsdbg.localize.clue import Kind
from nsdbg.localize.examine import Examination, examine
from nsdbg.propose.codec import values
from nsdbg.propose.codec.view import View
from nsdbg.propose.neural.model import Model
from nsdbg.report.escape import is_secret
from nsdbg.report.examination import examination_text
from nsdbg.report.examination_json import examination_json
from nsdbg.rulebook import Rulebook
from nsdbg.source import load_subject
from nsdbg.state import Value
from nsdbg.workbench import Options, Workbench

ASKING = """\
    import socket


    def port_of(host, retries=3):
        limit = retries + 1
        text = ask(host)
        if len(text) > 7:
            raise KeyError(text[:4] * limit)
        return limit


    def ask(host):
        with socket.create_connection((host, 80)) as line:
            return line.recv(100).decode()
    """
CRASH = """\
    Traceback (most recent call last):
      File "/srv/conf.py", line 8, in port_of
        raise KeyError(text[:4] * limit)
    KeyError: 'GET GET GET GET '
    """
# As rich prints locals.
SHOWN = """\
    ╭───────────────────── Traceback (most recent call last) ──────────────────────╮
    │ /srv/conf.py:8 in port_of                                                    │
    │                                                                              │
    │    5 │   limit = retries + 1                                                 │
    │    6 │   text = ask(host)                                                    │
    │    7 │   if len(text) > 7:                                                   │
    │ ❱  8 │   │   raise KeyError(text[:4] * limit)                                │
    │    9 │   return limit                                                        │
    │                                                                              │
    │ ╭───────────────────── locals ──────────────────────╮                        │
    │ │    host = 'shop'                                  │                        │
    │ │   limit = 4                                       │                        │
    │ │ retries = 3                                       │                        │
    │ │    text = 'GET / HTTP/1.1'                        │                        │
    │ ╰───────────────────────────────────────────────────╯                        │
    ╰──────────────────────────────────────────────────────────────────────────────╯
    KeyError: 'GET GET GET GET '
    """


@pytest.fixture(autouse=True)
def _time_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is tried must not depend on how busy the machine is."""
    monkeypatch.setattr(examining, "FOR_ASSUMPTIONS_S", 60.0)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project").resolve()
    (folder / "conf.py").write_text(dedent(ASKING))
    return folder


@pytest.fixture(scope="module")
def bench(project: Path) -> Iterator[Workbench]:
    with Workbench(Options(roots=(project,), proposers=("rules",))) as bench:
        bench.warm_up()
        yield bench


def found(project: Path, bench: Workbench | None, log: str, model: Model | None) -> Examination:
    report = next(iter(crashlog.read(dedent(log).encode())))
    return examine(
        report, [project], Rulebook(), bench=bench, budget_s=5.0, model=model, is_secret=is_secret
    )


def saying(project: Path, *texts: str) -> Model:
    view = View.of_subject(load_subject(project / "conf.py", "port_of"))
    said: Sequence[list[int]] = [
        values.spell(view, Value(text, "str", True)) or [] for text in texts
    ]
    return model_of(Scripted(lambda prompt, number: said))


def test_a_guess_from_which_the_crash_follows_is_an_assumption_with_its_verdict(
    project: Path, bench: Workbench
) -> None:
    one = found(project, bench, CRASH, saying(project, "'abc'", "'GET / HTTP'", "'GET / abc'"))
    assert one.reproduction is None
    [assumed] = one.assumptions
    assert (assumed.name, assumed.call, assumed.lineno) == ("text", "ask(host)", 6)
    assert (assumed.value, assumed.source, assumed.logp) == ("'GET / HTTP'", "neural:none", -2.0)
    assert assumed.verdict.reason is Reason.TRANSITION
    text = " ".join(examination_text(one, 3).split())
    assert (
        "assumption: if `ask(host)` on line 6 of port_of gave text = 'GET / HTTP' (neural:none), "
        "this exception would follow: 2 runs from there agree; the call itself was not run"
    ) in text
    assert "Not reproduced" in text


def test_guesses_that_lead_nowhere_are_told_as_unchecked(project: Path, bench: Workbench) -> None:
    one = found(project, bench, CRASH, saying(project, "'abc'", "'b'", "'c'"))
    assert [(each.value, each.leads_there) for each in one.assumptions] == [
        ("'abc'", False), ("'b'", False),
    ]  # fmt: skip
    assert "assumption, unchecked: neural:none would expect" in " ".join(
        examination_text(one, 3).split()
    )
    fields = examination_json(one, 3, Rulebook())["assumptions"]
    assert isinstance(fields, list)
    assert [each["leads_there"] for each in fields] == [False, False]


def test_what_the_log_recorded_is_assumed_before_anything_is_guessed(
    project: Path, bench: Workbench
) -> None:
    one = found(project, bench, SHOWN, None)
    assert [(each.value, each.source, each.leads_there) for each in one.assumptions] == [
        ("'GET / HTTP/1.1'", "log", True)
    ]


def test_without_a_model_plain_values_are_tried_and_none_is_claimed(
    project: Path, bench: Workbench
) -> None:
    assert found(project, bench, CRASH, None).assumptions == ()


def test_a_value_that_the_model_finds_unlikely_is_the_weakest_evidence(project: Path) -> None:
    one = found(project, None, SHOWN, saying(project, "'a'"))
    clues = [clue for each in one.suspects for clue in each.clues]
    odd = [clue for clue in clues if clue.mark.kind is Kind.SURPRISE]
    assert odd
    text = next(clue for clue in odd if " text = " in clue.text)
    assert text.text == (
        "neural:none finds text = 'GET / HTTP/1.1' unlikely where it crashed, and expected 'a'"
    )
    assert text.lineno == 6
    assert all(clue.weight <= 0.08 for clue in odd)
    assert one.suspects[0].lineno == 8


def test_a_log_without_locals_asks_no_model(project: Path) -> None:
    told: list[str] = []
    found(project, None, CRASH, Model(project / "nowhere", tell=told.append))
    assert told == []


def test_a_secret_is_not_shown_to_be_surprising(project: Path) -> None:
    log = SHOWN.replace("   host = 'shop'", "api_key = 'shop'")
    one = found(project, None, log, saying(project, "'a'"))
    clues = [clue.text for each in one.suspects for clue in each.clues]
    assert not any("api_key" in text for text in clues)
