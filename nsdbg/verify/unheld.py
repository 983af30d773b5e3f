"""Which lines read what a state does not hold: variables of the module, exceptions, identities.

A run that starts in the middle finds a module's variables as its import left them, handles no
exception of before, and has equal constants in one object; its closures and classes are as new, and
its clock is later.
Read from the syntax, by name; not covered: what is changed by a file that is not imported here.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from nsdbg.claim import Site
from nsdbg.rulebook.scope import FunctionNode, Module
from nsdbg.source import last_name
from nsdbg.verify.chance import chances
from nsdbg.verify.meanings import meanings, module_of, own_expressions, text_of
from nsdbg.verify.variables import Uses, is_changed_there

# Calls of these tell nothing of what they change, and never fail for what is in it.
_SILENT = frozenset(["append", "extend", "add", "update", "discard", "clear", "appendleft"])
# What reads the exception being handled, or more of one than its type and arguments.
_OF_EXCEPTIONS = frozenset(
    ["__context__", "__cause__", "__suppress_context__", "__traceback__", "__notes__",
     "exc_info", "exception", "format_exc", "print_exc", "tb_frame"]
)  # fmt: skip
# What tells of the frames above, which are ours.
_OF_FRAMES = frozenset(
    ["_getframe", "currentframe", "extract_stack", "f_back", "format_stack", "getouterframes",
     "print_stack", "walk_stack"]
)  # fmt: skip
# A clock's reading among the locals is from another time than the next one.
_CLOCK_NAMES = """
    monotonic monotonic_ns perf_counter perf_counter_ns process_time process_time_ns thread_time
    thread_time_ns time_ns clock_gettime clock_gettime_ns now utcnow today
"""
_CLOCKS = frozenset(_CLOCK_NAMES.split())
_DICE = frozenset(["random", "secrets", "uuid"])
# What a program may have set, for itself or for all.
_SETTING_NAMES = """
    asyncio.current_task contextvars.copy_context csv.field_size_limit csv.get_dialect
    csv.list_dialects decimal.getcontext gc.get_threshold gc.isenabled inspect.stack locale
    logging.getLevelName logging.root os.environ os.environb os.getcwd os.getenv os.umask
    signal.getsignal socket.getdefaulttimeout sys.argv sys.audit sys.get_int_max_str_digits
    sys.getrecursionlimit sys.getsizeof sys.getswitchinterval sys.gettrace sys.modules sys.path
    tempfile.gettempdir tempfile.tempdir threading.active_count threading.current_thread
    threading.enumerate threading.local warnings.filters
