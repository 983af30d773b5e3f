"""Rules as typed data: what one `rules/<kind>/<id>.toml` says once it has been read.

Nothing is matched here (`explain`, `effects`, `suspects` do) and no rule holds code.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from nsdbg.rulebook.answers import Blame, EffectKind


class RuleKind(Enum):
    """The folders of `rules/`."""

    EXCEPTIONS = "exceptions"
    INVERSE = "inverse"
    EFFECTS = "effects"
    SUSPECTS = "suspects"


@dataclass(frozen=True, slots=True)
class Versions:
    """A range of Python versions, both ends included; None leaves an end open."""

    first: tuple[int, int] | None = None
    last: tuple[int, int] | None = None

    def __contains__(self, version: tuple[int, int]) -> bool:
        after = self.first is None or self.first <= version
        return after and (self.last is None or version <= self.last)

    def __str__(self) -> str:
        first, last = (".".join(map(str, end)) if end else "" for end in (self.first, self.last))
        return f"{first}-{last}" if last else f"{first}+" if first else "any"


@dataclass(frozen=True, slots=True)
class Wish:
    """A hint of a rule: `answers.Want` before it is filled in; texts may hold `{group}`."""

    target: str
    type: str | None = None
    attribute: str | None = None
    value: str | None = None
    condition: str | None = None


@dataclass(frozen=True, slots=True)
class MessagePattern:
    """A regular expression over a whole message, the versions that print it, and its reading."""

    pattern: str
    sentence: str
    versions: Versions = Versions()
    had_type: str | None = None
    blame: Blame | None = None


@dataclass(frozen=True, slots=True)
class Condition:
    """A test on what a metavariable stands for; every field that is given has to hold.

    `var` names the metavariable.  `matches` is a regular expression for its text, `not_matches`
    one it must not match, `scope` where a name is bound, `node` the kinds of syntax it may be,
    `near` the sets of known words of which it is a near miss, `near_group` a part of the message of
    which it is one, `on_crash_line` whether its text occurs on the crash line, `group` a part of
    the message with the same text, `differs` another metavariable whose text is not the same,
    `falls_through` whether the function of that name returns a value on some paths only,
    `bound_to` patterns of which one fits a value that is assigned to the name in its function.
    """

    var: str
    matches: str | None = None
    not_matches: str | None = None
    scope: tuple[str, ...] = ()
    node: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    near_group: str | None = None
    on_crash_line: bool | None = None
    group: str | None = None
    differs: str | None = None
    falls_through: bool | None = None
    bound_to: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """A pattern over source with its surroundings: all have to fit, with the same metavariables.

    `inside` are patterns of which one must enclose it, `not_inside` none may; `contains` must
    each, `lacks` must not, occur within it; of `at_crash` one must fit on the crash line, and with
    `around_crash` it encloses that line.
    """

    pattern: str
    inside: tuple[str, ...] = ()
    not_inside: tuple[str, ...] = ()
    contains: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    at_crash: tuple[str, ...] = ()
    around_crash: bool = False
    conditions: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class PinnedPlace:
    """A place on the crash line, with what is true there when the exception rises."""

    place: Place
    culprit: str | None = None
    sentence: str | None = None
    facts: tuple[str, ...] = ()
    wishes: tuple[Wish, ...] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """What rules of every kind have; `path` is the rule file, beside its paired program."""

    id: str
    title: str
    path: Path

    @property
    def program(self) -> Path:
        """The paired program."""
        return self.path.with_suffix(".py")


@dataclass(frozen=True, slots=True)
class ExceptionRule(Rule):
    """A message and what it says about the state at the crash line."""

    exceptions: tuple[str, ...]
    blame: Blame
    messages: tuple[MessagePattern, ...]
    sites: tuple[PinnedPlace, ...] = ()


@dataclass(frozen=True, slots=True)
class EffectRule(Rule):
    """Something that makes a call impure, nondeterministic or external.

    `names` are dotted names as imported, with `*` (`random.*`); `allowed` are names that are none
    of it though they match.
    """

    effect: EffectKind
    reason: str
    names: tuple[str, ...] = ()
    allowed: tuple[str, ...] = ()
    places: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class SuspectRule(Rule):
    """A shape of code that tends to be the fault behind exceptions of a kind.

    `exceptions` empty means any; `messages` are regular expressions, none for any.  `search` is
    where the shape is looked for: the crash line, its function, or its module.
    """

    exceptions: tuple[str, ...]
    reason: str
    weight: float
    search: str
    places: tuple[Place, ...]
    messages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class InverseCase:
    """An operation solved for one of its operands.

    `operation` is a pattern, `unknown` the metavariable to solve for; `given` are conditions and
    `preimages` values, all expressions over the other metavariables and `result`.  `exact` tells
    that every preimage gives the result for certain.
    """

    operation: str
    unknown: str
    preimages: tuple[str, ...]
    given: tuple[str, ...] = ()
    exact: bool = True


@dataclass(frozen=True, slots=True)
class InverseRule(Rule):
    """An operation and its preimages."""

    cases: tuple[InverseCase, ...]


AnyRule = ExceptionRule | EffectRule | SuspectRule | InverseRule
