"""Weight and colour for reports, where stdout is a terminal that has them, or FORCE_COLOR asks.

The colours are the terminal's own, which read on light and dark grounds alike; nothing is told by
colour alone.
"""

from __future__ import annotations

import os
import sys

import typer

from nsdbg.report.escape import Paint, unpainted


def painter() -> Paint:
    """Return what colours a text in a named style: title, name, good, dim or bad."""
    if os.environ.get("NO_COLOR"):
        return unpainted
    forced = os.environ.get("FORCE_COLOR", "") not in ("", "0")
    terminal = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    return painted if forced or terminal else unpainted


def painted(text: str, style: str) -> str:
    """Return a text with the escape codes of its style around it."""
    if style == "title":
        return typer.style(text, bold=True)
    if style == "name":
        return typer.style(text, underline=True)
    if style == "dim":
        return typer.style(text, dim=True)
    return typer.style(text, fg="green" if style == "good" else "red", bold=style == "bad")
