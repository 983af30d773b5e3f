"""Generated programs: the same for the same seed, they run, they end, and they differ."""

from __future__ import annotations

import collections
import json
import os
import subprocess
import sys

import pytest

from nsdbg.programs import GeneratedProgram, Level, generate, programs
from nsdbg.programs.generate import seen

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


SHOW = """
import contextlib, io, sys
from nsdbg.programs import Level, generate
from nsdbg.programs.trial import steady
for level in Level:
    for seed in range(70):
        program = generate(seed, level)
        print(program.text, program.calls, sorted(program.features))
        for call in program.calls:
            module = {"__name__": "generated"}
            exec(program.text, module)
            try:
                value = eval(f"{program.entry}({', '.join(call)})", module)
            except Exception as error:
                value = error
            print(steady(value))
"""


def test_neither_programs_nor_their_results_follow_the_hash_seed() -> None:
    shown = {
        subprocess.run(
            [sys.executable, "-c", SHOW], capture_output=True, text=True, check=True,
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
        ).stdout
        for hash_seed in ("1", "77")
    }  # fmt: skip
    assert len(shown) == 1


@pytest.mark.parametrize("level", list(Level))
def test_the_same_seed_gives_the_same_program(level: Level) -> None:
    assert [generate(seed, level) for seed in range(30)] == [
        generate(seed, level) for seed in range(30)
    ]


def test_seeds_give_different_programs() -> None:
    texts = {generate(seed, Level.LINES).text for seed in range(2000)}
    assert len(texts) > 1990


def test_levels_are_taken_in_turn() -> None:
    found = list(programs(7, 5))
    assert [program.level for program in found[:3]] == list(Level)
    assert found[3] == generate(10, Level.OPERATION)


def test_a_program_has_a_call() -> None:
    with pytest.raises(ValueError, match="no call"):
        GeneratedProgram("", "f", (), Level.LINES, 1, frozenset())


COMMON = frozenset((
    "assignment", "reassignment", "mutation", "unpacking", "starred", "swap", "alias", "print",
    "conditional", "if", "elif", "else", "for", "while", "break", "continue", "try", "raise",
    "comprehension", "lambda", "call", "class", "closure", "recursion", "generator", "default",
    "constant", "tuple", "f-string", "subscript", "range", "enumerate", "zip", "sorted", "map",
    "filter", "divmod", "augmented +=", "augmented -=", "early return", "return in loop",
    "for unpacking", "nested loop", "for else", "keyword argument", "finally",
    "custom exception", "re-raise", "nonlocal", "yield", "str.split", "str.join", "str.strip",
    "str.replace", "str.upper", "str.lower", "str.title", "str.find", "str.count",
    "str.startswith", "str.endswith", "str.isdigit", "str.isalpha", "str.center", "str.zfill",
    "str.partition", "str.translate", "str.rjust", "str.encode", "list.append", "list.insert",
    "list.extend", "list.pop", "list.remove", "list.index", "list.reverse", "list.sort",
    "list.count", "dict.get", "dict.items", "dict.keys", "dict.values", "dict.pop",
    "dict.setdefault", "dict.update", "set.add", "len", "sum", "max", "min", "any", "all",
    "abs", "round", "ord", "chr",
))  # fmt: skip


def test_every_common_feature_occurs() -> None:
    found: set[str] = set()
    for seed in range(700):
        found |= generate(seed, Level.LINES).features | generate(seed, Level.PROGRAM).features
    assert COMMON - found == set()


def test_features_are_seen_in_the_text() -> None:
    assert seen("list.append", "xs.append(1)")
    assert not seen("list.append", "xs += [1]")
    assert not seen("continue", "break")
    assert not seen("sum", "len(xs)")
    assert seen("augmented -=", "n -= 1")
    assert seen("closure", "")  # no word of the language: taken as it is


def test_most_programs_have_several_calls() -> None:
    assert sum(len(program.calls) > 1 for program in programs(0, 200, [Level.LINES])) > 180
