"""Change nsdbg's own code in thousands of small ways, and count the changes that no test notices.

    python bench/mutation.py [PART ...] [--jobs N] [--limit SHARE] [--keep] [--survivors]

`mutmut` makes the changes and runs the tests, on a copy of the checkout, which it proves to be the
code under test by a change that has to fail.  A part is a few modules and the tests that hold
them, all of which run in one process.  Exits with 1 where a part lies below the limit;
`docs/mutation.md` explains what survives.
"""

from __future__ import annotations

import argparse
import filecmp
import json
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COPIED = ("nsdbg", "tests", "rules", "pyproject.toml")
# Exit codes of a changed run, as mutmut.stats names them; a change that makes a test hang counts
# as noticed.
KILLED = {1: "killed", 3: "killed", 36: "timeout", 24: "timeout", -24: "timeout", 152: "timeout",
          -9: "killed", -11: "killed"}  # fmt: skip
SETTINGS = """\
[mutmut]
source_paths=nsdbg
only_mutate=
{modules}
also_copy=
    rules
    few_examples.py
pytest_add_cli_args_test_selection=
{tests}
pytest_add_cli_args=
    --import-mode=importlib
    --assert=plain
    -pno:cacheprovider
    -pfew_examples
    --hypothesis-seed=0
{chosen}
timeout_multiplier=6
timeout_constant=2
use_git_change_detection=false
"""
# Properties are a net below the other tests here: drawn at length for each change, they would take
# hours.
FEW_EXAMPLES = """\
from hypothesis import HealthCheck, settings

settings.register_profile(
    "few", max_examples=10, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)
settings.load_profile("few")
"""


@dataclass(frozen=True, slots=True)
class Part:
    """Modules that belong together, and the tests that have to notice a change of them.

    `without` are words of tests that are left out: they take long, or start other processes.
    """

    modules: tuple[str, ...]
    tests: tuple[str, ...]
    without: tuple[str, ...] = ()


PARTS = {
    "judge": Part(
        tuple(
            f"verify/{name}.py"
            for name in ("judge", "comparison", "agreement", "chance", "transition")
        ),
        (
            "test_judge_differences.py",
            "test_judge_evidence.py",
            "test_judge_agreement.py",
            "test_chance.py",
            "test_transition.py",
            "test_judge.py",
        ),
    ),
    "unheld": Part(
        tuple(f"verify/{name}.py" for name in ("unheld", "variables", "kinds", "meanings")),
        ("test_unheld.py", "test_kinds.py"),
    ),
    "walk": Part(("verify/walk.py",), ("test_walk_commands.py",)),
    "localize": Part(
        tuple(
            f"localize/{name}.py"
            for name in ("clue", "rank", "dynamic", "oddity", "kinds", "static")
        ),
        ("test_rank_runs.py", "test_rank_kinds.py", "test_rank_sites.py", "test_slice.py"),
    ),
    "codec": Part(
        ("propose/codec/*.py",),
        (
            "test_codec_values.py",
            "test_codec_states.py",
            "test_codec_syntax.py",
            "test_codec_answers.py",
            "test_codec_calls.py",
            "test_codec_text.py",
            "test_codec_reading.py",
            "test_codec_rows.py",
            "test_codec_evaluation.py",
            "test_codec_following.py",
            "test_codec_situations.py",
        ),
        (
            "every_interpreter",
            "asks_too_much",
            "cut_and_mutated",
            "nested_without_end",
            "random_tokens",
            "any_tokens",
            "any_literal",
            "nested_expressions",
            "of_generated_programs",
        ),
    ),
}


