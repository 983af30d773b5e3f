"""Findings as GitLab's Code Quality report, a subset of Code Climate's.

https://docs.gitlab.com/ci/testing/code_quality: only what is new; GitLab compares the reports of
two branches by fingerprint.
"""

from __future__ import annotations

import hashlib

from nsdbg.finding import Findings, Level
from nsdbg.report.formats.document import json_text
from nsdbg.report.formats.sentences import anchor, brief, line_of, ordered

LONGEST = 500
LONGEST_PATH = 1000

_SEVERITIES = {Level.ERROR: "critical", Level.WARNING: "minor", Level.NOTE: "info"}


def code_quality(found: Findings) -> str:
    """Return the report, one finding a line."""
    seen: dict[str, int] = {}
    issues = []
    for one in ordered(found.findings):
        seen[one.fingerprint] = seen.get(one.fingerprint, 0) + 1
        place = anchor(one)
        issues.append(
            {
                "description": brief(one.message, LONGEST),
                "check_name": f"nsdbg/{one.rule.slug}",
                "fingerprint": _unique(one.fingerprint, seen[one.fingerprint]),
                "severity": _SEVERITIES[one.weight],
                "location": {
                    "path": brief(place.file, LONGEST_PATH).removeprefix("./"),
                    "lines": {"begin": line_of(place)},
                },
            }
        )
    return "[\n" + ",\n".join(json_text(issue) for issue in issues) + "\n]\n" if issues else "[]\n"


def _unique(fingerprint: str, nth: int) -> str:
    """Return a fingerprint of its own for the nth finding of one: GitLab keeps the first only."""
    text = fingerprint if nth == 1 else f"{fingerprint}\x00{nth}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
