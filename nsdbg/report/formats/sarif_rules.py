"""The kinds of findings as SARIF describes them: what GitHub shows beside an alert."""

from __future__ import annotations

from nsdbg.finding import Level, Rule
from nsdbg.report.formats.document import Json

RULES = tuple(Rule)
INDEX = {rule: place for place, rule in enumerate(RULES)}

# GitHub's words; precision decides whether an alert is shown without being asked for.
_SEVERITIES = {Level.ERROR: "error", Level.WARNING: "warning", Level.NOTE: "recommendation"}
_PRECISIONS = {Rule.LOGGED_CRASH: "high", Rule.FAILED_TEST: "high"}
_ADVICE = {
    Rule.RAW_HALLUCINATION: "The limit is `max-raw-hallucination` in `[tool.nsdbg.gate]`.",
    Rule.RESIDUAL_HALLUCINATION: "The limit is `max-residual` in `[tool.nsdbg.gate]`.",
    Rule.GROWN_BASELINE: "Take the entry out, or run without `--ratchet`.",
    Rule.UNUSED_IGNORE: "Take the comment away.",
}


def reporting_descriptors() -> list[Json]:
    """Return all rules, in an order that stays."""
    return [_descriptor(rule) for rule in RULES]


def _descriptor(rule: Rule) -> Json:
    accept = (
        f"To accept it, write `# nsdbg: ignore[{rule.slug}] reason` on the line, or run "
        "`nsdbg gate --write-baseline`."
    )
    help_text = f"{rule.help_text}\n\n{_ADVICE.get(rule, accept)}"
    return {
        "id": rule.slug,
        "name": "".join(word.capitalize() for word in rule.slug.split("-")),
        "shortDescription": {"text": f"{rule.title}."},
        "fullDescription": {"text": rule.help_text},
        "help": {"text": help_text.replace("`", ""), "markdown": help_text},
        "defaultConfiguration": {"level": rule.level.value},
        "properties": {
            "tags": ["correctness", "nsdbg"],
            "precision": _PRECISIONS.get(rule, "very-high"),
            "problem.severity": _SEVERITIES[rule.level],
        },
    }
