"""How findings are written: the options that commands which report them share, and the writing."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nsdbg.finding import Findings
    from nsdbg.report.formats.outputs import Output


class FindingsFormat(StrEnum):
    """The formats of `nsdbg.report.formats`; a test holds the two lists equal."""

    TEXT = "text"
    JSON = "json"
    JSON_LINES = "json-lines"
    GITHUB = "github"
    GITLAB = "gitlab"
    JUNIT = "junit"
    SARIF = "sarif"
    SARIF_FULL = "sarif-full"
    MARKDOWN = "markdown"


Shown = Annotated[
    FindingsFormat, typer.Option("--output-format", help="How findings are written to stdout.")
]
Outputs = Annotated[
    list[str] | None,
    typer.Option(
        "--output",
        metavar="FORMAT=PATH",
        help="Write findings in this format to a file, too; may be given several times.",
    ),
]
Html = Annotated[
    Path | None,
    typer.Option("--html", metavar="FILE", help="Write a page to read in a browser, too."),
]


def checked_outputs(outputs: Sequence[str] | None, html: Path | None) -> tuple[Output, ...]:
    """Return what is to be written; raises UsageError, before the work, for what cannot be."""
    from nsdbg.errors import UsageError
    from nsdbg.report.formats.outputs import parse_outputs

    if html is not None and not html.absolute().parent.is_dir():
        raise UsageError(f"--html: there is no folder {html.parent}; make it first")
    if html is not None and (html.is_dir() or html.is_symlink()):
        raise UsageError(f"--html: {html} is a folder or a link; name a file")
    return parse_outputs(outputs or ())


def show(
    found: Findings,
    shown: FindingsFormat,
    outputs: Sequence[Output],
    html: Path | None,
    title: str,
    *,
    silent: bool = False,
) -> None:
    """Write findings to stdout and to each place that was asked for.

    `silent`: of nothing that is new, the text says nothing.
    Raises UsageError for one that cannot be written, after the others were.
    """
    from nsdbg.cli.paint import painter
    from nsdbg.report.formats import FORMATS
    from nsdbg.report.formats.text import findings_text

    if shown is FindingsFormat.TEXT:
        text = findings_text(found, paint=painter(), silent=silent)
    else:
        text = FORMATS[shown.value](found)
    typer.echo(text, nl=False, color=True)  # the painter has decided
    write(found, outputs, html, title)


def write(found: Findings, outputs: Sequence[Output], html: Path | None, title: str) -> None:
    """Write findings to each place that was asked for, but stdout.

    Raises UsageError for one that cannot be written, after the others were.
    """
    from nsdbg.errors import UsageError
    from nsdbg.report.formats.outputs import write_outputs

    problem: UsageError | None = None
    if html is not None:
        try:
            _write_page(found, html, title)
        except UsageError as error:
            problem = error
    write_outputs(outputs, found)
    if problem is not None:
        raise problem


def _write_page(found: Findings, path: Path, title: str) -> None:
    from nsdbg.report.formats.outputs import put_file
    from nsdbg.report.page import html_page

    put_file(path, html_page(found, title), "--html")
