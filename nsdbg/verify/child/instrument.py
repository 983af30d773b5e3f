"""Rewrites a module's tree so that its functions tell a Meter how near each condition was.

What the functions compute, in which order, and what they raise stays as it is; line numbers stay.
Not a tracer: only conditions, returns and the lines a goal names are reported.  Liberties: `all`,
`any`, `and`, `or` and chains go on after they are decided, where that is harmless; in a ghost run
(a goal about a returned value) the entry goes on after a failed assertion or an unwanted constant,
to measure the rest, and ends as it would have; measuring may compare elements once more; tracebacks
gain frames of this package.
"""

import ast
from typing import Any, List, Optional, Sequence, Tuple

from .expressions import ExpressionRewriter
from .nodes import (
    call,
    constant,
    guard,
    haunted,
    is_plain_function,
    later,
    leaves,
    own_lines,
    parsed,
    placed,
)
from .purity import Purity

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
# A test's number, which way it went, and whether it only left the block before this statement.
Path = List[Tuple[int, bool, bool]]


class Place(object):
    """A line of the goal's chain in this module.

    `last` places take the locals along, and `where` are parsed expressions to evaluate there;
    `returns` is set instead of a line when the goal is what the function gives back.
    """

    def __init__(
        self,
        index: int,
        function: str,
        lineno: Optional[int],
        last: bool = False,
        where: Sequence[str] = (),
        returns: bool = False,
    ) -> None:
        self.index = index
        self.function = function
        self.lineno = lineno
        self.last = last
        self.where = where
        self.returns = returns
        # The tests that lead to it, and which way each has to go; set by the Instrumenter.
        self.guards: Tuple[Tuple[int, bool], ...] = ()


