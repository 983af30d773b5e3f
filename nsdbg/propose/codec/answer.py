"""What a model answers: an event, a line, and what changes, as expressions over the known state.

    <at-line> L5 <do> total = total + price ; <end>
    <at-line> <if> n > 3 ; L6 L8 <end>
    <at-line> <each> i , c in enumerate ( s ) ; L3 <leave> <end>
    <at-return> L8 <arg> out [ : : - 1 ] ; <end>
    <follow> <end>

`<up>` in front says that the innermost frame is left; `<leave>` in a line's place is the end of
the function, `<raise>` an exception at the line at hand.  `<follow>` leaves it to the program's
own text (see `following`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from nsdbg.propose.codec.vocabulary import END, IDS, is_line
from nsdbg.state import Event

LEAVE, RAISE = IDS["<leave>"], IDS["<raise>"]
_UP, _UNWIND, _ARG, _STOP = IDS["<up>"], IDS["<unwind>"], IDS["<arg>"], IDS[";"]
_FOLLOW = IDS["<follow>"]
_EVENTS = {IDS[f"<at-{event.value}>"]: event for event in Event}
_EVENT_IDS = {event: token for token, event in _EVENTS.items()}


class ChangeKind(Enum):
    """What a part of an answer does: a statement, a name that goes, a text that is printed."""

    DO = "<do>"
    DELETE = "<del>"
    PRINT = "<print>"


_KINDS = {IDS[kind.value]: kind for kind in ChangeKind}


class GuardKind(Enum):
    """What decides between two lines: a condition, or whether a loop has another item."""

    IF = "<if>"
    EACH = "<each>"


_GUARDS = {IDS[kind.value]: kind for kind in GuardKind}

Tokens = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Guard:
    """A choice between two lines, given as tokens (a line, LEAVE or RAISE)."""

    kind: GuardKind
    test: Tokens
    then: int
    otherwise: int


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer read; everything in it is tokens still.  `line` None stands for a guard.

    `unwind`: the exception at hand leaves the frame, which is a return without a value.
    `follow`: whatever the program's own text says; nothing else counts then.
    """

    event: Event
    line: int | None = None
    guard: Guard | None = None
    arg: Tokens | None = None
    changes: tuple[tuple[ChangeKind, Tokens], ...] = ()
    up: bool = False
    unwind: bool = False
    follow: bool = False


FOLLOW = Answer(Event.LINE, follow=True)


def write(answer: Answer) -> list[int]:
    """Return an answer's tokens, END included."""
    if answer.follow:
        return [_FOLLOW, END]
    written = [_UP] if answer.up else []
    if answer.unwind:
        return [*written, _UNWIND, END]
    written.append(_EVENT_IDS[answer.event])
    if answer.guard is not None:
        guard = answer.guard
        written += (IDS[guard.kind.value], *guard.test, _STOP, guard.then, guard.otherwise)
    elif answer.line is not None:
        written.append(answer.line)
    if answer.arg is not None:
        written += (_ARG, *answer.arg, _STOP)
    for kind, tokens in answer.changes:
        written += (IDS[kind.value], *tokens, _STOP)
    return [*written, END]


def read(tokens: Sequence[int]) -> Answer | None:
    """Return the answer that tokens spell, or None when they spell none."""
    try:
        return _Reading(tokens).answer()
    except (_Garbage, IndexError):
        return None


class _Garbage(Exception):
    """Tokens that are no answer."""


class _Reading:
    def __init__(self, tokens: Sequence[int]) -> None:
        if END not in tokens:
            raise _Garbage
        self._tokens = list(tokens[: list(tokens).index(END) + 1])
        self._at = 0

    def _take(self) -> int:
        self._at += 1
        return self._tokens[self._at - 1]

    def _next_is(self, token: int) -> bool:
        return self._tokens[self._at] == token

    def _until_stop(self) -> Tokens:
        end = self._tokens.index(_STOP, self._at) if _STOP in self._tokens[self._at :] else -1
        if end <= self._at:
            raise _Garbage
        found = tuple(self._tokens[self._at : end])
        self._at = end + 1
        return found

    def answer(self) -> Answer:
        if self._next_is(_FOLLOW):
            self._at += 1
            self._ends()
            return FOLLOW
        up = self._next_is(_UP)
        self._at += up
        first = self._take()
        if first == _UNWIND:
            self._ends()
            return Answer(Event.RETURN, up=up, unwind=True)
        if first not in _EVENTS:
            raise _Garbage
        line, guard = self._where()
        arg = None
        if self._next_is(_ARG):
            self._at += 1
            arg = self._until_stop()
        changes = tuple(self._changes())
        self._ends()
        return Answer(_EVENTS[first], line, guard, arg, changes, up)

    def _ends(self) -> None:
        if self._take() != END:
            raise _Garbage

    def _where(self) -> tuple[int | None, Guard | None]:
        kind = _GUARDS.get(self._tokens[self._at])
        if kind is None:
            return self._line(), None
        self._at += 1
        test = self._until_stop()
        return None, Guard(kind, test, self._line(), self._line())

    def _line(self) -> int:
        token = self._take()
        if not is_line(token) and token not in (LEAVE, RAISE):
            raise _Garbage
        return token

    def _changes(self) -> Iterator[tuple[ChangeKind, Tokens]]:
        while (kind := _KINDS.get(self._tokens[self._at])) is not None:
            self._at += 1
            yield kind, self._until_stop()
