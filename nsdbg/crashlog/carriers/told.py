"""Exceptions that a document tells of as data, written out as CPython prints them.

Knows nothing of the documents; `json_events` and `json_trackers` do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nsdbg.crashlog.patterns import CAUSE, CONTEXT

HEADER = "Traceback (most recent call last):"
_DEPTH = 20  # groups inside groups


@dataclass(frozen=True, slots=True)
class Told:
    """An exception: the lines of its frames, the line that names it, and its notes.

    `cause`: it is the cause of the one after it in its chain, not its context.  `members` are the
    chains of an exception group's members.
    """

    frames: tuple[str, ...]
    named: str
    notes: tuple[str, ...] = ()
    cause: bool = True
    members: tuple[tuple[Told, ...], ...] = ()


def text_of(chain: Sequence[Told]) -> str:
    """Return a chain, the oldest exception first, as a plain traceback."""
    return "\n".join(_lines(chain, 0)) + "\n"


def named(kind: object, value: object) -> str:
    """Return the line that names an exception."""
    return f"{kind}: {value}" if value not in (None, "") else str(kind)


def _lines(chain: Sequence[Told], depth: int) -> Iterator[str]:
    """Yield a chain's lines; `depth` counts the groups around it, for their art."""
    for number, one in enumerate(chain):
        margin = "  " * depth + "| " if depth else ""
        if number:
            said = CAUSE if chain[number - 1].cause else CONTEXT
            yield from (margin.rstrip(), margin + said, margin.rstrip())
        if one.members and depth < _DEPTH:
            yield from _group(one, depth)
        else:
            yield margin + HEADER
            for text in (*one.frames, *one.named.split("\n"), *one.notes):
                yield margin + text


def _group(one: Told, depth: int) -> Iterator[str]:
    """Yield a group's lines, with the bars and rules of `traceback`."""
    head = "  " * depth + "| " if depth else "  + "
    depth = depth or 1
    yield f"{head}Exception Group {HEADER}"
    for text in (*one.frames, *one.named.split("\n"), *one.notes):
        yield "  " * depth + "| " + text
    for number, member in enumerate(one.members, 1):
        rule = "+-" if number == 1 else "  "
        yield f"{'  ' * depth}{rule}+---------------- {number} ----------------"
        yield from _lines(member, depth + 1)
    if not one.members[-1][-1].members:  # an inner group's last rule ends the outer one too
        yield "  " * (depth + 1) + "+------------------------------------"
