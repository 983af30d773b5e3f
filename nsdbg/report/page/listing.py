"""The source around suspects and the path: lines shaded by score, reasons below, the rest folded.

Shows files as the findings' sources hold them; of a file that is not there it shows the lines that
the finding itself quotes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from nsdbg.finding import Finding, Place, Suspicion
from nsdbg.report.formats.sentences import line_of
from nsdbg.report.page.foreign import attribute, html, sentence
from nsdbg.report.page.highlight import Source

AROUND = 3
# A gap of so few lines is not worth a fold.
LEAST_FOLD = 3
# A longer gap is counted and left out.
LONGEST_FOLD = 60
MOST_FILES = 8
MOST_LINES = 300
SHADES = 10
LONGEST_NAME = 300
LONGEST_REASON = 400


@dataclass(slots=True)
class Marks:
    """What is to be marked in one file: lines under suspicion, lines on the path, quoted text."""

    shown: str
    suspects: dict[int, Suspicion] = field(default_factory=dict)
    path: set[int] = field(default_factory=set)
    raised: dict[int, str] = field(default_factory=dict)
    named: set[int] = field(default_factory=set)
    quoted: dict[int, str] = field(default_factory=dict)

    @property
    def lines(self) -> list[int]:
        """All lines of interest, in order."""
        return sorted({*self.suspects, *self.path, *self.named})


def marks_of(finding: Finding) -> list[Marks]:
    """Return the files that a finding is about, likeliest first."""
    files: dict[str, Marks] = {}

    def of(place: Place) -> Marks:
        found = files.setdefault(place.file, Marks(place.file))
        if place.text:
            found.quoted.setdefault(line_of(place), place.text)
        return found

    if finding.place is not None:
        of(finding.place).named.add(line_of(finding.place))
    for suspect in finding.suspects:
        of(suspect.place).suspects.setdefault(line_of(suspect.place), suspect)
    for step in finding.path:
        of(step.place).path.add(line_of(step.place))
    # After the last exception a recording may go on with the frames that it leaves.
    last = next((step for step in reversed(finding.path) if step.event == "exception"), None)
    if last is not None:
        of(last.place).raised[line_of(last.place)] = last.arg or "an exception"
    return list(files.values())[:MOST_FILES]


class Listing:
    """The files of one finding as HTML; `key` begins the names of its lines."""

    def __init__(self, key: str, marks: list[Marks], sources: Mapping[str, Source]) -> None:
        self._key = key
        self._marks = marks
        self._sources = sources
        self._anchors: dict[tuple[str, int], str] = {}
        self.html = "".join(self._file(place, one) for place, one in enumerate(marks))

    def anchor(self, place: Place) -> str | None:
        """Return the name of a line's element, None where the line is not shown."""
        return self._anchors.get((place.file, line_of(place)))

    def _file(self, number: int, marks: Marks) -> str:
        name = attribute(marks.shown, LONGEST_NAME)
        source = self._sources.get(marks.shown)
        lines = self._from_source(number, marks, source) if source else None
        body = "".join(lines if lines is not None else self._from_quotes(number, marks))
        return (
            f'<figure class="file"><figcaption>{html(marks.shown, LONGEST_NAME)}</figcaption>'
            f'<div class="src" role="group" aria-label="Source of {name}">{body}</div></figure>'
        )

    def _from_quotes(self, number: int, marks: Marks) -> Iterator[str]:
        """Yield the lines that the finding quotes: all there is of a file that is not here."""
        yield '<p class="gap">Only the lines that were quoted are known here</p>'
        for lineno in marks.lines:
            text = html(marks.quoted.get(lineno, ""), 1000)
            yield from self._line(number, marks, lineno, text)

    def _from_source(self, number: int, marks: Marks, source: Source) -> Iterator[str] | None:
        count = len(source.lines)
        wanted = [lineno for lineno in marks.lines if 0 < lineno <= count]
        # A line whose text is another one was moved since: what the finding quotes is shown then.
        quoted = {at: text for at, text in marks.quoted.items() if 0 < at <= count}
        changed = any(source.lines[at - 1].strip() != text for at, text in quoted.items())
        if not wanted or changed or len(wanted) < len(marks.lines):
            return None
        return self._regions(number, marks, source, wanted)

    def _regions(
        self, number: int, marks: Marks, source: Source, wanted: list[int]
    ) -> Iterator[str]:
        after = 1
        for first, last in _regions(source, wanted):
            yield from self._gap(number, marks, source, after, first - 1)
            for lineno in range(first, last + 1):
                yield from self._line(number, marks, lineno, source.line(lineno))
            after = last + 1
        yield from self._gap(number, marks, source, after, len(source.lines))

    def _gap(
        self, number: int, marks: Marks, source: Source, first: int, last: int
    ) -> Iterator[str]:
        count = last - first + 1
        if count <= 0:
            return
        what = f"{count:,} more line{'s' if count > 1 else ''}"
        if count > LONGEST_FOLD:
            yield f'<p class="gap">{what} not shown</p>'
            return
        yield f'<details class="fold"><summary>{what}</summary>'
        for lineno in range(first, last + 1):
            yield from self._line(number, marks, lineno, source.line(lineno))
        yield "</details>"

    def _line(self, number: int, marks: Marks, lineno: int, code: str) -> Iterator[str]:
        suspect = marks.suspects.get(lineno)
        marked = suspect is not None or lineno in marks.path or lineno in marks.named
        if not marked:
            yield f'<div class="ln"><span class="no">{lineno}</span><code>{code}</code></div>'
            return
        anchor = f"{self._key}-{number}-{lineno}"
        self._anchors[marks.shown, lineno] = anchor
        kinds = ["ln", *(["on"] if lineno in marks.path else [])]
        score = ""
        if suspect is not None:
            kinds.append(f"s{_shade(suspect.score)}")
            score = f'<b class="score"><span class="vh">suspicion </span>{suspect.score:.2f}</b>'
        yield (
            f'<div class="{" ".join(kinds)}" id="{anchor}">'
            f'<a class="no" href="#{anchor}" tabindex="-1">{lineno}</a>'
            f"<code>{code}</code>{score}</div>"
        )
        yield from _why(suspect, marks.raised.get(lineno))


