"""Answers without a network: the state copied, the next line taken, the statement evaluated.

They run nothing either.  A measure of a network that does not stand beside them says little.
"""

from __future__ import annotations

from dataclasses import replace

from nsdbg.propose.codec.situation import Situation
from nsdbg.propose.codec.view import View
from nsdbg.state import Event, State, Value

COPY, LINE, EVALUATOR = "copy", "line", "eval"
LEGEND = (
    "copy: the state as it is; line: the next line of the text, nothing changed; "
    "eval: the statement at hand by the evaluator alone, no network"
)


def copied(before: Situation) -> Situation:
    """Return the state as it is."""
    return replace(before, state=replace(before.state, output=""))


def next_line(view: View, before: Situation) -> Situation | None:
    """Return the next line of the function's text with the locals that are known; at its end, None.

    The end of the text is taken for the end of the function.
    """
    frame = before.state.frame
    syntax = view.syntax_at(frame.file, frame.lineno)
    if syntax is None:
        return None
    later = [
        line for line in range(frame.lineno + 1, syntax.end + 1)
        if view.line(frame.file, line) is not None
    ]  # fmt: skip
    stack = before.state.stack
    if not later:
        return Situation(State(Event.RETURN, stack, Value("None", "NoneType", True)), before.loops)
    moved = (*stack[:-1], replace(frame, lineno=later[0]))
    return Situation(State(Event.LINE, moved), before.loops)
