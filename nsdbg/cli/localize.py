"""`nsdbg localize`: from a crash log to ranked lines, a reproducer and a regression test."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nsdbg.cli.options import (
    DEFAULT_PROPOSERS,
    Allow,
    Format,
    Model,
    OutputFormat,
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

    from nsdbg.claim import Stats
    from nsdbg.crashlog import CrashReport
    from nsdbg.localize.examine import Examination
    from nsdbg.propose.neural.model import Model as Network
    from nsdbg.report.written import Written
    from nsdbg.rulebook import Rulebook
    from nsdbg.workbench import Workbench

# A log with more distinct crashes than this is a collection: the first ones are answered.
MOST_CRASHES = 20


LogFile = Annotated[
    str, typer.Argument(metavar="LOG", help="The crash log; - is standard input. May be gzip.")
]
SourceRoot = Annotated[
    Path | None,
    typer.Option(
        "--source-root",
        metavar="DIR",
        help="The folder of the project that crashed: only files below it are read and run. "
        "Default: the current folder.",
    ),
]
Budget = Annotated[
    float, typer.Option("--budget", min=0.1, help="Seconds for running, all crashes together.")
]
Top = Annotated[int, typer.Option("--top", min=1, help="Show this many suspects.")]
NoExec = Annotated[bool, typer.Option("--no-exec", help="Run nothing: rank by reading alone.")]
EmitTest = Annotated[
    Path | None,
    typer.Option(
        "--emit-test",
        metavar="PATH",
        help="Write a pytest file that fails until the crash is fixed; it is run before it is "
        "reported.",
    ),
]
StateOut = Annotated[
    Path | None,
    typer.Option(
        "--state-out", metavar="PATH", help="Write the state at the crash, for nsdbg reverse."
    ),
]
HtmlFile = Annotated[
    Path | None,
    typer.Option(
        "--html",
        metavar="FILE",
        help="Write a page on all crashes of the log: source, states, attempts. It needs no "
        "network.",
    ),
]


def localize(
    log: LogFile = "-",
    source_root: SourceRoot = None,
    budget: Budget = 20.0,
    top: Top = 5,
    no_exec: NoExec = False,
    emit_test: EmitTest = None,
    state_out: StateOut = None,
    html: HtmlFile = None,
    python: Python = None,
    proposers: Proposers = DEFAULT_PROPOSERS,
    allow: Allow = None,
    allow_weak_guard: WeakGuard = False,
    rules: Rules = None,
    model: Model = None,
    provider: Provider = Runtime.AUTO,
    seed: Seed = 0,
    show_secrets: ShowSecrets = False,
    verbose: Verbose = False,
    output_format: Format = OutputFormat.TEXT,
) -> None:
    """Find the lines at fault for a crash, and inputs that make it happen again.

    Reads tracebacks anywhere among other lines, finds their files below the source root, ranks the
    lines with the evidence for each, and reproduces the crash by running the code under the guard,
    a sandbox. The JSON is nsdbg.localize/1.

    Exit code: 0 answered, 1 the log holds no crash, 2 it could not be asked.

    Example: nsdbg localize crash.log --source-root src --emit-test tests/test_crash.py
    """
    from nsdbg.report.written import check_target
    from nsdbg.rulebook import Rulebook
    from nsdbg.workbench import Options, Workbench

    names = proposer_names(proposers)
    root = _checked_root(source_root)
    if emit_test is not None:
        check_target(emit_test)
    _check_page(html)
    reports = _read(log)
    options = Options(
        roots=(root,), python=python, allow=tuple(allow or ()), weak_ok=allow_weak_guard,
        rules=rules, proposers=names, model=model, provider=provider.value,
    )  # fmt: skip
    with Workbench(options) as bench:
        rulebook = Rulebook(rules)
        asked = bench.model if "neural" in names else None
        found = _examine_all(
            reports, root, rulebook, None if no_exec else bench, budget, seed, asked, show_secrets
        )
        written = _write_test(found, emit_test, None if no_exec else bench)
        _write_page(found, html, log, root, None if no_exec else bench, show_secrets)
    if state_out is not None:
        _write_state(found, state_out, show_secrets)
    if output_format is OutputFormat.JSON:
        _show_json(found, top, written, rulebook, show_secrets)
    else:
        _show_text(found, top, written, rulebook, verbose, show_secrets)


def _checked_root(source_root: Path | None) -> Path:
    from nsdbg.errors import UsageError

    root = source_root if source_root is not None else Path()
    if not root.is_dir():
        raise UsageError(f"--source-root: {root} is not a folder; name the project's folder")
    return root.resolve()


def _read(log: str) -> list[CrashReport]:
    from nsdbg import crashlog
    from nsdbg.crashlog.opening import open_log

    tell_what_is_awaited(log, "a log")
    with open_log(log) as opened:
        reports = crashlog.distinct(crashlog.read(opened.stream))
        if not reports:
            raise opened.no_crash()
    return reports


def _examine_all(
    reports: Sequence[CrashReport],
    root: Path,
    rulebook: object,
    bench: Workbench | None,
    budget_s: float,
    seed: int,
    model: Network | None,
    show_secrets: bool,
) -> list[Examination]:
    """Examine the crashes one by one; each gets its share of what is left of the budget.

    Ctrl-C ends it and keeps what was found so far.
    """
    import time

    from nsdbg.localize.examine import examine
    from nsdbg.report.escape import is_secret, never
    from nsdbg.rulebook import Rulebook

    assert isinstance(rulebook, Rulebook)
    found: list[Examination] = []
    ends = time.perf_counter() + budget_s
    progress = Progress(time.perf_counter())

    def tell(function: str, stats: Stats) -> None:
        progress.tell(f"reproducing through {function}: {stats.executed} tried")

    chosen = reports[:MOST_CRASHES]
    for place, report in enumerate(chosen):
        share = max(0.0, ends - time.perf_counter()) / (len(chosen) - place)
        one = examine(
            report, [root], rulebook, bench=bench, budget_s=share, seed=seed, progress=tell,
            is_secret=never if show_secrets else is_secret, model=model,
        )  # fmt: skip
        found.append(one)
        if one.outcome is not None and one.outcome.stopped:
            bench = None
    progress.end()
    if len(reports) > MOST_CRASHES:
        left = len(reports) - MOST_CRASHES
        typer.echo(
            f"nsdbg: {left} more distinct crashes are in the log (nsdbg parse --list shows all)",
            err=True,
        )
    return found


def _write_test(
    found: Sequence[Examination], path: Path | None, bench: Workbench | None
) -> Written | None:
    from nsdbg.report.written import emit_test

    if path is None:
        return None
    reproduced = next((one for one in found if one.reproduction is not None), None)
    outcome = reproduced.outcome if reproduced else None
    return emit_test(outcome, path, bench.verifier if bench and reproduced else None)


def _write_state(found: Sequence[Examination], path: Path, show_secrets: bool) -> None:
    from nsdbg.report.examination_json import crash_state
    from nsdbg.report.written import write_state

    states = (crash_state(one, show_secrets) for one in found)
    state = next((one for one in states if one is not None), None)
    if state is None:
        typer.echo("nsdbg: no state was written: no own line of the log was found", err=True)
        return
    write_state(state, path)


def _check_page(path: Path | None) -> None:
    """Say that a page cannot be written before anything is run for it."""
    from os.path import isdir, islink  # a name that is too long is no error to them

    from nsdbg.errors import UsageError

    if path is None:
        return
    if isdir(path):
        raise UsageError(f"--html: {path} is a folder; name a file, as {path}/crash.html")
    if islink(path):
        raise UsageError(f"--html: {path} is a link; name the file itself")
    if not isdir(path.parent):
        raise UsageError(f"--html: there is no folder {path.parent}; make it first")


def _write_page(
    found: Sequence[Examination],
    path: Path | None,
    log: str,
    root: Path,
    bench: Workbench | None,
    show_secrets: bool,
) -> None:
    """Write the page on all crashes; each reproduction is run once more for its states."""
    if path is None:
        return
    from nsdbg.finding import Findings
    from nsdbg.localize.finding import finding_of, sources_of
    from nsdbg.localize.steps import recorded
    from nsdbg.report.formats.outputs import put_file
    from nsdbg.report.page import html_page

    here = Path.cwd()
    base = here if root.is_relative_to(here) else root
    name = "standard input" if log == "-" else Path(log).name
    findings = tuple(
        finding_of(one, base, origin=name, show_secrets=show_secrets,
                   trace=recorded(one, bench) if bench is not None else None)
        for one in found
    )  # fmt: skip
    whole = Findings(findings, sources=sources_of(findings, base), logs=1)
    put_file(path, html_page(whole, f"Crashes in {name}"), "--html")
    typer.echo(f"nsdbg: the page is {path}", err=True)


def _show_json(
    found: Sequence[Examination],
    top: int,
    written: Written | None,
    rulebook: Rulebook,
    show_secrets: bool,
) -> None:
    import json

    from nsdbg.report.examination_json import examinations_json

    typer.echo(json.dumps(examinations_json(found, top, written, rulebook, show_secrets)))


def _show_text(
    found: Sequence[Examination],
    top: int,
    written: Written | None,
    rulebook: Rulebook,
    verbose: bool,
    show_secrets: bool,
) -> None:
    from nsdbg.cli.paint import painter
    from nsdbg.report.examination import examination_text

    for place, one in enumerate(found):
        if place:
            typer.echo("\n" + "-" * 80 + "\n")
        text = examination_text(
            one, top, folder=Path.cwd(), verbose=verbose,
            written=written if one.reproduction is not None or len(found) == 1 else None,
            paint=painter(), rulebook=rulebook, show_secrets=show_secrets,
        )  # fmt: skip
        typer.echo(text, color=True)  # the painter has decided
