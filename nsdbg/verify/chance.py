"""Which code asks for what equal runs need not share: the order of sets, the date, addresses.

Two runs that agree show nothing where what they read has few values: a parity, a weekday.  Read
from the syntax, by name, one file at a time.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial

from nsdbg.claim import Call, FileCoverage, Middle, Verdict
from nsdbg.rulebook.scope import Module
from nsdbg.source import last_name
from nsdbg.verify.meanings import meanings, module_of

# What makes sets, or asks for what their order comes from.
_BY_HASH = frozenset(["set", "frozenset", "hash", "id", "__hash__", "stdlib_module_names"])
# What asks for the time of day, of `time` and `datetime`.
_CALENDAR = frozenset(
    ["time", "time_ns", "localtime", "gmtime", "ctime", "asctime", "strftime", "clock_gettime",
     "now", "utcnow", "today", "formatdate"]
)  # fmt: skip
# Views of dicts make sets by operators.
_VIEWS = frozenset(["keys", "items"])
# What the interpreter counts or the guard limits: it hangs on what ran before and on who looks on.
_COUNTED = frozenset(
    ["gc.collect", "gc.get_count", "gc.get_freeze_count", "gc.get_objects", "gc.get_referrers",
     "gc.get_stats", "os.access", "os.getppid", "sys.getallocatedblocks", "sys.getrefcount",
     "resource.getrlimit", "resource.getrusage", "signal.getsignal",
     "tracemalloc.get_traced_memory", "tracemalloc.take_snapshot"]
)  # fmt: skip
# What is there of this process, and of nsdbg in it.
_LOADED = frozenset(["sys.meta_path", "sys.path_hooks"])
# What turns an address into text.
_SHOWING = frozenset(["str", "repr", "hex", "oct", "bin", "format", "print"])
_ORDERING = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
COUNTS = "what the interpreter counts or the guard limits"
ADDRESSES = "the order of addresses"
LOADED = "what is loaded in the process"


def makes_sets(file: str) -> bool:
    """Tell whether a source file makes sets, or asks for hashes: their order is the seed's.

    A set that is only there to be looked into has no order.
    """
    return _asks(file)[0]


def reads_calendar(file: str) -> bool:
    """Tell whether a source file asks for the date or the time of day."""
    return _asks(file)[1]


def orders_by_hash(tree: ast.AST) -> bool:
    """Tell whether a tree makes sets, or asks for hashes or addresses."""
    looked_into = {
        id(right)
        for node in ast.walk(tree)
        if isinstance(node, ast.Compare)
        for operator, right in zip(node.ops, node.comparators, strict=True)
        if isinstance(operator, ast.In | ast.NotIn)
    }
    return any(
        isinstance(node, ast.Set | ast.SetComp)
        or getattr(node, "id", getattr(node, "attr", "")) in _BY_HASH
        or (isinstance(node, ast.BinOp) and (_is_view(node.left) or _is_view(node.right)))
        for node in ast.walk(tree)
        if id(node) not in looked_into
    )


def may_differ_elsewhere(verdict: Verdict) -> bool:
    """Tell whether what was seen may hang on the order of a set or on the day."""
    files = [covered.file for covered in verdict.evidence.coverage]
    if any(makes_sets(file) or reads_calendar(file) for file in files):
        return True
    start = verdict.proposal.start
    texts: list[str] = []
    if isinstance(start, Call):
        texts = [text.strip() for _, text in start.arguments]
    elif isinstance(start, Middle):
        texts = [value.repr for _, value in start.state.frame.locals or () if value.literal]
    return any(orders_by_hash(ast.parse(text, mode="eval")) for text in texts)


def asked_by_chance(coverage: Sequence[FileCoverage]) -> tuple[str, ...]:
    """Return what executed lines ask for that no two runs need share, in words, in order.

    Such lines can be run as often as one likes: that the answers agree is no evidence.
    """
    return tuple(
        sorted(
            {
                what
                for covered in coverage
                for line, found in chances(covered.file).items()
                if line in covered.lines
                for what in found
            }
        )
    )


@lru_cache(maxsize=256)
def chances(file: str) -> Mapping[int, frozenset[str]]:
    """Return by line what is asked for there that no two runs need share, in words."""
    module = module_of(file)
    if module is None:
        return {}
    found: dict[int, set[str]] = {}
    thrown_away = {id(node.value) for node in ast.walk(module.tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(module.tree):
        if (
            isinstance(node, ast.Call)
            and id(node) not in thrown_away
            and meanings(module, node.func) & _COUNTED
        ):
            found.setdefault(node.lineno, set()).add(COUNTS)
        if isinstance(node, ast.Attribute | ast.Name) and meanings(module, node) & _LOADED:
            found.setdefault(node.lineno, set()).add(LOADED)
        if isinstance(node, ast.Compare) and _looks_among_modules(module, node):
            found.setdefault(node.lineno, set()).add(LOADED)
        if _orders_addresses(module, node):
            found.setdefault(getattr(node, "lineno", 0), set()).add(ADDRESSES)
    return {line: frozenset(asked) for line, asked in found.items()}


@lru_cache(maxsize=256)
def _asks(file: str) -> tuple[bool, bool]:
    """Return whether a file makes sets, and whether it reads the calendar."""
    module = module_of(file)
    if module is None:
        return False, False
    called = [node.func for node in ast.walk(module.tree) if isinstance(node, ast.Call)]
    meant = {name for function in called for name in meanings(module, function)}
    shown = set(map(last_name, called))
    dated = _CALENDAR & (shown | {name.rpartition(".")[2] for name in meant if "." in name})
    return orders_by_hash(module.tree) or bool(meant & _BY_HASH), bool(dated)


def _looks_among_modules(module: Module, node: ast.Compare) -> bool:
    """Tell whether a comparison asks if a module is loaded: those that nsdbg uses are."""
    return any(
        isinstance(operator, ast.In | ast.NotIn) and "sys.modules" in meanings(module, right)
        for operator, right in zip(node.ops, node.comparators, strict=True)
    )


def _is_view(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and getattr(node.func, "attr", "") in _VIEWS


def _orders_addresses(module: Module, node: ast.AST) -> bool:
    """Tell whether a node reckons with an address, and does not only look whose it is."""
    is_address = partial(_is_address, module)
    if isinstance(node, ast.BinOp):
        return is_address(node.left) or is_address(node.right)
    if isinstance(node, ast.Compare):
        ordering = any(isinstance(operator, _ORDERING) for operator in node.ops)
        return ordering and any(map(is_address, (node.left, *node.comparators)))
    if isinstance(node, ast.FormattedValue):
        return is_address(node.value)
    if isinstance(node, ast.keyword):
        return node.arg == "key" and "id" in meanings(module, node.value)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id in _SHOWING and any(map(is_address, node.args))
    return False


def _is_address(module: Module, node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and "id" in meanings(module, node.func)
