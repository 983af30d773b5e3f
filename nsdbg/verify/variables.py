"""Which variables of a module, and attributes of its classes, may not be as its import left them.

Read from the texts of its file and of those that it imports.  A variable counts as changed unless
all that is done with it is known to leave it, and what it holds, as they are: what is handed on to
somebody else may be changed there.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from nsdbg.rulebook.scope import FunctionNode, Module
from nsdbg.source import last_name
from nsdbg.verify.child.purity import BUILTINS, METHODS
from nsdbg.verify.kinds import COMPREHENSIONS, Kind, Kinds, imported_kind
from nsdbg.verify.meanings import meanings, module_of, text_of, variable_of

# Functions of libraries that leave their arguments as they are, and keep nothing of them.
_READERS = frozenset(
    ["bisect.bisect", "bisect.bisect_left", "bisect.bisect_right", "copy.deepcopy", "json.dumps",
     "operator.contains", "operator.itemgetter", "random.choice", "random.sample", "re.compile"]
)  # fmt: skip
# Methods that take a container as argument, and only read it.
_TAKING = METHODS | frozenset(["extend", "issubset", "issuperset", "update"])
# Of what a container holds, these give something on: an element, a view, a copy with the same ones.
_GIVING_NAMES = """
    copy dict enumerate filter frozenset get items list map max min reversed set sorted sum tuple
    union values zip
"""
_GIVING = frozenset(_GIVING_NAMES.split())
# What calls these may change any of a module's variables by their names.
_NAMESPACES = frozenset(["exec", "eval", "globals", "vars", "sys.modules"])
_SETTERS = frozenset(["setattr", "delattr", "__setattr__", "__delattr__", "setitem", "delitem"])
# Methods of functions and classes that change or tell what they remember.
_REMEMBERING = frozenset(["cache_clear", "cache_info", "register"])
_READ_CONTEXTS = (
    ast.Assert, ast.Compare, ast.Expr, ast.FormattedValue, ast.If, ast.Slice, ast.UnaryOp,
    ast.While,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Changing:
    """The names of variables and of classes' attributes that may change after the import."""

    names: frozenset[str]
    attributes: frozenset[str]


@lru_cache(maxsize=64)
def _changing_in(file: str) -> Changing:
    """Return what of a file its own functions may change."""
    module = module_of(file)
    nothing = Changing(frozenset(), frozenset())
    return nothing if module is None else Uses(module).changing()


@lru_cache(maxsize=64)
def _rebound_in(file: str) -> frozenset[str]:
    """Return the variables of a file that its functions bind anew, which is read at once."""
    module = module_of(file)
    nodes = [] if module is None else list(ast.walk(module.tree))
    return frozenset(name for node in nodes if isinstance(node, ast.Global) for name in node.names)


def is_changed_there(meaning: str, near: str) -> bool:
    """Tell whether a dotted name is a variable that another file of the project may change."""
    found = variable_of(meaning, near)
    if found is None:
        return False
    frozen = imported_kind(meaning, near) is Kind.FROZEN
    return found[1] in (_rebound_in(found[0]) if frozen else _changing_in(found[0]).names)


