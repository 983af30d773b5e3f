"""The rules proposer: arguments that lead to a goal, by inverting operations and plain guesses.

Executes nothing of the target.  What the evaluator finds to reach the goal comes first, what it
cannot tell next, and what it finds to miss the goal last.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import islice

from nsdbg.claim import Call, Goal, Middle, Proposal, Verdict
from nsdbg.propose.inversion.cases import Inverses
from nsdbg.propose.inversion.forward import Forward
from nsdbg.propose.inversion.guesses import Guesses
from nsdbg.propose.inversion.plain import Guess
from nsdbg.propose.inversion.previous import Earlier
from nsdbg.rulebook import Rulebook
from nsdbg.source import Subject
from nsdbg.state import Action, ActionKind, Event, Frame, State, Value

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
        self._book = rulebook or Rulebook()
        self._inverses: Inverses | None = None  # read when first needed

    def start(self, goal: Goal, subject: Subject, seed: int) -> RulesSession:
        """Begin on a goal; the seed changes nothing, since nothing here is random."""
        if self._inverses is None:
            self._inverses = Inverses(self._book.inverse)
        return RulesSession(goal, subject, self._inverses, self._book)


class RulesSession:
    """The rules at work on one goal."""

    def __init__(self, goal: Goal, subject: Subject, inverses: Inverses, book: Rulebook) -> None:
        self._goal = goal
        self._forward = Forward(goal, subject)
        self._guesses: Iterator[Guess] = iter(())
        self._earlier: Iterator[Proposal] = iter(())
        self._doubtful: deque[Proposal] = deque()
        self._effort = FIRST_EFFORT
        if subject.node is None:
            return
        made = Guesses(goal, subject, inverses, book)
        if goal.previous:
            self._earlier = (_step(goal, state) for state in made.earlier())
        else:
            self._guesses = made.arguments(plain_first=self._forward.program is not None)

    def ask(self, count: int) -> Sequence[Proposal]:
        """Return proposals, those found to reach the goal at once and before all others."""
        if self._goal.previous:
            return list(islice(self._earlier, count))
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
        if self._forward.nearly:
            self._doubtful.appendleft(_proposal(guess))
        elif len(self._doubtful) < DOUBTFUL:
            self._doubtful.append(_proposal(guess))

    def _last(self, count: int) -> list[Proposal]:
        return [self._doubtful.popleft() for _ in range(min(count, len(self._doubtful)))]

    def tell(self, verdicts: Sequence[Verdict]) -> None:
        """Learn nothing: rules do not change with what became of their proposals."""


def _proposal(guess: Guess) -> Proposal:
    arguments = tuple((name, repr(value)) for name, value in guess.arguments.items())
    return Proposal(Call(arguments), guess.source)


def _step(goal: Goal, earlier: Earlier) -> Proposal:
    site = goal.chain[-1]
    names = tuple((name, _value(value)) for name, value in sorted(earlier.solution.names.items()))
    frame = Frame(site.file, earlier.lineno, site.function, names)
    remaining = tuple((lineno, repr(items)) for lineno, items in earlier.remaining)
    rules = "+".join(dict.fromkeys(earlier.solution.rules)) or "step"
    start = Middle(State(Event.LINE, (frame,)), remaining)
    return Proposal(start, f"rule:{rules}", Action(ActionKind.STEP))


def _value(value: object) -> Value:
    return Value(repr(value), type(value).__name__, literal=True)
