"""Proposals as JSON lines, made by anybody: read and checked, nothing of them run.

The format is documented in docs/schemas-proposals.md.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from nsdbg.claim import Call, Goal, Middle, Proposal, Script, Start
from nsdbg.errors import NsdbgError, ProposalError, UsageError
from nsdbg.source import MODULE, Subject, load_subject
from nsdbg.state import Action, ActionKind
from nsdbg.statefile.fields import Reader
from nsdbg.statefile.goals import goal_from_state, middle_from, state_from
from nsdbg.statefile.states import LARGEST_STATE, StateClaim, claim_from

_FIELDS = (
    "file", "function", "start", "goal", "action", "predicted", "source", "logp",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Submission:
    """One line of a proposals file: what is proposed, for which goal, of which function."""

    lineno: int
    subject: Subject
    goal: Goal
    proposal: Proposal


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A line of a proposals file that is no proposal, and why; `message` names the line."""

    lineno: int
    message: str


def read_proposals(
    lines: Iterable[str], folder: Path, root: Path | None = None
) -> Iterator[Submission | Unreadable]:
    """Yield one Submission a line, or what is wrong with the line.

    `folder` is where relative files are looked for; empty lines are left out.
    """
    for lineno, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield read_proposal(line, lineno, folder, root)
        except NsdbgError as error:
            place = f"line {lineno}"
            text = str(error)
            yield Unreadable(lineno, text if text.startswith(place) else f"{place}: {text}")


def read_proposal(
    line: str, lineno: int, folder: Path, root: Path | None = None
) -> Submission:  # fmt: skip
    """Read one line; raises NsdbgError of the kind that says what is wrong with it."""
    place = f"line {lineno}"
    if len(line) > LARGEST_STATE:
        raise ProposalError(f"{place} is larger than {LARGEST_STATE // 1024**2} MB")
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ProposalError(f"{place} is not JSON: {error}") from error
    reader = Reader(fields, _FIELDS, place, ProposalError)
    subject = _subject(reader, folder, root)
    start = _start(reader, subject)
    word, predicted = reader.text("action"), None
    action = None if word is None else parse_action(word)
    claim = _claim(reader, "goal")
    if (told := _claim(reader, "predicted")) is not None:
        if action is None:
            raise ProposalError(f"{place}: 'predicted' needs the 'action' that leads there")
        predicted = state_from(told, subject, anywhere=True)
    if action is not None and not isinstance(start, Middle):
        raise ProposalError(f"{place}: an 'action' starts from a 'state', not from a call")
    if (wanted := claim or told) is None:
        raise ProposalError(f"{place} claims nothing: it needs a 'goal', or 'predicted'")
    goal = goal_from_state(wanted, subject, previous=action is not None)
    source = reader.text("source") or "file"
    return Submission(
        lineno, subject, goal, Proposal(start, source, action, predicted, _logp(reader))
    )


def _subject(reader: Reader, folder: Path, root: Path | None) -> Subject:
    file, function = reader.text("file"), reader.text("function")
    if file is None or function is None:
        raise ProposalError(f"{reader.place} needs 'file' and 'function'")
    return load_subject(folder / file, function, root)


def _claim(reader: Reader, name: str) -> StateClaim | None:
    if name not in reader.fields:
        return None
    return claim_from(reader.fields[name], f"{reader.place}, {name}")


def _start(reader: Reader, subject: Subject) -> Start:
    place = f"{reader.place}, start"
    kinds = Reader(
        reader.fields.get("start"), ("call", "state", "script", "imports"), place, ProposalError
    )
    given = [kind for kind in ("call", "state", "script") if kind in kinds.fields]
    if len(given) != 1:
        raise ProposalError(f"{place} is one of 'call', 'state', 'script', not {given or 'none'}")
    if given == ["call"]:
        return Call(kinds.pairs("call") or (), kinds.texts("imports"))
    if given == ["state"]:
        claim = claim_from(kinds.fields["state"], f"{place}.state")
        return middle_from(claim, subject)
    script = Reader(kinds.fields["script"], ("argv", "stdin"), f"{place}.script", ProposalError)
    if subject.ref.qualname != MODULE:
        raise ProposalError(f"{place}: a script runs {MODULE}, not {subject.ref.qualname}")
    return Script(script.texts("argv"), script.text("stdin") or "")


def _logp(reader: Reader) -> float | None:
    value = reader.fields.get("logp")
    if value is None:
        return None
    if not isinstance(value, int | float) or isinstance(value, bool) or math.isnan(value):
        raise reader.fail("logp", "a number (nats)")
    return float(value)


def parse_action(text: str) -> Action:
    """Read `step`, `next`, `return`, `until:LINE` or `continue:LINE`; raises UsageError."""
    word, colon, line = text.partition(":")
    try:
        if word not in {kind.value for kind in ActionKind}:
            raise ValueError(f"there is no command {word!r}")
        if colon and not line.isdecimal():
            raise ValueError(f"{line!r} is not a line number")
        return Action(ActionKind(word), int(line) if colon else None)
    except ValueError as error:
        raise UsageError(
            f"action {text!r}: {error}; one of step, next, return, until:LINE, continue:LINE"
        ) from error
