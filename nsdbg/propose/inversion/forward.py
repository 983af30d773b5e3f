"""Whether a guess at the arguments would reach the goal, as far as the evaluator can tell.

Not a verdict: it only puts first what will most likely be confirmed.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any

from nsdbg.claim import Goal
from nsdbg.propose.evaluate import Outcome, OutOfSteps, Program, Unknown, evaluate, literal, same
from nsdbg.source import Subject
from nsdbg.state import Event

STEPS = 2_000  # loop turns and calls of one guess; what runs longer comes last


class Forward:
    """One goal's check of guesses; `steps` counts what was spent."""

    def __init__(self, goal: Goal, subject: Subject) -> None:
        self.goal = goal
        node = subject.node
        own = isinstance(node, ast.FunctionDef) and not node.decorator_list
        self.program = Program(node, subject.tree) if own else None  # type: ignore[arg-type]
        self._receiver = {subject.parameters[0].name: object()} if subject.receiver else {}
        self.watch = goal.chain[-1].lineno if goal.event is Event.LINE else None
        inside = all(site.file == subject.ref.file for site in goal.chain)
        self.known = inside and (len(goal.chain) == 1 or goal.event is Event.EXCEPTION)
        self.nearly = False  # the last miss was one of the message alone
        self.endless = False  # the last miss was none, but did not end in time
        self._value = _known(goal.value)
        self._locals = {name: _known(text) for name, text in goal.locals}

    def call(self, arguments: Mapping[str, Any]) -> Outcome:
        """Return what the call would give; raises Unknown when the evaluator cannot tell."""
        if self.program is None:
            raise Unknown("not a plain function")
        return self.program.call({**self._receiver, **arguments}, steps=STEPS, watch=self.watch)

    @property
    def spent(self) -> int:
        """The steps that the last call took."""
        return self.program.spent if self.program else 0

    def agrees(self, arguments: Mapping[str, Any]) -> bool | None:
        """Whether the goal would be reached; None when the evaluator cannot tell.

        What does not end in time is taken for a miss: a run would only wait for it.
        """
        self.nearly = self.endless = False
        try:
            return self.reached(self.call(arguments)) if self.known else None
        except OutOfSteps:
            self.endless = True
            return False
        except Unknown:
            return None

    def reached(self, outcome: Outcome) -> bool | None:
        """Whether an outcome is what the goal asks for."""
        if self.goal.event is Event.EXCEPTION:
            return self._raised(outcome)
        if self.goal.event is Event.LINE:
            return any(self._fits(seen) for seen in outcome.seen)
        if self.goal.event is Event.RETURN:
            if outcome.error is not None:
                return False
            if self.goal.value is None or isinstance(self._value, Unknown):
                return None
            return same(outcome.value, self._value[0])
        return None

    def _raised(self, outcome: Outcome) -> bool:
        """Whether the exception is the one; `nearly` where only its message is another."""
        claim = self.goal.exception
        if outcome.error is None or outcome.lineno != (
            self.goal.chain[-1].lineno or outcome.lineno
        ):
            return False
        if claim is None:
            return True
        if type(outcome.error).__name__ != claim.type.rpartition(".")[2]:
            return False
        message = str(outcome.error)
        if claim.message is None or message == claim.message:
            return True
        if claim.message_prefix and message.startswith(claim.message):
            return True
        self.nearly = True
        return False

    def _fits(self, seen: Mapping[str, Any]) -> bool:
        for name, value in self._locals.items():
            if name not in seen or isinstance(value, Unknown) or not same(seen[name], value[0]):
                return False
        return all(_true(text, seen) for text in self.goal.where)


def _known(text: str | None) -> Any:
    """Return a literal's value in a tuple, or the Unknown."""
    try:
        return (literal(text or ""),)
    except Unknown as unknown:
        return unknown


def _true(text: str, names: Mapping[str, Any]) -> bool:
    try:
        return bool(evaluate(text, names))
    except Unknown:
        return False


def distinct(values: Sequence[Any]) -> list[Any]:
    """Return values without repetitions, in order; `1`, `1.0` and `True` are three."""
    seen: set[tuple[type, str]] = set()
    found = []
    for value in values:
        key = (type(value), repr(value))
        if key not in seen:
            seen.add(key)
            found.append(value)
    return found
