"""Verdicts, evidence and states as JSON-ready objects, the same in every command's answer."""

from __future__ import annotations

from nsdbg.claim import (
    Call,
    Difference,
    Evidence,
    FileCoverage,
    Middle,
    Proposal,
    Raised,
    Script,
    Stats,
    Verdict,
)
from nsdbg.state import Frame, State, Value

Json = dict[str, object]


def verdict_json(verdict: Verdict) -> Json:
    """Return a verdict without its proposal: status, reason, differences, evidence."""
    return {
        "status": verdict.status.value,
        "reason": verdict.reason.slug,
        "differences": [difference_json(item) for item in verdict.differences],
        "evidence": evidence_json(verdict.evidence),
    }


def difference_json(item: Difference) -> Json:
    """Return one field in which a run was not as claimed."""
    return {"field": item.field, "claimed": item.claimed, "observed": item.observed}


def evidence_json(evidence: Evidence) -> Json:
    """Return evidence; what was not observed is null."""
    return {
        "runs": evidence.runs,
        "seconds": round(evidence.seconds, 6),
        "python": evidence.python,
        "layers": list(evidence.layers),
        "observed": state_json(evidence.observed) if evidence.observed else None,
        "value": value_json(evidence.value) if evidence.value else None,
        "raised": raised_json(evidence.raised) if evidence.raised else None,
        "coverage": [coverage_json(item) for item in evidence.coverage],
        "output": evidence.output,
        "blocked": list(evidence.blocked),
        "detail": evidence.detail,
    }


def coverage_json(coverage: FileCoverage) -> Json:
    """Return the lines and arcs of one file."""
    return {
        "file": coverage.file,
        "lines": list(coverage.lines),
        "arcs": [list(arc) for arc in coverage.arcs],
        "possible": list(coverage.possible),
    }


def raised_json(raised: Raised) -> Json:
    """Return an uncaught exception with its traceback's sites, oldest first."""
    sites = [
        {"file": site.file, "lineno": site.lineno, "function": site.function}
        for site in raised.sites
    ]
    return {"exception": raised.type, "message": raised.message, "frames": sites}


def value_json(value: Value) -> Json:
    """Return a value as it was seen."""
    return {
        "repr": value.repr,
        "type": value.type,
        "literal": value.literal,
        "truncated": value.truncated,
    }


def state_json(state: State) -> Json:
    """Return a state with its whole stack, oldest frame first."""
    return {
        "event": state.event.value,
        "stack": [frame_json(frame) for frame in state.stack],
        "arg": value_json(state.arg) if state.arg else None,
        "output": state.output,
    }


def frame_json(frame: Frame) -> Json:
    """Return a frame; `locals` is null when they were not recorded."""
    bound = None if frame.locals is None else {name: value_json(v) for name, v in frame.locals}
    return {
        "file": frame.file,
        "lineno": frame.lineno,
        "function": frame.function,
        "locals": bound,
    }


def start_json(proposal: Proposal) -> Json:
    """Return a proposal's start: `args` and `imports`, `argv` and `stdin`, or a `state`."""
    start = proposal.start
    if isinstance(start, Call):
        return {"args": dict(start.arguments), "imports": list(start.imports)}
    if isinstance(start, Script):
        return {"argv": list(start.argv), "stdin": start.stdin}
    assert isinstance(start, Middle)
    return {"state": state_json(start.state)}


def stats_json(stats: Stats) -> Json:
    """Return the counts of an answer."""
    return {
        "proposed": stats.proposed,
        "executed": stats.executed,
        "confirmed": stats.confirmed,
        "refuted": stats.refuted,
        "unknown": stats.unknown,
        "unknown_reasons": dict(stats.unknown_reasons),
        "seconds": round(stats.seconds, 3),
    }
