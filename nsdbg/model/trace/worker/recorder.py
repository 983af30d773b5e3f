"""Records activations of functions while other code runs: doctests, tests, calls.

A root is a call, from code that is not being recorded, of a function in the wanted files.  All
events of wanted code below it are recorded; libraries are stepped over.  Of one function few calls
are taken, with arguments that differ; nothing else is traced.  Sees only the thread it was started
in.  Not recorded as roots: module and class bodies, lambdas, comprehensions, coroutines.
"""

from __future__ import annotations

import sys
from sys import settrace
from types import CodeType, FrameType

from nsdbg.verify.child.bytecode import is_resumed, is_return, is_yield
from nsdbg.verify.child.limits import Expired
from nsdbg.verify.child.recording import Recording
from nsdbg.verify.child.values import snapshot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

MOST_STATES = 400
MOST_CHARS = 400
MOST_DEPTH = 40
# So many calls in a row that bring nothing new, and a function is not looked at any more.
PATIENCE = 200
# Generators that were left and may be resumed.
MOST_PARKED = 8

_IGNORED, _INNER, _ROOT = 0, 1, 2
_OPTIMIZED, _COROUTINE, _ASYNC_GENERATOR = 0x01, 0x80, 0x200
_VARARGS, _VARKEYWORDS = 0x04, 0x08


class Printed:
    """What reaches `sys.stdout` where that is a `StringIO`, as in doctests; else nothing."""

    def __init__(self) -> None:
        self._seen = 0

    def begin(self) -> None:
        """Forget what was printed before."""
        self._seen = self._size(sys.stdout)

    @staticmethod
    def _size(stream: Any) -> int:
        tell = getattr(stream, "tell", None)
        return tell() if tell is not None and hasattr(stream, "getvalue") else 0

    def take(self) -> str:
        """Return what was printed since the last call, or the beginning."""
        try:
            stream: Any = sys.stdout
            size = self._size(stream)
            if size == self._seen:
                return ""
            text: str = stream.getvalue()[self._seen : size]
        except (AttributeError, TypeError, ValueError):  # closed, or of another kind
            return ""
        self._seen = size
        return text[:MOST_CHARS]


class Activation:
    """One recorded call of a root: its frame, its states, and the code that they lie in."""

    def __init__(self, root: FrameType, recorder: Recorder) -> None:
        self.root: FrameType | None = root
        self.code = root.f_code
        self.names: dict[str, str | None] = {}
        self.complete = False
        self.over = False
        self.recording = Recording(recorder.is_wanted, recorder.printed, MOST_CHARS)
        self.recording.begin(root.f_back)
        self._recorder = recorder
        self._count = 0
        self._noted: set[int] = set()
        self._raised: tuple[FrameType | None, int] = (None, 0)

    def watch(self, frame: FrameType, event: str, arg: Any) -> Any:
        """Record an event; the trace function of every frame below the root."""
        if self._recorder.active is not self:
            if self.over:
                frame.f_trace = None
            return None
        leaves = event == "return" and self._unwinds(frame, arg)
        if event == "exception":
            if arg[0] is Expired:  # our own deadline, not the program's doing
                self._recorder.finish(self, complete=False)
                return None
            self._raised = (frame, self._count + 1)
        if event == "call":
            self._note_globals(frame)
        self.recording.state(frame, "unwind" if leaves else event, arg)
        self._count += 1
        if event == "return" and frame is self.root:
            if not leaves and self.code.co_flags & 0x20 and is_yield(frame):
                self._recorder.park(self)
            else:
                self._recorder.finish(self, complete=True)
        elif self._count >= MOST_STATES or self.recording.depth >= MOST_DEPTH:
            self._recorder.finish(self, complete=False)
        return self.watch

    def _unwinds(self, frame: FrameType, arg: Any) -> bool:
        """Whether a return event means that an exception leaves the frame (see `tracer`)."""
        if arg is not None or is_return(frame):
            return False
        raised, count = self._raised
        return not is_yield(frame) or (raised is frame and count == self._count)

    def _note_globals(self, frame: FrameType) -> None:
        """Keep the literal values of the globals that a function names, as at its first call."""
        code = frame.f_code
        if id(code) in self._noted:
            return
        self._noted.add(id(code))
        for name, text in literal_globals(code, frame.f_globals):
            # Two modules may mean two things by one name, which is then neither.
            self.names[name] = text if self.names.get(name, text) == text else None


