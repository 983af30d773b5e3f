"""The neural proposer: a goal's question to the network, its answers as proposals.

Executes nothing.  The total evaluator puts first what it finds to reach the goal, and last what it
finds to miss it: a network is good at naming, and a run costs more than a guess.
"""

from __future__ import annotations

import ast
import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from nsdbg.claim import Call, Goal, Proposal, Verdict
from nsdbg.propose.codec import arguments, backward
from nsdbg.propose.codec.situation import Situation
from nsdbg.propose.codec.view import View
from nsdbg.propose.evaluate import Unknown, literal
from nsdbg.propose.inverse import receiver_of
from nsdbg.propose.inversion.forward import Forward
from nsdbg.propose.neural import situations
from nsdbg.propose.neural.leads import leads
from nsdbg.propose.neural.model import Model
from nsdbg.propose.neural.sampling import Sample
from nsdbg.source import Subject
from nsdbg.state import Action, ActionKind, Event

LONGEST = 72  # tokens of an answer
# What is drawn in turn: how many answers, and at which temperature.  The sharper, the more of them
# can be read: 85 % at 0.6 and 61 % at 1.0, and more of them right, in a network trained briefly.
# Four rounds took two seconds of somebody's three.
ROUNDS = ((10, 0.6), (16, 0.8))
# Of those that the evaluator finds to miss the goal: a search may climb from them.
MOST_MISSES = 16


class NeuralProposer:
    """Proposes what a network answers; `name` is the word for `--proposers`."""

    name = "neural"

    def __init__(self, model: Model | None = None, patience: int = 0) -> None:
        """Take a model; it is opened when first asked.

        `patience`: so many times a session asked for a call answers nothing, while others try what
        costs less.
        """
        self._model, self._patience = model or Model(), patience

    def start(self, goal: Goal, subject: Subject, seed: int) -> NeuralSession:
        """Begin on a goal."""
        patience = 0 if goal.previous else self._patience
        return NeuralSession(goal, subject, seed, self._model, patience)


class NeuralSession:
    """The network at work on one goal."""

    def __init__(
        self, goal: Goal, subject: Subject, seed: int, model: Model, patience: int = 0
    ) -> None:
        self._model, self._seed, self._patience = model, seed, patience
        self._question: _Arguments | _Earlier | None = None
        if subject.node is not None:
            made = _Earlier if goal.previous else _Arguments
            self._question = made(goal, subject)
        self._rounds = iter(ROUNDS)
        self._waiting: list[tuple[int, int, Proposal]] = []
        self._said: set[object] = set()
        self._misses = 0

    def ask(self, count: int) -> Sequence[Proposal]:
        """Return proposals, those first that the evaluator finds to reach the goal.

        When those drawn are used up it draws one more round: others want their time as well.
        """
        if self._patience > 0:
            self._patience -= 1
            return []
        if len(self._waiting) < count:
            self._draw()
        return [heapq.heappop(self._waiting)[-1] for _ in range(min(count, len(self._waiting)))]

    def _draw(self) -> None:
        """Draw another round of answers, at a higher temperature than the one before."""
        question, engine = self._question, self._model.engine if self._question else None
        chosen = next(self._rounds, None)
        if question is None or engine is None or chosen is None:
            return
        count, temperature = chosen
        for prompt in question.prompts():
            [samples] = engine.sample([prompt], count, self._seed, temperature, LONGEST)
            for found in question.read(samples):
                self._keep(found)

    def _keep(self, found: _Found) -> None:
        proposal = found.proposal(self._model.name)
        key = (proposal.start, proposal.action)
        if key in self._said:
            return
        self._said.add(key)
        rank = {True: 0, None: 1, False: 2}[found.agrees]
        self._misses += rank == 2
        if self._misses <= MOST_MISSES or rank < 2:
            heapq.heappush(self._waiting, (rank, len(self._said), proposal))

    def tell(self, verdicts: Sequence[Verdict]) -> None:
        """Learn nothing: the network's answers do not depend on what became of others."""


@dataclass(frozen=True, slots=True)
class _Found:
    """An answer that could be read: a start, and what the evaluator says of it."""

    start: Proposal
    agrees: bool | None

    def proposal(self, source: str) -> Proposal:
        made = self.start
        return Proposal(made.start, source, made.action, logp=made.logp)


class _Arguments:
    """The question for a call's arguments."""

    def __init__(self, goal: Goal, subject: Subject) -> None:
        self._goal = _asked(goal)
        self._view = View.of_subject(subject)
        self._forward = Forward(goal, subject)
        self._receiver = receiver_of(subject)
        inner = subject.parameters[1 if subject.receiver else 0 :]
        self._names = {one.name: one.argument_name for one in inner}
        self._required = {one.name for one in inner if one.required}

    def prompts(self) -> Iterator[list[int]]:
        """Yield the question."""
        if self._receiver is not None and self._names:
            yield arguments.prompt(self._view, self._goal)

    def read(self, samples: Sequence[Sample]) -> Iterator[_Found]:
        """Yield the answers that fit the function's parameters."""
        for sample in samples:
            given = arguments.read(self._view, self._goal, sample.ids)
            if given is None or not self._fits([name for name, _ in given]):
                continue
            call = Call((*(self._receiver or ()), *self._named(given)))
            yield _Found(Proposal(call, "", logp=sample.logp), self._agrees(given))

    def _fits(self, names: list[str]) -> bool:
        alone = len(names) == len(set(names))
        return alone and self._required <= set(names) <= set(self._names)

    def _named(self, given: tuple[tuple[str, str], ...]) -> Iterator[tuple[str, str]]:
        values = dict(given)
        for name, argument in self._names.items():
            if name in values:
                yield argument, values[name]

    def _agrees(self, given: tuple[tuple[str, str], ...]) -> bool | None:
        try:
            return self._forward.agrees({name: literal(text) for name, text in given})
        except Unknown:
            return None


class _Earlier:
    """The question for the state one step earlier."""

    def __init__(self, goal: Goal, subject: Subject) -> None:
        self._goal = goal
        self._view = View.of_subject(subject)
        self._file = subject.ref.file
        self._later: Situation | None = situations.of_goal(self._view, goal)
        self._own = _lines(subject)

    def prompts(self) -> Iterator[list[int]]:
        """Yield the question."""
        if self._later is not None:
            yield backward.prompt(self._view, self._later, Action(ActionKind.STEP, inverse=True))

    def read(self, samples: Sequence[Sample]) -> Iterator[_Found]:
        """Yield the answers that are states of this function to start from."""
        assert self._later is not None
        for sample in samples:
            earlier = backward.read(self._view, self._later, sample.ids)
            start = earlier and situations.middle(self._view, earlier, self._later)
            if not start or start.state.frame.lineno not in self._own:
                continue
            calls = situations.calls_own(self._view, start.state.frame.lineno, self._file)
            action = Action(ActionKind.NEXT if calls else ActionKind.STEP)
            agrees = leads(self._view, start.state.frame, self._goal)
            yield _Found(Proposal(start, "", action, logp=sample.logp), agrees)


def _asked(goal: Goal) -> Goal:
    """Return a goal as the training puts it: a value is returned from whatever line."""
    if goal.event is not Event.RETURN:
        return goal
    return replace(goal, chain=(*goal.chain[:-1], replace(goal.chain[-1], lineno=None)))


def _lines(subject: Subject) -> range:
    node = subject.node
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return range(0)
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)
