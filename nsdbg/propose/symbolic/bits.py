"""Conditions on integers as conditions on bits: a second opinion where the first finds nothing.

Numbers are taken to be small, so a solution may be missed and an overflow may give a wrong one;
whoever asks checks it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from nsdbg.propose.symbolic.engine import z3

_WIDEST = 100  # bits of a number


class NoBits(Exception):
    """A condition that has no counterpart on bits."""


class BitsModel:
    """Values of integer unknowns, found as bits; it is read as the solver's own models are."""

    def __init__(self, model: Any, width: int) -> None:
        self._model = model
        self._width = width

    def eval(self, unknown: Any, model_completion: bool = True) -> Any:
        """Return the value of an unknown; others than integers and truth values have none."""
        if z3.is_bool(unknown):
            return self._model.eval(unknown, model_completion=model_completion)
        bits = z3.BitVec(unknown.decl().name(), self._width)
        return z3.IntVal(self._model.eval(bits, model_completion=True).as_signed_long())


def bits_model(
    conditions: Sequence[Any], width: int, small: int, rlimit: int, timeout_ms: int
) -> BitsModel | None:
    """Return values for integer conditions whose unknowns lie within `small` bits, or None.

    `width` is the number of bits in which is reckoned, more where a number of the conditions has
    more.
    """
    solver = z3.SolverFor("QF_BV")
    solver.set("rlimit", rlimit)
    solver.set("timeout", timeout_ms)
    try:
        translator = _Translator(max(width, _largest(conditions) + 4))
        for condition in conditions:
            solver.add(translator.term(condition))
    except NoBits:
        return None
    width = translator.width
    bound = z3.BitVecVal(1 << small, width)
    for unknown in translator.unknowns:
        solver.add(unknown < bound, unknown >= -bound)
    return BitsModel(solver.model(), width) if solver.check() == z3.sat else None


def _largest(conditions: Sequence[Any]) -> int:
    """Return how many bits the largest number of the conditions has."""
    largest, seen, stack = 0, set(), list(conditions)
    while stack:
        node = stack.pop()
        if node.get_id() in seen:
            continue
        seen.add(node.get_id())
        stack += node.children()
        if z3.is_int_value(node):
            largest = max(largest, int(node.as_long()).bit_length())
    if largest > _WIDEST:
        raise NoBits("a number that is too large")
    return largest


class _Translator:
    """Translates terms, each once."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.unknowns: list[Any] = []
        self._known: dict[int, Any] = {}

    def term(self, node: Any) -> Any:
        """Return the counterpart of a term, parts first: terms nest deeper than Python's stack."""
        stack = [node]
        while stack:
            top = stack[-1]
            if top.get_id() in self._known:
                stack.pop()
                continue
            parts = [part for part in top.children() if part.get_id() not in self._known]
            if parts:
                stack += parts
            else:
                stack.pop()
                self._known[top.get_id()] = self._one(top)
        return self._known[node.get_id()]

    def _one(self, node: Any) -> Any:
        parts = [self._known[part.get_id()] for part in node.children()]
        kind = node.decl().kind()
        if z3.is_int_value(node):
            return z3.BitVecVal(int(node.as_long()), self.width)
        if kind == z3.Z3_OP_UNINTERPRETED and not parts:
            return self._unknown(node)
        made = _MAKERS.get(kind)
        if made is None:
            raise NoBits(str(node.decl()))
        return made(parts)

    def _unknown(self, node: Any) -> Any:
        if z3.is_bool(node):
            return node
        if not node.is_int():
            raise NoBits("a real number")
        made = z3.BitVec(node.decl().name(), self.width)
        self.unknowns.append(made)
        return made


def _folded(operation: Callable[[Any, Any], Any]) -> Callable[[Sequence[Any]], Any]:
    def fold(parts: Sequence[Any]) -> Any:
        result = parts[0]
        for part in parts[1:]:
            result = operation(result, part)
        return result

    return fold


def _floor(left: Any, right: Any) -> Any:
    return (left - left % right) / right  # `%` on bits has the divisor's sign, as in Python


_MAKERS: dict[int, Callable[[Sequence[Any]], Any]] = {
    z3.Z3_OP_ADD: _folded(lambda a, b: a + b), z3.Z3_OP_SUB: _folded(lambda a, b: a - b),
    z3.Z3_OP_MUL: _folded(lambda a, b: a * b), z3.Z3_OP_UMINUS: lambda parts: -parts[0],
    z3.Z3_OP_IDIV: _folded(_floor), z3.Z3_OP_MOD: _folded(lambda a, b: a % b),
    z3.Z3_OP_LE: lambda parts: parts[0] <= parts[1],
    z3.Z3_OP_LT: lambda parts: parts[0] < parts[1],
    z3.Z3_OP_GE: lambda parts: parts[0] >= parts[1],
    z3.Z3_OP_GT: lambda parts: parts[0] > parts[1],
    z3.Z3_OP_EQ: lambda parts: parts[0] == parts[1], z3.Z3_OP_DISTINCT: z3.Distinct,
    z3.Z3_OP_ITE: lambda parts: z3.If(*parts), z3.Z3_OP_AND: z3.And, z3.Z3_OP_OR: z3.Or,
    z3.Z3_OP_NOT: lambda parts: z3.Not(parts[0]), z3.Z3_OP_TRUE: lambda parts: z3.BoolVal(True),
    z3.Z3_OP_FALSE: lambda parts: z3.BoolVal(False),
    z3.Z3_OP_IMPLIES: lambda parts: z3.Implies(*parts),
    z3.Z3_OP_XOR: lambda parts: z3.Xor(*parts), z3.Z3_OP_IFF: lambda parts: parts[0] == parts[1],
}  # fmt: skip
