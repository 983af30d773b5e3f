"""One program is recorded, asked about, judged and counted."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from nsdbg.claim import Proposal, Status, Verdict
from nsdbg.errors import NsdbgError
from nsdbg.measure.hallucination.asking import Question, questions_of
from nsdbg.measure.hallucination.judged import Judged
from nsdbg.measure.hallucination.judging import Judge, Work
from nsdbg.measure.hallucination.programs import Program
from nsdbg.measure.hallucination.proposers import SEARCH, Asker
from nsdbg.measure.hallucination.recording import Missed, Recorded, Recording, record
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

    def add(self, other: Counts) -> None:
        """Add what was asked about other programs."""
        self.programs += other.programs
        self.calls += other.calls
        self.missed += other.missed
        self.asked += other.asked
        self.silent += other.silent


@dataclass(slots=True)
class Found:
    """What came of programs.

    `trouble` says of askers that broke, by name, how; `smallest` is the smallest hallucination of
    each, and `wrong` what was shown as CONFIRMED and is not so.
    """

    judged: list[Judged] = field(default_factory=list)
    counts: Counts = field(default_factory=Counts)
    work: Work = field(default_factory=Work)
    trouble: dict[str, str] = field(default_factory=dict)
    smallest: dict[str, Hallucination] = field(default_factory=dict)
    wrong: list[Hallucination] = field(default_factory=list)

    def add(self, other: Found) -> None:
        """Add what came of other programs."""
        self.judged += other.judged
        self.counts.add(other.counts)
        self.work.add(other.work)
        self.wrong += other.wrong
        self.trouble = other.trouble | self.trouble
        for one in other.smallest.values():
            self.note(one)

    def note(self, found: Hallucination) -> None:
        """Keep the smallest hallucination of each who was asked."""
        known = self.smallest.get(found.proposer)
        if known is None or found.size < known.size:
            self.smallest[found.proposer] = found


class Run:
    """Asks and judges; whoever broke once is not asked again."""

    def __init__(self, runner: Recording, judge: Judge, askers: Sequence[Asker], seed: int) -> None:
        self.askers = tuple(askers)
        self.judge = judge
        self.seed = seed
        self._runner = runner
        self._broken: set[str] = set()

    def about(self, program: Program) -> Found:
        """Ask everybody about one program."""
        found = Found()
        questions = self.questions(program, found.counts)
        for asker in self.askers:
            if asker.name not in self._broken:
                self._outlive(asker, questions, found)
        found.counts.programs = 1
        closed = self.judge.close(program)
        found.judged, found.work, found.wrong = closed.judged, closed.work, closed.wrong
        return found

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

    def _outlive(self, asker: Asker, questions: Sequence[Question], found: Found) -> None:
        """Ask, and go on without an asker that breaks: it may be anybody's."""
        try:
            self._ask(asker, questions, found)
        except NsdbgError:
            raise
        except Exception as error:
            self._broken.add(asker.name)
            found.trouble[asker.name] = f"{type(error).__name__}: {error}"

    def _ask(self, asker: Asker, questions: Sequence[Question], found: Found) -> None:
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
                    found.note(one)
                return verdicts

            found.counts.asked[asker.name] += 1
            if not asker.answer(question, self.seed, judging):
                found.counts.silent[asker.name] += 1

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
