"""`nsdbg parse`: what a crash log says, without looking at any source or running anything."""

from __future__ import annotations

from typing import Annotated

import typer

from nsdbg.cli.options import Format, OutputFormat, ShowSecrets, tell_what_is_awaited


def parse(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="The log; - is standard input. May be gzip."),
    ] = "-",
    listing: Annotated[
        bool,
        typer.Option(
            "--list", help="A table of the distinct crashes: how often, first and last seen."
        ),
    ] = False,
    formats: Annotated[
        bool, typer.Option("--formats", help="List the formats that are read, and exit.")
    ] = False,
    show_secrets: ShowSecrets = False,
    output_format: Format = OutputFormat.TEXT,
) -> None:
    """Read a crash log: every distinct crash, its exception, chain and frames.

    Reads the log only; no source is looked at and nothing is run. The JSON is nsdbg.parse/1.

    Exit code: 0 a crash was found, 1 none was, 2 the log could not be read.

    Example: nsdbg parse crash.log --output-format json
    """
    import json

    from nsdbg import crashlog
    from nsdbg.crashlog.formats import formats_text
    from nsdbg.crashlog.opening import open_log
    from nsdbg.report.crash import crashes_json, crashes_text
    from nsdbg.rulebook import Rulebook

    if formats:
        typer.echo(formats_text())
        return
    tell_what_is_awaited(file, "a log")
    with open_log(file) as log:
        reports = crashlog.distinct(crashlog.read(log.stream))
        if output_format is OutputFormat.JSON:
            typer.echo(json.dumps(crashes_json(reports, Rulebook(), show_secrets)))
        elif reports:
            typer.echo(crashes_text(reports, Rulebook(), show_secrets, listing))
        if not reports:
            raise log.no_crash()
