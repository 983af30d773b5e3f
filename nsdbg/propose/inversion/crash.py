"""What an exception says about the state at its line, as conditions that a run has to make true."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from nsdbg.claim import ExceptionClaim
from nsdbg.propose.inversion.backward import Backward
from nsdbg.propose.inversion.expression import Solution, constrained
from nsdbg.rulebook import Rulebook

Conditions = tuple[str, list[ast.expr]]


def crash_conditions(
    book: Rulebook, claim: ExceptionClaim, statement: ast.stmt
) -> Iterator[Conditions]:
    """Yield, for each place of the line that an exception fits, its rule and what is true there."""
    for explanation in book.explain(claim.type, claim.message or ""):
        for pinned in book.bind(explanation, statement):
            facts = [fact for text in pinned.facts for fact in conditions((text,))]
            if facts:
                yield pinned.rule, facts


def conditions(texts: tuple[str, ...]) -> list[ast.expr]:
    """Return Python expressions as trees, those that do not parse left out."""
    found = []
    for text in texts:
        try:
            found.append(ast.parse(text.strip(), mode="eval").body)
        except (SyntaxError, ValueError):
            continue
    return found


def made_true(
    back: Backward, statement: ast.stmt, facts: list[ast.expr], demand: Solution
) -> Iterator[Solution]:
    """Yield what has to hold before a statement for all facts to be true there."""
    if not facts:
        yield demand
        return
    known = back.constants.before(statement)
    for found in constrained(back.inverter, facts[0], True, demand, known, 1):
        yield from made_true(back, statement, facts[1:], found)
