"""Worker processes: order, items that kill or stall them, every interpreter, doctests, suites."""

from __future__ import annotations

import ast
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from running import write

from nsdbg.episode import Episode, episode_from_json
from nsdbg.errors import CorpusError
from nsdbg.model.trace import workers
from nsdbg.model.trace.drivings import Wanted, plan, suite
from nsdbg.model.trace.workers import LOST, SILENT, Done, Job, run_items
from nsdbg.verify.interpreters import Interpreter, find_interpreters

SETTINGS = {"source": "functions", "most": 8, "load_s": 5.0, "call_s": 1.0, "cpu_s": 20}
OURS = Path(sys.executable)


def item(code: str, *calls: str, entry: str = "f", name: str = "x") -> dict[str, Any]:
    return {"id": name, "code": code, "entry": entry, "calls": calls, "licence": "MIT"}


def run(items: list[dict[str, Any]], jobs: int = 1, **changes: Any) -> list[Done]:
    job = Job("functions", OURS, {**SETTINGS, **changes.pop("settings", {})}, **changes)
    return list(run_items(job, items, jobs))


def episodes(done: Done) -> list[Episode]:
    return [episode_from_json(row) for row in done.rows]


def test_the_calls_of_a_data_file_are_recorded_in_their_order() -> None:
    items = [item(f"def f(x):\n    return x + {n}", "1", "x=2", name=f"n{n}") for n in range(7)]
    found = run(items, jobs=2)
    assert [done.item for done in found] == list(range(7))
    assert [episode.id for episode in episodes(found[4])] == ["functions/n4/0", "functions/n4/1"]
    returned = episodes(found[4])[1].trace.states[-1].arg
    assert returned is not None
    assert returned.repr == "6"


def test_methods_and_helpers_that_a_call_reaches_are_part_of_it() -> None:
    code = ("def helper(x):\n    return x * 2\n\n\nclass Solution:\n    def run(self, x):\n"
            "        return helper(x)\n")  # fmt: skip
    (done,) = run([item(code, "x = 3", entry="Solution().run")])
    (episode,) = episodes(done)
    assert episode.function == "Solution.run"
    assert [one.qualname for one in episode.listings] == ["helper", "Solution.run"]
    assert episode.listings[0].file == "solution.py"


def test_an_item_that_kills_its_worker_is_lost_and_the_others_are_not() -> None:
    die = "def f(x):\n    import os, signal\n    os.kill(os.getpid(), signal.SIGKILL)"
    good = item("def f(x):\n    return x", "1")
    found = run([good, item(die, "1"), good])
    assert [len(done.rows) for done in found] == [1, 0, 1]
    assert found[1].left == Counter({LOST: 1})


def test_an_item_that_says_nothing_for_too_long_is_lost() -> None:
    # C code, which the alarm of the worker does not reach.
    stall = "def f(x):\n    return sum(range(10 ** 12))"
    found = run([item(stall, "1"), item("def f(x):\n    return x", "1")], silence_s=2.0)
    assert found[0].left == Counter({SILENT: 1})
    assert len(found[1].rows) == 1


def test_an_item_that_takes_too_much_of_the_processor_is_lost() -> None:
    stall = "def f(x):\n    return sum(range(10 ** 12))"
    found = run([item(stall, "1"), item("def f(x):\n    return x", "1")], settings={"cpu_s": 1})
    assert found[0].left == Counter({LOST: 1})
    assert len(found[1].rows) == 1


def test_a_call_that_does_not_end_is_cut() -> None:
    endless = "def f(x):\n    while True:\n        x += 1"
    (done,) = run([item(endless, "1")], settings={"call_s": 0.3})
    assert done.left == Counter({"calls that take too long": 1})
    (episode,) = episodes(done)
    assert not episode.trace.complete


def test_our_deadline_is_no_exception_of_the_recorded_code() -> None:
    waits = "def f(x):\n    import signal\n    signal.pause()\n    return x"
    (done,) = run([item(waits, "1")], settings={"call_s": 0.3})
    (episode,) = episodes(done)
    assert [state.event.value for state in episode.trace.states] == ["call", "line", "line"]
    assert not episode.trace.complete


