"""Where an answer leads: its expressions, evaluated over the known state.  Runs nothing.

Total: an answer that cannot be evaluated is None, and a value that cannot be told is UNTOLD,
which equals no value of a run.
"""

from __future__ import annotations

import ast
import keyword
from dataclasses import dataclass, field, replace
from typing import Any

from nsdbg.propose.codec import spelling
from nsdbg.propose.codec.answer import LEAVE, RAISE, Answer, ChangeKind, Guard, GuardKind, Tokens
from nsdbg.propose.codec.pointing import spelled_out
from nsdbg.propose.codec.seen import UNTOLD, described, standing_for
from nsdbg.propose.codec.situation import Loops, Situation, entered, names_of
from nsdbg.propose.codec.spelling import RESULT
from nsdbg.propose.codec.view import View
from nsdbg.propose.codec.vocabulary import IDS, OPERATOR
from nsdbg.propose.evaluate import Unknown, evaluate, perform
from nsdbg.propose.evaluation import printing
from nsdbg.propose.evaluation.opaque import Opaque
from nsdbg.state import Event, Frame, State, Value

_MOST_ITEMS = 10_000
_ADDRESS = " at 0x"


class Untellable(Exception):
    """The answer does not tell where it leads."""


class _Raised(Exception):
    """Evaluating the answer raises what the program would."""

    def __init__(self, error: BaseException) -> None:
        self.error = error


@dataclass(slots=True)
class _Working:
    """A frame while an answer is evaluated over it."""

    view: View
    frame: Frame
    loops: Loops
    names: dict[str, Any]
    untold: set[str] = field(default_factory=set)
    opaque: dict[str, Value] = field(default_factory=dict)
    deleted: set[str] = field(default_factory=set)
    printed: str = ""
    base: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.base = dict(self.names)

    def text(self, tokens: Tokens) -> str:
        found = spelling.text(tokens, self.view.slots)
        if found is None:
            raise Untellable
        return found

    def name(self, tokens: Tokens) -> str:
        """Return the name that tokens spell: a local's or a type's."""
        found = self.text(tokens)
        if not found.isidentifier() or keyword.iskeyword(found):
            raise Untellable
        return found

    def value(self, source: str) -> Any:
        try:
            return evaluate(source, self.names)
        except Unknown as error:
            raise_as_the_program(error)
            raise


def raise_as_the_program(error: Unknown) -> None:
    """Raise what made an evaluation fail where the program would raise it too."""
    cause = error.__cause__
    # A text that does not parse, and what is too deep or too large for us.
    ours = (SyntaxError, RecursionError, MemoryError)
    if isinstance(cause, Exception) and not isinstance(cause, ours):
        raise _Raised(cause) from error


def apply(view: View, situation: Situation, answer: Answer) -> Situation | None:
    """Return the situation to which an answer leads, or None when it does not tell.

    One that follows the program's text depends on the command: `forward.read` knows it.
    """
    if answer.follow:
        return None
    try:
        return _applied(view, situation, answer)
    except (Untellable, Unknown, RecursionError, MemoryError):
        return None


def _applied(view: View, situation: Situation, pointing: Answer) -> Situation | None:
    answer = spelled_out(view, situation, pointing)
    if answer is None:
        return None
    stack, loops = situation.state.stack, _padded(situation)
    if answer.event is Event.CALL:
        return _called(view, situation, answer)
    if answer.up:
        if len(stack) < 2:
            return None
        stack, loops = stack[:-1], loops[:-1]
    work = _Working(view, stack[-1], loops[-1], names_of(view, stack[-1]))
    if answer.up and situation.state.arg is not None:
        work.names[RESULT] = standing_for(situation.state.arg)
    event, lineno, arg = _moved(work, answer)
    frame = replace(_finished(work), lineno=lineno)
    here = loops[-1]
    if event is Event.LINE:
        here = entered(view, frame, loops[-1], stack[-1].lineno)
    state = State(event, (*stack[:-1], frame), arg, work.printed)
    return Situation(state, (*loops[:-1], here))


def _padded(situation: Situation) -> tuple[Loops, ...]:
    if len(situation.loops) == len(situation.state.stack):
        return situation.loops
    return ((),) * len(situation.state.stack)


