"""The rest of a function from one of its lines on, as a syntax tree that enters there.

A trace function may jump (`frame.f_lineno`), but not into `for`, `with` or `except`, and since
3.12 a jump binds unbound locals to None.  So nothing jumps here: the function is rebuilt such that
it walks to the line without evaluating anything of the program on the way.  Blocks around the line
keep their kind, so that the compiler gives what follows the lines and the structure it had.

What the way needs are objects of ours, put into the tree as constants: see `Constants`.
"""

import ast
import sys
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Set, Tuple, TypeVar

from .headers import first_line, header_lines

Node = TypeVar("Node", bound=ast.AST)

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
SCOPES = (*FUNCTIONS, ast.ClassDef, ast.Lambda)


class Refused(Exception):
    """A state from which the function cannot go on as it would; `slug` is a Reason's."""

    def __init__(self, slug: str, detail: str) -> None:
        super().__init__("%s: %s" % (slug, detail))


class Constants:
    """Objects in a code object's constants, which the tree names by texts nobody writes."""

    def __init__(self) -> None:
        self.objects: Dict[str, Any] = {}

    def load(self, value: Any, lineno: int) -> ast.expr:
        """Return an expression that loads an object."""
        text = "\0nsdbg constant %d" % len(self.objects)
        self.objects[text] = value
        return place(ast.Constant(value=text, kind=None), lineno)

    def call(self, value: Any, lineno: int) -> ast.expr:
        """Return an expression that calls an object."""
        return place(ast.Call(func=self.load(value, lineno), args=[], keywords=[]), lineno)

    def put_into(self, code: Any) -> Any:
        """Return a code object with the objects in place of the texts."""
        return code.replace(
            co_consts=tuple(
                self.objects.get(const, const) if type(const) is str else const
                for const in code.co_consts
            )
        )


def place(node: Node, lineno: int) -> Node:
    """Give a node of ours its line."""
    places = {"lineno": lineno, "end_lineno": lineno, "col_offset": 0, "end_col_offset": 0}
    for name, value in places.items():
        setattr(node, name, value)
    return node


class Step(NamedTuple):
    """One block on the way: the statement that holds it, the block's field, where to go in it.

    `handler` is the `except` clause, for the body of one.
    """

    node: ast.stmt
    field: str
    block: List[ast.stmt]
    at: int
    handler: Optional[ast.ExceptHandler] = None


Way = List[Step]


def blocks_of(node: ast.stmt) -> List[Tuple[str, List[ast.stmt], Optional[ast.ExceptHandler]]]:
    """Return the blocks of a statement that run in the same frame."""
    if isinstance(node, SCOPES):
        return []
    found: List[Tuple[str, List[ast.stmt], Optional[ast.ExceptHandler]]] = []
    for field in ("body", "orelse", "finalbody"):
        block = getattr(node, field, None)
        if block:
            found.append((field, block, None))
    for handler in getattr(node, "handlers", ()):
        found.append(("handlers", handler.body, handler))
    for case in getattr(node, "cases", ()):
        found.append(("cases", case.body, None))
    return found


def find_way(function: ast.stmt, wanted: Callable[[ast.stmt], bool]) -> Optional[Way]:
    """Return the way to the first statement that is wanted, outermost first."""
    return _search(function, "body", getattr(function, "body", []), None, wanted)


def _search(
    node: ast.stmt,
    field: str,
    block: List[ast.stmt],
    handler: Optional[ast.ExceptHandler],
    wanted: Callable[[ast.stmt], bool],
) -> Optional[Way]:
    for index, statement in enumerate(block):
        step = Step(node, field, block, index, handler)
        if wanted(statement):
            return [step]
        for inner_field, inner, inner_handler in blocks_of(statement):
            rest = _search(statement, inner_field, inner, inner_handler, wanted)
            if rest is not None:
                return [step, *rest]
    return None


def locate(function: ast.stmt, lineno: int, raising: bool) -> Way:
    """Return the way to the statement at whose beginning a line event has this line.

    With `raising` the line may lie anywhere in the statement.  Raises Refused.
    """
    way = find_way(function, lambda node: start_line(node) == lineno)
    if way is None:
        way = _around(function, lineno)
    if way is None:
        raise Refused("start-not-reached", "line %d has no statement of its own" % lineno)
    target = way[-1].block[way[-1].at]
    if raising:
        if isinstance(target, ast.Try):
            raise Refused("start-not-reached", "line %d raises between two blocks" % lineno)
        return way
    lines = header_lines(target)
    if lines[:1] != [lineno]:
        first = lines[0] if lines else start_line(target)
        raise Refused(
            "start-not-reached",
            "line %d lies inside a statement that begins at line %d" % (lineno, first),
        )
    twice = lines.count(lineno) > 1 and not isinstance(target, _REPEATED)
    if twice or _is_passed_again(way, target):
        raise Refused(
            "start-not-reached", "line %d is passed more than once in its statement" % lineno
        )
    return way


