"""Values for calls: Hypothesis's `from_type` where hints are of builtin and typing forms.

Hints are read from the syntax tree; nothing of the target is imported, and no hint is evaluated.
"""

from __future__ import annotations

import ast
import typing
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from nsdbg.claim import Call
from nsdbg.propose.search.writing import written
from nsdbg.source import Parameter, ParameterKind, Subject, last_name

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

_PLAIN: dict[str, Any] = {
    "int": int, "float": float, "bool": bool, "str": str, "bytes": bytes, "complex": complex,
    "list": list, "dict": dict, "set": set, "frozenset": frozenset, "tuple": tuple, "None": None,
}  # fmt: skip
# Forms of `typing` and `collections.abc` of which a builtin is a value, with that builtin.
_FORMS: dict[str, Any] = {
    "List": list, "Sequence": list, "MutableSequence": list, "Iterable": list, "Collection": list,
    "Dict": dict, "Mapping": dict, "MutableMapping": dict,
    "Set": set, "AbstractSet": set, "MutableSet": set, "FrozenSet": frozenset, "Tuple": tuple,
    "Text": str,
}  # fmt: skip
_LARGEST = 2000  # characters of one argument


class Untyped(Exception):
    """A hint that says of no builtin or typing form what it is."""


def type_of(hint: str | ast.expr) -> Any:
    """Return the type for which a hint stands, of builtins alone; raises Untyped."""
    if isinstance(hint, str):
        try:
            hint = ast.parse(hint.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError) as error:
            raise Untyped from error
    if isinstance(hint, ast.Constant):
        if isinstance(hint.value, str):
            return type_of(hint.value)
        if hint.value is None:
            return None
    elif isinstance(hint, ast.BinOp) and isinstance(hint.op, ast.BitOr):
        return typing.Union[type_of(hint.left), type_of(hint.right)]  # noqa: UP007 - made, not written
    elif isinstance(hint, ast.Subscript):
        inner = hint.slice.elts if isinstance(hint.slice, ast.Tuple) else [hint.slice]
        return _subscripted(last_name(hint.value), inner)
    elif (name := last_name(hint)) in _PLAIN or name in _FORMS:
        return _PLAIN.get(name, _FORMS.get(name))
    raise Untyped


def _subscripted(name: str, inner: list[ast.expr]) -> Any:
    if name == "Literal":
        values = tuple(ast.literal_eval(node) for node in inner if isinstance(node, ast.Constant))
        if len(values) == len(inner):
            return typing.Literal[values]
    elif name == "Optional":
        return typing.Optional[type_of(inner[0])]  # noqa: UP045 - made, not written
    elif name == "Union":
        return typing.Union[tuple(map(type_of, inner))]  # noqa: UP007 - made, not written
    form = _FORMS.get(name, _PLAIN.get(name))
    if form is None or form in (int, float, bool, str, bytes, complex):
        raise Untyped
    ellipsis = [isinstance(node, ast.Constant) and node.value is ... for node in inner]
    return form[tuple(... if dots else type_of(node)
                      for dots, node in zip(ellipsis, inner, strict=True))]  # fmt: skip


def calls_by_hints(subject: Subject) -> SearchStrategy[Call] | None:
    """Return a strategy of calls; None unless every argument that is needed has a hint to go by.

    Arguments with a default are given now and then.  A method needs a receiver, which no hint
    tells.
    """
    from hypothesis import strategies as st

    if subject.node is None or subject.receiver:
        return None
    needed: dict[str, SearchStrategy[str]] = {}
    further: dict[str, SearchStrategy[str]] = {}
    for parameter in subject.parameters:
        texts = _texts(parameter)
        if texts is not None:
            (needed if parameter.required else further)[parameter.argument_name] = texts
        elif parameter.required:
            return None
    if not needed and not further:
        return None
    arguments = st.fixed_dictionaries(needed, optional=further)
    order = [one.argument_name for one in subject.parameters]
    return arguments.map(lambda given: Call(tuple(_ordered(given, order))))


def _ordered(given: dict[str, str], order: list[str]) -> Iterator[tuple[str, str]]:
    for name in order:
        if name in given:
            yield name, given[name]


def _texts(parameter: Parameter) -> SearchStrategy[str] | None:
    from hypothesis import strategies as st

    if parameter.annotation is None:
        return None
    try:
        kind = type_of(parameter.annotation)
    except (Untyped, TypeError):
        return None
    if parameter.kind is ParameterKind.VAR_POSITIONAL:
        kind = tuple.__class_getitem__((kind, ...))
    elif parameter.kind is ParameterKind.VAR_KEYWORD:
        kind = dict.__class_getitem__((str, kind))
    values: SearchStrategy[Any] = st.from_type(kind if kind is not None else type(None))
    return values.map(written).filter(lambda text: len(text) <= _LARGEST)
