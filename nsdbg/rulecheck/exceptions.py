"""Exception rules on trial: the message is read, and the facts are true in the living frame."""

from __future__ import annotations

from nsdbg.claim import Raised
from nsdbg.rulebook import Explanation, Pinned
from nsdbg.rulebook.rules import ExceptionRule
from nsdbg.rulebook.suspects import statements_at
from nsdbg.rulecheck.trial import Case, Outcome, Trial, crash_line, did_run, ending


def try_exception_rule(rule: ExceptionRule, case: Case, trial: Trial) -> Outcome:
    """Run a function of the program and hold the rule to what happens."""
    seen = trial.crash(case)
    if seen.raised is None:
        if case.must_speak or not did_run(seen):
            return case.fails(f"it raised nothing: {ending(seen)}")
        return case.holds()
    explanation = _explanation(rule, seen.raised, trial)
    if not case.must_speak:
        said = f"it speaks of {ending(seen)}"
        return case.holds() if explanation is None else case.fails(said)
    if explanation is None:
        return case.fails(f"it does not know {ending(seen)}")
    if not rule.sites:
        return case.holds(explanation.sentence)
    return _facts(case, trial, explanation, seen.raised)


def _explanation(rule: ExceptionRule, raised: Raised, trial: Trial) -> Explanation | None:
    found = trial.book.explain(raised.type, raised.message, trial.version)
    return next((each for each in found if each.rule == rule.id), None)


def _facts(case: Case, trial: Trial, explanation: Explanation, raised: Raised) -> Outcome:
    lineno = crash_line(case.subject, raised)
    statements = statements_at(case.subject.tree, lineno)
    pins = tuple(pin for each in statements for pin in trial.book.bind(explanation, each))
    if not pins:
        return case.fails(f"no place of the rule fits line {lineno}")
    facts = tuple(fact for pin in pins for fact in pin.facts)
    if not facts:
        return case.fails(f"it states no fact about line {lineno}")
    truth = trial.true_at_crash(case, raised, facts)
    if truth is None:
        return case.fails(f"line {lineno} was not reached again in two fresh runs")
    return _judged(case, pins, dict(zip(facts, truth, strict=True)))


def _judged(case: Case, pins: tuple[Pinned, ...], truth: dict[str, bool | None]) -> Outcome:
    """A line can have several places that fit; the facts of one of them have to be true."""
    for pin in pins:
        if pin.facts and all(truth[fact] is True for fact in pin.facts):
            return case.holds(pin.sentence)
    wrong = [fact for pin in pins for fact in pin.facts if truth[fact] is not True]
    return case.fails(f"not true there: {'; '.join(wrong)}")
