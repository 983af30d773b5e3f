"""STATE, as users write it: a JSON object with Python literals as text.

Not a state that was seen: it may leave anything out, and what it leaves out is free.
"""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from nsdbg.errors import StateError
from nsdbg.state import Event, Frame, State, Value
from nsdbg.statefile.fields import CALLS, NAMES, Reader, check_expression, literal_problem, shown

LARGEST_STATE = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class StateClaim:
    """A STATE as it was written; None where a field was not given.

    `locals` maps names to literal text, `opaque` names to what was printed of values that no
    literal stands for.  `stack` holds the older frames, oldest first.  `remaining` maps the line of
    a `for` around the state to the items still to come.
    """

    event: Event
    file: str | None = None
    function: str | None = None
    lineno: int | None = None
    locals: tuple[tuple[str, str], ...] | None = None
    opaque: tuple[tuple[str, str], ...] = ()
    value: str | None = None
    exception: str | None = None
    message: str | None = None
    message_prefix: bool = False
    opaque_value: str | None = None
    where: tuple[str, ...] = ()
    stack: tuple[Frame, ...] = ()
    output: str | None = None
    remaining: tuple[tuple[int, str], ...] = ()


_FIELDS = (
    "event", "file", "function", "lineno", "locals", "opaque", "value", "exception", "message",
    "message_prefix", "opaque_value", "where", "stack", "output", "remaining",
)  # fmt: skip
_EXAMPLE = 'JSON such as {"event": "return", "value": "3"}'
_FRAME_FIELDS = ("file", "function", "lineno", "locals", "opaque")


def read_state_text(argument: str) -> str:
    """Return the JSON of a STATE that is given inline, as a path, or as `-` for standard input.

    Raises StateError when it cannot be read.
    """
    if argument == "-":
        return sys.stdin.read(LARGEST_STATE + 1)
    if argument.lstrip().startswith(("{", "[")):
        return argument
    try:
        with Path(argument).open(encoding="utf-8") as file:
            return file.read(LARGEST_STATE + 1)
    except (OSError, ValueError) as error:
        raise StateError(
            f"cannot read a state from {shown(argument)}: "
            f"{getattr(error, 'strerror', None) or error}; give {_EXAMPLE}, a path, or - for stdin"
        ) from error


def parse_state(text: str, place: str = "the state") -> StateClaim:
    """Read a STATE from its JSON text; raises StateError that names the field at fault."""
    if len(text) > LARGEST_STATE:
        raise StateError(f"{place} is larger than {LARGEST_STATE // 1024**2} MB")
    if not text.strip():
        raise StateError(f"{place} is empty; give {_EXAMPLE} with --state")
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise StateError(f"{place} is not JSON: {error}; it begins {shown(text[:40])}") from error
    return claim_from(fields, place)


def claim_from(fields: object, place: str = "the state") -> StateClaim:
    """Read a STATE from its decoded JSON; raises StateError that names the field at fault."""
    reader = Reader(fields, _FIELDS, place)
    claim = StateClaim(
        event=_event(reader),
        file=reader.text("file"),
        function=reader.text("function"),
        lineno=reader.number("lineno"),
        locals=reader.literals("locals"),
        opaque=reader.pairs("opaque") or (),
        value=reader.literal("value"),
        exception=reader.text("exception"),
        message=reader.text("message"),
        message_prefix=reader.flag("message_prefix"),
        opaque_value=reader.text("opaque_value"),
        where=reader.texts("where"),
        stack=_older_frames(reader),
        output=reader.text("output"),
        remaining=_remaining(reader),
    )
    _check(claim, reader)
    return claim


def _event(reader: Reader) -> Event:
    """Return the event, or the one that the other fields imply."""
    text = reader.text("event")
    if text is None:
        if "value" in reader.fields:
            return Event.RETURN
        if "exception" in reader.fields:
            return Event.EXCEPTION
        if "lineno" in reader.fields:
            return Event.LINE
        raise StateError(f"{reader.place} names no event: {', '.join(e.value for e in Event)}")
    try:
        return Event(text)
    except ValueError:
        raise reader.fail("event", f"one of {', '.join(e.value for e in Event)}") from None


