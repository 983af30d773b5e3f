"""Plain `bdb` over one call: every event of the target's own frames, and where commands lead.

What counts is what `bdb.Bdb` does: nothing of it is replaced but `user_*`, and `stop_here` passes
over files that are not the target's own, as pdb's `skip` does.
"""

# It runs on 3.8.
# ruff: noqa: UP006, UP031, UP035, UP045

import bdb
import dis
import inspect
import io
import sys
from types import CodeType, FrameType
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from .exact import shown

Fact = Dict[str, Any]
Command = Tuple[str, int]
_SUSPENDS = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


class Stepper(bdb.Bdb):
    """Steps through a call and notes events; at one of them it begins to give commands.

    `at` is the event's index at which the first of `commands` is given, the others each where
    the one before led.  `most` bounds the events that are noted.
    """

    def __init__(
        self, own: Callable[[str], bool], at: int, commands: Sequence[Command], most: int
    ) -> None:
        super().__init__()
        self._own, self._at, self._most = own, at, most
        self._commands = list(commands)
        self._notes = not commands
        self.count = -1
        self.complete = True
        self.events: List[Fact] = []
        self.ends: List[Optional[Fact]] = []
        self.start: Optional[Fact] = None
        self._origin: Optional[FrameType] = None
        self._living: Dict[int, int] = {}
        self._numbers = 0
        # Where the code of generators begins, which tells a start from being resumed.
        self._begins: Dict[int, Tuple[int, CodeType]] = {}
        self._raised: Optional[FrameType] = None
        self._read = 0
        self._base: Optional[FrameType] = None

    def run_call(self, call: Callable[[], Any]) -> Any:
        """Make the call under the debugger, and return or raise what it does."""
        try:
            return self.runcall(self._called, call)
        finally:
            sys.settrace(None)
            self.clear_all_breaks()

    def _called(self, call: Callable[[], Any]) -> Any:
        self._base = sys._getframe()
        return call()

    def trace_dispatch(self, frame: FrameType, event: str, arg: Any) -> Any:
        """Count the events, which are all there are for as long as it steps."""
        if not self._own(frame.f_code.co_filename):
            self._raised = None
            # As bdb answers itself for a frame in which it neither stops nor has a breakpoint.
            return None if self.botframe is not None else super().trace_dispatch(frame, event, arg)
        if self.start is None:
            self.count += 1
            if self._notes:
                self._note(frame, event, arg)
        returned = super().trace_dispatch(frame, event, arg)
        if event == "return" and frame is self._origin and self._leaves(frame, arg):
            # What only its locals keep alive has to die when it would: a generator is closed then,
            # which is an event of its own.
            self._origin = None
        self._raised = frame if event == "exception" else None
        return returned

    def _note(self, frame: FrameType, event: str, arg: Any) -> None:
        if len(self.events) >= self._most:
            self.complete = False
            self.set_quit()
            return
        fact = self._fact(frame, event, arg)
        fact["n"] = self._number(frame, event, arg)
        fact["g"] = bool(frame.f_code.co_flags & _SUSPENDS)
        fact["i"] = event == "exception" and arg[2] is None
        fact["heard"] = False
        self.events.append(fact)

    def _number(self, frame: FrameType, event: str, arg: Any) -> int:
        """Return the number of a living frame; no frame is kept alive for it."""
        number = self._living.get(id(frame))
        if event == "call":
            begins = self._begins.setdefault(id(frame.f_code), (frame.f_lasti, frame.f_code))[0]
            if not frame.f_code.co_flags & _SUSPENDS or frame.f_lasti <= begins:
                number = None  # a generator that nobody closed may have lain here
        if number is None:
            number = self._living[id(frame)] = self._numbers
            self._numbers += 1
        if event == "return" and self._leaves(frame, arg):
            del self._living[id(frame)]
        return number

    def _leaves(self, frame: FrameType, arg: Any) -> bool:
        """Tell whether a return event ends its frame, which a yield does not."""
        return "RETURN" in _operation(frame) or (arg is None and self._unwinds(frame))

    def stop_here(self, frame: FrameType) -> bool:
        """Tell whether bdb stops, in a file of the target's own."""
        return self._own(frame.f_code.co_filename) and bool(super().stop_here(frame))

    def break_here(self, frame: FrameType) -> bool:
        """Tell whether there is a breakpoint, in a file of the target's own."""
        return self._own(frame.f_code.co_filename) and bool(super().break_here(frame))

    def user_call(self, frame: FrameType, argument_list: Any) -> None:
        """Note a call; bdb tells of breakpoints' files, too, and pdb looks again as well."""
        if self.stop_here(frame):
            self._seen(frame, "call", None)

    def user_line(self, frame: FrameType) -> None:
        """Note a line."""
        self._seen(frame, "line", None)

    def user_return(self, frame: FrameType, return_value: Any) -> None:
        """Note a return."""
        self._seen(frame, "return", return_value)

    def user_exception(self, frame: FrameType, exc_info: Any) -> None:
        """Note an exception."""
        self._seen(frame, "exception", exc_info)

    def _seen(self, frame: FrameType, event: str, arg: Any) -> None:
        if self.start is None and (self._notes or self.count < self._at):
            if self._notes and self.events:
                self.events[-1]["heard"] = True
            if not self.quitting:
                self.set_step()
            return
        if self.start is None:
            if self.count > self._at:  # bdb does not stop at that event
                self.set_quit()
                return
            self._arrive(frame)
            self.start = self._fact(frame, event, arg)
        else:
            fact = self._fact(frame, event, arg)
            fact["inside"] = self._is_inside(frame)
            self.ends.append(fact)
            self.clear_all_breaks()
        if not self._commands or len(self.ends) > self._most:
            self.set_quit()
            return
        self._origin = frame
        self._give(frame, self._commands.pop(0))

    def _arrive(self, frame: FrameType) -> None:
        """Do what is to be done where the first command is given: nothing."""

    def _give(self, frame: FrameType, command: Command) -> None:
        word, line = command
        if word == "step":
            self.set_step()
        elif word == "next":
            self.set_next(frame)
        elif word == "return":
            self.set_return(frame)
        elif word == "until":
            self.set_until(frame, line)
        else:
            self.set_break(frame.f_code.co_filename, line)
            self.set_continue()

    def _is_inside(self, frame: FrameType) -> bool:
        """Tell whether the frame of the first command is still there."""
        here: Optional[FrameType] = frame
        while here is not None:
            if here is self._origin:
                return True
            here = here.f_back
        return False

    def _fact(self, frame: FrameType, event: str, arg: Any) -> Fact:
        stack: List[Any] = []
        here: Optional[FrameType] = frame
        while here is not None and here is not self._base:
            if self._own(here.f_code.co_filename):
                stack.append([here.f_code.co_filename, here.f_lineno, here.f_code.co_name])
            here = here.f_back
        names = [[name, *shown(value)] for name, value in _locals(frame)]
        told: Any = None
        if event == "exception":
            told = [message(arg[1]), printed(arg[0]), False, False, False]
        elif event == "return" and not (arg is None and self._unwinds(frame)):
            told = list(shown(arg))
        fact = {"e": event, "s": stack[::-1], "l": names, "a": told, "q": frame.f_lasti}
        fact["o"] = self._printed()
        return fact

    def _unwinds(self, frame: FrameType) -> bool:
        """Tell whether an exception leaves the frame: bdb gives None for that, too."""
        name = _operation(frame)
        if "YIELD" in name or name in ("SEND", "RESUME"):
            return self._raised is frame  # closed where it had yielded, or given another value
        return "RETURN" not in name

    def _printed(self) -> str:
        out = sys.stdout
        if not isinstance(out, io.StringIO):
            return ""
        text = out.getvalue()
        since, self._read = text[self._read :], len(text)
        return since


def _operation(frame: FrameType) -> str:
    return dis.opname[frame.f_code.co_code[frame.f_lasti]]


def _locals(frame: FrameType) -> List[Tuple[str, Any]]:
    return [(name, value) for name, value in frame.f_locals.items() if name[:1] != "."]


def printed(kind: Any) -> str:
    """Return an exception's type as a traceback prints it."""
    if kind.__module__ in ("builtins", "__main__"):
        return str(kind.__qualname__)
    return "%s.%s" % (kind.__module__, kind.__qualname__)


def message(error: Any) -> str:
    """Return an exception's text."""
    try:
        return str(error)
    except Exception:
        return "<exception str() failed>"
