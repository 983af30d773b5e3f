"""The rules proposer: arguments that lead to a goal, by inverting operations and plain guesses.

Executes nothing of the target.  What the evaluator finds to reach the goal comes first, what it
cannot tell next, and what it finds to miss the goal last.
"""

from __future__ import annotations

import ast
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
        receiver = receiver_of(subject)
        self._receiver = receiver or ()
        self._said: set[object] = set()
        if subject.node is None or receiver is None:
            return
        made = Guesses(goal, subject, inverses, book)
        if goal.previous:
            self._earlier = (_step(goal, state) for state in made.earlier())
        else:
            self._guesses = made.arguments(plain_first=self._forward.program is not None)

    def ask(self, count: int) -> Sequence[Proposal]:
        """Return proposals, those found to reach the goal at once and before all others."""
        if self._goal.previous:
            return list(islice(filter(self._is_new, self._earlier), count))
        found: list[Proposal] = []
        left, self._effort = self._effort, EFFORT
        while left > 0:
            guess = next(self._guesses, None)
            if guess is None:
                return found or self._last(count)
            proposal = self._proposal(guess)
            if not self._is_new(proposal):
                left -= 1
                continue
            agrees = self._forward.agrees(guess.arguments)
            left -= COST + self._forward.spent
            if agrees is False:
                self._put_off(proposal)
                continue
            found.append(proposal)
            if agrees or len(found) >= count:
                break
        return found

    def _proposal(self, guess: Guess) -> Proposal:
        arguments = tuple((name, repr(value)) for name, value in guess.arguments.items())
        return Proposal(Call((*self._receiver, *arguments)), guess.source)

    def _is_new(self, proposal: Proposal) -> bool:
        """Whether nothing of the kind was looked at before; notes that it was now."""
        known = len(self._said)
        self._said.add(proposal.start)
        return len(self._said) > known

    def _put_off(self, proposal: Proposal) -> None:
        if self._forward.nearly:
            self._doubtful.appendleft(proposal)
        elif len(self._doubtful) < DOUBTFUL and not self._forward.endless:
            self._doubtful.append(proposal)

    def _last(self, count: int) -> list[Proposal]:
        return [self._doubtful.popleft() for _ in range(min(count, len(self._doubtful)))]

    def tell(self, verdicts: Sequence[Verdict]) -> None:
        """Learn nothing: rules do not change with what became of their proposals."""


def receiver_of(subject: Subject) -> tuple[tuple[str, str], ...] | None:
    """Return the receiver of a method as an argument; none for functions and class methods.

    None for methods of classes whose instances need arguments: they are left to the search.
    """
    owner = subject.ref.qualname.rpartition(".")[0]
    if not subject.receiver or subject.owner is None:
        return ()
    name = subject.parameters[0].argument_name if subject.parameters else ""
    decorators = subject.node.decorator_list if subject.node else []
    if any(isinstance(item, ast.Name) and item.id == "classmethod" for item in decorators):
        return ()  # bound already when it is looked up
    simple = "<locals>" not in owner and _made_from_nothing(subject.owner)
    return ((name, f"{owner}()"),) if simple else None


def _made_from_nothing(owner: ast.ClassDef) -> bool:
    if owner.bases or owner.keywords or owner.decorator_list:
        return False
    return all(
        len(node.args.args) - len(node.args.defaults) <= 1
        for node in owner.body
        if isinstance(node, ast.FunctionDef) and node.name in ("__init__", "__new__")
    )


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
