"""One line of progress on a terminal's stderr, written over and over, and wiped away at the end.

What is worth telling, the commands say.  Elsewhere than on a terminal nothing is shown.
"""

from __future__ import annotations

import math
import sys
import time

import typer

# What is done sooner needs no line.
AFTER_S = 2.0
_WIDTH = 78


class Progress:
    """`began`, a time of `perf_counter`: nothing is shown in the seconds after it."""

    def __init__(self, began: float = -math.inf) -> None:
        self._begins = began + AFTER_S if sys.stderr.isatty() else math.inf
        self._shown = False

    def tell(self, text: str) -> None:
        """Show a text in the place of the last one."""
        if time.perf_counter() > self._begins:
            from nsdbg.report.escape import plain

            self._shown = True
            self._write(f"\r{plain(text, _WIDTH):<{_WIDTH}}")

    def end(self) -> None:
        """Wipe the line away."""
        if self._shown:
            self._write(f"\r{'':<{_WIDTH}}\r")

    def _write(self, text: str) -> None:
        typer.echo(text, err=True, nl=False)
