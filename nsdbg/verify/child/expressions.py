"""Rewrites expressions so that conditions are computed, and measured, by the meter.

What they compute, in which order, and what they raise stays as it is.  Operands of `and`, `or` and
chains become functions of their own, evaluated when it is time; those that would mean something
else there are left alone.
"""

import ast
from typing import Any, List

from .gaps import LENGTH
from .nodes import (
    call,
    called_name,
    constant,
    is_length,
    is_movable,
    is_registered,
    later,
    registered,
)
from .purity import Purity

_PREDICATES = ("startswith", "endswith", "isdigit", "isalpha", "isalnum", "isupper", "islower",
               "isspace", "isnumeric", "isdecimal", "isidentifier", "isascii")  # fmt: skip
# Builtins that go over what they are given, and methods that look for their argument.
_PASSING = ("enumerate", "zip", "reversed", "sorted")
_LOOKING = ("index", "remove", "rindex")


class ExpressionRewriter(ast.NodeTransformer):
    """Rewrites expressions.

    `purity` knows the module's functions.  `quantifiers` is off for modules in which `all` or `any`
    may not be the builtins.  `sites` maps the number of each condition to its line.
    """

    def __init__(self, purity: Purity, quantifiers: bool = True) -> None:
        self.purity = purity
        self.quantifiers = quantifiers
        self.sites: List[int] = []

    def site(self, node: Any) -> ast.Constant:
        """Number a condition."""
        self.sites.append(node.lineno)
        return constant(len(self.sites) - 1)

    def condition(self, node: ast.expr) -> Any:
        """Rewrite an expression whose truth is going to be asked for."""
        written = self.visit(node)
        if is_registered(written):
            return written
        if isinstance(written, ast.Name):
            arguments = [constant(written.id), written]
            return registered(call("local", arguments, node))
        if isinstance(node, ast.Call):
            return registered(call("called", [call("fresh", [], node), written], node))
        return registered(call("truth", [written], node))

    def visit_Compare(self, node: ast.Compare) -> Any:
        """Let the meter compare."""
        parts = [node.left, *node.comparators]
        names = [type(operation).__name__ for operation in node.ops]
        if any(map(is_length, parts)):
            names = [LENGTH + name for name in names]
        if len(names) > 1 and not all(map(is_movable, node.comparators[1:])):
            return self.generic_visit(node)
        sites: List[ast.expr] = [self.site(node) for _ in names]
        words: List[ast.expr] = [constant(name) for name in names]
        harmless = all(map(self.purity.is_harmless, node.comparators[1:]))
        operands = [self.visit(part) for part in parts]
        if len(names) == 1:
            return registered(call("compare", sites + words + operands, node))
        arguments = [constant(harmless), ast.Tuple(sites, ast.Load()), ast.Tuple(words, ast.Load())]
        rest = [later(part) for part in operands[2:]]
        return registered(call("chained", arguments + operands[:2] + rest, node))

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        """Let the meter join conditions; all operands but the first become functions."""
        if not all(map(is_movable, node.values[1:])):
            # Whichever operand is evaluated last leaves its own distances.
            node.values = [self.condition(part) for part in node.values]
            return registered(node)
        word = "conjunction" if isinstance(node.op, ast.And) else "disjunction"
        flags: List[ast.expr] = [
            constant(self.purity.is_harmless(part)) for part in node.values[1:]
        ]
        first = self.condition(node.values[0])
        rest = [later(self.condition(part)) for part in node.values[1:]]
        return registered(call(word, [ast.Tuple(flags, ast.Load()), first, *rest], node))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        """Turn a condition round."""
        if not isinstance(node.op, ast.Not):
            return self.generic_visit(node)
        return registered(call("negate", [self.condition(node.operand)], node))

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        """Measure the test and either arm."""
        node.test = self.condition(node.test)
        node.body = self.condition(node.body)
        node.orelse = self.condition(node.orelse)
        return registered(node)

    def visit_Call(self, node: ast.Call) -> Any:
        """Let the meter compute quantifiers and predicates, and what looks for its argument."""
        name = called_name(node)
        if node.keywords or (not node.args and name not in _PREDICATES):
            return self.generic_visit(node)
        if any(isinstance(argument, ast.Starred) for argument in node.args):
            return self.generic_visit(node)
        if isinstance(node.func, ast.Name):
            if name in ("all", "any") and self.quantifiers:
                return self._quantifier(node, name)
            wrapped = "call" if name in ("int", "float") else ""
        else:
            wrapped = "predicate" if name in _PREDICATES else "call" if name in _LOOKING else ""
        if not wrapped:
            return self.generic_visit(node)
        parts = [self.visit(part) for part in [node.func, *node.args]]
        made = call(wrapped, [self.site(node), *parts], node)
        return registered(made) if wrapped == "predicate" else made

    def _quantifier(self, node: ast.Call, name: str) -> Any:
        """Rewrite `all` or `any` over a comprehension."""
        inner = node.args[0]
        if not isinstance(inner, (ast.GeneratorExp, ast.ListComp)) or not is_movable(inner):
            return self.generic_visit(node)
        flags = [
            constant(isinstance(inner, ast.GeneratorExp)),
            constant(self.purity.is_harmless(inner)),
        ]
        element = call("item", [self.condition(inner.elt)], inner.elt)
        loops = [self.visit(loop) for loop in inner.generators]
        _measure(loops[0])
        written = ast.copy_location(ast.GeneratorExp(element, loops), inner)
        arguments = [call("mark", [], node), written, *flags]
        return registered(call("every" if name == "all" else "some", arguments, node))

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        """Let the meter see divisors."""
        self.generic_visit(node)
        if isinstance(node.op, (ast.Div, ast.FloorDiv, ast.Mod)):
            node.right = call("divisor", [self.site(node), node.right], node.right)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        """Let the meter look up, so that it knows by how much a look-up failed."""
        self.generic_visit(node)
        # Python 3.8 wraps a plain index.
        wrapped = type(node.slice).__name__ == "Index"
        key = getattr(node.slice, "value", node.slice) if wrapped else node.slice
        plain = not isinstance(key, (ast.Tuple, ast.Slice)) and type(key).__name__ != "ExtSlice"
        if not isinstance(node.ctx, ast.Load) or not plain:
            return node
        return call("item_of", [self.site(node), node.value, key], node)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> Any:
        """Measure what is bound."""
        node.value = self.condition(node.value)
        return registered(node)


def _measure(loop: ast.comprehension) -> None:
    """Let the size of what a loop goes over be noted, inside `enumerate` and `zip` too."""
    inner = loop.iter
    if not (isinstance(inner, ast.Call) and getattr(inner.func, "id", "") in _PASSING):
        loop.iter = call("sized", [inner], inner)
        return
    count = len(inner.args) if called_name(inner) == "zip" else 1
    for index, argument in enumerate(inner.args[:count]):
        if not isinstance(argument, ast.Starred):
            inner.args[index] = call("sized", [argument], argument)