# What may stand at its head again is told apart with the locals, by the caller.
_REPEATED = (ast.For, ast.With, ast.AsyncFor, ast.AsyncWith)


def _is_passed_again(way: Way, target: ast.stmt) -> bool:
    """Whether what runs at the end of a block bears the line of a statement within.

    Before 3.10 that is so for `finally`, `with` and the unbinding of an exception's name: a jump
    out of the block comes back to its line, and an exception to that of the last statement.
    """
    if sys.version_info >= (3, 10):
        return False
    jumps = isinstance(target, (ast.Return, ast.Break, ast.Continue))
    for step in way:
        managed = isinstance(step.node, (ast.With, ast.AsyncWith))
        named = step.handler is not None and bool(step.handler.name)
        cleaned = isinstance(step.node, ast.Try) and bool(step.node.finalbody)
        last = step.block[-1].end_lineno
        is_last = last in (target.lineno, 0 if blocks_of(target) else target.end_lineno)
        if (managed or named) and (jumps or is_last):
            return True
        if cleaned and jumps and step.field != "finalbody":
            return True
    return False


def _around(function: ast.stmt, lineno: int) -> Optional[Way]:
    """Return the way to the innermost statement around a line."""
    found = None
    wanted: List[ast.stmt] = []
    for node in ast.walk(function):
        if not isinstance(node, ast.stmt) or node is function:
            continue
        if start_line(node) <= lineno <= (node.end_lineno or 0):
            wanted.append(node)
    for node in wanted:
        way = find_way(function, lambda other, node=node: other is node)  # type: ignore[misc]
        if way is not None and (found is None or len(way) >= len(found)):
            found = way
    return found


def start_line(node: ast.stmt) -> int:
    """Return the first line of a statement, decorators included."""
    decorators = getattr(node, "decorator_list", [])
    first: int = min([node.lineno, *(item.lineno for item in decorators)])
    return first


