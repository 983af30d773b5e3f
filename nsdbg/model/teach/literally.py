"""The answer that spells what was seen: the event, the line, and the changed values as literals."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from nsdbg.propose.codec import spelling
from nsdbg.propose.codec.alike import same_value
from nsdbg.propose.codec.answer import Answer, ChangeKind, Tokens
from nsdbg.propose.codec.plain import Change, setting
from nsdbg.propose.codec.states import type_tokens, whole_value
from nsdbg.propose.codec.view import View
from nsdbg.propose.codec.vocabulary import IDS, OPERATOR
from nsdbg.state import Event, Frame, State, Value

LONGEST = 40  # tokens of a value that is worth spelling


def spelled(view: View, value: Value) -> Tokens | None:
    """Return a value as an answer spells it: its text, else its type; None when it is long."""
    whole = whole_value(value, view.slots)
    if whole is None and not value.literal:
        return (IDS["<obj>"], *type_tokens(value.type, view.slots))
    return tuple(whole) if whole is not None and len(whole) <= LONGEST else None


def changed(view: View, before: Frame | None, after: Frame) -> tuple[Change, ...] | None:
    """Return the changes from one frame's locals to another's, or None when one is too long."""
    old: Mapping[str, Value] = dict(before.locals or ()) if before is not None else {}
    new = dict(after.locals or ())
    found: list[Change] = []
    for name, value in new.items():
        if name in old and same_value(old[name], value):
            continue
        tokens = spelled(view, value)
        if tokens is None or not name.isidentifier():
            return None
        found.append(setting(view, name, tokens))
    gone = [(ChangeKind.DELETE, tuple(view.slots.name(name))) for name in old if name not in new]
    return (*found, *gone)


def literal_answer(
    view: View, before: Frame, after: State, *, up: bool = False, unwind: bool = False
) -> Answer | None:
    """Return the answer that spells a state, or None when something of it cannot be spelled."""
    if unwind:
        return Answer(Event.RETURN, up=up, unwind=True)
    token = view.line(after.frame.file, after.frame.lineno)
    changes = changed(view, before, after.frame)
    if token is None or changes is None:
        return None
    if after.output:
        # `print` ends the line itself.
        if not after.output.endswith("\n") or len(after.output) > LONGEST:
            return None
        changes = (*changes, (ChangeKind.PRINT, tuple(spelling.string(after.output[:-1]))))
    arg: Tokens | None = None
    if after.event is Event.EXCEPTION and after.arg is not None:
        arg = _exception(view, after.arg)
    elif after.event is Event.RETURN and after.arg is not None:
        arg = spelled(view, after.arg)
        if arg is None:
            return None
    return Answer(after.event, token, arg=arg, changes=changes, up=up)


def _exception(view: View, value: Value) -> Tokens:
    kind = type_tokens(value.type, view.slots)
    if not value.repr or len(value.repr) > LONGEST:
        return (*kind, OPERATOR["("], OPERATOR[")"])
    message = spelling.string(value.repr)
    if value.type == "KeyError":
        with suppress(ValueError):
            message = spelling.spell(value.repr, view.slots)
    return (*kind, OPERATOR["("], *message, OPERATOR[")"])
