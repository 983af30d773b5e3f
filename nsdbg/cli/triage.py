"""`nsdbg triage`: the new crashes of a change, and which crashes of logs a change touches."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from nsdbg.cli.findings import FindingsFormat, Html, Outputs, Shown, checked_outputs, show
from nsdbg.cli.options import (
    DEFAULT_PROPOSERS,
    Allow,
    Model,
    Proposers,
    Provider,
    Python,
    Rules,
    Runtime,
    Seed,
    ShowSecrets,
    Verbose,
    WeakGuard,
    proposer_names,
    tell_what_is_awaited,
)
from nsdbg.cli.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nsdbg.changes.changed import ChangeSet, What
    from nsdbg.finding import Findings

# What a commit may cost in all, from the start of the process; and each function otherwise.
STAGED_S = 0.8
FUNCTION_S = 10.0
# A module's import begins while the change is read; it may end so late after the budget.
LEAST_IMPORT_S = 1.0
ON_DISK = "no function that changed is staged; try nsdbg triage --diff HEAD"

Paths = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[FILE | LOG]...",
        help="Python files whose changes against HEAD are looked at, or logs with tracebacks; "
        "- is a log on standard input.",
    ),
]
IsStaged = Annotated[
    bool, typer.Option("--staged", help="What is staged against HEAD; so it is with no argument.")
]
Diff = Annotated[
    str | None,
    typer.Option(
        "--diff", metavar="REV",
        help="What is on disk against this revision, or against where the branch left it.",
    ),
]  # fmt: skip
Budget = Annotated[
    float | None,
    typer.Option(
        "--budget", min=0.1, metavar="S",
        help="Seconds in all. Default: 0.8 for what is staged, else 10 for each function.",
    ),
]  # fmt: skip


def triage(
    paths: Paths = None, staged: IsStaged = False, diff: Diff = None, budget: Budget = None,
    python: Python = None, proposers: Proposers = DEFAULT_PROPOSERS, allow: Allow = None,
    allow_weak_guard: WeakGuard = False, rules: Rules = None, model: Model = None,
    provider: Provider = Runtime.AUTO, seed: Seed = 0, show_secrets: ShowSecrets = False,
    verbose: Verbose = False, output: Outputs = None, html: Html = None,
    output_format: Shown = FindingsFormat.TEXT,
) -> None:  # fmt: skip
    """Find inputs on which the changed code crashes and the code before did not.

    Calls each function that the change touches in both versions, with inputs from its tests,
    docstrings, callers and hints, and from the proposers. Silent when nothing is new. Given logs,
    counts their crashes, ranks them and says which ones the change touches. The JSON is
    nsdbg.findings/1.

    Exit code: 0 clean, 1 findings, 2 it could not be asked.

    Example: nsdbg triage --diff main
    """
    began = _began()
    names = proposer_names(proposers)
    logs = [one for one in paths or () if not one.endswith(".py")]
    files = [one for one in paths or () if one.endswith(".py")]
    _check(logs, files, staged, diff)
    outputs = checked_outputs(output, html) if output or html else ()
    what = _what(files, diff)
    if logs:
        from nsdbg.cli.triage_logs import show_logs, triage_logs

        found = triage_logs(logs, what, asked=staged or diff is not None, secrets=show_secrets)
        show_logs(found, output_format, outputs, html)
        raise typer.Exit(1 if found.failed else 0)
    is_staged = not files and diff is None
    seconds = budget if budget is not None else STAGED_S if is_staged else None
    how = _How(
        seconds, began, seed, verbose,
        {"python": python, "allow": tuple(allow or ()), "weak_ok": allow_weak_guard,
         "rules": rules, "proposers": names, "model": model, "provider": provider.value},
    )  # fmt: skip
    found = _found(what, how, was_said=staged)
    if found.findings or found.notes or outputs or html or output_format.value != "text":
        show(found, output_format, outputs, html, "nsdbg triage", silent=True)
    raise typer.Exit(1 if found.failed else 0)


class _How(NamedTuple):
    """How to look: seconds in all (None: no limit) since `began`, and what a Workbench is told."""

    seconds: float | None
    began: float
    seed: int
    verbose: bool
    options: dict[str, Any]


def _check(logs: Sequence[str], files: Sequence[str], staged: bool, diff: str | None) -> None:
    from nsdbg.errors import UsageError

    if diff is not None and staged:
        raise UsageError("--diff and --staged are two different changes; give one of them")
    if logs and files:
        raise UsageError(
            f"{files[0]} is a Python file and {logs[0]} a log: they are two different questions"
        )
    if files and (staged or diff is not None):
        raise UsageError("FILE stands for its changes against HEAD: leave out --staged and --diff")
    for one in files:
        if not Path(one).exists():
            raise UsageError(f"there is no file {one}")
    for one in logs:
        tell_what_is_awaited(one, "a log")


def _what(files: Sequence[str], diff: str | None) -> What:
    from nsdbg.changes.changed import Files, Since, Staged

    if diff is not None:
        return Since(diff)
    return Files(tuple(Path(one) for one in files)) if files else Staged()


def _found(what: What, how: _How, was_said: bool) -> Findings:
    """Look at a change; Ctrl-C shows what is known so far.  Raises ChangeError.

    `was_said`: that it is about what is staged; else a change on disk alone is worth a word.
    """
    from nsdbg.changes.changed import Staged
    from nsdbg.changes.opening import open_changes
    from nsdbg.finding import Findings

    with open_changes(Path(), what, seconds=how.seconds) as changes:
        if not changes.functions:
            on_disk = isinstance(what, Staged) and not was_said and _differs_on_disk()
            return Findings(notes=(*changes.notes, *([ON_DISK] if on_disk else [])))
        return _triaged(changes, how)


def _differs_on_disk() -> bool:
    """Whether a function differs from HEAD in the working tree."""
    from nsdbg.changes.changed import Since
    from nsdbg.changes.opening import open_changes
    from nsdbg.errors import ChangeError

    try:
        with open_changes(Path(), Since("HEAD")) as changes:
            return bool(changes.functions)
    except ChangeError:  # there is no commit yet
        return False


def _triaged(changes: ChangeSet, how: _How) -> Findings:
    from dataclasses import replace

    from nsdbg.workbench import Options, Workbench

    roots = tuple(one for one in (changes.root, changes.old_root) if one is not None)
    progress = Progress(how.began)
    options = Options(roots, **how.options)
    if how.seconds is not None:
        longest = min(options.import_limit_s, max(how.seconds, LEAST_IMPORT_S))
        options = replace(options, import_limit_s=longest)
    with Workbench(options) as bench:
        bench.runner.start()  # the interpreters start while the other modules are loaded
        from nsdbg.triage import Allowance, Stopped
        from nsdbg.triage import triage as ask

        allowance = Allowance(how.seconds, FUNCTION_S, how.began, how.seed)
        try:
            found = ask(
                changes, bench, allowance, verbose=how.verbose,
                progress=lambda text: progress.tell(f"calling {text}"),
            )  # fmt: skip
        except Stopped as stopped:
            progress.end()
            known = _worth_showing(stopped.found, how, changes)
            show(known, FindingsFormat.TEXT, (), None, "", silent=True)
            raise
    progress.end()
    return _worth_showing(found, how, changes)


def _worth_showing(found: Findings, how: _How, changes: ChangeSet) -> Findings:
    """Leave out what is too light, unless it was asked for, and what a comment silences."""
    from dataclasses import replace

    from nsdbg.triage.flow import errors_of

    shown = found.findings if how.verbose else errors_of(found)
    return _without_ignored(replace(found, findings=shown), changes.root)


def _without_ignored(found: Findings, root: Path) -> Findings:
    """Set apart what a comment `# nsdbg: ignore[new-crash]` silences."""
    from dataclasses import replace

    # Few files hold such a comment, and reading them takes more modules than all of triage.
    if not any("nsdbg:" in text for _, text in found.sources):
        return found
    from nsdbg.gate.suppress import Suppressions

    comments = Suppressions(root)
    silent = [one for one in found.findings if comments.silences(one)]
    kept = tuple(one for one in found.findings if one not in silent)
    return replace(found, findings=kept, ignored=tuple(silent))


def _began() -> float:
    """Return when this process began, as `perf_counter` counts; now where nobody tells."""
    now = time.perf_counter()
    try:
        fields = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
        age = time.clock_gettime(time.CLOCK_BOOTTIME) - int(fields[19]) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, AttributeError):
        return now
    return now - age if 0.0 < age < 10.0 else now
