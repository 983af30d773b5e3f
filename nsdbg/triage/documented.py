"""The exceptions that a docstring says a function raises, in Google's, NumPy's and Sphinx's style.

Reads text; a name that stands near the word "raise" counts, since a false alarm costs more than a
crash that its author wrote down.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator

from nsdbg.source import Subject

_ENDS = ("Error", "Exception", "Warning", "Exit", "Interrupt", "Invalid", "Failed")
_NAME = re.compile(r"(?<![\w.])(?:\w+\.)*([A-Z]\w*)\b")
_FIELD = re.compile(r"^\s*[:@](?:raises?|exceptions?|except|throws?)\s+([\w.,\s|]+?)\s*:", re.M)
_SECTION = re.compile(r"^(\s*)(?:Raises|Raise|Throws|Exceptions|Except)\s*:?\s*$", re.M)
_SENTENCE = re.compile(
    r"[^.]*?\b(?:rais(?:e[sd]?|ing)|throw[sn]?|propagat\w+|fails? with|error(?:s|ed)?)\b[^.]*", re.I
)


def documented(subject: Subject) -> frozenset[str]:
    """Return the names of exceptions that a function, its class or its module documents."""
    nodes: list[ast.AST | None] = [subject.node, subject.owner, subject.tree]
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module):
            found |= raised_in(ast.get_docstring(node) or "")
    return frozenset(found)


def raised_in(docstring: str) -> frozenset[str]:
    """Return the names of exceptions that a docstring says are raised, without their modules."""
    found: set[str] = set()
    for text in _passages(docstring):
        found |= {name for name in _NAME.findall(text) if _is_exception(name)}
    return frozenset(found)


def _passages(docstring: str) -> Iterator[str]:
    yield from _FIELD.findall(docstring)
    for match in _SECTION.finditer(docstring):
        yield _section(docstring[match.end() :], len(match[1]))
    # Sentences do not end within `mod.Error` or `e.g.`: a dot counts that a blank follows.
    for paragraph in re.split(r"\n\s*(?=[\n:@])", docstring):
        text = re.sub(r"\.(?=\S)", "\x00", paragraph)
        yield from (one.replace("\x00", ".") for one in _SENTENCE.findall(text))


def _section(text: str, indent: int) -> str:
    """Return the lines of a section up to the next heading: what is indented no deeper ends it.

    A NumPy section has its entries at the heading's own depth, below a line of dashes.
    """
    lines = text.splitlines()[1:]
    if lines and re.fullmatch(r"\s*-{3,}\s*", lines[0]):
        kept = []
        for line, following in zip(lines[1:], [*lines[2:], ""], strict=True):
            if re.fullmatch(r"\s*-{3,}\s*", following):
                break
            kept.append(line)
        return "\n".join(kept)
    kept = []
    for line in lines:
        if line.strip() and len(line) - len(line.lstrip()) <= indent:
            break
        kept.append(line)
    return "\n".join(kept)


def _is_exception(name: str) -> bool:
    known = getattr(builtins, name, None)
    if isinstance(known, type):
        return issubclass(known, BaseException)
    return name.endswith(_ENDS)


def covers(names: frozenset[str], exception: str) -> bool:
    """Whether an exception, as printed, is one of some names, or of a builtin class beneath one."""
    last = exception.rpartition(".")[2]
    if last in names:
        return True
    known = getattr(builtins, last, None)
    if not isinstance(known, type):
        return False
    above = {kind.__name__ for kind in known.__mro__} - {"Exception", "BaseException", "object"}
    return bool(above & names)
