"""Texts of values, where they are the same in every run: no addresses, no order of a hash seed."""

from __future__ import annotations

import collections
from typing import Any

from nsdbg.propose.evaluation.bounds import CONTAINERS, LARGEST, Unknown, bounded, parts

_PRINTED = frozenset({str, bytes, int, bool, float, complex, range, type(None),
                      collections.Counter, *CONTAINERS})  # fmt: skip
_PLAIN = frozenset({str, bytes, int, bool, float, complex, range, type(None)})


def printable(value: Any) -> Any:
    """Return a value whose text is the same in every run, else raise Unknown."""
    if type(value) in _PLAIN:
        return bounded(value)
    short(value)
    stack = [value]
    while stack:
        item = stack.pop()
        kind = type(item)
        if kind in (set, frozenset) and len(item) > 1:
            raise Unknown("the order of a set")
        if kind in CONTAINERS or kind is collections.Counter:
            stack.extend(part for part in parts(item) if type(part) not in _PLAIN)
        elif isinstance(item, Exception):
            stack.extend(item.args)
        elif kind not in _PRINTED and not _is_builtin_type(item):
            raise Unknown(f"the text of a {kind.__name__}")
    return bounded(value)


def short(value: Any) -> None:
    """Raise Unknown for a value of which the text would be too long, shared parts counted again."""
    left, stack = LARGEST, [value]
    while stack:
        item = stack.pop()
        kind = type(item)
        if kind in CONTAINERS or kind is collections.Counter:
            left -= len(item)
            stack.extend(parts(item))
        elif kind in (str, bytes):
            left -= len(item)
        elif kind is int:
            left -= item.bit_length() >> 2
        if left < 0:
            raise Unknown("a text that is too long")


def _is_builtin_type(value: Any) -> bool:
    return isinstance(value, type) and value.__module__ == "builtins"


def text(value: Any = "") -> str:
    """Return `str(value)`."""
    return str(printable(value))


def shown(value: Any) -> str:
    """Return `repr(value)`."""
    return repr(printable(value))


def shown_in_ascii(value: Any) -> str:
    """Return `ascii(value)`."""
    return ascii(printable(value))


def small_widths(layout: str) -> None:
    """Raise Unknown for a format with a width that is large."""
    digits = ""
    for char in layout:
        digits = digits + char if char.isdigit() else ""
        if len(digits) > 4:
            raise Unknown("a format with a large width")


def format_value(value: Any, spec: str = "") -> str:
    """Return `format(value, spec)` for small widths."""
    small_widths(spec)
    return format(printable(value), spec)
