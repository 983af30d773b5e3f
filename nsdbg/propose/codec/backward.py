"""Backward: from a situation to the one from which a debugger's command leads there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from nsdbg.propose.codec import answer as answers
from nsdbg.propose.codec.apply import apply
from nsdbg.propose.codec.situation import Loops, Situation
from nsdbg.propose.codec.states import action_tokens, question_tokens
from nsdbg.propose.codec.view import View
from nsdbg.state import Action


def prompt(view: View, situation: Situation, action: Action) -> list[int]:
    """Return the question as tokens: the source, the later state and the command."""
    asked = question_tokens(view, "<backward>", situation)
    return [*asked, *action_tokens(view, action, situation.state.frame)]


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
