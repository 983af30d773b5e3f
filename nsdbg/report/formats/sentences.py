"""What several formats say alike of findings: how many, where, and what stands behind them.

Text from outside comes back as it was; each format makes it harmless in its own way, most of them
by `brief`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from nsdbg.claim import Status
from nsdbg.finding import Finding, Findings, Level, Limit, Place, Rule, Suspicion
from nsdbg.report.escape import plain

_WEIGHTS = (Level.ERROR, Level.WARNING, Level.NOTE)
# Where a rule's slug is not what it is counted as.
_NAMES = {
    Rule.NEW_CRASH: ("new crash", "new crashes"),
    Rule.LOGGED_CRASH: ("logged crash", "logged crashes"),
    Rule.RAW_HALLUCINATION: ("limit of raw hallucination not kept",) * 2,
    Rule.RESIDUAL_HALLUCINATION: ("limit of residual hallucination not kept",) * 2,
    Rule.GROWN_BASELINE: ("addition to the baseline", "additions to the baseline"),
    Rule.UNUSED_IGNORE: ("suppression not needed", "suppressions not needed"),
}
# What is told of a limit as a finding too is not counted twice.
ABOUT_LIMITS = (Rule.RAW_HALLUCINATION, Rule.RESIDUAL_HALLUCINATION)
_ABOUT_RUNS = (Rule.NEW_CRASH, Rule.LOGGED_CRASH, Rule.FAILED_TEST)
# The limits stand there, so a finding about one that has no line of its own is shown there.
SETTINGS_FILE = "pyproject.toml"
MOST_IMPORTS = 20


def brief(text: str, limit: int) -> str:
    """Return foreign text as one harmless line of at most `limit` characters.

    What can not be seen in the end is not even looked at: a message may be a megabyte long.
    """
    return plain(text[: limit + 1], limit)


def ordered(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings with the weightiest first, otherwise as they came."""
    return sorted(findings, key=lambda one: _WEIGHTS.index(one.weight))


def counted(number: int, one: str, many: str | None = None) -> str:
    """Return a number with its noun: `1 finding`, `1,200 findings`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def kinds(findings: Iterable[Finding]) -> str:
    """Count findings by rule, in the rules' own order: `2 new crashes, 1 failed test`."""
    counts = Counter(one.rule for one in findings)
    names = {rule: _NAMES.get(rule, (rule.slug.replace("-", " "),)) for rule in counts}
    return ", ".join(counted(counts[rule], *names[rule]) for rule in Rule if counts[rule])


def outcome(found: Findings) -> str:
    """Say in a few words what was found: for titles."""
    told = kinds(found.findings) or "nothing new"
    broken = sum(not limit.kept for limit in found.limits)
    if broken and not any(one.rule in ABOUT_LIMITS for one in found.findings):
        told += f", {counted(broken, 'limit')} not kept"
    return told


def accepted(found: Findings) -> str:
    """Count what the baseline and comments accept; empty where there is nothing."""
    parts = []
    if found.known:
        parts.append(f"{len(found.known):,} known (accepted by the baseline)")
    if found.ignored:
        parts.append(f"{len(found.ignored):,} ignored (by a comment)")
    return ", ".join(parts)


def looked_at(found: Findings) -> str:
    """Count what was run and read; empty where nothing was."""
    parts = []
    if found.examined:
        parts.append(f"{counted(found.examined, 'function')} run")
    if found.logs:
        parts.append(f"{counted(found.logs, 'log')} read")
    return ", ".join(parts)


def summary(found: Findings) -> str:
    """Return the last line of a report."""
    looked = looked_at(found)
    took = f"{found.seconds:.1f} s"
    return f"{outcome(found)}; {looked + ' in ' + took if looked else took}"


def spot(place: Place) -> str:
    """Name a line: `src/rows.py:14`."""
    return f"{place.file}:{line_of(place)}"


def line_of(place: Place) -> int:
    """Return a line number that every format takes: from 1."""
    return max(1, place.lineno)


def anchor(one: Finding) -> Place:
    """Return a place for formats that take no finding without a file."""
    return one.place if one.place is not None else Place(SETTINGS_FILE, 1)


def is_about_runs(one: Finding) -> bool:
    """Whether a finding is about what code does, so that running it could confirm it."""
    return one.rule in _ABOUT_RUNS


def ground(one: Finding) -> str:
    """Say what a finding rests on: runs of our own, or only what was read.

    Empty for findings that are not about a run, but for what they say themselves.
    """
    if not is_about_runs(one):
        return one.evidence
    if one.status is Status.CONFIRMED:
        return f"confirmed: {one.evidence or 'by runs of this code'}"
    read = f"read in {one.origin}, not run here" if one.origin else "read, not run here"
    return f"not confirmed: {one.evidence or read}"


def backing(one: Finding) -> str:
    """Say what stands behind a finding: what it rests on, how often it was seen, whose it is."""
    told = ground(one)
    if not is_about_runs(one):
        return told
    if one.count > 1:
        told = f"{told.removesuffix('.')}; seen {one.count:,} times"
    if one.touched is False:
        told = f"{told.removesuffix('.')}; the change does not touch this line"
    return told


def limit_told(limit: Limit) -> str:
    """Return a measured share against its limit: `raw hallucination 52.3 % (523 of 1,000)...`."""
    name = limit.name.replace("-", " ")
    share = f"{name} {in_percent(limit.measured)} ({limit.count:,} of {limit.of:,})"
    return f"{share}, {'within' if limit.kept else 'above'} the limit of {in_percent(limit.limit)}"


def in_percent(share: float) -> str:
    """Return a share in percent, no digits more than it needs: `0 %`, `52.3 %`, `0.04 %`."""
    return f"{100 * share:.3g} %" if abs(share) < 1 else f"{100 * share:,.0f} %"


def facts(one: Finding) -> Sequence[tuple[str, str]]:
    """Return what was seen, each with its word: `before` and `now`, or what was `raised`.

    Without another version to compare with, nothing that the message says already.
    """
    if one.before is not None:
        return [("before", one.before), *([("now", one.now)] if one.now is not None else [])]
    if one.exception is None:
        return [("now", one.now)] if one.now is not None else []
    first, _, _ = (one.exception_message or "").partition("\n")
    if one.exception in one.message and first in one.message:
        return []
    return [("raised", ": ".join(filter(None, (one.exception, one.exception_message))))]


def pasted(one: Finding) -> tuple[str, ...]:
    """Return what is to be pasted into Python, line by line: imports, then the call, or nothing."""
    return (*one.imports[:MOST_IMPORTS], one.call) if one.call is not None else ()


def details(one: Finding, limit: int) -> Iterator[str]:
    """Yield what a message in plain lines says below its first, each at most so long."""
    for word, text in facts(one):
        yield f"{word}: {brief(text, limit)}"
    if pasted(one):
        yield "see it yourself: " + brief("; ".join(pasted(one)), limit)
    if backing(one):
        yield brief(backing(one), limit)


def elsewhere(one: Finding) -> list[Suspicion]:
    """Return the suspects on other lines than the finding's own."""
    own = None if one.place is None else spot(one.place)
    return [each for each in one.suspects if spot(each.place) != own]


def left_out(number: int, why: str) -> str:
    """Say what was cut: no reader may take a part for the whole."""
    return f"{counted(number, 'more finding')} {'is' if number == 1 else 'are'} left out: {why}"
