"""Small edits of one statement: what a slip of one would look like undone.

Each is tried on a copy by `counterfactual`; an edit that makes a crash go away is a hint at the
line, not a fix.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from nsdbg.localize.pin import expressions

# An edit that takes something away undoes a slip; one that adds something may only hide it: a
# loop that stops earlier crashes less, whatever is wrong.
TAKES_AWAY = 1.0
ADDS = 0.15
STRICTER: dict[type[ast.cmpop], str] = {ast.LtE: "<", ast.GtE: ">"}


@dataclass(frozen=True, slots=True)
class Edit:
    """A replacement within one line: columns in characters, the new text, and how telling it is."""

    lineno: int
    start: int
    end: int
    was: str
    now: str
    scale: float


def edits(statement: ast.stmt, lines: list[str]) -> Iterator[Edit]:
    """Yield the edits of a statement's own expressions, those that take something away first."""
    found = [one for node in expressions(statement) for one in _edits_of(node)]
    seen = set()
    for node, text, scale in sorted(found, key=lambda one: -one[2]):
        edit = _edit(node, text, scale, lines)
        if edit is not None and (edit.start, edit.end, edit.now) not in seen:
            seen.add((edit.start, edit.end, edit.now))
            yield edit


def _edit(node: ast.expr, text: str, scale: float, lines: list[str]) -> Edit | None:
    if node.end_lineno != node.lineno or node.end_col_offset is None:
        return None
    line = lines[node.lineno - 1]
    if not line.isascii():
        return None  # the parser counts bytes
    was = line[node.col_offset : node.end_col_offset]
    return Edit(node.lineno, node.col_offset, node.end_col_offset, was, text, scale)


def _edits_of(node: ast.expr) -> Iterator[tuple[ast.expr, str, float]]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        if isinstance(node.right, ast.Constant) and type(node.right.value) is int:
            yield node, ast.unparse(node.left), TAKES_AWAY
    elif isinstance(node, ast.Compare) and len(node.ops) == 1:
        stricter = STRICTER.get(type(node.ops[0]))
        if stricter is not None:
            left, right = ast.unparse(node.left), ast.unparse(node.comparators[0])
            yield node, f"{left} {stricter} {right}", TAKES_AWAY
    elif isinstance(node, ast.Call) and ast.unparse(node.func) == "range" and node.args:
        last = node.args[-1]
        if len(node.args) <= 2:
            yield last, f"{ast.unparse(last)} - 1", ADDS
    elif isinstance(node, ast.Call) and ast.unparse(node.func) == "len":
        yield node, f"{ast.unparse(node)} - 1", ADDS
    elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Name):
        yield node.slice, f"{node.slice.id} - 1", ADDS
    elif isinstance(node, ast.Constant) and type(node.value) is int and node.value > 0:
        yield node, str(node.value - 1), ADDS
