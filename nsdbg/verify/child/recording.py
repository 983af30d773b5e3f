"""A whole run as states, for walks over it: every event of the target's own frames, within limits.

The wire: `{"codes": [[file, function]], "values": [[repr, type, literal, truncated]], "states":
[[event, [code, lineno, ...], [name, value, ...], arg or None, output, activation]], "complete":
bool, "generators": [activation], "internal": [index]}`, codes and values by their places in the
tables.  Only the innermost frame of a state has its locals.
"""

from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Set, Tuple

from .bytecode import is_generator_code, is_resumed, is_yield
from .limits import ALARM
from .states import code_name, describe_exception, stack_of, variables
from .values import MAX_CHARS, Snapshot, snapshot

if TYPE_CHECKING:
    from typing import Protocol

    class Printed(Protocol):
        """Where the program prints."""

        def take(self) -> str:
            """Return what was printed since the last call."""


MAX_STATES = 20000
MAX_TRACE_CHARS = 8 << 20
# What a run may go on for when nothing of it is recorded any more.
AFTERWARDS_S = 0.1
_INDEX_CHARS = 8


class Recording:
    """The states of one run; `state` is told of each event by the tracer.

    `chars` is the most that is kept of one value.
    """

    def __init__(
        self, own: Callable[[str], bool], streams: "Printed", chars: int = MAX_CHARS
    ) -> None:
        self._own = own
        self._streams = streams
        self._chars = chars
        self.output: List[str] = []
        self.begin(None)

    def begin(self, base: Optional[FrameType]) -> None:
        """Forget the run before.  `base` is our own frame that calls the entry."""
        self._base = base
        self._codes: Dict[int, Tuple[int, CodeType]] = {}
        self._values: Dict[Snapshot, int] = {}
        self._states: List[List[Any]] = []
        self._living: Dict[int, int] = {}
        self._activations = 0
        self._generators: Set[int] = set()
        self._internal: List[int] = []
        self._left = MAX_TRACE_CHARS
        self.complete = True
        self.output = []

    @property
    def depth(self) -> int:
        """How many own frames the last state has."""
        return len(self._states[-1][1]) // 2 if self._states else 0

    @property
    def codes(self) -> List[CodeType]:
        """The code of the frames, by its place in the table."""
        return [code for _, code in self._codes.values()]

    def resume(self, base: Optional[FrameType]) -> None:
        """Go on where the entry is a generator that another frame calls now."""
        self._base = base

    def state(self, frame: FrameType, event: str, arg: Any) -> None:
        """Record the state at an event."""
        if self._base is None or not self.complete:
            return
        if len(self._states) >= MAX_STATES or self._left <= 0:
            # A command is judged by what was recorded up to where it stops: the rest may end.
            self.complete = False
            ALARM.hasten(AFTERWARDS_S)
            return
        stack: List[int] = []
        for here, lineno in stack_of(frame, self._base, self._own):
            stack += (self._code(here.f_code), lineno)
        names: List[Any] = []
        for name, value in variables(frame):
            names += (name, self._value(snapshot(value, min(self._chars, max(self._left, 16)))))
        printed = self._streams.take()
        self.output.append(printed)
        if event == "exception" and arg[2] is None:
            self._internal.append(len(self._states))
        activation = self._activation(frame, event)
        # An exception that leaves the frame is a return event without a value.
        name = "return" if event == "unwind" else event
        self._states.append([name, stack, names, self._arg(event, arg), printed, activation])
        self._left -= _INDEX_CHARS * (len(stack) + len(names)) + len(printed)

    def _activation(self, frame: FrameType, event: str) -> int:
        """Return the number of a living frame; a generator keeps it while it is suspended."""
        suspends = is_generator_code(frame.f_code)
        number = self._living.get(id(frame))
        if number is None or (event == "call" and not (suspends and is_resumed(frame))):
            number = self._living[id(frame)] = self._activations
            self._activations += 1
            if suspends:
                self._generators.add(number)
        if event == "unwind" or (event == "return" and not (suspends and is_yield(frame))):
            del self._living[id(frame)]  # another frame may come to lie at this address
        return number

    def _arg(self, event: str, arg: Any) -> Optional[int]:
        if event == "return":
            return self._value(snapshot(arg, self._chars))
        if event == "exception":
            taken = describe_exception(arg[0], arg[1])
            if len(taken.repr) > self._chars:
                taken = taken._replace(repr=taken.repr[: self._chars], truncated=True)
            return self._value(taken)
        return None

    def _code(self, code: CodeType) -> int:
        known = self._codes.get(id(code))
        if known is None:
            known = self._codes[id(code)] = (len(self._codes), code)
        return known[0]

    def _value(self, taken: Snapshot) -> int:
        place = self._values.get(taken)
        if place is None:
            place = self._values[taken] = len(self._values)
            self._left -= len(taken.repr)
        return place

    def wire(self) -> Dict[str, Any]:
        """Return the recorded states."""
        return {
            "codes": [code_name(code) for _, code in self._codes.values()],
            "values": list(self._values),
            "states": self._states,
            "complete": self.complete,
            "generators": sorted(self._generators),
            "internal": self._internal,
        }
