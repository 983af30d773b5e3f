"""Rules as data: `rules/<kind>/<id>.toml`, read, matched and answered; nothing is executed."""

from nsdbg.rulebook.answers import (
    Blame,
    Effect,
    EffectKind,
    Explanation,
    Pinned,
    Suspicion,
    Want,
)
from nsdbg.rulebook.book import Rulebook
from nsdbg.rulebook.rules import InverseCase, InverseRule, RuleKind

__all__ = [
    "Blame",
    "Effect",
    "EffectKind",
    "Explanation",
    "InverseCase",
    "InverseRule",
    "Pinned",
    "RuleKind",
    "Rulebook",
    "Suspicion",
    "Want",
]
