"""Which lines read what a state does not hold: variables of the module, exceptions, identities.

A run that starts in the middle finds a module's variables as its import left them, handles no
exception of before, and has equal constants in one object; its closures and classes are as new, and
its clock is later.
Read from the syntax, by name, one file at a time; not covered: what is changed through another
module, or under another name that was not simply assigned.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from nsdbg.claim import Site
from nsdbg.errors import SourceError
from nsdbg.source import parse_source
from nsdbg.verify.chance import chances

_CHANGING_NAMES = """
    add append appendleft cache_clear cache_info clear difference_update discard extend extendleft
    insert intersection_update move_to_end pop popitem popleft put remove reverse rotate send
    setdefault sort subtract symmetric_difference_update update write
"""
_CHANGING = frozenset(_CHANGING_NAMES.split())
# Calls of these tell nothing of what they change, and never fail for what is in it.
_SILENT = frozenset(["append", "extend", "add", "update", "discard", "clear", "appendleft"])
_PURE_NAMES = """
    abs all any bool dict enumerate filter float format frozenset hash id int isinstance len list
    map max min print range repr reversed set sorted str sum tuple type zip
"""
_PURE = frozenset(_PURE_NAMES.split())
_FRESH = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp, ast.Call)
# What reads the exception being handled, or more of one than its type and arguments.
_OF_EXCEPTIONS = frozenset(
    ["__context__", "__cause__", "__suppress_context__", "__traceback__", "__notes__",
     "exc_info", "exception", "format_exc", "print_exc", "tb_frame"]
)  # fmt: skip
# A clock's reading among the locals is from another time than the next one.
_CLOCK_NAMES = """
    monotonic monotonic_ns perf_counter perf_counter_ns process_time process_time_ns thread_time
    thread_time_ns time_ns clock_gettime clock_gettime_ns now utcnow today
"""
_CLOCKS = frozenset(_CLOCK_NAMES.split())
_DICE = frozenset(["random", "secrets", "uuid"])
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_NO_LINES: Mapping[int, frozenset[str]] = {}


def hidden_reads(sites: Sequence[Site]) -> tuple[str, ...]:
    """Return what lines read and the state at the first does not hold, in words, in order.

    A closure's variable is in the state of the function around it, and of its own functions.
    """
    found: set[str] = set()
    passed = {site.function for site in sites}
    for site in sites:
        found |= _reads(site.file).get(site.lineno or 0, frozenset())
        found |= chances(site.file).get(site.lineno or 0, frozenset())
        for cell in _cells(site.file).get(site.lineno or 0, ()):
            if cell.outer not in passed and sites[0].function not in cell.inner:
                found.add(cell.name)
    return tuple(sorted(found))


@lru_cache(maxsize=64)
def _reads(file: str) -> Mapping[int, frozenset[str]]:
    """Return the names of changing variables that each line of a file reads."""
    try:
        _, tree = parse_source(Path(file))
    except SourceError:
        return _NO_LINES
    changed, attributes = _changed(tree), _class_attributes(tree)
    found: dict[int, set[str]] = {}
    for function in _functions(tree):
        readable = changed - _local_names(function)
        for statement in ast.walk(function):
            if not isinstance(statement, ast.stmt):
                continue
            names = set(_unheld(statement)) | (attributes & set(_read_attributes(statement)))
            if not _is_silent(statement, changed):
                names |= readable & set(_loaded(statement))
            if names:
                for line in _lines(statement):
                    found.setdefault(line, set()).update(names)
        for line in _bare_raises(function):
            found.setdefault(line, set()).add("the exception being handled")
    return {line: frozenset(names) for line, names in found.items()}


def _unheld(statement: ast.stmt) -> Iterator[str]:
    """Yield what a statement reads that no state holds, whatever the module does."""
    for node in _expressions(statement):
        name = getattr(node, "attr", getattr(node, "id", ""))
        if name in _OF_EXCEPTIONS:
            yield name
        if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") in _DICE:
            yield f"the state of {ast.unparse(node)}"
        if isinstance(node, ast.Call) and _reads_clock(node.func):
            yield "the clock"
        if isinstance(node, ast.Compare) and any(map(_is_identity, node.ops, node.comparators)):
            yield "which values are one object"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "id":
            yield "which values are one object"


def _reads_clock(function: ast.expr) -> bool:
    """Tell whether a call reads a clock: `time.monotonic()`, `monotonic()`, `time()`, `now()`."""
    if isinstance(function, ast.Name):
        return function.id in _CLOCKS or function.id == "time"
    return isinstance(function, ast.Attribute) and (
        function.attr in _CLOCKS or ast.unparse(function) == "time.time"
    )


def _read_attributes(statement: ast.stmt) -> Iterator[str]:
    for node in _expressions(statement):
        stored = isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load)
        if isinstance(node, ast.Attribute) and (not stored or isinstance(statement, ast.AugAssign)):
            yield node.attr


def _is_identity(operator: ast.cmpop, right: ast.expr) -> bool:
    """Tell whether a comparison asks for one object, and not for None, True or False."""
    return isinstance(operator, ast.Is | ast.IsNot) and not isinstance(right, ast.Constant)


def _bare_raises(function: _Function) -> Iterator[int]:
    """Yield the lines of each `raise` for whatever exception the caller handles."""
    inside = {
        id(node)
        for handler in ast.walk(function)
        if isinstance(handler, ast.ExceptHandler)
        for node in ast.walk(handler)
    }
    for node in ast.walk(function):
        if isinstance(node, ast.Raise) and node.exc is None and id(node) not in inside:
            yield node.lineno


@dataclass(frozen=True, slots=True)
class _Cell:
    """A variable of `outer` that some of its `inner` functions change."""

    name: str
    outer: str
    inner: frozenset[str]


@lru_cache(maxsize=64)
def _cells(file: str) -> Mapping[int, tuple[_Cell, ...]]:
    """Return the changing variables of closures that each line of an inner function reads."""
    try:
        _, tree = parse_source(Path(file))
    except SourceError:
        return {}
    found: dict[int, tuple[_Cell, ...]] = {}
    for outer in _functions(tree):
        inner = [node for node in _functions(outer) if node is not outer]
        names = frozenset(node.name for node in inner)
        for name in sorted(_local_names(outer)) if inner else ():
            free = [node for node in inner if name not in _local_names(node)]
            if not any(_changes(node, name) for node in free):
                continue
            cell = _Cell(name, outer.name, names)
            for statement in (each for node in free for each in ast.walk(node)):
                if isinstance(statement, ast.stmt) and name in _loaded(statement):
                    for line in _lines(statement):
                        found[line] = (*found.get(line, ()), cell)
    return found


def _changes(function: _Function, name: str) -> bool:
    """Tell whether a function changes a variable of the one around it."""
    return any(
        name in node.names if isinstance(node, ast.Nonlocal) else _changed_by(node, {name}) == name
        for node in ast.walk(function)
    )


def _class_attributes(tree: ast.Module) -> frozenset[str]:
    """Return the names of attributes that are changed of classes, however those are named."""
    classes = {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    found = set()
    for function in _functions(tree):
        for node in ast.walk(function):
            if isinstance(node, ast.Attribute) and node.attr in _CHANGING:
                node = node.value
            elif not isinstance(node, ast.Subscript | ast.Attribute) or isinstance(
                node.ctx, ast.Load
            ):
                continue
            while isinstance(node, ast.Subscript):
                node = node.value
            if isinstance(node, ast.Attribute) and _is_class(node.value, classes):
                found.add(node.attr)
    return frozenset(found)


def _is_class(node: ast.expr, classes: set[str]) -> bool:
    if isinstance(node, ast.Name):
        return node.id == "cls" or node.id in classes
    if isinstance(node, ast.Call):
        return getattr(node.func, "id", "") == "type"
    return isinstance(node, ast.Attribute) and node.attr == "__class__"


def _functions(tree: ast.AST) -> Iterator[_Function]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def _changed(tree: ast.Module) -> frozenset[str]:
    """Return the module's names that some function rebinds or changes in place."""
    made = {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, _FRESH)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    }
    known = made | {
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    }
    found: set[str] = set()
    for function in _functions(tree):
        own = _local_names(function)
        for node in ast.walk(function):
            if isinstance(node, ast.Global):
                found.update(node.names)
                continue
            name = _changed_by(node, made)
            if name in known and name not in own:
                found.add(name)
        defaults = [*function.args.defaults, *function.args.kw_defaults]
        if any(isinstance(default, _FRESH) for default in defaults):
            found.add(function.name)  # its default value is a variable, too
    return frozenset(found)


