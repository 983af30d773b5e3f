"""The pin: which part of the crash line failed, and whose value made it fail.

Reads the caret range where the log has one (3.11 and newer), else the exception and the syntax
tree.  Where a value came from is `slice`'s matter; what a rule says of it is `rulebook`'s.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from nsdbg.localize import failing
from nsdbg.localize.definitions import BLOCKS
from nsdbg.source import segment, statements_around


class Role(Enum):
    """What a blamed expression was to the operation that failed."""

    RECEIVER = "the object"
    INDEX = "the index"
    CONTAINER = "the container"
    OPERAND = "an operand"
    DIVISOR = "the divisor"
    ARGUMENT = "an argument"
    CALLEE = "what is called"
    NAME = "the name"
    UNPACKED = "what is unpacked"
    READ = "the reading"
    TESTED = "what was tested"


@dataclass(frozen=True, slots=True)
class Blame:
    """An expression whose value, or absence, made the operation fail.

    `had_type` is the type of the value where the message tells it, else None.
    """

    expression: ast.expr
    role: Role
    had_type: str | None = None

    @property
    def text(self) -> str:
        """The expression as source."""
        return ast.unparse(self.expression)


@dataclass(frozen=True, slots=True)
class Pin:
    """The part of a statement that failed.

    Lines count from 1; columns count characters of the file's line from 0.  `exact` when the log's
    carets named it, else it was inferred.  `raising` when the statement raises on purpose.
    """

    lineno: int
    column: int
    end_lineno: int
    end_column: int
    text: str
    statement: ast.stmt
    blames: tuple[Blame, ...]
    exact: bool = False
    raising: bool = False


def statements_at(tree: ast.AST, lineno: int) -> list[ast.stmt]:
    """Return the statements a line belongs to, the innermost first, decorators included."""
    return list(statements_around(tree, lineno))[::-1]


def statement_at(tree: ast.AST, lineno: int) -> ast.stmt | None:
    """Return the innermost statement that a line belongs to."""
    return next(iter(statements_at(tree, lineno)), None)


def header_expressions(statement: ast.stmt) -> Iterator[ast.expr]:
    """Yield the expressions that belong to a statement itself and not to its blocks.

    Of a `def` these are decorators, defaults and annotations.
    """
    for name, value in ast.iter_fields(statement):
        if name not in BLOCKS:
            for item in value if isinstance(value, list) else [value]:
                if isinstance(item, ast.AST):
                    yield from _outermost(item)


def _outermost(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, ast.expr):
        yield node
        return
    for child in ast.iter_child_nodes(node):
        yield from _outermost(child)


def expressions(statement: ast.stmt) -> Iterator[ast.expr]:
    """Yield every expression of a statement's header, outer ones before inner ones."""
    for top in header_expressions(statement):
        yield from (node for node in ast.walk(top) if isinstance(node, ast.expr))


def pin(
    tree: ast.Module,
    text: str,
    lineno: int,
    exception: str,
    message: str,
    columns: tuple[int, int] | None = None,
) -> Pin | None:
    """Find what failed on a line.

    `columns`: the caret range in characters of the line, end excluded, None when the log has none.
    Returns None when no statement lies on the line or nothing on it can raise this.
    """
    around = statements_at(tree, lineno)
    if around and isinstance(around[0], ast.Raise | ast.Assert):
        return _raised_on_purpose(tree, text, around[0])
    kind = exception.rsplit(".", 1)[-1]
    # `if a[0]: b[1] = 2` is two statements on one line: the inner one is tried first.
    same_line = [one for place, one in enumerate(around) if place == 0 or one.lineno == lineno]
    tried = (_in_statement(text, one, lineno, (kind, message), columns) for one in same_line)
    pins = [found for found in tried if found is not None]
    return next((one for one in pins if one.blames), next(iter(pins), None))


def _in_statement(
    text: str,
    statement: ast.stmt,
    lineno: int,
    raised: tuple[str, str],
    columns: tuple[int, int] | None,
) -> Pin | None:
    exact = marked(statement, text, lineno, columns) if columns else None
    if columns and exact is None:
        return None
    candidates = [exact] if exact is not None else list(_on_line(statement, lineno))
    found = [(node, blames) for node in candidates
             if (blames := _blames(node, statement, *raised))]  # fmt: skip
    if not found:
        return _whole(text, statement, exact)
    if failing.OPERAND_ERROR.search(raised[1]):
        # The operator that the message names, rather than a call that may have such a one inside.
        found = [one for one in found if not isinstance(one[0], ast.Call)] or found
    # The two sides of `total += name` both blame the two sides.
    once = {id(blame.expression): blame for _, several in found for blame in several}
    return _place(text, found[0][0], statement, tuple(once.values()), exact is not None)


def _on_line(statement: ast.stmt, lineno: int) -> Iterator[ast.expr]:
    """Yield candidates that touch the line; all of the header where none do (a decorator)."""
    every = list(expressions(statement))
    near = [node for node in every if node.lineno <= lineno <= (node.end_lineno or node.lineno)]
    yield from near or every


