"""Findings as SARIF 2.1.0, in the part of it that GitHub's code scanning takes.

Written for GitHub, which rejects a file with a result that has no place, counts what it shows, and
opens an alert for a result that is suppressed: what the baseline or a comment accepts is left out,
but for `sarif_with_accepted`, for viewers that know suppressions.

There is no `automationDetails`: with one of ours, GitHub's upload action could not tell two jobs of
a matrix apart, and would refuse the second.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import nsdbg
from nsdbg.finding import Finding, Findings
from nsdbg.report.formats.compressed import Compressed
from nsdbg.report.formats.document import Json, json_text
from nsdbg.report.formats.sarif_places import code_flows, linked, location, message, related
from nsdbg.report.formats.sarif_rules import INDEX, reporting_descriptors
from nsdbg.report.formats.sentences import (
    accepted,
    anchor,
    brief,
    counted,
    details,
    elsewhere,
    left_out,
    limit_told,
    ordered,
)

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
# https://docs.github.com/code-security, "SARIF support": 25,000 results are taken, 5,000 are shown.
MOST_RESULTS = 5000
# Of a compressed upload 10 MB are taken.  Paths are the largest part of a result and the first to
# go, so that all results have room.
UPLOAD_BYTES = 9_000_000
PATHS_BYTES = 6_000_000
MOST_NOTES = 100
LONGEST = 1000


def sarif_text(found: Findings) -> str:
    """Return the report for GitHub, one result a line."""
    return _log(found, ((one, {}) for one in ordered(found.findings)), len(found.findings))


def sarif_with_accepted(found: Findings) -> str:
    """Return the report with what is accepted too, as suppressed results."""
    new: Json = {"baselineState": "new"} if found.known else {}
    results = [(one, new) for one in ordered(found.findings)]
    external = {"kind": "external", "justification": "accepted by the baseline"}
    known: Json = {"baselineState": "unchanged", "suppressions": [external]}
    ignored: Json = {"suppressions": [{"kind": "inSource"}]}
    if found.known:
        ignored["baselineState"] = "unchanged"
    results += [(one, known) for one in found.known]
    results += [(one, ignored) for one in found.ignored]
    return _log(found, results, len(results))


def _log(found: Findings, results: Iterable[tuple[Finding, Json]], number: int) -> str:
    written = _Results()
    for one, standing in results:
        if not written.take(one, standing):
            break
    head = json_text({"$schema": SCHEMA, "version": "2.1.0"}).removesuffix("}")
    run = json_text(_run(found, written, number)).removesuffix("}")
    lines = ",\n".join(written.lines)
    return f'{head}, "runs": [\n{run}, "results": [\n{lines}\n]}}\n]}}\n'


class _Results:
    """Results as text, as far as GitHub takes them."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.without_path = 0
        self._paths = True
        self._upload = Compressed()

    def take(self, one: Finding, standing: Json) -> bool:
        """Write one more result; False when there is no room for it."""
        if len(self.lines) >= MOST_RESULTS or self._upload.size_bytes > UPLOAD_BYTES:
            return False
        # What the size is known of grows and shrinks a little; the word about paths stays said.
        self._paths = self._paths and self._upload.size_bytes <= PATHS_BYTES
        self.without_path += bool(one.path) and not self._paths
        self.lines.append(json_text({**_result(one, self._paths), **standing}))
        self._upload.add(self.lines[-1])
        return True


def _result(one: Finding, paths: bool) -> Json:
    fields: Json = {
        "ruleId": one.rule.slug,
        "ruleIndex": INDEX[one.rule],
        "level": one.weight.value,
        "message": message("\n".join(_told(one)), linked(elsewhere(one))),
        "locations": [location(anchor(one))],
        # GitHub's own fingerprint is the hash of a line that its upload action computes.
        "partialFingerprints": {"nsdbgFinding/v1": brief(one.fingerprint, LONGEST)},
        "occurrenceCount": max(1, one.count),
        "properties": _properties(one),
    }
    if elsewhere(one):
        fields["relatedLocations"] = related(elsewhere(one))
    if one.path and paths:
        fields["codeFlows"] = code_flows(one.path)
    return fields


def _told(one: Finding) -> Iterator[str]:
    """Yield the lines of a message; where space is short, GitHub shows the first sentence."""
    yield brief(one.message, LONGEST) or one.rule.title
    yield from details(one, LONGEST)


def _properties(one: Finding) -> Json:
    given = {"origin": one.origin, "exception": one.exception, "call": one.call}
    told = {name: brief(text, LONGEST) for name, text in given.items() if text}
    return {"status": one.status.value, **told}


def _run(found: Findings, written: _Results, number: int) -> Json:
    driver = {
        "name": "nsdbg",
        "version": nsdbg.__version__,
        "semanticVersion": nsdbg.__version__,
        "rules": reporting_descriptors(),
    }
    invocation = {
        "executionSuccessful": True,
        "exitCode": 1 if found.failed else 0,
        "toolExecutionNotifications": list(_notifications(found, written, number)),
    }
    return {
        "tool": {"driver": driver},
        "invocations": [invocation],
        "originalUriBaseIds": {
            "%SRCROOT%": {"description": {"text": "The root of the repository."}}
        },
        "columnKind": "unicodeCodePoints",
    }


def _notifications(found: Findings, written: _Results, number: int) -> Iterator[Json]:
    """Yield what was cut, then limits and notes."""
    left = number - len(written.lines)
    if left:
        why = f"GitHub shows {MOST_RESULTS:,} results and takes 10 MB"
        yield {"level": "warning", "message": message(left_out(left, why))}
    if written.without_path:
        text = f"{counted(written.without_path, 'result')} without a path: GitHub takes 10 MB"
        yield {"level": "warning", "message": message(text)}
    for limit in found.limits:
        level = "note" if limit.kept else "error"
        yield {"level": level, "message": message(brief(limit_told(limit), LONGEST))}
    for note in found.notes[:MOST_NOTES]:
        yield {"level": "note", "message": message(brief(note, LONGEST))}
    if len(found.notes) > MOST_NOTES:
        text = counted(len(found.notes) - MOST_NOTES, "more note")
        yield {"level": "note", "message": message(text)}
    if accepted(found):
        yield {"level": "note", "message": message(accepted(found))}
