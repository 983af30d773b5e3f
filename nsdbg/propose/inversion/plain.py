"""Plain guesses at all arguments at once: ranked pools by kind, combined the likeliest first."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from nsdbg.claim import Goal
from nsdbg.propose.inversion.combine import ranked_choices
from nsdbg.propose.inversion.constants import changed_names
from nsdbg.propose.inversion.pools import CRASHING, Facts, mixed, pool
from nsdbg.propose.usage import KINDS, likely_kinds
from nsdbg.source import Parameter, ParameterKind, Subject
from nsdbg.state import Event

_MOST_KINDS = 4
_WIDEST = 250  # values of one pool
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
        self._crash = goal.event is Event.EXCEPTION
        self._made: dict[str, list[Any]] = {}
        self._bound = changed_names(subject.node) if subject.node else set()
        self._kinds: dict[str, list[str]] = {}

    def kinds(self, name: str) -> list[str]:
        """Return the kinds a name may have, the likeliest first."""
        if name not in self._kinds:
            node = self.subject.node
            self._kinds[name] = likely_kinds(node, name) if node else ["str"]
        return self._kinds[name]

    def may_be(self, name: str, value: Any) -> bool:
        """Whether a name may have a value, as far as its use tells; one bound anew may have any."""
        kind = type(value).__name__
        free = self._crash or name in self._bound or kind not in KINDS
        return free or kind in self.kinds(name)

    def fits(self, arguments: dict[str, Any]) -> bool:
        """Whether parameters may have these values as a call begins."""
        if self._crash:
            return True
        kinds = ((name, type(value).__name__) for name, value in arguments.items())
        return all(
            kind not in KINDS or kind in self.kinds(name.lstrip("*")) for name, kind in kinds
        )

    def of(self, name: str) -> list[Any]:
        """Return the values for a parameter, or for a local, best first; never empty."""
        if name not in self._made:
            kinds = self.kinds(name)[:_MOST_KINDS]
            made = [pool(kind, self.facts) for kind in kinds]
            if self._crash:
                made = [CRASHING, *made]
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