class Entrance:
    """Rebuilds a function's body so that it begins at the end of a way.

    `mark` gives the statements that end the entering: they bind the locals.  `items(lineno)` is
    an iterable for the loop at that line: first anything, then what remains of it.
    """

    def __init__(
        self,
        constants: Constants,
        entering: List[int],
        line: int,
        items: Callable[[ast.For], Any],
        manager: Any,
        thrown: Callable[[ast.ExceptHandler], BaseException],
        end: Callable[[], None],
    ) -> None:
        self.constants = constants
        self.line = line
        self._entering = entering
        self._items = items
        self._manager = manager
        self._thrown = thrown
        self._end = end
        self.dead: Set[int] = set()  # statements, by identity, that only keep the structure

    def body(self, way: Way, beginning: List[ast.stmt]) -> List[ast.stmt]:
        """Return the block of the way's first step, from `beginning` on in place of its target."""
        step = way[0]
        rest = step.block[step.at + 1 :]
        if len(way) == 1:
            return [*beginning, *rest]
        return [self._enter(step.block[step.at], way[1:], beginning), *rest]

    def _enter(self, node: ast.stmt, way: Way, beginning: List[ast.stmt]) -> ast.stmt:
        inner = self.body(way, beginning)
        if isinstance(node, ast.If):
            return self._enter_if(node, way[0], inner)
        if isinstance(node, ast.While):
            return self._enter_while(node, way[0], inner)
        if isinstance(node, ast.For):
            return self._enter_for(node, way[0], inner)
        if isinstance(node, ast.With):
            # Leaving the block bears the line of the last manager, in some versions.
            manager = self.constants.load(self._manager, self.line)
            ast.copy_location(manager, node.items[-1].context_expr)
            return ast.copy_location(ast.With([ast.withitem(manager, None)], inner, None), node)
        if isinstance(node, ast.Try):
            return self._enter_try(node, way[0], inner)
        if type(node).__name__ == "Match":
            choice = ast.If(self._is_entering(self.line), inner, self._structure([node]))
            return ast.copy_location(choice, node)
        word = "hidden-iterator" if isinstance(node, ast.AsyncFor) else "start-not-reached"
        raise Refused(
            word, "line %d lies within a %s" % (way[0].block[0].lineno, type(node).__name__)
        )

    def _structure(self, block: List[ast.stmt]) -> List[ast.stmt]:
        self.dead.update(map(id, block))
        return block

    def _is_entering(self, lineno: int) -> ast.expr:
        return self.constants.call(self._entering.__len__, lineno)

    def _is_inside(self, lineno: int) -> ast.expr:
        return place(ast.UnaryOp(place(ast.Not(), lineno), self._is_entering(lineno)), lineno)

    def _enter_if(self, node: ast.If, step: Step, inner: List[ast.stmt]) -> ast.stmt:
        if step.field == "body":
            new = ast.If(self._is_entering(self.line), inner, self._structure(node.orelse))
        else:
            new = ast.If(self._is_inside(self.line), self._structure(node.body), inner)
        return ast.copy_location(new, node)

    def _first_pass(self, block: List[ast.stmt], inner: List[ast.stmt]) -> List[ast.stmt]:
        """Return a loop's body whose first pass begins inside.

        The test bears the line of the body's own first event, and lies just before it, so that no
        pass has an event more than it had.
        """
        line = next((first_line(node) for node in block if first_line(node)), block[0].lineno)
        choice = ast.If(self._is_inside(line), block, inner)
        return [place(choice, line)]

    def _enter_while(self, node: ast.While, step: Step, inner: List[ast.stmt]) -> ast.stmt:
        if step.field == "orelse":
            new = ast.While(self._is_inside(self.line), self._structure(node.body), inner)
            return ast.copy_location(new, node)
        test = node.test
        if not (isinstance(test, ast.Constant) and test.value):
            either = [self._is_entering(test.lineno), test]
            test = ast.copy_location(ast.BoolOp(ast.Or(), either), test)
        new = ast.While(test, self._first_pass(node.body, inner), node.orelse)
        return ast.copy_location(new, node)

    def _enter_for(self, node: ast.For, step: Step, inner: List[ast.stmt]) -> ast.stmt:
        if step.field == "orelse":
            nothing = self.constants.load((), self.line)
            new = ast.For(node.target, nothing, self._structure(node.body), inner, None)
            return ast.copy_location(new, node)
        items = self.constants.load(self._items(node), node.iter.lineno)
        new = ast.For(node.target, items, self._first_pass(node.body, inner), node.orelse, None)
        return ast.copy_location(new, node)

    def _enter_try(self, node: ast.Try, step: Step, inner: List[ast.stmt]) -> ast.stmt:
        body: List[ast.stmt] = [place(ast.Pass(), self.line)]
        handlers = node.handlers
        orelse, final = node.orelse, node.finalbody
        if step.field == "body":
            body = inner
        elif step.field == "orelse":
            orelse = inner
        elif step.field == "finalbody":
            # However the block is left: what was pending when it was entered decides what follows,
            # down to the lines of CPython's own clean-up after an exception within.
            ended: ast.stmt = place(ast.Expr(self.constants.call(self._end, self.line)), self.line)
            final = [place(ast.Try(inner, [], [], [ended]), self.line)]
        else:
            assert step.handler is not None
            body = [self._throw(step.handler)]
            handlers = [self._handler(one, step.handler, inner) for one in node.handlers]
        return ast.copy_location(ast.Try(body, handlers, orelse, final), node)

    def _throw(self, handler: ast.ExceptHandler) -> ast.stmt:
        error = self.constants.load(self._thrown(handler), self.line)
        return place(ast.Raise(error, None), self.line)

    def _handler(
        self, one: ast.ExceptHandler, entered: ast.ExceptHandler, inner: List[ast.stmt]
    ) -> ast.ExceptHandler:
        """Return a handler that catches ours when it is the one to enter, and nothing if not."""
        caught = BaseException if one is entered else ()
        block = inner if one is entered else self._structure(one.body)
        new = ast.ExceptHandler(self.constants.load(caught, self.line), one.name, block)
        return ast.copy_location(new, one)


def dummy_for(target: ast.expr) -> Any:
    """Return something that a loop's target can be bound to; raises Refused for what it stores."""
    if isinstance(target, ast.Name):
        return None
    if isinstance(target, ast.Starred):
        return dummy_for(target.value)
    if isinstance(target, (ast.Tuple, ast.List)):
        return tuple(dummy_for(part) for part in target.elts)
    raise Refused("start-not-reached", "the loop at line %d binds more than names" % target.lineno)
