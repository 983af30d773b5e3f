"""Findings as JSON: `nsdbg.findings/1`, and the same as one finding a line.

Documented in `docs/schemas.md`.  Text stays as it is, for the reader to escape; only halves of
characters, which no reader of JSON has to take, are spelled out.
"""

from __future__ import annotations

import json
import math
import re

from nsdbg.finding import Finding, Findings, Limit, Place, Step, Suspicion, Tried

Json = dict[str, object]

SCHEMA = "nsdbg.findings/1"

# Escapes as `json` writes them, from left to right, so that `\\ud800` (a backslash and letters) is
# told from `\ud800`; halves that belong together are taken together.
_ESCAPE = re.compile(r"\\(?:u(?P<half>d[89ab][0-9a-f]{2}(?!\\ud[c-f])|d[c-f][0-9a-f]{2})"
                     r"|ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|.)")  # fmt: skip


def json_text(value: object) -> str:
    """Return a value as JSON on one line, in printable ASCII and with nothing a CI log obeys.

    It reads back as it was, but for halves of characters.  Raises ValueError for a number that
    JSON does not have.
    """
    text = json.dumps(value, ensure_ascii=True, allow_nan=False)
    if "\\ud" in text:
        text = _ESCAPE.sub(_spelled, text)
    # DEL is no control character to JSON.  GitHub's runner obeys `##[name]` anywhere in a line, and
    # Azure's `##vso[name]`; both signs stand in texts only, where an escape means the same.
    return text.replace("\x7f", "\\u007f").replace("##", "#\\u0023")


def _spelled(match: re.Match[str]) -> str:
    half = match["half"]
    return match[0] if half is None else f"\\\\u{half}"


def json_document(found: Findings) -> str:
    """Return the document that `--output-format json` prints, on one line."""
    return json_text({"schema": SCHEMA, **_summary(found), **_all_of(found)}) + "\n"


def json_lines(found: Findings) -> str:
    """Return one line for each finding, the new ones first, and a last line with the rest."""
    lines = [
        json_text({"type": "finding", "standing": standing, **finding_json(one)})
        for standing, group in (
            ("new", found.findings), ("known", found.known), ("ignored", found.ignored)
        )
        for one in group
    ]  # fmt: skip
    lines.append(json_text({"type": "summary", "schema": SCHEMA, **_summary(found)}))
    return "\n".join(lines) + "\n"


def _all_of(found: Findings) -> Json:
    return {
        "findings": [finding_json(one) for one in found.findings],
        "known": [finding_json(one) for one in found.known],
        "ignored": [finding_json(one) for one in found.ignored],
    }


def _summary(found: Findings) -> Json:
    return {
        "failed": found.failed,
        "new": len(found.findings),
        "accepted": {"known": len(found.known), "ignored": len(found.ignored)},
        "examined": found.examined,
        "logs": found.logs,
        "seconds": _number(found.seconds),
        "limits": [_limit_json(one) for one in found.limits],
        "notes": list(found.notes),
    }


def finding_json(one: Finding) -> Json:
    """Return a finding; what does not apply is null."""
    return {
        "rule": one.rule.slug,
        "level": one.weight.value,
        "message": one.message,
        "fingerprint": one.fingerprint,
        "place": None if one.place is None else _place_json(one.place),
        "status": one.status.value,
        "origin": one.origin,
        "exception": one.exception,
        "exception_message": one.exception_message,
        "call": one.call,
        "imports": list(one.imports),
        "before": one.before,
        "now": one.now,
        "evidence": one.evidence,
        "count": one.count,
        "touched": one.touched,
        "suspects": [_suspect_json(each) for each in one.suspects],
        "path": [_step_json(each) for each in one.path],
        "tried": [_tried_json(each) for each in one.tried],
    }


def _place_json(place: Place) -> Json:
    return {
        "file": place.file, "lineno": place.lineno,
        "function": place.function, "source": place.text,
    }  # fmt: skip


def _suspect_json(one: Suspicion) -> Json:
    return {**_place_json(one.place), "score": _number(one.score), "reasons": list(one.reasons)}


def _step_json(one: Step) -> Json:
    return {
        **_place_json(one.place), "event": one.event, "locals": dict(one.locals),
        "changed": list(one.changed), "arg": one.arg,
    }  # fmt: skip


def _tried_json(one: Tried) -> Json:
    return {
        "call": one.call, "source": one.source, "status": one.status.value, "reason": one.reason,
        "evidence": one.evidence, "runs": one.runs, "logp": _number(one.logp),
    }  # fmt: skip


def _limit_json(one: Limit) -> Json:
    return {
        "name": one.name, "measured": _number(one.measured), "limit": _number(one.limit),
        "count": one.count, "of": one.of, "kept": one.kept,
    }  # fmt: skip


def _number(value: float | None) -> float | None:
    """Return a number as JSON has it: it knows neither infinity nor what is none."""
    return value if value is not None and math.isfinite(value) else None
