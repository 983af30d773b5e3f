"""The rulebook: rules read from a folder, kind by kind as they are asked for.

It matches text and syntax trees and executes nothing; what it answers is to be verified.
"""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

from nsdbg.data import data_folder
from nsdbg.rulebook.answers import Effect, Explanation, Pinned, Suspicion
from nsdbg.rulebook.effects import effects
from nsdbg.rulebook.explain import bind, explain
from nsdbg.rulebook.rules import (
    AnyRule,
    EffectRule,
    ExceptionRule,
    InverseRule,
    RuleKind,
    SuspectRule,
)
from nsdbg.rulebook.suspects import suspects

if TYPE_CHECKING:
    from nsdbg.source import Subject


class Rulebook:
    """The rules of one folder.  Reading is lazy: a kind is read when it is first needed.

    Every method raises RuleError when a rule file it has to read is broken.
    """

    def __init__(self, folder: Path | None = None, checked: bool = False) -> None:
        """Take the rules of `folder`, or those that came with nsdbg.

        The patterns of the latter are compiled and checked while reading only with `checked`.
        """
        self.folder = folder if folder is not None else data_folder("rules")
        self._trusted = folder is None and not checked
        self._loaded: dict[RuleKind, tuple[AnyRule, ...]] = {}

    @property
    def exceptions(self) -> tuple[ExceptionRule, ...]:
        """The rules of `exceptions/`, by id."""
        return tuple(each for each in self.rules(RuleKind.EXCEPTIONS)
                     if isinstance(each, ExceptionRule))  # fmt: skip

    @property
    def effect_rules(self) -> tuple[EffectRule, ...]:
        """The rules of `effects/`, by id."""
        return tuple(each for each in self.rules(RuleKind.EFFECTS)
                     if isinstance(each, EffectRule))  # fmt: skip

    @property
    def suspect_rules(self) -> tuple[SuspectRule, ...]:
        """The rules of `suspects/`, by id."""
        return tuple(each for each in self.rules(RuleKind.SUSPECTS)
                     if isinstance(each, SuspectRule))  # fmt: skip

    @property
    def inverse(self) -> tuple[InverseRule, ...]:
        """The rules of `inverse/`, by id."""
        return tuple(each for each in self.rules(RuleKind.INVERSE)
                     if isinstance(each, InverseRule))  # fmt: skip

    def rules(self, kind: RuleKind | None = None) -> tuple[AnyRule, ...]:
        """Return all rules, or those of a kind, by kind and id."""
        if kind is None:
            return tuple(rule for each in RuleKind for rule in self.rules(each))
        if kind not in self._loaded:
            from nsdbg.rulebook.load import load_kind

            self._loaded[kind] = load_kind(self.folder, kind, self._trusted)
        return self._loaded[kind]

    def explain(
        self, type: str, message: str, python_version: tuple[int, int] | None = None
    ) -> tuple[Explanation, ...]:
        """Return the readings of an exception, the most specific first.

        `type` as printed (`KeyError`, `json.decoder.JSONDecodeError`); without a version, the
        wordings of all versions are tried.
        """
        return explain(self.exceptions, type, message, python_version)

    def bind(
        self,
        explanation: Explanation,
        statement: ast.stmt,
        columns: tuple[int, int] | None = None,
        lineno: int | None = None,
    ) -> tuple[Pinned, ...]:
        """Return the sub-expressions of a statement that an explanation fits, in source order.

        Of a compound statement only its header is looked at.  With the columns of a caret range
        (on `lineno`, in UTF-8 bytes, end excluded) only what lies exactly there, or where
        nothing does, overlaps it.
        """
        rule = next((each for each in self.exceptions if each.id == explanation.rule), None)
        return () if rule is None else bind(rule, explanation, statement, columns, lineno)

    def effects(self, subject: Subject) -> tuple[Effect, ...]:
        """Return what makes a function unfit to be repeated in one process; empty: looks pure.

        Functions and methods of the same module that it calls are followed.
        """
        return effects(self.effect_rules, subject)

    def suspects(
        self, subject: Subject, lineno: int, exception: str, message: str = ""
    ) -> tuple[Suspicion, ...]:
        """Return lines that tend to be at fault for this exception at this line, likely first."""
        return suspects(self.suspect_rules, subject, lineno, exception, message)
