"""`nsdbg measure`: benches over data files."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nsdbg.cli import measure_hallucination, measure_model, measure_quixbugs
from nsdbg.cli.options import (
    Format,
    Model,
    OutputFormat,
    Proposers,
    Provider,
    Python,
    Rules,
    Runtime,
    Seed,
    proposer_names,
)

if TYPE_CHECKING:
    from nsdbg.measure.tally import Attempt, Spread, Tally

PASS_AT = (1, 5, 10)

app = typer.Typer(
    help="Measure proposers, the neural debugger and localize.", rich_markup_mode=None,
    no_args_is_help=True,
)  # fmt: skip
app.command("model", short_help="How often the neural debugger is right.")(measure_model.model)
app.command("quixbugs", short_help="How soon localize names a faulty line.")(
    measure_quixbugs.quixbugs
)
app.command("hallucination", short_help="How often proposers make states up.")(
    measure_hallucination.hallucination
)


class Direction(StrEnum):
    """What is asked of each function: the arguments, or the value."""

    INPUT = "input"
    OUTPUT = "output"


Data = Annotated[Path, typer.Argument(metavar="DATA.jsonl", help="The problems, one a line.")]
Seconds = Annotated[float, typer.Option("--budget", min=0.01, help="Seconds for one problem.")]
Limit = Annotated[
    int | None,
    typer.Option("--limit", min=1, help="Only the first N problems."),
]


@app.command(short_help="Find call arguments for given results.")
def cruxeval(
    data: Data,
    direction: Annotated[
        Direction,
        typer.Option("--direction", help="Find the arguments, or run the recorded call."),
    ] = Direction.INPUT,
    budget: Seconds = 10.0,
    proposers: Proposers = "rules,search",
    limit: Limit = None,
    seed: Seed = 0,
    python: Python = None,
    rules: Rules = None,
    model: Model = None,
    provider: Provider = Runtime.AUTO,
    against: Annotated[
        str | None,
        typer.Option(
            "--against", metavar="PROPOSERS",
            help="Measure these first, then --proposers on what they need more than 20 "
            "verifications for, and compare.",
        ),
    ] = None,
    output_format: Format = OutputFormat.TEXT,
) -> None:  # fmt: skip
    """Find call arguments for given results, on functions such as CRUXEval's.

    DATA is data/cruxeval.jsonl of facebookresearch/cruxeval on GitHub, or lines like it: `code`
    with a function `f`, `output`, and `input` (used by --direction output only).
    With --proposers neural the network alone is measured, and with --direction output the values
    that it tells, by chained steps and in one jump. pass@1, @5 and @10 are told of the model only
    (one of k answers is right) and verified (nsdbg confirmed one of the first k).

    Example: nsdbg measure cruxeval cruxeval.jsonl --limit 50
    """
    names = proposer_names(proposers)
    asked = measure_model.Asked(data, limit, seed, python, rules, model, provider, output_format)
    if against is not None:
        measure_model.compare(asked, names, proposer_names(against), budget)
    elif names == ("neural",):
        measure_model.alone(asked, outputs=direction is Direction.OUTPUT)
    else:
        _measure("cruxeval", data, direction, budget, proposers, limit, seed, python, rules,
                 output_format, model, provider)  # fmt: skip


@app.command(short_help="Find an x with sat(x) is True.")
def puzzles(
    data: Data,
    budget: Seconds = 10.0,
    proposers: Proposers = "rules,search,smt",
    limit: Limit = None,
    seed: Seed = 0,
    python: Python = None,
    rules: Rules = None,
    output_format: Format = OutputFormat.TEXT,
) -> None:
    """Solve puzzles: find an x with sat(x) is True; further parameters keep their defaults.

    Lines hold `code` with a function `sat`, `entry` (sat) and `goal` (True), as docs/measuring.md
    makes them of microsoft/PythonProgrammingPuzzles on GitHub.

    Example: nsdbg measure puzzles puzzles.jsonl --budget 2
    """
    _measure("puzzles", data, Direction.INPUT, budget, proposers, limit, seed, python, rules,
             output_format)  # fmt: skip


def _measure(
    name: str, data: Path, direction: Direction, budget: float, proposers: str,
    limit: int | None, seed: int, python: Path | None, rules: Path | None,
    output_format: OutputFormat, model: Path | None = None, provider: Runtime = Runtime.AUTO,
) -> None:  # fmt: skip
    import tempfile

    from nsdbg.measure.inversion import run_recorded, solve_problems
    from nsdbg.measure.problems import read_problems
    from nsdbg.measure.tally import tally
    from nsdbg.solve import Budget
    from nsdbg.workbench import Options, Workbench

    problems = list(read_problems(data, limit))
    attempts: list[Attempt] = []
    with tempfile.TemporaryDirectory(prefix="nsdbg-measure-") as scratch:
        folder = Path(scratch)
        options = Options((folder,), python=python, rules=rules, model=model,
                          provider=provider.value, proposers=proposer_names(proposers))  # fmt: skip
        with Workbench(options) as bench:
            bench.warm_up()
            run = (
                solve_problems(problems, bench, Budget(budget), folder, seed)
                if direction is Direction.INPUT
                else run_recorded(problems, bench, folder)
            )
            try:
                for attempt in run:
                    attempts.append(attempt)
                    _show_progress(attempts, len(problems))
            except KeyboardInterrupt:
                typer.echo("\nstopped: what follows is of the problems so far", err=True)
    counted = tally(attempts)
    if output_format is OutputFormat.JSON:
        typer.echo(json.dumps(_as_json(name, direction, proposers, budget, seed, counted)))
    else:
        _print_text(name, direction, counted)


def _show_progress(attempts: list[Attempt], n: int) -> None:
    import sys

    if sys.stderr.isatty():
        solved = sum(attempt.solved for attempt in attempts)
        end = "\n" if len(attempts) == n else ""
        typer.echo(f"\r{len(attempts)}/{n} tried, {solved} solved", err=True, nl=False)
        typer.echo(end, err=True, nl=False)


def _as_json(
    name: str, direction: Direction, proposers: str, budget: float, seed: int, counted: Tally
) -> dict[str, object]:
    return {
        "schema": "nsdbg.measure/1",
        "bench": name,
        "direction": direction.value,
        "proposers": list(proposer_names(proposers)),
        "budget_s": budget,
        "seed": seed,
        "n": counted.n,
        "solved": counted.solved,
        "solved_share": counted.share,
        **{f"pass@{k}": counted.passed(k) / counted.n if counted.n else None for k in PASS_AT},
        "verifications": _spread_json(counted.executions),
        "seconds": _spread_json(counted.seconds),
        "seconds_all": _spread_json(counted.all_seconds),
        "problems": [
            {
                "id": attempt.id,
                "solved": attempt.solved,
                "first": attempt.first,
                "verifications": attempt.executions,
                "seconds": round(attempt.seconds, 4),
                "source": attempt.source,
                "word": attempt.word,
                "place": attempt.place,
            }
            for attempt in counted.attempts
        ],
    }


def _spread_json(spread: Spread) -> dict[str, float | None]:
    return {"median": spread.median, "p95": spread.p95}


def _print_text(name: str, direction: Direction, counted: Tally) -> None:
    from nsdbg.measure.tally import wilson

    if not counted.n:
        typer.echo("no problem in the file")
        raise typer.Exit(1)
    typer.echo(f"{name}, direction {direction.value}: {counted.n} problems")
    rows = [("solved and confirmed", counted.solved)]
    rows += [(f"pass@{k}, verified", counted.passed(k)) for k in PASS_AT]
    for label, count in rows:
        low, high = wilson(count, counted.n)
        typer.echo(
            f"  {label:<21} {count}  ({100 * count / counted.n:.1f} %, "
            f"95 % interval {100 * low:.1f} to {100 * high:.1f})"
        )
    typer.echo("  pass@k: one of the first k proposals was confirmed; no estimate")
    for label, spread, unit, digits in (
        ("verifications", counted.executions, "", 0),
        ("seconds, solved", counted.seconds, " s", 3),
        ("seconds, all", counted.all_seconds, " s", 3),
    ):
        if spread.median is not None and spread.p95 is not None:
            typer.echo(
                f"  {label:<21} median {spread.median:.{digits}f}{unit}, "
                f"95th percentile {spread.p95:.{digits}f}{unit}"
            )
    for attempt in [attempt for attempt in counted.attempts if not attempt.solved][:20]:
        typer.echo(f"  not solved: {attempt.id}: {attempt.word}")
