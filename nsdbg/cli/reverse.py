"""`nsdbg reverse`: earlier states, or call arguments, that lead to a state."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nsdbg.cli.options import (
    Allow,
    Format,
    OutputFormat,
    Proposers,
    Python,
    Rules,
    Seed,
    Verbose,
    WeakGuard,
    proposer_names,
)

if TYPE_CHECKING:
    from nsdbg.claim import Goal
    from nsdbg.source import Subject


class To(StrEnum):
    """How far back: to the call, or one line."""

    ENTRY = "entry"
    PREVIOUS = "previous"


def reverse(
    target: Annotated[
        str | None,
        typer.Argument(
            metavar="[FILE::FUNCTION]",
            help="The function to call. May be left out when STATE names file and function.",
        ),
    ] = None,
    state: Annotated[
        str,
        typer.Option("--state", metavar="STATE", help="JSON: inline, a path, or - for stdin."),
    ] = "-",
    where: Annotated[
        list[str] | None,
        typer.Option(
            "--where",
            metavar="EXPR",
            help="A Python expression that is true at that point; may be given several times.",
        ),
    ] = None,
    to: Annotated[
        To, typer.Option("--to", help="Find call arguments, or the state one line earlier.")
    ] = To.ENTRY,
    max_solutions: Annotated[
        int, typer.Option("--max-solutions", min=1, help="Stop after this many.")
    ] = 1,
    budget: Annotated[
        float, typer.Option("--budget", min=0.01, help="Stop after this many seconds.")
    ] = 10.0,
    source_root: Annotated[
        Path | None,
        typer.Option(
            "--source-root",
            help="The folder from which FILE is imported. Default: follows from the packages.",
        ),
    ] = None,
    python: Python = None,
    proposers: Proposers = "rules,search",
    allow: Allow = None,
    allow_weak_guard: WeakGuard = False,
    rules: Rules = None,
    seed: Seed = 0,
    verbose: Verbose = False,
    output_format: Format = OutputFormat.TEXT,
) -> None:
    """Find what leads to a state: call arguments, or the state one line earlier.

    STATE is JSON; values are Python literals as text. What is not named is free:

      {"event": "return", "value": "[(4, 1)]"}
      {"event": "exception", "exception": "KeyError", "message": "'x'"}
      {"event": "line", "lineno": 12, "locals": {"total": "0"}}

    Exit code: 0 something was confirmed, 1 nothing was, 2 it could not be asked.

    Example: nsdbg reverse shop.py::total --state '{"event": "return", "value": "7"}'
    """
    import json

    from nsdbg.claim import Stats
    from nsdbg.report.answer import answer_json, answer_text
    from nsdbg.reverse import reverse as look_back
    from nsdbg.solve import Budget
    from nsdbg.workbench import Options, Workbench

    names = proposer_names(proposers)
    goal, subject = _read_goal(target, state, tuple(where or ()), to, source_root)
    options = Options(
        roots=(Path(subject.ref.root),), python=python, allow=tuple(allow or ()),
        weak_ok=allow_weak_guard, rules=rules, proposers=names,
    )  # fmt: skip

    def show(stats: Stats) -> None:
        if stats.seconds > 2:
            typer.echo(
                f"\r{stats.executed} tried, {stats.confirmed} confirmed ", err=True, nl=False
            )

    import sys

    with Workbench(options) as bench:
        answer = look_back(
            goal, subject, bench.proposers, bench.verifier, Budget(budget, max_solutions),
            seed=seed, pure=bench.pure(subject),
            progress=show if sys.stderr.isatty() else None,
        )  # fmt: skip
    if sys.stderr.isatty() and answer.stats.seconds > 2:
        typer.echo("", err=True)
    if output_format is OutputFormat.JSON:
        typer.echo(json.dumps(answer_json(answer, subject)))
    else:
        typer.echo(answer_text(answer, subject, budget, verbose))
    if not answer.solutions:
        raise typer.Exit(1)


def _read_goal(
    target: str | None, state: str, where: tuple[str, ...], to: To, source_root: Path | None
) -> tuple[Goal, Subject]:
    from nsdbg.errors import UsageError
    from nsdbg.reverse import parse_target
    from nsdbg.source import load_subject
    from nsdbg.statefile import goal_from_state, parse_state, read_state_text

    claim = parse_state(read_state_text(state))
    if target is not None:
        file, function = parse_target(target)
    elif claim.file and claim.function:
        file, function = claim.file, claim.function
    else:
        raise UsageError(
            "which function? Name it as FILE::FUNCTION, or let STATE have 'file' and 'function'"
        )
    subject = load_subject(Path(file), function, source_root)
    previous = to is To.PREVIOUS
    return goal_from_state(claim, subject, where=where, previous=previous), subject