def marked(
    statement: ast.stmt, text: str, lineno: int, columns: tuple[int, int]
) -> ast.expr | None:
    """Return the expression under the carets: the one with that range, else the smallest around."""
    around: list[tuple[int, ast.expr]] = []
    lines = text.split("\n")
    for node in expressions(statement):
        start = _column(lines, node.lineno, node.col_offset) if node.lineno == lineno else 0
        last = node.end_lineno or node.lineno
        end = _column(lines, last, node.end_col_offset or 0) if last == lineno else 10**6
        if node.lineno <= lineno <= last and start <= columns[0] and columns[1] <= end:
            around.append((end - start, node))
    # `min` keeps the first of equals, which is the outer one: carets mark the operation.
    return min(around, key=lambda pair: pair[0])[1] if around else None


def _column(lines: list[str], lineno: int, offset_bytes: int) -> int:
    """Turn the parser's offset in UTF-8 bytes into one in characters."""
    line = lines[lineno - 1] if lineno <= len(lines) else ""
    return len(line.encode()[:offset_bytes].decode(errors="replace"))


def _place(
    text: str, node: ast.expr, statement: ast.stmt, blames: tuple[Blame, ...], exact: bool
) -> Pin:
    lines = text.split("\n")
    last = node.end_lineno or node.lineno
    return Pin(
        node.lineno,
        _column(lines, node.lineno, node.col_offset),
        last,
        _column(lines, last, node.end_col_offset or 0),
        segment(text, node) or ast.unparse(node),
        statement,
        blames,
        exact,
    )


def _whole(text: str, statement: ast.stmt, exact: ast.expr | None) -> Pin | None:
    """Pin what the carets marked, blaming it all, where the exception fits no known operation."""
    if exact is None:
        return None
    parts = [
        Blame(part, Role.ARGUMENT)
        for part in ast.iter_child_nodes(exact)
        if isinstance(part, ast.expr)
    ]
    return _place(text, exact, statement, tuple(parts), True)


def _raised_on_purpose(tree: ast.Module, text: str, statement: ast.Raise | ast.Assert) -> Pin:
    """Pin a `raise` or `assert`: what led here is the values its test, or the test around, read."""
    tests = (
        [statement.test] if isinstance(statement, ast.Assert) else _tests_around(tree, statement)
    )
    blames = tuple(
        Blame(part, Role.TESTED) for test in tests for part in failing.tested_parts(test)
    )
    lines = text.split("\n")
    last = statement.end_lineno or statement.lineno
    return Pin(
        statement.lineno,
        _column(lines, statement.lineno, statement.col_offset),
        last,
        _column(lines, last, statement.end_col_offset or 0),
        segment(text, statement) or ast.unparse(statement),
        statement,
        blames,
        raising=True,
    )


def _tests_around(tree: ast.Module, statement: ast.stmt) -> list[ast.expr]:
    """Return the test of the nearest `if` or `while` around a statement, and of its `elif`s."""
    nearest: ast.If | ast.While | None = None
    for node in ast.walk(tree):
        inside = isinstance(node, ast.If | ast.While) and any(
            child is statement for child in ast.walk(node)
        )
        if inside and isinstance(node, ast.If | ast.While):
            nearest = node  # walk goes outside in, so the last one found is the nearest
    return [nearest.test] if nearest is not None else []


def _blames(node: ast.expr, statement: ast.stmt, kind: str, message: str) -> tuple[Blame, ...]:
    typed = kind in ("TypeError", "AttributeError")
    found = [
        Blame(part, Role[role], failing.had_type(message, place) if typed else None)
        for place, (part, role) in enumerate(failing.parts(node, statement, kind, message))
    ]
    if any(_is_another(one) for one in found):
        return ()
    # With a None among the operands nobody asks about the other one.
    nothing = [one for one in found if one.had_type == "NoneType"]
    return tuple(nothing or found)


def _is_another(blame: Blame) -> bool:
    """Whether a value of another type than the message names stands here as it was written."""
    written = blame.expression
    if blame.had_type is None or not isinstance(written, ast.Constant):
        return False
    return type(written.value).__name__ != blame.had_type


def pin_call(
    tree: ast.Module, text: str, lineno: int, columns: tuple[int, int] | None = None
) -> Pin | None:
    """Find the call on a line in which something failed further down, and blame what it was given.

    With carets on something else (`rows[0]`, `a + b`, which call methods) its parts are blamed.
    Returns None when the line has neither.
    """
    for statement in statements_at(tree, lineno)[:2]:
        exact = marked(statement, text, lineno, columns) if columns else None
        calls = [node for node in ([exact] if exact else _on_line(statement, lineno))
                 if isinstance(node, ast.Call)]  # fmt: skip
        if calls:
            blames = tuple(
                Blame(part.value if isinstance(part, ast.Starred) else part, Role.ARGUMENT)
                for call in calls
                for part in [*call.args, *(keyword.value for keyword in call.keywords)]
            )
            return _place(text, calls[0], statement, blames, exact is not None)
        if exact is not None:
            return _whole(text, statement, exact)
    return None
