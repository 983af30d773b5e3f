"""Fields of a JSON object, each checked for its kind, and literals checked by their syntax.

Evaluates nothing: a literal stays text.
"""

from __future__ import annotations

import ast
import difflib
import json
from collections.abc import Iterable

from nsdbg.errors import NsdbgError, StateError

LARGEST_LITERAL = 64 * 1024
# What a literal may call or name beside constants; the child reads the same ones.
CALLS = {"set", "frozenset", "float", "bytearray", "range"}
NAMES = {"nan": "float", "inf": "float"}
_PLAIN_NODES = (
    ast.Expression, ast.Constant, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.UnaryOp, ast.USub,
    ast.UAdd, ast.BinOp, ast.Add, ast.Sub, ast.Load,
)  # fmt: skip


class Reader:
    """Takes fields of one JSON object, each checked for its kind; `place` names it in messages."""

    def __init__(
        self, fields: object, known: Iterable[str], place: str,
        error: type[NsdbgError] = StateError,
    ) -> None:  # fmt: skip
        self.place, self.error = place, error
        if not isinstance(fields, dict):
            raise error(f"{place} is a JSON object, not {shown(fields)}")
        self.fields: dict[str, object] = fields
        known = list(known)
        for name in self.fields:
            if name not in known:
                near = difflib.get_close_matches(name, known, 1)
                hint = f"; did you mean {near[0]!r}?" if near else f"; known: {', '.join(known)}"
                raise error(f"{place} has an unknown field {name!r}{hint}")

    def fail(self, name: str, wanted: str) -> NsdbgError:
        """Return the error for a field of the wrong kind."""
        given = json.dumps(self.fields[name])
        given = given if len(given) <= 60 else given[:57] + "..."
        return self.error(f"{self.place}: field {name!r} is {wanted}, not {given}")

    def text(self, name: str) -> str | None:
        """Return a string field."""
        value = self.fields.get(name)
        if value is not None and not isinstance(value, str):
            raise self.fail(name, "a string")
        return value

    def literal(self, name: str) -> str | None:
        """Return a string field that stands for a value."""
        value = self.fields.get(name)
        if value is not None and not isinstance(value, str):
            raise self.fail(name, f"a Python literal as text, such as {_example(value)}")
        return self.text(name)

    def number(self, name: str) -> int | None:
        """Return a line number."""
        value = self.fields.get(name)
        if value is None:
            return None
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise self.fail(name, "a line number (a whole number from 1)")
        return value

    def flag(self, name: str) -> bool:
        """Return a truth."""
        value = self.fields.get(name, False)
        if not isinstance(value, bool):
            raise self.fail(name, "true or false")
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of strings."""
        value = self.fields.get(name, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.fail(name, "a list of strings")
        return tuple(value)

    def pairs(self, name: str) -> tuple[tuple[str, str], ...] | None:
        """Return an object whose values are strings, in order."""
        value = self.fields.get(name)
        if value is None:
            return None
        if not isinstance(value, dict):
            raise self.fail(name, "an object that maps names to text")
        for key, item in value.items():
            if not isinstance(item, str):
                raise self.error(
                    f"{self.place}: {name}[{key!r}] is text, such as {_example(item)}, "
                    f"not {shown(item)}: values are Python literals as text"
                )
        return tuple(value.items())

    def literals(self, name: str) -> tuple[tuple[str, str], ...] | None:
        """Return an object whose values are literals as text."""
        pairs = self.pairs(name)
        for key, text in pairs or ():
            self.check_literal(f"{name}[{key!r}]", text)
        return pairs

    def check_literal(self, name: str, text: str) -> None:
        """Raise unless a text is a Python literal of bounded size."""
        problem = literal_problem(text)
        if problem:
            raise self.error(f"{self.place}: {name} is {shown(text)}, which {problem}")


def literal_problem(text: str) -> str | None:
    """Return why a text is not a Python literal, None when it is one."""
    if len(text) > LARGEST_LITERAL:
        return f"is longer than {LARGEST_LITERAL // 1024} kB"
    try:
        tree = ast.parse(text.strip(), mode="eval")
        bad = next((node for node in ast.walk(tree) if not _is_literal_node(node)), None)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return "is not a Python literal (text needs its quotes: \"'abc'\")"
    if bad is None:
        return None
    return f"is an expression, not a literal ({type(bad).__name__})"


def _is_literal_node(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in CALLS and not node.keywords
    if isinstance(node, ast.Name):
        return node.id in NAMES or node.id in CALLS
    return isinstance(node, _PLAIN_NODES)


def shown(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, default=str)
    return repr(text if len(text) <= 60 else text[:57] + "...")


def _example(item: object) -> str:
    return json.dumps(repr(item)[:40])


def check_expression(text: str, place: str) -> None:
    """Raise StateError unless a `where` constraint is one Python expression of bounded size."""
    problem = "is longer than 4 kB" if len(text) > 4096 else None
    try:
        ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        problem = f"is not a Python expression: {getattr(error, 'msg', error)}"
    if problem:
        raise StateError(f"{place}: where {shown(text)} {problem}")
