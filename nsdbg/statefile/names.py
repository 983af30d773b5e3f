"""The names that a constraint may use: what its module or the constraint itself binds, anywhere.

Not a judgement of scopes: a name that is bound in another function passes, and fails when run.
"""

from __future__ import annotations

import ast
import builtins
import difflib
from collections.abc import Iterator

from nsdbg.errors import StateError
from nsdbg.source import Subject

# What every module has, whatever its code.
_OF_MODULES = ("__name__", "__file__", "__doc__", "__package__", "__spec__", "__loader__",
               "__builtins__", "__class__", "__dict__", "__annotations__")  # fmt: skip
# Names may come out of these that no tree shows.
_OPEN = ("exec", "globals", "vars", "setattr")


def check_names(text: str, subject: Subject) -> None:
    """Raise StateError when a constraint reads a name that nobody binds: it could never be true.

    A module with `from … import *`, or one that makes names at run time, is given the benefit of
    the doubt.
    """
    tree = ast.parse(text.strip(), mode="eval")
    known = {*_bound(subject.tree), *_bound(tree), *dir(builtins), *_OF_MODULES}
    if known & {"*"} or any(_reads(subject.tree, name) for name in _OPEN):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id not in known:
            near = difflib.get_close_matches(node.id, known, 1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise StateError(
                f"--where {text!r}: {subject.ref.qualname} knows no name {node.id}{hint}"
            )


def _reads(tree: ast.AST, name: str) -> bool:
    return any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(tree))


def _bound(tree: ast.AST) -> Iterator[str]:
    """Yield every name that a tree binds, in whatever scope; `*` for an import of everything."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.alias):
            yield (node.asname or node.name).split(".")[0]
        elif isinstance(node, ast.Global | ast.Nonlocal):
            yield from node.names
        elif isinstance(node, ast.MatchMapping):
            yield node.rest or ""
        elif isinstance(getattr(node, "name", None), str):
            # Functions, classes, handlers, type parameters, and the names of a pattern.
            yield node.name  # type: ignore[attr-defined]
