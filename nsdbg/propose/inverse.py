"""The rules proposer: arguments that lead to a goal, by inverting operations and plain guesses.

Executes nothing of the target.  What the evaluator finds to reach the goal comes first, what it
cannot tell next, and what it finds to miss the goal last.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

from nsdbg.claim import Call, Goal, Proposal, Verdict
from nsdbg.propose.inversion.cases import Inverses
from nsdbg.propose.inversion.forward import Forward
from nsdbg.propose.inversion.guesses import guesses
from nsdbg.propose.inversion.plain import Guess
from nsdbg.rulebook import Rulebook
from nsdbg.source import Subject

# Steps of evaluation in one ask, each a turn of a loop of some 10 microseconds; a guess costs
# some besides.
FIRST_EFFORT = 40_000
EFFORT = 20_000
COST = 5
DOUBTFUL = 60  # guesses kept though the evaluator finds that they miss: a search starts from them


class RulesProposer:
    """Proposes by rules; `name` is the word for `--proposers`."""

    name = "rules"

    def __init__(self, rulebook: Rulebook | None = None) -> None:
        """Take the inverse rules of a rulebook, or of the one that came with nsdbg."""
        self._inverses = Inverses((rulebook or Rulebook()).inverse)

    def start(self, goal: Goal, subject: Subject, seed: int) -> RulesSession:
        """Begin on a goal; the seed changes nothing, since nothing here is random."""
        return RulesSession(goal, subject, self._inverses)


class RulesSession:
    """The rules at work on one goal."""

    def __init__(self, goal: Goal, subject: Subject, inverses: Inverses) -> None:
        self._forward = Forward(goal, subject)
        self._guesses: Iterator[Guess] = iter(())
        if subject.node is not None:
            able = self._forward.program is not None
            self._guesses = guesses(goal, subject, inverses, plain_first=able)
        self._doubtful: deque[Proposal] = deque(maxlen=DOUBTFUL)
        self._effort = FIRST_EFFORT

    def ask(self, count: int) -> Sequence[Proposal]:
        """Return proposals, those found to reach the goal at once and before all others."""
        found: list[Proposal] = []
        left, self._effort = self._effort, EFFORT
        while left > 0:
            guess = next(self._guesses, None)
            if guess is None:
                return found or self._last(count)
            agrees = self._forward.agrees(guess.arguments)
            left -= COST + self._forward.spent
            if agrees is False:
                self._put_off(guess)
                continue
            found.append(_proposal(guess))
            if agrees or len(found) >= count:
                break
        return found

    def _put_off(self, guess: Guess) -> None:
        if len(self._doubtful) < DOUBTFUL:
            self._doubtful.append(_proposal(guess))

    def _last(self, count: int) -> list[Proposal]:
        return [self._doubtful.popleft() for _ in range(min(count, len(self._doubtful)))]

    def tell(self, verdicts: Sequence[Verdict]) -> None:
        """Learn nothing: rules do not change with what became of their proposals."""


def _proposal(guess: Guess) -> Proposal:
    arguments = tuple((name, repr(value)) for name, value in guess.arguments.items())
    return Proposal(Call(arguments), guess.source)
