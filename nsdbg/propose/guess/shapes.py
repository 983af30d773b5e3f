"""The classes of a module as their source shows them: how to build one, and what it then has.

Reads class definitions; imports nothing.  What is built is text for the child, see `recipes`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from nsdbg.propose.guess.kinds import ANY, Kind, kinds_of_hint

_ENUMS = ("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag")


@dataclass(frozen=True, slots=True)
class Field:
    """An argument of a class's constructor; `default` is source text, None where it is required."""

    name: str
    kind: Kind
    default: str | None = None
    keyword: bool = False


@dataclass(frozen=True, slots=True)
class Shape:
    """How a class is built.

    `members` are those of an Enum.  `attributes` are names that instances have: methods, fields and
    what methods assign to `self`.  `known` is False when the constructor comes from elsewhere.
    """

    name: str
    fields: tuple[Field, ...] = ()
    members: tuple[str, ...] = ()
    attributes: frozenset[str] = frozenset()
    methods: frozenset[str] = frozenset()
    known: bool = True


def shapes_of(tree: ast.Module) -> dict[str, Shape]:
    """Return the shapes of a module's classes by qualified name, base classes followed."""
    found: dict[str, Shape] = {}
    for prefix, node in _classes(tree.body, ""):
        found[prefix + node.name] = _shape(prefix + node.name, node, found)
    return found


def _classes(body: list[ast.stmt], prefix: str) -> Iterator[tuple[str, ast.ClassDef]]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield prefix, node
            yield from _classes(node.body, f"{prefix}{node.name}.")
        elif isinstance(node, (ast.If, ast.Try)):
            yield from _classes(node.body, prefix)


def _shape(name: str, node: ast.ClassDef, known: dict[str, Shape]) -> Shape:
    bases = [base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "")
             for base in node.bases]  # fmt: skip
    parents = [known[base] for base in bases if base in known]
    methods = frozenset(item.name for item in node.body
                        if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef)))  # fmt: skip
    attributes = methods | _assigned(node)
    for parent in parents:
        methods, attributes = methods | parent.methods, attributes | parent.attributes
    if set(bases) & set(_ENUMS):
        return Shape(name, (), _members(node), attributes, methods)
    fields, is_known = _fields(node, bases, parents)
    attributes |= {field.name for field in fields}
    return Shape(name, tuple(fields), (), attributes, methods, is_known)


def _fields(node: ast.ClassDef, bases: list[str], parents: list[Shape]) -> tuple[list[Field], bool]:
    for item in node.body:
        if isinstance(item, ast.FunctionDef) and item.name == "__init__":
            return _arguments(item.args), True
    inherited = [field for parent in parents for field in parent.fields]
    if _is_dataclass(node) or "NamedTuple" in bases or "TypedDict" in bases:
        own = list(_annotated(node))
        names = {field.name for field in own}
        return [*(field for field in inherited if field.name not in names), *own], True
    foreign = [base for base in bases if base not in ("object", "ABC", "Protocol", "Generic")]
    return inherited, len(foreign) == len(parents) and all(parent.known for parent in parents)


def _is_dataclass(node: ast.ClassDef) -> bool:
    for item in node.decorator_list:
        inner = item.func if isinstance(item, ast.Call) else item
        name = inner.attr if isinstance(inner, ast.Attribute) else getattr(inner, "id", "")
        if name in ("dataclass", "define", "frozen"):
            return True
    return False


def _annotated(node: ast.ClassDef) -> Iterator[Field]:
    for item in node.body:
        if not isinstance(item, ast.AnnAssign) or not isinstance(item.target, ast.Name):
            continue
        hint = ast.unparse(item.annotation)
        if hint.startswith(("ClassVar", "typing.ClassVar")):
            continue
        default = ast.unparse(item.value) if item.value is not None else None
        if default is not None and default.startswith(("field(", "dataclasses.field(")):
            if "init=False" in default:
                continue
            default = default if "default" in default else None
        yield Field(item.target.id, (kinds_of_hint(item.annotation) or [ANY])[0], default)


def _arguments(arguments: ast.arguments) -> list[Field]:
    plain = [*arguments.posonlyargs, *arguments.args]
    defaults: list[ast.expr | None] = [None] * (len(plain) - len(arguments.defaults))
    found = []
    for arg, default in list(zip(plain, [*defaults, *arguments.defaults], strict=True))[1:]:
        found.append(_argument(arg, default, False))
    for arg, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        found.append(_argument(arg, default, True))
    return found


def _argument(arg: ast.arg, default: ast.expr | None, keyword: bool) -> Field:
    kinds = kinds_of_hint(arg.annotation) or [ANY]
    return Field(arg.arg, kinds[0], ast.unparse(default) if default else None, keyword)


def _members(node: ast.ClassDef) -> tuple[str, ...]:
    names = []
    for item in node.body:
        if isinstance(item, ast.Assign):
            names += [target.id for target in item.targets
                      if isinstance(target, ast.Name) and target.id[0] != "_"]  # fmt: skip
    return tuple(names)


def _assigned(node: ast.ClassDef) -> frozenset[str]:
    """Return the names that a class's methods assign to `self`, and those of its body."""
    names = set(_members(node))
    for item in ast.walk(node):
        targets = item.targets if isinstance(item, ast.Assign) else []
        if isinstance(item, (ast.AnnAssign, ast.AugAssign)):
            targets = [item.target]
        for target in targets:
            owner = target.value if isinstance(target, ast.Attribute) else None
            if isinstance(target, ast.Attribute) and getattr(owner, "id", "") == "self":
                names.add(target.attr)
    return frozenset(names)
