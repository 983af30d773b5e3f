"""All guesses at the arguments for a goal, in the order in which they are worth checking.

The plainest few come first, since they cost nothing, then what the inverse rules give, then the
plain ones that are left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any

from nsdbg.claim import Goal
from nsdbg.propose.evaluate import Unknown, literal
from nsdbg.propose.inversion import shapes  # noqa: F401  it fills the table of shapes
from nsdbg.propose.inversion.backward import Backward
from nsdbg.propose.inversion.cases import Inverses
from nsdbg.propose.inversion.combine import ranked_choices
from nsdbg.propose.inversion.expression import Inverter, Solution
from nsdbg.propose.inversion.normal import normalised
from nsdbg.propose.inversion.plain import Guess, Pools, plain_guesses, wanted
from nsdbg.source import Subject
from nsdbg.state import Event

_PLAINEST = 40
_FILLINGS = 8  # ways to fill what an inversion leaves open


def guesses(goal: Goal, subject: Subject, inverses: Inverses, plain_first: bool) -> Iterator[Guess]:
    """Yield guesses at the arguments; `plain_first` when they are checked before they are made."""
    pools = Pools(goal, subject)
    plain = plain_guesses(pools)
    first = islice(plain, _PLAINEST if plain_first else 0)
    yield from chain(first, inverted_guesses(goal, subject, inverses, pools), plain)


def inverted_guesses(
    goal: Goal, subject: Subject, inverses: Inverses, pools: Pools
) -> Iterator[Guess]:
    """Yield the guesses that inverse rules give, what they leave open being filled in turn."""
    if subject.node is None:
        return
    defaults = dict(_defaults(subject))
    function = normalised(subject.node)
    back = Backward(function, Inverter(inverses, pools.of, pools.may_be), defaults)
    names = [item.argument_name for item in wanted(subject)]
    for solution in _solutions(goal, back):
        arguments = {name: value for name, value in solution.names.items() if name in names}
        if arguments and pools.fits(arguments):
            for filled in _filled(arguments, names, pools):
                yield Guess(filled, solution.rules or ("identity",))


def _solutions(goal: Goal, back: Backward) -> Iterator[Solution]:
    known = dict(_literals(goal.locals))
    if goal.event is Event.RETURN and goal.value is not None:
        for _, value in _literals([("value", goal.value)]):
            yield from back.from_return(value)
    elif goal.event is Event.LINE and goal.chain[-1].lineno is not None:
        statement = back.at_line(goal.chain[-1].lineno)
        if statement is not None:
            yield from back.from_line(statement, known)


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
