"""Paths through a function with unknown arguments, and a solver for those that give the value."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from nsdbg.propose.evaluate import Program, Unknown, literal
from nsdbg.propose.symbolic.bits import bits_model
from nsdbg.propose.symbolic.compare import compare, term
from nsdbg.propose.symbolic.engine import Engine, new_context, use_context, z3
from nsdbg.propose.symbolic.rewrite import NAMES, rewritten
from nsdbg.propose.symbolic.shapes import Form, chosen, unknown
from nsdbg.propose.symbolic.values import SymBool
from nsdbg.source import Subject

_STEPS = 400_000
_BITS = 5  # z3 reckons less for a second's work on bits
SOLVING = 20  # what the solver costs, in hundreds of terms


@dataclass(frozen=True, slots=True)
class Effort:
    """What one attempt may cost: paths, and for each z3's resource units, its time, and terms.

    With `wide`, characters need not be ones that can be printed.  `bits` are the widths in which
    conditions on integers are tried as conditions on bits, with the bits of an unknown.
    """

    paths: int
    rlimit: int
    timeout_ms: int
    bits: tuple[tuple[int, int], ...]
    terms: int = 40_000
    wide: bool = False


class Explorer:
    """One function and the value it has to return."""

    def __init__(self, subject: Subject, value: str) -> None:
        assert isinstance(subject.node, ast.FunctionDef)
        tree = rewritten(subject.tree)
        place = (subject.node.name, subject.node.lineno)
        function = next(node for node in ast.walk(tree)
                        if isinstance(node, ast.FunctionDef)
                        and (node.name, node.lineno) == place)  # fmt: skip
        self._program = Program(function, tree, NAMES)
        self._value = literal(value)
        self._context = new_context()
        self.cost = 0  # of the last path, in hundreds of terms

    def models(
        self, forms: dict[str, Form], sizes: dict[str, tuple[int, ...]], effort: Effort
    ) -> Iterator[dict[str, Any] | None]:
        """Yield arguments that give the value, and None after each path that gave none.

        Ends when there are no more paths, or when the effort is spent.
        """
        waiting: list[tuple[bool, ...]] = [()]
        for turn in range(effort.paths):
            if not waiting:
                return
            # By turns the last path passed by, which mends what just failed, and the first one,
            # which gets out of a loop.
            use_context(self._context)
            self.cost = 0
            engine = Engine(waiting.pop(-1 if turn % 2 else 0), effort.wide, effort.terms)
            found = None
            with contextlib.suppress(Unknown, z3.Z3Exception):
                found = self._one(engine, forms, sizes, effort)
            self.cost += 1 + engine.terms // 100
            engine.close()
            yield found
            waiting += engine.pending

    def _one(
        self,
        engine: Engine,
        forms: dict[str, Form],
        sizes: dict[str, tuple[int, ...]],
        effort: Effort,
    ) -> dict[str, Any] | None:
        unknowns = {name: unknown(form, sizes[name], engine) for name, form in forms.items()}
        outcome = self._program.call(unknowns, steps=_STEPS)
        if outcome.error is not None:
            return None
        if not self._asked(outcome.value, engine):
            return None
        self.cost += SOLVING
        model = engine.model(effort.rlimit, effort.timeout_ms)
        for width, small in () if model is not None or engine.hopeless else effort.bits:
            conditions = engine.solver.assertions()
            model = bits_model(conditions, width, small, _BITS * effort.rlimit, effort.timeout_ms)
            if model is not None:
                break
        if model is None:
            return None
        return {name: chosen(value, model) for name, value in unknowns.items()}

    def _asked(self, result: Any, engine: Engine) -> bool:
        """Ask for the result to be the value; False when it cannot be."""
        if isinstance(self._value, bool) is not isinstance(result, (bool, SymBool)):
            return False
        same = compare("==", result, self._value)
        if isinstance(same, bool):
            return same
        engine.require(term(same))
        return True
