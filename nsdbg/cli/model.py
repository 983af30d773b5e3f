"""`nsdbg model`: record traces, train a network on them, export it."""

from __future__ import annotations

import typer

from nsdbg.cli import model_encode, model_trace, model_train

app = typer.Typer(
    help="Record traces, train a neural debugger on them, and export it.",
    rich_markup_mode=None, no_args_is_help=True,
)  # fmt: skip
app.command("trace", short_help="Record calls of functions, state by state.")(model_trace.trace)
app.command("encode", short_help="Turn recorded traces into samples.")(model_encode.encode)
app.command("train", short_help="Train the network on samples, within a time.")(model_train.train)
app.command("export", short_help="Export the best weights of a run to ONNX.")(model_train.export)
