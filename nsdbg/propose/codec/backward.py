"""Backward: from a situation to the one from which a debugger's command leads there."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from nsdbg.propose.codec import answer as answers
from nsdbg.propose.codec.apply import apply
from nsdbg.propose.codec.seen import value_of
from nsdbg.propose.codec.situation import Loops, Situation, names_of
from nsdbg.propose.codec.states import question_tokens
from nsdbg.propose.codec.view import View
from nsdbg.propose.evaluate import Unknown, evaluate, same
from nsdbg.state import Action


def prompt(view: View, situation: Situation, action: Action) -> list[int]:
    """Return the question as tokens: the source, the later state and the command."""
    return question_tokens(view, "<backward>", situation, action)


def read(view: View, situation: Situation, tokens: Sequence[int]) -> Situation | None:
    """Return the earlier situation that an answer tells of, or None.

    Its expressions are over the later state; `<del>` unbinds what the command binds.
    """
    found = answers.read(tokens)
    if found is None or found.up or found.guard is not None:
        return None
    earlier = apply(view, situation, found)
    if earlier is None or len(earlier.state.stack) != len(situation.state.stack):
        return None
    loops = rewound(view, situation, earlier.state.frame.lineno)
    state = replace(earlier.state, output="")
    return Situation(state, (*situation.loops[:-1], loops))


def rewound(view: View, later: Situation, lineno: int) -> Loops:
    """Return the loops at an earlier line: at its header a loop had not yet taken the item."""
    frame = later.state.frame
    syntax = view.syntax_at(frame.file, lineno)
    if syntax is None:
        return ()
    known = dict(later.here)
    found = [(node.lineno, known.get(node.lineno, 0)) for node in syntax.loops_around(lineno)]
    header = syntax.loop(lineno)
    if header is not None:
        around = {node.lineno for node in syntax.loops_around(frame.lineno)}
        inside = header.lineno in around
        found.append((header.lineno, max(known.get(header.lineno, 0) - inside, 0)))
    return tuple(found)


def remaining(view: View, situation: Situation) -> tuple[tuple[int, str], ...]:
    """Return what the loops around a state have yet to give: header line and a list as text.

    Without a visit count it is told by the loop's variable, where that is one of the items.
    """
    frame = situation.state.frame
    syntax = view.syntax_at(frame.file, frame.lineno)
    if syntax is None:
        return ()
    names, known = names_of(view, frame), dict(situation.here)
    found: list[tuple[int, str]] = []
    for node in syntax.loops_around(frame.lineno):
        items = _items(node, names)
        if items is None:
            continue
        count = known.get(node.lineno) or _place(node, items, names)
        left = value_of(items[count:])
        if left is not None and left.literal:
            found.append((node.lineno, left.repr))
    return tuple(found)


def _items(node: ast.For | ast.AsyncFor, names: dict[str, Any]) -> list[Any] | None:
    try:
        return list(evaluate(f"list({ast.unparse(node.iter)})", names))
    except (Unknown, RecursionError):
        return None


def _place(node: ast.For | ast.AsyncFor, items: list[Any], names: dict[str, Any]) -> int:
    """Return how many items were taken when the loop's variable has the value that it has."""
    try:
        value = evaluate(ast.unparse(node.target), names)
    except (Unknown, RecursionError):
        return 0
    return next((at + 1 for at, item in enumerate(items) if same(item, value)), 0)
