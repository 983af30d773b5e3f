"""The inquiry into one crash: its sites, the clues of all its exceptions, and what they mean.

Reads source and rules; runs nothing.  What runs add comes from `dynamic`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from nsdbg.crashlog.report import FrameKind, Link, LoggedException
from nsdbg.errors import SourceError
from nsdbg.localize.clue import Clue, Mark
from nsdbg.localize.locate import LocatedFrame, LocatedReport
from nsdbg.localize.rank import Suspect, rank
from nsdbg.localize.site import CrashSite, Files, caret_columns, crash_site
from nsdbg.localize.static import static_clues
from nsdbg.localize.wrong.callees import WrongValue, only_judging, wrong_value
from nsdbg.localize.wrong.influence import influence_clues

if TYPE_CHECKING:
    from nsdbg.rulebook import Rulebook

# An exception of the chain that only followed from another one, or went before it.
SECONDARY = 0.5
PER_FRAME = 0.7


@dataclass(frozen=True, slots=True)
class Inquiry:
    """What reading tells of a crash.

    `primary` is the site of the exception a user needs first, None when no own line of it could
    be read; `clues` are of all its exceptions; `meaning` is a rule's reading of the message.
    `wrong` tells which functions gave a value that an assertion found wrong.
    """

    located: LocatedReport
    primary: CrashSite | None
    clues: tuple[Clue, ...]
    meaning: str | None = None
    wrong: WrongValue | None = None

    @property
    def suspects(self) -> list[Suspect]:
        """The lines under suspicion, by what reading tells."""
        return rank(self.clues)


def inquire(located: LocatedReport, rulebook: Rulebook | None = None) -> Inquiry:
    """Collect what reading tells of a crash."""
    files = Files()
    clues: list[Clue] = []
    primary: CrashSite | None = None
    wrong: WrongValue | None = None
    for raised, frames, place, scale in exceptions_by_need(located):
        site = crash_site(raised, frames, files)
        if site is not None:
            found = static_clues(site, rulebook)
            judged = wrong_value(site)
            if judged is not None:
                found = [*only_judging(judged, found), *influence_clues(judged.callees)]
            if primary is None:
                primary, wrong = site, judged
        else:
            found = list(_unread(frames))
        found += _misplaced(place)
        clues += [replace(one, scale=one.scale * scale) for one in found]
    meaning = _meaning(located, primary, rulebook) if rulebook is not None else None
    return Inquiry(located, primary, tuple(clues), meaning, wrong)


Entry = tuple[LoggedException, tuple[LocatedFrame, ...], LocatedFrame | None, float]


def exceptions_by_need(located: LocatedReport) -> list[Entry]:
    """Return a crash's exceptions, the one a user needs first at the head, with their weights.

    That is the cause of `raise … from`, the members of a group, an exception of a remote process;
    else the final one, since one raised while another was handled is a mistake of the handler.
    """
    chain, places = located.report.chain, located.places or (None,) * len(located.chain)
    entries: list[Entry] = [
        (raised, frames, place, SECONDARY)
        for raised, frames, place in zip(chain, located.chain, places, strict=True)
    ]
    first = len(entries) - 1
    while first > 0 and chain[first].link is Link.CAUSE:
        first -= 1
    related: list[Entry] = [(raised, frames, None, 1.0) for raised, frames in located.related]
    head = entries.pop(first)
    if related:
        return [*related, head, *reversed(entries)]
    return [(*head[:3], 1.0), *reversed(entries)]


def _unread(frames: tuple[LocatedFrame, ...]) -> Iterator[Clue]:
    """Rank frames that nobody could read by their position, own ones before libraries'."""
    own = [one for one in frames if one.kind is FrameKind.USER] or list(frames)
    for distance, frame in enumerate(reversed(own)):
        file = str(frame.source_path or frame.logged.file)
        if distance == 0:
            known = frame.kind is FrameKind.USER
            text = "the innermost line of your own code" if known else "the line that raised"
            yield Clue(Mark.CRASH_LINE, file, frame.lineno, text)
        else:
            text = "called on the way to the crash"
            yield Clue(Mark.CALLER_LINE, file, frame.lineno, text, PER_FRAME ** (distance - 1))


def _misplaced(place: LocatedFrame | None) -> Iterator[Clue]:
    """Yield the line that a SyntaxError names, and the one above it: what is not closed there."""
    if place is None:
        return
    file = str(place.source_path or place.logged.file)
    yield Clue(Mark.CRASH_LINE, file, place.lineno, "Python stopped reading here")
    yield Clue(Mark.COMPUTED_ON_CRASH_LINE, file, place.lineno, "this does not parse")
    if place.lineno > 1:
        text = "something may be left open on the line above"
        yield Clue(Mark.BESIDE_CRASH, file, place.lineno - 1, text)


def _meaning(located: LocatedReport, site: CrashSite | None, rulebook: Rulebook) -> str | None:
    """Return a rule's sentence: about the pinned part where one fits, else about the message."""
    raised = site.raised if site is not None else located.report.root_cause
    if not raised.exception:
        return None
    explanations = rulebook.explain(raised.exception, raised.message or "")
    for explanation in explanations if site is not None and not site.below else ():
        assert site is not None
        for columns in _columns(site):
            bound = rulebook.bind(
                explanation, site.spot.statement, columns, site.frame.lineno if columns else None
            )
            if bound:
                return bound[0].sentence
    return explanations[0].sentence if explanations else None


def _columns(site: CrashSite) -> Iterator[tuple[int, int] | None]:
    """Yield where a sentence may find what it is about: under the carets, else where it is pinned.

    Without carets several parts of a line may fit a message, and the pin has chosen one.
    """
    carets = caret_columns(site.frame, site.spot)
    one = site.pin
    if carets is None and one is not None and one.lineno == one.end_lineno == site.frame.lineno:
        yield one.column, one.end_column
    yield carets


def parse_problem(frame: LocatedFrame) -> str | None:
    """Say why a frame's file could not be read, None when it could."""
    if frame.source_path is None:
        return frame.detail or f"{frame.logged.file} was not found below the source root"
    try:
        from nsdbg.source import parse_source

        parse_source(frame.source_path)
    except SourceError as error:
        return str(error)
    return None
