"""One run: program after program is recorded, asked about, judged and counted.

Where to stop never depends on what was found: a fixed number of programs, or the user's Ctrl-C,
after which the program under way is left out.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from nsdbg.claim import Proposal, Status, Verdict
from nsdbg.errors import NsdbgError
from nsdbg.measure.hallucination.asking import Question, questions_of
from nsdbg.measure.hallucination.judged import Judged
from nsdbg.measure.hallucination.judging import Judge
from nsdbg.measure.hallucination.programs import Program
from nsdbg.measure.hallucination.proposers import SEARCH, Asker
from nsdbg.measure.hallucination.recording import Missed, Recorded, Recording, record
from nsdbg.measure.hallucination.running import Running
from nsdbg.measure.hallucination.smallest import Hallucination

# Recorded calls of one program: more of them tell less than another program.
MOST_CALLS = 2


@dataclass(slots=True)
class Counts:
    """What was asked: programs, calls that were recorded, and why others were not.

    `asked` and `silent` count the questions by who was asked, and those without an answer.
    """

    programs: int = 0
    calls: int = 0
    missed: Counter[str] = field(default_factory=Counter)
    asked: Counter[str] = field(default_factory=Counter)
    silent: Counter[str] = field(default_factory=Counter)


class Run:
    """Asks and judges; `judged` and `counts` are of the programs that were finished.

    `trouble` says of askers that broke, by name, how; `smallest` is the smallest hallucination of
    each.  `progress` is called after each program with a line that tells the running rate.
    """

    def __init__(
        self,
        runner: Recording,
        judge: Judge,
        askers: Sequence[Asker],
        seed: int,
        progress: Callable[[str], None] | None = None,
    ) -> None:
        self.judged: list[Judged] = []
        self.counts = Counts()
        self.trouble: dict[str, str] = {}
        self.smallest: dict[str, Hallucination] = {}
        self.askers = tuple(askers)
        self.judge = judge
        self.seed = seed
        self._runner, self._progress = runner, progress
        self._running = Running()

    def all(self, programs: Iterable[Program], count: int) -> None:
        """Ask about programs, in order; `count` is how many there are."""
        self._tell(f"0/{count} programs")
        for number, program in enumerate(programs, 1):
            if len(self.trouble) == len(self.askers):
                break  # there is nobody left to be asked
            self.about(program)
            self._tell(f"{number}/{count} programs: {self._running}")

    def _tell(self, line: str) -> None:
        if self._progress:
            self._progress(line)

    def about(self, program: Program) -> None:
        """Ask everybody about one program."""
        questions = self.questions(program, self.counts)
        for asker in self.askers:
            if asker.name not in self.trouble:
                self._outlive(asker, questions)
        found = self.judge.close(program)
        self.counts.programs += 1
        self.judged += found
        for one in found:
            self._running.add(one)

    def questions(self, program: Program, counts: Counts) -> list[Question]:
        """Record calls of a program, which are counted, and return the questions about them."""
        found: list[Question] = []
        recorded = 0
        for number, call in enumerate(program.calls):
            if recorded == MOST_CALLS:
                break
            seen = record(self._runner, program, call)
            if isinstance(seen, Missed):
                counts.missed[seen.why] += 1
                continue
            recorded += 1
            found += self._questions(seen, number)
        counts.calls += recorded
        return found

    def _questions(self, recorded: Recorded, number: int) -> list[Question]:
        rng = random.Random(f"{self.seed}:{recorded.program.id}:{number}")
        return questions_of(recorded, rng)

    def _outlive(self, asker: Asker, questions: Sequence[Question]) -> None:
        """Ask, and go on without an asker that breaks: it may be anybody's."""
        try:
            self._ask(asker, questions)
        except NsdbgError:
            raise
        except Exception as error:
            self.trouble[asker.name] = f"{type(error).__name__}: {error}"

    def _ask(self, asker: Asker, questions: Sequence[Question]) -> None:
        asker.prepare(questions, self.seed)
        for question in questions:
            if not asker.takes(question):
                continue

            def judging(
                proposals: Sequence[Proposal], question: Question = question
            ) -> list[Verdict]:
                verdicts = self.judge.judge(
                    question, asker.name, proposals, first_only=asker.name == SEARCH
                )
                for one in _wrong(question, asker.name, verdicts):
                    self._note(one)
                return verdicts

            self.counts.asked[asker.name] += 1
            if not asker.answer(question, self.seed, judging):
                self.counts.silent[asker.name] += 1

    def _note(self, found: Hallucination) -> None:
        """Keep the smallest hallucination of each who was asked."""
        known = self.smallest.get(found.proposer)
        if known is None or found.size < known.size:
            self.smallest[found.proposer] = found

    def hallucinations(self, asker: Asker, program: Program) -> list[Hallucination]:
        """Return what one asker says wrongly of a program's first call; counts nothing."""
        found: list[Hallucination] = []
        questions = self.questions(replace(program, calls=program.calls[:1]), Counts())
        asker.prepare(questions, self.seed)
        for question in questions:
            if not asker.takes(question):
                continue

            def judging(
                proposals: Sequence[Proposal], question: Question = question
            ) -> list[Verdict]:
                verdicts = self.judge.verdicts(question, proposals, first_only=True)
                found.extend(_wrong(question, asker.name, verdicts))
                return verdicts

            asker.answer(question, self.seed, judging)
        return found


def _wrong(
    question: Question, proposer: str, verdicts: Sequence[Verdict]
) -> Iterator[Hallucination]:
    """Yield the refuted ones; from an aliased state nobody could tell, so it shows nothing."""
    for one in verdicts:
        if one.status is Status.REFUTED and not question.aliased:
            yield Hallucination(question, proposer, one)
