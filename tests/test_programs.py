"""Generated programs: the same for the same seed, they run, they end, and they differ."""

from __future__ import annotations

import collections
import subprocess
import sys

import pytest

from nsdbg.programs import GeneratedProgram, Level, generate, programs

RUN = """
import collections, contextlib, io, json, signal, sys
from nsdbg.programs import Level, generate
level, count = Level(sys.argv[1]), int(sys.argv[2])
ends = collections.Counter()
class Late(BaseException):
    pass
def late(*_):
    raise Late
signal.signal(signal.SIGALRM, late)
for seed in range(count):
    program = generate(seed, level)
    module = {"__name__": "generated"}
    exec(compile(program.text, "generated", "exec"), module)
    for call in program.calls:
        signal.setitimer(signal.ITIMER_REAL, 2)
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                eval(f"{program.entry}({', '.join(call)})", module)
            ends["returned"] += 1
        except Exception as error:
            ends[type(error).__name__] += 1
        signal.setitimer(signal.ITIMER_REAL, 0)
print(json.dumps(ends))
"""


@pytest.fixture(scope="module", params=list(Level))
def ends(request: pytest.FixtureRequest) -> tuple[Level, collections.Counter[str]]:
    import json

    level: Level = request.param
    run = subprocess.run(
        [sys.executable, "-c", RUN, level.value, "300"],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert run.stderr == ""
    return level, collections.Counter(json.loads(run.stdout))


def test_programs_compile_run_and_end(ends: tuple[Level, collections.Counter[str]]) -> None:
    _, counts = ends
    assert counts["returned"] > 300


def test_few_calls_end_in_an_exception(ends: tuple[Level, collections.Counter[str]]) -> None:
    level, counts = ends
    raised = counts.total() - counts["returned"]
    low, high = (0.0, 0.08) if level is Level.OPERATION else (0.01, 0.12)
    assert low <= raised / counts.total() <= high


def test_no_program_reads_a_name_that_is_not_there(
    ends: tuple[Level, collections.Counter[str]],
) -> None:
    _, counts = ends
    assert counts["NameError"] + counts["UnboundLocalError"] == 0


@pytest.mark.parametrize("level", list(Level))
def test_the_same_seed_gives_the_same_program(level: Level) -> None:
    assert [generate(seed, level) for seed in range(30)] == [
        generate(seed, level) for seed in range(30)
    ]


def test_seeds_give_different_programs() -> None:
    texts = {generate(seed, Level.LINES).text for seed in range(5000)}
    assert len(texts) > 4950


def test_levels_are_taken_in_turn() -> None:
    found = list(programs(7, 5))
    assert [program.level for program in found[:3]] == list(Level)
    assert found[3] == generate(10, Level.OPERATION)


def test_a_program_has_a_call() -> None:
    with pytest.raises(ValueError, match="no call"):
        GeneratedProgram("", "f", (), Level.LINES, 1, frozenset())