"""
_SETTINGS = frozenset(_SETTING_NAMES.split())
# What asks whether two values are one object, beside the operator.
_IDENTITIES = frozenset(["id", "marshal.dumps", "operator.is_", "operator.is_not", "pickle.dumps"])
_NO_LINES: Mapping[int, frozenset[str]] = {}


def hidden_reads(sites: Sequence[Site], caught: bool = False) -> tuple[str, ...]:
    """Return what lines read and the state at the first does not hold, in words, in order.

    `caught`: the state may hold an exception, made again from its text.  A closure's variable is in
    the state of the function around it, and of its own functions.
    """
    found: set[str] = set()
    passed = {site.function for site in sites}
    for site in sites:
        found |= _reads(site.file).get(site.lineno or 0, frozenset())
        found |= chances(site.file).get(site.lineno or 0, frozenset())
        if caught and (site.lineno or 0) in _exception_reads(site.file):
            found.add("what an exception holds")
        for cell in _cells(site.file).get(site.lineno or 0, ()):
            if cell.outer not in passed and sites[0].function not in cell.inner:
                found.add(cell.name)
    return tuple(sorted(found))


@lru_cache(maxsize=4)
def _uses(module: Module, file: str) -> Uses:
    """Return what a file does with its variables, which is asked for twice."""
    return Uses(module, file)


@lru_cache(maxsize=64)
def _reads(file: str) -> Mapping[int, frozenset[str]]:
    """Return the names of changing variables that each line of a file reads."""
    module = module_of(file)
    if module is None:
        return _NO_LINES
    changing = _uses(module, file).changing()
    found: dict[int, set[str]] = {}
    for function in _functions(module.tree):
        readable = changing.names - _local_names(function)
        for statement in ast.walk(function):
            if not isinstance(statement, ast.stmt):
                continue
            names = set(_unheld(module, file, statement))
            names |= changing.attributes & set(_read_attributes(statement))
            if not _is_silent(statement, changing.names):
                names |= readable & set(_loaded(statement))
            if names:
                for line in _lines(statement):
                    found.setdefault(line, set()).update(names)
        for line in _bare_raises(function):
            found.setdefault(line, set()).add("the exception being handled")
    return {line: frozenset(names) for line, names in found.items()}


@lru_cache(maxsize=64)
def _exception_reads(file: str) -> frozenset[int]:
    """Return the lines that read more of a caught exception than its text."""
    module = module_of(file)
    lines: set[int] = set()
    for handler in ast.walk(module.tree) if module is not None else ():
        if not isinstance(handler, ast.ExceptHandler) or handler.name is None:
            continue
        for node in ast.walk(handler):
            if isinstance(node, ast.Name) and node.id == handler.name:
                above = module.parents[node] if module is not None else node
                if not _tells_text(above):
                    lines.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return frozenset(lines)


def _tells_text(node: ast.AST) -> bool:
    """Tell whether what is around an exception asks for its text, raises it, or says no more."""
    if isinstance(node, ast.Call):
        return getattr(node.func, "id", "") in ("str", "print", "isinstance", "type")
    plain = isinstance(node, ast.FormattedValue) and node.conversion != ord("r")
    return plain or isinstance(node, ast.Raise | ast.Expr | ast.Delete)


def _unheld(module: Module, file: str, statement: ast.stmt) -> Iterator[str]:
    """Yield what a statement reads that no state holds, whatever the module does."""
    for node in own_expressions(statement):
        name = last_name(node)
        # A rebuilt function has code of its own, with the lines and names of the other.
        if name in _OF_EXCEPTIONS | _OF_FRAMES or name.startswith("co_"):
            yield name
        if isinstance(node, ast.Name | ast.Attribute):
            meant = meanings(module, node)
            if any(_DICE.intersection(one.split(".")[:-1]) for one in meant):
                yield f"the state of {ast.unparse(node)}"
            yield from (name for one in meant for name in _SETTINGS & _prefixes(one))
            yield from (one.rpartition(".")[2] for one in meant if is_changed_there(one, file))
            if meant & _IDENTITIES:
                yield "which values are one object"
        if isinstance(node, ast.Call) and _reads_clock(module, node.func):
            yield "the clock"
        if isinstance(node, ast.Compare) and any(map(_is_identity, node.ops, node.comparators)):
            yield "which values are one object"


def _prefixes(name: str) -> set[str]:
    """Return a dotted name and those of what it is in: `os.environ` and `os` for `os.environ`."""
    return {name, *(name[:at] for at, mark in enumerate(name) if mark == ".")}


def _reads_clock(module: Module, function: ast.expr) -> bool:
    """Tell whether a call reads a clock: `time.monotonic()`, `time()`, `anything.now()`."""
    meant = meanings(module, function)
    if "time.time" in meant or any(one.rpartition(".")[2] in _CLOCKS for one in meant):
        return True
    return getattr(function, "attr", "") in _CLOCKS


def _read_attributes(statement: ast.stmt) -> Iterator[str]:
    for node in own_expressions(statement):
        stored = isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load)
        if isinstance(node, ast.Attribute) and (not stored or isinstance(statement, ast.AugAssign)):
            yield node.attr
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("getattr", "hasattr"):
            yield from map(text_of, node.args[1:2])


def _is_identity(operator: ast.cmpop, right: ast.expr) -> bool:
    """Tell whether a comparison asks for one object, and not for None, True or False."""
    return isinstance(operator, ast.Is | ast.IsNot) and not isinstance(right, ast.Constant)


def _bare_raises(function: FunctionNode) -> Iterator[int]:
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
    module = module_of(file)
    if module is None:
        return {}
    uses = _uses(module, file)
    found: dict[int, tuple[_Cell, ...]] = {}
    for outer in _functions(module.tree):
        inner = [node for node in _functions(outer) if node is not outer]
        names = frozenset(node.name for node in inner)
        for name in sorted(_local_names(outer)) if inner else ():
            free = [node for node in inner if name not in _local_names(node)]
            if not any(_changes(uses, node, name) for node in free):
                continue
            cell = _Cell(name, outer.name, names)
            for statement in (each for node in free for each in ast.walk(node)):
                if isinstance(statement, ast.stmt) and name in _loaded(statement):
                    for line in _lines(statement):
                        found[line] = (*found.get(line, ()), cell)
    return found


def _changes(uses: Uses, function: FunctionNode, name: str) -> bool:
    """Tell whether a function may change a variable of the one around it."""
    return any(
        name in node.names
        if isinstance(node, ast.Nonlocal)
        else isinstance(node, ast.Name) and node.id == name and not uses.leaves_cell(node)
        for node in ast.walk(function)
    )


def _functions(tree: ast.AST) -> Iterator[FunctionNode]:
    for node in ast.walk(tree):
        if isinstance(node, FunctionNode):
            yield node


def _local_names(function: FunctionNode) -> frozenset[str]:
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
    for here in own_expressions(node):
        if isinstance(here, ast.Name) and isinstance(here.ctx, ast.Load):
            yield here.id


def _lines(statement: ast.stmt) -> range:
    """Return the lines of a simple statement, or those of a compound one's head."""
    body = getattr(statement, "body", None)
    last = statement.end_lineno or statement.lineno
    if body and isinstance(body[0], ast.stmt):
        last = max(body[0].lineno - 1, statement.lineno)
    return range(statement.lineno, last + 1)