class Instrumenter(ExpressionRewriter):
    """Rewrites one module.

    `places` are the goal's in this module.  `ghost` names the entry (qualified) when its goal is
    about a returned value; `unwanted` is the constant that such a goal does not want: True, False
    or None when it wants neither.  Afterwards `sites` maps each condition to its line, and each
    place has as `guards` the conditions that lead to it.
    """

    def __init__(
        self,
        purity: Purity,
        places: Sequence[Place] = (),
        ghost: Optional[str] = None,
        unwanted: Optional[bool] = None,
        quantifiers: bool = True,
    ) -> None:
        super(Instrumenter, self).__init__(purity, quantifiers)
        self.places = places
        self.ghost = ghost
        self.unwanted = unwanted
        self.prefix = ""
        self.function: Optional[str] = None
        self.haunted = False
        self.guards: Path = []
        # Of each return in the function at hand: its constant and guards, and how it is reached.
        self.exits: List[Tuple[Any, Optional[ast.Tuple], Path]] = []

    def visit_Assign(self, node: ast.Assign) -> Any:
        """Keep a condition's distances with the local it is assigned to."""
        truth = (ast.Compare, ast.BoolOp, ast.UnaryOp, ast.Call)
        simple = len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)
        if not simple or not isinstance(node.value, truth):
            return self.generic_visit(node)
        name = constant(getattr(node.targets[0], "id", ""))
        node.value = call("keep", [name, self.condition(node.value)], node.value)
        return node

    def _branch(self, node: Any) -> int:
        site = self.site(node)
        number = len(self.sites) - 1
        node.test = call("branch", [site, self.condition(node.test)], node.test)
        return number

    def visit_If(self, node: ast.If) -> Any:
        """Note the test, and remember it for what it leads to."""
        leaves_body, leaves_else = leaves(node.body), leaves(node.orelse)
        site = self._branch(node)
        node.body = self._guarded(node.body, [(site, True, False)])
        node.orelse = self._guarded(node.orelse, [(site, False, False)])
        if leaves_body != leaves_else:
            # The rest of the block is reached by the other arm only.
            self.guards.append((site, leaves_else, True))
        return node

    def visit_While(self, node: ast.While) -> Any:
        """Note the test of every turn."""
        visits = self._visits(node)
        site = self._branch(node)
        if visits:
            node.test = call("second", [visits[0].value, node.test], node.test)
        node.body = self._guarded(node.body, [(site, True, False)])
        node.orelse = self._guarded(node.orelse, [])
        return node

    def visit_For(self, node: ast.For) -> Any:
        """Count the turns."""
        node.iter = self.visit(node.iter)
        again = self._visits(node)
        tick = placed(ast.Expr(call("tick", [], node)), node)
        node.body = [tick, *self._guarded(node.body, []), *again]
        node.orelse = self._guarded(node.orelse, [])
        return node

    visit_AsyncFor = visit_For  # type: ignore[assignment]

    def visit_With(self, node: ast.With) -> Any:
        """Rewrite the block."""
        node.items = [self.visit(item) for item in node.items]
        node.body = self._guarded(node.body, [])
        return node

    visit_AsyncWith = visit_With  # type: ignore[assignment]

    def visit_Try(self, node: ast.Try) -> Any:
        """Rewrite each block."""
        node.body = self._guarded(node.body, [])
        for handler in node.handlers:
            handler.body = self._guarded(handler.body, [])
        node.orelse = self._guarded(node.orelse, [])
        node.finalbody = self._guarded(node.finalbody, [])
        return node

    visit_TryStar = visit_Try  # type: ignore[assignment]

    def _guarded(self, body: List[ast.stmt], guards: Path) -> List[ast.stmt]:
        outer = self.guards
        self.guards = outer + guards
        try:
            return self.statements(body)
        finally:
            self.guards = outer

    def statements(self, body: Sequence[ast.stmt]) -> List[ast.stmt]:
        """Rewrite a block; a statement may become several."""
        written: List[ast.stmt] = []
        for statement in body:
            if not isinstance(statement, ast.While):
                written += self._visits(statement)
            result = self.visit(statement)
            written += result if isinstance(result, list) else [result]
        return written

    def _visits(self, statement: ast.stmt) -> List[ast.Expr]:
        """Build the reports of the places whose line lies in a statement's own lines."""
        first, last = own_lines(statement)
        found = []
        for place in self.places:
            if place.returns or place.lineno is None or not first <= place.lineno <= last:
                continue
            if place.function == self.function or self.function is None:
                place.guards = tuple((site, taken) for site, taken, _ in self.guards)
                found.append(ast.Expr(_visit(place, statement)))
        return [placed(visit, statement) for visit in found]

    def visit_Assert(self, node: ast.Assert) -> Any:
        """Let the meter decide whether the assertion is survived."""
        site = self.site(node)
        node.test = call("check", [site, self.condition(node.test)], node.test)
        return node

    def visit_Return(self, node: ast.Return) -> Any:
        """Note what is returned, and how far away another way out was."""
        value = node.value if node.value is not None else placed(constant(None), node)
        if isinstance(value, ast.Constant) and value.value is not None:
            return self._constant(node, value)
        self.exits.append((None, None, list(self.guards)))
        node.value = self._landed(call("result", [self.condition(value)], value))
        return node

    def _landed(self, value: ast.expr) -> ast.expr:
        """Report a returned value where the goal is what this function gives back."""
        for place in self.places:
            if place.returns and place.function == self.function:
                return call("landed", [constant(place.index), value], value)
        return value

    def _constant(self, node: ast.Return, value: ast.Constant) -> Any:
        around = [guard(site, taken) for site, taken, early in self.guards if not early]
        guards = ast.Tuple(list(around), ast.Load())
        self.exits.append((value.value, guards, list(self.guards)))
        node.value = self._landed(call("constant", [value, guards], value))
        if self.haunted and around and value.value is self.unwanted:
            test = call("leaves", [constant(value.value), guards], node)
            return placed(ast.If(test, [node], []), node)
        return node

    def _link_exits(self) -> None:
        """Let each returned constant know the tests that would have led to another one."""
        for value, guards, _ in self.exits:
            for other, _, path in self.exits:
                if guards is not None and other is not value and path:
                    site, taken, _ = path[-1]
                    guards.elts.append(placed(guard(site, not taken, True), guards))

    # Functions.

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        """Rewrite the body; decorators, defaults and hints stay as they are."""
        outer = self.prefix, self.function, self.haunted, self.guards, self.exits
        qualname = self.prefix + node.name
        self.prefix, self.function = qualname + ".<locals>.", node.name
        self.haunted = qualname == self.ghost and is_plain_function(node)
        self.guards, self.exits = [], []
        document = node.body[:1] if ast.get_docstring(node, clean=False) is not None else []
        body = self.statements(node.body[len(document) :])
        self._link_exits()
        if self.haunted and body:
            body = haunted(body)
        node.body = document + body
        self.prefix, self.function, self.haunted, self.guards, self.exits = outer
        return node

    visit_AsyncFunctionDef = visit_FunctionDef  # type: ignore[assignment]

    def visit_ClassDef(self, node: ast.ClassDef) -> Any:
        """Rewrite the methods only: a class's own statements ran at import."""
        outer, self.prefix = self.prefix, self.prefix + node.name + "."
        node.body = [self.visit(part) if isinstance(part, _DEFINITIONS) else part
                     for part in node.body]  # fmt: skip
        self.prefix = outer
        return node

    def visit_Match(self, node: Any) -> Any:
        """Rewrite each case's block."""
        node.subject = self.visit(node.subject)
        for case in node.cases:
            case.body = self._guarded(case.body, [])
        return node


def _visit(place: Place, like: ast.stmt) -> ast.Call:
    """Build the report that a place is reached, with locals and conditions at the last one."""
    arguments: List[ast.expr] = [constant(place.index)]
    if place.last:
        arguments.append(ast.Call(ast.Name("locals", ast.Load()), [], []))
        rewriter = ExpressionRewriter(Purity(ast.Module([], [])))
        tests = [later(rewriter.condition(parsed(text, like))) for text in place.where]
        arguments.append(ast.Tuple(list(tests), ast.Load()))
    return call("visit", arguments, like)