def _shade(score: float) -> int:
    return min(SHADES - 1, max(0, int(score * SHADES)))


def _why(suspect: Suspicion | None, raised: str | None) -> Iterator[str]:
    """Yield what is said about a line, below it."""
    told = [f'<li class="raised">{html(raised, LONGEST_REASON)}</li>'] if raised else []
    reasons = suspect.reasons if suspect is not None else ()
    told += [f"<li>{_reason(reason)}</li>" for reason in reasons]
    if told:
        yield f'<ul class="why">{"".join(told)}</ul>'


def _reason(text: str) -> str:
    """Set the kind of evidence, which stands before a colon, apart from what it says."""
    kind, colon, rest = text.partition(": ")
    if not colon or not re.fullmatch(r"[a-z ]{3,16}", kind):
        return sentence(text, LONGEST_REASON)
    return f"<b>{html(kind)}</b> {sentence(rest, LONGEST_REASON)}"


def _regions(source: Source, wanted: list[int]) -> list[tuple[int, int]]:
    """Return the spans of lines to show, at most MOST_LINES of them, joined where they are near."""
    spans: list[tuple[int, int]] = []
    ends = len(source.lines)
    lines = sorted({*wanted, *(_header(source, lineno) for lineno in wanted)})
    for lineno in lines:
        around = AROUND if lineno in wanted else 0
        first, last = max(1, lineno - around), min(ends, lineno + around)
        while first < lineno and not source.lines[first - 1].strip():
            first += 1
        while last > lineno and not source.lines[last - 1].strip():
            last -= 1
        if spans and first <= spans[-1][1] + LEAST_FOLD + 1:
            spans[-1] = (spans[-1][0], max(last, spans[-1][1]))
        else:
            spans.append((first, last))
    return list(_bounded(spans))


def _bounded(spans: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    left = MOST_LINES
    for first, last in spans:
        if left <= 0:
            return
        last = min(last, first + left - 1)
        left -= last - first + 1
        yield first, last


def _header(source: Source, lineno: int) -> int:
    """Return the line of the `def` around a line, the line itself where there is none near."""
    text = source.lines[lineno - 1]
    indent = len(text) - len(text.lstrip())
    for at in range(lineno - 1, max(0, lineno - 200), -1):
        line = source.lines[at - 1]
        own = len(line) - len(line.lstrip())
        if line.strip() and own < indent and re.match(r"\s*(async\s+def|def)\b", line):
            return at
    return lineno
