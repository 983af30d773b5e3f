"""What an evaluation runs in: the machine with its steps, scopes of names, closures of syntax.

Nothing here knows an operation; `expressions`, `binding` and `statements` do.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from nsdbg.propose.evaluation.bounds import CONTAINERS, OutOfSteps, Unknown

DEEPEST = 40  # calls within calls; each takes a dozen frames of ours
# What is handled for nothing (elements, characters or bits), and how many more cost one step:
# twenty sorts of the largest list, or a hundred copies of the longest text, are an evaluation.
_FREE = 1024
_A_STEP: dict[type, int] = {
    **dict.fromkeys(CONTAINERS, 64),
    range: 64,
    int: 64,
    str: 512,
    bytes: 512,
}


class Machine:
    """What one evaluation may still spend; loops, comprehensions and calls cost steps."""

    __slots__ = ("depth", "lineno", "seen", "steps", "watch")

    def __init__(self, steps: int, watch: int | None = None) -> None:
        self.steps = steps
        self.depth = 0
        self.lineno = 0
        self.watch = watch
        self.seen: list[dict[str, Any]] = []

    def spend(self) -> None:
        """Take one step; raises OutOfSteps when there is none left."""
        self.steps -= 1
        if self.steps < 0:
            raise OutOfSteps("too many steps")

    def charge(self, *values: Any) -> None:
        """Take steps for work on large values, which takes time as they are long."""
        for value in values:
            kind = type(value)
            if kind not in _A_STEP:
                continue
            size = value.bit_length() if kind is int else len(value)
            if size > _FREE:
                self.steps -= size // _A_STEP[kind]
                if self.steps < 0:
                    raise OutOfSteps("too many steps for values of this size")


class Scope:
    """The names bound in a function, a comprehension or a lambda, and the scope around it."""

    __slots__ = ("machine", "names", "outer", "yielded")

    def __init__(self, names: dict[str, Any], machine: Machine, outer: Scope | None) -> None:
        self.names = names
        self.machine = machine
        self.outer = outer
        self.yielded: list[Any] = []


Code = Callable[[Scope], Any]
Store = Callable[[Scope, Any], None]
# Filled by `expressions` and `binding`, which need each other through it.
MAKERS: dict[type[ast.expr], Callable[[Any], Code]] = {}


def compile_expression(node: ast.expr) -> Code:
    """Return the closure for an expression; syntax off the list raises Unknown when it runs."""
    maker = MAKERS.get(type(node))
    return off_the_list(node) if maker is None else maker(node)


def off_the_list(node: ast.AST) -> Code:
    """Return the closure for syntax that is not on the list."""
    name = type(node).__name__

    def refuse(scope: Scope) -> Any:
        raise Unknown(name)

    return refuse


class Module:
    """A module on the list, as an `import` binds it."""

    __slots__ = ("members", "name")

    def __init__(self, name: str, members: dict[str, Any]) -> None:
        self.name = name
        self.members = members

    def get(self, name: str) -> Any:
        """Return a member, else raise Unknown."""
        if name not in self.members:
            raise Unknown(f"{self.name}.{name}")
        return self.members[name]


class Namespace(Module):
    """A function on the list that has others within it, as `chain` has `from_iterable`."""

    __slots__ = ("function",)

    def __init__(self, name: str, function: Callable[..., Any], members: dict[str, Any]) -> None:
        super().__init__(name, members)
        self.function = function

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function itself."""
        return self.function(*args, **kwargs)
