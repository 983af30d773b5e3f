"""The SMT proposer: a solver chooses arguments for which a function returns a value.

Needs the extra `nsdbg[smt]`; without it, it says nothing.  What it proposes is verified like all
else: its idea of Python's values is not Python's.
"""

from __future__ import annotations

import ast
import importlib.util
from collections.abc import Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING

from nsdbg.claim import Call, Goal, Proposal, Verdict
from nsdbg.propose.evaluate import Unknown
from nsdbg.source import ParameterKind, Subject
from nsdbg.state import Event

if TYPE_CHECKING:
    from nsdbg.propose.symbolic.explore import Effort, Explorer
    from nsdbg.propose.symbolic.shapes import Form

COST = 40  # of the paths looked at in one ask, in hundreds of terms
_CHOICES = 300  # sizes tried for one form
_SAME = 3  # arguments found for one form and sizes


def unavailable() -> str | None:
    """Return why the solver cannot be used, or None when it can."""
    if importlib.util.find_spec("z3") is None:
        return "z3-solver is not installed: install nsdbg[smt]"
    return None


class SmtProposer:
    """Proposes what a solver finds; `name` is the word for `--proposers`."""

    name = "smt"

    def start(self, goal: Goal, subject: Subject, seed: int) -> SmtSession:
        """Begin on a goal; the seed changes nothing."""
        return SmtSession(goal, subject)


class SmtSession:
    """The solver at work on one goal: one that gives the value a function returns."""

    def __init__(self, goal: Goal, subject: Subject) -> None:
        self._work: Iterator[Proposal | int] = iter(())
        plain = isinstance(subject.node, ast.FunctionDef) and not subject.receiver
        asked = goal.event is Event.RETURN and goal.value is not None and not goal.previous
        if plain and asked and len(goal.chain) == 1 and unavailable() is None:
            self._work = _proposals(goal, subject)

    def ask(self, count: int) -> Sequence[Proposal]:
        """Look at some paths and return what was found; nothing now may be something later."""
        left = COST
        for found in self._work:
            if isinstance(found, Proposal):
                return [found][:count]
            left -= found
            if left <= 0:
                break
        return []

    def tell(self, verdicts: Sequence[Verdict]) -> None:
        """Learn nothing: a solver does not depend on what others tried."""


def _proposals(goal: Goal, subject: Subject) -> Iterator[Proposal | int]:
    """Yield proposals, and the cost of each piece of work that gave none."""
    from nsdbg.propose.symbolic.explore import Effort, Explorer

    try:
        explorer = Explorer(subject, goal.value or "")
    except Unknown:
        return
    said: set[str] = set()
    # z3 spends some 2 million units in a second; its clock only ends what hangs otherwise.
    efforts = (
        Effort(8, 300_000, 1_500, ((20, 7),), 8_000),
        Effort(40, 2_000_000, 6_000, ((20, 7), (40, 12)), 40_000, wide=True),
        Effort(300, 12_000_000, 20_000, ((24, 9), (48, 18)), 200_000, wide=True),
    )
    for effort in efforts:
        for found in _attempts(subject, explorer, effort):
            if found is None or repr(found) in said:
                yield explorer.cost
                continue
            said.add(repr(found))
            yield Proposal(
                Call(tuple((name, repr(value)) for name, value in found.items())), "smt:z3"
            )


def _attempts(
    subject: Subject, explorer: Explorer, effort: Effort
) -> Iterator[dict[str, object] | None]:
    from nsdbg.propose.symbolic.shapes import forms, size_choices, sizes

    names = [item.name for item in subject.parameters
             if item.required and item.kind is ParameterKind.POSITIONAL]  # fmt: skip
    tried = sizes(subject)
    for combination in product(*(forms(subject, name) for name in names)):
        chosen: dict[str, Form] = dict(zip(names, combination, strict=True))
        levels = sum(form.levels for form in combination)
        for choice in size_choices(levels, tried, _CHOICES):
            shares = _shared(chosen, choice)
            left = _SAME
            for found in explorer.models(chosen, shares, effort):
                yield found
                left -= found is not None
                if left == 0:
                    break


def _shared(forms: dict[str, Form], sizes: tuple[int, ...]) -> dict[str, tuple[int, ...]]:
    shares, start = {}, 0
    for name, form in forms.items():
        shares[name] = sizes[start : start + form.levels]
        start += form.levels
    return shares
