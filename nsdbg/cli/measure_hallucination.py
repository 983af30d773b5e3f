"""`nsdbg measure hallucination`: how often proposers are wrong, and how often that gets through."""

from __future__ import annotations

import json
import os
import shutil
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nsdbg.cli.options import (
    Allow,
    Model,
    Proposers,
    Provider,
    Python,
    Rules,
    Runtime,
    Seed,
    WeakGuard,
    proposer_names,
)

if TYPE_CHECKING:
    from nsdbg.report.rated import Measurement


# Each has interpreters, a model and an oracle of its own: some hundred megabytes.
_MOST_JOBS = 4


class Report(StrEnum):
    """How the rates are written."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"


Examples = Annotated[
    int,
    typer.Option(
        "--examples", min=0, metavar="N",
        help="Programs that are drawn; with 0 only the fixed corpus is asked about.",
    ),
]  # fmt: skip
Programs = Annotated[
    str | None,
    typer.Option(
        "--programs", metavar="DIR|PACKAGE",
        help="Ask about the functions of this folder, file or package. "
        "Default: programs of the typed generator, and a fixed corpus beside them.",
    ),
]  # fmt: skip
Answers = Annotated[
    int | None,
    typer.Option(
        "--answers", min=1, metavar="N",
        help="At most N answers of a proposer to one question of what was before. "
        "Default: 100 of search, which guesses, and 10 of others.",
    ),
]  # fmt: skip
FailOver = Annotated[
    float | None,
    typer.Option(
        "--fail-over", min=0.0, max=1.0, metavar="RATE",
        help="Exit with 1 when the raw rate is above this, from 0 to 1.",
    ),
]  # fmt: skip
Shrink = Annotated[
    float,
    typer.Option(
        "--shrink", min=0.0, metavar="SECONDS",
        help="What looking for the smallest hallucination may take; 0 for not at all.",
    ),
]  # fmt: skip
WithOracle = Annotated[
    bool,
    typer.Option(
        "--oracle/--no-oracle",
        help="Hold what is shown as CONFIRMED against a debugger of its own.",
    ),
]
WithCorpus = Annotated[
    bool,
    typer.Option(
        "--corpus/--no-corpus",
        help="Ask about the fixed programs that came along, too, unless --programs is given.",
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs", min=1, metavar="N",
        help="Processes that ask at the same time. Default: one a processor, at most 4.",
    ),
]  # fmt: skip
Plot = Annotated[
    Path | None,
    typer.Option("--plot", metavar="FILE", help="Draw the rates, too: FILE.png or FILE.svg."),
]
Written = Annotated[
    Report, typer.Option("--output-format", help="How the answer is written to stdout.")
]


def hallucination(
    examples: Examples = 100, seed: Seed = 0, proposers: Proposers = "rules,search,neural",
    programs: Programs = None, answers: Answers = None, fail_over: FailOver = None,
    shrink: Shrink = 20.0, oracle: WithOracle = True, corpus: WithCorpus = True,
    jobs: Jobs = None, plot: Plot = None, python: Python = None, allow: Allow = None,
    weak_guard: WeakGuard = False,
    rules: Rules = None, model: Model = None, provider: Provider = Runtime.AUTO,
    output_format: Written = Report.TEXT,
) -> None:  # fmt: skip
    """Measure how often proposers claim a state that is not so, and whether any gets through.

    Draws programs and calls, asks what commands lead to and what was before, and runs each answer.
    Raw rate: refuted of those decided. Residual rate: wrong of those shown as CONFIRMED.
    Exit status: 0 measured, 1 above --fail-over or a residual above zero, 2 error.

    Example: nsdbg measure hallucination --examples 200 --proposers rules,search --seed 7
    """
    from nsdbg.measure.hallucination.library import Plan, measure_hallucination

    if plot is not None:
        from nsdbg.report.plots import check_plot

        check_plot(plot)
    plan = Plan(
        examples, seed, programs, answers, shrink, oracle, corpus, python=python,
        allow=tuple(allow or ()), weak_ok=weak_guard, rules=rules, model=model,
        provider=provider.value, jobs=jobs or min(_MOST_JOBS, os.cpu_count() or 1),
    )  # fmt: skip
    shown = Progress()
    found = measure_hallucination(proposer_names(proposers), plan, shown)
    shown.end()
    _show(found, output_format)
    if plot is not None and found.rates.raw.n:
        from nsdbg.report.plots import write_plot

        write_plot(found.rates, plot)
    raise typer.Exit(_status(found, fail_over))


class Progress:
    """One line on a terminal's stderr, written over and over."""

    def __init__(self) -> None:
        self._length = 0

    def __call__(self, text: str) -> None:
        if sys.stderr.isatty():
            # A line that wraps could not be written over.
            text = text[: shutil.get_terminal_size().columns - 1]
            typer.echo(f"\r{text:<{self._length}}", err=True, nl=False)
            self._length = len(text)

    def end(self) -> None:
        """Go on to a line of its own."""
        if self._length:
            typer.echo("", err=True)


def _show(found: Measurement, output_format: Report) -> None:
    from nsdbg.cli.paint import painter
    from nsdbg.report.hallucination import hallucination_text
    from nsdbg.report.hallucination_json import hallucination_json
    from nsdbg.report.hallucination_markdown import hallucination_markdown

    if output_format is Report.JSON:
        typer.echo(json.dumps(hallucination_json(found)))
    elif output_format is Report.MARKDOWN:
        typer.echo(hallucination_markdown(found), nl=False)
    else:
        typer.echo(hallucination_text(found, painter()), nl=False, color=True)


def _status(found: Measurement, fail_over: float | None) -> int:
    """Return the exit status, and say on stderr why it is not 0."""
    residual, raw, why = found.rates.residual, found.rates.raw.share, ""
    if residual.hits:
        why = f"{residual.hits} of {residual.n} shown as CONFIRMED are wrong"
    elif fail_over is not None and raw is None:
        why = "nothing was decided, so no rate can be held against --fail-over"
    elif fail_over is not None and raw is not None and raw > fail_over:
        why = f"the raw rate {raw:.4f} is above --fail-over {fail_over:g}"
    if why:
        typer.echo(f"nsdbg: {why}", err=True)
    return 1 if why else 0
