"""The next state for a debugger's command, and verdicts on anybody's proposals, from the shell."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from nsdbg.claim import Call
from nsdbg.cli import app
from nsdbg.errors import NsdbgError, ProposalError, SourceError, StateError, UsageError
from nsdbg.forward import Judged, open_proposals, step, verify_proposals
from nsdbg.measure.oracle.oracle import Oracle
from nsdbg.source import load_subject
from nsdbg.state import Event, Value
from nsdbg.statefile import Unreadable, claim_from, parse_action
from nsdbg.verify.interpreters import find_interpreters
from nsdbg.verify.runner import Runner, RunnerConfig
from nsdbg.verify.verifier import Followed, Verifier
from nsdbg.verify.walk import Walk

PROGRAMS = Path(__file__).parent / "programs"
SOURCE = """\
def total(items, tax=0):
    result = tax
    for item in items:
        result += double(item)
        print("now", result, "[red]::error::")
    return result


def double(n):
    return n * 2


def fails(text):
    number = int(text)
    return number


def generate(n):
    for i in range(n):
        yield i


class Order:
    def __init__(self, lines):
        self.lines = lines

    def size(self):
        count = len(self.lines)
        return count
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("shop") / "shop.py"
    file.write_text(SOURCE)
    return file


@pytest.fixture(scope="module")
def verifier(file: Path) -> Iterator[Verifier]:
    with Runner(RunnerConfig(roots=(file.parent,), limit_s=0.5)) as runner:
        yield Verifier(runner)


def following(
    verifier: Verifier, file: Path, function: str, action: str, **fields: object
) -> Followed:  # fmt: skip
    return step(claim_from(fields), load_subject(file, function), parse_action(action), verifier)


IN_LOOP = {"items": "[1, 2]", "tax": "0", "result": "0", "item": "1"}


@pytest.mark.parametrize(
    ("action", "event", "place", "local"),
    [
        ("step", Event.CALL, ("double", 9), ("n", "1")),
        ("next", Event.LINE, ("total", 5), ("result", "2")),
        ("until:6", Event.LINE, ("total", 6), ("result", "6")),
        ("continue:10", Event.LINE, ("double", 10), ("n", "1")),
        ("continue:4", Event.LINE, ("total", 4), ("item", "2")),
        ("return", Event.RETURN, ("total", 6), ("result", "6")),
    ],
)
def test_each_command_leads_where_the_program_goes(
    verifier: Verifier, file: Path, action: str, event: Event,
    place: tuple[str, int], local: tuple[str, str],
) -> None:  # fmt: skip
    told: dict[str, Any] = {"lineno": 4, "locals": IN_LOOP, "remaining": {"3": "[2]"}}
    verdict = following(verifier, file, "total", action, **told).verdict
    assert verdict.reason.slug == "transition"
    seen = verdict.evidence.observed
    assert seen is not None
    assert (seen.event, (seen.frame.function, seen.frame.lineno)) == (event, place)
    assert seen.frame.local(local[0]) == Value(local[1], "int", True)


def test_what_was_printed_on_the_way_is_in_the_next_state(verifier: Verifier, file: Path) -> None:
    told: dict[str, Any] = {"lineno": 4, "locals": IN_LOOP, "remaining": {"3": "[2]"}}
    seen = following(verifier, file, "total", "return", **told).verdict.evidence.observed
    assert seen is not None
    assert seen.output == "now 2 [red]::error::\nnow 6 [red]::error::\n"
    assert seen.arg == Value("6", "int", True)


def test_an_exception_is_a_next_state(verifier: Verifier, file: Path) -> None:
    told: dict[str, Any] = {"lineno": 14, "locals": {"text": "'x'"}}
    seen = following(verifier, file, "fails", "step", **told).verdict.evidence.observed
    assert seen is not None
    assert seen.event is Event.EXCEPTION
    assert seen.arg is not None
    assert (seen.arg.type, seen.arg.repr) == (
        "ValueError", "invalid literal for int() with base 10: 'x'"
    )  # fmt: skip
    after = following(
        verifier, file, "fails", "step", event="exception", lineno=14,
        locals={"text": "'x'"}, exception="ValueError", message=seen.arg.repr,
    ).verdict  # fmt: skip
    assert after.reason.slug == "transition"
    assert after.evidence.observed is not None
    assert after.evidence.observed.event is Event.RETURN


