"""Where `--output FORMAT=PATH` puts findings: files that are whole or not there.

A file is written beside its place and then put there, so that who reads it meanwhile reads the old
one.  Links are not followed: a tree under test could lay one.  GitHub's step summary is the one
file that is appended to, since other steps' words stand in it.
"""

from __future__ import annotations

import difflib
import os
import secrets
import stat
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from nsdbg.errors import UsageError
from nsdbg.finding import Findings
from nsdbg.report.formats import FORMATS
from nsdbg.report.formats.markdown import markdown_text

OPTION = "--output"
STDOUT = "-"
SUMMARY_VARIABLE = "GITHUB_STEP_SUMMARY"
# GitHub throws a step's summary away as a whole when it is larger than 1 MiB.
SUMMARY_BYTES = 1_000_000
LEAST_BYTES = 40_000


@dataclass(frozen=True, slots=True)
class Output:
    """One thing to write: a format's name, and a path."""

    format: str
    path: Path


def parse_outputs(texts: Sequence[str]) -> tuple[Output, ...]:
    """Return what `--output` asks for, each `FORMAT=PATH`, or `FORMAT` alone.

    A format alone goes to its default name in the current folder.  Raises UsageError for a format
    that is not known, a place that is named twice, stdout, and a place where no file can be.
    """
    outputs = tuple(_parsed(text) for text in texts)
    places = [output.path.absolute() for output in outputs]
    for output, place in zip(outputs, places, strict=True):
        if places.count(place) > 1:
            raise UsageError(
                f"{OPTION}: {output.path} is named twice; give each format its own place"
            )
        _check(output.path)
    return outputs


def _parsed(text: str) -> Output:
    # No format has an equals sign in its name; a path may have several, and a drive's colon.
    name, given, path = text.partition("=")
    if name not in FORMATS:
        near = difflib.get_close_matches(name, FORMATS, 1)
        hint = f"did you mean {near[0]}?" if near else f"choose from {', '.join(FORMATS)}"
        raise UsageError(f"{OPTION}: {name!r} is no format; {hint}")
    if given and not path:
        raise UsageError(f"{OPTION}: {text!r} names no file; write {text}{name}.out")
    if path == STDOUT:
        raise UsageError(
            f"{OPTION} {name}=-: stdout has what --output-format says, and two reports there would "
            f"be neither; write --output-format {name}"
        )
    try:
        # A shell leaves a tilde behind an equals sign as it is.
        return Output(name, Path(path or FORMATS[name].default_name).expanduser())
    except RuntimeError as error:
        raise UsageError(f"{OPTION}: {path}: {error}") from error


def _check(path: Path) -> None:
    """Raise UsageError where no file can be written: before the work, not after it."""
    if "\0" in str(path):
        raise UsageError(f"{OPTION}: {str(path)!r} can not be a file's name")
    try:
        if path.is_symlink():
            raise UsageError(f"{OPTION}: {path} is a link; name the file itself")
        if path.is_dir():
            raise UsageError(f"{OPTION}: {path} is a folder; name a file in it")
        if path.exists() and not path.is_file():
            raise UsageError(f"{OPTION}: {path} is no regular file; name one")
        if not path.parent.is_dir():
            raise UsageError(f"{OPTION}: there is no folder {path.parent}; make it first")
    except OSError as error:  # a name that is too long, a folder that may not be searched
        raise _unwritable(path, error) from error


def write_outputs(outputs: Iterable[Output], found: Findings) -> None:
    """Write findings to each place.

    Raises UsageError for one that can not be written, after the others were.
    """
    problem: UsageError | None = None
    for output in outputs:
        try:
            _write(output, found)
        except UsageError as error:
            problem = problem or error
    if problem is not None:
        raise problem


def _write(output: Output, found: Findings) -> None:
    if _is_step_summary(output.path):
        _append(output.path, output.format, found)
    else:
        put_file(output.path, FORMATS[output.format](found))


def _is_step_summary(path: Path) -> bool:
    named = os.environ.get(SUMMARY_VARIABLE)
    return bool(named) and Path(str(named)).absolute() == path.absolute()


def _append(path: Path, name: str, found: Findings) -> None:
    """Add to the step summary, in what room other words have left there."""
    try:
        there = path.stat().st_size if path.exists() else 0
        if there > SUMMARY_BYTES:
            raise UsageError(f"{OPTION}: {path} is full: GitHub drops a summary above 1 MiB")
        if name == "markdown":
            text = markdown_text(found, max(LEAST_BYTES, SUMMARY_BYTES - there))
        else:
            text = FORMATS[name](found)
        with open(_opened(path, os.O_APPEND | os.O_CREAT), "ab") as file:
            file.write((b"\n" if there else b"") + text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise _unwritable(path, error) from error


def put_file(path: Path, text: str, option: str = OPTION) -> None:
    """Put a file in its place at once.  One that was there keeps its permissions.

    Raises UsageError that names the option when it can not be written.
    """
    beside = path.with_name(f".{path.name[:100]}.{secrets.token_hex(4)}")
    try:
        mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else None
        with open(_opened(beside, os.O_CREAT | os.O_EXCL), "wb") as file:
            file.write(text.encode("utf-8", "backslashreplace"))
        if mode is not None:
            beside.chmod(mode)
        # A link laid meanwhile is replaced, not followed.
        beside.replace(path)
    except OSError as error:
        raise _unwritable(path, error, option) from error
    finally:
        with suppress(OSError):
            beside.unlink()


def _opened(path: Path, flags: int) -> int:
    extra = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    return os.open(path, flags | extra | os.O_WRONLY, 0o666)


def _unwritable(path: Path, error: OSError, option: str = OPTION) -> UsageError:
    return UsageError(f"{option}: cannot write {path}: {error.strerror or error}")
