"""Call what changed between neighbouring releases of real packages, in both, and show what crashes.

    python bench/releases.py [PACKAGE:OLD:NEW ...] [--budget S] [--limit S] [--reverse]
                             [--function NAME] [--sources DIR] [--keep DIR] [--verbose]

pip fetches the source distributions; each pair becomes a git repository of two commits, tests and
all, and `nsdbg.triage` looks at the difference as it does in a gate.  With `--reverse` the newer
release comes first: what it fixed is then a crash that the change adds, and is to be found.  Which
findings are noise is for a person to say; docs/experiments.md does.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from nsdbg.changes import open_changes
from nsdbg.changes.changed import ChangeSet, Since
from nsdbg.finding import Finding, Findings, Level
from nsdbg.report.escape import plain
from nsdbg.triage import Allowance, triage
from nsdbg.workbench import Options, Workbench

PAIRS = (
    "boltons:24.1.0:25.0.0", "boltons:25.0.0:26.0.0", "boltons:26.1.0:26.2.0",
    "more-itertools:10.7.0:10.8.0", "more-itertools:10.8.0:11.0.0", "more-itertools:11.1.0:11.2.0",
    "toolz:0.11.2:0.12.0", "toolz:1.0.0:1.1.0", "toolz:1.1.0:1.2.0",
)  # fmt: skip
GIT = ("-c", "user.name=bench", "-c", "user.email=bench@example.org", "-c", "commit.gpgsign=false",
       "-c", "init.defaultBranch=main", "-c", "core.autocrlf=false")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Two releases of a package: `before` is committed first, `after` on top of it."""

    package: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.package} {self.before} -> {self.after}"


@dataclass(frozen=True, slots=True)
class Looked:
    """What triage made of a pair: `touched` functions, of which `found.examined` were called.

    `slow` names the functions that took longest, with their seconds.
    """

    pair: Neighbours
    touched: int
    found: Findings
    slow: tuple[tuple[float, str], ...]

    @property
    def shown(self) -> tuple[Finding, ...]:
        """The findings that fail a gate."""
        return tuple(one for one in self.found.findings if one.weight is Level.ERROR)


def main() -> int:
    """Look at each pair in turn; print its findings, and at the end a table of all."""
    asked = _arguments()
    pairs = [_neighbours(text, reverse=asked.reverse) for text in asked.pairs or PAIRS]
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        work = Path(asked.keep) if asked.keep else Path(scratch)
        sources = Path(asked.sources) if asked.sources else work / "sources"
        for pair in pairs:
            root = _repository(pair, sources, work / f"{pair}".replace(" ", "_"))
            looked = _look(pair, root, asked)
            rows.append(looked)
            _show(looked, verbose=asked.verbose)
    _table(rows)
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("pairs", nargs="*", metavar="PACKAGE:OLD:NEW")
    parser.add_argument("--budget", type=float, default=10.0, help="seconds for each function")
    parser.add_argument("--limit", type=float, help="seconds for each pair (default: none)")
    parser.add_argument("--reverse", action="store_true", help="the newer release comes first")
    parser.add_argument("--function", action="append", default=[], help="only these, by last name")
    parser.add_argument("--sources", help="a folder that keeps the source distributions")
    parser.add_argument("--keep", help="a folder that keeps the repositories")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--verbose", action="store_true", help="why other crashes are no findings")
    return parser.parse_args()


def _neighbours(text: str, *, reverse: bool) -> Neighbours:
    parts = text.split(":")
    if len(parts) != 3 or not all(parts):
        sys.exit(
            f"{text!r} is no pair of releases: write PACKAGE:OLD:NEW, as boltons:26.1.0:26.2.0"
        )
    package, old, new = parts
    return Neighbours(package, new, old) if reverse else Neighbours(package, old, new)


