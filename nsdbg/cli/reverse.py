"""`nsdbg reverse`: earlier states, or call arguments, that lead to a state."""

from __future__ import annotations

from enum import StrEnum
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
    Verbose,
    WeakGuard,
    proposer_names,
    tell_what_is_awaited,
)
from nsdbg.cli.target import SourceRoot, StateText, Target, subject_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from nsdbg.claim import Goal, Stats
    from nsdbg.source import Subject

SHOW_PROGRESS_AFTER_S = 2.0


class To(StrEnum):
    """How far back: to the call, or one line."""

    ENTRY = "entry"
    PREVIOUS = "previous"


Where = Annotated[
    list[str] | None,
    typer.Option(
        "--where",
        metavar="EXPR",
        help="A Python expression that is true at that point; may be given several times.",
    ),
]
HowFar = Annotated[
    To, typer.Option("--to", help="Find call arguments, or the state one line earlier.")
]
MaxSolutions = Annotated[int, typer.Option("--max-solutions", min=1, help="Stop after this many.")]
Seconds = Annotated[float, typer.Option("--budget", min=0.01, help="Stop after this many seconds.")]


def reverse(
    target: Target = None,
    state: StateText = "-",
    where: Where = None,
    to: HowFar = To.ENTRY,
    max_solutions: MaxSolutions = 1,
    budget: Seconds = 10.0,
    source_root: SourceRoot = None,
    python: Python = None,
    proposers: Proposers = DEFAULT_PROPOSERS,
    allow: Allow = None,
    allow_weak_guard: WeakGuard = False,
    rules: Rules = None,
    model: Model = None,
    provider: Provider = Runtime.AUTO,
    seed: Seed = 0,
    verbose: Verbose = False,
    output_format: Format = OutputFormat.TEXT,
) -> None:
    """Find what leads to a state: call arguments, or the state one line earlier.

    STATE is JSON; values are Python literals as text. What is not named is free:

    \b
      {"event": "return", "value": "[(4, 1)]"}
      {"event": "exception", "exception": "KeyError", "message": "'x'"}
      {"event": "line", "lineno": 12, "locals": {"total": "0"}}

    Exit code: 0 something was confirmed, 1 nothing was, 2 it could not be asked.

    Example: nsdbg reverse shop.py::total --state '{"event": "return", "value": "7"}'
    """
    import json

    from nsdbg.cli.paint import painter
    from nsdbg.report.answer import answer_json, answer_text
    from nsdbg.reverse import reverse as look_back
    from nsdbg.solve import Budget
    from nsdbg.workbench import Options, Workbench

    names = proposer_names(proposers)
    goal, subject = _read_goal(target, state, tuple(where or ()), to, source_root)
    options = Options(
        roots=(Path(subject.ref.root),), python=python, allow=tuple(allow or ()),
        weak_ok=allow_weak_guard, rules=rules, proposers=names, model=model,
        provider=provider.value,
    )  # fmt: skip
    with Workbench(options) as bench:
        bench.expect(subject)
        answer = look_back(
            goal, subject, bench.proposers, bench.verifier, Budget(budget, max_solutions),
            seed=seed, pure=bench.pure(subject), progress=_progress(),
        )  # fmt: skip
    if output_format is OutputFormat.JSON:
        typer.echo(json.dumps(answer_json(answer, subject)))
    else:
        text = answer_text(answer, subject, budget, verbose, painter())
        typer.echo(text, color=True)  # the painter has decided
    if not answer.solutions:
        raise typer.Exit(1)


def _progress() -> Callable[[Stats], None] | None:
    """Return what shows the counts on a terminal's stderr once two seconds have passed."""
    import sys

    if not sys.stderr.isatty():
        return None

    def show(stats: Stats) -> None:
        if stats.seconds > SHOW_PROGRESS_AFTER_S:
            text = f"{stats.executed} tried, {stats.confirmed} confirmed, {stats.seconds:.0f} s"
            typer.echo(f"\r{text}\x1b[K\r", err=True, nl=False)

    return show


def _read_goal(
    target: str | None, state: str, where: tuple[str, ...], to: To, source_root: Path | None
) -> tuple[Goal, Subject]:
    from nsdbg.statefile import goal_from_state, parse_state, read_state_text

    tell_what_is_awaited(state, "STATE")
    claim = parse_state(read_state_text(state))
    subject = subject_of(target, claim, source_root)
    previous = to is To.PREVIOUS
    return goal_from_state(claim, subject, where=where, previous=previous), subject
