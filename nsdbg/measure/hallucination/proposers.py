"""Who is asked: proposers, the network's forward answers, and anybody's model as text in, text out.

Asks, and hands the answers to a judge; judges nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from nsdbg.claim import Proposal, Verdict
from nsdbg.errors import UsageError
from nsdbg.measure.hallucination.asking import Question
from nsdbg.measure.hallucination.judged import Direction
from nsdbg.measure.hallucination.prompts import prompt_of, proposal_of
from nsdbg.propose.codec import forward
from nsdbg.propose.codec.seen import UNTOLD
from nsdbg.propose.codec.view import View
from nsdbg.propose.neural.model import Model
from nsdbg.propose.neural.predict import LONGEST
from nsdbg.proposer import Proposer
from nsdbg.state import State

# So many answers to one question of what was before; a search guesses, and needs many.
ANSWERS = 10
SEARCH_ANSWERS = 100
# A search is asked in rounds, since it learns from verdicts.  Others say first what they hold for
# right, and go on to what they hold for wrong: those are asked once.
ROUND = 50
SEARCH = "search"
# A solver works for a while, and answers nothing until then.
_IDLE = 3
_IDLE_OF_A_SOLVER = 12

Judging = Callable[[Sequence[Proposal]], Sequence[Verdict]]
Answering = Callable[[str], str]


class Asker(Protocol):
    """Whoever answers questions.  `name` is the word in the report."""

    name: str

    def takes(self, question: Question) -> bool:
        """Tell whether a question is of a kind that is answered here."""
        ...

    def prepare(self, questions: Sequence[Question], seed: int) -> None:
        """Take the questions about one program, to answer together what is better answered so."""
        ...

    def answer(self, question: Question, seed: int, judge: Judging) -> bool:
        """Give the answers to one of them to a judge; return whether there were any."""
        ...


class Inverse:
    """A proposer, asked for what was before: it is not made for what comes next."""

    def __init__(self, proposer: Proposer, answers: int | None = None) -> None:
        self.name = proposer.name
        self._proposer = proposer
        self._searches = proposer.name == SEARCH
        usual = SEARCH_ANSWERS if self._searches else ANSWERS
        self._answers = usual if answers is None else answers

    def takes(self, question: Question) -> bool:
        """Tell whether a question is about what was before."""
        wanted = question.direction is Direction.INVERSE
        return wanted and not (question.goal.previous and self._searches)

    def prepare(self, questions: Sequence[Question], seed: int) -> None:
        """Do nothing: a session is one question's."""

    def answer(self, question: Question, seed: int, judge: Judging) -> bool:
        """Ask until there are answers, of a search until there are enough of them.

        Never until one is confirmed: where to stop must not depend on what became of the answers.
        """
        session = self._proposer.start(question.goal, question.subject, seed)
        given = idle = 0
        most = _IDLE_OF_A_SOLVER if self.name == "smt" else _IDLE
        while given < self._answers and idle < most:
            found = session.ask(min(ROUND, self._answers - given))
            idle = 0 if found else idle + 1
            given += len(found)
            if found:
                session.tell(judge(found))
            if found and not self._searches:
                break
        return given > 0


class Network:
    """The neural debugger: the next state by its likeliest answer, what was before as a proposer.

    An answer that cannot be read, or that leaves a value untold, claims no state: it counts as no
    answer.
    """

    name = "neural"

    def __init__(self, model: Model, proposer: Proposer, answers: int | None = None) -> None:
        self._model = model
        self._inverse = Inverse(proposer, answers)
        self._told: dict[int, Proposal | None] = {}

    def takes(self, question: Question) -> bool:
        """Tell whether a question is answered: all are."""
        return True

    def prepare(self, questions: Sequence[Question], seed: int) -> None:
        """Ask for all next states at once."""
        asked = [one for one in questions if one.direction is Direction.FORWARD]
        engine, self._told = self._model.opened(), {}
        views = {one.subject.ref: View.of_subject(one.subject) for one in asked}
        prompts = [_prompt(views[one.subject.ref], one) for one in asked]
        for one, found in zip(asked, engine.greedy(prompts, LONGEST), strict=True):
            assert one.situation is not None
            assert one.action is not None
            after = forward.read(views[one.subject.ref], one.situation, one.action, found.ids)
            told = after is not None and not _untold(after.state)
            self._told[id(one)] = (
                _predicted(one, self._model.name, after.state, found.logp)
                if told and after
                else None
            )

    def answer(self, question: Question, seed: int, judge: Judging) -> bool:
        """Answer a question."""
        if question.direction is Direction.INVERSE:
            return self._inverse.answer(question, seed, judge)
        told = self._told.get(id(question))
        if told is not None:
            judge([told])
        return told is not None


def _prompt(view: View, question: Question) -> list[int]:
    assert question.situation is not None
    assert question.action is not None
    return forward.prompt(view, question.situation, question.action)


def _untold(state: State) -> bool:
    values = [value for frame in state.stack for _, value in frame.locals or ()]
    return UNTOLD in (*values, state.arg)


def _predicted(question: Question, source: str, state: State, logp: float) -> Proposal:
    """Return a predicted state as a proposal; of the frames below it no locals are claimed."""
    assert question.start is not None
    below = tuple(replace(frame, locals=None) for frame in state.stack[:-1])
    state = replace(state, stack=(*below, state.frame))
    return Proposal(question.start, source, question.action, state, logp)


class Text:
    """Anybody's model: a callable from a prompt to its answer.  One answer a question.

    A prompt holds everything that is asked; the same question is the same prompt.
    """

    def __init__(self, name: str, answering: Answering) -> None:
        self.name = name
        self._answering = answering

    def takes(self, question: Question) -> bool:
        """Tell whether a question is answered: all are."""
        return True

    def prepare(self, questions: Sequence[Question], seed: int) -> None:
        """Do nothing: whoever answers is asked one by one."""

    def answer(self, question: Question, seed: int, judge: Judging) -> bool:
        """Ask once."""
        told = proposal_of(question, self._answering(prompt_of(question)), self.name)
        if told is not None:
            judge([told])
        return told is not None


class Answers:
    """A file of answers, as a callable: JSON lines with `prompt` and `answer`.

    A prompt that has none is answered by an empty text, and kept in `missing`; `write_missing`
    makes a file of them, to be answered elsewhere and read again.
    """

    def __init__(self, file: Path) -> None:
        """Read a file, or begin with none where it is not there yet.

        Raises UsageError for one that cannot be read, or a line without both.
        """
        self.__name__ = file.stem
        self._known = dict(_read(file)) if file.exists() else {}
        self.missing: dict[str, None] = {}

    def __call__(self, prompt: str) -> str:
        """Return the answer to a prompt."""
        if prompt not in self._known:
            self.missing[prompt] = None
        return self._known.get(prompt, "")

    def write_missing(self, file: Path) -> int:
        """Write the prompts without an answer, as JSON lines; return how many."""
        rows = [json.dumps({"prompt": prompt, "answer": ""}) for prompt in self.missing]
        file.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
        return len(rows)


def _read(file: Path) -> list[tuple[str, str]]:
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read answers from {file}: {error}") from error
    found = []
    for number, line in enumerate(lines, 1):
        try:
            row = json.loads(line)
            found.append((str(row["prompt"]), str(row["answer"])))
        except (ValueError, TypeError, LookupError) as error:
            raise UsageError(
                f"{file}, line {number}: an answer is a JSON object with 'prompt' and 'answer'"
            ) from error
    return found
