"""Sizes: whole numbers and lengths as sums such as `len(rows) + 1`, read from the text.

Names with one definition are resolved; what cannot be put as a sum is None, never a guess.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from nsdbg.localize.code import Spot
from nsdbg.localize.definitions import Definition, How, dotted

DEEPEST = 5
SAME_LENGTH = ("list", "sorted", "tuple", "reversed", "copy", "upper", "lower", "map", "enumerate")


@dataclass(frozen=True, slots=True)
class Sum:
    """A whole number as text can tell it: named terms with their factors, and a constant."""

    terms: tuple[tuple[str, int], ...]
    constant: int = 0

    def __add__(self, other: Sum) -> Sum:
        factors = dict(self.terms)
        for term, factor in other.terms:
            factors[term] = factors.get(term, 0) + factor
        kept = tuple(sorted((term, factor) for term, factor in factors.items() if factor))
        return Sum(kept, self.constant + other.constant)

    def __neg__(self) -> Sum:
        return Sum(tuple((term, -factor) for term, factor in self.terms), -self.constant)

    def __sub__(self, other: Sum) -> Sum:
        return self + -other

    @property
    def number(self) -> int | None:
        """The value when no named term is left."""
        return None if self.terms else self.constant


def term(name: str) -> Sum:
    """Return the sum that is one named term."""
    return Sum(((name, 1),))


class Sizes:
    """Puts expressions of a function into sums, resolving names that have one definition."""

    def __init__(self, spot: Spot) -> None:
        self.spot = spot

    def sum_of(self, node: ast.expr, spot: Spot | None = None, depth: int = 0) -> Sum | None:
        """Return an integer expression as a sum, None when it is not one."""
        spot = spot or self.spot
        if isinstance(node, ast.Constant):
            return Sum((), node.value) if type(node.value) is int else None
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            inner = self.sum_of(node.operand, spot, depth)
            return -inner if inner else None
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
            left, right = self.sum_of(node.left, spot, depth), self.sum_of(node.right, spot, depth)
            if left is None or right is None:
                return None
            return left + right if isinstance(node.op, ast.Add) else left - right
        if isinstance(node, ast.Call) and dotted(node.func) == "len" and len(node.args) == 1:
            return self.length_of(node.args[0], spot, depth)
        name = dotted(node)
        if name is None:
            return term(ast.unparse(node))
        one = self._only(spot, name)
        if one is not None and one.how is How.ASSIGNED and one.whole and depth < DEEPEST:
            resolved = self._resolved(one, spot, depth)
            if resolved is not None:
                return resolved
        return term(name)

    def _resolved(self, one: Definition, spot: Spot, depth: int) -> Sum | None:
        if one.value is None or one.statement is None:
            return None
        if isinstance(one.value, ast.Constant | ast.BinOp | ast.Call | ast.Name | ast.UnaryOp):
            return self.sum_of(one.value, Spot(spot.code, spot.qualname, one.statement), depth + 1)
        return None

    def length_of(self, node: ast.expr, spot: Spot | None = None, depth: int = 0) -> Sum | None:
        """Return the length of a container as a sum, None when nothing is known of it."""
        spot = spot or self.spot
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
            return Sum((), len(node.value))
        if isinstance(node, ast.List | ast.Tuple):
            starred = any(isinstance(one, ast.Starred) for one in node.elts)
            return None if starred else Sum((), len(node.elts))
        if isinstance(node, ast.BinOp):
            return self._combined_length(node, spot, depth)
        if isinstance(node, ast.ListComp) and len(node.generators) == 1:
            one = node.generators[0]
            return None if one.ifs else self.length_of(one.iter, spot, depth)
        if isinstance(node, ast.Call):
            return self._call_length(node, spot, depth)
        name = dotted(node)
        if name is None:
            return self._row_length(node, spot, depth) or term(f"len({ast.unparse(node)})")
        one_only = self._only(spot, name)
        if one_only is not None and one_only.how is How.ASSIGNED and depth < DEEPEST:
            value, statement = one_only.value, one_only.statement
            if one_only.whole and value is not None and statement is not None:
                inner = Spot(spot.code, spot.qualname, statement)
                found = self.length_of(value, inner, depth + 1)
                if found is not None:
                    return found
        return term(f"len({name})")

    def _combined_length(self, node: ast.BinOp, spot: Spot, depth: int) -> Sum | None:
        if isinstance(node.op, ast.Add):
            left = self.length_of(node.left, spot, depth)
            right = self.length_of(node.right, spot, depth)
            return left + right if left is not None and right is not None else None
        if isinstance(node.op, ast.Mult):
            for part, times in ((node.left, node.right), (node.right, node.left)):
                if isinstance(part, ast.List) and len(part.elts) == 1:
                    return self.sum_of(times, spot, depth)
        return None

    def _call_length(self, node: ast.Call, spot: Spot, depth: int) -> Sum | None:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else dotted(node.func)
        if name == "range" and not node.keywords and 1 <= len(node.args) <= 2:
            bounds = [self.sum_of(one, spot, depth) for one in node.args]
            if any(one is None for one in bounds):
                return None
            return bounds[-1] - bounds[0] if len(bounds) == 2 else bounds[0]  # type: ignore[operator]
        if name in SAME_LENGTH and isinstance(node.func, ast.Name) and node.args:
            return self.length_of(node.args[-1], spot, depth)
        if name in SAME_LENGTH and isinstance(node.func, ast.Attribute):
            return self.length_of(node.func.value, spot, depth)
        if name in ("zfill", "ljust", "rjust", "center") and node.args:
            # Never shorter than asked for; longer only for a value that needs no padding.
            return self.sum_of(node.args[0], spot, depth)
        return None

    def _row_length(self, node: ast.expr, spot: Spot, depth: int) -> Sum | None:
        """Return the length of `table[i]` where the table is made of rows of one length."""
        if not isinstance(node, ast.Subscript) or (name := dotted(node.value)) is None:
            return None
        one = self._only(spot, name)
        if one is None or one.how is not How.ASSIGNED or one.statement is None:
            return None
        inner = Spot(spot.code, spot.qualname, one.statement)
        if isinstance(one.value, ast.ListComp):
            return self.length_of(one.value.elt, inner, depth + 1)
        if isinstance(one.value, ast.List) and len(one.value.elts) == 1:
            return self.length_of(one.value.elts[0], inner, depth + 1)
        return None

    def _only(self, spot: Spot, name: str) -> Definition | None:
        """Return the one definition of a name, elements put into it and `x[i] = …` apart."""
        found = [one for one in spot.definitions_of(name) if one.how is not How.MUTATED]
        grown = [one for one in spot.definitions_of(name) if one.how is How.MUTATED
                 and not _stores_only(one)]  # fmt: skip
        return found[0] if len(found) == 1 and not grown else None


def _stores_only(one: Definition) -> bool:
    """Whether a change in place keeps the length: `x[i] = …` and `x[i] += …`."""
    return isinstance(one.statement, ast.Assign | ast.AugAssign)
