"""The inverse of a call: from a goal to the arguments with which the function reaches it."""

from __future__ import annotations

import keyword
from collections.abc import Sequence
from typing import Any

from nsdbg.claim import Goal
from nsdbg.propose.codec import answer as answers
from nsdbg.propose.codec import spelling
from nsdbg.propose.codec.answer import ChangeKind
from nsdbg.propose.codec.seen import value_in, value_of
from nsdbg.propose.codec.situation import WELL_KNOWN
from nsdbg.propose.codec.spelling import RESULT
from nsdbg.propose.codec.states import type_tokens, value_tokens
from nsdbg.propose.codec.view import View, literals
from nsdbg.propose.codec.vocabulary import IDS, OPERATOR
from nsdbg.propose.evaluate import Unknown, copied, evaluate
from nsdbg.state import Event

_LONGEST_GOAL = 120


def prompt(view: View, goal: Goal) -> list[int]:
    """Return the question as tokens: the source, and the state that a call has to reach."""
    site = goal.chain[-1]
    first = view.texts[0].lineno if view.texts else 1
    written = [
        *view.tokens(site.file, site.lineno or first),
        IDS["<arguments>"],
        IDS["<state>"],
        IDS[f"<at-{goal.event.value}>"],
    ]
    token = view.line(site.file, site.lineno) if site.lineno is not None else None
    written += [] if token is None else [token]
    for name, text in goal.locals:
        value = value_tokens(value_in(text), view.slots, _LONGEST_GOAL)
        written += (*view.slots.name(name), OPERATOR["="], *value, IDS[";"])
    if goal.value is not None:
        written += (IDS["<arg>"], *value_tokens(value_in(goal.value), view.slots, _LONGEST_GOAL))
    if goal.exception is not None:
        message = spelling.string((goal.exception.message or "")[:_LONGEST_GOAL])
        written += (IDS["<arg>"], *type_tokens(goal.exception.type, view.slots), *message)
    return [*written, IDS["</state>"]]


def known(goal: Goal) -> dict[str, Any]:
    """Return the names over which the arguments may be expressions: locals, and the result."""
    names = {**WELL_KNOWN, **literals(goal.locals)}
    if goal.value is not None:
        names.update(literals([(RESULT, goal.value)]))
    return names


def read(view: View, goal: Goal, tokens: Sequence[int]) -> tuple[tuple[str, str], ...] | None:
    """Return the arguments that an answer tells, by name as literal text, or None.

    An expression over the goal's values comes back as the literal of its value.
    """
    found = answers.read(tokens)
    if found is None or found.event is not Event.CALL or found.guard is not None:
        return None
    names, read_ = known(goal), []
    for kind, change in found.changes:
        pair = _argument(view, names, change) if kind is ChangeKind.DO else None
        if pair is None:
            return None
        read_.append(pair)
    return tuple(read_)


def _argument(view: View, names: dict[str, Any], change: tuple[int, ...]) -> tuple[str, str] | None:
    if OPERATOR["="] not in change:
        return None
    at = change.index(OPERATOR["="])
    name = spelling.text(change[:at], view.slots)
    text = spelling.text(change[at + 1 :], view.slots)
    if name is None or not name.isidentifier() or keyword.iskeyword(name) or not text:
        return None
    try:
        # A copy: an expression may change what it is about.
        value = value_of(evaluate(text, {**names, **_copied(names, text)}))
    except (Unknown, SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return None if value is None else (name, value.repr)


def _copied(names: dict[str, Any], text: str) -> dict[str, Any]:
    return {name: copied(value) for name, value in names.items() if name in text}
