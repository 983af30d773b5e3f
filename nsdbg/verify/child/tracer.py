"""The one trace function: lines, arcs and path of the target's own files, and visits to watch.

Records numbers only, and works them out after the run.  It sees the thread that it was started
in; what a target starts in other threads leaves no trace.  Arcs are as coverage.py has them: a
function is entered from, and left to, the negative of its first line.
"""

from sys import gettrace, settrace
from types import CodeType, FrameType
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Set, Tuple

from .bytecode import is_generator_code, is_return, is_resumed, is_yield

MAX_PATH = 10000
# So many records are kept before they are worked out, which bounds the memory of a long loop.
FOLD_AT = 100000

IGNORED, OWN, WATCHED = 0, 1, 2
# Marks in the records, beside line numbers and calls: a frame that is left, and one that yields.
_LEAVES, _YIELDS = None, False

Visit = Callable[[FrameType, str, Any], None]


class CodeKinds:
    """Which code objects are the target's own, and which are watched.

    Kept by identity: hashing a code object hashes its constants, at each call.
    """

    def __init__(
        self, own: Callable[[str], bool], watched: Optional[Callable[[CodeType], bool]] = None
    ) -> None:
        self._own = own
        self._watched = watched
        self._known: Dict[int, Tuple[int, CodeType]] = {}

    def kind(self, code: CodeType) -> int:
        """Return IGNORED, OWN or WATCHED."""
        known = self._known.get(id(code))
        if known is None:
            kind = IGNORED
            if self._own(code.co_filename):
                kind = WATCHED if self._watched is not None and self._watched(code) else OWN
            # The code object is kept too: its identity may be used again once it is gone.
            known = self._known[id(code)] = (kind, code)
        return known[0]


class Covered(NamedTuple):
    """Lines and arcs executed in one file."""

    lines: Set[int]
    arcs: Set[Tuple[int, int]]


class Tracer:
    """Traces one run at a time; `begin` and `end` around it, then `finish`.

    `visit` is called at each event named `wanted` of watched code, after it was recorded; `state`
    at every event of own code, when all states are wanted.  A return event that stands for an
    exception leaving the frame is passed on as "unwind".
    """

    def __init__(
        self,
        kinds: CodeKinds,
        wanted: str = "",
        visit: Optional[Visit] = None,
        state: Optional[Visit] = None,
    ) -> None:
        self._kinds = kinds
        self._wanted = wanted
        self._visit = visit
        self._state = state
        self._reset()
        self._enter = self._make()

    def _reset(self) -> None:
        self._records: List[Any] = []
        self._stack: List[Tuple[CodeType, int]] = []
        self._raised_at: Tuple[Optional[FrameType], int] = (None, 0)
        self.covered: Dict[str, Covered] = {}
        self.path: List[Tuple[CodeType, int]] = []
        self.lost = False

    def begin(self) -> None:
        """Forget the run before, and trace from the next call on."""
        self._reset()
        self._enter = self._make()
        settrace(self._enter)

    def end(self) -> None:
        """Stop tracing.  `lost` is set when somebody else had taken or emptied the slot."""
        self.lost = gettrace() is not self._enter
        settrace(None)

    def finish(self) -> None:
        """Work out what was recorded: `covered` by file, and `path`."""
        self._fold()
        self._raised_at = (None, 0)

    def _make(self) -> Callable[[FrameType, str, Any], Any]:
        """Return the global trace function: closures, since each event pays for its look-ups."""
        records = self._records
        append, kind_of, fold = records.append, self._kinds.kind, self._fold
        notify, wanted, leave = self._notify, self._wanted, self._leave
        closely = self._state is not None

        def follow(frame: FrameType, event: str, arg: Any) -> Any:
            if event == "line":
                append(frame.f_lineno)
                if len(records) > FOLD_AT:
                    fold()
            elif event == "return":
                append(leave(frame, arg))
            return follow

        def watch(frame: FrameType, event: str, arg: Any) -> Any:
            if event == "line":
                append(frame.f_lineno)
                if len(records) > FOLD_AT:
                    fold()
            elif event == "return":
                append(leave(frame, arg))
            elif event == "exception":
                self._raised_at = (frame, len(records))
            if event == wanted or closely:
                notify(frame, event, arg)
            return watch

        def enter(frame: FrameType, event: str, arg: Any) -> Any:
            code = frame.f_code
            kind = kind_of(code)
            if kind == IGNORED:
                return None
            generator = is_generator_code(code)
            append((code, frame.f_lineno if generator and is_resumed(frame) else 0))
            if kind == OWN and not closely:
                return follow
            if wanted == "call" or closely:
                notify(frame, event, arg)
            return watch

        return enter

    def _notify(self, frame: FrameType, event: str, arg: Any) -> None:
        if event == "return" and self._unwinds(frame, arg):
            event = "unwind"
        if (
            self._visit is not None
            and event == self._wanted
            and self._kinds.kind(frame.f_code) == WATCHED
        ):
            self._visit(frame, event, arg)
        if self._state is not None:
            self._state(frame, event, arg)

    def _unwinds(self, frame: FrameType, arg: Any) -> bool:
        """Whether a return event means that an exception leaves the frame.

        CPython sends None for it, as for a plain return; the instruction tells them apart, and for
        a generator that is closed at its yield, the exception event just before.
        """
        if arg is not None or is_return(frame):
            return False
        raised, records = self._raised_at
        # One record was added since: that of this return event.
        return not is_yield(frame) or (raised is frame and records + 1 == len(self._records))

    @staticmethod
    def _leave(frame: FrameType, arg: Any) -> Optional[bool]:
        if is_generator_code(frame.f_code) and is_yield(frame):
            return _YIELDS
        return _LEAVES

    def _fold(self) -> None:
        """Turn records into lines, arcs and path; frames that are still open stay on the stack."""
        stack = self._stack
        for record in self._records:
            if type(record) is int:
                if stack:
                    self._step(record)
            elif type(record) is tuple:
                code, resumed_at = record
                stack.append((code, resumed_at or -code.co_firstlineno))
            elif stack:
                code, previous = stack.pop()
                if record is _LEAVES:
                    self._file(code).arcs.add((previous, -code.co_firstlineno))
        del self._records[:]

    def _step(self, line: int) -> None:
        code, previous = self._stack[-1]
        covered = self._file(code)
        covered.lines.add(line)
        covered.arcs.add((previous, line))
        self._stack[-1] = (code, line)
        if len(self.path) < MAX_PATH:
            self.path.append((code, line))

    def _file(self, code: CodeType) -> Covered:
        covered = self.covered.get(code.co_filename)
        if covered is None:
            covered = self.covered[code.co_filename] = Covered(set(), set())
        return covered
