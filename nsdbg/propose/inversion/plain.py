"""Plain guesses at all arguments at once: ranked pools by kind, combined the likeliest first."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from nsdbg.claim import Goal
from nsdbg.propose.inversion.combine import ranked_choices
from nsdbg.propose.inversion.pools import Facts, mixed, pool
from nsdbg.propose.usage import likely_kinds
from nsdbg.source import Parameter, ParameterKind, Subject

_MOST_KINDS = 4
_WIDEST = 120  # values of one pool
_MOST = 4_000  # guesses


@dataclass(frozen=True, slots=True)
class Guess:
    """Arguments by name, and the rules that led to them, the last step first."""

    arguments: dict[str, Any]
    rules: tuple[str, ...]

    @property
    def source(self) -> str:
        """The source of a proposal made from it."""
        return "rule:" + "+".join(dict.fromkeys(self.rules))


class Pools:
    """The ranked values for each parameter of a subject."""

    def __init__(self, goal: Goal, subject: Subject) -> None:
        self.facts = Facts(goal, subject)
        self.subject = subject
        self._made: dict[str, list[Any]] = {}

    def of(self, name: str) -> list[Any]:
        """Return the values for a parameter, or for a local, best first; never empty."""
        if name not in self._made:
            node = self.subject.node
            kinds = likely_kinds(node, name)[:_MOST_KINDS] if node else ["str"]
            made = [pool(kind, self.facts) for kind in kinds]
            self._made[name] = mixed(made)[:_WIDEST] or [None]
        return self._made[name]


def wanted(subject: Subject) -> list[Parameter]:
    """Return the parameters a call has to give, receivers apart."""
    plain = subject.parameters[1:] if subject.receiver else subject.parameters
    return [item for item in plain if item.required or item.kind is ParameterKind.VAR_POSITIONAL]


def plain_guesses(pools: Pools) -> Iterator[Guess]:
    """Yield guesses at all required arguments, the likeliest first."""
    names = [item.argument_name for item in wanted(pools.subject)]
    ranked = [_argument_values(pools, name) for name in names]
    for choice in ranked_choices([len(values) for values in ranked], _MOST):
        arguments = {
            name: values[place] for name, values, place in zip(names, ranked, choice, strict=True)
        }
        yield Guess(arguments, ("plain",))


def _argument_values(pools: Pools, name: str) -> list[Any]:
    if not name.startswith("*"):
        return pools.of(name)
    return [(), *((value,) for value in pools.of(name[1:])[:20])]


def default_of(parameter: Parameter) -> ast.expr | None:
    """Return the tree of a parameter's default."""
    if parameter.default is None:
        return None
    return ast.parse(parameter.default, mode="eval").body
