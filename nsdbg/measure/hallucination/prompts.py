"""Questions as text for a model that reads and writes text, and its answers as proposals.

An answer is one JSON object anywhere in the text.  Reading is total: what is no answer is None.
Evaluates nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from nsdbg.claim import Call, Goal, Middle, Proposal
from nsdbg.errors import NsdbgError
from nsdbg.measure.hallucination.asking import ARGUMENTS, Question
from nsdbg.measure.hallucination.judged import Direction
from nsdbg.source import Subject, first_line
from nsdbg.state import Action, ActionKind, Event, Frame, State, Value
from nsdbg.statefile.goals import plain_name
from nsdbg.statefile.states import StateClaim, bound_values, claim_from, state_to_json, value_of

LONGEST_SOURCE = 200  # lines of a module that are shown whole
_MOST_BRACES = 200

_VALUES = (
    'Values are Python literals as text, as repr() writes them: {"n": "3", "name": "\'abc\'"}; '
    'an object that no literal stands for goes to "opaque" instead of "locals".'
)
_COMMANDS = {
    "step": "`step` goes to the next event: a line, a call of a function shown here, a return, an "
    "exception.",
    "next": "`next` goes to the next event of the same function; calls are run as a whole.",
    "return": "`return` goes to the return event of this function.",
    "until": "`until` goes on in this function until a line with this number or a greater one, or "
    "its return.",
    "continue": "`continue` goes on until this line is reached.",
}
_STATE = (
    'Answer with one JSON object that is the new state: {"event": "line" | "call" | "return" | '
    '"exception", "function": name, "lineno": number, "locals": {every local}}; with "value" at '
    'a return, "exception" and "message" at an exception, and "output" where something was '
    'printed on the way. A line event stands before its line is run. '
)  # fmt: skip
_EARLIER = (
    "What was the state at the line that ran just before, in the same function? Answer with one "
    'JSON object: {"lineno": number, "locals": {every local}}. '
)
_CALL = (
    "Give arguments with which the call ends so. Answer with one JSON object: "
    '{"arguments": {name: value}}. '
)
_LOGP = 'You may add "logp": how sure you are, as a natural logarithm.'


def prompt_of(question: Question) -> str:
    """Return a question as text."""
    return "\n".join(_rows(question)) + "\n"


def _rows(question: Question) -> Iterator[str]:
    yield "This is Python code, with line numbers:"
    yield ""
    yield from _source(question.subject)
    yield ""
    if question.start is not None and question.action is not None:
        yield f"A debugger has stopped in this state: {_state(question.start)}"
        word = question.action.kind.value
        line = f" {question.action.lineno}" if question.action.lineno is not None else ""
        yield f"The command is `{word}{line}`. {_COMMANDS[word]}"
        yield _STATE + _VALUES
    else:
        name = question.subject.ref.qualname
        yield f"{_what(question.goal, name)}: {json.dumps(_goal(question.goal))}"
        yield (_CALL if question.word == ARGUMENTS else _EARLIER) + _VALUES
    yield _LOGP


def _what(goal: Goal, name: str) -> str:
    if goal.previous:
        return f"A debugger has stopped in {name} in this state"
    return f"A call of {name} ends like this"


def _source(subject: Subject) -> Iterator[str]:
    lines, node = subject.lines, subject.node
    first, last = 1, len(lines)
    if last > LONGEST_SOURCE and node is not None:
        first, last = first_line(node), node.end_lineno or node.lineno
    for lineno in range(first, last + 1):
        yield f"{lineno:4} {lines[lineno - 1]}".rstrip()


def _state(start: Middle) -> str:
    fields: dict[str, Any] = state_to_json(start.state)
    fields.pop("file")
    if start.remaining:
        fields["remaining"] = {str(line): items for line, items in start.remaining}
    return json.dumps(fields)


def _goal(goal: Goal) -> dict[str, object]:
    site = goal.chain[-1]
    fields: dict[str, object] = {"event": goal.event.value}
    if site.lineno is not None:
        fields["lineno"] = site.lineno
    if goal.locals:
        fields["locals"] = dict(goal.locals)
    if goal.value is not None:
        fields["value"] = goal.value
    if goal.exception is not None:
        fields |= {"exception": goal.exception.type, "message": goal.exception.message or ""}
    return fields


def proposal_of(question: Question, text: str, source: str) -> Proposal | None:
    """Return what a text answers, as a proposal; None when it answers nothing."""
    fields = _object(text)
    if fields is None:
        return None
    logp = fields.pop("logp", None)
    sure = float(logp) if type(logp) in (int, float) and logp <= 0 else None
    try:
        if question.word == ARGUMENTS:
            return Proposal(Call(_arguments(question.subject, fields)), source, logp=sure)
        if question.direction is Direction.FORWARD:
            told = _told(claim_from(fields, "the answer"), question.subject, question.start)
            assert question.start is not None
            return Proposal(question.start, source, question.action, told, sure)
        fields.setdefault("event", "line")
        return _earlier(question, claim_from(fields, "the answer"), source, sure)
    except (NsdbgError, ValueError):
        return None


def _object(text: str) -> dict[str, Any] | None:
    """Return the first JSON object in a text, among so many braces at most."""
    decoder = json.JSONDecoder()
    at = text.find("{")
    for _ in range(_MOST_BRACES):
        if at < 0:
            break
        try:
            found, _ = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            found = None
        if isinstance(found, dict):
            return found
        at = text.find("{", at + 1)
    return None


def _arguments(subject: Subject, fields: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    """Return the named arguments, with the stars that a call gives them."""
    given = fields.get("arguments")
    if not isinstance(given, dict) or not all(isinstance(text, str) for text in given.values()):
        raise ValueError("no arguments")
    stars = {one.name: one.argument_name for one in subject.parameters}
    return tuple((stars.get(str(name), str(name)), str(given[name])) for name in given)


def _told(claim: StateClaim, subject: Subject, start: Middle | None = None) -> State:
    """Return the state that a claim tells.

    A command can only lead into a function that the start's line calls: then the start's frame,
    whose locals are not claimed again, lies below it.
    """
    name = plain_name(subject)
    function = (claim.function or name).rpartition(".")[2]
    names = None
    if claim.locals is not None:
        names = bound_values(claim.locals, claim.opaque)
    frame = Frame(subject.ref.file, claim.lineno or 0, function, names)
    older: tuple[Frame, ...] = ()
    if start is not None and (function != name or claim.event is Event.CALL):
        older = (replace(start.state.frame, locals=None),)
    arg: Value | None = None
    if claim.exception is not None:
        arg = Value(claim.message or "", claim.exception)
    elif claim.value is not None:
        arg = value_of(claim.value)
    return State(claim.event, (*older, frame), arg, claim.output or "")


def _earlier(
    question: Question, claim: StateClaim, source: str, logp: float | None
) -> Proposal | None:
    state = _told(claim, question.subject)
    if state.event is not Event.LINE or state.frame.locals is None:
        return None
    return Proposal(Middle(state, claim.remaining), source, Action(ActionKind.NEXT), logp=logp)
