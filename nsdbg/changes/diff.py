"""Which lines of a new text are new, and where lines of the old one stood; no git is asked."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

# Above this many pairs of lines, difflib starts from rare lines only: it would take minutes else.
MOST_PAIRS = 1_000_000


def lines_of(text: str) -> list[str]:
    """Return a text's lines as Python counts them: `str.splitlines` splits at form feeds too."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def same_lines(old: Sequence[str], new: Sequence[str]) -> dict[int, int]:
    """Return which lines of a new text are lines of the old one: numbers, counted from 1."""
    return {
        new_start + step + 1: old_start + step + 1
        for old_start, new_start, size in _blocks(old, new)
        for step in range(size)
    }


def changed_lines(old: Sequence[str], new: Sequence[str]) -> frozenset[int]:
    """Return the lines of a new text that are added or changed, counted from 1.

    Where lines were only removed, the line that took their place; at the end, the last one.
    """
    found: set[int] = set()
    old_end = new_end = 0
    for old_start, new_start, size in [*_blocks(old, new), (len(old), len(new), 0)]:
        if new_start > new_end:
            found.update(range(new_end + 1, new_start + 1))
        elif old_start > old_end and new:
            found.add(min(new_end + 1, len(new)))
        old_end, new_end = old_start + size, new_start + size
    return frozenset(found)


def _blocks(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int, int]]:
    """Return the runs of equal lines: where in the old text, where in the new one, how many."""
    shorter = min(len(old), len(new))
    head = next((n for n in range(shorter) if old[n] != new[n]), shorter)
    rest = shorter - head
    tail = next((n for n in range(rest) if old[-1 - n] != new[-1 - n]), rest)
    inner_old, inner_new = old[head : len(old) - tail], new[head : len(new) - tail]
    matcher = difflib.SequenceMatcher(
        None, inner_old, inner_new, autojunk=len(inner_old) * len(inner_new) > MOST_PAIRS
    )
    inner = [(head + a, head + b, size) for a, b, size in matcher.get_matching_blocks() if size]
    ends = (len(old) - tail, len(new) - tail, tail)
    return [*([(0, 0, head)] if head else []), *inner, *([ends] if tail else [])]
