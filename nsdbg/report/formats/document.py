"""Findings as JSON: `nsdbg.findings/1`, and the same as one finding a line.

Documented in `docs/schemas.md`.  Text stays as it is, for the reader to escape; only what is very
long is cut, and halves of characters, which no reader of JSON has to take, are spelled out.
"""

from __future__ import annotations

import json
import math

from nsdbg.finding import Finding, Findings, Limit, Place, Step, Suspicion, Tried

Json = dict[str, object]

SCHEMA = "nsdbg.findings/1"

LONGEST = 65_536  # in characters


def json_text(value: object) -> str:
    """Return a value as JSON on one line, in printable ASCII and with nothing a CI log obeys.

    It reads back as it was, but for halves of characters and very long texts.  Raises ValueError
    for a number that JSON does not have.
    """
    text = json.dumps(_tidy(value), ensure_ascii=True, allow_nan=False)
    # GitHub's runner obeys `##[name]` anywhere in a line, Azure's `##vso[name]`; these signs stand
    # in texts only, where an escape means the same.
    return text.replace("##", "#\\u0023")


def _tidy(value: object) -> object:
    """Return a value with every half of a character spelled out, and long texts cut."""
    if isinstance(value, str):
        shown = value if len(value) <= LONGEST else value[: LONGEST - 3] + "..."
        # UTF-8 has every character, but no halves of them.
        return shown if shown.isascii() else shown.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {_tidy(name): _tidy(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_tidy(one) for one in value]
    return value


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
        "seconds": _number(round(found.seconds, 3)),
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