def literal_globals(code: CodeType, names: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the globals with literal values that a code object names, as text."""
    found = []
    for name in code.co_names:
        if name in names and not name.startswith("__"):
            taken = snapshot(names[name], MOST_CHARS)
            if taken.literal:
                found.append((name, taken.repr))
    return found


class Recorder:
    """Takes activations; `start` and `stop` around the code that runs, then `take`."""

    def __init__(self, is_wanted: Callable[[str], bool], most: int = 8) -> None:
        """Record code of files for which `is_wanted`, `most` calls of each function."""
        self.is_wanted = is_wanted
        self.printed = Printed()
        self.active: Activation | None = None
        self._done: list[Activation] = []
        self._most = most
        self._kinds: dict[int, tuple[int, CodeType]] = {}
        self._taken: dict[int, set[tuple[str, ...]]] = {}
        self._refused: dict[int, int] = {}
        self._parked: dict[int, Activation] = {}

    def forget(self) -> None:
        """Forget the code seen so far, and how often it was taken."""
        self._kinds.clear()
        self._taken.clear()
        self._refused.clear()

    def start(self) -> None:
        """Begin to look for roots."""
        settrace(self._enter)

    def stop(self) -> None:
        """Stop, and end what is still open."""
        settrace(None)
        for activation in [self.active, *self._parked.values()]:
            if activation is not None:
                self.finish(activation, complete=False)

    def _kind(self, code: CodeType) -> int:
        kind = _IGNORED
        if self.is_wanted(code.co_filename):
            is_function = code.co_flags & _OPTIMIZED and code.co_name[0] != "<"
            plain = not code.co_flags & (_COROUTINE | _ASYNC_GENERATOR)
            kind = _ROOT if is_function and plain else _INNER
        self._kinds[id(code)] = (kind, code)
        return kind

    def _enter(self, frame: FrameType, event: str, arg: Any) -> Any:
        code = frame.f_code
        known = self._kinds.get(id(code))
        kind = known[0] if known is not None else self._kind(code)
        if kind == _IGNORED:
            return None
        parked = self._parked.pop(id(frame), None) if self._parked else None
        if parked is not None:
            if self.active is None:
                self.active = parked
                self.printed.begin()  # what its consumer printed is not its own
                parked.recording.resume(frame.f_back)
                return parked.watch(frame, event, arg)
            self.finish(parked, complete=False)
        if self.active is not None:
            return self.active.watch(frame, event, arg)
        if kind != _ROOT or is_resumed(frame) or not self._is_new(frame):
            return None
        self.printed.begin()
        self.active = Activation(frame, self)
        return self.active.watch(frame, event, arg)

    def _is_new(self, frame: FrameType) -> bool:
        """Whether the function was not yet taken with these arguments; counts those that were."""
        code = frame.f_code
        taken = self._taken.setdefault(id(code), set())
        key = tuple([snapshot(value, MOST_CHARS).repr for value in _arguments(frame)])
        if key not in taken:
            taken.add(key)
            self._refused[id(code)] = 0
            if len(taken) >= self._most:
                self._kinds[id(code)] = (_INNER, code)
            return True
        refused = self._refused[id(code)] = self._refused[id(code)] + 1
        if refused >= PATIENCE:
            self._kinds[id(code)] = (_INNER, code)
        return False

    def park(self, activation: Activation) -> None:
        """Set a generator aside that was left at a yield."""
        self.active = None
        self._parked[id(activation.root)] = activation
        if len(self._parked) > MOST_PARKED:
            self.finish(next(iter(self._parked.values())), complete=False)

    def finish(self, activation: Activation, complete: bool) -> None:
        """Let an activation be taken; its frame is let go, with all that it holds."""
        activation.complete = complete
        activation.over = True
        self._parked.pop(id(activation.root), None)
        activation.root = None
        if self.active is activation:
            self.active = None
        self._done.append(activation)

    def take(self) -> list[Activation]:
        """Return what was recorded since the last call."""
        done, self._done = self._done, []
        return done


def _arguments(frame: FrameType) -> list[Any]:
    code, found = frame.f_code, frame.f_locals
    count = code.co_argcount + code.co_kwonlyargcount
    count += bool(code.co_flags & _VARARGS) + bool(code.co_flags & _VARKEYWORDS)
    return [found.get(name) for name in code.co_varnames[:count]]