def _check(claim: StateClaim, reader: Reader) -> None:
    event = claim.event.value
    if claim.value is not None:
        reader.check_literal("value", claim.value)
        if claim.event is not Event.RETURN:
            raise StateError(f"{reader.place}: 'value' goes with event 'return', not {event!r}")
    if (claim.exception or claim.message) and claim.event is not Event.EXCEPTION:
        raise StateError(f"{reader.place}: 'exception' goes with event 'exception', not {event!r}")
    if claim.message is not None and claim.exception is None:
        raise StateError(f"{reader.place}: 'message' needs its 'exception', such as \"KeyError\"")
    if claim.event is Event.LINE and claim.lineno is None:
        raise StateError(f"{reader.place}: event 'line' needs a 'lineno'")
    for text in claim.where:
        check_expression(text, reader.place)


def _older_frames(reader: Reader) -> tuple[Frame, ...]:
    entries = reader.fields.get("stack", [])
    if not isinstance(entries, list):
        raise reader.fail("stack", "a list of older frames, oldest first")
    return tuple(
        _frame(Reader(entry, _FRAME_FIELDS, f"{reader.place}, stack[{place}]"))
        for place, entry in enumerate(entries)
    )


def _frame(reader: Reader) -> Frame:
    file, function, lineno = reader.text("file"), reader.text("function"), reader.number("lineno")
    if file is None or function is None or lineno is None:
        raise StateError(f"{reader.place} needs 'file', 'function' and 'lineno'")
    names = reader.literals("locals")
    bound = None if names is None else bound_values(names, reader.pairs("opaque") or ())
    return Frame(file, lineno, function, bound)


def _remaining(reader: Reader) -> tuple[tuple[int, str], ...]:
    found = []
    for key, text in reader.literals("remaining") or ():
        if not key.isdecimal():
            raise StateError(f"{reader.place}: remaining[{key!r}] is named by the line of its for")
        if not text.strip().startswith("["):
            raise StateError(f"{reader.place}: remaining[{key!r}] is a list, not {shown(text)}")
        found.append((int(key), text))
    return tuple(found)


def value_of(text: str) -> Value:
    """Return the Value that a literal stands for, spelt as its repr."""
    try:
        found = ast.literal_eval(text.strip())
        spelt = repr(found)
        if ast.literal_eval(spelt) == found and type(found) is not type(...):
            return Value(spelt, type(found).__name__, literal=True)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        pass
    head = text.strip().lstrip("+-").partition("(")[0]
    return Value(text.strip(), NAMES.get(head, head if head in CALLS else "object"))


def bound_values(
    names: Iterable[tuple[str, str]], opaque: Iterable[tuple[str, str]]
) -> tuple[tuple[str, Value], ...]:
    """Return locals as a Frame holds them."""
    bound = [(name, value_of(text)) for name, text in names]
    bound += [(name, Value(text, "object")) for name, text in opaque]
    return tuple(bound)


def state_to_json(state: State, *, root: Path | None = None) -> dict[str, object]:
    """Return a state as the JSON object that `parse_state` reads, files relative to `root`.

    Values that no literal stands for are listed under `opaque`, as they were printed.
    """
    fields: dict[str, object] = {"event": state.event.value, **_frame_to_json(state.frame, root)}
    if state.event is Event.RETURN and state.arg is not None:
        fields["value" if _is_spelt(state.arg) else "opaque_value"] = state.arg.repr
    if state.event is Event.EXCEPTION and state.arg is not None:
        fields |= {"exception": state.arg.type, "message": state.arg.repr}
    if len(state.stack) > 1:
        fields["stack"] = [_frame_to_json(frame, root) for frame in state.stack[:-1]]
    if state.output:
        fields["output"] = state.output
    return fields


def _frame_to_json(frame: Frame, root: Path | None) -> dict[str, object]:
    file = Path(frame.file)
    if root is not None and file.is_relative_to(root):
        file = file.relative_to(root)
    fields: dict[str, object] = {
        "file": str(file), "function": frame.function, "lineno": frame.lineno
    }  # fmt: skip
    if frame.locals is not None:
        fields["locals"] = {name: v.repr for name, v in frame.locals if _is_spelt(v)}
        opaque = {name: v.repr for name, v in frame.locals if not _is_spelt(v)}
        fields |= {"opaque": opaque} if opaque else {}
    return fields


def _is_spelt(value: Value) -> bool:
    return value.literal or (not value.truncated and value.type in {"float", *CALLS}
                             and literal_problem(value.repr) is None)  # fmt: skip
