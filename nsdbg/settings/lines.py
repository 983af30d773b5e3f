"""The line of a TOML file on which a key stands: for messages, since tomllib does not tell."""

from __future__ import annotations

import re

_HEADER = re.compile(r"^\s*\[\[?([^\[\]]+)\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"""^\s*((?:[\w-]+|"[^"]*"|'[^']*'|\s*\.\s*)+?)\s*=""")


def line_of(text: str, keys: tuple[str, ...]) -> int | None:
    """Return the line (from 1) of a key or a table; None where it was not found.

    Looks at one line at a time, and can be led astray by a text of several lines that holds what
    looks like TOML.
    """
    table: tuple[str, ...] = ()
    found: dict[tuple[str, ...], int] = {}
    for lineno, line in enumerate(text.split("\n"), 1):
        header = _HEADER.match(line)
        if header:
            table = _names(header.group(1))
            found.setdefault(table, lineno)
        elif key := _KEY.match(line):
            found.setdefault((*table, *_names(key.group(1))), lineno)
    # A key of an inline table stands where the table stands; so does one of a dotted header.
    inside = (lineno for where, lineno in found.items() if where[: len(keys)] == keys)
    around = (found[keys[:n]] for n in range(len(keys), 0, -1) if keys[:n] in found)
    return found.get(keys) or next(inside, None) or next(around, None)


def _names(dotted: str) -> tuple[str, ...]:
    """Return the parts of a dotted key, quotes taken off; () for what is none."""
    import tomllib

    try:
        at: object = tomllib.loads(f"{dotted} = 0")
    except tomllib.TOMLDecodeError:
        return ()
    names = []
    while isinstance(at, dict):
        name, at = next(iter(at.items()))
        names.append(str(name))
    return tuple(names)
