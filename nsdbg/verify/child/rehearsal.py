"""Goes the way to a state, so that what it changes is changed when the function goes on from there.

A state holds locals.  What the lines before it did to modules, to classes and to the interpreter is
done by calling the function from its beginning, up to the state's line: with the state's own
arguments, with others like them, and with others by a way that takes every branch (`forcing`).
"""

import ast
from types import FunctionType
from typing import Any, Callable, Dict, List, NoReturn, Optional, Sequence, Tuple

from .continuation import Constants, locate, place
from .forcing import Forcing
from .lazy import draw
from .limits import ALARM, Expired
from .literals import NotALiteral, parse
from .redefine import definition, redefined, source_of

# A way with the arguments of the state, and two with others, in a world that is set otherwise.
OWN, OTHER, FORCED = "own", "other", "forced"
# How far numbers are changed, each time that a way is gone.
_CHANGES = {OWN: (0,), OTHER: (3,), FORCED: (3, 1003)}
# What the way may take; a state whose way takes longer is not gone on from.
LIMIT_S = 0.25
_MOST_ITEMS = 1000
_VARARGS, _VARKEYWORDS = 0x04, 0x08


class Arrived(BaseException):
    """Raised at the state's line, when there is no use in going on with the way."""


class Rehearsal:
    """One way to a state: `go` calls `arrive` at the state's line, or where the way ends before it.

    `way`: OWN, OTHER or FORCED.
    """

    def __init__(
        self, function: FunctionType, state: Any, way: str, arrive: Callable[[], None]
    ) -> None:
        self._arrive, self._arrived, self._last = arrive, False, False
        _, lineno, _, names = state["f"][-1]
        self._calls = [_arguments(function, names or [], far) for far in _CHANGES[way]]
        self._function = self._stopping(function, lineno, state["e"] == "exception", way == FORCED)
        self._needed = way == OWN

    def go(self) -> Optional[str]:
        """Go the way, in its time; return why the state cannot be gone on from, None if it was."""
        for at, (given, named) in enumerate(self._calls, 1):
            self._last = at == len(self._calls)
            if not self._pass(given, named) and self._needed and not self._arrived:
                return "start-not-reached: the way to it takes too long to be gone again"
        if not self._arrived:
            self._arrive()
        return None

    def _pass(self, given: List[Any], named: Dict[str, Any]) -> bool:
        """Go the way once; return whether that did not take too long."""
        ALARM.tighten(LIMIT_S)
        try:
            draw(self._function(*given, **named))
        except Expired:
            return False
        except BaseException:  # the way need not lead there
            pass
        finally:
            if not self._arrived:
                ALARM.loosen()
        return True

    def _stopping(
        self, function: FunctionType, lineno: int, raising: bool, forced: bool
    ) -> FunctionType:
        """Return the function with a call of ours before the state's statement."""
        module, node = definition(source_of(function.__code__), function.__code__)
        way, constants = locate(node, lineno, raising), Constants()
        stop = place(ast.Expr(constants.call(self._stop, lineno)), lineno)
        if forced:
            Forcing(constants, lineno).force(way, stop)
        else:
            way[-1].block.insert(way[-1].at, stop)
        found = redefined(function, module, constants)
        found.__defaults__, found.__kwdefaults__ = function.__defaults__, function.__kwdefaults__
        return found

    def _stop(self) -> NoReturn:
        if self._last and not self._arrived:
            self._arrived = True
            ALARM.loosen()
            self._arrive()
        raise Arrived


def _arguments(
    function: FunctionType, names: Sequence[Sequence[Any]], far: int
) -> Tuple[List[Any], Dict[str, Any]]:
    """Return what to call a function with: the values that its parameters have in a state.

    Where `far` is not 0 they are others, numbers so much larger.
    """
    code, known = function.__code__, {}
    for name, text, *_ in names:
        try:
            value = parse(text)
        except NotALiteral:
            continue
        known[name] = other(value, far) if far else value
    count, more = code.co_argcount, code.co_argcount + code.co_kwonlyargcount
    given = [known.get(name) for name in code.co_varnames[:count]]
    named = {name: known[name] for name in code.co_varnames[count:more] if name in known}
    rest = list(code.co_varnames[more : more + 2])
    if code.co_flags & _VARARGS:
        starred = known.get(rest.pop(0), ())
        given += starred if isinstance(starred, (tuple, list)) else ()
    if code.co_flags & _VARKEYWORDS:
        doubly = known.get(rest.pop(0), {})
        named.update(doubly if isinstance(doubly, dict) else {})
    return given, named


def other(value: Any, far: int) -> Any:
    """Return a value of the same kind that is not equal, numbers larger by `far`.

    What has no such is returned as it is.
    """
    kind = type(value)
    if kind is bool:
        return not value
    if kind in (int, float, complex):
        return value + far
    if kind is str or kind is bytes:
        return value + value[:1] + (b"x" if kind is bytes else "x")
    if value is None:
        return 1
    if kind in (list, tuple) and len(value) <= _MOST_ITEMS:
        return kind([*(other(item, far) for item in value), *value[:1]])
    if kind is dict and len(value) <= _MOST_ITEMS:
        return {key: other(item, far) for key, item in value.items()}
    return value