@pytest.mark.parametrize(
    ("function", "fields", "reason"),
    [
        ("total", {"event": "return", "lineno": 6, "value": "3"}, "start-not-reached"),
        ("total", {"lineno": 3, "locals": {**IN_LOOP}}, "hidden-iterator"),
        ("size", {"lineno": 28, "opaque": {"self": "<Order>"}}, "not-a-literal"),
        ("generate", {"lineno": 20, "locals": {"n": "3", "i": "0"}}, "transition"),
    ],
)
def test_what_a_state_does_not_tell_is_unknown_with_its_reason(
    verifier: Verifier, file: Path, function: str, fields: dict[str, Any], reason: str
) -> None:
    verdict = following(verifier, file, function, "step", **fields).verdict
    assert verdict.reason.slug == reason


def test_what_a_generators_consumer_does_is_not_in_a_state(verifier: Verifier, file: Path) -> None:
    told: dict[str, Any] = {"lineno": 20, "locals": {"n": "3", "i": "0"}}
    verdict = following(verifier, file, "generate", "next", **told).verdict
    assert verdict.reason.slug == "start-not-reached"
    assert "consumer" in verdict.evidence.detail


def test_constraints_are_no_values_to_start_from(verifier: Verifier, file: Path) -> None:
    with pytest.raises(StateError, match="has values, not constraints: 'result > 1'"):
        following(verifier, file, "total", "step", lineno=4, where=["result > 1"])


def test_a_step_is_the_step_of_the_whole_run() -> None:
    """From each state of a recorded run, re-execution gives the state that came next."""
    path = PROGRAMS / "recursion.py"
    with Oracle(Path(sys.executable)) as oracle:
        facts = oracle.facts(str(path), str(path.parent), path.stem, [("run", Call())])
    trace = facts.runs[0].trace()
    walk = Walk(trace)
    tried = 0
    with Runner(RunnerConfig(roots=(path.parent,))) as runner:
        verifier = Verifier(runner)
        for index, state in enumerate(trace.states):
            if state.event is not Event.LINE or state.frame.function not in ("power", "odd"):
                continue
            fields = {"lineno": state.frame.lineno, "locals": LOCALS[state.frame.function]}
            claim = claim_from(fields)
            subject = load_subject(path, state.frame.function)
            for word in ("step", "next", "return"):
                action = parse_action(word)
                stop = walk.after(index, action)
                assert stop is not None
                seen = step(claim, subject, action, verifier).verdict.evidence.observed
                expected = trace.states[stop]
                assert seen is not None
                assert (seen.event, seen.frame.function) == (
                    expected.event, expected.frame.function
                )  # fmt: skip
                tried += 1
            if tried >= 12:
                break
    assert tried == 12


LOCALS = {"power": {"base": "2", "exponent": "3"}, "odd": {"n": "3"}}


@pytest.mark.parametrize("interpreter", find_interpreters(), ids=lambda found: str(found.version))
def test_every_interpreter_steps_alike(interpreter: Any, file: Path) -> None:
    told = {"lineno": 2, "locals": {"items": "[3]", "tax": "1"}}
    with Runner(RunnerConfig(roots=(file.parent,), python=interpreter.path)) as runner:
        verifier = Verifier(runner)
        seen = following(verifier, file, "total", "return", **told).verdict.evidence
    assert seen.python == ".".join(map(str, interpreter.version))
    assert seen.observed is not None
    assert (seen.observed.event, seen.observed.arg) == (Event.RETURN, Value("7", "int", True))


def lines(*entries: object) -> str:
    return "\n".join(
        entry if isinstance(entry, str) else json.dumps(entry) for entry in entries
    )  # fmt: skip


