"""What was tried for a crash, as a finding lists it: each start with its verdict, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from nsdbg.claim import Call, Script, Start, Verdict
from nsdbg.finding import Tried
from nsdbg.reproduce import Attempt, Level, Outcome
from nsdbg.source import call_text

MOST_TRIED = 40
LONGEST = 300
MOST_DIFFERENCES = 2


def tried_of(
    outcome: Outcome, hide: Callable[[str], str], hide_in_call: Callable[[str], str]
) -> tuple[Tried, ...]:
    """Return the attempts that were kept, the best one first; at most MOST_TRIED.

    `hide` leaves secrets out of a text, `hide_in_call` out of Python.  Every way in gets its share
    of the places.
    """
    found = sorted(outcome.reproductions, key=lambda one: one is not outcome.best)
    confirmed = [Attempt(one.level, one.verdict) for one in found]
    known = {(one.level.goal, one.verdict.proposal.start) for one in confirmed}
    others: dict[object, list[Attempt]] = {}
    for one in outcome.tried:
        if (one.level.goal, one.verdict.proposal.start) not in known:
            others.setdefault(one.level.goal, []).append(one)
    chosen = [*confirmed, *_shared(list(others.values()))]
    return tuple(_tried(one, hide, hide_in_call) for one in chosen[:MOST_TRIED])


def _shared(ways: list[list[Attempt]]) -> list[Attempt]:
    """Return the attempts way by way; what one does not need of its share is for the others."""
    room, kept = MOST_TRIED, []
    for left, way in zip(range(len(ways), 0, -1), sorted(ways, key=len), strict=True):
        share = way[: room // left]
        room -= len(share)
        kept.append((ways.index(way), share))
    return [one for _, share in sorted(kept, key=lambda item: item[0]) for one in share]


def _tried(one: Attempt, hide: Callable[[str], str], hide_in_call: Callable[[str], str]) -> Tried:
    verdict, proposal = one.verdict, one.verdict.proposal
    seen = "; ".join(_seen(verdict))
    return Tried(
        _cut(hide_in_call(told_call(one.level, proposal.start))),
        proposal.source, verdict.status, verdict.reason.slug, _cut(hide(seen)),
        verdict.evidence.runs, proposal.logp,
    )  # fmt: skip


def told_call(level: Level, start: Start) -> str:
    """Return a start for a person to read: a call, or a script with what it was given."""
    ref = level.subject.ref
    if isinstance(start, Call):
        try:
            return call_text(level.subject, start)
        except (SyntaxError, ValueError, MemoryError, RecursionError):
            given = ", ".join(f"{name}={text}" for name, text in start.arguments)
            return f"{ref.qualname}({given})"  # a proposal may be no Python at all
    if isinstance(start, Script):
        stdin = f" with standard input {start.stdin!r}" if start.stdin else ""
        return " ".join([ref.file.rpartition("/")[2], *start.argv]) + stdin
    return f"{ref.qualname} from line {start.state.frame.lineno}"


def _seen(verdict: Verdict) -> Iterator[str]:
    """Yield what the run showed."""
    evidence = verdict.evidence
    if evidence.blocked:
        yield f"the guard refused {', '.join(evidence.blocked[:2])}"
    if evidence.raised is not None:
        raised = evidence.raised
        at = f" on line {raised.sites[-1].lineno}" if raised.sites else ""
        yield f"raised {raised.type}{f': {raised.message}' if raised.message else ''}{at}"
    elif evidence.value is not None:
        yield f"returned {evidence.value.repr}"
    elif evidence.detail:
        yield evidence.detail
    if evidence.raised is None:
        for item in verdict.differences[:MOST_DIFFERENCES]:
            yield f"{item.field}: wanted {item.claimed}, was {item.observed}"


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."
