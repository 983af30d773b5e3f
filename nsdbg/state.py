"""Program states as data: values, frames, states, traces and the actions between them.

Not living objects: everything here was taken from a run, or is claimed of one, and holds only
text and numbers.  The vocabulary is that of pdb and bdb.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Event(Enum):
    """Why execution stopped: the four events of `sys.settrace` and `bdb`.

    A `yield` arrives as RETURN and a resumed generator as CALL, as CPython reports them.
    """

    CALL = "call"
    LINE = "line"
    RETURN = "return"
    EXCEPTION = "exception"


@dataclass(frozen=True, slots=True)
class Value:
    """A value as it was seen: its bounded `repr` and the name of its type.

    `literal`: `ast.literal_eval(repr)` gives back the same type and the same repr, so that the
    text stands for the value.  `truncated`: the repr was cut, so it stands for nothing.
    """

    repr: str
    type: str
    literal: bool = False
    truncated: bool = False

    def __post_init__(self) -> None:
        if self.literal and self.truncated:
            raise ValueError(f"a truncated repr cannot be a literal: {self.repr[:40]!r}")


@dataclass(frozen=True, slots=True)
class Frame:
    """One activation of a function.

    `lineno` counts from 1.  `locals` is None when they were not recorded, and empty when they
    were recorded and there are none.  `function` is the name as a traceback prints it.
    """

    file: str
    lineno: int
    function: str
    locals: tuple[tuple[str, Value], ...] | None = None

    def local(self, name: str) -> Value | None:
        """Return the value of a local, or None when it is unbound or not recorded."""
        return next((value for bound, value in self.locals or () if bound == name), None)


@dataclass(frozen=True, slots=True)
class State:
    """Where a program stands: the event, the stack (oldest frame first) and what goes with it.

    `arg` is the return value (RETURN) or the exception (EXCEPTION; its `repr` is the message and
    its `type` the exception's name).  `output` is what the program printed since the state before.
    """

    event: Event
    stack: tuple[Frame, ...]
    arg: Value | None = None
    output: str = ""

    def __post_init__(self) -> None:
        if not self.stack:
            raise ValueError("a state has at least one frame")

    @property
    def frame(self) -> Frame:
        """The innermost frame."""
        return self.stack[-1]


@dataclass(frozen=True, slots=True)
class Trace:
    """Every state of one run, in order.  `complete` is False when a limit cut the recording.

    `activations` numbers the living frame in which each state's innermost frame lay (a generator
    keeps its number when it is resumed); it is empty when they were not recorded.  `generators`
    are the numbers of generators and coroutines.  `internal` are the indexes of those exception
    states that have no traceback: the StopIteration by which a subiterator ends.
    """

    states: tuple[State, ...]
    complete: bool = True
    activations: tuple[int, ...] = ()
    generators: frozenset[int] = frozenset()
    internal: frozenset[int] = frozenset()

    def __post_init__(self) -> None:
        if self.activations and len(self.activations) != len(self.states):
            raise ValueError(
                f"{len(self.states)} states have {len(self.activations)} activation numbers"
            )


class ActionKind(Enum):
    """A debugger's command, as pdb names it."""

    STEP = "step"
    NEXT = "next"
    RETURN = "return"
    UNTIL = "until"
    CONTINUE = "continue"


@dataclass(frozen=True, slots=True)
class Action:
    """A command and, for `until` and `continue`, the line it goes to.

    `inverse` asks for the state from which the command leads here.
    """

    kind: ActionKind
    lineno: int | None = None
    inverse: bool = False

    def __post_init__(self) -> None:
        needs_line = self.kind in (ActionKind.UNTIL, ActionKind.CONTINUE)
        if needs_line != (self.lineno is not None):
            raise ValueError(f"{self.kind.value} {'needs' if needs_line else 'takes no'} line")

    def __str__(self) -> str:
        text = self.kind.value if self.lineno is None else f"{self.kind.value}:{self.lineno}"
        return f"inverse {text}" if self.inverse else text