def _changed_by(node: ast.AST, made: set[str]) -> str | None:
    """Return the name of what a node changes, or hands on to be changed."""
    if isinstance(node, ast.Subscript | ast.Attribute) and not isinstance(node.ctx, ast.Load):
        return _base(node)
    if isinstance(node, ast.Attribute) and node.attr in _CHANGING:
        return _base(node)
    given: list[ast.expr] = []
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        given = node.args if node.func.id not in _PURE else []
    elif isinstance(node, ast.Assign | ast.Return | ast.NamedExpr | ast.Yield) and node.value:
        given = [node.value]
    names = [item.id for item in given if isinstance(item, ast.Name) and item.id in made]
    return names[0] if names else None


def _base(node: ast.AST) -> str | None:
    while isinstance(node, ast.Subscript | ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def _local_names(function: _Function) -> frozenset[str]:
    """Return the names that mean a function's own locals."""
    outer = {
        name for node in ast.walk(function) if isinstance(node, ast.Global) for name in node.names
    }
    stored = {
        node.id
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
    }
    stored |= {node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)}
    return frozenset(stored - outer)


def _is_silent(statement: ast.stmt, changed: frozenset[str]) -> bool:
    """Tell whether a statement changes a variable and shows nothing of it."""
    if isinstance(statement, ast.AugAssign):
        return isinstance(statement.target, ast.Name) and not changed & set(
            _loaded(statement.value)
        )
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return False
    call = statement.value
    return (
        isinstance(call.func, ast.Attribute)
        and isinstance(call.func.value, ast.Name)
        and call.func.attr in _SILENT
        and not any(changed & set(_loaded(item)) for item in call.args)
    )


def _loaded(node: ast.AST) -> Iterator[str]:
    """Yield the names that a statement's own expressions load, not those of blocks in it."""
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        yield node.target.id
    for here in _expressions(node):
        if isinstance(here, ast.Name) and isinstance(here.ctx, ast.Load):
            yield here.id


def _expressions(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a statement and what is in it, but not the statements of its blocks."""
    waiting = [node]
    while waiting:
        here = waiting.pop()
        yield here
        waiting += [
            child
            for child in ast.iter_child_nodes(here)
            if not isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case)
        ]


def _lines(statement: ast.stmt) -> range:
    """Return the lines of a simple statement, or those of a compound one's head."""
    body = getattr(statement, "body", None)
    last = statement.end_lineno or statement.lineno
    if body and isinstance(body[0], ast.stmt):
        last = max(body[0].lineno - 1, statement.lineno)
    return range(statement.lineno, last + 1)