def test_items_that_cannot_be_loaded_or_called_are_counted() -> None:
    (bad, wrong) = run([item("def f(:", "1"), item("def f(x):\n    return x", "1", "2 +", "(")])
    assert bad.left == Counter({"items that fail to load": 1})
    assert wrong.left == Counter({"calls that do not parse": 2})
    assert len(wrong.rows) == 1


def test_recorded_code_cannot_write_outside_its_scratch_folder(tmp_path: Path) -> None:
    target = tmp_path / "made"
    code = f"def f(x):\n    open({str(target)!r}, 'w').close()"
    (done,) = run([item(code, "1")])
    assert not target.exists()
    (episode,) = episodes(done)
    assert [state.arg.type for state in episode.trace.states if state.arg] != []


def test_what_the_code_prints_is_kept_and_does_not_reach_the_parent() -> None:
    (done,) = run([item("def f(x):\n    print('{\"item\": 7}')\n    return x", "1")])
    (episode,) = episodes(done)
    assert episode.trace.states[2].output == '{"item": 7}\n'


def test_a_worker_that_does_not_start_is_an_error_with_its_reason() -> None:
    with pytest.raises(CorpusError, match=r"worker for nothing does not start: .*nothing"):
        list(run_items(Job("nothing", OURS, {}), ["x"], 1))


def test_stopping_early_ends_the_workers() -> None:
    items = [item("def f(x):\n    return x", "1")] * 50
    results = run_items(Job("functions", OURS, SETTINGS), items, 2)
    assert next(results).item == 0
    results.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "interpreter", find_interpreters(), ids=lambda found: ".".join(map(str, found.version[:2]))
)
def test_states_are_recorded_on_every_version(interpreter: Interpreter) -> None:
    lines = [
        "def f(n):", "    out = []", "    for x in g(n):", "        try:",
        "            out.append(1 / x)", "        except ZeroDivisionError:",
        "            out.append(None)", "    return out", "def g(n):", "    for i in range(n):",
        "        yield i",
    ]  # fmt: skip
    code = "\n".join(lines)
    job = Job("functions", interpreter.path, SETTINGS)
    (done,) = run_items(job, [item(code, "2")], 1)
    (episode,) = episodes(done)
    assert episode.python == ".".join(map(str, interpreter.version))
    trace = episode.trace
    assert trace.complete
    # Up to 3.9 the end of a generator is an event of its own, which has no traceback.
    states = [state for at, state in enumerate(trace.states) if at not in trace.internal]
    shape = "".join(state.event.value[0] + str(len(state.stack)) for state in states)
    assert shape == "c1l1l1c2l2l2r2l1l1e1l1l1l1c2l2l2r2l1l1l1c2l2r2l1r1"
    last = trace.states[-1].arg
    assert last is not None
    assert last.repr == "[None, 1.0]"


WORKER = Path(workers.__file__).with_name("worker")


def test_what_runs_in_recorded_processes_needs_the_standard_library_and_python_3_8_only() -> None:
    allowed = ("nsdbg.deltas", "nsdbg.verify.child", "nsdbg.model.trace.worker", "pytest")
    files = [file for file in WORKER.glob("*.py") if file.name != "generated.py"]  # ours alone
    foreign = set()
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(), feature_version=(3, 8))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            foreign |= {name for name in names if not name.startswith(allowed)
                        and name.partition(".")[0] not in sys.stdlib_module_names}  # fmt: skip
    assert len(files) >= 8
    assert foreign == set()


def wanted(**changes: Any) -> Wanted:
    plain: dict[str, Any] = {
        "generated": 0, "levels": {}, "functions": (), "packages": (), "stdlib": False,
        "without": (), "pytest": None, "python": OURS, "seed": 0, "most": 8,
    }  # fmt: skip
    return Wanted(**{**plain, **changes})


def drive(asked: Wanted) -> tuple[list[Episode], Counter[str]]:
    found, left = [], Counter[str]()
    for driving in plan(asked):
        for done in run_items(driving.job, driving.items, 1):
            found += episodes(done)
            left.update(done.left)
    return found, left


def test_doctests_and_tests_of_a_module_of_the_standard_library_drive_it() -> None:
    found, _ = drive(wanted(packages=("colorsys",)))
    assert {episode.package for episode in found} == {"colorsys"}
    assert {episode.licence for episode in found} == {"PSF-2.0"}
    assert "rgb_to_hsv" in {episode.function for episode in found}
    assert {listing.file for episode in found for listing in episode.listings} == {"colorsys.py"}


