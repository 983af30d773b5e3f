"""Suspect rules on trial: the marked line is suspected for the crash that really happens."""

from __future__ import annotations

from nsdbg.rulebook.rules import SuspectRule
from nsdbg.rulecheck.trial import Case, Outcome, Trial, crash_line, did_run, ending, fault_lines
from nsdbg.source import function_at, load_subject


def try_suspect_rule(rule: SuspectRule, case: Case, trial: Trial) -> Outcome:
    """Run a function of the program and ask for suspects of its crash."""
    seen = trial.crash(case)
    if seen.raised is None:
        if case.must_speak or not did_run(seen):
            return case.fails(f"it raised nothing: {ending(seen)}")
        return case.holds()
    lineno = crash_line(case.subject, seen.raised)
    qualname = function_at(case.subject.tree, lineno)
    subject = load_subject(rule.program, qualname)
    found = [
        suspicion
        for suspicion in trial.book.suspects(subject, lineno, seen.raised.type, seen.raised.message)
        if suspicion.rule == rule.id
    ]
    lines = sorted({suspicion.lineno for suspicion in found})
    if not case.must_speak:
        return case.fails(f"it suspects lines {lines}") if lines else case.holds()
    faults = fault_lines(case.subject)
    hit = [suspicion for suspicion in found if suspicion.lineno in faults]
    if hit:
        return case.holds(hit[0].reason)
    return case.fails(f"it suspects {lines or 'no line'}, and the fault is on {sorted(faults)}")
