"""Findings in GitHub's Markdown: a table, and for each finding its call and path folded away.

Fits a comment on a pull request; what does not fit is cut with a word.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from nsdbg.claim import Status
from nsdbg.finding import Finding, Findings, Rule, Step
from nsdbg.report.formats.lines import Sources, numbered
from nsdbg.report.formats.markup import code, code_element, fence, prose
from nsdbg.report.formats.sentences import (
    accepted,
    backing,
    brief,
    counted,
    facts,
    left_out,
    limit_told,
    looked_at,
    ordered,
    outcome,
    pasted,
    spot,
)
from nsdbg.report.reasons import reason_words

# GitHub takes 65,536 characters for a comment, and bytes are never fewer; who posts it adds some.
COMMENT_BYTES = 65_000
# The words about what is cut.
RESERVED_BYTES = 600
TABLE_SHARE = 0.4
MOST_LIMITS = 10
MOST_NOTES = 10
MOST_STEPS = 20
MOST_TRIED = 5
MOST_SUSPECTS = 5
MOST_VALUES = 6
LONGEST = 300
LONGEST_GROUND = 600
LONGEST_NAME = 150
LONGEST_VALUE = 80
LONGEST_CALL = 1000
LONGEST_LINE = 200


def markdown_text(found: Findings, size_bytes: int = COMMENT_BYTES) -> str:
    """Return the report in at most `size_bytes` of UTF-8, as long as those are 32,000 or more."""
    head = [f"### nsdbg: {outcome(found)}", ""]
    tail = list(_tail(found))
    room = size_bytes - RESERVED_BYTES - _size(head) - _size(tail)
    findings = ordered(found.findings)
    rows = list(_fitting(_rows(findings), int(room * TABLE_SHARE)))
    told = _details(found, findings[: len(rows)], opened=len(findings) == 1)
    details = list(_fitting(told, room - _size(rows)))
    cut = _cut(len(findings), len(rows), len(details), size_bytes)
    if rows:
        rows = ["| level | finding | where |", "|---|---|---|", *rows, ""]
    return "\n".join([*head, *rows, *cut, *details, *tail]).rstrip() + "\n"


def _size(lines: Iterable[str]) -> int:
    return sum(len(line.encode()) + 1 for line in lines)


def _fitting(blocks: Iterable[str], size_bytes: int) -> Iterator[str]:
    """Yield blocks as long as they fit, one after the other."""
    for block in blocks:
        size_bytes -= _size([block])
        if size_bytes < 0:
            return
        yield block


def _cut(number: int, rows: int, details: int, size_bytes: int) -> Iterator[str]:
    why = f"they do not fit in {size_bytes:,} bytes; `--output json=PATH` writes all of them"
    if rows < number:
        yield f"**{left_out(number - rows, why)}.**"
        yield ""
    if details < rows:
        yield f"Details are shown for the first {counted(details, 'finding')} only."
        yield ""


def _rows(findings: Iterable[Finding]) -> Iterator[str]:
    for one in findings:
        told = prose(one.message, LONGEST, _names(one), cell=True)
        where = "" if one.place is None else code(spot(one.place), LONGEST_NAME, cell=True)
        yield f"| {one.weight.value} | {told} | {where} |"


def _names(one: Finding) -> list[str | None]:
    """Return what is code as a whole in a finding's message."""
    names = [one.call, one.exception_message]
    if one.place is not None:
        names += [spot(one.place), one.place.file, one.place.function]
    return names


def _details(found: Findings, findings: Iterable[Finding], opened: bool) -> Iterator[str]:
    """Yield a folded block for each finding; `opened`: not folded."""
    sources = Sources(found)
    details = "<details open>" if opened else "<details>"
    for number, one in enumerate(findings, 1):
        title = code_element(spot(one.place), LONGEST_NAME) if one.place is not None else ""
        body = [
            f"{details}<summary>{number}. {one.rule.title} {title}</summary>",
            "",
            prose(one.message, LONGEST, _names(one)),
            "",
            *_source(one, sources),
            *_call(one),
            *_facts(one),
            *_suspects(one),
            *_path(one.path),
            *_tried(one),
            "</details>",
            "",
        ]
        yield "\n".join(body)


def _source(one: Finding, sources: Sources) -> Iterator[str]:
    lines = sources.around(one.place) if one.place is not None else []
    if lines:
        yield from fence(list(numbered(lines, LONGEST_LINE)), "text")
        yield ""


def _call(one: Finding) -> Iterator[str]:
    if pasted(one):
        yield "See it yourself (this runs the code without the guard):"
        yield ""
        yield from fence([brief(text, LONGEST_CALL) for text in pasted(one)], "python")
        yield ""


