"""What may go wrong on which line of a function, as goals for the proposers.

Read from the text: a division may divide by zero, a subscript may have no such item.  The touched
lines come first.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from nsdbg.claim import ExceptionClaim, Goal, Site
from nsdbg.source import FunctionNode, last_name, own_nodes
from nsdbg.state import Event
from nsdbg.triage.pair import Pair, raising_goal

MOST_NEAR, MOST_FAR = 5, 4
_CONVERTED = frozenset(["int", "float", "max", "min", "index", "remove", "Decimal", "strptime"])


def goals_for(pair: Pair, reached: frozenset[int]) -> tuple[list[Goal], list[Goal]]:
    """Return goals on what the change touches, and goals on what else the function does.

    The first are lines that no call reached yet and what may be raised on touched lines.
    """
    node = pair.new.node
    if node is None:
        return [], []
    missing = sorted((pair.lines & set(_statement_lines(node))) - reached)
    risks = sorted(set(_risks(node)))
    near = [_goal(pair, Event.LINE, line) for line in missing]
    near += [_goal(pair, Event.EXCEPTION, *one) for one in risks if one[0] in pair.lines]
    far = [_goal(pair, Event.EXCEPTION, *one) for one in risks if one[0] not in pair.lines]
    return near[:MOST_NEAR], [raising_goal(pair.new), *far[:MOST_FAR]]


def _goal(pair: Pair, event: Event, lineno: int, exception: str | None = None) -> Goal:
    assert pair.new.node is not None
    site = Site(pair.new.ref.file, lineno, pair.new.node.name)
    claim = ExceptionClaim(exception) if exception is not None else None
    return Goal(pair.new.ref, event, (site,), exception=claim, exact_chain=False)


def _statement_lines(node: FunctionNode) -> Iterator[int]:
    yield from (one.lineno for one in own_nodes(node) if isinstance(one, ast.stmt))


def _risks(node: FunctionNode) -> Iterator[tuple[int, str]]:
    for one in own_nodes(node):
        if isinstance(one, ast.BinOp | ast.AugAssign):
            if isinstance(one.op, ast.Div | ast.FloorDiv | ast.Mod):
                right = one.right if isinstance(one, ast.BinOp) else one.value
                if not isinstance(right, ast.Constant):
                    yield one.lineno, "ZeroDivisionError"
        elif isinstance(one, ast.Subscript) and isinstance(one.ctx, ast.Load):
            if not isinstance(one.slice, ast.Slice):
                yield one.lineno, "IndexError"
                yield one.lineno, "KeyError"
        elif isinstance(one, ast.Call):
            name = last_name(one.func)
            if name in _CONVERTED:
                yield one.lineno, "ValueError"
            elif name in ("pop", "popleft"):
                yield one.lineno, "IndexError"
            elif name == "next" and len(one.args) == 1:
                yield one.lineno, "StopIteration"
        elif isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Tuple):
            yield one.lineno, "ValueError"