RIGHT = {
    "file": "shop.py", "function": "total", "start": {"call": {"items": "[1, 2]"}},
    "goal": {"value": "6"}, "source": "somebody",
}  # fmt: skip
WRONG = {**RIGHT, "goal": {"value": "7"}}
STEP = {
    "file": "shop.py", "function": "total", "action": "step",
    "start": {"state": {"lineno": 2, "locals": {"items": "[]", "tax": "5"}}},
    "predicted": {"lineno": 3, "locals": {"items": "[]", "tax": "5", "result": "5"}},
}  # fmt: skip
LIE = {**STEP, "predicted": {"lineno": 3, "locals": {"items": "[]", "tax": "5", "result": "6"}}}


def test_proposals_of_anybody_are_judged_in_order(verifier: Verifier, file: Path) -> None:
    path = file.parent / "proposals.jsonl"
    path.write_text(lines(RIGHT, "", WRONG, "nope", STEP, LIE))
    results = list(verify_proposals(open_proposals(str(path)), verifier))
    assert [result.lineno for result in results] == [1, 3, 4, 5, 6]
    assert isinstance(results[2], Unreadable)
    assert [r.verdict.reason.slug for r in results if isinstance(r, Judged)] == [
        "goal-reached", "value-differs", "transition", "locals-differ"
    ]  # fmt: skip


def test_a_proposals_file_that_is_not_there_says_so(tmp_path: Path) -> None:
    with pytest.raises(ProposalError, match="cannot read proposals"):
        open_proposals(str(tmp_path / "absent.jsonl"))


def invoke(*words: str, stdin: str | None = None) -> tuple[int, str]:
    result = CliRunner().invoke(app, list(words), input=stdin)
    if isinstance(result.exception, NsdbgError):
        raise result.exception
    return result.exit_code, result.stdout


STATE = json.dumps({"lineno": 4, "locals": IN_LOOP, "remaining": {"3": "[2]"}})


def test_a_return_by_an_exception_is_told_from_one_with_a_value(file: Path) -> None:
    state = json.dumps({"lineno": 14, "locals": {"text": "'x'"}})
    code, text = invoke("step", f"{file}::fails", "--state", state, "--action", "return")
    assert code == 0
    assert text.splitlines()[1:3] == [
        "-> return from fails, line 14 (shop.py)",
        "    returns nothing: an exception leaves it",
    ]


def test_step_answers_in_words(file: Path) -> None:
    code, text = invoke("step", f"{file}::total", "--state", STATE, "--action", "next")
    assert code == 0
    assert text == (
        "line 4 of total (shop.py), next:\n"
        "-> line 5 of total (shop.py)\n"
        "    items = [1, 2]\n"
        "    tax = 0\n"
        "    result = 2\n"
        "    item = 1\n"
        "    transition confirmed, reachability unproven\n"
        f"    2 runs on Python {python_version()} agree\n"
    )


def python_version() -> str:
    with Runner(RunnerConfig()) as runner:
        return runner.python_version


def test_step_takes_its_own_answer_again(file: Path) -> None:
    """Stepping through a whole loop by hand, each time from the state that was answered."""
    state, places = STATE, []
    for _ in range(4):
        code, text = invoke(
            "step", f"{file}::total", "--state", "-", "--action", "next",
            "--output-format", "json", stdin=state,
        )  # fmt: skip
        assert code == 0
        answer = json.loads(text)
        assert answer["schema"] == "nsdbg.step/1"
        places.append((answer["next"]["lineno"], answer["next"]["locals"]["result"]))
        state = json.dumps({k: v for k, v in answer["next"].items() if k != "output"})
    assert places == [(5, "2"), (3, "2"), (4, "2"), (5, "6")]


def test_a_step_that_is_not_confirmed_exits_with_1(file: Path) -> None:
    bound = json.dumps({"lineno": 3, "locals": IN_LOOP})
    code, text = invoke("step", f"{file}::total", "--state", bound)
    assert code == 1
    assert "unknown: where a loop's iterator stands is not told (hidden-iterator)\n" in text
    assert "    line 3 may stand before the loop" in text


