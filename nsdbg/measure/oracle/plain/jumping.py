"""A state in the middle of a function, put there as pdb's `jump` does it: locals set, line set.

It works where CPython lets one jump: not into `for` and `with`, nor, before 3.11, into `try`.
"""

# It runs on 3.8.
# ruff: noqa: UP006, UP031, UP035

import ast
import ctypes
import inspect
import sys
from types import FrameType, FunctionType
from typing import Any, Callable, Dict, Sequence

from .calling import CannotCall, drained, found
from .exact import value_of
from .stepping import Command, Stepper

_SUSPENDS = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


class CannotJump(BaseException):
    """The state cannot be put there; the message says why.  No `except Exception` takes it."""


def is_head(file: str, lineno: int) -> bool:
    """Tell whether a line is one of several stops: a head of `for` or `with`, or a comprehension.

    There the state hides an iterator, or a manager.
    """
    with open(file, "rb") as source:
        tree = ast.parse(source.read())
    return any(
        (
            isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp))
            and node.lineno <= lineno <= (node.end_lineno or 0)
        )
        or (
            isinstance(node, (ast.For, ast.AsyncFor, ast.With, ast.AsyncWith))
            and node.lineno <= lineno < max(node.body[0].lineno, node.lineno + 1)
        )
        for node in ast.walk(tree)
    )


def placeholders(module: Any, qualname: str) -> Callable[[], Any]:
    """Return a call of a function with None for every parameter; raises CannotCall."""
    function = inspect.unwrap(found(module, qualname, ()))
    if isinstance(function, (staticmethod, classmethod)):
        function = function.__func__
    if not isinstance(function, FunctionType) or function.__code__.co_flags & _SUSPENDS:
        raise CannotCall("%s is no plain function" % qualname)
    code = function.__code__
    given = [None] * code.co_argcount
    only = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    return lambda: drained(function, given, dict.fromkeys(only))


class Jumper(Stepper):
    """At the first line of the called function it puts the state there, then gives commands."""

    def __init__(
        self,
        own: Callable[[str], bool],
        lineno: int,
        names: Dict[str, str],
        commands: Sequence[Command],
        most: int,
    ) -> None:
        super().__init__(own, 1, commands, most)
        self._lineno, self._names = lineno, names

    def _arrive(self, frame: FrameType) -> None:
        code = frame.f_code
        wanted = {name: value_of(text) for name, text in self._names.items()}
        known = [*code.co_varnames, *code.co_cellvars]
        if not set(wanted) <= set(known):
            raise CannotJump("a local of the state is none of the function's")
        if sys.version_info >= (3, 12) and set(known) - set(wanted):
            raise CannotJump("from 3.12 on a jump binds what is unbound")
        living = frame.f_locals
        for name in known:
            if name in wanted:
                living[name] = wanted[name]
            else:
                living.pop(name, None)
        if sys.version_info < (3, 13):
            ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(frame), ctypes.c_int(1))
        if frame.f_lineno == self._lineno:
            return
        try:
            frame.f_lineno = self._lineno  # type: ignore[misc]
        except ValueError as error:
            raise CannotJump(str(error)) from error
