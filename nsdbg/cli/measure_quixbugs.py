"""`nsdbg measure quixbugs`: where the faulty lines of QuixBugs' programs stand in the ranking."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nsdbg.cli.measure_model import interruptible, progress
from nsdbg.cli.options import Format, OutputFormat, Python, Seed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from nsdbg.measure.quixbugs import Asked, QuixBugs

SCHEMA = "nsdbg.measure.quixbugs/1"


def quixbugs(
    data: Annotated[
        Path,
        typer.Argument(
            metavar="DATA",
            help="A checkout of jkoppel/QuixBugs of GitHub, or its programs as JSON, one a line.",
        ),
    ],
    budget: Annotated[
        float, typer.Option("--budget", min=0.1, help="Seconds of localize for one failing test.")
    ] = 10.0,
    no_exec: Annotated[
        bool, typer.Option("--no-exec", help="Rank by reading alone; only the tests are run.")
    ] = False,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="Only the first N programs.")
    ] = None,
    seed: Seed = 0,
    python: Python = None,
    output_format: Format = OutputFormat.TEXT,
) -> None:  # fmt: skip
    """Measure how often localize names the faulty line of QuixBugs' programs, and how soon.

    Each program's tests are run in the sandbox; localize is asked about the first that crashes in
    the program and the first that gets a wrong value from it. Of a checkout the Python programs are
    taken that have tests, and of lines name, buggy, faulty_lines and tests. The JSON is
    nsdbg.measure.quixbugs/1.

    Example: nsdbg measure quixbugs QuixBugs --budget 5
    """
    import tempfile

    from nsdbg.measure.faulty import read_programs
    from nsdbg.measure.quixbugs import QuixBugs
    from nsdbg.verify.runner import Runner, RunnerConfig

    programs = list(read_programs(data, limit))
    with tempfile.TemporaryDirectory(prefix="nsdbg-measure-") as scratch:
        folder = Path(scratch).resolve()
        with Runner(RunnerConfig(python=python, roots=(folder,))) as runner:
            asking = QuixBugs(folder, runner, None if no_exec else budget, seed, python)
            with interruptible() as interrupted:
                asking.run(programs, progress)
    how = "nothing run" if no_exec else f"{budget:g} s a failing test"
    told = (("programs", str(len(programs))), ("budget", how))
    _show(asking, told, seed, output_format, stopped=bool(interrupted))


def _show(
    asking: QuixBugs, told: tuple[tuple[str, str], ...], seed: int, output_format: OutputFormat,
    *, stopped: bool,
) -> None:  # fmt: skip
    import sys

    from nsdbg.report.measured import Measured, measured_json, measured_text

    if sys.stderr.isatty():
        typer.echo("", err=True)
    found = Measured("measure quixbugs", "", seed, told, tuple(asking.tables()), stopped)
    if output_format is OutputFormat.JSON:
        rows = [_asked_json(one) for one in asking.found]
        answer = {**measured_json(found), "schema": SCHEMA, "model": None, "programs": rows}
        typer.echo(json.dumps(answer))
    else:
        typer.echo(measured_text(found), nl=False)
        for line in _program_lines(asking.found):
            typer.echo(line)


def _asked_json(one: Asked) -> dict[str, object]:
    from nsdbg.measure.localization import PLACES

    placed = one.placed
    chances = zip(map(str, PLACES), one.chance, strict=True)
    return {
        "name": one.program,
        "kind": one.kind.value,
        "place": placed.place,
        "place_in_log": placed.baseline,
        "by_chance": {place: round(chance, 4) for place, chance in chances},
        "reproduced": placed.reproduced,
        "reproduced_by_call": placed.by_call,
        "seconds": round(placed.seconds, 3),
    }


def _program_lines(found: list[Asked]) -> Iterator[str]:
    from nsdbg.report.escape import plain

    yield ""
    yield f"{'program by program':<32}{'failing':<13}{'place':>6}{'log':>6}{'s':>7}  reproduced"
    for one in found:
        placed = one.placed
        how = placed.reproduced or "no"
        if placed.by_call:
            how += ", by call"
        yield (
            f"  {plain(one.program, 28):<30}{one.kind.value:<13}{placed.place or '-':>6}"
            f"{placed.baseline or '-':>6}{placed.seconds:>7.1f}  {how}"
        )