def _repository(pair: Neighbours, sources: Path, root: Path) -> Path:
    """Make a repository with a commit for each release; what was there is removed."""
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)
    _git(root, "init", "--quiet")
    for version in (pair.before, pair.after):
        for one in root.iterdir():
            if one.name != ".git":
                shutil.rmtree(one) if one.is_dir() else one.unlink()
        _unpack(_distribution(pair.package, version, sources), root)
        _git(root, "add", "--all", "--force")
        _git(root, "commit", "--quiet", "--no-verify", "--allow-empty", "--message", version)
    return root


def _git(root: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", str(root), *GIT, *arguments], check=True, capture_output=True)


def _distribution(package: str, version: str, sources: Path) -> Path:
    """Return a release's source distribution, fetched by pip unless it is there."""
    names = {package, package.replace("-", "_")}
    paths = [sources / f"{name}-{version}.tar.gz" for name in sorted(names)]
    if not any(path.exists() for path in paths):
        command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download",
                   "--quiet", "--no-deps", "--no-binary", ":all:", "--dest", str(sources),
                   f"{package}=={version}"]  # fmt: skip
        if subprocess.run(command, check=False).returncode:
            sys.exit(f"pip could not fetch the source distribution of {package} {version}")
    return next(path for path in paths if path.exists())


def _unpack(archive: Path, root: Path) -> None:
    """Unpack a source distribution without the folder that is around it all."""
    with tempfile.TemporaryDirectory() as folder, tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")
        (inner,) = Path(folder).iterdir()
        shutil.copytree(inner, root, dirs_exist_ok=True)


def _look(pair: Neighbours, root: Path, asked: argparse.Namespace) -> Looked:
    with open_changes(root, Since("HEAD~1")) as changes:
        wanted = _only(changes, asked.function)
        roots = tuple(one for one in (wanted.root, wanted.old_root) if one is not None)
        times: list[tuple[float, str]] = []

        def tell(text: str) -> None:
            times.append((time.perf_counter(), text))
            if sys.stderr.isatty():
                print(f"\r{plain(text, 78):<78}", end="", file=sys.stderr)

        with Workbench(Options(roots)) as bench:
            allowance = Allowance(asked.limit, asked.budget, seed=asked.seed)
            found = triage(wanted, bench, allowance, verbose=asked.verbose, progress=tell)
    return Looked(pair, len(wanted.functions), found, tuple(_slow(times)))


def _only(changes: ChangeSet, names: list[str]) -> ChangeSet:
    """Return a change with the functions of some names alone, of all where none are given."""
    chosen = tuple(one for one in changes.functions
                   if not names or one.qualname.rpartition(".")[2] in names
                   or one.qualname in names)  # fmt: skip
    return replace(changes, functions=chosen)


def _slow(times: list[tuple[float, str]]) -> Iterator[tuple[float, str]]:
    ended = [*times[1:], (time.perf_counter(), "")]
    took = [(end - began, text) for (began, text), (end, _) in zip(times, ended, strict=True)]
    yield from sorted(took, reverse=True)[:5]


def _show(looked: Looked, *, verbose: bool) -> None:
    print(f"\n{looked.pair}: {looked.found.examined} of {looked.touched} touched functions called, "
          f"{looked.found.seconds:.0f} s, {len(looked.shown)} findings", flush=True)  # fmt: skip
    for one in looked.found.findings:
        if one in looked.shown or verbose:
            print(f"  {one.weight.value}: {plain(one.message)}")
            print(f"    {plain('; '.join((*one.imports, one.call or '')), 400)}", flush=True)
    for seconds, text in looked.slow if verbose else ():
        print(f"  {seconds:.1f} s: {plain(text)}")
    for note in looked.found.notes:
        print(f"  note: {plain(note, 300)}")


def _table(rows: list[Looked]) -> None:
    print("\n| releases | functions touched | called | s | findings | notes |")
    print("|---|---|---|---|---|---|")
    for one in rows:
        notes = len(one.found.findings) - len(one.shown)
        print(f"| {one.pair} | {one.touched} | {one.found.examined} | {one.found.seconds:.0f} | "
              f"{len(one.shown)} | {notes} |")  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