def _moved(work: _Working, answer: Answer) -> tuple[Event, int, Value | None]:
    """Evaluate an answer; return the event, the line and what goes with them."""
    here = work.frame.lineno
    if answer.unwind:
        return Event.RETURN, here, None
    try:
        target = answer.line if answer.guard is None else _decided(work, answer.guard)
        for kind, tokens in answer.changes:
            _change(work, kind, tokens)
        if target == LEAVE:
            return Event.RETURN, here, Value("None", "NoneType", True)
        if target == RAISE or answer.event is Event.EXCEPTION:
            return Event.EXCEPTION, _line(work, target, here), _exception(work, answer.arg)
        lineno = _line(work, target, here)
        if answer.event is Event.RETURN:
            return Event.RETURN, lineno, _argument(work, answer.arg)
        return Event.LINE, lineno, None
    except _Raised as raised:
        error = raised.error
        return Event.EXCEPTION, here, Value(_message(error), type(error).__name__)


def _line(work: _Working, target: int | None, here: int) -> int:
    if target is None or target == RAISE:
        return here
    place = work.view.place(target)
    if place is None or place[0] != work.frame.file:
        raise Untellable
    return place[1]


def _decided(work: _Working, guard: Guard) -> int:
    source = work.text(guard.test)
    if guard.kind is GuardKind.IF:
        found = work.value(source)
        return guard.then if found else guard.otherwise
    target, values = _each(source)
    count = dict(work.loops).get(work.frame.lineno, 0)
    if count > _MOST_ITEMS:
        raise Untellable
    # The evaluator iterates in an order of its own only where a run's order is unknown.
    found = work.value(f"list({values})")[count : count + 1]
    if not found:
        return guard.otherwise
    work.names[RESULT] = found[0]
    _perform(work, f"{target} = {RESULT}")
    work.names.pop(RESULT, None)
    return guard.then


def _each(source: str) -> tuple[str, str]:
    """Split `target in values`, which parses as a loop's header."""
    node = _parsed(f"for {source}: pass")[0]
    if not isinstance(node, ast.For):
        raise Untellable
    return ast.unparse(node.target), ast.unparse(node.iter)


def _parsed(source: str) -> list[ast.stmt]:
    """Return the statements of a text; raises Untellable for what is no Python."""
    try:
        return ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise Untellable from error


