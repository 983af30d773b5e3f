"""`nsdbg gate`: one decision for a pipeline, from a change, logs, test reports and limits."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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

    from nsdbg.changes.changed import What
    from nsdbg.finding import Rule
    from nsdbg.gate import Book, Measuring
    from nsdbg.workbench import Options

EXAMPLE = "nsdbg gate --junit report.xml --diff origin/main --output sarif=nsdbg.sarif"

Logs = Annotated[
    list[str] | None,
    typer.Option(
        "--log", metavar="FILE",
        help="Output of pytest, or any log with tracebacks; - is standard input. "
        "May be given several times.",
    ),
]  # fmt: skip
JUnit = Annotated[
    list[str] | None,
    typer.Option(
        "--junit", metavar="FILE",
        help="A test report in JUnit XML, a folder of them, or a quoted pattern. "
        "May be given several times.",
    ),
]  # fmt: skip
Diff = Annotated[
    str | None,
    typer.Option(
        "--diff", metavar="REV",
        help="Look for crashes that are new since this revision, or since the branch left it.",
    ),
]  # fmt: skip
IsStaged = Annotated[
    bool, typer.Option("--staged", help="Look for crashes that what is staged adds to HEAD.")
]
Measure = Annotated[
    bool,
    typer.Option(
        "--measure/--no-measure", help="Measure hallucinations, and hold them against limits."
    ),
]
MeasureExamples = Annotated[
    int,
    typer.Option("--measure-examples", min=1, metavar="N", help="Programs that --measure draws."),
]
MaxRaw = Annotated[
    float,
    typer.Option(
        "--max-raw-hallucination", min=0.0, max=1.0, metavar="RATE",
        help="With --measure: the largest share of refuted ones among the model's proposals.",
    ),
]  # fmt: skip
MaxResidual = Annotated[
    float,
    typer.Option(
        "--max-residual", min=0.0, max=1.0, metavar="RATE",
        help="With --measure: the largest share of wrong ones among what is shown as CONFIRMED.",
    ),
]  # fmt: skip
BaselineFile = Annotated[
    Path | None,
    typer.Option(
        "--baseline", metavar="FILE",
        help="What was accepted earlier does not fail. "
        "Default: nsdbg-baseline.json at the root of the repository, where there is one.",
    ),
]  # fmt: skip
WriteBaseline = Annotated[
    bool,
    typer.Option(
        "--write-baseline",
        help="Accept this run's findings, beside what was accepted; with --ratchet: "
        "take out of the baseline what is not found any more.",
    ),
]
Ratchet = Annotated[
    bool,
    typer.Option(
        "--ratchet/--no-ratchet",
        help="The baseline may only shrink: say what is stale in it, and fail where the change "
        "adds to it.",
    ),
]
FailOn = Annotated[
    list[str] | None,
    typer.Option(
        "--fail-on", metavar="RULES",
        help="The rules whose findings fail, with commas between; others only warn. Default: "
        "new-crash,logged-crash,failed-test,raw-hallucination,residual-hallucination,"
        "grown-baseline.",
    ),
]  # fmt: skip
Budget = Annotated[
    float,
    typer.Option("--budget", min=0.1, help="Seconds for each function that the change touches."),
]
LogBudget = Annotated[
    float,
    typer.Option(
        "--log-budget", min=0.1, help="Seconds for running the crashes of logs, all together."
    ),
]
TotalBudget = Annotated[
    float,
    typer.Option(
        "--total-budget", min=0.1,
        help="Seconds for running in all, of functions and of crashes of logs. What was not "
        "reached is told.",
    ),
]  # fmt: skip
SourceRoot = Annotated[
    Path | None,
    typer.Option(
        "--source-root", metavar="DIR",
        help="The folder of the project that crashed: of the files that logs name, only those "
        "below it are read and run. Default: the current folder.",
    ),
]  # fmt: skip
NoExec = Annotated[
    bool, typer.Option("--no-exec", help="Run nothing: read logs and reports, and rank.")
]


def gate(
    log: Logs = None, junit: JUnit = None, diff: Diff = None, staged: IsStaged = False,
    measure: Measure = False, measure_examples: MeasureExamples = 20,
    max_raw_hallucination: MaxRaw = 1.0, max_residual: MaxResidual = 0.0,
    baseline: BaselineFile = None, write_baseline: WriteBaseline = False,
    ratchet: Ratchet = False, fail_on: FailOn = None, budget: Budget = 10.0,
    log_budget: LogBudget = 60.0, total_budget: TotalBudget = 600.0,
    source_root: SourceRoot = None, no_exec: NoExec = False,
    python: Python = None, proposers: Proposers = DEFAULT_PROPOSERS, allow: Allow = None,
    allow_weak_guard: WeakGuard = False, rules: Rules = None, model: Model = None,
    provider: Provider = Runtime.AUTO, seed: Seed = 0, show_secrets: ShowSecrets = False,
    verbose: Verbose = False, output: Outputs = None, html: Html = None,
    output_format: Shown = FindingsFormat.TEXT,
) -> None:  # fmt: skip
    """Decide whether a change may go in: new crashes, failed tests, crashes in logs, limits.

    What the baseline accepts and what a comment `# nsdbg: ignore[rule-id] reason` is about does not
    fail. The JSON is nsdbg.findings/1, the baseline nsdbg.baseline/1.

    Exit code: 0 clean, 1 findings that fail, 2 it could not be asked.

    Example: nsdbg gate --junit report.xml --diff origin/main --output sarif=nsdbg.sarif
    """
    from nsdbg.gate import Interrupted, Wanted
    from nsdbg.gate import gate as ask
    from nsdbg.workbench import Options

    _check(log, junit, diff, staged, measure, no_exec)
    outputs = checked_outputs(output, html)
    names = proposer_names(proposers)
    root, sources = _folders(source_root)
    options = Options(
        (sources,), python=python, allow=tuple(allow or ()), weak_ok=allow_weak_guard,
        rules=rules, proposers=names, model=model, provider=provider.value,
    )  # fmt: skip
    wanted = Wanted(
        root, sources, options, _book(root, baseline, write_baseline, ratchet),
        tuple(log or ()), tuple(junit or ()), _what(diff, staged),
        _measuring(options, measure_examples, seed, max_raw_hallucination, max_residual)
        if measure else None,
        no_exec, budget, log_budget, total_budget, seed, show_secrets, verbose, _rules(fail_on),
    )  # fmt: skip
    progress = Progress()
    try:
        found = ask(wanted, progress.tell)
    except Interrupted as stopped:
        progress.end()
        show(stopped.found, output_format, outputs, html, "nsdbg gate, stopped")
        raise
    progress.end()
    show(found, output_format, outputs, html, _title(diff, staged, root))
    raise typer.Exit(1 if found.failed else 0)


def _check(
    log: Sequence[str] | None, junit: Sequence[str] | None, diff: str | None, staged: bool,
    measure: bool, no_exec: bool,
) -> None:  # fmt: skip
    from nsdbg.errors import UsageError

    if not (log or junit or diff is not None or staged or measure):
        raise UsageError(
            "nothing to decide on: name a --log, a --junit report, a --diff, --staged or "
            f"--measure, as in\n  {EXAMPLE}"
        )
    if diff is not None and staged:
        raise UsageError("--diff and --staged are two different changes; give one of them")
    if measure and no_exec:
        raise UsageError("--measure runs programs, so it does not go with --no-exec")
    for one in log or ():
        tell_what_is_awaited(one, "a log")


def _folders(source_root: Path | None) -> tuple[Path, Path]:
    """Return the repository's root, outside of one the current folder, and the project's folder."""
    from nsdbg.changes.repository import find_repository
    from nsdbg.errors import ChangeError, UsageError

    sources = (source_root if source_root is not None else Path()).resolve()
    if not sources.is_dir():
        raise UsageError(f"--source-root: {source_root} is no folder; name the project's folder")
    here = Path().resolve()
    try:
        root = find_repository(here).root
    except ChangeError:
        root = here  # where a change is asked for, opening it says what is wrong
    return (root if sources.is_relative_to(root) else sources), sources


def _book(root: Path, baseline: Path | None, write: bool, ratchet: bool) -> Book:
    from nsdbg.gate import DEFAULT_NAME, Book

    path = baseline if baseline is not None else root / DEFAULT_NAME
    return Book(path, baseline is not None, write, ratchet)


def _what(diff: str | None, staged: bool) -> What | None:
    from nsdbg.changes.changed import Since, Staged

    if staged:
        return Staged()
    return Since(diff) if diff is not None else None


def _rules(fail_on: Sequence[str] | None) -> tuple[Rule, ...]:
    """Return the rules that fail; raises UsageError for one that is not known."""
    import difflib

    from nsdbg.errors import UsageError
    from nsdbg.finding import Rule
    from nsdbg.gate import FAIL_ON

    if not fail_on:
        return FAIL_ON
    known = {rule.slug: rule for rule in Rule}
    names = [name.strip() for text in fail_on for name in text.split(",") if name.strip()]
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            hint = f"did you mean {near[0]}?" if near else f"choose from {', '.join(known)}"
            raise UsageError(f"--fail-on: there is no rule {name!r}; {hint}")
    return tuple(dict.fromkeys(known[name] for name in names))


def _measuring(
    options: Options, examples: int, seed: int, max_raw: float, max_residual: float
) -> Measuring:
    from nsdbg.gate import Measuring
    from nsdbg.measure import Plan

    plan = Plan(
        examples, seed, shrink_s=0.0, corpus=False, python=options.python, allow=options.allow,
        weak_ok=options.weak_ok, rules=options.rules, model=options.model,
        provider=options.provider,
    )  # fmt: skip
    return Measuring(plan, options.proposers, max_raw, max_residual)


def _title(diff: str | None, staged: bool, root: Path) -> str:
    what = "what is staged" if staged else f"since {diff}" if diff is not None else ""
    return ", ".join(one for one in ("nsdbg gate", root.name, what) if one)
