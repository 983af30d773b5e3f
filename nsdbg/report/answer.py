"""The answer of `nsdbg reverse`, as text for a terminal and as `nsdbg.reverse/1`."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

from nsdbg.claim import Call, Goal, Middle, Reason, Script, Stats, Verdict
from nsdbg.report.columns import wrapped
from nsdbg.report.escape import Paint, plain, unpainted
from nsdbg.report.reasons import reason_words
from nsdbg.report.verdict import Json, start_json, state_json, stats_json, verdict_json
from nsdbg.reverse import Answer
from nsdbg.source import Subject, call_text
from nsdbg.state import Event, State

SCHEMA = "nsdbg.reverse/1"
INDENT = "    "


def answer_json(answer: Answer, subject: Subject) -> Json:
    """Return the answer as documented in `docs/schemas.md`."""
    return {
        "schema": SCHEMA,
        "file": subject.ref.file,
        "function": subject.ref.qualname,
        "solutions": [_solution_json(verdict, subject) for verdict in answer.solutions],
        "nearest": _solution_json(answer.nearest, subject) if answer.nearest else None,
        "stats": stats_json(answer.stats),
        "stopped": answer.stopped,
        "trouble": list(answer.trouble),
        "permits": list(answer.permits),
    }


def _solution_json(verdict: Verdict, subject: Subject) -> Json:
    start = verdict.proposal.start
    return {
        "args": dict(start.arguments) if isinstance(start, Call) else {},
        "imports": list(start.imports) if isinstance(start, Call) else [],
        "script": start_json(verdict.proposal) if isinstance(start, Script) else None,
        "state": state_json(start.state) if isinstance(start, Middle) else None,
        "call": call_text(subject, start) if isinstance(start, Call) else None,
        "action": str(verdict.proposal.action) if verdict.proposal.action else None,
        "source": verdict.proposal.source,
        "logp": verdict.proposal.logp,
        "verdict": verdict_json(verdict),
    }


def answer_text(
    answer: Answer,
    subject: Subject,
    budget_s: float,
    verbose: bool = False,
    paint: Paint = unpainted,
) -> str:
    """Return what a person reads: each solution with its evidence, or how near one came.

    `paint` colours a text in a named style: title, name, good, dim or bad.
    """
    lines: list[str] = []
    for verdict in answer.solutions:
        lines += [*_solution_lines(verdict, answer.goal, subject, paint), ""]
    if not answer.solutions:
        lines += [*_nothing_lines(answer, subject, budget_s), ""]
    lines += [plain(text) for text in answer.trouble]
    lines.append(_stats_line(answer.stats))
    if verbose:
        lines += [
            f"{INDENT}unknown: {n} {reason_words(slug)}" for slug, n in answer.stats.unknown_reasons
        ]
    return "\n".join(lines)


def _solution_lines(verdict: Verdict, goal: Goal, subject: Subject, paint: Paint) -> Iterator[str]:
    start, evidence = verdict.proposal.start, verdict.evidence
    yield paint(plain(_start_text(verdict, subject)), "title")
    if isinstance(start, Call):
        yield from (f"{INDENT}{plain(statement)}" for statement in start.imports)
    yield from wrapped(_outcome(verdict, goal), INDENT, INDENT * 2)
    word = f"confirmed by {evidence.runs} runs on Python {evidence.python}"
    if verdict.reason is Reason.TRANSITION:
        word += "; whether a call reaches this state is not proven"
    yield from (paint(line, "good") for line in wrapped(word, INDENT))
    for item in evidence.coverage:
        if item.file == subject.ref.file and item.possible:
            seen = len(set(item.lines) & set(item.possible))
            yield f"{INDENT}ran {seen} of the {len(item.possible)} lines of {Path(item.file).name}"
    yield f"{INDENT}proposed by {plain(verdict.proposal.source)}"


def _start_text(verdict: Verdict, subject: Subject) -> str:
    start = verdict.proposal.start
    if isinstance(start, Call):
        return call_text(subject, start)
    if isinstance(start, Script):
        stdin = f" with stdin {start.stdin!r}" if start.stdin else ""
        return f"{' '.join([Path(subject.ref.file).name, *start.argv])}{stdin}"
    return f"{_where(start.state)} with {_locals_text(start.state) or 'no locals'}"


def _where(state: State) -> str:
    return f"line {state.frame.lineno} of {state.frame.function}"


def _locals_text(state: State) -> str:
    return ", ".join(f"{name} = {value.repr}" for name, value in state.frame.locals or ())


def _outcome(verdict: Verdict, goal: Goal) -> str:
    evidence = verdict.evidence
    if goal.event is Event.EXCEPTION and evidence.raised:
        message = f": {evidence.raised.message}" if evidence.raised.message else ""
        return plain(f"raises {evidence.raised.type}{message}")
    if goal.event is Event.RETURN and evidence.value and not goal.previous:
        return plain(f"returns {evidence.value.repr}")
    if evidence.observed is None:
        return "reaches the state"
    after = _locals_text(evidence.observed)
    return plain(f"leads to {_where(evidence.observed)}" + (f" with {after}" if after else ""))


def _nothing_lines(answer: Answer, subject: Subject, budget_s: float) -> Iterator[str]:
    wanted = "state one line earlier" if answer.goal.previous else "call"
    ended = "stopped" if answer.stopped else "nobody has more to propose"
    if not answer.stopped and answer.stats.seconds >= budget_s:
        ended = f"the budget of {budget_s:g} s is spent (--budget)"
    yield f"No {wanted} was confirmed: {ended}."
    if not answer.stats.proposed:
        yield "Nobody proposed anything for this state."
    if answer.nearest is not None:
        evidence = answer.nearest.evidence
        yield "The nearest attempt, refuted:"
        yield plain(f"{INDENT}{_start_text(answer.nearest, subject)}")
        if evidence.raised:
            yield plain(f"{INDENT}raises {evidence.raised.type}: {evidence.raised.message}")
        elif evidence.value:
            yield plain(f"{INDENT}returns {evidence.value.repr}")
        for item in answer.nearest.differences[:3]:
            yield plain(f"{INDENT}{item.field}: wanted {item.claimed}, was {item.observed}")
    for slug, count in answer.stats.unknown_reasons:
        yield f"{count} could not be judged: {reason_words(slug)}"
    for event in answer.permits:
        yield f"{INDENT}permit it if you trust the code: --allow {shlex.quote(plain(event))}"


def _stats_line(stats: Stats) -> str:
    return (
        f"{stats.executed} tried: {stats.confirmed} confirmed, {stats.refuted} refuted, "
        f"{stats.unknown} unknown, in {stats.seconds:.2f} s"
    )
