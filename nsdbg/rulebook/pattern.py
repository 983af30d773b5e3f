"""Patterns over syntax trees: Python text with metavariables, compiled once.

Not a query language: one pattern fits one node.  What surrounds it is `place`'s concern.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from nsdbg.rulebook.matching import (
    ANYTHING,
    META,
    OPERATOR,
    REST,
    Bindings,
    Bound,
    match,
    metavariable,
    text_of,
)

__all__ = ["Bindings", "Bound", "Pattern", "called_name", "compile_pattern", "text_of"]

_DEF = re.compile(r"(\bdef\s+[\w$]+)\((.*)\)(\s*:)")


@dataclass(frozen=True, slots=True)
class Pattern:
    """A compiled pattern: its text, its tree, and its metavariables (without `$_`).

    `heads` are the classes of node that can fit, empty for any.  `callee` is the name or attribute
    that it calls, where that is fixed: most calls do not fit, and this tells it at once.
    """

    text: str
    tree: ast.AST
    names: frozenset[str]
    heads: tuple[type[ast.AST], ...] = ()
    callee: str | None = None

    def match(self, node: ast.AST, bindings: Bindings | None = None) -> Bindings | None:
        """Return what the metavariables stand for when this node fits, else None.

        `bindings` are what they stand for already; they are not changed.
        """
        if self.callee is not None and (not isinstance(node, ast.Call) or
                                        called_name(node) != self.callee):  # fmt: skip
            return None
        return next(match(self.tree, node, dict(bindings or {})), None)


@lru_cache(maxsize=2048)
def compile_pattern(text: str) -> Pattern:
    """Compile a pattern; raises SyntaxError when it is not Python with metavariables."""
    plain = re.sub(r"\$([A-Za-z_]\w*)", rf"{META}\1", text)
    if "$" in plain:
        raise SyntaxError(f"a metavariable is a `$` and a name: {text}")
    body = ast.parse(_DEF.sub(_open_parameters, plain)).body
    if len(body) != 1:
        raise SyntaxError(f"a pattern is one expression or one statement: {text}")
    tree: ast.AST = body[0].value if isinstance(body[0], ast.Expr) else body[0]
    names = frozenset(re.findall(rf"{META}(\w+)", plain)) - {ANYTHING}
    if any(isinstance(node, ast.MatMult) for node in ast.walk(tree)):
        names |= {OPERATOR}
    callee = called_name(tree) if isinstance(tree, ast.Call) else None
    return Pattern(text, tree, names, _heads(tree), callee)


def _heads(tree: ast.AST) -> tuple[type[ast.AST], ...]:
    if metavariable(tree) is not None:
        return ()
    if isinstance(tree, ast.FunctionDef):
        return (ast.FunctionDef, ast.AsyncFunctionDef)
    return (ast.Assign, ast.AnnAssign) if isinstance(tree, ast.Assign) else (type(tree),)


def called_name(call: ast.Call) -> str | None:
    """Return the plain name or the attribute that is called; None for a metavariable or no name."""
    name = getattr(call.func, "attr", None) or getattr(call.func, "id", None)
    return name if isinstance(name, str) and metavariable(name) is None else None


def _open_parameters(found: re.Match[str]) -> str:
    """Spell `def f(..., x=[], ...)` so that it parses: `...` is no parameter for Python."""
    parts = [part.strip() for part in _split(found[2])]
    kept = [part for part in parts if part and part != "..."]
    if len(kept) != len([part for part in parts if part]):
        kept.append(f"*{REST}")
    return f"{found[1]}({', '.join(kept)}){found[3]}"


def _split(text: str) -> Iterator[str]:
    depth = start = 0
    for index, char in enumerate(text):
        depth += (char in "([{") - (char in ")]}")
        if char == "," and depth == 0:
            yield text[start:index]
            start = index + 1
    yield text[start:]
