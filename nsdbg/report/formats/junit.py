"""Findings as JUnit XML, which every CI server shows: a test case for each finding and limit.

Only what fails the gate is a failure; what is accepted was skipped.  There is always a case, since
some servers take an empty report for a broken one.
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from nsdbg.finding import Finding, Findings, Level, Limit
from nsdbg.report.formats.sentences import (
    ABOUT_LIMITS,
    backing,
    brief,
    counted,
    facts,
    left_out,
    limit_told,
    line_of,
    ordered,
    pasted,
    spot,
    summary,
)

# GitLab refuses XML with more than 250,000 parts; a case has up to ten.
MOST_CASES = 5000
MOST_NOTES = 1000
LONGEST_NAME = 200
LONGEST = 2000


def junit_xml(found: Findings) -> str:
    """Return the report.  Characters that XML does not have are spelled out."""
    suite = Element("testsuite", name="nsdbg")
    for case in _cases(found):
        suite.append(case)
    counts = {
        "tests": str(len(suite)),
        "failures": str(len(suite.findall("testcase/failure"))),
        "errors": "0",
        "skipped": str(len(suite.findall("testcase/skipped"))),
        "time": f"{found.seconds:.3f}",
    }
    suite.attrib.update(counts)
    notes = [brief(note, LONGEST) for note in found.notes[:MOST_NOTES]]
    SubElement(suite, "system-out").text = _text([*notes, summary(found)])
    suites = Element("testsuites", {"name": "nsdbg", **counts})
    suites.append(suite)
    ElementTree.indent(suites)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ElementTree.tostring(suites, "unicode")}\n'


def _cases(found: Findings) -> Iterator[Element]:
    for limit in found.limits:
        yield _limit(limit)
    twice = ABOUT_LIMITS if any(not limit.kept for limit in found.limits) else ()
    standing = [(one, "") for one in ordered(found.findings) if one.rule not in twice]
    standing += [(one, "accepted by the baseline") for one in found.known]
    standing += [(one, "ignored by a comment") for one in found.ignored]
    for one, why in standing[:MOST_CASES]:
        yield _case(one, why)
    if len(standing) > MOST_CASES:
        text = left_out(len(standing) - MOST_CASES, f"this report takes {MOST_CASES:,}")
        case = Element("testcase", classname="nsdbg", name=text)
        if any(one.weight is Level.ERROR and not why for one, why in standing[MOST_CASES:]):
            SubElement(case, "failure", type="left-out", message=text)
        yield case
    if not found.findings:
        where = f"{counted(found.examined, 'function')} and {counted(found.logs, 'log')}"
        yield Element("testcase", classname="nsdbg", name=f"nothing new in {where}")


def _limit(limit: Limit) -> Element:
    name = brief(limit.name, LONGEST_NAME)
    case = Element("testcase", classname="nsdbg.limit", name=name)
    told = brief(limit_told(limit), LONGEST)
    if limit.kept:
        SubElement(case, "system-out").text = told
    else:
        SubElement(case, "failure", type="limit", message=told)
    return case


def _case(one: Finding, why_skipped: str) -> Element:
    """Return a case; its name has no line number, so that a server knows it again tomorrow."""
    function = one.place.function if one.place is not None else None
    names = [one.place.file if one.place is not None else "", function or "", one.fingerprint]
    case = Element(
        "testcase",
        classname=f"nsdbg.{one.rule.slug}",
        name=brief(" ".join(name for name in names if name) or one.rule.title, LONGEST_NAME),
    )
    if one.place is not None:
        case.set("file", brief(one.place.file, LONGEST))
        case.set("line", str(line_of(one.place)))
    message = brief(one.message, LONGEST)
    if why_skipped:
        SubElement(case, "skipped", message=f"{why_skipped}: {message}")
    elif one.weight is Level.ERROR:
        failure = SubElement(case, "failure", type=one.rule.slug, message=message)
        failure.text = _text(_details(one))
    else:
        SubElement(case, "system-out").text = _text(_details(one))
    return case


def _details(one: Finding) -> Iterator[str]:
    yield brief(one.message, LONGEST)
    if one.place is not None:
        source = f": {one.place.text}" if one.place.text else ""
        yield brief(spot(one.place) + source, LONGEST)
    for statement in pasted(one):
        yield f">>> {brief(statement, LONGEST)}"
    for word, text in facts(one):
        yield f"{word}: {brief(text, LONGEST)}"
    if backing(one):
        yield brief(backing(one), LONGEST)


def _text(lines: Iterator[str] | list[str]) -> str:
    return "\n".join(lines)
