"""The test file that `--emit-test` asks for: written, run under the guard, then told of.

What does not fail with exactly the crash's exception is taken away again, and what nsdbg wrote
there before is put back.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, replace
from pathlib import Path

from nsdbg.claim import Call, FunctionRef, Goal, Proposal, Site, Status
from nsdbg.errors import UsageError
from nsdbg.report.regression import is_ours, name_of_test, text_of_test
from nsdbg.reproduce import Outcome, Reproduction
from nsdbg.solve import Judging


@dataclass(frozen=True, slots=True)
class Written:
    """What became of a test file: where it lies (None: nowhere), and a sentence about it."""

    path: Path | None
    told: str


def check_target(path: Path) -> None:
    """Raise UsageError when a test may not be written to a path."""
    if path.is_dir():
        raise UsageError(f"--emit-test: {path} is a folder; name a file, as {path}/test_crash.py")
    if path.is_symlink():
        raise UsageError(f"--emit-test: {path} is a link; name the file itself")
    if path.suffix != ".py":
        raise UsageError(f"--emit-test: {path} is no Python file; name it like test_crash.py")
    if not path.resolve().parent.is_dir():
        raise UsageError(f"--emit-test: there is no folder {path.parent}; make it first")
    if path.exists() and not is_ours(path):
        raise UsageError(
            f"--emit-test: {path} is there and was not written by nsdbg; choose another name"
        )


def emit_test(outcome: Outcome | None, path: Path, verifier: Judging | None) -> Written:
    """Write the test of the best reproduction and run it.

    A call of a function is preferred to a run of a script.  Raises UsageError when the file
    cannot be written.
    """
    best = outcome.best_call or outcome.best if outcome else None
    if best is None or verifier is None:
        return Written(None, "no test was written: nothing was reproduced")
    try:
        former = path.read_bytes() if path.exists() else None
        path.write_text(text_of_test(best, path), encoding="utf-8")
    except OSError as error:
        raise UsageError(f"--emit-test: cannot write {path}: {error.strerror or error}") from error
    verdict = verifier.confirm(goal_of_test(best, path), Proposal(Call(), "test"))
    if verdict.status is Status.CONFIRMED:
        again = " (in place of the one nsdbg wrote before)" if former is not None else ""
        told = f"{path} was written{again} and run: it fails with this exception, as it should"
        return Written(path, told)
    if former is None:
        path.unlink(missing_ok=True)
    else:
        path.write_bytes(former)
    detail = verdict.evidence.detail or verdict.reason.slug
    return Written(None, f"no test was kept: run under the guard it gave {detail}")


def goal_of_test(found: Reproduction, path: Path) -> Goal:
    """Return the goal of running the test: the same exception, through the test and the chain."""
    name = name_of_test(found)
    goal = found.level.goal
    raised = found.verdict.evidence.raised
    claim = goal.exception
    if found.values_differ and claim is not None and raised is not None:
        claim = replace(claim, message=raised.message, message_prefix=False)
    entry = FunctionRef(str(path.resolve()), name, path.stem, str(path.resolve().parent))
    chain = (Site(str(path.resolve()), None, name), *goal.chain)
    return replace(goal, entry=entry, chain=chain, exception=claim)


def write_state(state: dict[str, object], path: Path) -> None:
    """Write the state at a crash, for its owner alone: locals may hold what others must not see.

    Raises UsageError when it cannot be written, and for a link: it may lead anywhere.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0)
    try:
        with open(os.open(path, flags, 0o600), "w", encoding="utf-8") as file:
            os.fchmod(file.fileno(), 0o600)
            file.write(json.dumps(state, indent=2) + "\n")
    except OSError as error:
        why = "is a link; name the file itself" if path.is_symlink() else error.strerror or error
        raise UsageError(f"--state-out: cannot write {path}: {why}") from error
