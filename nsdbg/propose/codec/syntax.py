"""What the syntax tree tells of a function's lines: statements, loops, which line comes next."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator

from nsdbg.source import first_line

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
Definition = ast.FunctionDef | ast.AsyncFunctionDef
_Loop = ast.For | ast.AsyncFor | ast.While
RETURNS = 0  # "the function's end" among the lines that may come next


class Syntax:
    """One function's tree, with lines counted as in its file.  Total: no tree has no statements."""

    def __init__(self, file: str, lineno: int, text: str) -> None:
        self.file = file
        self.lineno = lineno
        self.end = lineno + text.count("\n")
        self.definition: ast.FunctionDef | ast.AsyncFunctionDef | None = None
        self._parents: dict[ast.stmt, tuple[ast.stmt | None, list[ast.stmt]]] = {}
        self._by_line: dict[int, ast.stmt] = {}
        self._clauses: dict[int, ast.stmt] = {}
        body = parsed(text)
        for node in body:
            ast.increment_lineno(node, lineno - 1)
        if len(body) == 1 and isinstance(body[0], (ast.FunctionDef, ast.AsyncFunctionDef)):
            self.definition = body[0]
            body = body[0].body
        self._enter(body, None)

    def _enter(self, body: list[ast.stmt], parent: ast.stmt | None) -> None:
        for node in body:
            self._parents[node] = (parent, body)
            for row in range(node.lineno, _header_end(node) + 1):
                self._by_line.setdefault(row, node)
            for first, clause in _clauses(node):
                for row in range(first, first_line(clause[0])):
                    self._clauses.setdefault(row, node)
            for inner in _blocks(node):
                # A function within the function ends where its own body does.
                self._enter(inner, None if isinstance(node, _DEFINITIONS) else node)

    def covers(self, lineno: int) -> bool:
        """Whether a line lies within the function's text."""
        return self.lineno <= lineno <= self.end

    def statement(self, lineno: int) -> ast.stmt | None:
        """Return the statement whose own line (not its body's) this is."""
        return self._by_line.get(lineno)

    def loop(self, lineno: int) -> ast.For | ast.AsyncFor | None:
        """Return the `for` statement whose header this line is."""
        node = self._by_line.get(lineno)
        return node if isinstance(node, (ast.For, ast.AsyncFor)) else None

    def loops_around(self, lineno: int) -> list[ast.For | ast.AsyncFor]:
        """Return the `for` statements whose body holds a line, outermost first."""
        node, around = self._by_line.get(lineno) or self._clauses.get(lineno), []
        while node is not None:
            parent, body = self._parents[node]
            if isinstance(parent, (ast.For, ast.AsyncFor)) and body is parent.body:
                around.append(parent)
            node = parent
        return around[::-1]

    def loop_left(self, node: ast.Break | ast.Continue) -> _Loop | None:
        """Return the loop that a `break` or `continue` is about; None where a block has to end."""
        inner: ast.stmt = node
        while True:
            parent, body = self._parents[inner]
            if parent is None or isinstance(parent, (ast.With, ast.AsyncWith)):
                return None
            if isinstance(parent, (ast.Try, ast.TryStar)) and parent.finalbody:
                return None
            if isinstance(parent, (ast.For, ast.AsyncFor, ast.While)) and body is parent.body:
                return parent
            inner = parent

    def handling(self, lineno: int) -> int | None:
        """Return the line to which an exception of a line goes first: `except` or `finally`.

        RETURNS where it leaves the function; None where the line has no statement.
        """
        node = self._by_line.get(lineno)
        if node is None:
            return None
        while node is not None:
            parent, body = self._parents[node]
            if isinstance(parent, (ast.With, ast.AsyncWith)):
                return parent.lineno
            if isinstance(parent, (ast.Try, ast.TryStar)) and body is not parent.finalbody:
                if body is parent.body and parent.handlers:
                    return parent.handlers[0].lineno
                if parent.finalbody:
                    return first_line(parent.finalbody[0])
            node = parent
        return RETURNS

    def body_at(self, lineno: int) -> int | None:
        """Return the first line that runs of a function whose definition starts at a line."""
        found = [
            node for statement in (self.definition, *self._parents)
            if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef))
            and first_line(statement) == lineno
            for node in statement.body if not _is_docstring(node)
        ]  # fmt: skip
        return first_line(found[0]) if found else None

    def after(self, node: ast.stmt) -> int | None:
        """Return the line that comes after a statement in the plain case.

        RETURNS at the function's end; None after a `finally`, which may go on with an exception.
        """
        while True:
            parent, body = self._parents[node]
            at = next(index for index, found in enumerate(body) if found is node)
            if at + 1 < len(body):
                return first_line(body[at + 1])
            if parent is None:
                return RETURNS
            if isinstance(parent, (ast.For, ast.AsyncFor, ast.While)) and body is parent.body:
                return parent.lineno
            if isinstance(parent, (ast.Try, ast.TryStar)):
                if body is parent.finalbody:
                    return None
                if body is parent.body and parent.orelse:
                    return first_line(parent.orelse[0])
                if parent.finalbody:
                    return first_line(parent.finalbody[0])
            if isinstance(parent, (ast.With, ast.AsyncWith)):
                return parent.lineno
            node = parent

    def otherwise(self, node: ast.If | ast.For | ast.AsyncFor | ast.While) -> int | None:
        """Return the line that comes when a condition is false or a loop has ended."""
        return first_line(node.orelse[0]) if node.orelse else self.after(node)


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def parsed(text: str) -> list[ast.stmt]:
    """Return the statements of a function's text, lines counted from 1; none when it has none."""
    dedented = textwrap.dedent(text)
    # A string may have lines further left than the code, which then cannot be moved.
    inside = dedented[:1] in (" ", "\t")
    try:
        tree = ast.parse(f"if 1:\n{dedented}" if inside else dedented)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    outer = tree.body[0] if inside else None
    if not isinstance(outer, ast.If):
        return tree.body
    for node in outer.body:
        ast.increment_lineno(node, -1)
    return outer.body


def _blocks(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    for field in ("body", "orelse", "finalbody"):
        block = getattr(node, field, None)
        if block:
            yield block
    for _, clause in _clauses(node):
        yield clause


def _clauses(node: ast.stmt) -> Iterator[tuple[int, list[ast.stmt]]]:
    """Yield the first lines and the bodies of `except` and `case`, which are no statements."""
    for handler in getattr(node, "handlers", ()):
        yield handler.lineno, handler.body
    for case in getattr(node, "cases", ()):
        yield case.pattern.lineno, case.body


def _header_end(node: ast.stmt) -> int:
    inner = [first_line(block[0]) for block in _blocks(node)]
    if isinstance(node, _DEFINITIONS):
        return first_line(node.body[0]) - 1 if node.body else node.lineno
    return max(node.lineno, min(inner) - 1) if inner else (node.end_lineno or node.lineno)
