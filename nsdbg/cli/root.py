"""What stands before the command: `nsdbg --config FILE COMMAND`."""

from __future__ import annotations

import typer

import nsdbg
from nsdbg.cli.defaults import ConfigFile, Configured, NoConfig

app = typer.Typer(
    name="nsdbg",
    cls=Configured,
    help="A debugger for code you are not running: it proposes program states and shows only "
    "what it confirmed by running the code.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"nsdbg {nsdbg.__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: bool = typer.Option(
        False, "--version", callback=_print_version, is_eager=True, help="Print the version."
    ),
    config: ConfigFile = None,
    no_config: NoConfig = False,
) -> None:
    """Options that stand before the command."""
