"""Recorded activations as lines of the corpus: with their source, and only where worth keeping.

The line is that of `nsdbg.episode`, written without its classes, which need a newer Python.
"""

from __future__ import annotations

import ast
import bisect
import json
import platform

from nsdbg.deltas import shorten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType
    from typing import Any

    from nsdbg.model.trace.worker.recorder import Activation

    Span = tuple[int, int, str]  # first line, last line, qualified name

SCHEMA = "nsdbg.episode/1"
# A function of more than this fills a prompt on its own.
MOST_LISTED = 12000
# Values that have no literal, yet say all there is.
_PLAIN = frozenset(["set", "frozenset", "float", "range", "complex", "bytearray"])
# Of a call with more values that are no literals than this, too little can be learned.
_MOST_OPAQUE = 0.5
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_DEFINITIONS = (*_FUNCTIONS, ast.ClassDef)
_BODIES = ("body", "handlers", "orelse", "finalbody", "cases")


class Sources:
    """The text of files, and where the functions in it lie.

    `read` gives a file's text, None where it has none.
    """

    def __init__(self, read: Callable[[str], str | None]) -> None:
        self._read = read
        self._known: dict[str, tuple[list[str], list[Span]] | None] = {}

    def forget(self) -> None:
        """Read files anew."""
        self._known.clear()

    def listing(self, code: CodeType) -> tuple[Span, str] | None:
        """Return the innermost function around a code object, with its text."""
        file = self._file(code.co_filename)
        if file is None:
            return None
        lines, spans = file
        line = code.co_firstlineno
        # The last span that begins at or before the line, and reaches it, is the innermost.
        for at in range(bisect.bisect_right(spans, (line, 1 << 60, "")) - 1, -1, -1):
            first, last, _ = spans[at]
            if first <= line <= last:
                return spans[at], "\n".join(lines[first - 1 : last])
        return None

    def _file(self, name: str) -> tuple[list[str], list[Span]] | None:
        if name not in self._known:
            self._known[name] = _parse(self._read(name))
        return self._known[name]


def _parse(text: str | None) -> tuple[list[str], list[Span]] | None:
    if text is None:
        return None
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    spans: list[Span] = []
    _collect(tree, spans)
    return text.splitlines(), sorted(spans)


def _collect(tree: ast.Module, spans: list[Span]) -> None:
    """Find all functions; of a module's other statements too, since a lambda may lie in them."""
    pending: list[tuple[ast.AST, str]] = []
    for statement in tree.body:
        if not isinstance(statement, _DEFINITIONS):
            spans.append((statement.lineno, statement.end_lineno or statement.lineno, "<lambda>"))
        pending.append((statement, ""))
    while pending:
        node, prefix = pending.pop()
        if isinstance(node, _FUNCTIONS):
            first = min([node.lineno, *[item.lineno for item in node.decorator_list]])
            spans.append((first, node.end_lineno or node.lineno, prefix + node.name))
            prefix += node.name + ".<locals>."
        elif isinstance(node, ast.ClassDef):
            prefix += node.name + "."
        for field in _BODIES:
            pending += [(inner, prefix) for inner in getattr(node, field, ())]


def row(
    activation: Activation,
    sources: Sources,
    label: Callable[[str], str],
    head: dict[str, str],
) -> dict[str, Any] | str:
    """Return the row of an activation, or the word for why it is left out.

    `label` turns a file's path into the short one of the corpus; `head` has the row's first fields.
    """
    root = sources.listing(activation.code)
    if root is None:
        return "no source"
    listings = _listings(activation, sources, label)
    if listings is None:
        return "no source"
    if sum(len(listing[3]) for listing in listings) > MOST_LISTED:
        return "long source"
    wire = activation.recording.wire()
    if not wire["states"]:  # its time ended before its first event was written
        return "nothing recorded"
    if _opaque_share(wire) > _MOST_OPAQUE:
        return "opaque values"
    codes = activation.recording.codes
    names = activation.names.items()
    return {
        "schema": SCHEMA,
        **head,
        "function": root[0][2],
        "python": platform.python_version(),
        "listings": listings,
        "names": [[name, text] for name, text in names if text is not None],
        "codes": [[label(code.co_filename), code.co_name] for code in codes],
        "values": [[text, kind, int(one), int(two)] for text, kind, one, two in wire["values"]],
        "states": shorten(wire["states"]),
        "complete": activation.complete,
        "generators": wire["generators"],
        "internal": wire["internal"],
    }


def dumps(found: dict[str, Any]) -> str:
    """Return a row as its line."""
    return json.dumps(found, separators=(",", ":"))


def _listings(
    activation: Activation, sources: Sources, label: Callable[[str], str]
) -> list[list[Any]] | None:
    """Return the functions in which the frames lie, without those within another."""
    found: dict[tuple[str, int], list[Any]] = {}
    ends: dict[str, int] = {}
    for code in activation.recording.codes:
        listing = sources.listing(code)
        if listing is None:
            return None
        (first, last, name), text = listing
        found[label(code.co_filename), -last] = [first, last, name, text]
    kept = []
    for (file, _), (first, last, name, text) in sorted(
        found.items(), key=lambda item: (item[0][0], item[1][0], item[0][1])
    ):
        if last > ends.get(file, 0):
            ends[file] = last
            kept.append([file, name, first, text])
    return kept


def _opaque_share(wire: dict[str, Any]) -> float:
    """Return which share of the values, exceptions apart, has a text that says not what it is."""
    raised = {state[3] for state in wire["states"] if state[0] == "exception"}
    values = [value for at, value in enumerate(wire["values"]) if at not in raised]
    opaque = [one for one in values if one[3] or not (one[2] or one[1] in _PLAIN)]
    return len(opaque) / (len(values) or 1)
