"""Lessons backward: an earlier state from a later one, and the arguments of a call from its end.

Many answers are right; the one taught is the shortest expression over what is known that gives
what was recorded, else the literal.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from nsdbg.claim import Goal
from nsdbg.model.teach.literally import literal_answer, spelled
from nsdbg.propose.codec import arguments, spelling
from nsdbg.propose.codec.alike import same_locals, same_place, same_value
from nsdbg.propose.codec.answer import Answer, ChangeKind, Tokens
from nsdbg.propose.codec.apply import apply
from nsdbg.propose.codec.following import followed
from nsdbg.propose.codec.plain import Change, setting
from nsdbg.propose.codec.seen import known_value, value_in, value_of
from nsdbg.propose.codec.situation import Situation, names_of
from nsdbg.propose.codec.spelling import RESULT
from nsdbg.propose.codec.view import View
from nsdbg.propose.codec.vocabulary import IDS
from nsdbg.propose.evaluate import Unknown, evaluate
from nsdbg.state import Action, ActionKind, Event, Frame, State, Value

# Over the later value of the name itself (x), and what the statement combined it with (e).
_OWN = ("{x}[:-1]", "{x}[1:]", "{x} - 1", "{x} + 1", "{x}[::-1]")
_COMBINED = (
    "{x} - ({e})", "{x} + ({e})", "{x} // ({e})", "{x} / ({e})", "{x} ^ ({e})",
    "{x}[:-len({e})]", "{x}[len({e}):]", "{x} - {{{e}}}", "{x} + [{e}]", "[{e}] + {x}",
    "{{k: v for k, v in {x}.items() if k != ({e})}}", "{x} * ({e})",
)  # fmt: skip
# Over the value returned, or a local of the goal (r).
_OF_GOAL = (
    "{r}", "{r}[::-1]", "list({r})", "tuple({r})", "str({r})", "int({r})", "len({r})", "[{r}]",
    "{r}[0]", "{r}[-1]", "{r}[1:]", "{r}[:-1]", "{r}[1:-1]", "{r}[2:]", "{r}[:-2]", "{r}.lower()",
    "{r}.upper()", "{r}.swapcase()", "{r}.title()", "{r}.capitalize()", "{r}.strip()",
    "{r}.split()", "' '.join({r})", "''.join({r})", "','.join({r})", "{r}.split(',')",
    "list({r}.keys())", "list({r}.values())", "list({r}.items())", "dict({r})", "sorted({r})",
    "set({r})", "{r} + 1", "{r} - 1", "-{r}", "{r} * 2", "{r} // 2", "({r},)", "{r} + {r}",
    "{r}[:len({r}) // 2]", "{{v: k for k, v in {r}.items()}}", "not {r}", "{r}[::2]",
    "'a' * {r}", "[0] * {r}", "list(range({r}))", "{r}.splitlines()", "repr({r})",
)  # fmt: skip
_WITH_CONSTANT = (
    "{r}[len({c}):]", "{r}[:-len({c})]", "{r} + {c}", "{c} + {r}", "{r} - {c}", "{r} // {c}",
    "{r} * {c}", "{r}.split({c})", "{c}.join({r})", "{r}.replace({c}, '')", "{r}.strip({c})",
)  # fmt: skip
_MOST_CONSTANTS = 4
_MOST_LOCALS = 6


def backward_lesson(view: View, earlier: Situation, later: Situation) -> Answer | None:
    """Return the answer that leads from a later situation to the one before it, or None."""
    before, after = earlier.state, later.state
    if len(before.stack) != len(after.stack) or before.event in (Event.RETURN, Event.EXCEPTION):
        return None
    spelled_out = literal_answer(view, after.frame, _silent(before))
    if spelled_out is None:
        return None
    changes = tuple(_expressed(view, earlier, later, spelled_out.changes))
    answer = Answer(before.event, spelled_out.line, changes=changes)
    for found in (answer, spelled_out):
        told = apply(view, later, found)
        if told and same_place(told.state, before) and same_locals(told.state, before):
            return found
    return None


def _silent(state: State) -> State:
    return State(state.event, state.stack)


def _expressed(
    view: View, earlier: Situation, later: Situation, changes: Sequence[Change]
) -> Iterator[Change]:
    """Yield changes with an expression over the later state where one gives the value."""
    frame = earlier.state.frame
    syntax = view.syntax_at(frame.file, frame.lineno)
    node = syntax.statement(frame.lineno) if syntax is not None else None
    names = names_of(view, later.state.frame)
    locals_ = [name for name, _ in later.state.frame.locals or ()]
    for kind, tokens in changes:
        name = spelling.text(tokens[:1], view.slots) if kind is ChangeKind.DO else None
        value = frame.local(name) if name else None
        if name is None or value is None:
            yield kind, tokens
            continue
        texts = [text.format(x=name) for text in _OWN] if name in names else []
        for operand in _operands(node, name):
            texts += [text.format(x=name, e=operand) for text in _COMBINED]
        texts += [other for other in locals_[:_MOST_LOCALS] if other != name]
        found = _first(view, texts, names, value)
        yield kind, tokens if found is None else (*tokens[:2], *found)


def _operands(node: ast.stmt | None, name: str) -> list[str]:
    """Return what a statement combined a name with."""
    if isinstance(node, ast.AugAssign):
        return [ast.unparse(node.value)]
    found: list[str] = []
    for part in ast.walk(node) if node is not None else ():
        if isinstance(part, ast.BinOp):
            sides = [ast.unparse(part.left), ast.unparse(part.right)]
            found += [side for side in sides if side != name] if name in sides else []
        elif isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute):
            if ast.unparse(part.func.value) == name:
                found += [ast.unparse(arg) for arg in part.args[:1]]
        elif isinstance(part, ast.Subscript) and ast.unparse(part.value) == name:
            found.append(ast.unparse(part.slice))
    return list(dict.fromkeys(found))[:3]


def _first(view: View, texts: Iterable[str], names: dict[str, Any], value: Value) -> Tokens | None:
    """Return the tokens of the first expression that gives a value."""
    for text in texts:
        try:
            found = value_of(evaluate(text, names))
        except (Unknown, SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        if found is not None and (found.repr, found.type) == (value.repr, value.type):
            return tuple(spelling.spell(text, view.slots))
    return None


def arguments_lesson(view: View, goal: Goal, given: Sequence[tuple[str, Value]]) -> Answer | None:
    """Return the answer that tells a call's arguments from the state that it reaches, or None."""
    token = view.line(view.texts[0].file, view.texts[0].lineno)
    names = arguments.known(goal)
    simplest = _result_itself(view, goal, given) if token is not None else None
    if simplest is not None:
        return Answer(Event.CALL, token, changes=simplest)
    over = [RESULT] if goal.value is not None else []
    over += [name for name, _ in goal.locals][:_MOST_LOCALS]
    constants = _constants(view)
    changes: list[Change] = []
    for name, value in given:
        found = None
        if known_value(value)[1] and value.repr not in ("None", "True", "False"):
            texts = [text.format(r=each) for each in over for text in _OF_GOAL]
            texts += [text.format(r=each, c=constant) for each in over[:2]
                      for constant in constants for text in _WITH_CONSTANT]  # fmt: skip
            found = _first(view, texts, names, value)
        literal = spelled(view, value)
        if found is None or (literal is not None and len(literal) <= 2 < len(found)):
            found = literal
        if found is None or not value.literal:
            return None
        changes.append(setting(view, name, found))
    if token is None or not changes:
        return None
    return Answer(Event.CALL, token, changes=tuple(changes))


