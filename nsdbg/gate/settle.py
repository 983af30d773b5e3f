"""What the baseline makes of a run's findings: new or known, and what of it is not needed any more.

Matching is `baseline`'s, files are `baseline_file`'s; this is when which of them is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from nsdbg.errors import BaselineError
from nsdbg.finding import Finding
from nsdbg.gate.baseline import ACCEPTABLE, Accepted, Baseline
from nsdbg.gate.baseline_file import read_baseline, write_baseline
from nsdbg.report.formats.sentences import counted

MOST_NAMED = 20  # stale entries that are told one by one


@dataclass(frozen=True, slots=True)
class Book:
    """Which baseline counts, and what may be done to it.

    `required`: it was named, so it has to be there unless it is written.  `ratchet`: it may only
    shrink; what is new fails, and with `write` what is stale is taken out.
    """

    path: Path
    required: bool = False
    write: bool = False
    ratchet: bool = False

    def read(self) -> Baseline | None:
        """Return what is accepted, None where there is no baseline; raises BaselineError."""
        found = read_baseline(self.path)
        if found is None and (self.ratchet or (self.required and not self.write)):
            raise BaselineError(
                f"there is no baseline {self.path}; nsdbg gate --write-baseline makes one"
            )
        return found


@dataclass(frozen=True, slots=True)
class Settled:
    """The findings, told apart, and what there is to say of the baseline."""

    new: tuple[Finding, ...]
    known: tuple[Finding, ...]
    notes: tuple[str, ...] = ()


def settle(
    book: Book, before: Baseline | None, findings: Sequence[Finding],
    asked: Callable[[Accepted], bool],
) -> Settled:  # fmt: skip
    """Tell new findings from known ones, and write the baseline where that is wanted.

    `before` is what was read when the run began; what is written rests on what the file holds at
    that moment, so that a job which wrote it meanwhile loses nothing.
    Raises BaselineError when it cannot be written.
    """
    name = book.path.name
    if book.write and book.ratchet:
        gone: list[Accepted] = []

        def shrink(now: Baseline) -> Baseline:
            gone[:] = now.stale(findings, asked)
            return now.without(gone)

        after = write_baseline(book.path, shrink)
        notes = [f"{name}: took out {one.shown}" for one in gone[:MOST_NAMED]]
        if len(gone) > MOST_NAMED:
            notes.append(f"{name}: took out {len(gone) - MOST_NAMED} more")
    elif book.write:
        after = write_baseline(book.path, lambda now: now.with_all(findings))
        here = sum(one.rule in ACCEPTABLE for one in findings)
        held = sum(one.count for one in after.entries)
        notes = [f"{name} accepts {counted(held, 'finding')} now, {here} of this run"]
    else:
        after = before or Baseline()
        notes = list(_stale(name, after.stale(findings, asked))) if book.ratchet else []
    new, known = after.split(findings)
    return Settled(tuple(new), tuple(known), tuple(notes))


def _stale(name: str, stale: Sequence[Accepted]) -> Iterator[str]:
    for one in stale[:MOST_NAMED]:
        yield f"{name}: no longer needed, --write-baseline takes it out: {one.shown}"
    if len(stale) > MOST_NAMED:
        yield f"{name}: {len(stale) - MOST_NAMED} more entries are no longer needed"
