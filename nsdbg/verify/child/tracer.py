"""The one trace function: lines, arcs and path of the target's own files, and visits to watch.

Records numbers only, and works them out after the run.  It sees the thread that it was started
in; what a target starts in other threads leaves no trace.  Arcs are as coverage.py has them: a
function is entered from, and left to, the negative of its first line.
"""

from __future__ import annotations  # of closures, which would be evaluated each time

import sys
from errno import EAGAIN, EMFILE, ENOMEM
from sys import gettrace, settrace
from types import CodeType, FrameType
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Set, Tuple

from .bytecode import is_generator_code, is_resumed, is_return, is_yield

MAX_PATH, MAX_BATCH_PATH = 10000, 1000
# So many records are kept before they are worked out, which bounds the memory of a long loop.
FOLD_AT = 100000
SHALLOW_DEPTH = 150

# What is known of a code object: flags that go together.
IGNORED, OWN, WATCHED, SUSPENDS = 0, 1, 2, 4
# Marks in the records, beside line numbers and calls: a frame that is left, and one that yields.
_LEAVES, _YIELDS = None, False

# What exceptions begin with that come of a limit: no more threads, files, processes, memory.
_STARVING = (("can't start new thread",), (EMFILE,), (EAGAIN,), (ENOMEM,))

Visit = Callable[[FrameType, str, Any], None]
TraceFunction = Callable[[FrameType, str, Any], Any]


class CodeKinds:
    """Which code objects are the target's own, and which are watched.

    Kept by identity: hashing a code object hashes its constants, at each call.
    """

    def __init__(
        self, own: Callable[[str], bool], watched: Optional[Callable[[CodeType], bool]] = None
    ) -> None:
        self._own = own
        self._watched = watched
        # The code object is kept too: its identity may be used again once it is gone.
        self.known: Dict[int, Tuple[int, CodeType]] = {}

    def kind(self, code: CodeType) -> int:
        """Return IGNORED, or OWN with WATCHED and SUSPENDS where they hold."""
        known = self.known.get(id(code))
        if known is None:
            kind = IGNORED
            if self._own(code.co_filename):
                kind = OWN
                if self._watched is not None and self._watched(code):
                    kind |= WATCHED
                if is_generator_code(code):
                    kind |= SUSPENDS
            known = self.known[id(code)] = (kind, code)
        return known[0]


class Covered(NamedTuple):
    """Lines and arcs executed in one file."""

    lines: Set[int]
    arcs: Set[Tuple[int, int]]


