"""`nsdbg model`: record traces, train a network on them, export it."""

from __future__ import annotations

import typer

from nsdbg.cli import model_encode, model_trace, model_train

app = typer.Typer(
    help="Record traces, train a neural debugger on them, and export it.",
    rich_markup_mode=None, no_args_is_help=True,
)  # fmt: skip
app.command("trace")(model_trace.trace)
app.command("encode")(model_encode.encode)
app.command("train")(model_train.train)
app.command("export")(model_train.export)
