"""Effect rules on trial: flagged where they must be, and shown by running where that can be."""

from __future__ import annotations

from nsdbg.claim import Ending, Observation
from nsdbg.rulebook.answers import EffectKind
from nsdbg.rulebook.rules import EffectRule
from nsdbg.rulecheck.trial import Case, Outcome, Trial, did_run, ending


def try_effect_rule(rule: EffectRule, case: Case, trial: Trial) -> Outcome:
    """Ask for a function's effects, and run it to see them.

    A function where the rule must be silent must not show an effect of the rule's kind either.
    """
    found = [effect for effect in trial.book.effects(case.subject) if effect.rule == rule.id]
    if case.must_speak:
        if not found:
            return case.fails("it is not flagged")
        shown = _shown(rule.effect, case, trial)
        return case.holds(f"line {found[0].lineno}; {shown or 'not shown by these runs'}")
    if found:
        return case.fails(f"line {found[0].lineno} is flagged: {found[0].text}")
    seen = trial.crash(case)
    if not did_run(seen):
        return case.fails(f"it did not run to its end: {ending(seen)}")
    shown = _shown(rule.effect, case, trial)
    return case.fails(f"it has such an effect: {shown}") if shown else case.holds()


def _shown(kind: EffectKind, case: Case, trial: Trial) -> str:
    """Say how runs show an effect, or nothing when they do not."""
    if kind is EffectKind.EXTERNAL:
        seen = trial.crash(case)
        return f"refused by the guard: {ending(seen)}" if seen.ending is Ending.BLOCKED else ""
    if kind is EffectKind.IMPURE:
        runs = trial.twice_in_one(case)
        return _difference(runs[0], runs[1], "a second call differs")
    first, second = trial.twice_fresh(case)
    return _difference(first, second, "two processes differ")


def _difference(first: Observation, second: Observation, words: str) -> str:
    one, other = _essence(first), _essence(second)
    return "" if one == other else f"{words}: {one} and {other}"


def _essence(seen: Observation) -> str:
    return ending(seen) if seen.value is None else seen.value.repr[:80]
