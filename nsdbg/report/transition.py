"""The answers of `nsdbg step` and `nsdbg verify`, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from nsdbg.claim import Call, Middle, Proposal, Reason, Script, Stats, Status, Verdict
from nsdbg.forward import Judged
from nsdbg.report.escape import plain, redacted
from nsdbg.report.verdict import Json, start_json, state_json, stats_json, verdict_json
from nsdbg.source import Subject, call_text
from nsdbg.state import Event, State
from nsdbg.statefile import Unreadable, state_to_json
from nsdbg.verify.verifier import Followed

STEP_SCHEMA = "nsdbg.step/1"
VERIFY_SCHEMA = "nsdbg.verify/1"
INDENT = "    "
LONGEST = 200


def step_json(followed: Followed, subject: Subject) -> Json:
    """Return the answer of `step`; `next` is a STATE that `step` takes again, null when unknown."""
    verdict = followed.verdict
    start, seen = verdict.proposal.start, verdict.evidence.observed
    following = None
    if verdict.status is Status.CONFIRMED and seen is not None:
        following = state_to_json(seen)
        if followed.remaining and len(seen.stack) == 1:
            following["remaining"] = {str(line): items for line, items in followed.remaining}
    assert isinstance(start, Middle)
    return {
        "schema": STEP_SCHEMA,
        "file": subject.ref.file,
        "function": subject.ref.qualname,
        "state": state_json(start.state),
        "action": str(verdict.proposal.action),
        "next": following,
        "verdict": verdict_json(verdict),
    }


def step_text(verdict: Verdict) -> str:
    """Return what a person reads of a step."""
    start, seen = verdict.proposal.start, verdict.evidence.observed
    assert isinstance(start, Middle)
    lines = [f"{_place(start.state)}, {verdict.proposal.action}:"]
    if verdict.status is Status.CONFIRMED and seen is not None:
        lines += _state_lines(seen)
    lines += _verdict_lines(verdict)
    return "\n".join(lines)


def _place(state: State) -> str:
    frame = state.frame
    words = {
        Event.CALL: "call of",
        Event.LINE: "line",
        Event.RETURN: "return from",
        Event.EXCEPTION: "exception in",
    }
    word = words[state.event]
    if state.event is Event.LINE:
        return plain(f"line {frame.lineno} of {frame.function} ({Path(frame.file).name})")
    return plain(f"{word} {frame.function}, line {frame.lineno} ({Path(frame.file).name})")


def _state_lines(state: State) -> Iterator[str]:
    yield f"-> {_place(state)}"
    if state.event is Event.RETURN and state.arg is not None:
        yield f"{INDENT}returns {plain(state.arg.repr, LONGEST)}"
    if state.event is Event.RETURN and state.arg is None:
        yield f"{INDENT}returns nothing: an exception leaves it"
    if state.event is Event.EXCEPTION and state.arg is not None:
        yield f"{INDENT}{plain(f'{state.arg.type}: {state.arg.repr}', LONGEST)}"
    for name, value in state.frame.locals or ():
        yield f"{INDENT}{plain(name)} = {plain(redacted(name, value.repr), LONGEST)}"
    for line in state.output.splitlines()[:20]:
        yield f"{INDENT}printed: {plain(line, LONGEST)}"


def _verdict_lines(verdict: Verdict) -> Iterator[str]:
    evidence = verdict.evidence
    if verdict.reason is Reason.TRANSITION:
        yield f"{INDENT}transition confirmed, reachability unproven"
        yield f"{INDENT}{evidence.runs} runs on Python {evidence.python} agree"
    elif verdict.status is Status.CONFIRMED:
        yield f"{INDENT}confirmed: {evidence.runs} runs on Python {evidence.python} agree"
    else:
        yield f"{INDENT}{verdict.status.value}: {verdict.reason.slug}"
    if evidence.detail and verdict.status is not Status.CONFIRMED:
        detail = evidence.detail.removeprefix(f"{verdict.reason.slug}: ")
        yield f"{INDENT}{plain(detail, LONGEST)}"
    for item in verdict.differences[:8]:
        claimed, observed = plain(item.claimed, 80), plain(item.observed, 80)
        yield f"{INDENT}{plain(item.field)}: claimed {claimed}, seen {observed}"
    for event in evidence.blocked[:3]:
        yield f"{INDENT}refused {plain(event, LONGEST)} (--allow permits it)"


def verify_json(results: Sequence[Judged | Unreadable], stats: Stats) -> Json:
    """Return the answer of `verify`, one entry a line of the file."""
    return {
        "schema": VERIFY_SCHEMA,
        "proposals": [_result_json(result) for result in results],
        "stats": stats_json(stats),
    }


def _result_json(result: Judged | Unreadable) -> Json:
    if isinstance(result, Unreadable):
        return {"line": result.lineno, "error": result.message}
    ref, proposal = result.submission.subject.ref, result.verdict.proposal
    return {
        "line": result.lineno,
        "file": ref.file,
        "function": ref.qualname,
        "start": start_json(proposal),
        "action": str(proposal.action) if proposal.action else None,
        "source": proposal.source,
        "logp": proposal.logp,
        "verdict": verdict_json(result.verdict),
    }


def verify_text(results: Sequence[Judged | Unreadable], stats: Stats) -> str:
    """Return what a person reads: a paragraph a proposal, and the counts."""
    lines: list[str] = []
    for result in results:
        if isinstance(result, Unreadable):
            lines += [plain(result.message, LONGEST)]
            continue
        ref = result.submission.subject.ref
        start = _start_text(result.verdict.proposal, result.submission.subject)
        lines.append(plain(f"line {result.lineno}: {Path(ref.file).name}: {start}", LONGEST))
        lines += _verdict_lines(result.verdict)
    unreadable = sum(isinstance(result, Unreadable) for result in results)
    lines.append(
        f"{stats.proposed} proposals: {stats.confirmed} confirmed, {stats.refuted} refuted, "
        f"{stats.unknown} unknown; {unreadable} unreadable"
    )
    return "\n".join(lines)


def _start_text(proposal: Proposal, subject: Subject) -> str:
    start = proposal.start
    if isinstance(start, Call):
        return call_text(subject, start)
    if isinstance(start, Script):
        return " ".join(["script", *start.argv])
    return f"{_place(start.state)}, {proposal.action or 'on'}"
