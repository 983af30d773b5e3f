"""Which regular expressions a rule may use: those that cannot take long on a long message.

A bound on the shape, not a proof: at most two repeats that can give back what they took, and no
repeated group with a choice in it, leave quadratic time, and a message is cut at 4 kB.
"""

from __future__ import annotations

import re

MESSAGE_LIMIT = 4096
_MANY = 64  # a repeat up to this count is taken as bounded
_BACKTRACKING = 2
_QUANTIFIER = re.compile(r"(?:[*+?]|\{(\d*)(,?)(\d*)\})([+?]?)")


def why_slow(pattern: str) -> str | None:
    """Return why a pattern could take long, in words for its author, or None when it cannot.

    Raises re.error when it is not a regular expression.
    """
    re.compile(pattern)
    unbounded = 0
    open_groups: list[bool] = []  # whether the group holds a choice so far
    index, closed = 0, False
    while index < len(pattern):
        char = pattern[index]
        quantifier = _QUANTIFIER.match(pattern, index) if index else None
        if char == "(":
            open_groups.append(False)
            index, closed = _after_opening(pattern, index), False
        elif char == ")":
            closed = open_groups.pop()
            _mark(open_groups, closed)
            index += 1
        elif quantifier is not None:
            repeats, gives_back = _repeats(quantifier)
            if closed and repeats > 1:
                return "a repeated group holds a repeat or a choice: make the inner one possessive"
            if gives_back:
                _mark(open_groups, True)
                unbounded += repeats > _MANY
            index, closed = quantifier.end(), False
        else:
            if char == "|":
                _mark(open_groups, True)
            index, closed = _after_atom(pattern, index), False
    if unbounded > _BACKTRACKING:
        return (
            f"it has {unbounded} repeats without an end, at most {_BACKTRACKING} may give back:"
            " write the others possessive (`++`, `*+`) or bounded (`{0,64}`)"
        )
    return None


def _mark(open_groups: list[bool], choice: bool) -> None:
    if open_groups and choice:
        open_groups[-1] = True


def _after_opening(pattern: str, index: int) -> int:
    found = re.compile(r"\((?:\?(?:P<\w+>|P=\w+|[:=!>]|<[=!]|[aiLmsux-]+:?))?").match(
        pattern, index
    )
    return found.end() if found else index + 1


def _after_atom(pattern: str, index: int) -> int:
    if pattern[index] == "\\":
        return index + 2
    if pattern[index] != "[":
        return index + 1
    found = re.compile(r"\[\^?\]?(?:\\.|[^\]\\])*\]").match(pattern, index)
    return found.end() if found else index + 1


def _repeats(quantifier: re.Match[str]) -> tuple[int, bool]:
    """Return how often the atom may come, and whether the repeat can give back what it took."""
    text, possessive = quantifier[0], quantifier[4] == "+"
    if text[0] == "?":
        return 1, not possessive
    if text[0] != "{":
        return _MANY + 1, not possessive
    low, comma, high = quantifier[1], quantifier[2], quantifier[3]
    count = int(high or (_MANY + 1 if comma else low or 0))
    return count, not possessive and bool(comma)
