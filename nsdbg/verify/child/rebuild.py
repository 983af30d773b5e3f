"""Rebuilds a function so that it goes on from a state: its locals bound, the rest of it to run.

Says no where the rest needs at once what the state does not hold; where it may come to need it
later, puts a stand-in there (`standins`).
"""

import ast
import sys
from types import FunctionType
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Set

from .bindings import (
    deleted_names,
    fresh_names,
    given_names,
    stored_names,
    walk_frame,
    without_scopes,
)
from .continuation import (
    Constants,
    Entrance,
    Refused,
    Way,
    dummy_for,
    locate,
    place,
)
from .headers import header_lines, header_parts
from .histories import with_past
from .literals import NotALiteral, parse
from .redefine import definition, redefined, source_of
from .standins import (
    Manager,
    Need,
    Opaque,
    Sharing,
    exception_of,
    items_of,
    opaque,
    rebuilt_exception,
)

# Names through which code reads the exception that is being handled.
_CURRENT = frozenset(["exc_info", "exception", "format_exc", "print_exc"])


class Rebuilding:
    """One function being rebuilt for one state; `need` is called when it needs something hidden.

    `line` is the number given to what is put into the function; its file does not have that line.
    `past` numbers the past of its sets (see `histories`).
    """

    def __init__(
        self,
        function: FunctionType,
        state: Dict[str, Any],
        remaining: Dict[int, str],
        shared: bool,
        need: Need,
        past: int = 0,
    ) -> None:
        self.function, self.code = function, function.__code__
        self.remaining, self.shared, self.need = remaining, shared, need
        self.past = past
        self.line = 0
        self.event: str = state["e"]
        self.arg = state["a"]
        _, self.lineno, _, names = state["f"][-1]
        self.names: List[Sequence[Any]] = names or []
        self.constants = Constants()
        self.opaque: Set[str] = set()
        self.sharing: Optional[Sharing] = None

    def function_from(self, entering: List[int]) -> FunctionType:
        """Return the function that goes on; `entering` is emptied when it stands at the state.

        Raises Refused.
        """
        if self.event not in ("line", "exception"):
            where = "the caller, which the state does not hold"
            raise Refused("start-not-reached", "what follows a %s lies in %s" % (self.event, where))
        text = source_of(self.code)
        line = self.line = text.count("\n") + 2
        module, node = definition(text, self.code)
        way = locate(node, self.lineno, self.event == "exception")
        target = way[-1].block[way[-1].at]
        self._check_names()
        entrance = Entrance(
            self.constants, entering, line, self._items, Manager(self.need),
            lambda handler: self._thrown(handler), self._end,
        )  # fmt: skip
        values = self._values(node)
        entered = place(ast.Expr(self.constants.call(entering.clear, line)), line)
        binding = self._binding(values, way, line)
        beginning = [*binding, entered, *self._first(node, target)]
        rest = entrance.body(way, beginning)
        self._check_opaque(rest, entrance.dead)
        never = _never(definition(text, self.code)[1].body, line)
        node.body = [*self._declarations(node, values), never, *without_scopes(rest)]
        return redefined(self.function, module, self.constants)

    def _check_names(self) -> None:
        known = self.code.co_varnames + self.code.co_cellvars + self.code.co_freevars
        for name in self.names:
            if name[0] not in known:
                raise Refused(
                    "start-not-reached", "%s has no local %s" % (self.code.co_name, name[0])
                )

    def _values(self, node: ast.AST) -> Dict[str, Any]:
        """Return the locals to bind; cells of an outer function keep what no literal stands for."""
        self.sharing = Sharing(fresh_names(node), given_names(node)) if self.shared else None
        found: Dict[str, Any] = {}
        for name, text, kind, *_ in self.names:
            try:
                value = with_past(parse(text), self.past)
            except NotALiteral:
                if name not in self.code.co_freevars:
                    found[name] = rebuilt_exception(text) or opaque(text, kind)
                    if isinstance(found[name], Opaque):
                        self.opaque.add(name)
                continue
            found[name] = self._share(name, value)
        return found

    def _binding(self, values: Dict[str, Any], way: Way, line: int) -> List[ast.stmt]:
        """Return the statements that bind the locals and unbind the others."""
        statements: List[ast.stmt] = []
        caught = {step.handler.name for step in way if step.handler is not None}
        for name, value in values.items():
            if name in caught and isinstance(value, (Opaque, BaseException)):
                continue  # the handler has bound it
            given = self.constants.call([value].pop, line)
            target = place(ast.Name(name, ast.Store()), line)
            statements.append(place(ast.Assign([target], given, None), line))
        for name in sorted(self._bound_on_the_way(way) - set(values)):
            target = place(ast.Name(name, ast.Del()), line)
            statements.append(place(ast.Delete([target]), line))
        return statements

    def _bound_on_the_way(self, way: Way) -> Set[str]:
        code = self.code
        count = code.co_argcount + code.co_kwonlyargcount
        count += bool(code.co_flags & 0x04) + bool(code.co_flags & 0x08)  # *args, **kwargs
        found = set(code.co_varnames[:count])
        for step in way:
            if step.handler is not None and step.handler.name:
                found.add(step.handler.name)
            if isinstance(step.node, ast.For) and step.field == "body":
                found |= stored_names(step.node.target)
        return found

    def _first(self, node: ast.AST, target: ast.stmt) -> List[ast.stmt]:
        """Return the statement to begin with."""
        if self.event == "exception":
            error = self._raised()
            raised = ast.Raise(self.constants.load(error, self.lineno), None)
            return [place(raised, self.lineno)]
        if sys.version_info >= (3, 12) and self._is_in_comprehension(target):
            raise Refused(
                "start-not-reached", "line %d may stand inside its comprehension" % self.lineno
            )
        if isinstance(target, ast.While) and target.body[0].lineno == self.lineno:
            # Since 3.10 the condition is compiled once more, behind the body.
            raise Refused(
                "start-not-reached", "line %d may stand after its condition" % self.lineno
            )
        if isinstance(target, (ast.For, ast.AsyncFor)):
            return [self._loop(node, target)]
        if isinstance(target, (ast.With, ast.AsyncWith)):
            self._check_with(node, target)
        return [target]

    def _is_in_comprehension(self, target: ast.stmt) -> bool:
        """Whether a comprehension's variable is bound: since 3.12 it is one of the frame's."""
        bound = {name[0] for name in self.names}
        return any(
            isinstance(node, ast.comprehension) and bool(stored_names(node.target) & bound)
            for part in header_parts(target)
            for node in ast.walk(part)
        )

    def _loop(self, node: ast.AST, loop: Any) -> Any:
        """Return a loop that stands at its head: before it, or between two items."""
        if loop.lineno in self.remaining and isinstance(loop, ast.For):
            items = self.constants.load(self._remaining(loop.lineno), loop.iter.lineno)
            new = ast.For(loop.target, items, loop.body, loop.orelse, None)
            return ast.copy_location(new, loop)
        bound = {name[0] for name in self.names}
        targets = stored_names(loop.target)
        if targets - bound and not targets & deleted_names(node):
            return loop  # nothing was taken from it: it would have bound its target
        raise Refused(
            "hidden-iterator",
            "line %d may stand before the loop or between two items; say which with "
            '\'remaining\': {"%d": "[...]"}' % (loop.lineno, loop.lineno),
        )

    def _check_with(self, node: ast.AST, block: Any) -> None:
        """Refuse a `with` line that may be its end: since 3.10 it is passed there once more."""
        if header_lines(block).count(self.lineno) < 2:
            return
        bound = {name[0] for name in self.names}
        for item in block.items:
            names = stored_names(item.optional_vars) if item.optional_vars else set()
            if names - bound and not names & deleted_names(node):
                return
        raise Refused(
            "start-not-reached",
            "line %d is passed before and after its block, and the state does not tell which"
            % self.lineno,
        )

    def _remaining(self, lineno: int) -> List[Any]:
        try:
            items = with_past(parse(self.remaining[lineno]), self.past)
        except NotALiteral as error:
            raise Refused("not-a-literal", "remaining items of line %d" % lineno) from error
        if type(items) is not list:
            raise Refused("not-a-literal", "remaining items of line %d: no list" % lineno)
        return [self._share("", item) for item in items]

    def _share(self, name: str, value: Any) -> Any:
        return value if self.sharing is None else self.sharing.of(name, value)

    def _items(self, loop: ast.For) -> Iterator[Any]:
        """Return an iterator for a loop around the state: anything, then what remains."""
        first = dummy_for(loop.target)
        known = loop.lineno in self.remaining
        rest = self._remaining(loop.lineno) if known else []
        return items_of(first, rest, None if known else self._no_more(loop.lineno))

    def _no_more(self, lineno: int) -> Callable[[], None]:
        detail = (
            "the loop at line %d asks for its next item, which the state does not hold" % lineno
        )
        return lambda: self.need("hidden-iterator", detail)

    def _end(self) -> None:
        self.need("start-not-reached", "what follows `finally` is not in the state")

    def _thrown(self, handler: ast.ExceptHandler) -> BaseException:
        """Return the exception that a handler around the state is handling."""
        if handler.name:
            for name, text, *_ in self.names:
                error = rebuilt_exception(text) if name == handler.name else None
                if error is not None:
                    return error
        for node in walk_frame(handler.body):
            bare = isinstance(node, ast.Raise) and node.exc is None
            if bare or getattr(node, "attr", getattr(node, "id", "")) in _CURRENT:
                raise Refused(
                    "start-not-reached",
                    "line %d needs the exception being handled, which the state does not hold"
                    % getattr(node, "lineno", self.lineno),
                )
        return Exception("a placeholder")

    def _raised(self) -> BaseException:
        """Return the exception of an exception event."""
        if self.arg is None:
            raise Refused("start-not-reached", "the state does not name its exception")
        message, name = self.arg[0], self.arg[1]
        error = exception_of(name, message, self.function.__globals__)
        if error is None:
            raise Refused("not-a-literal", "%s(%.60r) cannot be made again" % (name, message))
        return error

    def _check_opaque(self, rest: List[ast.stmt], dead: Set[int]) -> None:
        """Refuse when the rest of the function uses a value that no literal stands for."""
        for node in walk_frame(rest, dead, deep=True):
            if not isinstance(node, ast.Name) or isinstance(node.ctx, ast.Store):
                continue
            # `super()` takes the first parameter without naming it.
            first = self.code.co_varnames[:1] if node.id == "super" else ()
            if node.id in self.opaque or self.opaque.intersection(first):
                raise Refused(
                    "not-a-literal",
                    "line %d uses %s, which no literal stands for" % (node.lineno, node.id),
                )

    def _declarations(self, node: ast.AST, values: Dict[str, Any]) -> List[ast.stmt]:
        outer = sorted(set(values) & set(self.code.co_freevars))
        if not outer:
            return []
        return [place(ast.Nonlocal(outer), getattr(node, "lineno", 1))]


def _never(body: List[ast.stmt], line: int) -> ast.stmt:
    """Return a statement that never runs and keeps every name of the function in its scope."""
    return place(ast.If(place(ast.Constant(value=False, kind=None), line), body, []), line)
