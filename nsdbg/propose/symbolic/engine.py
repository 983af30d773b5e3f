"""One path through a function: the decisions taken at conditions, and what they ask of the values.

A path is repeated from the start with the decisions of an earlier one and another at its end, so
that no state has to be copied.
"""

from __future__ import annotations

import importlib
from typing import Any

from nsdbg.propose.evaluate import Unknown

# z3 comes without types and is an optional extra: whoever imports this module has it.
z3: Any = importlib.import_module("z3")

_STEPS_FEASIBLE = 50_000  # z3's own resource units for a look at whether a side is possible
_DEEPEST = 250  # decisions on one path


class DeadEnd(Unknown):
    """The path asks for something impossible."""


def new_context() -> Any:
    """Return a context for terms.

    z3 orders terms by their numbers in a context: of two searches in one, the first would change
    what the second finds.
    """
    return z3.Context()


def use_context(context: Any) -> None:
    """Make all terms in this context from now on: z3's functions take it from a global."""
    z3.z3._main_ctx = context


class Engine:
    """A path being taken; `pending` are the decisions of paths that were passed by."""

    def __init__(
        self, decisions: tuple[bool, ...], wide: bool = False, terms: int = 40_000
    ) -> None:
        """Take a path's decisions, the range of characters, and how many terms it may make."""
        self.wide = wide
        self.solver: Any = z3.Solver()
        self.pending: list[tuple[bool, ...]] = []
        self._terms = terms
        self._held: list[Any] = []
        self.hopeless = False  # the conditions contradict each other
        self._given = decisions
        self._taken: list[bool] = []
        self._fresh = 0

    @property
    def terms(self) -> int:
        """How many terms the path has made."""
        return len(self._held)

    def hold(self, value: Any) -> None:
        """Keep a value with a term until the path is closed; raises Unknown at the limit."""
        self._held.append(value)
        if len(self._held) > self._terms:
            raise Unknown("too many terms")

    def close(self) -> None:
        """Let go of all terms at once.

        Left to the garbage collector they would go at any time, z3 would number new ones
        differently, and the same goal would give other proposals.
        """
        for value in self._held:
            value.expr = None
        self._held.clear()
        self.solver = None

    def fresh(self, kind: str) -> Any:
        """Return a new unknown: `int`, `bool` or `float` (a real number)."""
        self._fresh += 1
        make = {"int": z3.Int, "bool": z3.Bool, "float": z3.Real}[kind]
        return make(f"{kind}{self._fresh}")

    def require(self, condition: Any) -> None:
        """Ask for a condition; raises DeadEnd when it is plainly false."""
        simple = z3.simplify(condition)
        if z3.is_false(simple):
            raise DeadEnd("a condition that is false")
        if not z3.is_true(simple):
            self.solver.add(simple)

    def decide(self, condition: Any) -> bool:
        """Take a side of a condition: the given one, else the first that is possible."""
        simple = z3.simplify(condition)
        if z3.is_true(simple) or z3.is_false(simple):
            return bool(z3.is_true(simple))
        place = len(self._taken)
        if place >= _DEEPEST:
            raise Unknown("too many decisions")
        if place < len(self._given):
            side = self._given[place]
        else:
            side = self._possible(simple)
            if self._possible(z3.Not(simple)):
                if side:
                    self.pending.append((*self._taken, False))
            elif not side:
                raise DeadEnd("neither side is possible")
        self._taken.append(side)
        self.solver.add(simple if side else z3.Not(simple))
        return side

    def _possible(self, condition: Any) -> bool:
        self.solver.set("rlimit", _STEPS_FEASIBLE)
        return bool(self.solver.check(condition) != z3.unsat)

    def model(self, rlimit: int, timeout_ms: int) -> Any:
        """Return values that meet all conditions, or None when none were found."""
        self.solver.set("rlimit", rlimit)
        self.solver.set("timeout", timeout_ms)
        found = self.solver.check()
        self.hopeless = bool(found == z3.unsat)
        return self.solver.model() if found == z3.sat else None
