"""Shapes of arguments for a solver: which values are unknown, in containers of which sizes.

A solver chooses values, not sizes: those are tried one after the other.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice
from typing import Any

from nsdbg.propose.evaluate import Unknown, literal
from nsdbg.propose.symbolic.engine import Engine, z3
from nsdbg.propose.symbolic.values import FreeStr, SymBool, SymInt, SymStr, printable
from nsdbg.propose.usage import hinted_kinds, likely_kinds
from nsdbg.source import Subject

_LARGEST = 1_100
_SMALL = range(1, 13)
_LATER = range(13, 101)


@dataclass(frozen=True, slots=True)
class Form:
    """A kind of value: a scalar's, or a container's with the form of its elements."""

    kind: str
    element: Form | None = None

    @property
    def levels(self) -> int:
        """How many sizes it needs: one for each container, a text being one."""
        own = self.kind in ("list", "tuple", "str", "free text")
        return own + (self.element.levels if self.element else 0)


def form_of(annotation: ast.expr | None) -> Form | None:
    """Return the form that a hint names, or None when it names none that is supported."""
    kinds = hinted_kinds(annotation)
    if not kinds or kinds[0] not in ("int", "float", "bool", "str", "list", "tuple"):
        return None
    if kinds[0] not in ("list", "tuple"):
        return Form(kinds[0])
    inner = annotation.slice if isinstance(annotation, ast.Subscript) else None
    if isinstance(inner, ast.Tuple):
        inner = inner.elts[0]
    element = form_of(inner) or Form("int")
    return Form(kinds[0], Form("free text") if element.kind == "str" else element)


def forms(subject: Subject, name: str) -> list[Form]:
    """Return the likely forms of a parameter, from its hint or else from its use."""
    assert subject.node is not None
    annotation = next((item.annotation for item in subject.parameters if item.name == name), None)
    hinted = form_of(ast.parse(annotation, mode="eval").body) if annotation else None
    if hinted is not None:
        return [hinted]
    found = []
    for kind in likely_kinds(subject.node, name)[:3]:
        if kind in ("int", "str", "bool", "float"):
            found.append(Form(kind))
        elif kind == "list":
            found += [Form("list", Form("int")), Form("list", Form("free text"))]
    return found


def sizes(subject: Subject) -> list[int]:
    """Return the sizes worth trying: small ones, and what the code and its values mention."""
    mentioned: list[int] = []
    for node in ast.walk(subject.node or subject.tree):
        if isinstance(node, ast.Constant) and type(node.value) is int:
            mentioned += [node.value, node.value + 1]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            mentioned.append(len(node.value))
    for item in subject.parameters:
        try:
            mentioned += _sizes_in(literal(item.default or ""))
        except Unknown:
            continue
    fitting = sorted({size for size in mentioned if 0 <= size <= _LARGEST} - set(_SMALL))
    return [*_SMALL, *fitting, 0, *(size for size in _LATER if size not in fitting)]


def _sizes_in(value: Any) -> Iterator[int]:
    if isinstance(value, (str, list, tuple)):
        yield len(value)
        yield len(value) + 1
        if isinstance(value, str):
            yield len(value.split())
        else:
            yield from (size for part in value[:4] for size in _sizes_in(part))
            yield from (part for part in value if type(part) is int)


def size_choices(levels: int, tried: Sequence[int], most: int) -> Iterator[tuple[int, ...]]:
    """Yield sizes for each level of containers, small and mentioned ones first."""
    if levels == 0:
        yield ()
        return
    if levels == 1:
        yield from ((size,) for size in tried)
        return
    ranked = _by_rank(levels, tried)
    yield from islice(ranked, most)


def _by_rank(levels: int, tried: Sequence[int]) -> Iterator[tuple[int, ...]]:
    for total in count(0):
        if total > levels * (len(tried) - 1):
            return
        for first in range(min(total, len(tried) - 1) + 1):
            if levels == 1:
                if first == total:
                    yield (tried[first],)
                continue
            for rest in _with_rank(levels - 1, total - first, tried):
                yield (tried[first], *rest)


def _with_rank(levels: int, total: int, tried: Sequence[int]) -> Iterator[tuple[int, ...]]:
    if levels == 0:
        if total == 0:
            yield ()
        return
    for first in range(min(total, len(tried) - 1) + 1):
        for rest in _with_rank(levels - 1, total - first, tried):
            yield (tried[first], *rest)


def unknown(form: Form, sizes: Sequence[int], engine: Engine) -> Any:
    """Return a value of a form that a solver may choose."""
    if form.kind in ("int", "float"):
        return SymInt(engine.fresh(form.kind), engine)
    if form.kind == "bool":
        return SymBool(engine.fresh("bool"), engine)
    if form.kind == "str":
        chars = list(printable(sizes[0], engine))
        return SymStr(chars, engine) if chars else ""
    if form.kind == "free text":
        return FreeStr(sizes[0], engine)
    assert form.element is not None
    items = [unknown(form.element, sizes[1:], engine) for _ in range(sizes[0])]
    return tuple(items) if form.kind == "tuple" else items


def chosen(value: Any, model: Any) -> Any:
    """Return the value that a model gives."""
    if isinstance(value, SymInt):
        found = model.eval(value.expr, model_completion=True)
        return int(found.as_long()) if value.is_int else _as_float(found)
    if isinstance(value, SymBool):
        return bool(z3.is_true(model.eval(value.expr, model_completion=True)))
    if isinstance(value, SymStr):
        return "".join(char if isinstance(char, str) else chr(chosen(char, model))
                       for char in value.chars)  # fmt: skip
    if isinstance(value, (list, tuple)):
        return type(value)([chosen(item, model) for item in value])
    return value


def _as_float(found: Any) -> float:
    if z3.is_algebraic_value(found):
        found = found.approx(20)
    return float(found.as_fraction())
