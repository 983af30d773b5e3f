"""Whether a line hangs on where the program runs: its environment, command line, input, machine.

What raises there for want of a variable or an argument tells nothing of a change, and may not
raise where its reader pastes it.  Reads syntax: sources by name, and what is assigned, returned
or stored from them; what is handed through calls is followed one module far.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from nsdbg.changes.reads import dotted
from nsdbg.claim import Site
from nsdbg.errors import SourceError
from nsdbg.source import FunctionNode, last_name, parse_source

_SOURCES = (
    "os.environ", "os.environb", "os.getenv", "os.getcwd", "os.listdir", "os.scandir", "os.walk",
    "os.getlogin", "os.cpu_count", "os.get_terminal_size", "os.path.expanduser", "sys.argv",
    "sys.orig_argv", "sys.stdin", "sys.flags", "sys.platform", "sys.modules", "input", "__main__",
    "shutil.which", "shutil.get_terminal_size", "glob.glob", "glob.iglob", "pathlib.Path.home",
    "pathlib.Path.cwd", "getpass", "locale", "platform", "socket", "pwd", "importlib.metadata",
)  # fmt: skip
_MISSING = frozenset(["ImportError", "ModuleNotFoundError", "Exception"])
_ROUNDS = 4


def hangs_on_surroundings(site: Site) -> bool:
    """Whether a line reads something of where the program runs, or what was made of that."""
    try:
        tree = parse_source(Path(site.file))[1]
    except SourceError:
        return False
    return _hangs(tree, site.lineno or 0)


# Of many crashes of one line the line is looked at once; a long module takes a while each time.
@lru_cache(maxsize=256)
def _hangs(tree: ast.Module, lineno: int) -> bool:
    reading = _reading(tree)
    holders = [node for node in ast.walk(tree)
               if isinstance(node, FunctionNode) and _holds(node, lineno)]  # fmt: skip
    known = reading.known
    for holder in holders:  # those around come first
        known |= reading.locals_of(holder, known)
    return any(
        reading.reads(part, known) for part in _parts_at(holders[-1] if holders else tree, lineno)
    )


def _holds(node: ast.AST, lineno: int) -> bool:
    first: int = getattr(node, "lineno", 0)
    return first <= lineno <= (getattr(node, "end_lineno", None) or first)


def _parts_at(holder: ast.AST, lineno: int) -> list[ast.AST]:
    """Return the innermost statement on a line; of one with statements in it, its head alone."""
    around = [node for node in ast.walk(holder)
              if isinstance(node, ast.stmt) and node is not holder
              and _holds(node, lineno)]  # fmt: skip
    if not around:
        return []
    parts = [*ast.iter_child_nodes(around[-1])]
    return [one for one in parts if not isinstance(one, ast.stmt | ast.ExceptHandler)]


@dataclass(frozen=True, slots=True)
class _Reading:
    """What one module reads of its surroundings: `aliases` of imports, and names `known` to do."""

    aliases: dict[str, str]
    known: frozenset[str]

    def reads(self, node: ast.AST, known: frozenset[str]) -> bool:
        """Whether an expression mentions a source, or a name that is known to hang on one."""
        names = map(dotted, ast.walk(node))
        return any(name in known or self._is_source(name) for name in names)

    def _is_source(self, name: str) -> bool:
        first, dot, rest = name.partition(".")
        full = self.aliases.get(first, "" if dot else first) + dot + rest
        return any(full == one or full.startswith(one + ".") for one in _SOURCES)

    def locals_of(self, holder: ast.AST, known: frozenset[str]) -> frozenset[str]:
        """Return the names that are given, within a function, what hangs on the surroundings."""
        found: set[str] = set()
        for _ in range(_ROUNDS):
            fresh = {
                name
                for target, value in _given(holder)
                if self.reads(value, known | found)
                for name in _stored(target)
            } - found
            if not fresh:
                break
            found |= fresh
        return frozenset(found)


@lru_cache(maxsize=32)
def _reading(tree: ast.Module) -> _Reading:
    """Read a module: its imports, what it assigns, and what its functions store and return."""
    reading = _Reading(_aliases(tree), frozenset(_not_imported(tree)))
    functions = [node for node in ast.walk(tree) if isinstance(node, FunctionNode)]
    for _ in range(_ROUNDS):
        known = reading.known
        for stmt in tree.body:
            if not isinstance(stmt, FunctionNode | ast.ClassDef):
                known |= reading.locals_of(stmt, known)
        for function in functions:
            inner = reading.locals_of(function, known)
            known |= {name for name in inner if "." in name}
            if any(reading.reads(value, known | inner) for value in _returned(function)):
                known |= {function.name, f"self.{function.name}"}
        if known == reading.known:
            break
        reading = _Reading(reading.aliases, known)
    return reading


def _aliases(tree: ast.Module) -> dict[str, str]:
    """Return what the names that a module imports stand for, and two that are just there."""
    found = {"input": "input"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for one in node.names:
                first = one.name.partition(".")[0]
                found[one.asname or first] = one.name if one.asname else first
        elif isinstance(node, ast.ImportFrom) and not node.level:
            for one in node.names:
                found[one.asname or one.name] = f"{node.module}.{one.name}"
    return found


def _not_imported(tree: ast.Module) -> Iterator[str]:
    """Yield the names that stand for nothing where a module is not installed."""
    for node in tree.body:
        for handler in node.handlers if isinstance(node, ast.Try) else ():
            words = {last_name(one) for one in ast.walk(handler.type)} if handler.type else _MISSING
            if words & _MISSING and any(isinstance(one, ast.Import | ast.ImportFrom)
                                        for one in ast.walk(node)):  # fmt: skip
                for target, value in _given(handler):
                    if isinstance(value, ast.Constant):
                        yield from _stored(target)


def _given(holder: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    """Yield what is assigned to and what it is given, by statements and expressions within."""
    for node in ast.walk(holder):
        if isinstance(node, ast.Assign):
            yield from ((target, node.value) for target in node.targets)
        elif isinstance(node, ast.AnnAssign | ast.AugAssign | ast.NamedExpr):
            if node.value is not None:
                yield node.target, node.value
        elif isinstance(node, ast.For | ast.AsyncFor | ast.comprehension):
            yield node.target, node.iter
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            yield node.optional_vars, node.context_expr


def _returned(function: FunctionNode) -> Iterator[ast.AST]:
    for node in ast.walk(function):
        if isinstance(node, ast.Return | ast.Yield | ast.YieldFrom) and node.value is not None:
            yield node.value


def _stored(target: ast.AST) -> Iterator[str]:
    for node in ast.walk(target):
        if isinstance(getattr(node, "ctx", None), ast.Store) and (name := dotted(node)):
            yield name
