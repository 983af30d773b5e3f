"""The answer of `nsdbg localize` as `nsdbg.localize/1`, and the state it writes for `reverse`.

Documented in `docs/schemas.md`.  Text stays as it is, for the reader to escape; values that look
like secrets are left out.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path

from nsdbg.claim import Call, Script
from nsdbg.localize.account import why_not
from nsdbg.localize.assume import Assumption
from nsdbg.localize.code import FileCode
from nsdbg.localize.examine import PLACEHOLDER, Examination, crash_of
from nsdbg.localize.locate import LocatedFrame, LocatedReport
from nsdbg.localize.rank import Suspect
from nsdbg.localize.site import Files
from nsdbg.report.command import one_line
from nsdbg.report.crash import crash_json, frame_json
from nsdbg.report.escape import is_secret, never, redacted
from nsdbg.report.reading import reading_of
from nsdbg.report.verdict import Json, start_json, stats_json, verdict_json
from nsdbg.report.written import Written
from nsdbg.reproduce import Failure, Reproduction
from nsdbg.reproduce.crash import exception_claim
from nsdbg.reproduce.recorded import classes_in
from nsdbg.rulebook import Rulebook
from nsdbg.source import call_text
from nsdbg.state import Event, Frame, State, Value
from nsdbg.statefile import state_to_json

SCHEMA = "nsdbg.localize/1"


def examinations_json(
    found: Sequence[Examination],
    top: int,
    written: Written | None,
    rulebook: Rulebook | None = None,
    show_secrets: bool = False,
) -> Json:
    """Return the document that `nsdbg localize --output-format json` prints."""
    rules = rulebook or Rulebook()
    return {
        "schema": SCHEMA,
        "crashes": [examination_json(one, top, rules, show_secrets) for one in found],
        "test": None if written is None else {
            "path": str(written.path) if written.path else None, "told": written.told,
        },
    }  # fmt: skip


def examination_json(
    found: Examination, top: int, rulebook: Rulebook, show_secrets: bool = False
) -> Json:
    """Return one crash: what `nsdbg parse` says of it, and what was found out."""
    located = found.inquiry.located
    files = Files()
    crash = crash_json(found.report, reading_of(found, rulebook), show_secrets)
    crash["frames"] = [_frame_json(one, show_secrets) for one in located.frames]
    crash["meaning"] = found.inquiry.meaning
    crash["pin"] = _pin_json(found)
    crash["suspects"] = [_suspect_json(one, located, files) for one in found.suspects[:top]]
    best = found.reproduction
    crash["reproducer"] = reproduction_json(best, found.python) if best else None
    others = found.outcome.reproductions if found.outcome else ()
    crash["reproducers"] = [reproduction_json(one, found.python) for one in others]
    crash["not_reproduced"] = [
        _failure_json(one) for one in (found.outcome.failures if found.outcome else ())
    ]
    crash["assumptions"] = [_assumption_json(one) for one in found.assumptions]
    crash["executed"] = found.outcome is not None
    crash["not_run"] = found.unrun
    return crash


def _frame_json(one: LocatedFrame, show_secrets: bool) -> Json:
    fields = frame_json(one.logged, show_secrets)
    fields["kind"] = one.kind.value
    fields["source_path"] = str(one.source_path) if one.source_path else None
    fields["source_lineno"] = one.lineno if one.source_path else None
    fields["source_function"] = one.function
    fields["source_status"] = one.status.value
    fields["source_detail"] = one.detail
    return fields


def _pin_json(found: Examination) -> Json | None:
    site = found.inquiry.primary
    if site is None or site.pin is None:
        return None
    pin = site.pin
    return {
        "source_path": site.spot.code.path,
        "lineno": pin.lineno, "column": pin.column,
        "end_lineno": pin.end_lineno, "end_column": pin.end_column,
        "text": pin.text, "exact": pin.exact,
        "blames": [{"text": one.text, "role": one.role.name.lower(), "type": one.had_type}
                   for one in pin.blames],
    }  # fmt: skip


def _suspect_json(one: Suspect, located: LocatedReport, files: Files) -> Json:
    path = Path(one.file)
    code = files.code(path) if path.is_file() else None
    return {
        "file": _logged_name(one.file, located),
        "lineno": one.lineno,
        "function": _function_at(code, one.lineno),
        "source_path": one.file if path.is_file() else None,
        "source": code.source(one.lineno) if code else None,
        "score": one.score,
        "reasons": [clue.text for clue in one.clues],
        "evidence": [
            {"kind": clue.mark.kind.value, "weight": round(clue.weight, 4), "text": clue.text}
            for clue in one.clues
        ],
    }


def _function_at(code: FileCode | None, lineno: int) -> str | None:
    return code.qualname_at(lineno) if code is not None else None


def _logged_name(file: str, located: LocatedReport) -> str:
    """Return the name under which the log knows a file, else the path itself."""
    for frames in (*located.chain, *(frames for _, frames in located.related)):
        for frame in frames:
            if frame.source_path is not None and str(frame.source_path) == file:
                return frame.logged.file
    return file


def reproduction_json(one: Reproduction, python: Path | None = None) -> Json:
    """Return a reproduction: the start, how to run it, and the verdict it rests on."""
    start = one.verdict.proposal.start
    subject = one.level.subject
    assert isinstance(start, Call | Script)
    return {
        "file": subject.ref.file,
        "function": subject.ref.qualname,
        "module": subject.ref.module,
        "root": subject.ref.root,
        **start_json(one.verdict.proposal),
        "call": call_text(subject, start) if isinstance(start, Call) else None,
        "command": one_line(one, python=python),
        "frames": one.frames,
        "of": one.of,
        "values_differ": one.values_differ,
        "source": one.verdict.proposal.source,
        "verdict": verdict_json(one.verdict),
    }


def _failure_json(one: Failure) -> Json:
    return {
        "file": one.level.subject.ref.file,
        "function": one.level.subject.ref.qualname,
        "frames": one.level.frames,
        "why": why_not(one),
        "nearest": None if one.nearest is None else {
            **start_json(one.nearest.proposal), "verdict": verdict_json(one.nearest),
        },
        "stats": stats_json(one.stats),
    }  # fmt: skip


def _assumption_json(one: Assumption) -> Json:
    return {
        "file": one.level.subject.ref.file,
        "function": one.level.subject.ref.qualname,
        "lineno": one.lineno,
        "name": one.name,
        "call": one.call,
        "value": redacted(one.name, one.value),
        "source": one.source,
        "logp": one.logp,
        "leads_there": one.leads_there,
        "verdict": verdict_json(one.verdict),
    }


def crash_state(found: Examination, show_secrets: bool = False) -> Json | None:
    """Return the state at the crash as STATE for `nsdbg reverse`; None without an own line.

    The exception in the innermost own frame, with the locals that the log recorded as literals;
    a value that looks like a secret is left out, and free then, but for `show_secrets`.
    """
    crash = crash_of(found.inquiry, is_secret=never if show_secrets else is_secret)
    if isinstance(crash, str):
        return None
    frame = crash.frames[-1]
    values = tuple(
        (name, Value(text, type(ast.literal_eval(text)).__name__, literal=True))
        for name, text in frame.locals
        if text != PLACEHOLDER and not classes_in(text)
    )
    claim = exception_claim(crash.exception, crash.message)
    state = State(
        Event.EXCEPTION,
        (Frame(frame.file, frame.lineno, frame.function, values or None),),
        Value(claim.message or "", claim.type),
    )
    prefix: Json = {"message_prefix": True} if claim.message_prefix else {}
    return {**state_to_json(state), **prefix}