class Uses:
    """What the functions of one module do with its variables, and with those that it imports.

    `file` is the module's own; without it, imported names are what they name.
    """

    def __init__(self, module: Module, file: str | None = None) -> None:
        self._module = module
        self._file = file
        self.kinds = Kinds(module, file)

    def changing(self) -> Changing:
        """Return what may change."""
        names, attributes = set(self._declared()), set(self._set_attributes())
        for node in ast.walk(self._module.tree):
            if isinstance(node, ast.Name) and node.id not in names:
                if self._means_variable(node) and not self._is_left(node):
                    names.add(node.id)
            elif isinstance(node, ast.Attribute) and node.attr not in attributes:
                kind = self._kind_of_attribute(node)
                changeable = kind is not Kind.FROZEN and self._function_of(node) is not None
                if changeable and not self.leaves(node, kind):
                    attributes.add(node.attr)
            if isinstance(node, ast.Attribute) and node.attr in _REMEMBERING:
                names |= {node.value.id} if isinstance(node.value, ast.Name) else set()
        if self._file is not None:
            self._follow(names, attributes, self._file)
        if self._reaches_namespace():
            names |= set(self.kinds.names) - self.kinds.references
        return Changing(frozenset(names), frozenset(attributes))

    def _follow(self, names: set[str], attributes: set[str], file: str) -> None:
        """Add what is changed under another name, here or in the files that are imported."""
        for name, meaning in self.kinds.imports.items():
            found = variable_of(meaning, file) or variable_of(f"{meaning}.any", file)
            if found is None:
                continue
            attributes |= _changing_in(found[0]).attributes
            if name in names or found[1] in attributes or is_changed_there(meaning, file):
                names.add(name)
                attributes.add(found[1])

    def _kind_of_attribute(self, node: ast.Attribute) -> Kind:
        """Return the kind of a class's attribute, or of another module's variable."""
        kind = self.kinds.attributes.get(node.attr, Kind.FROZEN)
        meant = () if self._file is None else meanings(self._module, node)
        return max([kind, *(imported_kind(one, self._file or "") for one in meant)])

    def _declared(self) -> Iterator[str]:
        """Yield the names that functions rebind, and functions that keep a default's value."""
        for node in ast.walk(self._module.tree):
            if isinstance(node, ast.Global):
                yield from node.names
            elif isinstance(node, FunctionNode):
                kept = [self._keeps(node, *pair) for pair in _defaults(node.args)]
                yield from [node.name] if any(kept) else []

    def _keeps(self, function: FunctionNode, name: str, default: ast.expr) -> bool:
        """Tell whether a function may change what one of its parameters is by default."""
        kind = self.kinds.of(default)
        return kind is not Kind.FROZEN and not all(
            self.leaves(node, kind)
            for node in ast.walk(function)
            if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
        )

    def _function_of(self, node: ast.AST) -> FunctionNode | None:
        return self._module.function_of(node)

    def _means_variable(self, node: ast.Name) -> bool:
        """Tell whether a name means one of the module's own variables or imports."""
        if node.id not in self.kinds.names or not isinstance(node.ctx, ast.Load):
            return False
        if self.kinds.names[node.id] is Kind.FROZEN or _is_bound_within(self._module, node):
            return False
        scope = self._module.scope(node.id, self._function_of(node))
        return scope in ("global", "import", "unknown")  # that of names imported by `*`

    def _is_left(self, node: ast.Name) -> bool:
        """Tell whether what is done with a variable at one place leaves it as it is."""
        kind = self.kinds.names[node.id]
        if self._function_of(node) is None:
            return not self._is_given_on(node)
        return self.leaves(node, kind)

    def _is_given_on(self, node: ast.expr) -> bool:
        """Tell whether the import gives a variable a second name, or keeps it in something."""
        above = self._module.parents[node]
        if isinstance(above, ast.Call):
            plain = node is not above.func and not self._is_reader(above)
            return plain and not isinstance(self._module.parents[above], ast.Expr)
        holding = (ast.Assign, ast.AnnAssign, ast.NamedExpr, ast.arguments, ast.List, ast.Tuple,
                   ast.Dict, ast.Set, ast.Lambda, ast.keyword, ast.IfExp, ast.BoolOp)  # fmt: skip
        return isinstance(above, holding)

    def leaves(self, node: ast.expr, kind: Kind) -> bool:
        """Tell whether what is done with an expression leaves a value of that kind as it is."""
        above = self._module.parents[node]
        if kind is Kind.FROZEN:
            return True
        if isinstance(above, ast.Subscript | ast.Attribute) and above.value is node:
            if not isinstance(above.ctx, ast.Load):
                return False
            if isinstance(above, ast.Subscript):
                return kind is not Kind.DEEP or self.leaves(above, kind)
            return self._leaves_by_attribute(above, kind)
        return self._reads(node, above, kind)

    def leaves_cell(self, node: ast.Name) -> bool:
        """Tell whether what is done with a variable of the function around leaves it as it is."""
        above = self._module.parents[node]
        called = isinstance(above, ast.Call) and above.func is node
        return called or not isinstance(node.ctx, ast.Load) or self.leaves(node, Kind.SHALLOW)

    def _leaves_by_attribute(self, node: ast.Attribute, kind: Kind) -> bool:
        call = self._module.parents[node]
        called = isinstance(call, ast.Call) and call.func is node
        if not called:
            return kind is Kind.DEEP and self.leaves(node, kind)
        if node.attr not in METHODS:
            return False
        assert isinstance(call, ast.Call)
        return kind is not Kind.DEEP or node.attr not in _GIVING or self.leaves(call, kind)

    def _reads(self, node: ast.expr, above: ast.AST, kind: Kind) -> bool:
        """Tell whether a container is left as it is by what stands around it."""
        if isinstance(above, _READ_CONTEXTS):
            return True
        if isinstance(above, ast.Subscript):
            return True  # as a key
        if isinstance(above, ast.For | ast.AsyncFor | ast.comprehension):
            return node is not above.iter or kind is Kind.SHALLOW
        if isinstance(above, ast.IfExp) and node is above.test:
            return True
        if isinstance(above, ast.IfExp | ast.BoolOp):
            return self.leaves(above, kind)
        if isinstance(above, ast.BinOp):
            return kind is Kind.SHALLOW or self.leaves(above, kind)
        if isinstance(above, ast.Dict):
            held = [item for key, item in zip(above.keys, above.values, strict=True) if key]
            return kind is Kind.SHALLOW and node not in held
        if isinstance(above, ast.AugAssign | ast.Starred | ast.Match):
            return kind is Kind.SHALLOW
        if isinstance(above, ast.Assign):
            unpacked = all(isinstance(one, ast.Tuple | ast.List) for one in above.targets)
            return unpacked and kind is Kind.SHALLOW
        if isinstance(above, ast.Call) and node is not above.func:
            return self._is_read_by(above, kind)
        return False

    def _is_read_by(self, call: ast.Call, kind: Kind) -> bool:
        """Tell whether a call leaves its arguments of that kind as they are."""
        if not self._is_reader(call):
            return False
        gives = kind is Kind.DEEP and last_name(call.func) in _GIVING
        return not gives or self.leaves(call, kind)

    def _is_reader(self, call: ast.Call) -> bool:
        meant = meanings(self._module, call.func)
        if meant:
            return meant <= _READERS | BUILTINS
        return isinstance(call.func, ast.Attribute) and call.func.attr in _TAKING

    def _set_attributes(self) -> Iterator[str]:
        """Yield the attributes that are set of what may be a class that has them, or a module."""
        known = self.kinds.attributes
        for node in ast.walk(self._module.tree):
            if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
                holder, name = node.value, node.attr
            elif isinstance(node, ast.Call) and len(node.args) > 1:
                if last_name(node.func) not in _SETTERS:
                    continue
                holder, name = node.args[0], text_of(node.args[1])
            else:
                continue
            if self._function_of(node) is None or self._is_object(holder):
                continue
            if self._is_class(holder):
                yield from [name] if name else known
            elif name in known:
                yield name

    def _is_class(self, node: ast.expr) -> bool:
        """Tell whether an expression names a class, a function or a module."""
        if isinstance(node, ast.Name):
            return node.id == "cls" or node.id in self.kinds.references
        if isinstance(node, ast.Call):
            return getattr(node.func, "id", "") == "type"
        if isinstance(node, ast.Attribute):
            return node.attr == "__class__" or self._is_class(node.value)
        return isinstance(node, ast.Subscript) and self._is_class(node.value)

    def _is_object(self, node: ast.expr) -> bool:
        """Tell whether an expression is the object of the method around it."""
        function = self._function_of(node)
        if function is None or not isinstance(self._module.parents[function], ast.ClassDef):
            return False
        first = [*function.args.posonlyargs, *function.args.args][:1]
        plain = not any(getattr(one, "id", "") == "classmethod" for one in function.decorator_list)
        of_object = plain and function.name != "__init_subclass__"
        return of_object and bool(first) and getattr(node, "id", "") == first[0].arg

    def _reaches_namespace(self) -> bool:
        """Tell whether a function comes at the module's variables by their names."""
        for node in ast.walk(self._module.tree):
            if not isinstance(node, ast.Name | ast.Attribute) or self._function_of(node) is None:
                continue
            if meanings(self._module, node) & _NAMESPACES and not self._is_looked_up(node):
                return True
        return False

    def _is_looked_up(self, node: ast.expr) -> bool:
        """Tell whether a namespace is only asked for what is in it, or is that of an object."""
        above = self._module.parents[node]
        if isinstance(above, ast.Call) and above.func is node:
            if above.args and getattr(node, "id", "") == "vars":
                return True
            node, above = above, self._module.parents[above]
        if isinstance(above, ast.Subscript):
            asked = self._module.parents[above]
            return isinstance(asked, ast.Compare) or (
                isinstance(asked, ast.Call) and asked.func is above
            )
        return isinstance(above, ast.Compare)


def _defaults(args: ast.arguments) -> Iterator[tuple[str, ast.expr]]:
    """Yield parameters with what they are by default."""
    plain = [*args.posonlyargs, *args.args]
    for arg, default in zip(plain[len(plain) - len(args.defaults) :], args.defaults, strict=True):
        yield arg.arg, default
    for arg, given in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        if given is not None:
            yield arg.arg, given


def _is_bound_within(module: Module, node: ast.Name) -> bool:
    """Tell whether a name is a variable of a lambda or comprehension around it."""
    for above in module.ancestors(node):
        if isinstance(above, FunctionNode):
            return False
        if isinstance(above, ast.Lambda):
            bound = {arg.arg for arg in ast.walk(above.args) if isinstance(arg, ast.arg)}
        elif isinstance(above, COMPREHENSIONS):
            targets = [one for part in above.generators for one in ast.walk(part.target)]
            bound = {getattr(one, "id", "") for one in targets}
        else:
            continue
        if node.id in bound:
            return True
    return False
