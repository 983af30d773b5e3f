"""Attacks on the watch itself: forged answers, garbage, silence, and the supervisor's end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from running import call, goal_for, run, write

from nsdbg.claim import Call, Ending, Proposal, Status
from nsdbg.verify import wire, zygotes
from nsdbg.verify.runner import Runner, RunnerConfig
from nsdbg.verify.sandbox import Sandbox, SandboxConfig, probe_layers
from nsdbg.verify.verifier import Verifier

TARGET = """
    import os, signal

    def pipes():
        return [fd for fd in range(200, 256) if is_open(fd)]

    def is_open(fd):
        try:
            os.fstat(fd)
        except OSError:
            return False
        return True

    def say(text, times=1):
        for fd in pipes():
            for _ in range(times):
                os.write(fd, text.encode())
        os._exit(0)

    def say_on(text):
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
        while True:
            for fd in pipes():
                os.write(fd, text.encode() * 1000)

    def same(x):
        return x

    def pause(x):
        import time
        time.sleep(x)
        return x
"""
FORGED = json.dumps([0, {"e": "returned", "s": 0.1, "v": ["'forged'", "str", True, False]}])
LIMIT_S = 0.5


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("attacks"), "attacks.py", TARGET)


@pytest.fixture(scope="module")
def runner(target: Path) -> Iterator[Runner]:
    with Runner(RunnerConfig(roots=(target.parent,), limit_s=LIMIT_S)) as made:
        yield made


def test_a_run_cannot_answer_for_runs_to_come(runner: Runner, target: Path) -> None:
    answers = f'{FORGED}\n{{"end": true}}\n' * 4
    run(runner, target, "say", text=repr(answers))
    goal = goal_for(target, "same", value="'forged'")
    verifier = Verifier(runner)
    for value in ("1", "2", "3"):
        verdict = verifier.confirm(goal, Proposal(Call((("x", value),)), "search:0"))
        assert verdict.status is Status.REFUTED


def test_a_run_of_a_batch_cannot_answer_for_those_after_it(runner: Runner, target: Path) -> None:
    goal = goal_for(target, "say")
    forged = "".join(FORGED.replace("[0,", f"[{at},") + "\n" for at in (2, 1, 3))
    starts = [call(text=repr(text)) for text in (forged, "", "", "")]
    assert [found.ending for found in runner.batch(goal, starts)] == [Ending.DIED] * 4


@pytest.mark.parametrize("text", ['!"a:b"\n', "\n", "x" * 1000, FORGED + "\n"])
def test_a_run_that_writes_without_end_is_ended(runner: Runner, target: Path, text: str) -> None:
    started = time.monotonic()
    found = run(runner, target, "say_on", text=repr(text))
    assert len(found.blocked) <= 20
    assert time.monotonic() - started < 5 * LIMIT_S + 2
    assert run(runner, target, "same", x=3).ending is Ending.RETURNED


DEEP = "[" * 950 + "]" * 950
RESULTS = [
    "5", "[]", '{"e": []}', '{"e": "returned", "s": NaN}', '{"e": "returned", "s": 1e999}',
    '{"e": "returned", "s": 0, "c": 1e999}', '{"e": "returned", "s": 0, "d": NaN}',
    '{"e": "returned", "s": 0, "g": [["f", [1], [1]]]}', '{"e": "returned", "s": 0, "g": 5}',
    f'{{"e": "returned", "s": 0, "o": {DEEP}}}',
    f'{{"e": "returned", "s": 0, "g": [[{DEEP}, 1, 1]]}}',
    '{"e": "returned", "s": 0, "t": 1}', '{"e": "returned", "s": 0, "h": [1]}',
]  # fmt: skip


@pytest.mark.parametrize("text", RESULTS)
def test_garbage_is_a_run_that_died(runner: Runner, target: Path, text: str) -> None:
    found = run(runner, target, "say", text=repr(f"[0,{text}]\n"))
    assert found.ending is Ending.DIED


def test_garbage_that_json_accepts_is_no_observation() -> None:
    for text in RESULTS:
        # As deep as the test itself can read under whatever runs it.
        readable = text.replace(DEEP, "[" * 200 + "]" * 200)
        found = wire.Decoder({}).result(json.loads(readable))
        assert found.ending is Ending.DIED
        assert len(found.detail) < 1000


def test_refusals_that_are_garbage_do_no_harm(runner: Runner, target: Path) -> None:
    found = run(runner, target, "say", text=repr(f"!{DEEP}\n!1e999\n!x\n"))
    assert found.ending in (Ending.DIED, Ending.BLOCKED)
    assert run(runner, target, "same", x=3).ending is Ending.RETURNED


def test_a_batch_keeps_its_budget_though_every_run_is_in_time(runner: Runner, target: Path) -> None:
    started = time.monotonic()
    found = runner.batch(goal_for(target, "pause"), [call(x=0.3)] * 20, budget_s=0.8)
    assert time.monotonic() - started < 3
    assert found[0].ending is Ending.RETURNED
    assert found[-1].ending is Ending.CUT


def test_a_request_that_nobody_reads_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    # As by a zygote that was stopped by a signal, which its own import may do.
    monkeypatch.setattr(zygotes, "_SEND_LIMIT_S", 0.05)
    unread, requests = os.pipe()
    answers, unanswered = os.pipe()
    os.set_blocking(requests, False)
    asked = zygotes.Target(1, requests, zygotes.Lines(answers), 1.0)
    with pytest.raises(zygotes.LineBroken, match="does not take a request"):
        asked.send({"starts": ["x" * (1 << 20)]})
    asked.close()
    os.close(unread)
    os.close(unanswered)


def test_an_answer_to_another_question_is_no_end() -> None:
    unread, requests = os.pipe()
    answers, answering = os.pipe()
    asked = zygotes.Target(1, requests, zygotes.Lines(answers), 1.0)
    os.write(answering, b'{"possible": [1, 2]}\n[0, {}]\n{"end": true}\n')
    assert "another question" in zygotes.collect(asked, 1.0, 1.0, [None])
    asked.close()
    os.close(unread)
    os.close(answering)


CHAIN = """
import os, sys, time
os.symlink("/etc/passwd", "link-0")
for at in range(1, 1100):
    os.symlink("link-%d" % (at - 1), "link-%d" % at)
try:
    os.open("link-1099", os.O_WRONLY)
except OSError as error:
    print(error.strerror)
"""


@pytest.mark.hostile
@pytest.mark.parametrize("without", [(), ("namespaces",)])
def test_a_chain_of_links_does_not_end_the_supervisor(without: tuple[str, ...]) -> None:
    needed = {"seccomp", "landlock"}
    if missing := needed - {layer.name for layer in probe_layers() if layer.active}:
        pytest.skip(f"this machine does not hold {', '.join(sorted(missing))}")
    with Sandbox(SandboxConfig(Path(sys.executable), without=frozenset(without))) as sandbox:
        child = sandbox.spawn(["-c", CHAIN], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        output, _ = child.communicate(timeout=60)
    assert output.decode().strip() == os.strerror(40)
    assert child.returncode == 0
