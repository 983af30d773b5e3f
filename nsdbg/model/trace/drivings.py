"""What can be recorded: generated programs, data files of functions, packages, a test suite."""

from __future__ import annotations

import gzip
import json
import random
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nsdbg.errors import CorpusError, UsageError
from nsdbg.model.trace.record import Driving
from nsdbg.model.trace.workers import Job, run_items
from nsdbg.verify.interpreters import find_interpreter


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be recorded, as the command line asks for it.

    `levels`: the shares of the generated programs' levels.  `most`: calls of each function.
    """

    generated: int
    levels: dict[str, float]
    functions: tuple[Path, ...]
    packages: tuple[str, ...]
    stdlib: bool
    without: tuple[str, ...]
    pytest: Path | None
    python: Path | None
    seed: int
    most: int

    def as_json(self) -> dict[str, Any]:
        """Return it for a manifest: files without the folders that they lie in."""
        return {
            "generated": self.generated,
            "levels": self.levels,
            "functions": [file.name for file in self.functions],
            "packages": list(self.packages),
            "stdlib": self.stdlib,
            "without": list(self.without),
            "pytest": None if self.pytest is None else self.pytest.name,
            "seed": self.seed,
            "most": self.most,
        }


def plan(wanted: Wanted) -> list[Driving]:
    """Return the work; raises UsageError when there is none, CorpusError, InterpreterError."""
    found = []
    if wanted.generated:
        found.append(generated(wanted.generated, wanted.levels, wanted.seed, wanted.most))
    others = [wanted.functions, wanted.packages, wanted.stdlib, wanted.pytest]
    if not found and not any(others):
        raise UsageError(
            "nothing to record: give --generated, --functions, --package, --stdlib or --pytest"
        )
    if any(others):
        python = find_interpreter(wanted.python, wanted.pytest).path
        found += [functions(file, python, wanted.most) for file in wanted.functions]
        for name in wanted.packages:
            found += packages(name, wanted, python)
        if wanted.stdlib:
            found += packages("", wanted, python)
        if wanted.pytest is not None:
            found.append(suite(wanted.pytest, python, wanted.most))
    return found


# What marks a project's folder.
_PROJECT = ("pyproject.toml", "setup.py", "setup.cfg", "pytest.ini", "tox.ini", ".git")
# A suite may go on for so long without a new call to record.
SUITE_SILENCE_S = 3600.0
# Seconds for the code of one item to load, and for one call.
LOAD_S, CALL_S = 10.0, 4.0
# The same for a module of a package, and for the examples of a docstring or a test.
PACKAGE_LOAD_S, TEST_S = 120.0, 10.0
# Seconds of the processor for an item, after which its worker is ended.
ITEM_CPU_S, PACKAGE_CPU_S = 30, 180
_CODE = ("id", "code", "entry", "calls", "licence")


def generated(count: int, levels: dict[str, float], seed: int, most: int) -> Driving:
    """Return the work for `count` generated programs, levels drawn by their shares."""
    rng = random.Random(f"levels {seed}")
    drawn = rng.choices(list(levels), list(levels.values()), k=count)
    # Another seed is other programs, however many of them.
    items = tuple([seed * 10**9 + number, level] for number, level in enumerate(drawn))
    settings = {"source": "generated", "most": most, "load_s": LOAD_S, "call_s": CALL_S,
                "cpu_s": ITEM_CPU_S}  # fmt: skip
    return Driving("generated", Job("generated", Path(sys.executable), settings), items)


def functions(file: Path, python: Path, most: int) -> Driving:
    """Return the work for a data file of functions with calls; raises CorpusError."""
    items = tuple(_read_items(file))
    settings = {"source": "functions", "most": most, "load_s": LOAD_S, "call_s": CALL_S,
                "cpu_s": ITEM_CPU_S}  # fmt: skip
    return Driving(file.name, Job("functions", python, settings), items)


def _read_items(file: Path) -> list[dict[str, Any]]:
    try:
        opened = gzip.open if file.name.endswith(".gz") else open
        with opened(file, "rt", encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines if line.strip()]
    except (OSError, EOFError, ValueError) as error:
        raise CorpusError(f"--functions: cannot read {file}: {error}") from error
    for number, row in enumerate(rows, 1):
        missing = [key for key in _CODE if not isinstance(row, dict) or key not in row]
        if missing:
            raise CorpusError(f"--functions: line {number} of {file} lacks {', '.join(missing)}")
        calls = row["calls"] if isinstance(row["calls"], list) else [None]
        texts = [row["id"], row["code"], row["entry"], row["licence"], *calls]
        if not all(isinstance(text, str) for text in texts):
            raise CorpusError(f"--functions: line {number} of {file} has a field that is no text")
        row.setdefault("package", row["id"].partition("_")[0])
    return [{key: row[key] for key in (*_CODE, "package")} for row in rows]


def packages(name: str, wanted: Wanted, python: Path) -> list[Driving]:
    """Return the work for a package, or with an empty name for the standard library.

    Asks the interpreter what there is; raises CorpusError when the package is not.
    """
    job = Job("finding", python, {"without": list(wanted.without)})
    found = []
    for done in run_items(job, [name], 1):
        for line in done.rows:
            row = json.loads(line)
            if "missing" in row:
                raise CorpusError(f"--package: {python} has no package {name} of Python source")
            found.append(_package(row, wanted.most, python))
    return found


def _package(row: dict[str, Any], most: int, python: Path) -> Driving:
    settings = {"base": row["base"], "roots": row["roots"], "most": most, "load_s": PACKAGE_LOAD_S,
                "call_s": TEST_S, "cpu_s": PACKAGE_CPU_S}  # fmt: skip
    items = tuple(
        {"kind": kind, "module": module, "package": row["package"], "licence": row["licence"]}
        for kind, modules in (("doctest", row["doctests"]), ("tests", row["tests"]))
        for module in modules
    )
    # In one process, since how often a function was taken is known to that process alone.
    return Driving(row["package"], Job("packages", python, settings), items, 1)


def suite(tests: Path, python: Path, most: int) -> Driving:
    """Return the work for a project's test suite, run in its folder, outside the sandbox.

    It is the user's own, and runs as pytest runs it.  Raises CorpusError where nothing is.
    """
    path = tests.resolve()
    if not path.exists():
        raise CorpusError(f"--pytest: there is no {tests}")
    folder = path if path.is_dir() else path.parent
    project = next(
        (place for place in (folder, *folder.parents)
         if any((place / name).exists() for name in _PROJECT)),
        folder,
    )  # fmt: skip
    name, licence = _project_words(project)
    settings = {"most": most, "package": name, "licence": licence}
    job = Job("pytests", python, settings, silence_s=SUITE_SILENCE_S, folder=project)
    return Driving(f"pytest {tests}", job, (str(path),), 1)


def _project_words(project: Path) -> tuple[str, str]:
    """Return a project's name and licence as its `pyproject.toml` has them, where it has."""
    table: Any = {}
    try:
        with (project / "pyproject.toml").open("rb") as file:
            table = tomllib.load(file).get("project")
    except (OSError, ValueError):
        pass
    if not isinstance(table, dict):
        table = {}
    licence = table.get("license")
    told = [licence.get("text") if isinstance(licence, dict) else licence]
    told += [one.rpartition("::")[2] for one in table.get("classifiers", ())
             if str(one).startswith("License ::")]  # fmt: skip
    words = [text.strip().partition("\n")[0][:80] for text in told if isinstance(text, str)]
    return str(table.get("name") or project.name), next(filter(None, words), "the project's own")