def _result_itself(
    view: View, goal: Goal, given: Sequence[tuple[str, Value]]
) -> tuple[Change, ...] | None:
    """Return arguments of which some are the result, where the text leads from them to it.

    Many calls give the same result.  One that is easily named is as right as the one recorded, and
    more easily learned.
    """
    result = value_in(goal.value) if goal.value is not None else None
    if result is None or not result.literal or not given:
        return None
    texts = {name: spelled(view, value) for name, value in given}
    alike = [name for name, value in given if value.type == result.type]
    for replaced in ([alike] if len(alike) > 1 else []) + [[name] for name in alike]:
        pairs = tuple((name, result if name in replaced else value) for name, value in given)
        told = texts | dict.fromkeys(replaced, (IDS["<result>"],))
        changes = tuple(setting(view, name, text) for name, text in told.items() if text)
        if len(changes) == len(told) and _leads_to(view, pairs, result):
            return changes
    return None


def _leads_to(view: View, pairs: tuple[tuple[str, Value], ...], result: Value) -> bool:
    """Whether the program's text leads from a call with these arguments to a result."""
    text = view.texts[0]
    frame = Frame(text.file, text.lineno, text.qualname.rpartition(".")[2], pairs)
    start = Situation(State(Event.CALL, (frame,)), ((),))
    found = followed(view, start, Action(ActionKind.RETURN))
    arg = found.state.arg if found is not None and found.state.event is Event.RETURN else None
    return arg is not None and same_value(arg, result)


def _constants(view: View) -> list[str]:
    """Return the constants that the root function names, as text."""
    definition = view.syntax[0].definition if view.syntax else None
    found = [
        repr(node.value)
        for node in (ast.walk(definition) if definition is not None else ())
        if isinstance(node, ast.Constant) and isinstance(node.value, (str, int))
        and not isinstance(node.value, bool) and len(repr(node.value)) < 12
    ]  # fmt: skip
    return list(dict.fromkeys(found))[:_MOST_CONSTANTS]
