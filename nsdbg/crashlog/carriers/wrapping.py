"""What a carrier is: one way in which crash text is wrapped, prefixed or escaped.

A new one is one module beside this one, with a `CARRIER`, and its samples in `tests/logs/`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from nsdbg.crashlog.lines import Line

Unwrap = Callable[[Sequence[Line]], list[Line] | None]


@dataclass(frozen=True, slots=True)
class Carrier:
    """A wrapping: `name` is the word for `carrier`, `title` one line for `nsdbg parse --formats`.

    `unwrap(lines)` returns the lines without it, None when they are not wrapped so.
    `markers` are bytes for wrappings that hide those of the dialects.
    """

    name: str
    title: str
    unwrap: Unwrap
    markers: tuple[bytes, ...] = ()
