"""What an expression may stand for: `now` for `time.monotonic`, by whatever name it came."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from nsdbg.errors import SourceError
from nsdbg.rulebook.scope import Module
from nsdbg.source import import_name, parse_source

# A name may be given on so many times.
_MOST_STEPS = 4


@lru_cache(maxsize=64)
def module_of(file: str) -> Module | None:
    """Return the facts of a source file, None where it cannot be read or parsed."""
    try:
        return Module(parse_source(Path(file))[1])
    except SourceError:
        return None


def meanings(module: Module, node: ast.AST) -> frozenset[str]:
    """Return the dotted names, of imported modules and of builtins, that a node may stand for.

    Followed through names that are plainly assigned, anywhere in the file, and through `getattr`.
    """
    known = _known(module)
    found = known.get(node)
    if found is None:
        found = known[node] = frozenset(_followed(module, node, _MOST_STEPS))
    return found


@lru_cache(maxsize=16)
def _known(module: Module) -> dict[ast.AST, frozenset[str]]:
    """Return what nodes of a module were found to stand for, to be added to."""
    return {}


def _followed(module: Module, node: ast.AST, steps: int) -> Iterator[str]:
    if isinstance(node, ast.Attribute):
        for base in _followed(module, node.value, steps):
            yield f"{base}.{node.attr}"
    elif isinstance(node, ast.Name):
        yield from module.dotted(node)
        for value in _renamed(module).get(node.id, ()) if steps else ():
            yield from _followed(module, value, steps - 1)
    elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "getattr":
        name = text_of(node.args[1]) if len(node.args) > 1 else ""
        for base in _followed(module, node.args[0], steps) if name else ():
            yield f"{base}.{name}"


@lru_cache(maxsize=8192)
def variable_of(name: str, near: str) -> tuple[str, str] | None:
    """Return the file of the same project that a dotted name of a file leads to, and what of it.

    None for modules themselves, for other packages than one's own, and where no file is found.
    """
    folder, here = import_name(Path(near))
    level = len(name) - len(name.lstrip("."))
    if level:
        package = here.split(".")[: -level if Path(near).stem != "__init__" else 1 - level or None]
        name = ".".join([*package, name.lstrip(".")])
    if "site-packages" in folder.parts and name.partition(".")[0] != here.partition(".")[0]:
        return None
    where, _, variable = name.rpartition(".")
    path = folder.joinpath(*where.split(".")) if where else folder
    for file in (path.with_suffix(".py"), path / "__init__.py"):
        if where and file.is_file() and str(file) != near:
            return str(file), variable
    return None


def text_of(node: ast.expr) -> str:
    """Return the text that an expression is written as, empty where it is none."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


@lru_cache(maxsize=16)
def _renamed(module: Module) -> dict[str, list[ast.expr]]:
    """Return the names that are given to what has one already, and what that is."""
    found: dict[str, list[ast.expr]] = {}
    for node in ast.walk(module.tree):
        pairs: list[tuple[ast.expr, ast.expr]] = []
        if isinstance(node, ast.Assign):
            pairs = [(target, node.value) for target in node.targets]
        elif isinstance(node, ast.AnnAssign | ast.NamedExpr) and node.value is not None:
            pairs = [(node.target, node.value)]
        while pairs:
            target, value = pairs.pop()
            if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                pairs += zip(target.elts, value.elts, strict=False)
            elif isinstance(target, ast.Name) and isinstance(value, _NAMING):
                found.setdefault(target.id, []).append(value)
    return found


_NAMING = (ast.Name, ast.Attribute, ast.Call)


def own_expressions(statement: ast.AST) -> Iterator[ast.AST]:
    """Yield a statement and what is in it, but not the statements of its blocks."""
    waiting = [statement]
    while waiting:
        here = waiting.pop()
        yield here
        waiting += [
            child
            for child in ast.iter_child_nodes(here)
            if not isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case)
        ]
