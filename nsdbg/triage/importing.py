"""A module that a change keeps from being imported: nothing in it can be called any more.

What the environment lacks is no finding: a new dependency is to be installed first.
"""

from __future__ import annotations

import re
from pathlib import Path

from nsdbg.changes.changed import ChangeSet
from nsdbg.changes.git import Git
from nsdbg.claim import Call, Ending, Raised, Site, Status
from nsdbg.errors import ChangeError
from nsdbg.finding import Finding, Rule, Suspicion, fingerprint
from nsdbg.source import MODULE, Subject
from nsdbg.triage.expected import MEANT, NOT_THERE, own_sites
from nsdbg.triage.finding import place_of, when
from nsdbg.triage.pair import Pair, raising_goal
from nsdbg.triage.surroundings import hangs_on_surroundings
from nsdbg.verify.runner import Runner

_QUOTED = re.compile(r"'([\w.]+)'")


def broken_import(pair: Pair, changes: ChangeSet, runner: Runner) -> Finding | None:
    """Return that a function's module raises when it is imported and did not before the change.

    Two interpreters that differ have tried it, and the old version has been imported.
    """
    first = _failure(pair.new, runner, 0) if pair.old is not None else None
    if first is None or pair.old is None:
        return None
    second = _failure(pair.new, runner, 1)
    if second is None or first.type != second.type:
        return None
    if _is_environment(first, changes.root.resolve(), Path(pair.new.ref.root)) or not _is_imported(
        pair.old, runner
    ):
        return None
    return _finding(first, pair, changes, runner.python_version)


def _failure(subject: Subject, runner: Runner, side: int) -> Raised | None:
    """Return the exception that leaves the import of a function's module; None where none does."""
    run = runner.single(raising_goal(subject), Call(), side=side, trace=False)
    return run.raised if run.ending is Ending.NOT_STARTED else None


def _is_imported(subject: Subject, runner: Runner) -> bool:
    run = runner.single(raising_goal(subject), Call(), trace=False)
    return run.ending not in (Ending.NOT_STARTED, Ending.BLOCKED, Ending.DIED, Ending.TIMED_OUT)


def _is_environment(raised: Raised, top: Path, root: Path) -> bool:
    """Whether it tells of the machine: a module is missing that is none of the project's, or that
    git ignores, since something makes it; or the module reads where it runs."""
    name = raised.type.rpartition(".")[2]
    if name in MEANT or any(map(hangs_on_surroundings, own_sites(raised, top))):
        return True
    if name not in NOT_THERE:
        return False
    named = _QUOTED.findall(raised.message)
    firsts = {one.partition(".")[0] for one in named}
    ours = any((root / one).is_dir() or (root / f"{one}.py").is_file() for one in firsts)
    return not ours or any(_is_made(top, root.joinpath(*one.split("."))) for one in named)


def _is_made(top: Path, module: Path) -> bool:
    """Whether git ignores a module: it is no part of the commit, and something else makes it."""
    names = [module.with_name(f"{module.name}.py"), module]
    asked = [one.relative_to(top).as_posix() for one in names if one.is_relative_to(top)]
    try:
        return any(map(Git(top).ignores, asked))
    except ChangeError:
        return False


def _finding(raised: Raised, pair: Pair, changes: ChangeSet, python: str) -> Finding:
    module, site = pair.new.ref.module, raised.sites[-1]
    place = place_of(site if site.file else Site(pair.new.ref.file, 1, MODULE), changes)
    where = f"{Path(place.file).name}:{place.lineno}"
    text = f"raises {raised.type}: {raised.message}" if raised.message else f"raises {raised.type}"
    return Finding(
        Rule.NEW_CRASH,
        f"`import {module}` now raises {raised.type} at {where}; {when(changes)} it succeeded",
        fingerprint(Rule.NEW_CRASH, place.file, "import", raised.type, place.text),
        place=place,
        status=Status.CONFIRMED,
        origin="triage",
        exception=raised.type,
        exception_message=raised.message,
        call=f"import {module}",
        before="succeeded",
        now=text,
        evidence=f"imported in a fresh interpreter from {changes.old_name}; failed in two from "
        f"{changes.new_name}, on Python {python}",
        touched=changes.touches(place.file, place.lineno),
        suspects=(Suspicion(place, 0.9, (f"{raised.type} is raised here",)),),
    )