def _facts(one: Finding) -> Iterator[str]:
    """Tell what it did before and does now, and what stands behind that."""
    for word, text in facts(one):
        yield f"- {word}: {prose(text, LONGEST, (one.exception_message,))}"
    if backing(one):
        yield f"- {prose(backing(one), LONGEST_GROUND, _names(one))}"
    yield f"- rule {code(one.rule.slug, LONGEST_NAME)}, {code(one.fingerprint, LONGEST_NAME)}"
    yield ""


def _suspects(one: Finding) -> Iterator[str]:
    shown = one.suspects[:MOST_SUSPECTS]
    if not shown:
        return
    yield "| suspected | score | why |"
    yield "|---|---|---|"
    for each in shown:
        where = code(spot(each.place), LONGEST_NAME, cell=True)
        line = f" {code(each.place.text, LONGEST_VALUE, cell=True)}" if each.place.text else ""
        names = (each.place.text, each.place.function)
        why = "; ".join(prose(reason, LONGEST, names, cell=True) for reason in each.reasons[:2])
        yield f"| {where}{line} | {each.score:.2f} | {why} |"
    yield ""


def _path(path: tuple[Step, ...]) -> Iterator[str]:
    """Tell the last states on the way, each with what changed."""
    if not path:
        return
    shown = path[-MOST_STEPS:]
    if len(shown) < len(path):
        yield f"The last {len(shown)} of {counted(len(path), 'state')} on the way:"
        yield ""
    yield "| state at | event | what changed |"
    yield "|---|---|---|"
    for step in shown:
        where = code(spot(step.place), LONGEST_NAME, cell=True)
        event = prose(step.event, LONGEST_NAME, cell=True)
        yield f"| {where} | {event} | {', '.join(_changes(step))} |"
    yield ""


def _changes(step: Step) -> Iterator[str]:
    values = [(name, text) for name, text in step.locals if name in step.changed]
    for name, text in values[:MOST_VALUES]:
        yield code(f"{brief(name, LONGEST_VALUE)} = {text}", LONGEST_VALUE, cell=True)
    if len(values) > MOST_VALUES:
        yield f"{len(values) - MOST_VALUES} more"
    if step.arg is not None:
        yield code(step.arg, LONGEST_VALUE, cell=True)


def _tried(one: Finding) -> Iterator[str]:
    shown = one.tried[:MOST_TRIED]
    if not [each for each in shown if each.call != one.call]:
        return  # nothing that was not said above
    yield "| tried | by | verdict |"
    yield "|---|---|---|"
    for each in shown:
        call = code(each.call, LONGEST_VALUE, cell=True)
        source = code(each.source, LONGEST_VALUE, cell=True)
        why = "" if each.status is Status.CONFIRMED else f": {_reason(each.reason)}"
        yield f"| {call} | {source} | {each.status.value}{why} |"
    if len(one.tried) > len(shown):
        yield f"| {len(one.tried) - len(shown)} more | | |"
    yield ""


def _reason(slug: str) -> str:
    words = reason_words(slug)
    return prose(words.removesuffix(f" ({slug})"), LONGEST_NAME, cell=True)


def _tail(found: Findings) -> Iterator[str]:
    """Tell limits and notes, what is accepted, and how to accept what is new."""
    if found.limits:
        yield "| limit | measured |"
        yield "|---|---|"
        for limit in found.limits[:MOST_LIMITS]:
            kept = "kept" if limit.kept else "**not kept**"
            yield f"| {kept} | {prose(limit_told(limit), LONGEST, (limit.name,), cell=True)} |"
        yield ""
    for note in found.notes[:MOST_NOTES]:
        yield f"- {prose(note, LONGEST)}"
    if len(found.notes) > MOST_NOTES:
        yield f"- {counted(len(found.notes) - MOST_NOTES, 'more note')}"
    if found.notes:
        yield ""
    told = "; ".join(part for part in (accepted(found), looked_at(found)) if part)
    yield f"{told}; {found.seconds:.1f} s." if told else f"{found.seconds:.1f} s."
    own = (Rule.UNUSED_IGNORE, Rule.GROWN_BASELINE)  # about what accepts, and not to be accepted
    crashes = [one.rule for one in found.findings if one.rule not in own]
    if crashes:
        yield ""
        yield (
            f"To accept a finding: `# nsdbg: ignore[{crashes[0].slug}] reason` on its line, or "
            "`nsdbg gate --write-baseline`."
        )
