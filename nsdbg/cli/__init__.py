"""The command line: `nsdbg COMMAND`.

Registers the commands of the neighbouring modules and turns our errors into one line and an exit
code.  Modules here import nothing heavy at their top, so that `nsdbg --help` is instant.
"""

from __future__ import annotations

import sys

import typer

import nsdbg
from nsdbg.cli import (
    config,
    doctor,
    gate,
    localize,
    measure,
    model,
    parse,
    reverse,
    rules,
    run,
    step,
    triage,
)
from nsdbg.cli.defaults import ConfigFile, Configured, NoConfig
from nsdbg.errors import NsdbgError

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
app.command("localize")(localize.localize)
app.command("parse")(parse.parse)
app.command("triage")(triage.triage)
app.command("gate")(gate.gate)
app.command("run", cls=run.RunCommand)(run.run)
app.command("reverse")(reverse.reverse)
app.command("step")(step.step)
app.command("verify")(step.verify)
app.add_typer(rules.app, name="rules")
app.add_typer(measure.app, name="measure")
app.add_typer(model.app, name="model")
app.command("config")(config.config)
app.command("doctor")(doctor.doctor)


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


def main() -> None:
    """Run the command line; an error of ours is one message on stderr and its exit code."""
    try:
        app()
    except NsdbgError as error:
        typer.echo(f"nsdbg: {error}", err=True)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        typer.echo("nsdbg: stopped", err=True)
        sys.exit(130)
    except BrokenPipeError:
        # The reader has gone (`| head`): nothing is left to say, and nothing may be said at exit.
        sys.stderr.close()
        sys.exit(141)
