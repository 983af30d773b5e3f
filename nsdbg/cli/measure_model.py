"""`nsdbg measure model`, and what `nsdbg measure cruxeval` measures of a network."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nsdbg.cli.options import (
    Format,
    Model,
    OutputFormat,
    Provider,
    Python,
    Rules,
    Runtime,
    Seed,
)
from nsdbg.errors import UsageError

if TYPE_CHECKING:
    from nsdbg.episode import Episode
    from nsdbg.measure.neural.held import Held
    from nsdbg.measure.problems import Problem
    from nsdbg.measure.tally import Attempt
    from nsdbg.propose.neural.engine import Engine
    from nsdbg.report.measured import Quantities, Table
    from nsdbg.workbench import Workbench

# Modules of the standard library that the recipe of the model that came along holds out.
HELD_OUT = ("heapq", "bisect", "textwrap", "fnmatch", "colorsys", "statistics")


@dataclass(frozen=True, slots=True)
class Asked:
    """The options of a command."""

    data: Path | None
    limit: int | None
    seed: int
    python: Path | None
    rules: Path | None
    model: Path | None
    provider: Runtime
    output_format: OutputFormat


def model(
    traces: Annotated[
        list[Path] | None,
        typer.Option(
            "--traces", metavar="CORPUS",
            help="Runs of functions that the model was not trained on, as `nsdbg model trace` "
            "writes them; may be given several times. Default: some modules of the standard "
            f"library are recorded now ({', '.join(HELD_OUT)}).",
        ),
    ] = None,
    limit: Annotated[
        int, typer.Option("--limit", min=1, help="So many problems of each kind.")
    ] = 200,
    seed: Seed = 0,
    model: Model = None,
    provider: Provider = Runtime.AUTO,
    python: Python = None,
    rules: Rules = None,
    output_format: Format = OutputFormat.TEXT,
) -> None:  # fmt: skip
    """Measure the neural debugger on held-out functions, beside answers without a network.

    Next states by command, field and horizon are compared with recorded runs; earlier states are
    confirmed by running from them. Exit status: 0 measured, 2 error.

    Example: nsdbg measure model --traces held.parquet --limit 100
    """
    from nsdbg.measure.neural.held import Held

    asked = Asked(None, limit, seed, python, rules, model, provider, output_format)
    engine = _engine(asked)
    held = Held.of(_episodes(traces or [], seed))
    if not held.functions:
        raise UsageError("the traces hold no run: give others with --traces")
    tables: list[Table | Quantities] = []
    with interruptible() as interrupted:
        for table in _survey(engine, held, asked):
            tables.append(table)
    _show(asked, "measure model", engine, held.told, tables, stopped=bool(interrupted))


def _survey(engine: Engine, held: Held, asked: Asked) -> Iterator[Table | Quantities]:
    from nsdbg.measure.neural.cost import cost
    from nsdbg.measure.neural.exported import exported
    from nsdbg.measure.neural.inverse import Inverse
    from nsdbg.measure.neural.survey import Survey

    assert asked.limit is not None
    survey = Survey(engine, held, asked.limit, asked.seed, progress)
    yield from survey.tables()
    with _bench(asked, ("rules",)) as (folder, bench):
        [rules] = bench.proposers
        inverse = Inverse(engine, bench.verifier.confirm, rules, folder, asked.seed)
        yield inverse.table(held, max(asked.limit // 2, 1), progress)
    if engine.folder is not None:
        taught = exported(engine.folder)
        if taught is not None:
            yield taught
        yield cost(engine.folder, survey.prompts)


def alone(asked: Asked, *, outputs: bool) -> None:
    """Measure a network alone on problems: the values of calls, or arguments for results."""
    from nsdbg.measure.neural.inputs import Inputs
    from nsdbg.measure.neural.outputs import Outputs

    problems, engine = _problems(asked), _engine(asked)
    measured: Inputs | Outputs
    with _bench(asked, ("rules",)) as (folder, bench):
        if outputs:
            measured = Outputs(engine, folder, bench.verifier.confirm, asked.seed)
        else:
            [rules] = bench.proposers
            measured = Inputs(engine, bench.verifier, rules, folder, asked.seed)
        with interruptible() as interrupted:
            if isinstance(measured, Inputs):
                measured.run(problems, bench.pure, progress)
            else:
                measured.run(problems, progress)
    told = (("problems", str(len(problems))), ("direction", "output" if outputs else "input"))
    name = "measure cruxeval"
    _show(asked, name, engine, told, measured.tables(), stopped=bool(interrupted))


def compare(asked: Asked, names: Sequence[str], against: Sequence[str], budget: float) -> None:
    """Measure problems by some proposers, then the hard ones by others, and compare."""
    from nsdbg.measure.neural.savings import hard, savings

    problems = _problems(asked)
    engine = _engine(asked) if "neural" in (*names, *against) else None
    without: list[Attempt] = []
    having: list[Attempt] = []
    with interruptible() as interrupted:
        _attempt(asked, problems, against, budget, without)
    places = hard(without)
    with interruptible() as again:
        _attempt(asked, [problems[at] for at in places], names, budget, having)
    before = [without[at] for at in places[: len(having)]]
    told = (("problems", str(len(without))), ("before", ",".join(against)),
            ("with", ",".join(names)), ("budget", f"{budget:g} s a problem"))  # fmt: skip
    tables = savings(before, having, len(without))
    stopped = bool(interrupted or again)
    _show(asked, "measure cruxeval", engine, told, tables, stopped=stopped)


def _attempt(
    asked: Asked, problems: Sequence[Problem], names: Sequence[str], budget: float,
    found: list[Attempt],
) -> None:  # fmt: skip
    """Append an attempt at each problem; those so far stay when the user interrupts."""
    from nsdbg.measure.inversion import solve_problems
    from nsdbg.solve import Budget

    with _bench(asked, tuple(names)) as (folder, bench):
        if "neural" in names:
            bench.model.opened()  # now, not within the first problem's time
        for one in solve_problems(problems, bench, Budget(budget), folder, asked.seed):
            found.append(one)
            progress(f"{','.join(names)}: {len(found)} of {len(problems)} problems")


def _problems(asked: Asked) -> list[Problem]:
    from nsdbg.measure.problems import read_problems

    assert asked.data is not None
    return list(read_problems(asked.data, asked.limit))


def _engine(asked: Asked) -> Engine:
    from nsdbg.propose.neural.model import Model

    return Model(asked.model, asked.provider.value).opened()


@contextmanager
def _bench(asked: Asked, names: tuple[str, ...]) -> Iterator[tuple[Path, Workbench]]:
    """Yield a scratch folder, and a workbench that may run what lies there."""
    from nsdbg.workbench import Options, Workbench

    with tempfile.TemporaryDirectory(prefix="nsdbg-measure-") as scratch:
        folder = Path(scratch)
        options = Options((folder,), python=asked.python, rules=asked.rules, proposers=names,
                          model=asked.model, provider=asked.provider.value)  # fmt: skip
        with Workbench(options) as bench:
            bench.warm_up()
            yield folder, bench


def _episodes(traces: Sequence[Path], seed: int) -> Iterator[Episode]:
    from nsdbg.model.trace.corpus import read_corpus

    for path in traces:
        yield from read_corpus(path)
    if not traces:
        with tempfile.TemporaryDirectory(prefix="nsdbg-measure-") as scratch:
            file = Path(scratch) / "held.jsonl.gz"
            _record(file, seed)
            yield from read_corpus(file)


def _record(file: Path, seed: int) -> None:
    """Record the held-out modules, in a process of its own as their tests may do anything."""
    typer.echo(f"nsdbg: recording {', '.join(HELD_OUT)}", err=True)
    wanted = [word for name in HELD_OUT for word in ("--package", name)]
    code = "import nsdbg.cli; nsdbg.cli.main()"
    command = [sys.executable, "-c", code, "model", "trace", str(file), *wanted,
               "--format", "jsonl", "--most", "4", "--seed", str(seed)]  # fmt: skip
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode:
        raise UsageError(
            f"held-out runs could not be recorded: {run.stderr.strip()[-300:]}; give --traces"
        )


@contextmanager
def interruptible() -> Iterator[list[str]]:
    """Let Ctrl-C end a part; the list is no longer empty then."""
    interrupted: list[str] = []
    try:
        yield interrupted
    except KeyboardInterrupt:
        interrupted.append("stopped")
        typer.echo("\nstopped: what follows is of what was measured so far", err=True)


def progress(text: str) -> None:
    if sys.stderr.isatty():
        typer.echo(f"\r{text:<60}", err=True, nl=False)


def _show(
    asked: Asked, bench: str, engine: Engine | None, told: tuple[tuple[str, str], ...],
    tables: Sequence[Table | Quantities], *, stopped: bool,
) -> None:  # fmt: skip
    from nsdbg.report.measured import Measured, measured_json, measured_text

    if sys.stderr.isatty():
        typer.echo("", err=True)
    name = engine.folder.short if engine is not None and engine.folder is not None else "none"
    found = Measured(bench, name, asked.seed, told, tuple(tables), stopped)
    if asked.output_format is OutputFormat.JSON:
        typer.echo(json.dumps(measured_json(found)))
    else:
        typer.echo(measured_text(found), nl=False)
