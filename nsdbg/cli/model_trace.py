"""`nsdbg model trace`: what is recorded, and where it goes."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nsdbg.cli.options import Python, Seed
from nsdbg.errors import UsageError

if TYPE_CHECKING:
    from nsdbg.model.trace.corpus import Manifest

LEVELS = ("operation", "lines", "program")


class CorpusFormat(StrEnum):
    """How a corpus is written."""

    PARQUET = "parquet"
    JSONL = "jsonl"


Out = Annotated[Path, typer.Argument(metavar="OUT", help="The corpus to write.")]
Generated = Annotated[
    int, typer.Option("--generated", min=0, help="Record so many generated programs.")
]
Levels = Annotated[
    str,
    typer.Option("--levels", metavar="LEVEL:SHARE,...",
                 help="How the generated programs' levels are mixed."),
]  # fmt: skip
Functions = Annotated[
    list[Path] | None,
    typer.Option("--functions", help="Record the calls of a data file of functions: JSON lines "
                 "with id, code, entry, calls, licence. May be given several times."),
]  # fmt: skip
Packages = Annotated[
    list[str] | None,
    typer.Option("--package", help="Record the doctests, and the tests that came along, of an "
                 "installed package or module. May be given several times."),
]  # fmt: skip
Stdlib = Annotated[
    bool, typer.Option("--stdlib", help="Record the standard library's doctests and tests.")
]
Without = Annotated[
    list[str] | None,
    typer.Option("--without", metavar="MODULE",
                 help="With --stdlib: leave this module out. May be given several times."),
]  # fmt: skip
Pytest = Annotated[
    Path | None,
    typer.Option("--pytest", metavar="PATH",
                 help="Record the functions of a project while pytest, outside the sandbox, runs "
                 "its tests: PATH is given to pytest."),
]  # fmt: skip
Most = Annotated[int, typer.Option("--most", min=1, help="So many calls of each function.")]
Limit = Annotated[
    int | None, typer.Option("--limit", min=1, help="Stop at so many recorded calls.")
]
Exclude = Annotated[
    list[Path] | None,
    typer.Option("--exclude", help="Leave out functions that this data file of JSON lines holds, "
                 "whatever their names, and near copies of them."),
]  # fmt: skip
ExcludeData = Annotated[
    Path | None,
    typer.Option("--exclude-data", metavar="DIR", help="The same for all *.jsonl of a folder."),
]
Jobs = Annotated[int, typer.Option("--jobs", min=1, help="Processes at a time.")]
Form = Annotated[CorpusFormat, typer.Option("--format", help="How the corpus is written.")]


def trace(
    out: Out, generated: Generated = 0, levels: Levels = "operation:20,lines:40,program:40",
    functions: Functions = None, package: Packages = None, stdlib: Stdlib = False,
    without: Without = None, pytest: Pytest = None, python: Python = None, most: Most = 8,
    limit: Limit = None, exclude: Exclude = None, exclude_data: ExcludeData = None,
    jobs: Jobs = 1, form: Form = CorpusFormat.PARQUET, seed: Seed = 0,
) -> None:  # fmt: skip
    """Record calls of functions, state by state, as a corpus to train on.

    Exit status: 0 recorded, 2 error.

    Example: nsdbg model trace corpus.parquet --generated 5000 --pytest tests
    """
    from nsdbg.model.trace import drivings
    from nsdbg.model.trace.corpus import Writer
    from nsdbg.model.trace.exclude import Exclusion, data_files
    from nsdbg.model.trace.record import record

    files = [*(exclude or ()), *(data_files(exclude_data) if exclude_data else ())]
    wanted = drivings.Wanted(
        generated, _levels(levels), tuple(functions or ()), tuple(package or ()), stdlib,
        tuple(without or ()), pytest, python, seed, most,
    )  # fmt: skip
    work = drivings.plan(wanted)
    settings = {**wanted.as_json(), "limit": limit, "excluded": [file.name for file in files]}
    exclusion = Exclusion.of_files(files)
    writer = Writer(out, form.value, settings)
    try:
        with writer:
            record(work, writer, exclusion, jobs, limit, _show_progress)
    except KeyboardInterrupt:
        typer.echo("\nstopped: the corpus holds what was recorded so far", err=True)
    _tell(out, writer.manifest)


def _levels(text: str) -> dict[str, float]:
    """Read the value of `--levels`; raises UsageError."""
    found: dict[str, float] = {}
    for part in text.split(","):
        level, _, share = part.strip().partition(":")
        if level not in LEVELS or not share.isdecimal():
            raise UsageError(f"--levels: {part!r} is not one of {', '.join(LEVELS)}, a colon and "
                             "a number")  # fmt: skip
        found[level] = float(share)
    if sum(found.values()) <= 0:
        raise UsageError(f"--levels: {text!r} leaves no level a share")
    return found


def _show_progress(name: str, done: int, count: int, counted: Manifest) -> None:
    if sys.stderr.isatty() and (done % 20 == 0 or done == count):
        line = f"\r{name}: {done} of {count}, {counted.episodes} calls recorded"
        typer.echo(line, err=True, nl=done == count)


def _tell(out: Path, counted: Manifest) -> None:
    left = ", ".join(f"{count} {reason}" for reason, count in sorted(counted.left_out.items()))
    typer.echo(
        f"{out}: {counted.episodes} calls of {len(counted.functions)} functions, "
        f"{counted.states} states" + (f"; left out: {left}" if left else ""),
        err=True,
    )
