"""Living frames as plain lists for the wire, in the fields of `nsdbg.state.State`.

A state is `{"e": event, "f": frames, "a": arg or None, "o": output}`, oldest frame first; a frame
`[file, lineno, function, locals or None]`; a local `[name, repr, type, literal, truncated]`.
"""

import os
from types import BuiltinFunctionType, CodeType, FrameType, FunctionType, ModuleType
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from .paths import real_path
from .values import MAX_CHARS, Snapshot, printed_type, snapshot

MAX_STATE_CHARS = 4 * MAX_CHARS
# Of a state that is only near, or a value that is not wanted, in a batch of many.
MAX_NEAR_CHARS = 1 << 13
MAX_FRAMES = 64
# The file, as code objects name it, of what a call's arguments are made by.
ARGUMENT = "<argument>"
# What a module's own code binds besides its variables.
_FURNITURE = (ModuleType, FunctionType, BuiltinFunctionType, type)

# A frame and the line at which it stands: in a traceback that is not where the frame went on to.
Place = Tuple[FrameType, int]


class OwnFiles:
    """Tells the target's own files, which are traced, from libraries, which are not."""

    def __init__(self, root: str, files: Sequence[str]) -> None:
        self._root = real_path(root) + "/"
        self._files = frozenset(files)
        self._known: Dict[str, bool] = {}

    def __call__(self, file: str) -> bool:
        known = self._known.get(file)
        if known is None:
            known = self._known[file] = self._is_own(real_path(file))
        return known

    def _is_own(self, file: str) -> bool:
        if file in self._files:
            return True
        if not file.startswith(self._root) or _is_library(file):
            return False
        # A virtual environment inside the project: its libraries are not the project's.
        return not any(part in file for part in ("/site-packages/", "/dist-packages/"))


_STDLIB = real_path(os.path.dirname(os.__file__)) + "/"
_OURS = real_path(os.path.dirname(__file__)) + "/"


def _is_library(file: str) -> bool:
    return file.startswith((_STDLIB, _OURS))


def variables(frame: FrameType) -> List[Tuple[str, Any]]:
    """Return a frame's locals; of a module's, what is neither import nor definition."""
    items = list(frame.f_locals.items())
    if frame.f_code.co_name == "<module>":
        return [
            (name, value) for name, value in items
            if not name.startswith("__") and not isinstance(value, _FURNITURE)
        ]  # fmt: skip
    return [(name, value) for name, value in items if not name.startswith(".")]


def record_locals(frame: FrameType, left: int = MAX_STATE_CHARS) -> List[List[Any]]:
    """Return a frame's locals as the wire has them, `left` characters in all."""
    found = []
    for name, value in variables(frame):
        taken = snapshot(value, max(min(left, MAX_CHARS), 16))
        left -= len(taken.repr)
        found.append([name, *taken])
    return found


def record_frame(place: Place, with_locals: bool, chars: int) -> List[Any]:
    """Return one frame as the wire has it."""
    frame, lineno = place
    code = frame.f_code
    taken = record_locals(frame, chars) if with_locals else None
    return [real_path(code.co_filename), lineno, code.co_name, taken]


def record_state(
    event: str,
    places: Sequence[Place],
    arg: Optional[Snapshot],
    deep: bool,
    chars: int = MAX_STATE_CHARS,
) -> Dict[str, Any]:
    """Return a state, its frames' locals bounded by `chars` each frame.

    With `deep`, outer frames have their locals too, not only the innermost.
    """
    if len(places) > MAX_FRAMES:
        # A recursion that ran out: its ways in and its end tell it, the middle repeats.
        places = [*places[: MAX_FRAMES // 4], *places[-(MAX_FRAMES - MAX_FRAMES // 4) :]]
    last = len(places) - 1
    frames = [record_frame(place, deep or at == last, chars) for at, place in enumerate(places)]
    return {"e": event, "f": frames, "a": arg, "o": ""}


def describe_exception(kind: Any, error: Any) -> Snapshot:
    """Return an exception as a value: its message, and its type as a traceback prints it.

    On an exception event before 3.12 the error may still be a bare argument of its class.
    """
    return Snapshot(message_of(error), printed_type(kind), False, False)


def message_of(error: Any) -> str:
    """Return `str(error)`, bounded; it is code of the program, which may fail."""
    try:
        if not isinstance(error, BaseException):
            return str(error)[:MAX_CHARS]
        return str.__getitem__(str(error), slice(0, MAX_CHARS))
    except Exception:
        return "<exception str() failed>"


def stack_of(frame: FrameType, base: FrameType, own: Callable[[str], bool]) -> List[Place]:
    """Return the own frames from the base's callees to this one, oldest first."""
    places: List[Place] = []
    here: Optional[FrameType] = frame
    while here is not None and here is not base:
        if counts(here.f_code, own):
            places.append((here, here.f_lineno))
        here = here.f_back
    places.reverse()
    return places


def counts(code: CodeType, own: Callable[[str], bool]) -> bool:
    """Whether frames of this code are links of a chain: own ones, and lambdas of arguments.

    An exception that an argument's own code raises is not one that the program raises.
    """
    return own(code.co_filename) or code.co_filename == ARGUMENT


def code_name(code: CodeType) -> Tuple[str, str]:
    """Return a code object's file and its name as a traceback prints it."""
    return real_path(code.co_filename), code.co_name
