"""States as tokens: the event, the line, the loops and the locals, as a model reads them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from functools import lru_cache

from nsdbg.propose.codec import spelling
from nsdbg.propose.codec.situation import Loops, Situation
from nsdbg.propose.codec.spelling import Slots
from nsdbg.propose.codec.view import View
from nsdbg.propose.codec.vocabulary import IDS, OPERATOR
from nsdbg.state import Action, ActionKind, Event, Frame, Value

LONGEST_VALUE = 44  # tokens of a value in a prompt
_MOST_LOCALS = 24
_EQUALS, _STOP, _CUT = OPERATOR["="], IDS[";"], IDS["<cut>"]


def value_tokens(value: Value, slots: Slots, longest: int = LONGEST_VALUE) -> list[int]:
    """Return a value as tokens, cut where it is long; an object without text is its type."""
    whole = None if value.truncated and not value.repr else whole_value(value, slots)
    if whole is None:
        return [IDS["<obj>"], *type_tokens(value.type, slots)]
    if len(whole) > longest:
        return [*whole[: longest - 1], _CUT]
    return whole


def whole_value(value: Value, slots: Slots) -> list[int] | None:
    """Return a value that is Python text as tokens, else None."""
    if value.truncated:
        return None
    if value.literal:
        spelled = _literal(value.repr)
        return list(spelled) or None
    try:
        ast.parse(value.repr, mode="eval")
        return spelling.spell(value.repr, slots) or None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


@lru_cache(maxsize=4096)
def _literal(text: str) -> tuple[int, ...]:
    """Return a literal's tokens, which has no names and so no slots; none for no Python text."""
    try:
        return tuple(spelling.spell(text, Slots()))
    except ValueError:
        return ()


def type_tokens(name: str, slots: Slots) -> list[int]:
    """Return a type's name as tokens: its last part."""
    last = name.rpartition(".")[2]
    return slots.name(last) if last.isidentifier() else slots.name("object")


def locals_tokens(
    pairs: Iterable[tuple[str, Value]], slots: Slots, longest: int = LONGEST_VALUE
) -> list[int]:
    """Return locals as tokens, each `name = value ;`."""
    written: list[int] = []
    for name, value in list(pairs)[:_MOST_LOCALS]:
        if name.isidentifier():
            written += (*slots.name(name), _EQUALS, *value_tokens(value, slots, longest), _STOP)
    return written


def loops_tokens(view: View, frame: Frame, loops: Loops) -> list[int]:
    """Return the loops around a line as tokens: each header and the items it has taken."""
    written: list[int] = []
    for lineno, count in loops:
        token = view.line(frame.file, lineno)
        if token is not None:
            written += (IDS["<loop>"], token, *spelling.characters(str(count)))
    return written


def place_tokens(view: View, frame: Frame) -> list[int]:
    """Return where a frame stands as tokens: its line and that line's source."""
    token = view.line(frame.file, frame.lineno)
    return [] if token is None else [token, *view.source(frame.file, frame.lineno)]


def frame_tokens(
    view: View, frame: Frame, loops: Loops, hidden: frozenset[str] = frozenset()
) -> list[int]:
    """Return a frame as tokens: its loops, and its locals but the hidden ones."""
    pairs = [pair for pair in frame.locals or () if pair[0] not in hidden]
    return [*loops_tokens(view, frame, loops), *locals_tokens(pairs, view.slots)]


def state_tokens(
    view: View, situation: Situation, hidden: frozenset[str] = frozenset()
) -> list[int]:
    """Return a state as tokens; where a frame is about to be left, the caller's as well."""
    state = situation.state
    written = [IDS["<state>"], IDS[f"<at-{state.event.value}>"]]
    written += frame_tokens(view, state.frame, situation.here, hidden)
    if state.event is Event.EXCEPTION and state.arg is not None:
        message = spelling.string(state.arg.repr[:LONGEST_VALUE])
        written += (IDS["<arg>"], *type_tokens(state.arg.type, view.slots), *message)
    elif state.arg is not None:
        written += (IDS["<arg>"], *value_tokens(state.arg, view.slots))
    # The line comes last, next to what is asked about it.
    written += place_tokens(view, state.frame)
    if state.event is Event.RETURN and len(state.stack) > 1:
        loops = situation.loops[-2] if len(situation.loops) == len(state.stack) else ()
        caller = state.stack[-2]
        written += (IDS["<caller>"], *frame_tokens(view, caller, loops))
        written += place_tokens(view, caller)
    return [*written, IDS["</state>"]]


def action_tokens(view: View, action: Action, frame: Frame) -> list[int]:
    """Return a debugger's command as tokens."""
    written = [IDS[f"<{action.kind.value}>"]]
    if action.kind in (ActionKind.UNTIL, ActionKind.CONTINUE) and action.lineno is not None:
        token = view.line(frame.file, action.lineno)
        written += [] if token is None else [token]
    return written


def question_tokens(view: View, mark: str, situation: Situation) -> list[int]:
    """Return what a question about a command begins with: the source and the state, as tokens."""
    frame = situation.state.frame
    return [
        *view.tokens(frame.file, frame.lineno),
        IDS[mark],
        *state_tokens(view, situation),
    ]


def changed_tokens(view: View, before: Mapping[str, Value], after: Frame) -> list[int]:
    """Return the locals that differ from those before, as tokens."""
    pairs = [pair for pair in after.locals or () if before.get(pair[0]) != pair[1]]
    return locals_tokens(pairs, view.slots)
