"""A confirmed new crash as a finding: message, call to paste, both runs, the way, suspects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from nsdbg.changes.changed import ChangeSet
from nsdbg.claim import Call, Observation, Site, Status
from nsdbg.errors import SourceError
from nsdbg.finding import Finding, Level, Place, Rule, Step, Suspicion, Tried, fingerprint
from nsdbg.reproduce.pasted import expression, statements
from nsdbg.source import function_at, parse_source
from nsdbg.state import Event, State
from nsdbg.triage.expected import Crash, line_at, shown_path
from nsdbg.triage.pair import Pair
from nsdbg.triage.trial import Confirmed

MOST_STEPS = 40
_MOST_SUSPECTS = 5
_LONGEST_CALL, _LONGEST_VALUE = 120, 80
_LONGEST_LOCAL = 200


def finding_of(
    found: Confirmed,
    pair: Pair,
    changes: ChangeSet,
    *,
    recorded: Observation | None = None,
    tried: Sequence[Tried] = (),
    level: Level | None = None,
) -> Finding:
    """Return what there is to say of one new crash; `recorded` is a run with all its states."""
    crash = found.crash
    place = place_of(crash.place, changes)
    call = expression(pair.new, crash.call)
    raised = crash.raised
    before = None if pair.old is None else _returned(found.before)
    return Finding(
        Rule.NEW_CRASH,
        _message(call, crash, place, before, changes),
        fingerprint(Rule.NEW_CRASH, place.file, place.function or "", raised.type, place.text),
        place=place,
        status=Status.CONFIRMED,
        origin="triage",
        exception=raised.type,
        exception_message=raised.message,
        call=call,
        imports=statements(pair.new, crash.call, changes.root),
        before=before,
        now=f"raises {raised.type}: {raised.message}"
        if raised.message
        else f"raises {raised.type}",
        evidence=_evidence(found, pair, changes),
        touched=_is_touched(crash.place, pair, changes),
        suspects=tuple(_suspects(found, pair, changes)),
        path=tuple(steps_of(recorded, changes)) if recorded is not None else (),
        tried=tuple(tried),
        level=level,
    )


def place_of(site: Site, changes: ChangeSet) -> Place:
    """Return a line of the new tree as reports name it."""
    lineno = site.lineno or 0
    try:
        function = function_at(parse_source(Path(site.file))[1], lineno)
    except SourceError:
        function = site.function
    return Place(shown_path(site.file, changes), lineno, line_at(site.file, lineno), function)


def _message(call: str, crash: Crash, place: Place, before: str | None, changes: ChangeSet) -> str:
    shown = call if len(call) <= _LONGEST_CALL else call[:_LONGEST_CALL] + "..."
    where = f"{crash.raised.type} at {Path(place.file).name}:{place.lineno}"
    if before is None:
        return f"`{shown}` raises {where}; the function is new"
    return f"`{shown}` now raises {where}; {when(changes)} it {before}"


def when(changes: ChangeSet) -> str:
    """Return when it was otherwise, for a sentence."""
    return (
        "before this commit"
        if changes.new_name == "the staged version"
        else (f"in {changes.old_name}")
    )


def _returned(before: Observation | None) -> str:
    if before is None or before.value is None:
        return "returned"
    text = before.value.repr
    return f"returned {text if len(text) <= _LONGEST_VALUE else text[:_LONGEST_VALUE] + '...'}"


def _evidence(found: Confirmed, pair: Pair, changes: ChangeSet) -> str:
    evidence = found.verdict.evidence
    now = f"raised in {evidence.runs} fresh runs of {changes.new_name}"
    before = "" if pair.old is None else f"returned in 2 fresh runs of {changes.old_name}, "
    return f"{before}{now}, on Python {evidence.python}"


def _is_touched(site: Site, pair: Pair, changes: ChangeSet) -> bool:
    same = site.file == pair.new.ref.file and site.lineno in pair.lines
    return same or changes.touches(shown_path(site.file, changes), site.lineno or 0)


def _suspects(found: Confirmed, pair: Pair, changes: ChangeSet) -> Iterator[Suspicion]:
    """Yield the touched lines on the way, the nearest to the crash first, and the crash's own."""
    crash = found.crash
    way = [*found.verdict.evidence.path, *crash.own]
    lines = dict.fromkeys(
        (site.file, site.lineno) for site in way[::-1] if _is_touched(site, pair, changes)
    )
    own = (crash.place.file, crash.place.lineno)
    if own not in lines:
        reason = f"{crash.raised.type} is raised here, on a line that the change leaves as it was"
        yield Suspicion(place_of(crash.place, changes), 0.5, (reason,))
    for rank, (file, lineno) in enumerate(list(lines)[:_MOST_SUSPECTS]):
        site = next(one for one in way if (one.file, one.lineno) == (file, lineno))
        reasons = ["the change touches it, and the call goes through it"]
        if (file, lineno) == own:
            reasons.insert(0, f"{crash.raised.type} is raised here")
        yield Suspicion(place_of(site, changes), round(0.9 - 0.1 * rank, 2), tuple(reasons))


def steps_of(run: Observation, changes: ChangeSet) -> Iterator[Step]:
    """Yield the states of a recorded run: all of a short one, of a long one its two ends.

    What comes after the last exception only unwinds: a comprehension's line once more since 3.12.
    """
    states = run.trace.states if run.trace is not None else ()
    last = max((at for at, one in enumerate(states) if one.event is Event.EXCEPTION), default=-1)
    states = states[: last + 1] if last >= 0 else states
    states = tuple(one for one in states if _is_ours(one, changes) and not _is_left(one))
    if len(states) > MOST_STEPS:
        states = states[: MOST_STEPS // 4] + states[-(MOST_STEPS - MOST_STEPS // 4) :]
    former: dict[tuple[str, str], dict[str, str]] = {}
    for state in states:
        frame = state.frame
        bound = {name: _short(value.repr) for name, value in frame.locals or ()}
        key = (frame.file, frame.function)
        known = former.get(key, {})
        changed = tuple(name for name, text in bound.items() if known.get(name) != text)
        former[key] = bound
        place = place_of(Site(frame.file, frame.lineno, frame.function), changes)
        yield Step(place, state.event.value, tuple(bound.items()), changed, _arg(state))


def _is_ours(state: State, changes: ChangeSet) -> bool:
    return Path(state.frame.file).is_relative_to(changes.root.resolve())


def _is_left(state: State) -> bool:
    """Whether an exception leaves a function: bdb has a return without a value there."""
    return state.event is Event.RETURN and state.arg is None


def _arg(state: State) -> str | None:
    if state.arg is None:
        return None
    if state.event is Event.EXCEPTION:
        return _short(f"{state.arg.type}: {state.arg.repr}" if state.arg.repr else state.arg.type)
    return _short(state.arg.repr)


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_LOCAL else text[:_LONGEST_LOCAL] + "..."


def shown_call(pair: Pair, call: Call) -> str:
    """Return a call as text, bounded."""
    return _short(expression(pair.new, call))
