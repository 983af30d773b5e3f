"""How often answers were made up, as markdown for a pull request: one table, the rest folded."""

from __future__ import annotations

from collections.abc import Iterator

from nsdbg.report.escape import plain_lines
from nsdbg.report.formats.markup import code, code_element, fence, prose
from nsdbg.report.hallucination import (
    MOST_WRONG,
    between,
    group_name,
    grouped,
    hits_of,
    percent,
    reliability_sentence,
    summary,
)
from nsdbg.report.rated import Measurement, Rate, Section, Smallest
from nsdbg.report.reasons import reason_words

LONGEST = 1000
LONGEST_NAME = 80


def hallucination_markdown(found: Measurement) -> str:
    """Return the report; foreign text in it is neither markup nor a mention of anybody."""
    return "\n".join(_lines(found)) + "\n"


def _lines(found: Measurement) -> Iterator[str]:
    rates = found.rates
    yield "### nsdbg: how often is an answer made up?"
    yield ""
    yield ("Stopped early. " if found.stopped else "") + _text(
        summary(rates), *map(str, (one.proposer for one in rates.by_proposer))
    )
    yield ""
    if rates.proposals:
        yield "| proposer | wrong without nsdbg (raw) | wrong though CONFIRMED (residual) | open |"
        yield "|---|---|---|---|"
        for one in rates.by_proposer:
            cells = (one.whole.raw, one.residual, one.whole.unknown)
            yield f"| {_in_cell(str(one.proposer))} | {' | '.join(map(_cell, cells))} |"
        yield ""
    for wrong in found.wrong[:MOST_WRONG]:
        yield from _folded("Shown as CONFIRMED, yet wrong", _smallest(wrong))
    if found.smallest is not None:
        yield from _folded("The smallest hallucination", _smallest(found.smallest))
    for one in rates.by_proposer:
        name = code_element(str(one.proposer), LONGEST_NAME)
        yield from _folded(f"{name} in detail", _details(one))
    told = [f"{_text(name)}: {_text(what)}" for name, what in found.told]
    told += [f"{_text(name)} {_text(version)}" for name, version in found.versions]
    of = f"{rates.proposals:,} answers about {rates.programs:,} programs"
    yield "; ".join([of, f"seed {rates.seed}", *told]) + "."
    yield (
        "In brackets: 95 %, allowing for answers about one program being right or wrong together "
        "(of few programs, as if they were not). Open: neither confirmed nor refuted, and in no "
        "other rate."
    )


def _cell(rate: Rate) -> str:
    if not rate.n:
        return "-"
    interval = between(rate.by_program or rate.interval)
    return f"**{percent(rate.share)} %**, {hits_of(rate)} ({interval})"


def _folded(title: str, lines: Iterator[str]) -> Iterator[str]:
    yield f"<details><summary>{title}</summary>"
    yield ""
    yield from lines
    yield ""
    yield "</details>"
    yield ""


def _smallest(one: Smallest) -> Iterator[str]:
    yield from fence(plain_lines(one.program), "python")
    yield ""
    by = f" by {_text(one.proposer)}" if one.proposer else ""
    yield f"- called: {code(one.call, LONGEST)}"
    yield f"- asked: {_text(one.question)}"
    yield f"- claimed{by}: {code(one.claim, LONGEST)}"
    yield f"- really: {code(one.really, LONGEST)}"


def _details(section: Section) -> Iterator[str]:
    yield "| wrong by | | |"
    yield "|---|---|---|"
    for name, groups in grouped(section):
        for group in groups:
            yield f"| {name} | {_in_cell(group_name(group))} | {_cell(group.raw)} |"
    for name, rate in section.fields:
        yield f"| field that is wrong | {_in_cell(name)} | {_cell(rate)} |"
    yield f"| apart | aliased states | {_cell(section.aliased.raw)} |"
    for what, reasons in (("wrong", section.wrong), ("open", section.undecided)):
        if reasons:
            told = "; ".join(f"{_text(reason_words(slug))}, {count:,}" for slug, count in reasons)
            yield ""
            yield f"Why {what}: {told}."
    if section.reliability is not None:
        yield ""
        yield reliability_sentence(section.reliability)


def _text(text: str, *names: str) -> str:
    return prose(text, LONGEST, names)


def _in_cell(name: str) -> str:
    return prose(name, LONGEST_NAME, cell=True)