def test_packages_of_an_old_interpreter_are_recorded_too() -> None:
    oldest = find_interpreters()[0]
    found, _ = drive(wanted(packages=("colorsys",), python=oldest.path))
    assert {episode.python for episode in found} == {".".join(map(str, oldest.version))}
    assert "rgb_to_hls" in {episode.function for episode in found}


def test_a_package_that_is_not_there_is_an_error() -> None:
    with pytest.raises(CorpusError, match="no package nowhere_to_be_found"):
        plan(wanted(packages=("nowhere_to_be_found",)))


def test_the_standard_library_is_planned_without_what_is_held_out() -> None:
    names = [driving.name for driving in plan(wanted(stdlib=True, without=("heapq", "bisect")))]
    assert "textwrap" in names
    assert not {"heapq", "bisect"} & set(names)


PROJECT = {
    "pyproject.toml": '[project]\nname = "shop"\nlicense = {text = "ISC"}\n',
    "shop.py": "def total(items):\n    print('adding')\n    return sum(items)\n",
    "tests/test_shop.py": (
        "import shop\nimport pytest\nimport signal\n\n\n"
        "@pytest.mark.parametrize('items', [[1], [1], [2]])\n"
        "def test_total(items, capsys):\n"
        "    assert shop.total(items) == sum(items)\n"
        "    assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL\n"
        "    assert capsys.readouterr().out == 'adding\\n'\n\n\n"
        "class Slow(list):\n    def __repr__(self):\n        return '<slow>'\n\n\n"
        "def test_of_a_value_with_its_own_repr():\n    shop.total(Slow([1, 2]))\n\n\n"
        "def test_fails():\n    assert shop.total([7]) == 8\n"
    ),
}


def project(folder: Path) -> Path:
    for name, text in PROJECT.items():
        write(folder, name, text)
    return folder


def test_a_projects_own_tests_drive_its_functions(tmp_path: Path) -> None:
    found, left = drive(wanted(pytest=project(tmp_path) / "tests"))
    assert left == Counter()
    assert [episode.arguments[0][1].repr for episode in found] == [
        "[1]", "[2]", "<slow>", "[7]",
    ]  # fmt: skip
    first = found[0]
    assert first.id == "pytest/tests/test_shop.py::test_total[items0]/0"
    assert first.listings[0].file == "shop.py"
    assert (first.package, first.licence) == ("shop", "ISC")
    assert "adding\n" in [state.output for state in first.trace.states]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[project]\nlicense = "MIT"\nname = "a"', ("a", "MIT")),
        ('[project]\nlicense = {file = "X"}\n'
         'classifiers = ["Topic :: Text", "License :: OSI Approved :: BSD License"]',
         ("place", "BSD License")),
        ("project = 3", ("place", "the project's own")),
        ("[project", ("place", "the project's own")),
    ],
)  # fmt: skip
def test_a_projects_name_and_licence_are_those_of_its_settings(
    tmp_path: Path, text: str, words: tuple[str, str]
) -> None:
    write(tmp_path, "place/pyproject.toml", text)
    settings = suite(tmp_path / "place", OURS, 8).job.settings
    assert (settings["package"], settings["licence"]) == words


def test_a_test_file_that_cannot_be_collected_is_told_and_the_others_run(tmp_path: Path) -> None:
    write(project(tmp_path), "tests/test_broken.py", "import nothing_of_that_name\n")
    found, left = drive(wanted(pytest=tmp_path / "tests"))
    (reason,) = left
    assert reason.startswith("test file that pytest cannot collect (E   ModuleNotFoundError")
    assert "nothing_of_that_name" in reason
    assert len(found) == 4


def test_a_suite_without_a_test_is_told(tmp_path: Path) -> None:
    write(tmp_path, "test_empty.py", "")
    _, left = drive(wanted(pytest=tmp_path / "test_empty.py"))
    assert left == Counter({"pytest found no test": 1})
    with pytest.raises(CorpusError, match="--pytest: there is no "):
        plan(wanted(pytest=tmp_path / "missing"))


def test_lines_of_a_worker_are_rows_of_the_corpus() -> None:
    (done,) = run([item("def f(x):\n    return x", "1")])
    assert json.loads(done.rows[0])["schema"] == "nsdbg.episode/1"
