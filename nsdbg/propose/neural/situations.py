"""Goals and starts as the codec's situations, and situations as starts.

A goal does not say how far the loops around it have come; their targets' values mostly do.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from nsdbg.claim import Goal, Middle, Site
from nsdbg.propose.codec.seen import value_in, value_of
from nsdbg.propose.codec.situation import Loops, Situation, names_of
from nsdbg.propose.codec.view import View
from nsdbg.propose.evaluate import Unknown, evaluate, literal, same
from nsdbg.propose.evaluation.opaque import Opaque
from nsdbg.state import Event, Frame, State, Value

_UNREADABLE = (Unknown, SyntaxError, ValueError, RecursionError, MemoryError)


def of_goal(view: View, goal: Goal) -> Situation | None:
    """Return the situation that a goal asks for, as far as it tells; None without a line."""
    site = goal.chain[-1]
    if site.lineno is None and goal.event is not Event.RETURN:
        return None
    lineno = site.lineno or _last_return(view, site) or 0
    names = tuple((name, value_in(text)) for name, text in goal.locals)
    frame = Frame(site.file, lineno, site.function.rpartition(".")[2], names)
    arg = None if goal.value is None else value_in(goal.value)
    if goal.exception is not None:
        arg = Value(goal.exception.message or "", goal.exception.type)
    return Situation(State(goal.event, (frame,), arg), (counted(view, frame, {}),))


def of_start(view: View, start: Middle) -> Situation:
    """Return a start as a situation; what is known of its loops is that of the innermost frame."""
    state = start.state
    older: list[Loops] = [counted(view, frame, {}) for frame in state.stack[:-1]]
    return Situation(state, (*older, counted(view, state.frame, dict(start.remaining))))


def _last_return(view: View, site: Site) -> int | None:
    """Return the line of a function's last `return`: where a value most likely comes from."""
    name = site.function.rpartition(".")[2]
    for syntax in view.syntax:
        node = syntax.definition
        if syntax.file == site.file and node is not None and node.name == name:
            lines = [one.lineno for one in ast.walk(node) if isinstance(one, ast.Return)]
            return max(lines, default=None)
    return None


def counted(view: View, frame: Frame, remaining: Mapping[int, str]) -> Loops:
    """Return how many items each loop around a line has taken: by what remains, else by values."""
    syntax = view.syntax_at(frame.file, frame.lineno)
    if syntax is None:
        return ()
    names = names_of(view, frame)
    found = []
    for node in syntax.loops_around(frame.lineno):
        found.append((node.lineno, _taken(node, names, remaining.get(node.lineno), 1)))
    header = syntax.loop(frame.lineno)
    if header is not None:
        found.append((header.lineno, _taken(header, names, remaining.get(header.lineno), 0)))
    return tuple(found)


def _taken(
    loop: ast.For | ast.AsyncFor, names: dict[str, Any], left: str | None, least: int
) -> int:
    try:
        items = evaluate(f"list({ast.unparse(loop.iter)})", names)
        if left is not None:
            return max(len(items) - len(literal(left)), 0)
        current = evaluate(ast.unparse(loop.target), names)
    except _UNREADABLE:
        return least
    return next((at for at, item in enumerate(items, 1) if same(item, current)), least)


def left(view: View, situation: Situation) -> tuple[tuple[int, str], ...]:
    """Return what the loops around a situation have yet to give, where their items are known."""
    frame = situation.state.frame
    syntax = view.syntax_at(frame.file, frame.lineno)
    if syntax is None:
        return ()
    names = names_of(view, frame)
    loops = {node.lineno: node for node in syntax.loops_around(frame.lineno)}
    header = syntax.loop(frame.lineno)
    if header is not None:
        loops[header.lineno] = header
    found = []
    for lineno, count in situation.here:
        try:
            items = evaluate(f"list({ast.unparse(loops[lineno].iter)})", names)
        except (*_UNREADABLE, KeyError):
            continue
        rest = value_of(items[count:])
        if rest is not None:
            found.append((lineno, rest.repr))
    return tuple(found)


def middle(view: View, earlier: Situation, later: Situation) -> Middle | None:
    """Return a line's situation as a start from which one step leads to a later one.

    None for other events, and when a value has no text to start from.
    """
    frame = earlier.state.frame
    if earlier.state.event is not Event.LINE or frame.locals is None:
        return None
    if any(value.truncated for _, value in frame.locals):
        return None
    syntax = view.syntax_at(frame.file, frame.lineno)
    remaining: list[tuple[int, str]] = []
    if syntax is not None:
        remaining = [(node.lineno, "[]") for node in syntax.loops_around(frame.lineno)]
        header = syntax.loop(frame.lineno)
        if header is not None:
            around = syntax.loops_around(later.state.frame.lineno)
            item = _item(view, header, later.state.frame) if header in around else ""
            if item is None:
                return None
            remaining.append((header.lineno, f"[{item}]"))
    return Middle(State(Event.LINE, (frame,)), tuple(remaining))


def _item(view: View, loop: ast.For | ast.AsyncFor, frame: Frame) -> str | None:
    """Return the item that a loop has just taken, as text, by its target's value."""
    try:
        found = evaluate(ast.unparse(loop.target), names_of(view, frame))
    except _UNREADABLE:
        return None
    value = None if isinstance(found, Opaque) else value_of(found)
    return value.repr if value is not None else None


def calls_own(view: View, lineno: int, file: str) -> bool:
    """Whether a line calls one of the functions in view, which `step` would go into."""
    syntax = view.syntax_at(file, lineno)
    statement = syntax.statement(lineno) if syntax else None
    if statement is None:
        return False
    known = {text.qualname.rpartition(".")[2] for text in view.texts}
    called = (node.func for node in ast.walk(statement) if isinstance(node, ast.Call))
    return any(getattr(one, "id", getattr(one, "attr", "")) in known for one in called)
