"""Objects as expressions: what to write so that the child builds an instance of some class.

A Recipe is a call whose arguments are values or Recipes again; its `repr` is the expression, so
that it may stand inside lists and dicts.  Nothing is built here.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nsdbg.propose.guess.kinds import ANY, INT, NONE, STR, Kind
from nsdbg.propose.guess.shapes import Field, Shape, shapes_of

if TYPE_CHECKING:
    from nsdbg.propose.make.generate import Generator

_DEPTH = 4
# Fields that hold another instance of their own class.
_LINKS = re.compile(
    r"left|right|next\w*|prev\w*|parent|child|head|tail|root|node|link|sibling|random"
)
_BARE = (
    "(lambda made, state: ([object.__setattr__(made, *item) for item in state.items()], made)[1])"
)


@dataclass(frozen=True, slots=True)
class Recipe:
    """An expression: `function(*arguments)`, arguments with a name being keywords.

    With `arguments` None it is the name alone.  `imports` are statements that it needs.
    """

    function: str
    arguments: tuple[tuple[str, Any], ...] | None = ()
    imports: tuple[str, ...] = ()

    def __repr__(self) -> str:
        if self.arguments is None:
            return self.function
        parts = [f"{name}={value!r}" if name else repr(value) for name, value in self.arguments]
        return f"{self.function}({', '.join(parts)})"


def imports_of(value: Any) -> Iterator[str]:
    """Give the imports that the recipes inside a value need."""
    if isinstance(value, Recipe):
        yield from value.imports
        for _, argument in value.arguments or ():
            yield from imports_of(argument)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from imports_of(key)
            yield from imports_of(item)
    elif isinstance(value, (list, tuple, set, frozenset)):
        for item in value:
            yield from imports_of(item)


# Classes of the standard library that hints name: module, name there, and argument kinds.
_KNOWN: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "datetime": ("datetime", "datetime", ("year", "month", "day", "hour", "minute")),
    "date": ("datetime", "date", ("year", "month", "day")),
    "time": ("datetime", "time", ("hour", "minute")),
    "timedelta": ("datetime", "timedelta", ("int", "int")),
    "Decimal": ("decimal", "Decimal", ("decimal",)),
    "Fraction": ("fractions", "Fraction", ("int", "positive")),
    "Path": ("pathlib", "Path", ("path",)),
    "PurePath": ("pathlib", "PurePath", ("path",)),
    "TextIO": ("io", "StringIO", ("text",)),
    "IO": ("io", "StringIO", ("text",)),
    "StringIO": ("io", "StringIO", ("text",)),
    "BinaryIO": ("io", "BytesIO", ("bytes",)),
    "BytesIO": ("io", "BytesIO", ("bytes",)),
    "UUID": ("uuid", "UUID", ("uuid",)),
    "Namespace": ("argparse", "Namespace", ()),
    "range": ("builtins", "range", ("positive",)),
    "bytearray": ("builtins", "bytearray", ("bytes",)),
}
_RANGES = {"year": (1970, 2030), "month": (1, 12), "day": (1, 28), "hour": (0, 23),
           "minute": (0, 59), "positive": (1, 12)}  # fmt: skip
_CALLABLES = ("lambda *args: args[0] if args else None", "lambda *args: True", "lambda *args: None",
              "lambda *args: False", "lambda *args: 0", "str", "len", "int", "lambda *args: 1",
              "lambda *args: ''", "max", "lambda *args: list(args)")  # fmt: skip


class Recipes:
    """Builds recipes for the classes of one module and for those that hints name."""

    def __init__(self, tree: ast.Module) -> None:
        self.shapes = shapes_of(tree)
        self._bound = _bound_names(tree)
        self._learnt: dict[tuple[str, str], Kind] = {}

    def learn(self, shape: str, field: str, kind: Kind) -> None:
        """Note the kind of a constructor's argument that has no hint."""
        self._learnt.setdefault((shape, field), kind)

    def knows(self, name: str) -> bool:
        """Tell whether instances of a class can be written."""
        return self._shape(name) is not None or name in _KNOWN

    def make(self, kind: Kind, generator: Generator, size: int, depth: int) -> Any:
        """Return a value or a recipe for a kind that is no builtin type's."""
        word, _, name = kind.name.partition(":")
        if depth > _DEPTH:
            return None
        if word == "callable":
            return Recipe(generator.rng.choice(_CALLABLES[: 2 + size]), None)
        if word == "class":
            return Recipe(name, None)
        if word == "namespace":
            return self._namespace(name.split(","), kind.parts, generator, size, depth)
        shape = self._shape(name)
        if shape is not None:
            return self._instance(shape, generator, size, depth)
        if name in _KNOWN:
            return self._known(name, generator, size)
        return self._namespace([], (), generator, size, depth)

    def _shape(self, name: str) -> Shape | None:
        found = self.shapes.get(name)
        if found is not None:
            return found
        ends = [shape for known, shape in self.shapes.items() if known.endswith("." + name)]
        return ends[0] if ends else None

    def having(self, attributes: set[str]) -> list[Shape]:
        """Return the classes whose instances have all of some attributes."""
        return [shape for shape in self.shapes.values() if attributes <= shape.attributes]

    def _namespace(
        self, names: list[str], kinds: tuple[Kind, ...], generator: Generator, size: int, depth: int
    ) -> Recipe:
        pairs = zip(names, kinds, strict=False)
        fields = tuple(
            (name, generator.make(kind, size, depth + 1)) for name, kind in pairs if name
        )
        return self._of_module("types", "SimpleNamespace", fields)

    def _of_module(self, module: str, name: str, arguments: tuple[tuple[str, Any], ...]) -> Recipe:
        """Name something of a standard module without disturbing the target's own names."""
        if module == "builtins":
            return Recipe(name, arguments)
        if self._bound.get(module) == module:
            return Recipe(f"{module}.{name}", arguments)
        if self._bound.get(name) == f"{module}.{name}":
            return Recipe(name, arguments)
        if module in self._bound:
            return Recipe(f"__import__({module!r}).{name}", arguments)
        return Recipe(f"{module}.{name}", arguments, (f"import {module}",))

    def _instance(self, shape: Shape, generator: Generator, size: int, depth: int) -> Recipe:
        if shape.members:
            return Recipe(f"{shape.name}.{generator.rng.choice(shape.members)}", None)
        if not shape.known and not shape.fields:
            return self._bare(shape, generator, size, depth)
        arguments = []
        for field in shape.fields:
            if field.default is not None and generator.rng.random() < 0.6:
                continue
            value = generator.make(self._kind(shape, field, depth), max(size // 2, 1), depth + 1)
            arguments.append((field.name, value))
        return Recipe(shape.name, tuple(arguments))

    def _kind(self, shape: Shape, field: Field, depth: int) -> Kind:
        """Return the kind to make for a field; one that may be None often holds its own class."""
        if field.kind != ANY:
            return field.kind
        if field.default == "None" and _LINKS.fullmatch(field.name):
            return Kind(f"object:{shape.name}") if depth < _DEPTH - 1 else NONE
        return self._learnt.get((shape.name, field.name), INT if depth >= _DEPTH - 1 else ANY)

    def _bare(self, shape: Shape, generator: Generator, size: int, depth: int) -> Recipe:
        """Make an instance without its constructor, with attributes that its methods use."""
        names = sorted(shape.attributes - shape.methods)
        state = {name: generator.make(ANY, size, depth + 1) for name in names[:8]}
        made = Recipe(f"{shape.name}.__new__", (("", Recipe(shape.name, None)),))
        return Recipe(_BARE, (("", made), ("", state)))

    def _known(self, name: str, generator: Generator, size: int) -> Recipe:
        module, function, words = _KNOWN[name]
        values = tuple(("", self._argument(word, generator, size)) for word in words)
        return self._of_module(module, function, values)

    def _argument(self, word: str, generator: Generator, size: int) -> Any:
        if word in _RANGES:
            return generator.rng.randint(*_RANGES[word])
        if word == "int":
            return generator.make(INT, size)
        if word == "decimal":
            return str(round(generator.rng.uniform(-100, 1000), generator.rng.randint(0, 2)))
        if word == "bytes":
            return generator.make(Kind("bytes"), size)
        if word == "uuid":
            return f"{generator.rng.getrandbits(128):032x}"
        if word == "path":
            return generator.make(STR, size) or "."
        lines = [generator.make(STR, size) for _ in range(generator.rng.randint(0, size))]
        return "\n".join(lines)


def _bound_names(tree: ast.Module) -> dict[str, str]:
    """Return what names a module's imports bind, and others as bound to themselves unknown."""
    bound: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                bound[alias.asname or alias.name.partition(".")[0]] = alias.name
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                bound[alias.asname or alias.name] = f"{node.module}.{alias.name}"
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            bound.setdefault(node.id, "?")
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            bound.setdefault(node.name, "?")
    return bound
