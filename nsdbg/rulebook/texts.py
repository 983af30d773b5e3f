"""Texts of a rule that have to be more than text: patterns, regular expressions, templates.

Each is checked while the rule is read, unless its file is trusted; none is executed.
"""

from __future__ import annotations

import ast
import re

from nsdbg.rulebook.fill import fields
from nsdbg.rulebook.pattern import compile_pattern
from nsdbg.rulebook.regex import why_slow
from nsdbg.rulebook.rules import Versions
from nsdbg.rulebook.table import Table


def group_names(table: Table, pattern: str) -> frozenset[str]:
    """Return the named groups of a regular expression; none when the file is trusted."""
    return frozenset() if table.trusted else frozenset(re.compile(pattern).groupindex)


def read_among(table: Table, field: str, choices: tuple[str, ...]) -> tuple[str, ...]:
    """Return a list of texts, each one of the choices."""
    found = table.texts(field)
    if table.trusted:
        return found
    for text in found:
        if text not in choices:
            shown = ", ".join(choices) if len(choices) < 12 else "the classes of ast"
            raise table.wrong(field, f"has {text!r}, which is none of {shown}")
    return found


def checked_pattern(table: Table, field: str, text: str) -> str:
    """Return a pattern that compiles."""
    if table.trusted:
        return text
    try:
        compile_pattern(text)
    except (SyntaxError, ValueError) as error:
        raise table.wrong(field, f"{text!r} is not Python with metavariables: {error}") from error
    return text


def read_patterns(table: Table, field: str) -> tuple[str, ...]:
    """Return a list of patterns that compile."""
    return tuple(checked_pattern(table, field, text) for text in table.texts(field))


def checked_regex(table: Table, field: str, text: str) -> str:
    """Return a regular expression that compiles and cannot take long."""
    if table.trusted:
        return text
    try:
        complaint = why_slow(text)
    except re.error as error:
        raise table.wrong(field, f"{text!r} is not a regular expression: {error}") from error
    if complaint is not None:
        raise table.wrong(field, f"{text!r} could take too long: {complaint}")
    return text


def read_regex(table: Table, field: str) -> str | None:
    """Return such a regular expression, or None when it is not given."""
    text = table.maybe_text(field)
    return None if text is None else checked_regex(table, field, text)


def checked_template(table: Table, field: str, text: str, known: frozenset[str]) -> str:
    """Return a template that names nothing but what is known."""
    if table.trusted:
        return text
    try:
        unknown = [name for name in fields(text) if name not in known]
    except ValueError as error:
        complaint = f"{text!r} is not a template: {error}; double a brace that is meant"
        raise table.wrong(field, complaint) from error
    if unknown:
        names = ", ".join(sorted(known)) or "nothing"
        raise table.wrong(field, f"{text!r} names {{{unknown[0]}}}; known here: {names}")
    return text


def checked_expression(table: Table, field: str, text: str, known: frozenset[str]) -> str:
    """Return a template that is a Python expression once it is filled."""
    checked_template(table, field, text, known)
    if not table.trusted:
        check_expression(table, field, text.format_map({name: f"_{name}" for name in known}))
    return text


def check_expression(table: Table, field: str, text: str) -> None:
    """Refuse what is no Python expression; it is parsed, and not evaluated."""
    if table.trusted:
        return
    try:
        ast.parse(text, mode="eval")
    except (SyntaxError, ValueError) as error:
        raise table.wrong(field, f"{text!r} is not a Python expression: {error}") from error


def read_versions(table: Table) -> Versions:
    """Return the range of versions in the field `python`."""
    text = table.maybe_text("python")
    if text is None:
        return Versions()
    found = re.fullmatch(r"3\.(\d+)(?:(\+)|-3\.(\d+))?", text)
    if found is None:
        raise table.wrong("python", f'is {text!r}, and has to be like "3.8-3.10", "3.9" or "3.11+"')
    first = (3, int(found[1]))
    last = None if found[2] else (3, int(found[3])) if found[3] else first
    return Versions(first, last)
