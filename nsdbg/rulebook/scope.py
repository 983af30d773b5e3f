"""What a module's tree says about its names: where they are bound, imported and how often used.

Reads the tree alone; what a name really is at run time is not known here.
"""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from collections.abc import Iterator
from functools import cached_property, lru_cache

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
Inner = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_BUILTINS = frozenset(dir(builtins))
_MUTABLE = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp, ast.Call)


@lru_cache(maxsize=64)
def read_module(tree: ast.Module) -> Module:
    """Return the facts of a tree, kept while the tree is in use."""
    return Module(tree)


class Module:
    """A module's tree with its parents, imports and functions, each computed when first asked."""

    def __init__(self, tree: ast.Module) -> None:
        self.tree = tree

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """Every node's parent."""
        return {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        """Yield what encloses a node, the nearest first."""
        while (above := self.parents.get(node)) is not None:
            yield above
            node = above

    def function_of(self, node: ast.AST) -> FunctionNode | None:
        """Return the function in which a node lies, or None in the module's own code."""
        return next((above for above in self.ancestors(node)
                     if isinstance(above, FunctionNode)), None)  # fmt: skip

    def qualname(self, function: FunctionNode) -> str:
        """Return a function's name as `__qualname__` has it."""
        name = function.name
        for above in self.ancestors(function):
            if isinstance(above, FunctionNode):
                name = f"{above.name}.<locals>.{name}"
            elif isinstance(above, ast.ClassDef):
                name = f"{above.name}.{name}"
        return name

    @cached_property
    def functions(self) -> dict[str, list[FunctionNode]]:
        """The module's functions and methods by their plain names."""
        found: dict[str, list[FunctionNode]] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, FunctionNode):
                found.setdefault(node.name, []).append(node)
        return found

    @cached_property
    def classes(self) -> dict[str, ast.ClassDef]:
        """The module's classes by their plain names."""
        return {node.name: node for node in ast.walk(self.tree) if isinstance(node, ast.ClassDef)}

    @cached_property
    def imports(self) -> dict[str, str]:
        """What an imported name stands for, dotted: `choice` for `random.choice`."""
        found: dict[str, str] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    first = alias.name.partition(".")[0]
                    found[alias.asname or first] = alias.name if alias.asname else first
            elif isinstance(node, ast.ImportFrom):
                base = "." * node.level + (f"{node.module}." if node.module else "")
                for alias in node.names:
                    found[alias.asname or alias.name] = f"{base}{alias.name}"
        return found

    @cached_property
    def starred(self) -> tuple[str, ...]:
        """The modules from which everything is imported."""
        return tuple(
            node.module
            for node in ast.walk(self.tree)
            if isinstance(node, ast.ImportFrom) and node.module and node.names[0].name == "*"
        )

    @cached_property
    def globals(self) -> frozenset[str]:
        """The names that the module's own code binds, imports aside."""
        return frozenset(bound_names(self.tree.body)) - set(self.imports)

    @cached_property
    def keys(self) -> Counter[str]:
        """Strings used as keys: in dict literals, subscripts, `.get(…)`, and keyword arguments."""
        return Counter(_keys(self.tree))

    @cached_property
    def names(self) -> Counter[str]:
        """Names that are bound or read, and how often."""
        found = Counter(node.id for node in ast.walk(self.tree) if isinstance(node, ast.Name))
        found.update(node.arg for node in ast.walk(self.tree) if isinstance(node, ast.arg))
        return found

    @cached_property
    def attributes(self) -> Counter[str]:
        """Attribute names that are used or defined by classes, and how often."""
        found = Counter(
            node.attr for node in ast.walk(self.tree) if isinstance(node, ast.Attribute)
        )
        for owner in self.classes.values():
            found.update(bound_names(owner.body))
        return found

    def assigned(self, name: str, function: FunctionNode | None) -> Iterator[ast.expr]:
        """Yield the values that are assigned to a name in a function, or in the module."""
        for node in own_nodes(self.tree if function is None else function):
            targets: list[ast.expr] = []
            if isinstance(node, ast.Assign):
                targets = node.targets
            elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)):
                targets = [node.target]
            else:
                continue
            if node.value is not None and any(
                isinstance(target, ast.Name) and target.id == name for target in targets
            ):
                yield node.value

    def dotted(self, node: ast.AST) -> tuple[str, ...]:
        """Return a name as imported: `np.random.rand` is `numpy.random.rand`.

        A builtin has no prefix.  There are several answers when names were imported with `*`, and
        none when the name is bound here or the expression is no dotted name.
        """
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name) or self._is_shadowed(node):
            return ()
        roots: tuple[str, ...]
        if node.id in self.imports:
            roots = (self.imports[node.id],)
        elif node.id in self.globals:
            roots = ()
        elif node.id in _BUILTINS:
            roots = (node.id,)
        else:
            roots = tuple(f"{module}.{node.id}" for module in self.starred)
        return tuple(".".join([root, *reversed(parts)]) for root in roots)

    def _is_shadowed(self, node: ast.Name) -> bool:
        function = self.function_of(node)
        return function is not None and self.scope(node.id, function) in (
            "local", "parameter", "default",
        )  # fmt: skip

    def scope(self, name: str, function: FunctionNode | None) -> str:
        """Return where a name read in a function is bound.

        One of `local`, `parameter`, `default` (a parameter whose default can be changed),
        `nonlocal`, `import`, `global`, `builtin`, `unknown`.
        """
        found = None if function is None else _scope_in(name, function)
        if found not in (None, "global"):
            return str(found)
        if function is not None and found is None:
            for outer in self.ancestors(function):
                if isinstance(outer, FunctionNode) and _scope_in(name, outer) is not None:
                    return "nonlocal"
        if name in self.imports:
            return "import"
        if found == "global" or name in self.globals:
            return "global"
        return "builtin" if name in _BUILTINS else "unknown"


