"""`nsdbg run`: a program as it always runs, and a record of its crash with the values."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from nsdbg.cli.options import Python

_WITH_VALUE = ("--record", "--python")

Module = Annotated[
    str | None,
    typer.Option("-m", metavar="MODULE", help="Run a module, as python -m does."),
]
Record = Annotated[
    str | None,
    typer.Option(
        "--record",
        metavar="PATH",
        help="Where to write: a folder, or a file of lines when it ends in .jsonl. Default: "
        "$NSDBG_RECORD, else ~/.local/state/nsdbg/crashes.",
    ),
]
Secrets = Annotated[
    bool, typer.Option("--secrets", help="Keep values that look like secrets in the record.")
]


class RunCommand(TyperCommand):
    """Leaves all that stands behind the script or the module to the program, as python does."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read our options up to the program's name."""
        return super().parse_args(ctx, end_of_options(args))


def end_of_options(arguments: Sequence[str]) -> list[str]:
    """Return the arguments with `--` between ours and the program's."""
    at = 0
    while at < len(arguments) and arguments[at].startswith("-") and arguments[at] != "--":
        word = arguments[at]
        at += 2 if word in (*_WITH_VALUE, "-m") else 1
        if word.startswith("-m"):
            break
    rest = list(arguments[at:])
    return [*arguments[:at], *([] if rest[:1] == ["--"] else ["--"]), *rest]


def run(
    script: Annotated[
        str | None, typer.Argument(metavar="[SCRIPT]", help="The script to run.")
    ] = None,
    arguments: Annotated[
        list[str] | None, typer.Argument(metavar="[ARGS]...", help="The program's own arguments.")
    ] = None,
    module: Module = None,
    record: Record = None,
    secrets: Secrets = False,
    python: Python = None,
) -> None:
    """Run a Python program; when it crashes, write a record with the values of its frames.

    The program runs as without nsdbg: output, exit code and exception are its own. What nobody
    handles is recorded, in any thread and in asyncio tasks. Read the record, which only its owner
    may, with nsdbg parse or nsdbg localize. The JSON is nsdbg.crash/1.

    Exit code: the program's own; 2 when it could not be started.

    Example: nsdbg run --record crashes.jsonl app.py --port 8000
    """
    from nsdbg.errors import UsageError

    given = [*([script] if script is not None else []), *(arguments or [])]
    if module is None and script is None:
        raise UsageError("run what? Name a script, or a module with -m MODULE")
    if module is None and not Path(given[0]).exists():
        raise UsageError(f"there is no file {given[0]}")
    if record is not None:
        _check_record(record)
    from nsdbg.verify.interpreters import find_interpreter

    command = [
        str(find_interpreter(python).path),
        *(["-m", module] if module is not None else []),
        *given,
    ]
    _replace_process(command, _environment(record, secrets))


def _check_record(record: str) -> None:
    """Raise UsageError where no record can be written: while the program runs nobody is told."""
    from nsdbg.errors import UsageError

    path = Path(record).absolute()
    there = next(one for one in (path, *path.parents) if one.exists())
    if there != path and not there.is_dir():
        raise UsageError(f"--record: {there} is a file, no folder for {path.name}")
    if not os.access(there, os.W_OK):
        raise UsageError(f"--record: {there} cannot be written to; name another place")


def _environment(record: str | None, secrets: bool) -> dict[str, str]:
    """Return the environment in which the interpreter begins to record before the program."""
    from nsdbg import record as recorder

    folder = Path(recorder.__file__).parent / "startup"
    found = dict(os.environ)
    before = found.get("PYTHONPATH")
    kept = "" if before is None else f"={before}"  # told apart from one that is empty
    target = os.path.abspath(record) if record else ""
    found["_NSDBG_RUN"] = f"{target}\n{'secrets' if secrets else ''}\n{kept}"
    found["PYTHONPATH"] = os.pathsep.join([str(folder), *([before] if before else [])])
    return found


def _replace_process(command: list[str], environment: dict[str, str]) -> None:
    """Become the program, so that signals, terminal and exit code are its own."""
    import subprocess
    import sys

    from nsdbg.errors import InterpreterError

    sys.stdout.flush()
    sys.stderr.flush()
    if os.name == "nt":  # there, exec returns to the shell at once
        sys.exit(subprocess.run(command, env=environment, check=False).returncode)
    try:
        os.execve(command[0], command, environment)
    except OSError as error:
        raise InterpreterError(f"{command[0]} cannot be started: {error.strerror}") from error