def _expression(source: str) -> ast.expr:
    """Return the expression of a text; raises Untellable for what is none."""
    try:
        return ast.parse(source, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise Untellable from error


def _change(work: _Working, kind: ChangeKind, tokens: Tokens) -> None:
    if kind is ChangeKind.PRINT:
        work.printed += _printed(work, tokens)
    elif kind is ChangeKind.DELETE:
        name = work.name(tokens)
        work.names.pop(name, None)
        work.deleted.add(name)
    elif IDS["<obj>"] in tokens:
        _opaque(work, tokens)
    else:
        _perform(work, work.text(tokens))


def _opaque(work: _Working, tokens: Tokens) -> None:
    """Bind a name to an object of which only the type is known."""
    at = tokens.index(IDS["<obj>"])
    if at < 2 or tokens[at - 1] != OPERATOR["="]:
        raise Untellable
    name = work.name(tokens[: at - 1])
    work.opaque[name] = _object(work, tokens[at:])
    work.names.pop(name, None)


def _object(work: _Working, tokens: Tokens) -> Value:
    return Value("<?>", work.name(tokens[1:]), truncated=True)


def _perform(work: _Working, source: str) -> None:
    body = _parsed(source)
    if len(body) != 1 or not isinstance(body[0], (ast.Assign, ast.Expr)):
        raise Untellable
    statement = body[0]
    try:
        perform(statement, work.names)
    except Unknown as error:
        raise_as_the_program(error)
        for name, within in _stored(statement):
            if not (within and _is_addressed(work.names.get(name))):
                work.names.pop(name, None)
                work.untold.add(name)
    else:
        work.untold.difference_update(name for name, _ in _stored(statement))


def _stored(statement: ast.stmt) -> list[tuple[str, bool]]:
    """Return the names whose values a statement may change, and whether within the value."""
    if isinstance(statement, ast.Expr):
        found = [(node.id, True) for node in ast.walk(statement) if isinstance(node, ast.Name)]
        return found[:1]
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return [
        (node.id, not isinstance(node.ctx, ast.Store))
        for target in targets
        for node in ast.walk(target)
        if isinstance(node, ast.Name) and (isinstance(node.ctx, ast.Store) or node is _root(target))
    ]


def _is_addressed(value: Any) -> bool:
    """Whether this is an object whose text is its address: no change within it is seen there."""
    told = value.told if isinstance(value, Opaque) else None
    return isinstance(told, Value) and _ADDRESS in told.repr and told.repr[:1] == "<"


def _root(target: ast.expr) -> ast.expr:
    while isinstance(target, (ast.Subscript, ast.Attribute)):
        target = target.value
    return target


def _printed(work: _Working, tokens: Tokens) -> str:
    """Return what `print` writes for these arguments."""
    node = _expression(f"print({work.text(tokens)})")
    if not isinstance(node, ast.Call):
        raise Untellable
    named = {keyword.arg: ast.unparse(keyword.value) for keyword in node.keywords}
    if not set(named) <= {"sep", "end"}:
        raise Untellable
    parts = work.value(f"[str(each) for each in [{', '.join(map(ast.unparse, node.args))}]]")
    sep, end = (work.value(named.get(name, text)) for name, text in _PRINTS.items())
    return str(" " if sep is None else sep).join(parts) + str("\n" if end is None else end)


_PRINTS = {"sep": "' '", "end": "'\\n'"}


def _exception(work: _Working, tokens: Tokens | None) -> Value:
    """Return an exception as its type and message; `tokens` is its call, or its type alone."""
    if tokens is None:
        raise Untellable
    node = _expression(work.text(tokens))
    if not isinstance(node, ast.Call):
        return Value("", ast.unparse(node).rpartition(".")[2])
    kind = ast.unparse(node.func).rpartition(".")[2]
    parts = [work.value(ast.unparse(part)) for part in node.args]
    try:
        if len(parts) == 1:
            said = printing.shown if kind == "KeyError" else printing.text
            return Value(said(parts[0]), kind)
        return Value(printing.shown(tuple(parts)) if parts else "", kind)
    except ValueError as error:  # an integer that Python does not print
        raise Untellable from error


def _message(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:
        return ""


def _argument(work: _Working, tokens: Tokens | None) -> Value | None:
    if tokens is None:
        return None
    if tokens[0] == IDS["<obj>"]:
        return _object(work, tokens)
    try:
        return described(work.value(work.text(tokens))) or UNTOLD
    except Unknown:
        return UNTOLD


def _finished(work: _Working) -> Frame:
    """Return the frame with the locals that the evaluation left."""
    found = dict(work.frame.locals or ())
    for name, value in work.names.items():
        if callable(value) and work.base.get(name) is value:
            continue  # calling a function does not change it
        # A name that was no local is one now when the answer bound it.
        if name in found or (name not in work.base or work.base[name] is not value):
            found[name] = described(value) or UNTOLD
    found.pop(RESULT, None)
    found.update(work.opaque)
    found.update(dict.fromkeys(sorted(work.untold), UNTOLD))
    for name in work.deleted:
        found.pop(name, None)
    return replace(work.frame, locals=tuple(found.items()))


def _called(view: View, situation: Situation, answer: Answer) -> Situation | None:
    """Return the first state of a function that is called."""
    place = None if answer.line is None else view.place(answer.line)
    if place is None:
        return None
    frame = situation.state.frame
    caller = _Working(view, frame, (), names_of(view, frame))
    bound: dict[str, Value] = {}
    try:
        for kind, tokens in answer.changes:
            name, value = _parameter(caller, kind, tokens)
            bound[name] = value
    except _Raised:
        return None
    function = next(
        (text.qualname for text in view.texts if text.file == place[0]
         and text.lineno <= place[1] <= text.end_lineno), "?",
    )  # fmt: skip
    callee = Frame(place[0], place[1], function.rpartition(".")[2], tuple(bound.items()))
    state = State(Event.CALL, (*situation.state.stack, callee))
    return Situation(state, (*_padded(situation), ()))


def _parameter(caller: _Working, kind: ChangeKind, tokens: Tokens) -> tuple[str, Value]:
    equals = tokens.index(OPERATOR["="]) if OPERATOR["="] in tokens else -1
    if kind is not ChangeKind.DO or equals < 1:
        raise Untellable
    name, value = caller.name(tokens[:equals]), tokens[equals + 1 :]
    if value and value[0] == IDS["<obj>"]:
        return name, _object(caller, value)
    try:
        return name, described(caller.value(caller.text(value))) or UNTOLD
    except Unknown:
        return name, UNTOLD
