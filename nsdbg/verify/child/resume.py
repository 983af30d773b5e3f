"""Starts a function in the middle, at a line of it and with given locals.

The function is rebuilt (`rebuild`) and called with placeholders; tracing begins when it stands at
the line.  What a state does not hold (an iterator's next item, the exception being handled, a
context manager) is asked for only when the program comes to need it: then tracing ends there, and
`Resumed.hidden` says so.

Not covered: the module's variables, which are those after its import, and how a generator's
consumer goes on.
"""

import sys
from types import CodeType, FrameType, FunctionType
from typing import Any, Callable, List, Optional, Sequence, cast

from .continuation import Refused
from .loading import _beneath
from .rebuild import Rebuilding
from .standins import Hidden

Trace = Callable[[FrameType, str, Any], Any]


class CannotResume(Exception):
    """A state from which the function cannot be continued; its text begins with a reason's slug."""


class Resumed:
    """A function that goes on from a state: `call` it, with a trace function set or without.

    `code` is its code object.  `hidden` is set when the run needed what the state does not hold.
    """

    def __init__(
        self, function: FunctionType, state: Any, remaining: Any, shared: bool, past: int
    ) -> None:
        self.hidden: Optional[str] = None
        self.entering: List[int] = [1]
        rebuilding = Rebuilding(function, state, dict(remaining), shared, self.need, past)
        self.function = rebuilding.function_from(self.entering)
        self._line, self._lineno = rebuilding.line, rebuilding.lineno

    @property
    def code(self) -> CodeType:
        """The code that runs."""
        return self.function.__code__

    def call(self) -> Any:
        """Call the function; what its parameters get is replaced before anything sees it.

        A trace function that is set sees the run from the state on.
        """
        code, trace = self.code, cast(Optional[Trace], sys.gettrace())
        if trace is not None:
            sys.settrace(self.gate(trace))
        names = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
        return self.function(*[None] * code.co_argcount, **dict.fromkeys(names))

    def gate(self, trace: Trace) -> Trace:
        """Return a global trace function that lets `trace` see the run from its state on.

        `trace` is first told of a call event of the frame, then of a line event: the state.
        """
        entering, code = self.entering, self.code

        def enter(frame: FrameType, event: str, arg: Any) -> Any:
            if not entering:  # pragma: no cover - the gate is taken off when it opens
                return trace(frame, event, arg)
            return wait if frame.f_code is code else None

        def wait(frame: FrameType, event: str, arg: Any) -> Any:
            if entering or event != "line":
                return wait
            if frame.f_lineno != self._lineno:
                self.need("start-not-reached", "the run begins at line %d" % frame.f_lineno)
            sys.settrace(trace)
            local = trace(frame, "call", None)
            return self._within(local(frame, "line", None)) if local is not None else None

        return enter

    def _within(self, local: Trace) -> Trace:
        """Return a local trace function that is not told of the line which is ours."""

        def follow(frame: FrameType, event: str, arg: Any) -> Any:
            if event != "line" or frame.f_lineno != self._line:
                local(frame, event, arg)
            return follow

        return follow

    def need(self, slug: str, detail: str) -> None:
        """Note that the run needs what the state does not hold, and end it."""
        if self.hidden is None:
            self.hidden = "%s: %s" % (slug, detail)
        sys.settrace(None)
        raise Hidden(self.hidden)


def prepare(
    function: FunctionType,
    state: Any,
    remaining: Sequence[Any] = (),
    shared: bool = False,
    past: int = 0,
) -> Resumed:
    """Rebuild a function to go on from a state of the wire (see `states`).

    `remaining` are pairs: the line of a `for` around the state, and the list of its next items as
    text.  With `shared` equal mutable values are one object.  `past`: see `histories`.  Raises
    CannotResume.
    """
    try:
        return Resumed(function, state, remaining, shared, past)
    except Refused as error:
        raise CannotResume(str(error)) from error
    except (SyntaxError, ValueError, RecursionError) as error:
        raise CannotResume("start-not-reached: the rest does not compile: %s" % error) from error


def function_of(call: Any, code: Optional[CodeType]) -> FunctionType:
    """Return the function beneath decorators that has this code.  Raises CannotResume."""
    for function in _beneath(call, 0):
        if function.__code__ is code:
            return function
    raise CannotResume("no-source: it is not a function of Python code")
