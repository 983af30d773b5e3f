"""One value: what a local would be at a state, from everything else there.

It serves what a blocked call would give (an assumption), and the surprise of an observed value.
"""

from __future__ import annotations

from collections.abc import Sequence

from nsdbg.propose.codec import spelling
from nsdbg.propose.codec.seen import UNTOLD, value_of
from nsdbg.propose.codec.situation import Situation, names_of
from nsdbg.propose.codec.states import state_tokens, type_tokens, whole_value
from nsdbg.propose.codec.view import View
from nsdbg.propose.codec.vocabulary import END, IDS
from nsdbg.propose.evaluate import Unknown, evaluate
from nsdbg.state import Value

LONGEST = 48


def prompt(view: View, situation: Situation, name: str) -> list[int]:
    """Return the question as tokens: the source, the state without the local, and its name."""
    frame = situation.state.frame
    return [
        *view.tokens(frame.file, frame.lineno),
        IDS["<value>"],
        *state_tokens(view, situation, frozenset([name])),
        *view.slots.name(name),
    ]


def spell(view: View, value: Value) -> list[int] | None:
    """Return a value as the answer to the question, END included; None when it is too long."""
    whole = whole_value(value, view.slots)
    if whole is None:
        whole = [IDS["<obj>"], *type_tokens(value.type, view.slots)]
    return [*whole, END] if len(whole) <= LONGEST else None


def read(view: View, situation: Situation, tokens: Sequence[int]) -> Value | None:
    """Return the value that an answer tells, or None when it tells none."""
    body = list(tokens[: tokens.index(END)]) if END in tokens else []
    if not body:
        return None
    if body[0] == IDS["<obj>"]:
        kind = spelling.text(body[1:], view.slots)
        return Value("<?>", kind, truncated=True) if kind and kind.isidentifier() else None
    text = spelling.text(body, view.slots)
    try:
        found = evaluate(text or "", names_of(view, situation.state.frame))
    except (Unknown, SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    value = value_of(found)
    return None if value is None or value == UNTOLD else value
