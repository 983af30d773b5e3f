"""Kinds of values: a small tree of builtin types, read from hints and from values.

Not a type system: a kind says what to make, and nothing about what is allowed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from nsdbg.source import last_name

SCALARS = ("int", "float", "bool", "str", "bytes", "complex", "None")
COLLECTIONS = ("list", "set", "frozenset", "dict", "tuple", "row")
_DEPTH = 5
_CHECKED = 40

_NAMES = {
    "List": "list", "Sequence": "list", "MutableSequence": "list", "Iterable": "list",
    "Collection": "list", "Deque": "list", "deque": "list", "Iterator": "list", "Generator": "list",
    "Set": "set", "MutableSet": "set", "AbstractSet": "set", "FrozenSet": "frozenset",
    "Dict": "dict", "Mapping": "dict", "MutableMapping": "dict", "DefaultDict": "dict",
    "OrderedDict": "dict", "defaultdict": "dict", "Counter": "dict", "Tuple": "tuple",
    "Text": "str", "AnyStr": "str", "Hashable": "str", "Number": "int", "Real": "float",
    "Sized": "list", "SupportsInt": "int", "SupportsFloat": "float", "ByteString": "bytes",
    "Callable": "callable", "Any": "any", "object": "any", "T": "any",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind and those of its parts.

    `name` is a builtin type's, `row` (a tuple of any length), `any`, `callable`, `object:NAME` for
    a class, `namespace:NAMES` for an object with these attributes, or `record:KEYS` for a dict with
    these keys.  `parts`: one for list, set and row, key and value for dict, else one for each.
    """

    name: str
    parts: tuple[Kind, ...] = ()

    def __str__(self) -> str:
        return f"{self.name}[{', '.join(map(str, self.parts))}]" if self.parts else self.name


ANY = Kind("any")
INT, FLOAT, STR, BOOL, NONE = Kind("int"), Kind("float"), Kind("str"), Kind("bool"), Kind("None")


def kinds_of_hint(annotation: str | ast.expr | None) -> list[Kind]:
    """Return the kinds that a hint allows, in its order; empty when it says nothing."""
    if isinstance(annotation, str):
        try:
            annotation = ast.parse(annotation, mode="eval").body
        except SyntaxError:
            return []
    return [] if annotation is None else _of_hint(annotation, 0)


def _of_hint(node: ast.expr, depth: int) -> list[Kind]:
    if depth > _DEPTH:
        return []
    if isinstance(node, ast.Constant):
        if isinstance(node.value, str):
            return kinds_of_hint(node.value)
        return [NONE] if node.value is None else []
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _of_hint(node.left, depth) + _of_hint(node.right, depth)
    if isinstance(node, ast.Subscript):
        inner = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
        return _of_generic(last_name(node.value), inner, depth)
    name = last_name(node)
    return _of_name(name) if name else []


def _of_name(name: str) -> list[Kind]:
    name = _NAMES.get(name, name)
    if name == "any":
        return []
    if name == "tuple":
        return [Kind("row", (ANY,))]
    if name == "dict":
        return [Kind("dict", (ANY, ANY))]
    if name in COLLECTIONS:
        return [Kind(name, (ANY,))]
    return [Kind(name if name in SCALARS or name == "callable" else f"object:{name}")]


def _of_generic(name: str, inner: list[ast.expr], depth: int) -> list[Kind]:
    if name in ("Optional", "Union", "Annotated", "Final", "ClassVar", "Required", "NotRequired"):
        parts = inner if name in ("Union", "Optional") else inner[:1]
        found = [kind for part in parts for kind in _of_hint(part, depth + 1)]
        return [*found, NONE] if name == "Optional" else found
    if name == "Literal":
        return [kind_of(part.value) for part in inner if isinstance(part, ast.Constant)]
    base = _of_name(name)
    if not base or base[0].name not in COLLECTIONS:
        return base
    options = [(_of_hint(part, depth + 1) or [ANY])[0] for part in inner]
    if base[0].name == "row":
        return [_of_tuple(inner, options)]
    if base[0].name == "dict":
        values = [INT] if name == "Counter" else options[1:2] or [ANY]
        return [Kind("dict", (options[0], *values))]
    return [Kind(base[0].name, (options[0],))]


def _of_tuple(inner: list[ast.expr], options: list[Kind]) -> Kind:
    last = inner[-1]
    if isinstance(last, ast.Constant) and last.value is ...:
        return Kind("row", (options[0],))
    return Kind("tuple", tuple(options))


def kind_of(value: Any, depth: int = 0) -> Kind:
    """Return the kind of a value; of a collection's parts, the one they share."""
    if value is None:
        return NONE
    name = type(value).__name__
    if name in SCALARS:
        return Kind(name)
    if depth > _DEPTH:
        return ANY
    if isinstance(value, dict):
        if not value:
            return Kind("dict", (ANY, ANY))
        return Kind("dict", (_shared(value, depth), _shared(value.values(), depth)))
    if isinstance(value, tuple) and 0 < len(value) < 5:
        return Kind("tuple", tuple(kind_of(part, depth + 1) for part in value))
    if isinstance(value, (list, set, frozenset, tuple)):
        return Kind("row" if isinstance(value, tuple) else name, (_shared(value, depth),))
    return Kind(f"object:{name}")


def _shared(parts: Iterable[Any], depth: int) -> Kind:
    """Return the kind of all parts, looking at the first few; ANY where they differ."""
    kinds = {kind_of(part, depth + 1) for _, part in zip(range(12), parts, strict=False)}
    return kinds.pop() if len(kinds) == 1 else ANY


def fits(value: Any, kind: Kind, depth: int = 0) -> bool:
    """Tell whether a value is of a kind, looking at the first few parts."""
    if kind.name == "any" or depth > _DEPTH:
        return True
    if kind.name in SCALARS:
        return type(value).__name__ == kind.name or (kind.name == "None" and value is None)
    if kind.name.startswith("record:"):
        return isinstance(value, dict)
    wanted = {"row": "tuple"}.get(kind.name, kind.name)
    if type(value).__name__ != wanted:
        return False
    if kind.name == "dict":
        return all(fits(key, kind.parts[0], depth + 1) and fits(item, kind.parts[1], depth + 1)
                   for key, item in list(value.items())[:_CHECKED])  # fmt: skip
    if kind.name == "tuple" and kind.parts:
        pairs = zip(value, kind.parts, strict=False)
        return len(value) == len(kind.parts) and all(fits(v, k, depth + 1) for v, k in pairs)
    part = kind.parts[0] if kind.parts else ANY
    return all(fits(item, part, depth + 1) for item in list(value)[:_CHECKED])
