"""Whether an answer spells values out, or leaves work to the evaluator.

What a network knows is one thing, and what the evaluator makes of its expressions another: tables
show both.
"""

from __future__ import annotations

import ast

from nsdbg.propose.codec import spelling
from nsdbg.propose.codec.answer import Answer, ChangeKind, Tokens
from nsdbg.propose.codec.view import View
from nsdbg.propose.codec.vocabulary import IDS, OPERATOR
from nsdbg.propose.evaluate import Unknown, literal
from nsdbg.state import Event


def spells_all(view: View, answer: Answer) -> bool:
    """Whether nothing in an answer is an expression over the state: no guard, no name read."""
    if answer.guard is not None or answer.follow:
        return False
    if answer.arg is not None:
        exception = answer.event is Event.EXCEPTION
        if not (_exception(view, answer.arg) if exception else _value(view, answer.arg)):
            return False
    return all(_change(view, kind, tokens) for kind, tokens in answer.changes)


def _change(view: View, kind: ChangeKind, tokens: Tokens) -> bool:
    if kind is ChangeKind.DELETE:
        return True
    if kind is ChangeKind.PRINT:
        return _is_literal(f"({spelling.text(tokens, view.slots)},)")
    # One name and a value; `x[0] = 1` needs the rest of x from the state.
    return tokens[1:2] == (OPERATOR["="],) and _value(view, tokens[2:])


def _value(view: View, tokens: Tokens) -> bool:
    return tokens[:1] == (IDS["<obj>"],) or _is_literal(spelling.text(tokens, view.slots) or "")


def _exception(view: View, tokens: Tokens) -> bool:
    try:
        node = ast.parse(spelling.text(tokens, view.slots) or "", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    if isinstance(node, ast.Call):
        return not node.keywords and all(_is_literal(ast.unparse(part)) for part in node.args)
    return isinstance(node, ast.Name)


def _is_literal(text: str) -> bool:
    try:
        literal(text)
    except Unknown:
        return False
    return True
