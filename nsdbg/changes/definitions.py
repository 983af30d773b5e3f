"""What a module defines, name by name, in pieces that two versions of it can be compared by.

A name is known by its owner: `("", "LIMIT")` of the module, `("Order", "total")` of a class.
Names within functions are none of this module's.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from nsdbg.changes.diff import lines_of
from nsdbg.changes.sameness import form, name_of, without_docstring
from nsdbg.source import FunctionNode, first_line

Key = tuple[str, str]
DOCSTRING: Key = ("", "__doc__")
# Of a star import; whatever nothing else defines may come from it.
STAR: Key = ("", "*")
# How a class is made, apart from what stands in it; no name of Python's.
HEAD = "<class>"
# Hints that change what a dataclass does with a field.
_TELLING = ("ClassVar", "InitVar", "KW_ONLY")


@dataclass(frozen=True, slots=True)
class Piece:
    """A statement that has a part in what a name means.

    `context` tells under which conditions it stands.  `text`, where given, is all that counts.
    """

    node: ast.AST
    first: int
    last: int
    context: str = ""
    text: str | None = None

    def form(self) -> str:
        """Return what stays of it when it does the same."""
        return self.context + (form(self.node) if self.text is None else self.text)


@dataclass(slots=True)
class Module:
    """A module's definitions; `functions` are those of the names that are functions, in order."""

    path: str = ""
    lines: list[str] = field(default_factory=list)
    pieces: dict[Key, list[Piece]] = field(default_factory=dict)
    functions: dict[Key, FunctionNode] = field(default_factory=dict)
    classes: dict[str, ast.ClassDef] = field(default_factory=dict)

    def text_of(self, key: Key) -> list[str]:
        """Return the lines of a name's pieces."""
        return [self.lines[number - 1] for number in self.numbers_of(key)]

    def numbers_of(self, key: Key) -> list[int]:
        """Return the numbers of these lines."""
        return [n for piece in self.pieces.get(key, ()) for n in range(piece.first, piece.last + 1)]

    def form_of(self, key: Key) -> str:
        """Return what stays of a name's pieces when they do the same."""
        return "\n".join(piece.form() for piece in self.pieces.get(key, ()))

    def same_as(self, other: Module, key: Key) -> bool:
        """Whether a name means the same in both, as far as its own pieces tell."""
        ours, theirs = self.pieces.get(key, ()), other.pieces.get(key, ())
        if len(ours) != len(theirs):
            return False
        quick = [(piece.context, piece.text) for piece in ours]
        if quick == [(piece.context, piece.text) for piece in theirs] and (
            all(piece.text is not None for piece in ours) or self.text_of(key) == other.text_of(key)
        ):
            return True
        try:
            return self.form_of(key) == other.form_of(key)
        except RecursionError:  # a sum of hundreds of terms: its text differs
            return False

    def add(self, key: Key, piece: Piece) -> None:
        """Take a piece in."""
        self.pieces.setdefault(key, []).append(piece)


def qualname(key: Key) -> str:
    """Return a name with its class: `Order.total`."""
    return f"{key[0]}.{key[1]}" if key[0] else key[1]


