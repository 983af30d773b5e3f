"""The answers of `nsdbg step` and `nsdbg verify`, as text and as JSON."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

from nsdbg.claim import (
    Call,
    Difference,
    Middle,
    Proposal,
    Reason,
    Script,
    Stats,
    Status,
    Verdict,
)
from nsdbg.forward import Foreseen, Judged, differences
from nsdbg.report.escape import plain, redacted
from nsdbg.report.reasons import reason_words
from nsdbg.report.verdict import (
    Json,
    difference_json,
    start_json,
    state_json,
    stats_json,
    verdict_json,
)
from nsdbg.source import Subject, call_text
from nsdbg.state import Event, State
from nsdbg.statefile import Unreadable, state_to_json
from nsdbg.verify.verifier import Followed

STEP_SCHEMA = "nsdbg.step/1"
VERIFY_SCHEMA = "nsdbg.verify/1"
INDENT = "    "
LONGEST = 200


def step_json(followed: Followed, subject: Subject, foreseen: Foreseen | None = None) -> Json:
    """Return the answer of `step`; `next` is a STATE that `step` takes again, null when unknown.

    `foreseen` is told beside it, with what was not so.
    """
    verdict = followed.verdict
    start, seen = verdict.proposal.start, verdict.evidence.observed
    following = None
    if verdict.status is Status.CONFIRMED and seen is not None:
        following = _next_json(seen, followed.remaining)
    assert isinstance(start, Middle)
    answer = _question_json(start, str(verdict.proposal.action), subject)
    answer |= {"next": following, "verdict": verdict_json(verdict)}
    if foreseen is not None:
        wrong = differences(foreseen, followed)
        answer["predicted"] = _foreseen_json(foreseen) | {
            "differences": None if wrong is None else [difference_json(one) for one in wrong]
        }
    return answer


def predicted_json(foreseen: Foreseen, subject: Subject) -> Json:
    """Return the answer of `step --predict`: nothing is known of the next state."""
    return {
        **_question_json(foreseen.start, str(foreseen.action), subject),
        "next": None,
        "verdict": None,
        "predicted": _foreseen_json(foreseen),
    }


def _question_json(start: Middle, action: str, subject: Subject) -> Json:
    return {
        "schema": STEP_SCHEMA,
        "file": subject.ref.file,
        "function": subject.ref.qualname,
        "state": state_json(start.state),
        "action": action,
    }


def _next_json(state: State, remaining: tuple[tuple[int, str], ...]) -> Json:
    following = state_to_json(state)
    if remaining and len(state.stack) == 1:
        following["remaining"] = {str(line): items for line, items in remaining}
    return following


def _foreseen_json(foreseen: Foreseen) -> Json:
    state = foreseen.state
    return {
        "source": foreseen.source,
        "logp": foreseen.logp,
        "checked": False,
        "next": None if state is None else _next_json(state, foreseen.remaining),
    }


def step_text(followed: Followed, foreseen: Foreseen | None = None) -> str:
    """Return what a person reads of a step."""
    verdict = followed.verdict
    start, seen = verdict.proposal.start, verdict.evidence.observed
    assert isinstance(start, Middle)
    lines = [f"{_place(start.state)}, {verdict.proposal.action}:"]
    if verdict.status is Status.CONFIRMED and seen is not None:
        lines += _state_lines(seen)
    lines += _verdict_lines(verdict)
    if foreseen is not None:
        lines += _agreement_lines(foreseen, differences(foreseen, followed))
    return "\n".join(lines)


def predicted_text(foreseen: Foreseen) -> str:
    """Return what a person reads of a prediction, which says that it is one."""
    lines = [f"{_place(foreseen.start.state)}, {foreseen.action}:"]
    if foreseen.state is None:
        lines.append(f"{INDENT}the model {foreseen.source} gives no answer that can be read")
        return "\n".join(lines)
    lines += _state_lines(foreseen.state)
    lines.append(f"{INDENT}unchecked: {foreseen.source} predicts it{_chance(foreseen)}")
    lines.append(f"{INDENT}nothing was run; leave out --predict to have it run and confirmed")
    return "\n".join(lines)


def _chance(foreseen: Foreseen) -> str:
    """Say how likely the model finds its answer; never 100 %, which nobody can promise."""
    if foreseen.logp is None:
        return ""
    chance = min(0.99, math.exp(foreseen.logp))
    return f", at {100 * chance:.0f} % by its own account" if chance >= 0.01 else ", hardly sure"


def _agreement_lines(foreseen: Foreseen, wrong: Sequence[Difference] | None) -> Iterator[str]:
    if foreseen.state is None:
        yield f"{INDENT}the model {foreseen.source} had no answer that can be read"
    elif wrong is None:
        yield f"{INDENT}the model {foreseen.source} expected {_place(foreseen.state)}: unchecked"
    elif not wrong:
        yield f"{INDENT}the model {foreseen.source} expected the same{_chance(foreseen)}"
    else:
        yield f"{INDENT}the model {foreseen.source} expected otherwise{_chance(foreseen)}:"
        for item in wrong[:8]:
            claimed, observed = plain(item.claimed, 80), plain(item.observed, 80)
            yield f"{INDENT}  {plain(item.field)}: expected {claimed}, seen {observed}"


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
        yield f"{INDENT}{verdict.status.value}: {reason_words(verdict.reason.slug)}"
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
    lines.append(_counts_line(results, stats))
    return "\n".join(lines)


def _counts_line(results: Sequence[Judged | Unreadable], stats: Stats) -> str:
    """Count the lines by what became of them; the numbers add up."""
    unreadable = sum(isinstance(result, Unreadable) for result in results)
    return (
        f"{len(results)} {'line' if len(results) == 1 else 'lines'}: {stats.confirmed} confirmed, "
        f"{stats.refuted} refuted, {stats.unknown} unknown, {unreadable} unreadable"
    )


def _start_text(proposal: Proposal, subject: Subject) -> str:
    start = proposal.start
    if isinstance(start, Call):
        return call_text(subject, start)
    if isinstance(start, Script):
        return " ".join(["script", *start.argv])
    return f"{_place(start.state)}, {proposal.action or 'on'}"
