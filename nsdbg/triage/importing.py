"""A module that a change keeps from being imported: nothing in it can be called any more.

What the environment lacks is no finding: a new dependency is to be installed first.
"""

from __future__ import annotations

import re
from pathlib import Path

from nsdbg.changes.changed import ChangeSet
from nsdbg.claim import Call, Ending, Raised, Site, Status
from nsdbg.finding import Finding, Rule, Suspicion, fingerprint
from nsdbg.source import MODULE, Subject
from nsdbg.triage.finding import place_of, when
from nsdbg.triage.pair import Pair, raising_goal
from nsdbg.verify.runner import Runner

_MISSING = ("ImportError", "ModuleNotFoundError")
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
    if _is_environment(first, Path(pair.new.ref.root)) or not _is_imported(pair.old, runner):
        return None
    return _finding(first, pair, changes, runner.python_version)


def _failure(subject: Subject, runner: Runner, side: int) -> Raised | None:
    """Return the exception that leaves the import of a function's module; None where none does."""
    run = runner.single(raising_goal(subject), Call(), side=side, trace=False)
    return run.raised if run.ending is Ending.NOT_STARTED else None


def _is_imported(subject: Subject, runner: Runner) -> bool:
    run = runner.single(raising_goal(subject), Call(), trace=False)
    return run.ending not in (Ending.NOT_STARTED, Ending.BLOCKED, Ending.DIED, Ending.TIMED_OUT)


def _is_environment(raised: Raised, root: Path) -> bool:
    """Whether a module is missing that is none of the project's."""
    if raised.type not in _MISSING:
        return False
    named = {name.partition(".")[0] for name in _QUOTED.findall(raised.message)}
    return not any((root / name).is_dir() or (root / f"{name}.py").is_file() for name in named)


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
