"""A clue: one reason to suspect one line, with the kind of evidence it is and its weight.

Says nothing about how clues are found (pin, slice, spectrum, ...) nor how they add up (rank).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, unique


class Kind(Enum):
    """The kinds of evidence, in the words a report prints before a reason."""

    POSITION = "traceback"
    PIN = "pin"
    SLICE = "data flow"
    CONTROL = "control flow"
    ODDITY = "odd code"
    RULE = "rule"
    REPRODUCTION = "reproduction"
    COUNTERFACTUAL = "counterfactual"
    SPECTRUM = "spectrum"
    HISTORY = "history"
    SURPRISE = "surprise"


@unique
class Mark(Enum):
    """What was found about a line, with the chance that such a line is the faulty one.

    The chances are rounded judgements, ordered by what each finding excludes; their order matters
    and their size hardly does (`bench/localization.py` prints the ranking they lead to).
    """

    # The innermost own line is where a fix goes in about half of all crashes.
    CRASH_LINE = (Kind.POSITION, 0.50)
    # Callers are fixed more rarely the further out they are; rank lowers this per frame.
    CALLER_LINE = (Kind.POSITION, 0.12)
    # A neighbour of the crash line: off-by-one positions of hunks, and a lone `else` or `if`.
    BESIDE_CRASH = (Kind.POSITION, 0.10)
    # The crash line itself computes the failing value: nothing earlier need be wrong.
    COMPUTED_ON_CRASH_LINE = (Kind.PIN, 0.40)
    # The crash line only shows which value was bad, so the pin supports it little.
    PINNED = (Kind.PIN, 0.06)
    # The value was made there and only handed on since.
    ORIGIN = (Kind.SLICE, 0.50)
    # The value may have been made there, among several places.
    POSSIBLE_ORIGIN = (Kind.SLICE, 0.34)
    # The value passed through unchanged, or an ingredient of it was made there.
    PASSED_ON = (Kind.SLICE, 0.16)
    # It had a part in a value that a test found wrong: lowered by how far from the value it is.
    WRONG_VALUE = (Kind.SLICE, 0.44)
    # The bound of the loop is provably, or by all appearance, what lets the index run over.
    LOOP_BOUND = (Kind.CONTROL, 0.62)
    # A branch that leaves the name unbound, or returns without a value, on one of its paths.
    MISSING_PATH = (Kind.CONTROL, 0.60)
    # The `def` that a call does not agree with: a fix changes either of the two.
    SIGNATURE = (Kind.CONTROL, 0.40)
    # A test that decided to come here, and that reads a value which failed.
    GUARD = (Kind.CONTROL, 0.22)
    # The nearest test or loop around the crash line, whatever it reads.
    AROUND = (Kind.CONTROL, 0.07)
    # Code that cannot mean what it says is a mistake for certain; that it is this one's cause is
    # likely when it names a value that failed (rank is told less where it does not).
    ODD_CODE = (Kind.ODDITY, 0.80)
    # What a rule of rules/suspects says of faults of this kind.
    RULE_SUSPECT = (Kind.RULE, 0.15)
    # Another value there, and the crash is gone: seen in a run.
    CRASH_GONE = (Kind.COUNTERFACTUAL, 0.20)
    # One thing there written otherwise, and the test passes: seen in a run.  More telling than a
    # crash that is gone, since the value has to be right then.
    TEST_PASSES = (Kind.COUNTERFACTUAL, 0.66)
    # Failing runs covered it and passing neighbours did not; rank scales this by Ochiai's value.
    ONLY_FAILING = (Kind.SPECTRUM, 0.18)
    # The confirmed reproducer executed it; says little alone, and its absence says much.
    EXECUTED = (Kind.REPRODUCTION, 0.02)
    # Changed, and not committed: what one is working on breaks first.
    UNCOMMITTED = (Kind.HISTORY, 0.15)
    # Changed in the newest commits of the file.
    CHANGED_LATELY = (Kind.HISTORY, 0.06)
    # The network would have expected another value: it is a small one, and often wrong.
    SURPRISING = (Kind.SURPRISE, 0.08)

    def __init__(self, kind: Kind, weight: float) -> None:
        self.kind = kind
        self.weight = weight


@dataclass(frozen=True, slots=True)
class Clue:
    """A finding about a line of a file on disk, told in a sentence for the user.

    `scale` in 0..1 lowers the mark's weight where the finding holds only in part.
    """

    mark: Mark
    file: str
    lineno: int
    text: str
    scale: float = 1.0

    def __post_init__(self) -> None:
        if not 0.0 <= self.scale <= 1.0:
            raise ValueError(f"a clue's scale lies in 0..1, not {self.scale}")

    @property
    def weight(self) -> float:
        """The chance, by this clue alone, that the line is the faulty one."""
        return self.mark.weight * self.scale
