"""One proposal that was asked for, judged, and held against the oracle."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from nsdbg.claim import Reason, Status


class Direction(Enum):
    """Whether what comes after a state was asked for, or what was before it."""

    FORWARD = "forward"
    INVERSE = "inverse"


class Borne(Enum):
    """What the oracle, a plain `bdb` in a fresh interpreter, says of a proposal."""

    OUT = "borne out"
    WRONG = "wrong"
    SILENT = "silent"


@dataclass(frozen=True, slots=True)
class Judged:
    """A proposal with its verdict.

    `program`: the id of the program that it is about, by which intervals are bootstrapped;
    `proposer`: the word of `--proposers`; `source`: `Proposal.source`.
    `action`: a debugger's command, `step` or `next` for one step back as well, and `arguments` for
    the start of a call.  `horizon`: states that the command passes over, 0 for the very next; None
    for arguments.  `fields`: which of `line`, `event`, `locals`, `argument` are those of the
    recorded run, where the question has such a field.  `logp` in nats.
    `oracle` is None for what was not shown as CONFIRMED: of CONFIRMED ones those of the reason
    NOT_REPEATED, which matched in one run, beside an answer that was confirmed in full.
    `aliased`: an equal state of the same run has another successor, as a hidden iterator makes it.
    """

    program: str
    proposer: str
    source: str
    direction: Direction
    action: str
    horizon: int | None
    status: Status
    reason: Reason | None = None
    fields: tuple[tuple[str, bool], ...] = ()
    logp: float | None = None
    oracle: Borne | None = None
    aliased: bool = False
