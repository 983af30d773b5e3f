"""Text for people, with a little weight and colour where stdout is a terminal.

Colours are the terminal's own red and green, which read on light and dark grounds alike; nothing
is told by colour alone.  NO_COLOR and TERM=dumb are honoured by rich.
"""

from __future__ import annotations

import re
import sys

import typer

_MARKS = re.compile(r"\s*\|\s*[~^]+\s*")
_GOOD = re.compile(r"\s+(?:confirmed by|transition confirmed|on )")
_BAD = re.compile(r"\s+OFF |amiss: ")


def show(text: str) -> None:
    """Print a report: headings bold, the marked part of a line red, what was confirmed green."""
    if not sys.stdout.isatty():
        typer.echo(text)
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
    for line in text.split("\n"):
        console.print(Text(line, style=style_of(line)))


def style_of(line: str) -> str:
    """Return rich's style for one line of a report."""
    if _MARKS.fullmatch(line) or _BAD.match(line):
        return "red"
    if _GOOD.match(line):
        return "green"
    heading = bool(line) and not line[0].isspace()
    return "bold" if heading or line.startswith("  > ") else ""