class Tracer:
    """Traces one run at a time; `begin` and `end` around it, then `finish`.

    `visit` is called at each event named `wanted` of watched code, after it was recorded; `state`
    at every event of own code, when all states are wanted.  A return event that stands for an
    exception leaving the frame is passed on as "unwind".  With `shallow`, tracing ends at the first
    call of own code deep in the stack, which `let_go` tells.
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
        self._records: List[Any] = []
        self.shallow = False
        self.max_path = MAX_PATH
        self._reset()
        self._enter = self._make()

    def _reset(self) -> None:
        del self._records[:]
        self._stack: List[Tuple[CodeType, int]] = []
        self._raised_at: Tuple[Optional[FrameType], int] = (None, 0)
        self.covered: Dict[str, Covered] = {}
        self.path: List[Tuple[CodeType, int]] = []
        self.lost = False
        self.recursed = False
        self.starved = False
        self.let_go = False

    def begin(self) -> None:
        """Forget the run before, and trace from the next call on."""
        self._reset()
        settrace(self._enter)

    def end(self) -> None:
        """Stop tracing.  `lost` is set when somebody else had taken or emptied the slot."""
        self.lost = gettrace() is not self._enter and not self.let_go
        settrace(None)

    def finish(self) -> None:
        """Work out what was recorded: `covered` by file, and `path`."""
        self._fold()
        self._raised_at = (None, 0)

    def _make(self) -> TraceFunction:
        """Return the global trace function: closures, since each event pays for its look-ups."""
        records, kind_of = self._records, self._kinds.kind
        append, known = records.append, self._kinds.known
        notify, closely = self._notify, self._state is not None
        calls = self._wanted == "call" or closely
        follow, watch = self._make_follow(), self._make_watch()

        def enter(frame: FrameType, event: str, arg: Any) -> Optional[TraceFunction]:
            code = frame.f_code
            found = known.get(id(code))
            kind = found[0] if found is not None else kind_of(code)
            if kind == IGNORED:
                return None
            if self.shallow and self._is_deep():
                return None
            resumed = kind & SUSPENDS and is_resumed(frame)
            append((code, frame.f_lineno if resumed else 0))
            if kind == OWN and not closely:
                return follow
            if calls:
                notify(frame, event, arg)
            return watch

        return enter

    def _make_follow(self) -> TraceFunction:
        """Return the trace function for plain code of which nothing else is wanted."""
        records, fold = self._records, self._fold
        append = records.append

        def follow(frame: FrameType, event: str, arg: Any) -> TraceFunction:
            if event == "line":
                append(frame.f_lineno)
                if len(records) > FOLD_AT:
                    fold()
            elif event == "return":
                append(_LEAVES)
            else:
                self._note(arg)
            return follow

        return follow

    def _make_watch(self) -> TraceFunction:
        """Return the trace function for code that is watched, or can be suspended."""
        records, fold, notify = self._records, self._fold, self._notify
        append, wanted, closely = records.append, self._wanted, self._state is not None

        def watch(frame: FrameType, event: str, arg: Any) -> TraceFunction:
            if event == "line":
                append(frame.f_lineno)
                if len(records) > FOLD_AT:
                    fold()
            elif event == "return":
                yields = is_generator_code(frame.f_code) and is_yield(frame)
                append(_YIELDS if yields else _LEAVES)
            elif event == "exception":
                self._raised_at = (frame, len(records))
                self._note(arg)
            if event == wanted or closely:
                notify(frame, event, arg)
            return watch

        return watch

    def _note(self, arg: Any) -> None:
        """Note an exception that tells of a limit: of recursion, which we shift, or a guard's."""
        if arg[0] is RecursionError:
            self.recursed = True
        elif arg[0] is MemoryError:
            self.starved = True
        elif arg[0] is RuntimeError or arg[0] is OSError:
            given = getattr(arg[1], "args", ())[:1]
            self.starved = self.starved or given in _STARVING

    def _is_deep(self) -> bool:
        """Stop tracing for good once the stack is so deep that it may meet the recursion limit.

        At the limit the tracer's own frames would be the ones too many.
        """
        depth, frame = 0, sys._getframe(2)
        above = frame.f_back
        while above is not None and depth < SHALLOW_DEPTH:
            depth, above = depth + 1, above.f_back
        if depth < SHALLOW_DEPTH:
            return False
        self.let_go = True
        settrace(None)
        return True

    def _notify(self, frame: FrameType, event: str, arg: Any) -> None:
        if event == "return" and self._unwinds(frame, arg):
            event = "unwind"
        watched = self._kinds.kind(frame.f_code) & WATCHED
        if watched and event == self._wanted and self._visit is not None:
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

    def _fold(self) -> None:
        """Turn records into lines, arcs and path; frames that are still open stay on the stack."""
        stack, path = self._stack, self.path
        room = self.max_path - len(path)
        code, here = stack.pop() if stack else (None, 0)
        lines, arcs = self._file(code)
        for record in self._records:
            if type(record) is int:
                lines.add(record)
                arcs.add((here, record))
                here = record
                if room > 0 and code is not None:
                    path.append((code, here))
                    room -= 1
                continue
            if type(record) is tuple:
                if code is not None:
                    stack.append((code, here))
                code, resumed_at = record
                here = resumed_at or -code.co_firstlineno
            else:
                if code is not None and record is _LEAVES:
                    arcs.add((here, -code.co_firstlineno))
                code, here = stack.pop() if stack else (None, 0)
            lines, arcs = self._file(code)
        if code is not None:
            stack.append((code, here))
        del self._records[:]

    def _file(self, code: Optional[CodeType]) -> Covered:
        if code is None:
            return Covered(set(), set())  # of frames entered before: kept by nobody
        covered = self.covered.get(code.co_filename)
        if covered is None:
            covered = self.covered[code.co_filename] = Covered(set(), set())
        return covered