def prepare(folder: Path, part: Part, keep: bool) -> None:
    """Copy the checkout; with `keep` touch only what differs, so that results hold on."""
    if not keep:
        shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    for name in COPIED:
        for file in files_of(ROOT / name):
            copy = folder / file.relative_to(ROOT)
            if not (copy.is_file() and filecmp.cmp(file, copy, shallow=False)):
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, copy)
    modules = "\n".join(f"    nsdbg/{one}" for one in part.modules)
    tests = "\n".join(f"    tests/{one}" for one in part.tests)
    words = " and ".join(f"not {word}" for word in part.without)
    chosen = f"    -k{words}" if words else ""
    settings = SETTINGS.format(modules=modules, tests=tests, chosen=chosen)
    if keep and (folder / "setup.cfg").is_file() and (folder / "setup.cfg").read_text() != settings:
        # mutmut takes a module that it copied before for one that it has changed.
        shutil.rmtree(folder / "mutants", ignore_errors=True)
    (folder / "setup.cfg").write_text(settings)
    (folder / "few_examples.py").write_text(FEW_EXAMPLES)


def files_of(place: Path) -> Iterator[Path]:
    """Yield the files below a folder, or the file itself, without what Python wrote there."""
    if place.is_file():
        yield place
        return
    for file in sorted(place.rglob("*")):
        if file.is_file() and "__pycache__" not in file.parts:
            yield file


def results(folder: Path) -> dict[str, dict[str, int | None]]:
    """Return, by module, how the tests ended under each of its changes."""
    found = {}
    for file in sorted((folder / "mutants" / "nsdbg").rglob("*.meta")):
        codes = json.loads(file.read_text())["exit_code_by_key"]
        if codes:
            found[str(file.relative_to(folder / "mutants")).removesuffix(".meta")] = codes
    return found


def told(folder: Path, name: str) -> str:
    """Return what mutmut changed, as the lines of a difference that were taken out and put in."""
    shown = mutmut(folder, "show", name, capture_output=True, text=True).stdout
    changed = re.findall(r"^(?!\+\+\+|---)[+-].*", shown, re.MULTILINE)
    return "\n".join(f"      {line}" for line in changed)


def mutmut(folder: Path, *words: str, **options: object) -> subprocess.CompletedProcess[str]:
    """Run one command of mutmut in a part's folder."""
    return subprocess.run(
        [sys.executable, "-m", "mutmut", *words], cwd=folder, check=False, **options
    )


def report(folder: Path, part: str, with_changes: bool) -> float:
    """Print each module's counts and what survived; return the part's share of killed changes."""
    total: Counter[str] = Counter()
    for module, codes in results(folder).items():
        ends = Counter(end_of(code) for code in codes.values())
        total += ends
        print(line_of(module, ends))
        for name, code in codes.items():
            if end_of(code) == "survived":
                print(f"    survived: {name.rpartition('.')[2]}")
                if with_changes:
                    print(told(folder, name))
    print(line_of(part, total))
    return share_of(total)


def end_of(code: int | None) -> str:
    """Say how a change ended; what no test runs over survived."""
    return "unchecked" if code is None else KILLED.get(code, "survived")


def line_of(name: str, ends: Counter[str]) -> str:
    """Return one row of the table."""
    return (
        f"{name:40} {ends.total():5} changes {ends['killed']:5} killed {ends['timeout']:3} hung"
        f" {ends['survived']:4} survived {ends['unchecked']:4} open  {share_of(ends):6.1%}"
    )


def share_of(ends: Counter[str]) -> float:
    """Return the share of changes that were noticed."""
    return (ends["killed"] + ends["timeout"]) / max(1, ends.total())


def main() -> int:
    """Run the parts that were asked for, and say whether all of them reach the limit."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; all")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "mutation")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--limit", type=float, default=0.9)
    parser.add_argument("--keep", action="store_true", help="try only what was edited since")
    parser.add_argument("--survivors", action="store_true", help="print each survivor's change")
    options = parser.parse_args()
    shares = []
    for name in options.parts or PARTS:
        folder = options.folder / name
        prepare(folder, PARTS[name], options.keep)
        started = time.monotonic()
        ended = mutmut(folder, "run", "--max-children", str(options.jobs))
        if ended.returncode != 0:
            return 2
        shares.append(report(folder, name, options.survivors))
        print(f"{name}: {time.monotonic() - started:.0f} s\n", flush=True)
    return int(min(shares) < options.limit)


if __name__ == "__main__":
    sys.exit(main())