def read_module(path: str, text: str) -> Module:
    """Parse a module; raises SyntaxError, ValueError or RecursionError."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the code under test, such as `"\d"`
        tree = ast.parse(text)
    module = Module(path, lines_of(text))
    if len(without_docstring(tree.body)) < len(tree.body):
        module.add(DOCSTRING, _piece(tree.body[0]))
    _Collector(module).body(tree.body, "", "")
    return module


def _piece(node: ast.stmt, context: str = "", text: str | None = None) -> Piece:
    return Piece(node, first_line(node), node.end_lineno or node.lineno, context, text)


@dataclass(frozen=True, slots=True)
class _Collector:
    """Goes through the statements that run when a module is imported."""

    module: Module

    def body(self, statements: Sequence[ast.stmt], owner: str, context: str) -> None:
        for node in statements:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                self._function(node, owner, context)
            elif isinstance(node, ast.ClassDef):
                self._class(node, owner, context)
            elif isinstance(node, ast.Import | ast.ImportFrom):
                self._import(node, owner, context)
            elif isinstance(node, ast.If) and _only_for_hints(node.test):
                self.body(node.orelse, owner, context)
            else:
                self._statement(node, owner, context)

    def _function(self, node: FunctionNode, owner: str, context: str) -> None:
        if any(name_of(item) == "overload" for item in node.decorator_list):
            return  # says something to type checkers alone
        key = (owner, node.name)
        self.module.add(key, _piece(node, context))
        self.module.functions[key] = node

    def _class(self, node: ast.ClassDef, owner: str, context: str) -> None:
        name = f"{owner}.{node.name}" if owner else node.name
        body = without_docstring(node.body)
        values = [*node.decorator_list, *node.bases]
        head: list[ast.AST] = [*values, *node.keywords]
        ends = [value.end_lineno or 0 for value in (*values, *(k.value for k in node.keywords))]
        last = max([node.lineno, *ends])
        text = "\n".join(ast.dump(part) for part in head)
        self.module.add((name, HEAD), Piece(node, first_line(node), last, context, text))
        self.module.add((owner, node.name), Piece(node, first_line(node), last, context, text))
        for item in body:
            if isinstance(item, ast.AnnAssign) and head:
                # A field: what makes the class may make arguments of its fields.
                self.module.add((owner, node.name), _piece(item, "field ", _field(item, node)))
        self.module.classes[name] = node
        self.body(body, name, context)

    def _import(self, node: ast.Import | ast.ImportFrom, owner: str, context: str) -> None:
        source = (
            f"{'.' * node.level}{node.module or ''}:" if isinstance(node, ast.ImportFrom) else ""
        )
        for alias in node.names:
            bound = alias.asname or alias.name.partition(".")[0]
            text = f"{source}{alias.name} as {bound}"
            self.module.add((owner, bound), _piece(node, context, text))

    def _statement(self, node: ast.stmt, owner: str, context: str) -> None:
        blocks = list(_blocks(node))
        if blocks:
            context = f"{context}{_head(node)};"
        names = _bound(node if not blocks else _without_blocks(node))
        for name in names:
            piece = _piece(node, context, None if not blocks else "")
            if isinstance(node, ast.AnnAssign) and owner:
                piece = _piece(node, context, _field(node, self.module.classes[owner]))
            self.module.add((owner, name), piece)
        for number, block in enumerate(blocks):
            self.body(block, owner, f"{context}{number};")


def _field(node: ast.AnnAssign, owner: ast.ClassDef) -> str:
    """Return what counts of a class's hinted name: the hint only where something reads hints."""
    value = form(node.value) if node.value is not None else ""
    hint = ast.unparse(node.annotation)
    makers = {name_of(item) for item in (*owner.decorator_list, *owner.bases)}
    blind = not makers or makers <= {"dataclass", "NamedTuple", "Protocol", "ABC"}
    if blind and not any(word in hint for word in _TELLING):
        hint = ""
    return f"{ast.unparse(node.target)}: {hint} = {value}"


def _only_for_hints(test: ast.expr) -> bool:
    return ast.unparse(test) in (
        "TYPE_CHECKING", "typing.TYPE_CHECKING", "t.TYPE_CHECKING", "__name__ == '__main__'"
    )  # fmt: skip


def _blocks(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    """Yield the blocks within a statement: of `if`, `for`, `while`, `with`, `try`, `match`."""
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        if block:
            yield block
    for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
        yield part.body


def _head(node: ast.stmt) -> str:
    """Return what a compound statement asks before it runs its blocks."""
    return ast.dump(_without_blocks(node))


def _without_blocks(node: ast.stmt) -> ast.stmt:
    fields = dict(ast.iter_fields(node))
    for name in ("body", "orelse", "finalbody"):
        if name in fields:
            fields[name] = []
    for name in ("handlers", "cases"):
        if name in fields:
            fields[name] = [_emptied(part) for part in fields[name]]
    return type(node)(**fields)


def _emptied(part: ast.AST) -> ast.AST:
    return type(part)(**{**dict(ast.iter_fields(part)), "body": []})


def _bound(node: ast.stmt) -> dict[str, None]:
    """Return the names that a statement binds, or whose objects it changes, each once."""
    found: dict[str, None] = {}
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store | ast.Del):
            found[inner.id] = None
        elif isinstance(inner, ast.Attribute | ast.Subscript):
            if isinstance(inner.ctx, ast.Store | ast.Del):
                found |= _root(inner)
        elif isinstance(inner, ast.MatchAs | ast.MatchStar) and inner.name:
            found[inner.name] = None
    call = node.value if isinstance(node, ast.Expr) else None
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
        found |= _root(call.func)  # TABLE.update(...)
    return found


def _root(node: ast.expr) -> dict[str, None]:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return {node.id: None} if isinstance(node, ast.Name) else {}