@lru_cache(maxsize=1024)
def _local_names(function: FunctionNode) -> frozenset[str]:
    return frozenset(bound_names(function.body))


@lru_cache(maxsize=1024)
def _parameter_names(function: FunctionNode) -> frozenset[str]:
    return frozenset(node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg))


@lru_cache(maxsize=1024)
def _declared(function: FunctionNode) -> dict[str, str]:
    declared: dict[str, str] = {}
    for node in own_nodes(function):
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            kind = "global" if isinstance(node, ast.Global) else "nonlocal"
            declared.update(dict.fromkeys(node.names, kind))
    return declared


def _scope_in(name: str, function: FunctionNode) -> str | None:
    declared = _declared(function)
    if name in declared:
        return declared[name]
    args = function.args
    for arg, default in zip(reversed([*args.posonlyargs, *args.args]), reversed(args.defaults),
                            strict=False):  # fmt: skip
        if arg.arg == name and isinstance(default, _MUTABLE):
            return "default"
    for arg, given in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        if arg.arg == name and isinstance(given, _MUTABLE):
            return "default"
    if name in _parameter_names(function):
        return "parameter"
    return "local" if name in _local_names(function) else None


def own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes below one in source order, without the bodies of inner functions."""
    for child in ast.iter_child_nodes(node):
        yield child
        if not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield from own_nodes(child)


def bound_names(body: list[ast.stmt]) -> Iterator[str]:
    """Yield the names that statements bind in their own scope."""
    for statement in body:
        yield from _bound_by(statement)
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        for node in own_nodes(statement):
            yield from _bound_by(node)


def _bound_by(node: ast.AST) -> Iterator[str]:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield node.name
    elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        yield node.id
    elif isinstance(node, ast.ExceptHandler) and node.name:
        yield node.name
    elif isinstance(node, ast.alias):
        yield (node.asname or node.name).partition(".")[0]
    elif isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name:
        yield node.name


def _keys(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        found: list[ast.expr | None] = []
        if isinstance(node, ast.Dict):
            found = list(node.keys)
        elif isinstance(node, ast.Subscript):
            found = [node.slice]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in ("get", "pop", "setdefault") and node.args:
                found = [node.args[0]]
        elif isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.NotIn)):
            found = [node.left]
        for key in found:
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                yield key.value


def falls_through(body: list[ast.stmt]) -> bool:
    """Return whether control can reach the end of a body: it has a path without return or raise.

    Loops other than `while True` are taken to end, and calls to come back.
    """
    return all(map(_continues, body))


def _continues(statement: ast.stmt) -> bool:
    if isinstance(statement, (ast.Return, ast.Raise, ast.Continue, ast.Break)):
        return False
    if isinstance(statement, ast.If):
        return falls_through(statement.body) or falls_through(statement.orelse)
    if isinstance(statement, ast.While):
        endless = isinstance(statement.test, ast.Constant) and bool(statement.test.value)
        return not endless or any(isinstance(node, ast.Break) for node in own_nodes(statement))
    if isinstance(statement, (ast.With, ast.AsyncWith)):
        return falls_through(statement.body)
    if isinstance(statement, ast.Try):
        handled = any(falls_through(handler.body) for handler in statement.handlers)
        plain = falls_through(statement.body) and falls_through(statement.orelse)
        return falls_through(statement.finalbody) and (plain or handled)
    if isinstance(statement, ast.Match):
        wild = any(isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None
                   and case.guard is None for case in statement.cases)  # fmt: skip
        return not wild or any(falls_through(case.body) for case in statement.cases)
    return True
