"""Templates of rules: text with `{name}` and `{name!r}`, filled for a reader or for Python.

A group of the message is foreign text: as code it is only ever a literal, a name, or quoted.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from string import Formatter

from nsdbg.rulebook.pattern import Bound, text_of

_SHOWN = 80  # characters of a value in a sentence
_ATOMS = (
    ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.List, ast.Dict, ast.Set, ast.ListComp,
    ast.SetComp, ast.DictComp,
)  # fmt: skip
_NOT_REPEATABLE = (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr, ast.Starred)


def fields(template: str) -> Iterator[str]:
    """Yield the names in a template; raises ValueError for one that is not well formed."""
    for _, name, spec, conversion in Formatter().parse(template):
        if name is None:
            continue
        if not name.isidentifier() or spec or conversion not in (None, "r"):
            raise ValueError(f"{{{name}}} is not a plain name")
        yield name


def fill_sentence(template: str, bindings: Mapping[str, Bound], groups: Mapping[str, str]) -> str:
    """Return a sentence with the texts that metavariables and groups stand for, shortened."""
    parts: list[str] = []
    for literal, name, _, conversion in Formatter().parse(template):
        parts.append(literal)
        if name is not None:
            text = text_of(bindings[name]) if name in bindings else groups.get(name, "…")
            shown = text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
            parts.append(repr(shown) if conversion else shown)
    return "".join(parts)


def fill_code(
    template: str, bindings: Mapping[str, Bound], groups: Mapping[str, str]
) -> str | None:
    """Return a Python expression, or None when a part cannot be put into one.

    A metavariable becomes its source in parentheses where it needs them; a group becomes code
    only when it is a Python literal or a plain name, and a string literal with `!r`.
    """
    parts: list[str] = []
    for literal, name, _, conversion in Formatter().parse(template):
        parts.append(literal)
        if name is None:
            continue
        text = _code(name, conversion == "r", bindings, groups)
        if text is None:
            return None
        parts.append(text)
    return "".join(parts)


def repeats_call(template: str, bindings: Mapping[str, Bound]) -> bool:
    """Return whether the filled template calls what the source calls already."""
    bound = [bindings[name] for name in fields(template) if name in bindings]
    return any(
        isinstance(node, ast.Call)
        for part in bound
        if isinstance(part, ast.AST)
        for node in ast.walk(part)
    )


def _code(
    name: str, quoted: bool, bindings: Mapping[str, Bound], groups: Mapping[str, str]
) -> str | None:
    bound = bindings.get(name)
    if isinstance(bound, ast.AST):
        if any(isinstance(node, _NOT_REPEATABLE) for node in ast.walk(bound)):
            return None
        text = ast.unparse(bound)
        if quoted:
            return repr(text)
        return text if isinstance(bound, _ATOMS) else f"({text})"
    text = bound if isinstance(bound, str) else groups.get(name, "")
    if quoted:
        return repr(text)
    if text.isidentifier():
        return text
    return f"({text})" if _is_literal(text) else None


def _is_literal(text: str) -> bool:
    try:
        ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return False
    return True
