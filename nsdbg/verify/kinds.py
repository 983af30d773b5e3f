"""What a module's variables, and its classes' attributes, are bound to: can it be changed in place?

Read from the text of what is assigned; what is not known to be safe counts as changeable.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from enum import IntEnum
from functools import lru_cache

from nsdbg.rulebook.scope import Module
from nsdbg.source import last_name
from nsdbg.verify.child.purity import METHODS
from nsdbg.verify.meanings import meanings, module_of, own_expressions, variable_of


class Kind(IntEnum):
    """How far a value can be changed in place: not at all, itself alone, or what it holds, too."""

    FROZEN = 0
    SHALLOW = 1
    DEEP = 2


_PLAIN_NAMES = """
    abs all any ascii bin bool bytes chr complex divmod float format hasattr hash hex id int
    isinstance issubclass len oct object ord pow range repr round slice str type
"""
# Calls of these give what nothing changes.
_PLAIN = frozenset(_PLAIN_NAMES.split())
_COPYING = frozenset(["list", "dict", "set", "sorted", "bytearray"])
_FREEZING = frozenset(["tuple", "frozenset", "min", "max", "sum"])
# What these go through is what their arguments give.
_PASSING = frozenset(["zip", "enumerate", "reversed", "filter", "iter"])
# Modules whose functions give such, by the beginnings of their names.
_FROZEN_MODULES = (
    "datetime.", "math.", "numbers.", "os.path.", "pathlib.", "platform.", "re.", "uuid.",
)  # fmt: skip
_FROZEN_CALLS = frozenset(
    ["collections.namedtuple", "decimal.Decimal", "enum.auto", "fractions.Fraction",
     "logging.getLogger", "operator.attrgetter", "operator.itemgetter", "operator.methodcaller",
     "os.getenv", "os.environ.get", "string.capwords", "struct.Struct", "struct.calcsize",
     "struct.pack", "sys.intern", "textwrap.dedent", "textwrap.fill", "textwrap.indent",
     "textwrap.shorten", "typing.NamedTuple", "typing.NewType", "typing.TypeVar"]
)  # fmt: skip
# What describes an attribute in a class's body; each object has its own.
_DESCRIBING = frozenset(
    ["Field", "attrib", "cached_property", "classmethod", "field", "ib", "property", "staticmethod"]
)
_RECORDS = frozenset(["attrs", "dataclass", "define", "frozen", "mutable", "s"])
_CHANGING_ATTRIBUTES = frozenset(
    ["os.environ", "sys.argv", "sys.modules", "sys.path", "sys.stdin", "sys.stdout", "sys.stderr"]
)
# Methods of what is frozen that give lists of what is.
_SPLITTING = frozenset(["split", "rsplit", "splitlines", "findall", "partition", "rpartition"])
_VIEWING = frozenset(["items", "keys", "values", "copy"])
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class Kinds:
    """The kinds of a module's own names, and of attributes in the bodies of its classes.

    `imports` are the meanings of imported names, `references` the names of what is defined or
    imported: they are FROZEN here, since what they name is not theirs.  Variables imported from a
    file of the same project have the kinds that they have there, where the module's own file is
    given.
    """

    def __init__(self, module: Module, file: str | None = None) -> None:
        self._module = module
        self.names: dict[str, Kind] = {}
        self.attributes: dict[str, Kind] = {}
        self.imports = dict(module.imports)
        if file is not None:
            self.imports |= {
                name: f"{star}.{name}" for star in module.starred for name in _names_in(star, file)
            }
        for name, meaning in self.imports.items():
            self.names[name] = Kind.FROZEN if file is None else imported_kind(meaning, file)
        self.references = {name for name, kind in self.names.items() if kind is Kind.FROZEN}
        self._read(module.tree.body, self.names)

    def _read(self, body: Iterable[ast.stmt], into: dict[str, Kind]) -> None:
        for statement in body:
            if isinstance(statement, _Definition):
                if into is self.names:
                    self._put(into, statement.name, Kind.FROZEN)
                    self.references.add(statement.name)
                if isinstance(statement, ast.ClassDef):
                    self._read(_own_attributes(statement), self.attributes)
                continue
            for target, kind in self._bound(statement):
                self._bind(into, target, kind)
            for field in ("body", "orelse", "finalbody"):
                self._read(getattr(statement, field, ()), into)
            for block in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
                self._read(block.body, into)

    def _put(self, into: dict[str, Kind], name: str, kind: Kind) -> None:
        into[name] = max(into.get(name, Kind.FROZEN), kind)

    def _bind(self, into: dict[str, Kind], target: ast.expr, kind: Kind) -> None:
        if isinstance(target, ast.Name):
            self._put(into, target.id, kind)
        elif isinstance(target, ast.Starred):
            self._bind(into, target.value, max(kind, Kind.SHALLOW))
        elif isinstance(target, ast.Tuple | ast.List):
            for part in target.elts:
                self._bind(into, part, _of_items(kind))

    def _bound(self, statement: ast.stmt) -> Iterator[tuple[ast.expr, Kind]]:
        """Yield what a statement itself binds, and to what."""
        if isinstance(statement, ast.Assign):
            for target in statement.targets:
                yield from self._paired(target, statement.value)
        elif isinstance(statement, ast.AnnAssign | ast.AugAssign) and statement.value is not None:
            yield statement.target, self.of(statement.value)
        elif isinstance(statement, ast.For | ast.AsyncFor):
            yield statement.target, self.items(statement.iter)
        elif isinstance(statement, ast.With | ast.AsyncWith):
            for item in statement.items:
                if item.optional_vars is not None:
                    yield item.optional_vars, Kind.DEEP
        for node in own_expressions(statement):
            if isinstance(node, ast.NamedExpr):
                yield node.target, self.of(node.value)

    def _paired(self, target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, Kind]]:
        """Yield the parts of a target with those of its value, where both are written out."""
        parts, given = getattr(target, "elts", None), getattr(value, "elts", None)
        both = [*(parts or ()), *(given or ())]
        if parts is None or given is None or any(isinstance(one, ast.Starred) for one in both):
            yield target, self.of(value)
            return
        for part, one in zip(parts, given, strict=False):
            yield from self._paired(part, one)

    def of(self, node: ast.expr | None, around: Mapping[str, Kind] | None = None) -> Kind:
        """Return the kind of an expression; `around` are variables of comprehensions around it."""
        around = around or {}
        match node:
            case ast.Constant() | ast.JoinedStr() | ast.Lambda() | ast.Compare() | None:
                return Kind.FROZEN
            case ast.Name():
                return self._of_name(node, around)
            case ast.UnaryOp(op=operator, operand=operand):
                return Kind.FROZEN if isinstance(operator, ast.Not) else self.of(operand, around)
            case ast.BinOp(left=left, right=right):
                return self._worst([left, right], around)
            case ast.BoolOp(values=values):
                return self._worst(values, around)
            case ast.IfExp(body=body, orelse=orelse):
                return self._worst([body, orelse], around)
            case ast.NamedExpr(value=value) | ast.Starred(value=value):
                return self.of(value, around)
            case ast.Tuple(elts=items):
                return _held(self._worst(items, around), Kind.FROZEN)
            case ast.List(elts=items) | ast.Set(elts=items):
                return _held(self._worst(items, around), Kind.SHALLOW)
            case ast.Dict(values=values):
                return _held(self._worst(values, around), Kind.SHALLOW)
            case ast.ListComp() | ast.SetComp() | ast.DictComp():
                return _held(self.items(node, around), Kind.SHALLOW)
            case ast.Subscript(value=value):
                return _of_items(self.of(value, around))
            case ast.Attribute():
                return self._of_attribute(node, around)
            case ast.Call():
                return self._of_call(node, around)
        return Kind.DEEP

    def items(self, node: ast.expr, around: Mapping[str, Kind] | None = None) -> Kind:
        """Return the kind of what going through an expression gives."""
        around = around or {}
        if isinstance(node, COMPREHENSIONS):
            inner = dict(around)
            for part in node.generators:
                self._bind(inner, part.target, self.items(part.iter, inner))
            parts = [node.value] if isinstance(node, ast.DictComp) else [node.elt]
            return self._worst(parts, inner)
        if isinstance(node, ast.Call):
            given = [*node.args, *(word.value for word in node.keywords)]
            name = getattr(node.func, "id", "")
            if name in _PASSING:
                return max((self.items(one, around) for one in given), default=Kind.FROZEN)
            if name == "map" and self._is_plain(given[0] if given else node.func):
                return Kind.FROZEN
        return _of_items(self.of(node, around))

    def _worst(self, nodes: Iterable[ast.expr], around: Mapping[str, Kind]) -> Kind:
        return max((self.of(node, around) for node in nodes), default=Kind.FROZEN)

    def _of_name(self, node: ast.Name, around: Mapping[str, Kind]) -> Kind:
        if node.id in around:
            return around[node.id]
        if node.id in self.names:
            return self.names[node.id]
        return Kind.FROZEN if node.id in self._module.dotted(node) else Kind.DEEP

    def _of_attribute(self, node: ast.Attribute, around: Mapping[str, Kind]) -> Kind:
        root: ast.expr = node
        while isinstance(root, ast.Attribute):
            root = root.value
        if not isinstance(root, ast.Name) or root.id not in self.references:
            return Kind.FROZEN if self.of(node.value, around) is Kind.FROZEN else Kind.DEEP
        if meanings(self._module, node) & _CHANGING_ATTRIBUTES:
            return Kind.DEEP
        return self.attributes.get(node.attr, Kind.FROZEN)

    def _is_plain(self, function: ast.expr) -> bool:
        """Tell whether calls of a function give what nothing changes."""
        if last_name(function) in _DESCRIBING or getattr(function, "id", "") in _PLAIN:
            return True
        return any(
            name in _FROZEN_CALLS or name.startswith(_FROZEN_MODULES)
            for name in meanings(self._module, function)
        )

    def _of_call(self, call: ast.Call, around: Mapping[str, Kind]) -> Kind:
        function = call.func
        if self._is_plain(function):
            return Kind.FROZEN
        given = [*call.args, *(word.value for word in call.keywords)]
        name = getattr(function, "id", "")
        held = max((self.items(one, around) for one in given), default=Kind.FROZEN)
        if name in _COPYING:
            return _held(held, Kind.SHALLOW)
        if name in _FREEZING:
            return _held(held, Kind.FROZEN)
        if not isinstance(function, ast.Attribute):
            return Kind.DEEP
        of_value = function.attr in METHODS or not self._is_reference(function.value)
        return self._of_method(function, around) if of_value else Kind.DEEP

    def _is_reference(self, node: ast.expr) -> bool:
        while isinstance(node, ast.Attribute):
            node = node.value
        return isinstance(node, ast.Name) and node.id in self.references

    def _of_method(self, function: ast.Attribute, around: Mapping[str, Kind]) -> Kind:
        kind = self.of(function.value, around)
        if kind is Kind.FROZEN:
            return Kind.SHALLOW if function.attr in _SPLITTING else Kind.FROZEN
        if kind is Kind.SHALLOW and function.attr in _VIEWING:
            return kind
        return Kind.FROZEN if kind is Kind.SHALLOW and function.attr == "get" else Kind.DEEP


def imported_kind(meaning: str, near: str) -> Kind:
    """Return the kind of a variable of another file of the project; FROZEN for all else."""
    found = variable_of(meaning, near)
    return Kind.FROZEN if found is None else _kinds_in(found[0]).get(found[1], Kind.FROZEN)


def _names_in(star: str, near: str) -> list[str]:
    """Return the names that a file of the project gives to who imports all of it."""
    found = variable_of(f"{star}.any", near)
    return [name for name in _kinds_in(found[0]) if name[0] != "_"] if found else []


@lru_cache(maxsize=64)
def _kinds_in(file: str) -> Mapping[str, Kind]:
    module = module_of(file)
    return {} if module is None else Kinds(module).names


def _own_attributes(owner: ast.ClassDef) -> list[ast.stmt]:
    """Return what binds attributes of a class; fields of a record are those of its objects."""
    names = {last_name(one) for node in owner.decorator_list for one in ast.walk(node)}
    is_record = bool(names & _RECORDS)
    return [node for node in owner.body if not (is_record and isinstance(node, ast.AnnAssign))]


def _held(items: Kind, alone: Kind) -> Kind:
    """Return the kind of what holds such items and would be of a kind alone."""
    return alone if items is Kind.FROZEN else Kind.DEEP


def _of_items(kind: Kind) -> Kind:
    return Kind.DEEP if kind is Kind.DEEP else Kind.FROZEN
