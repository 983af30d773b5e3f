"""FILE::FUNCTION and STATE: the arguments of the commands that ask about one function."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from nsdbg.source import Subject
    from nsdbg.statefile import StateClaim

SourceRoot = Annotated[
    Path | None,
    typer.Option(
        "--source-root",
        metavar="DIR",
        help="The folder from which FILE is imported. Default: follows from the packages.",
    ),
]
Target = Annotated[
    str | None,
    typer.Argument(
        metavar="[FILE::FUNCTION]",
        help="The function. May be left out when STATE names file and function.",
    ),
]
StateText = Annotated[
    str, typer.Option("--state", metavar="STATE", help="JSON: inline, a path, or - for stdin.")
]


def subject_of(target: str | None, claim: StateClaim, source_root: Path | None) -> Subject:
    """Return the function that a command is about.

    Raises UsageError when neither the argument nor the state names it, SourceError when it is not
    there.
    """
    from nsdbg.errors import UsageError
    from nsdbg.reverse import parse_target
    from nsdbg.source import load_subject

    if target is not None:
        file, function = parse_target(target)
    elif claim.file and claim.function:
        file, function = claim.file, claim.function
    else:
        raise UsageError(
            "which function? Name it as FILE::FUNCTION, or let STATE have 'file' and 'function'"
        )
    return load_subject(Path(file), function, source_root)
