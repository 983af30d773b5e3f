"""The ranking: clues about lines, added up into suspects.

The chance that a line is at fault is 1 minus the product of what each kind of evidence leaves
(noisy-or): kinds are taken as independent, and within one kind only the strongest clue counts, so
that ten ways of reading one assignment do not add up to ten reasons.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import prod

from nsdbg.localize.clue import Clue, Kind


@dataclass(frozen=True, slots=True)
class Suspect:
    """A line under suspicion.

    `file` is the file on disk where there is one, else as logged.  `score` is in 0..1 and `clues`
    are the reasons, strongest first, one sentence each.
    """

    file: str
    lineno: int
    score: float
    clues: tuple[Clue, ...]

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds of evidence against the line, strongest first."""
        return tuple(dict.fromkeys(clue.mark.kind for clue in self.clues))


def rank(clues: Iterable[Clue]) -> list[Suspect]:
    """Return the suspected lines, likely first; ties keep the order in which clues came."""
    by_line: dict[tuple[str, int], list[Clue]] = {}
    for clue in clues:
        by_line.setdefault((clue.file, clue.lineno), []).append(clue)
    suspects = [_suspect(*place, found) for place, found in by_line.items()]
    return sorted(suspects, key=lambda one: -one.score)


def _suspect(file: str, lineno: int, clues: list[Clue]) -> Suspect:
    strongest: dict[Kind, float] = {}
    for clue in clues:
        kind = clue.mark.kind
        strongest[kind] = max(strongest.get(kind, 0.0), clue.weight)
    score = 1.0 - prod(1.0 - weight for weight in strongest.values())
    told = {clue.text: clue for clue in sorted(clues, key=lambda one: one.weight)}
    ordered = sorted(told.values(), key=lambda one: -one.weight)
    return Suspect(file, lineno, round(score, 4), tuple(ordered))