def test_foreign_text_is_harmless_in_an_answer(file: Path) -> None:
    told = json.dumps({"lineno": 5, "locals": {**IN_LOOP, "tax": "'\\x1b[31m'"}})
    code, text = invoke("step", f"{file}::total", "--state", told, "--action", "next")
    assert code == 0
    assert "\x1b" not in text
    assert "printed: now 0 [red]::error::" in text
    assert not any(line.lstrip().startswith("::") for line in text.splitlines())


@pytest.mark.parametrize(
    ("words", "error", "message"),
    [
        (["FILE::total", "--state", "{}"], StateError, "names no event"),
        (["FILE::total", "--state", '{"lineno": 99}'], StateError, "line 99"),
        (["FILE::totl", "--state", '{"lineno": 4}'], SourceError, "no function totl"),
        (["FILE", "--state", '{"lineno": 4}'], UsageError, "is not FILE::FUNCTION"),
        (["--state", '{"lineno": 4}'], UsageError, "which function"),
        (["FILE::total", "--state", '{"lineno": 4}', "--action", "hop"], UsageError, "one of step"),
    ],
)
def test_what_cannot_be_asked_says_what_to_do(
    file: Path, words: list[str], error: type[NsdbgError], message: str
) -> None:
    with pytest.raises(error, match=message) as caught:
        invoke("step", *(word.replace("FILE", str(file)) for word in words))
    assert caught.value.exit_code == 2


def test_verify_answers_in_words_and_in_json(file: Path) -> None:
    path = file.parent / "asked.jsonl"
    path.write_text(lines(RIGHT, WRONG, "nope"))
    code, text = invoke("verify", str(path))
    assert code == 0
    assert "line 1: shop.py: total([1, 2])\n    confirmed: 2 runs" in text
    assert (
        "    refuted: another value is returned (value-differs)\n    value: claimed 7, seen 6\n"
        in text
    )
    assert text.endswith("3 lines: 1 confirmed, 1 refuted, 0 unknown, 1 unreadable\n")
    code, text = invoke("verify", str(path), "--output-format", "json")
    answer = json.loads(text)
    assert (code, answer["schema"]) == (0, "nsdbg.verify/1")
    assert [entry["line"] for entry in answer["proposals"]] == [1, 2, 3]
    assert answer["proposals"][0]["source"] == "somebody"
    assert answer["proposals"][1]["verdict"]["reason"] == "value-differs"
    assert "not JSON" in answer["proposals"][2]["error"]
    assert answer["stats"]["refuted"] == 1


@pytest.mark.parametrize(
    ("told", "any_confirmed", "all_confirmed"),
    [((RIGHT,), 0, 0), ((RIGHT, WRONG), 0, 1), ((RIGHT, "nope"), 0, 1), ((WRONG,), 1, 1)],
)
def test_a_pipeline_can_fail_on_a_claim_that_is_not_confirmed(
    file: Path, told: tuple[object, ...], any_confirmed: int, all_confirmed: int
) -> None:
    path = file.parent / "claims.jsonl"
    path.write_text(lines(*told))
    assert invoke("verify", str(path))[0] == any_confirmed
    assert invoke("verify", str(path), "--require-all")[0] == all_confirmed


def test_verify_exits_with_1_when_nothing_is_confirmed_and_2_when_nothing_can_be_read(
    file: Path,
) -> None:
    path = file.parent / "wrong.jsonl"
    path.write_text(lines(WRONG))
    assert invoke("verify", str(path))[0] == 1
    path.write_text("nope\n")
    with pytest.raises(ProposalError, match="line 1 is not JSON") as caught:
        invoke("verify", str(path))
    assert caught.value.exit_code == 2
    path.write_text("\n")
    with pytest.raises(ProposalError, match="holds no proposal"):
        invoke("verify", str(path))
