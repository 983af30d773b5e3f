"""All guesses at the arguments for a goal, in the order in which they are worth checking.

The plainest few come first, since they cost nothing, then what the inverse rules give, then the
plain ones that are left.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any

from nsdbg.claim import Goal
from nsdbg.propose.evaluate import Unknown, literal
from nsdbg.propose.inversion import shapes  # noqa: F401  it fills the table of shapes
from nsdbg.propose.inversion.backward import Backward
from nsdbg.propose.inversion.cases import Inverses
from nsdbg.propose.inversion.combine import ranked_choices
from nsdbg.propose.inversion.crash import conditions, crash_conditions, made_true
from nsdbg.propose.inversion.expression import Inverter, Solution
from nsdbg.propose.inversion.normal import normalised
from nsdbg.propose.inversion.plain import Guess, Pools, plain_guesses, wanted
from nsdbg.propose.inversion.previous import Earlier, states_at, states_before
from nsdbg.rulebook import Rulebook
from nsdbg.source import Subject
from nsdbg.state import Event

_PLAINEST = 40
_FILLINGS = 8  # ways to fill what an inversion leaves open


class Guesses:
    """The guesses at one goal's arguments, or at its earlier states."""

    def __init__(self, goal: Goal, subject: Subject, inverses: Inverses, book: Rulebook) -> None:
        assert subject.node is not None
        self._goal = goal
        self._subject = subject
        self._book = book
        self._pools = Pools(goal, subject)
        inverter = Inverter(inverses, self._pools.of, self._pools.may_be)
        # A step is taken in the program as it is written; the way to its entry may be simplified.
        node = subject.node if goal.previous else normalised(subject.node)
        self._back = Backward(node, inverter, dict(_defaults(subject)))

    def arguments(self, plain_first: bool) -> Iterator[Guess]:
        """Yield guesses at the arguments; `plain_first` when they are checked, which costs less."""
        plain = plain_guesses(self._pools)
        first = islice(plain, _PLAINEST if plain_first else 0)
        yield from chain(first, self.inverted(), plain)

    def inverted(self) -> Iterator[Guess]:
        """Yield the guesses that inverse rules give, what they leave open being filled in turn."""
        names = [item.argument_name for item in wanted(self._subject)]
        for solution in self._solutions():
            arguments = {name: value for name, value in solution.names.items() if name in names}
            if self._pools.fits(arguments):
                for filled in _filled(arguments, names, self._pools):
                    yield Guess(filled, solution.rules or ("identity",))

    def earlier(self) -> Iterator[Earlier]:
        """Yield states one step before the goal's."""
        if self._goal.event is Event.RETURN:
            for node, found in self._returns():
                yield from states_at(self._back, node, found)
            return
        for statement, demand in self._at_the_line(self._goal.chain[-1].lineno):
            at_once = self._goal.event is Event.EXCEPTION
            states = states_at if at_once else states_before
            yield from states(self._back, statement, demand)

    def _returns(self) -> Iterator[tuple[ast.Return, Solution]]:
        for _, value in _literals([("value", self._goal.value or "")]):
            yield from self._back.at_returns(value)

    def _solutions(self) -> Iterator[Solution]:
        if self._goal.event is Event.RETURN:
            for _, value in _literals([("value", self._goal.value or "")]):
                yield from self._back.from_return(value)
            return
        # Of a chain of calls, the entry's own frame is the first, and only its line is followed.
        for statement, demand in self._at_the_line(self._goal.chain[0].lineno):
            yield from self._back.from_line(statement, demand)

    def _at_the_line(self, lineno: int | None) -> Iterator[tuple[ast.stmt, Solution]]:
        """Yield the statement of a line with what has to hold before it, in likely ways."""
        statement = None if lineno is None else self._back.at_line(lineno)
        if statement is None:
            return
        own = len(self._goal.chain) == 1
        demand = Solution(dict(_literals(self._goal.locals)) if own else {})
        where = conditions(self._goal.where) if own else []
        claims = [("", where)]
        if own and self._goal.exception is not None:
            crashes = crash_conditions(self._book, self._goal.exception, statement)
            claims = [*((rule, [*where, *facts]) for rule, facts in crashes), *claims]
        for rule, facts in claims:
            for found in islice(made_true(self._back, statement, facts, demand), _FILLINGS):
                rules = (rule, *found.rules) if rule else found.rules
                yield statement, Solution(found.names, rules, found.lost)


def _literals(texts: Iterable[tuple[str, str]]) -> Iterator[tuple[str, Any]]:
    for name, text in texts:
        try:
            yield name, literal(text)
        except Unknown:
            continue


def _defaults(subject: Subject) -> Iterator[tuple[str, Any]]:
    yield from _literals(
        (item.name, item.default) for item in subject.parameters if item.default is not None
    )


def _filled(arguments: dict[str, Any], names: list[str], pools: Pools) -> Iterator[dict[str, Any]]:
    missing = [name for name in names if name not in arguments]
    ranked = [pools.of(name.lstrip("*")) if name[0] != "*" else [()] for name in missing]
    for choice in ranked_choices([len(values) for values in ranked], _FILLINGS):
        chosen = {name: values[place]
                  for name, values, place in zip(missing, ranked, choice, strict=True)}  # fmt: skip
        yield {name: {**arguments, **chosen}[name] for name in names}
