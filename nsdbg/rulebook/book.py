"""The rulebook: rules read from a folder, kind by kind as they are asked for.

It matches text and syntax trees and executes nothing; what it answers is to be verified.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from nsdbg.data import data_folder
from nsdbg.rulebook.answers import Effect, Explanation, Pinned, Suspicion
from nsdbg.rulebook.effects import EffectReader
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
        self._texts: dict[RuleKind, list[tuple[Path, str]]] = {}
        self._single: dict[Path, AnyRule] = {}

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

    def _about(self, kind: RuleKind, exception: str) -> tuple[AnyRule, ...]:
        """Return the rules that may speak of an exception; of ours, the others stay unread.

        Parsing TOML takes ten times as long as reading it, and most rules are about others.
        """
        if not self._trusted or kind in self._loaded:
            return self.rules(kind)
        if kind not in self._texts:
            paths = sorted((self.folder / kind.value).glob("*.toml"))
            self._texts[kind] = [(path, path.read_text(encoding="utf-8")) for path in paths]
        wanted = f'"{exception.rpartition(".")[2]}"'
        found = [path for path, text in self._texts[kind]
                 if wanted in text or "exceptions = []" in text]  # fmt: skip
        for path in found:
            if path not in self._single:
                from nsdbg.rulebook.load import load_rule

                self._single[path] = load_rule(path, kind, trusted=True)
        return tuple(self._single[path] for path in found)

    def explain(
        self, type: str, message: str, python_version: tuple[int, int] | None = None
    ) -> tuple[Explanation, ...]:
        """Return the readings of an exception, the most specific first.

        `type` as printed (`KeyError`, `json.decoder.JSONDecodeError`); without a version, the
        wordings of all versions are tried.
        """
        rules = self._about(RuleKind.EXCEPTIONS, type)
        chosen = [each for each in rules if isinstance(each, ExceptionRule)]
        return explain(chosen, type, message, python_version)

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
        known = (*self._single.values(), *self._loaded.get(RuleKind.EXCEPTIONS, ()))
        rule = _by_id(known, explanation.rule) or _by_id(self.exceptions, explanation.rule)
        return () if rule is None else bind(rule, explanation, statement, columns, lineno)

    def effects(self, subject: Subject) -> tuple[Effect, ...]:
        """Return what makes a function unfit to be repeated in one process; empty: looks pure.

        Functions and methods of the same module that it calls are followed.
        """
        return self._effect_reader.effects(subject)

    @cached_property
    def _effect_reader(self) -> EffectReader:
        return EffectReader(self.effect_rules)

    def suspects(
        self, subject: Subject, lineno: int, exception: str, message: str = ""
    ) -> tuple[Suspicion, ...]:
        """Return lines that tend to be at fault for this exception at this line, likely first."""
        rules = self._about(RuleKind.SUSPECTS, exception)
        chosen = [each for each in rules if isinstance(each, SuspectRule)]
        return suspects(chosen, subject, lineno, exception, message)


def _by_id(rules: Sequence[AnyRule], id: str) -> ExceptionRule | None:
    found = (rule for rule in rules if isinstance(rule, ExceptionRule))
    return next((rule for rule in found if rule.id == id), None)
