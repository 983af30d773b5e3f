"""The function under way: its lines so far and the variables that can be read at this point."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

from nsdbg.programs import names
from nsdbg.programs.kinds import Kind, accepts
from nsdbg.programs.literals import Literals
from nsdbg.programs.operations.operation import Operation

INDENT = "    "
T = TypeVar("T")


class Variable:
    """A name that is bound here, with what is known of its value."""

    __slots__ = ("filled", "kind", "locked", "name", "param", "reads", "role", "small", "unread")

    def __init__(self, name: str, kind: Kind, filled: bool = False, small: bool = False) -> None:
        self.name = name
        self.kind = kind
        self.filled = filled  # not empty, as far as is known
        self.small = small  # a number small enough for sizes
        self.locked = False  # must not change here: a loop runs over it, or it bounds one
        self.param = False  # a parameter that was not bound again
        self.role: str | None = None  # what a parameter is used for, where that is one thing
        self.reads = 0
        self.unread = True  # since it was last bound


class Line:
    """A line of the function; `bound` is the variable it makes, where it does nothing else."""

    __slots__ = ("bound", "depth", "reads", "text")

    def __init__(self, text: str, depth: int, bound: Variable | None) -> None:
        self.text = text
        self.depth = depth
        self.bound = bound
        self.reads: tuple[Variable, ...] = ()


class Scope:
    """What the makers of statements share: randomness, variables, lines and features."""

    __slots__ = (
        "avoided", "bold", "calls", "daring", "depth", "features", "growth", "lines", "literals",
        "loops", "pending", "random", "returned", "source", "source", "used", "variables",
    )  # fmt: skip

    def __init__(self, source: Random, daring: float, bold: bool = False) -> None:
        self.source = source
        self.random = source.random
        self.literals = Literals(source)
        self.bold = bold  # whether what may raise is looked for
        self.daring = (
            1.0 if bold else daring
        )  # the share of operations that may raise which is let through
        self.variables: list[Variable] = []
        self.calls: list[Operation] = []  # of functions that the program defines
        self.avoided: Variable | None = None  # the subject of the operation under way
        self.used: set[str] = set()
        self.returned: set[Kind] = set()  # the kinds of early returns
        self.lines: list[Line] = []
        self.features: set[str] = set()
        self.depth = 1
        self.loops = 0
        self.growth = 0  # how often something was made larger
        self.pending: list[Variable] = []  # read since the last line

    def inner(self) -> Scope:
        """Return the scope of a function within this one: it sees the constants and calls."""
        made = Scope(self.source, self.daring, self.bold)
        made.literals, made.features = self.literals, self.features
        made.used = set(self.used)
        made.calls = list(self.calls)
        for constant in self.variables:
            bound = made.bind(constant.name, constant.kind, constant.filled, constant.small)
            bound.locked, bound.unread = True, False
        return made

    def chance(self, share: float) -> bool:
        """Return True in this share of calls."""
        return self.random() < share

    def number(self, low: int, high: int) -> int:
        """Return a number from `low` to `high`, both included."""
        return low + int(self.random() * (high - low + 1))

    def choose(self, pool: Sequence[T]) -> T:
        """Return one of the pool."""
        return pool[int(self.random() * len(pool))]

    def fresh(self, kind: Kind, pool: tuple[str, ...] | None = None) -> str:
        """Return a name that is not in use."""
        choices = pool or (names.ANY if self.random() < 0.3 else names.pool_of(kind))
        for _ in range(6):
            name = choices[int(self.random() * len(choices))]
            if name not in self.used:
                break
        else:
            number = 2
            while f"{name}{number}" in self.used:
                number += 1
            name = f"{name}{number}"
        self.used.add(name)
        return name

    def bind(self, name: str, kind: Kind, filled: bool = False, small: bool = False) -> Variable:
        """Return a new variable, readable from here to the end of its block."""
        variable = Variable(name, kind, filled, small)
        self.variables.append(variable)
        return variable

    def read(self, variable: Variable) -> str:
        """Return the variable's name, and count the reading."""
        variable.reads += 1
        variable.unread = False
        self.pending.append(variable)
        return variable.name

    def line(self, text: str, bound: Variable | None = None) -> None:
        """Add a line at the current depth."""
        line = Line(text, self.depth, bound)
        line.reads = tuple(self.pending)
        self.pending.clear()
        self.lines.append(line)

    def unread(self, mark: int) -> None:
        """Undo the readings since the mark, a length that `pending` had."""
        for variable in self.pending[mark:]:
            variable.reads -= 1
            variable.unread = variable.unread or not variable.reads
        del self.pending[mark:]

    def forget(self, before: int) -> None:
        """Take back the lines after the first `before`, and what the line under way has read."""
        for line in self.lines[before:]:
            self.pending.extend(line.reads)
        del self.lines[before:]
        self.unread(0)

    def pick(self, kind: Kind) -> Variable | None:
        """Return a variable whose value serves as the kind: unread and late ones first."""
        wanted = accepts(kind)
        found = [
            variable for variable in self.variables
            if variable.kind in wanted and variable is not self.avoided
        ]  # fmt: skip
        if not found:
            return None
        if len(found) > 1 and self.random() < 0.7:
            unread = [variable for variable in found if variable.unread]
            found = unread or found[-2:]
        return found[int(self.random() * len(found))]

    def kinds(self) -> set[Kind]:
        """Return the kinds that are within reach."""
        return {variable.kind for variable in self.variables}

    def text(self, header: str) -> str:
        """Return the function with its header."""
        return "\n".join([header, *(INDENT * line.depth + line.text for line in self.lines)])

    def prune(self) -> None:
        """Take out lines that make a variable which nothing reads, last ones first."""
        kept: list[Line] = []
        for number in range(len(self.lines) - 1, -1, -1):
            line = self.lines[number]
            if line.bound is not None and not line.bound.reads and not self._alone(number, kept):
                for variable in line.reads:
                    variable.reads -= 1
                continue
            kept.append(line)
        self.lines = kept[::-1]

    def _alone(self, number: int, kept: list[Line]) -> bool:
        """Say whether a line is all that is left of its block."""
        depth = self.lines[number].depth
        before = self.lines[number - 1].depth if number else 0
        after = kept[-1].depth if kept else 0
        return before < depth and after < depth
