"""Findings for a terminal: what, where, how to see it, what it did before; at 80 columns.

For somebody who did not ask for it, at two in the morning: the call to paste stands on a line of
its own, and the last line says it all.  Foreign text passes `plain`; colour is only ever added.
"""

from __future__ import annotations

from collections.abc import Iterator

from nsdbg.claim import Status
from nsdbg.finding import Finding, Findings, Level, Suspicion
from nsdbg.report.columns import WIDTH, cut, wrapped
from nsdbg.report.escape import Paint, unpainted
from nsdbg.report.formats.lines import Sources, numbered
from nsdbg.report.formats.sentences import (
    accepted,
    backing,
    brief,
    elsewhere,
    facts,
    left_out,
    limit_told,
    ordered,
    pasted,
    spot,
    summary,
)

INDENT = "   "
SUSPECTS_SHOWN = 3
# Nobody reads more than a screenful of screenfuls; the other formats hold the rest.
MOST_TOLD = 50
MOST_LISTED = 1000
MOST_NOTES = 20
LONGEST = 500
# A call that is cut can not be pasted, so it is cut much later than a sentence.
LONGEST_CALL = 4000


def findings_text(found: Findings, *, paint: Paint = unpainted, silent: bool = False) -> str:
    """Return the report, every line ended.

    `paint` colours a text in the named style: title, name, good, dim or bad.  With `silent` there
    is no last line and no word on what is accepted where nothing is new: only notes, and limits
    that were not kept; nothing at all where there are none.
    """
    report = _Report(found, paint)
    quiet = silent and not found.findings
    lines = [*report.findings(), *report.limits(quiet), *report.notes()]
    if not quiet:
        if lines:
            lines.append("")
        lines += report.ending()
    return "".join(f"{line.rstrip()}\n" for line in lines)


class _Report:
    def __init__(self, found: Findings, paint: Paint) -> None:
        self.found = found
        self.paint = paint
        self.sources = Sources(found)

    def findings(self) -> Iterator[str]:
        """Tell the first findings in full, the next ones in a line, and count the rest."""
        all_of_them = ordered(self.found.findings)
        for number, one in enumerate(all_of_them[:MOST_TOLD], 1):
            if number > 1:
                yield ""
            yield from self._finding(one, number)
        listed = all_of_them[MOST_TOLD:MOST_LISTED]
        if listed:
            yield ""
            yield self.paint("More, in short", "title")
        for one in listed:
            yield INDENT + _fitted(_in_short(one), WIDTH - len(INDENT))
        rest = len(all_of_them) - MOST_LISTED
        if rest > 0:
            yield INDENT + left_out(rest, "--output json=PATH writes all of them")

    def _finding(self, one: Finding, number: int) -> Iterator[str]:
        style = "bad" if one.weight is Level.ERROR else "title"
        for line in wrapped(brief(one.message, LONGEST), f"{number}. "):
            yield self.paint(line, style)
        yield from self._where(one)
        yield from self._call(one)
        width = max((len(word) for word, _ in facts(one)), default=0)
        for word, text in facts(one):
            yield from wrapped(brief(text, LONGEST), f"{INDENT}{word:<{width}}  ")
        good = "good" if one.status is Status.CONFIRMED else "dim"
        for line in wrapped(brief(backing(one), LONGEST), INDENT) if backing(one) else ():
            yield self.paint(line, good)
        yield from self._suspects(one)

    def _where(self, one: Finding) -> Iterator[str]:
        """Show the line with its neighbours."""
        rule = self.paint(f"[{one.rule.slug}]", "dim")
        if one.place is None:
            yield INDENT + rule
            return
        function = f"  in {brief(one.place.function, 200)}" if one.place.function else ""
        yield f"{INDENT}{self.paint(brief(spot(one.place), 400), 'name')}{function}  {rule}"
        for line in numbered(self.sources.around(one.place), WIDTH):
            yield INDENT + cut(line, WIDTH - len(INDENT))

    def _call(self, one: Finding) -> Iterator[str]:
        """Show the call, not wrapped: wrapped lines can not be pasted."""
        if pasted(one):
            yield f"{INDENT}see it yourself (this runs the code without the guard):"
        for statement in pasted(one):
            yield f"{INDENT}  {brief(statement, LONGEST_CALL)}"

    def _suspects(self, one: Finding) -> Iterator[str]:
        shown = elsewhere(one)[:SUSPECTS_SHOWN]
        if shown:
            yield f"{INDENT}suspects, likely first:"
        for each in shown:
            yield from self._suspect(each)

    def _suspect(self, each: Suspicion) -> Iterator[str]:
        score = self.paint(f"{each.score:.2f}", "dim")
        yield f"{INDENT}  {self.paint(brief(spot(each.place), 400), 'name')}  {score}"
        if each.place.text:
            yield f"{INDENT}      {_fitted(each.place.text, WIDTH - len(INDENT) - 6)}"
        for reason in each.reasons[:1]:
            yield from wrapped(brief(reason, LONGEST), f"{INDENT}    - ")

    def limits(self, quiet: bool) -> Iterator[str]:
        """Tell each limit; with `quiet` only those that were not kept."""
        told = [one for one in self.found.limits if not (quiet and one.kept)]
        if told and self.found.findings:
            yield ""
        for one in told:
            text = brief(limit_told(one), LONGEST)
            for line in wrapped(text, "limit: "):
                yield self.paint(line, "good" if one.kept else "bad")

    def notes(self) -> Iterator[str]:
        """Tell what was skipped or could not be asked."""
        if self.found.notes and (self.found.findings or self.found.limits):
            yield ""
        for note in self.found.notes[:MOST_NOTES]:
            yield from wrapped(brief(note, LONGEST), "note: ")
        rest = len(self.found.notes) - MOST_NOTES
        if rest > 0:
            yield f"note: and {rest} more"

    def ending(self) -> Iterator[str]:
        """Say it all in a line or two."""
        also = accepted(self.found)
        for line in wrapped(also, "") if also else ():
            yield self.paint(line, "dim")
        if any(one.call is not None for one in self.found.findings):
            rules = {one.rule.slug for one in self.found.findings}
            rule = rules.pop() if len(rules) == 1 else "RULE"
            hint = f"to accept a finding, write on its line: # nsdbg: ignore[{rule}] why"
            yield self.paint(hint, "dim")
        bad = self.found.failed or not all(limit.kept for limit in self.found.limits)
        style = "bad" if bad else "title" if self.found.findings else "good"
        for line in wrapped(summary(self.found), ""):
            yield self.paint(line, style)


def _in_short(one: Finding) -> str:
    """Return a finding on one line; the place stands first only where the message lacks it."""
    if one.place is None or spot(one.place) in one.message:
        return one.message
    return f"{spot(one.place)}: {one.message}"


def _fitted(text: str, columns: int) -> str:
    return cut(brief(text, columns), columns)
