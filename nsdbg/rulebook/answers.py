"""What a rulebook answers: explanations of exceptions, pins on a line, effects and suspicions.

Not the rules themselves (`rules`), and nothing that was checked by running: answers are proposals.
"""

from __future__ import annotations

import builtins
from dataclasses import dataclass
from enum import Enum

BUILTIN_TYPES = ("str", "int", "float", "bool", "list", "dict", "set", "tuple", "bytes")


class Blame(Enum):
    """Where the cause of an exception most likely lies, in the words a developer is told."""

    LINE = "your line"
    INPUT = "your input"
    LIBRARY = "library"
    VERSION = "version"
    ENVIRONMENT = "environment"


class EffectKind(Enum):
    """What an effect does to a repetition of the call.

    IMPURE leaves something behind in the process, NONDETERMINISTIC can differ from run to run,
    EXTERNAL reaches outside of the process or into code that was not read.
    """

    IMPURE = "impure"
    NONDETERMINISTIC = "nondeterministic"
    EXTERNAL = "external"


@dataclass(frozen=True, slots=True)
class Want:
    """What a value would have to be for the exception not to happen: a hint for a search.

    `target` is a metavariable of the rule (`object`) in an `Explanation`, and the text of a
    sub-expression of the crash line in a `Pinned`.  `type` is a builtin type's name, `attribute`
    a name it must have, `value` a Python literal as text, `condition` an expression over
    `{target}` and other sub-expressions.  What is None is not known.
    """

    target: str
    type: str | None = None
    attribute: str | None = None
    value: str | None = None
    condition: str | None = None

    @property
    def types(self) -> tuple[str, ...]:
        """The builtin types that fit: the one named, or those that have the attribute."""
        if self.type is not None:
            return (self.type,)
        if self.attribute is None:
            return ()
        return tuple(
            name for name in BUILTIN_TYPES if hasattr(getattr(builtins, name), self.attribute)
        )


@dataclass(frozen=True, slots=True)
class Explanation:
    """One rule's reading of an exception's message.

    `sentence` is plain words for a developer; `groups` are the named parts of the message;
    `had_type` is the type of the offending value where the message tells it.  `wants` are hints
    whose targets are metavariables; `Rulebook.bind` puts them and the facts on a line.
    """

    rule: str
    sentence: str
    blame: Blame
    groups: tuple[tuple[str, str], ...] = ()
    had_type: str | None = None
    wants: tuple[Want, ...] = ()

    def group(self, name: str) -> str | None:
        """Return a named part of the message, or None when the message does not have it."""
        return next((text for bound, text in self.groups if bound == name), None)


@dataclass(frozen=True, slots=True)
class Pinned:
    """A sub-expression of the crash line that an explanation fits, with the facts it states.

    Lines count from 1 and columns from 0, in UTF-8 bytes, as `ast` counts them.  `text` is the
    whole sub-expression and `culprit` the part of it whose value is the offending one (`text` of
    the divisor, of the object that is None).  `facts` are Python expressions that are true in the
    frame when the exception leaves the line; `repeats_call` tells that evaluating them calls
    code of the line once more.  `inner` tells that the place lies in a lambda or comprehension,
    whose variables the frame may not have.
    """

    rule: str
    lineno: int
    col: int
    end_lineno: int
    end_col: int
    text: str
    culprit: str | None
    sentence: str
    facts: tuple[str, ...] = ()
    wants: tuple[Want, ...] = ()
    bindings: tuple[tuple[str, str], ...] = ()
    repeats_call: bool = False
    inner: bool = False


@dataclass(frozen=True, slots=True)
class Effect:
    """One reason why a call cannot simply be repeated in the same process.

    `function` is where it lies (the subject, or a function of its module that it calls), `text`
    the source of the place, `reason` the rule's words.
    """

    rule: str
    kind: EffectKind
    lineno: int
    function: str
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A line that tends to be at fault for exceptions of this kind, and why.

    `weight` is between 0 and 1: how often, by the rule's own guess, such a line is the fault.
    `function` is the qualified name of the function in which the line lies.
    """

    lineno: int
    rule: str
    reason: str
    weight: float
    function: str = ""
    text: str = ""
