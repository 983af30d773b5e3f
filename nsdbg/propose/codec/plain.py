"""The answer that a statement itself gives: its expression, its condition, the line after it."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from typing import Any

from nsdbg.propose.codec import spelling
from nsdbg.propose.codec.answer import LEAVE, RAISE, Answer, ChangeKind, Guard, GuardKind, Tokens
from nsdbg.propose.codec.spelling import RESULT
from nsdbg.propose.codec.syntax import RETURNS, Syntax
from nsdbg.propose.codec.view import View
from nsdbg.propose.codec.vocabulary import OPERATOR
from nsdbg.source import first_line
from nsdbg.state import Event

Change = tuple[ChangeKind, Tokens]


def setting(view: View, name: str, tokens: Tokens) -> Change:
    """Return the change that gives a name the value which tokens tell."""
    return ChangeKind.DO, (*view.slots.name(name), OPERATOR["="], *tokens)


class Untaught(Exception):
    """There is no plain answer."""


class Plain:
    """Answers for the statements of one frame; with `up` it goes on after a call that returned."""

    def __init__(self, view: View, syntax: Syntax, lineno: int, *, up: bool = False) -> None:
        self._view = view
        self._syntax = syntax
        self._lineno = lineno
        self._up = up

    def answer(self, node: ast.stmt) -> Answer | None:
        """Return the answer of a statement that is about to run, or None."""
        try:
            return self._answer(node)
        except (Untaught, ValueError, RecursionError):
            return None

    def changes(self, node: ast.stmt) -> tuple[Change, ...]:
        """Return what a statement changes, whatever line comes after it."""
        try:
            return tuple(self._changes(node))
        except (Untaught, ValueError, RecursionError):
            return ()

    def _answer(self, node: ast.stmt) -> Answer:
        if isinstance(node, (ast.If, ast.While)):
            then = self._token(first_line(node.body[0]))
            other = self._target(self._syntax.otherwise(self._original(node)))
            guard = Guard(GuardKind.IF, self._spell(node.test), then, other)
            return Answer(Event.LINE, guard=guard, up=self._up)
        if isinstance(node, ast.For):
            return self._for(node)
        if isinstance(node, ast.Return):
            value = ast.Constant(None) if node.value is None else node.value
            here = self._token(self._lineno)
            return Answer(Event.RETURN, here, arg=self._spell(value), up=self._up)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Yield):
            # The consumer gets the value: a yield arrives as a return.
            return self._answer(ast.Return(node.value.value, lineno=node.lineno))
        if isinstance(node, (ast.Break, ast.Continue)):
            return Answer(Event.LINE, self._target(self._left(node)), up=self._up)
        if isinstance(node, ast.Raise) and node.exc is not None:
            here = self._token(self._lineno)
            return Answer(Event.EXCEPTION, here, arg=self._spell(node.exc), up=self._up)
        if isinstance(node, ast.Assert):
            return self._assert(node)
        if isinstance(node, (ast.Try, ast.TryStar, ast.With)):
            return Answer(Event.LINE, self._token(first_line(node.body[0])), up=self._up)
        target = self._target(self._syntax.after(self._original(node)))
        return Answer(Event.LINE, target, changes=tuple(self._changes(node)), up=self._up)

    def _left(self, node: ast.Break | ast.Continue) -> int | None:
        loop = self._syntax.loop_left(node)
        if loop is None:
            raise Untaught
        return self._syntax.after(loop) if isinstance(node, ast.Break) else loop.lineno

    def _original(self, node: ast.stmt) -> Any:
        """Return the statement of the tree of which `node` may be a changed copy."""
        found = self._syntax.statement(node.lineno)
        if found is None:
            raise Untaught
        return found

    def _for(self, node: ast.For) -> Answer:
        each = ast.unparse(node.target).strip("()") if _flat(node.target) else None
        text = f"{each or ast.unparse(node.target)} in {ast.unparse(node.iter)}"
        test = tuple(spelling.spell(text, self._view.slots))
        then = self._token(first_line(node.body[0]))
        other = self._target(self._syntax.otherwise(self._original(node)))
        return Answer(Event.LINE, guard=Guard(GuardKind.EACH, test, then, other), up=self._up)

    def _assert(self, node: ast.Assert) -> Answer:
        message = [] if node.msg is None else [node.msg]
        error = ast.Call(ast.Name("AssertionError", ast.Load()), message, [])
        then = self._target(self._syntax.after(self._original(node)))
        guard = Guard(GuardKind.IF, self._spell(node.test), then, RAISE)
        return Answer(Event.LINE, guard=guard, arg=self._spell(error), up=self._up)

    def _changes(self, node: ast.stmt) -> Iterator[Change]:
        if isinstance(node, ast.AugAssign):
            source = copy.deepcopy(node.target)
            _load(source)
            value = ast.BinOp(source, node.op, node.value)
            node = ast.Assign([node.target], value, lineno=node.lineno)
        if isinstance(node, ast.AnnAssign):
            if node.value is None:
                return
            node = ast.Assign([node.target], node.value, lineno=node.lineno)
        if isinstance(node, ast.Assign):
            for target in node.targets:
                yield ChangeKind.DO, self._spell(ast.Assign([target], node.value, lineno=0))
        elif isinstance(node, ast.Delete):
            for target in node.targets:
                if not isinstance(target, ast.Name):
                    raise Untaught
                yield ChangeKind.DELETE, self._spell(target)
        elif isinstance(node, ast.Expr):
            yield from self._effect(node.value)
        elif not isinstance(node, (ast.Pass, ast.Global, ast.Nonlocal)):
            raise Untaught

    def _effect(self, value: ast.expr) -> Iterator[Change]:
        if isinstance(value, ast.Constant):
            return
        if isinstance(value, ast.Call) and ast.unparse(value.func) == "print":
            text = ast.unparse(value)[len("print(") : -1]
            tokens = spelling.spell(text, self._view.slots) if text else [*spelling.string("")]
            yield ChangeKind.PRINT, tuple(tokens)
        else:
            yield ChangeKind.DO, self._spell(value)

    def _spell(self, node: ast.AST) -> Tokens:
        return tuple(spelling.spell(ast.unparse(node), self._view.slots))

    def _token(self, lineno: int) -> int:
        token = self._view.line(self._syntax.file, lineno)
        if token is None:
            raise Untaught
        return token

    def _target(self, lineno: int | None) -> int:
        if lineno is None:
            raise Untaught
        return LEAVE if lineno == RETURNS else self._token(lineno)


def _flat(target: ast.expr) -> bool:
    return isinstance(target, ast.Tuple) and len(target.elts) > 1 and all(
        isinstance(item, ast.Name) for item in target.elts
    )  # fmt: skip


def _load(node: ast.expr) -> None:
    for found in ast.walk(node):
        if hasattr(found, "ctx"):
            found.ctx = ast.Load()


class _OneCall(ast.NodeTransformer):
    """Puts the value returned in the place of the one call of a function."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.count = 0

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Replace a call of the function."""
        named = (isinstance(node.func, ast.Name) and node.func.id == self._name) or (
            isinstance(node.func, ast.Attribute) and node.func.attr == self._name
        )
        if not named:
            return self.generic_visit(node)
        self.count += 1
        self.generic_visit(node)  # the same function among its arguments: which one returned?
        return ast.copy_location(ast.Name(RESULT, ast.Load()), node)


def resumed(node: ast.stmt, function: str) -> ast.stmt | None:
    """Return a caller's statement with the value returned for the call, where it has one call."""
    once = _OneCall(function)
    found = once.visit(copy.deepcopy(node))
    return found if once.count == 1 and isinstance(found, ast.stmt) else None
