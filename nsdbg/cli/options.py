"""The options that several commands share, as annotated types, and the budgets they start from."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from nsdbg.errors import UsageError

PROPOSERS = ("rules", "neural", "search", "smt")
DEFAULT_PROPOSERS = "rules,neural,search"


class Runtime(StrEnum):
    """What runs the model."""

    AUTO = "auto"
    CPU = "cpu"
    CUDA = "cuda"


class OutputFormat(StrEnum):
    """How an answer is written; names as ruff has them."""

    TEXT = "text"
    JSON = "json"


Format = Annotated[
    OutputFormat, typer.Option("--output-format", help="How the answer is written to stdout.")
]
Python = Annotated[
    Path | None,
    typer.Option(
        "--python",
        help="The interpreter that runs the code under test, 3.8 or newer. "
        "Default: an active or nearby virtual environment, else the one nsdbg runs on.",
    ),
]
Seed = Annotated[int, typer.Option("--seed", help="Same seed, same input, same answer.")]
ShowSecrets = Annotated[
    bool, typer.Option("--show-secrets", help="Show values that look like secrets, too.")
]
Allow = Annotated[
    list[str] | None,
    typer.Option(
        "--allow",
        metavar="EVENT[:PREFIX]",
        help="Permit the code under test one kind of side effect, as a refusal names it: "
        "open:/srv/data, socket.connect. May be given several times.",
    ),
]
Proposers = Annotated[
    str,
    typer.Option(
        "--proposers", help=f"Who may propose, with commas between: {', '.join(PROPOSERS)}."
    ),
]
Rules = Annotated[
    Path | None,
    typer.Option("--rules", help="Use the rules of this folder instead of those that came along."),
]
Model = Annotated[
    Path | None,
    typer.Option(
        "--model", metavar="DIR",
        help="Use the model of this folder instead of the one that came along.",
    ),
]  # fmt: skip
Provider = Annotated[
    Runtime,
    typer.Option(
        "--provider", help="What runs the model: auto takes CUDA where it is there, else the CPU."
    ),
]
WeakGuard = Annotated[
    bool,
    typer.Option(
        "--allow-weak-guard",
        help="Run the code although the kernel here lacks a layer of the sandbox.",
    ),
]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Say why each thing was refused.")]


def tell_what_is_awaited(argument: str, what: str) -> None:
    """Say on a terminal that standard input is read; else a forgotten argument looks like a hang.

    `argument` is what was given for a file, `-` standing for standard input.
    """
    if argument == "-" and sys.stdin.isatty():
        typer.echo(f"nsdbg: reading {what} from the terminal, up to Ctrl-D", err=True)


def proposer_names(text: str) -> tuple[str, ...]:
    """Split the value of `--proposers`; raises UsageError for a name that is none."""
    names = tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))
    for name in names:
        if name not in PROPOSERS:
            raise UsageError(f"--proposers: {name!r} is none of {', '.join(PROPOSERS)}")
    if not names:
        raise UsageError(f"--proposers names nobody: choose from {', '.join(PROPOSERS)}")
    return names
