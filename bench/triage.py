"""How many of a history's new crashes the pre-commit hook finds in its time, and what it costs.

Each commit of `tests/triage_history.py` is staged, and `nsdbg triage --staged` is run as the hook
runs it.  A wall clock tells of the machine, too: the load is printed with the numbers.

Usage: python bench/triage.py [--budget SECONDS]
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from triage_history import Commit, build, git, history

RUNS_OF_NOTHING = 5


def main() -> None:
    """Stage each commit, run the hook on it, and print what it found and how long it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--budget", type=float, help="seconds; default: the hook's own")
    budget = parser.parse_args().budget
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
        nothing = _nothing(folder / "clean")
        rows = [(commit, *_asked(folder / "repo", budget)) for commit in history(folder / "repo")]
    _tell(rows, nothing)


def _asked(repo: Path, budget: float | None) -> tuple[list[str], bool, float]:
    """Return the exceptions found, whether the time was up, and the seconds it took."""
    words = [
        str(Path(sys.executable).with_name("nsdbg")),
        "triage",
        "--staged",
        "--output-format",
        "json",
    ]
    words += ["--budget", str(budget)] if budget is not None else []
    began = time.perf_counter()
    run = subprocess.run(words, cwd=repo, capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - began
    if run.returncode not in (0, 1):
        raise SystemExit(run.stderr)
    said = json.loads(run.stdout)
    cut = any("time was up" in note for note in said["notes"])
    return [one["exception"] for one in said["findings"]], cut, seconds


def _nothing(repo: Path) -> float:
    """Return the median of the seconds that a clean index takes."""
    build(repo)
    took = []
    for _ in range(RUNS_OF_NOTHING):
        began = time.perf_counter()
        words = [str(Path(sys.executable).with_name("nsdbg")), "triage", "--staged"]
        run = subprocess.run(words, cwd=repo, capture_output=True, text=True, check=True)
        took.append(time.perf_counter() - began)
        assert (run.stdout, run.stderr) == ("", "")
    git(repo, "status")
    return statistics.median(took)


def _tell(rows: list[tuple[Commit, list[str], bool, float]], nothing: float) -> None:
    for commit, found, cut, seconds in rows:
        wanted = commit.raises or "-"
        late = "  time was up" if cut else ""
        print(
            f"{seconds:5.2f} s  {wanted:<18} {', '.join(found) or '-':<18} {commit.subject}{late}"
        )
    adding = [(commit, found) for commit, found, *_ in rows if commit.raises]
    hits = sum(commit.raises in found for commit, found in adding)
    others = sum(bool(found) for commit, found, *_ in rows if not commit.raises)
    quiet = [seconds for commit, _, _, seconds in rows if not commit.raises]
    print(f"new crashes found: {hits} of {len(adding)}; other commits blamed: {others}")
    print(f"a clean index: {nothing:.2f} s; a commit with nothing in it: "
          f"{statistics.median(quiet):.2f} s, at most {max(quiet):.2f} s")  # fmt: skip
    print(f"load: {' '.join(f'{one:.1f}' for one in os.getloadavg())} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
