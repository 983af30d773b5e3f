"""How many verifications a network saves on problems that are hard without one.

Compares two benches over the same problems; runs nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from nsdbg.measure.neural.counting import Counts
from nsdbg.measure.tally import Attempt, spread
from nsdbg.report.measured import Number, Quantities, Table

HARD = 20  # verifications; who needs more without the network is hard
SOLVED, HALF, TENTH = "solved", "in at most half", "in at most a tenth"
WITHOUT = "base"


def hard(without: Sequence[Attempt], least: int = HARD) -> list[int]:
    """Return the places of the problems that took more than `least` verifications, or failed."""
    return [
        at for at, one in enumerate(without) if not one.solved or one.executions > least
    ]  # fmt: skip


def savings(
    without: Sequence[Attempt], having: Sequence[Attempt], n: int
) -> list[Table | Quantities]:
    """Return what a network changes on hard problems; the two go together one by one.

    `n` is the number of all problems.  What was not solved without it counts with the
    verifications that were spent on it.
    """
    counts = Counts([SOLVED, HALF, TENTH])
    for before, after in zip(without, having, strict=True):
        counts.add(SOLVED, after.solved)
        counts.add(SOLVED, before.solved, WITHOUT)
        counts.add(HALF, after.solved and 2 * after.executions <= before.executions)
        counts.add(TENTH, after.solved and 10 * after.executions <= before.executions)
    both = [pair for pair in zip(without, having, strict=True)
            if pair[0].solved and pair[1].solved]  # fmt: skip
    about = (
        f"of {n} problems, those that need more than {HARD} verifications without the network or "
        "stay unsolved; base: without it"
    )
    return [
        counts.table("verifications saved", about),
        Quantities(
            "verifications",
            f"medians over the {len(both)} hard problems solved both with and without, and over "
            "all hard ones with what was spent on them",
            (
                Number("without, solved both ways", _median([one for one, _ in both]), ""),
                Number("with, solved both ways", _median([one for _, one in both]), ""),
                Number("without, all hard ones", _median(without), ""),
                Number("with, all hard ones", _median(having), ""),
            ),
        ),
    ]


def _median(attempts: Sequence[Attempt]) -> float | None:
    return spread([one.executions for one in attempts]).median
