"""The measurement as one call, for a command and for anybody's model.

Opens what is needed (interpreters in the sandbox, the oracle, the model) and closes it again.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from pathlib import Path

import nsdbg
from nsdbg.claim import Status
from nsdbg.errors import UsageError
from nsdbg.measure.hallucination.drawing import check_hypothesis, sample
from nsdbg.measure.hallucination.judged import Judged
from nsdbg.measure.hallucination.judging import Judge
from nsdbg.measure.hallucination.packages import Functions, find_place
from nsdbg.measure.hallucination.programs import Corpus, Generated, Program, Source
from nsdbg.measure.hallucination.proposers import Answering, Asker, Inverse, Network, Text
from nsdbg.measure.hallucination.rates import rates
from nsdbg.measure.hallucination.run import Counts, Found, Run
from nsdbg.measure.hallucination.running import Running
from nsdbg.measure.hallucination.sharing import Asking, shared
from nsdbg.measure.hallucination.smallest import Hallucination, smallest, told
from nsdbg.measure.oracle.oracle import Oracle
from nsdbg.programs import Level
from nsdbg.propose.neural.provider import Wanted
from nsdbg.proposer import Proposer
from nsdbg.report.rated import Measurement, Rates, Smallest
from nsdbg.workbench import DEFAULT_PROPOSERS, Options, Workbench, make_proposers

Asked = str | Proposer | Answering
# Whose hallucination is shown: those that claim states before those that guess.
_GUESSERS = ("smt", "rules", "search")


@dataclass(frozen=True, slots=True)
class Plan:
    """What is measured, and how much of it.

    `examples` programs are drawn; with 0 the fixed corpus alone is asked about.  `programs` names
    a folder or a package, None the generator and, with `corpus`, the fixed corpus.  `answers`
    bounds a proposer's answers to one question of what was before; `shrink_s` is what the smallest
    hallucination may take, 0 for none.
    `jobs`: so many processes ask at the same time, where only proposers of nsdbg's own are asked.
    """

    examples: int = 100
    seed: int = 0
    programs: str | None = None
    answers: int | None = None
    shrink_s: float = 20.0
    oracle: bool = True
    corpus: bool = True
    python: Path | None = None
    allow: tuple[str, ...] = ()
    weak_ok: bool = False
    rules: Path | None = None
    model: Path | None = None
    provider: Wanted = "auto"
    jobs: int = 1


def measure_hallucination(
    proposers: Sequence[Asked] = DEFAULT_PROPOSERS,
    plan: Plan | None = None,
    progress: Callable[[str], None] | None = None,
) -> Measurement:
    """Ask proposers about programs, judge what they say, and return the rates.

    proposers: names of nsdbg's own, any `Proposer`, or callables from a prompt to an answer (their
    `__name__` is how they are reported).
    progress: called with a line that tells the rate so far.
    A KeyboardInterrupt ends it; what comes back then is of the programs that were finished.
    Raises UsageError and ModelError for what cannot be measured.
    """
    wanted = plan or Plan()
    hypothesis = check_hypothesis()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="nsdbg-measure-")))
        session = _Session(wanted, Corpus(folder), len(proposers), progress)
        # What somebody else wrote may not be copied; what is started here stays here.
        shares = wanted.jobs > 1 and all(isinstance(one, str) for one in proposers)
        if shares:
            opened = partial(_asking, tuple(proposers), wanted, folder)
            session.take(shared(opened, session.count, wanted.jobs))
        setting = stack.enter_context(_opened(proposers, wanted, folder))
        if not shares:
            setting.bench.warm_up()
            session.take(map(setting.ask, range(session.count)))
        session.shrink(setting)
        return session.measurement(setting, hypothesis)


class _Setting:
    """What asks: a workbench, the programs in their order, and a run over them."""

    def __init__(self, plan: Plan, source: Source, corpus: Corpus, bench: Workbench, run: Run):
        self.bench, self.source, self.run = bench, source, run
        drawn = islice(sample(source.drawn(), plan.seed, "programs"), plan.examples)
        self._programs = chain(drawn, corpus.programs)
        self._next = 0

    def ask(self, number: int) -> Found:
        """Ask about the program of a number; numbers must rise."""
        program = next(islice(self._programs, number - self._next, None))
        self._next = number + 1
        return self.run.about(program)


@contextmanager
def _opened(proposers: Sequence[Asked], plan: Plan, folder: Path) -> Iterator[_Setting]:
    """Open what asks, with everything it needs, and close it again."""
    source = _source(plan, folder)
    with ExitStack() as stack:
        bench = stack.enter_context(_bench(plan, folder, source))
        askers = [_asker(one, bench, plan) for one in proposers]
        _check_names(askers)
        oracle = Oracle(bench.runner.interpreter.path) if plan.oracle else None
        judge = Judge(
            bench.verifier, bench.pure, stack.enter_context(oracle) if oracle else None
        )  # fmt: skip
        yield _Setting(
            plan, source, Corpus(folder), bench, Run(bench.runner, judge, askers, plan.seed)
        )


@contextmanager
def _asking(proposers: Sequence[Asked], plan: Plan, folder: Path) -> Iterator[Asking]:
    """Open what asks in one of several processes, with a folder of its own."""
    own = Path(tempfile.mkdtemp(dir=folder))
    with _opened(proposers, plan, own) as setting:
        setting.bench.warm_up()
        yield setting.ask


class _Session:
    """One measurement under way: about drawn programs first, then about the fixed ones.

    Where it stops never depends on what was found: at a fixed number of programs, or at the user's
    Ctrl-C, after which the programs under way are left out.
    """

    def __init__(
        self, plan: Plan, corpus: Corpus, asked: int, progress: Callable[[str], None] | None
    ) -> None:
        self.found = Found()
        self._plan, self._asked, self._progress = plan, asked, progress
        fixed = plan.corpus and plan.programs is None
        self.count = plan.examples + (len(corpus.programs) if fixed else 0)
        self._stopped = False
        self._drawn = 0  # how many of the judged are about drawn programs; the corpus follows
        self._smallest: Smallest | None = None
        self._seconds = 0.0

    def take(self, asked: Iterator[Found]) -> None:
        """Take what comes of the programs; the user may end it at any time."""
        started, running = time.perf_counter(), Running()
        self._tell(f"0/{self.count} programs")
        try:
            for number, found in enumerate(asked, 1):
                self.found.add(found)
                for one in found.judged:
                    running.add(one)
                if number <= self._plan.examples:
                    self._drawn = len(self.found.judged)
                self._tell(f"{number}/{self.count} programs: {running}")
                if len(self.found.trouble) == self._asked:
                    break  # there is nobody left to be asked
        except KeyboardInterrupt:
            self._stopped = True
        self._seconds = time.perf_counter() - started

    def _tell(self, line: str) -> None:
        if self._progress:
            self._progress(line)

    def shrink(self, setting: _Setting) -> None:
        """Look for the smallest hallucination, unless the user has had enough."""
        if self._stopped or self._plan.shrink_s <= 0:
            return
        self._tell("looking for the smallest hallucination")
        try:
            self._shrink(setting)
        except KeyboardInterrupt:
            self._stopped = True

    def _shrink(self, setting: _Setting) -> None:
        """Let Hypothesis look for a small one of whoever was wrong, states before guesses."""
        wrong = {one.proposer for one in self.found.judged if one.status is Status.REFUTED}
        chosen = [one for one in setting.run.askers if one.name in wrong - set(self.found.trouble)]
        chosen.sort(key=lambda one: one.name in _GUESSERS and 1 + _GUESSERS.index(one.name))
        for asker in chosen[:1]:

            def hallucinations(program: Program, asker: Asker = asker) -> list[Hallucination]:
                return setting.run.hallucinations(asker, program)

            met = self.found.smallest.get(asker.name)
            found = [met] if met else []
            for source, share in _small_sources(setting.source):
                if one := smallest(
                    source, hallucinations, self._plan.seed, share * self._plan.shrink_s
                ):
                    found.append(one)
                    break
            best = min(found, key=lambda one: one.size, default=None)
            self._smallest = told(best) if best else None

    def measurement(self, setting: _Setting, hypothesis: str) -> Measurement:
        """Return what was found so far."""
        judged = self.found.judged
        drawn, fixed = judged[: self._drawn], judged[self._drawn :]
        if self._plan.examples == 0:
            drawn, fixed = fixed, []
        counted = rates(drawn, self._plan.seed)
        return Measurement(
            counted,
            tuple(_told(self.found, setting.source, self._seconds, self._plan, fixed)),
            tuple(_versions(setting, hypothesis)),
            self._smallest,
            self._stopped,
            tuple(map(told, self.found.wrong)),
        )


def _small_sources(source: Source) -> Iterator[tuple[Source, float]]:
    """Yield where to look, and which share of the time it may take: short programs first."""
    if isinstance(source, Generated):
        yield Generated(source.folder, (Level.OPERATION,)), 0.5
        yield source, 0.5
    else:
        yield source, 1.0


def _told(
    found: Found, source: Source, seconds: float, plan: Plan, fixed: Sequence[Judged]
) -> Iterator[tuple[str, str]]:
    counts, work = found.counts, found.work
    drawn = f"{min(counts.programs, plan.examples)} drawn from {source.name} by seeded bytes"
    yield "programs", drawn if plan.examples else "those of the fixed corpus"
    asked = sum(counts.asked.values())
    yield "asked", f"{asked:,} questions about {counts.calls:,} recorded calls" + _silent(counts)
    if isinstance(source, Functions) and source.passed_over:
        yield "passed over", f"{source.passed_over:,} files or functions that cannot be read here"
    for name, why in found.trouble.items():
        yield "set aside", f"{name} broke, and was not asked again: {why}"
    if counts.missed:
        missed = ", ".join(f"{number:,}: {why}" for why, number in counts.missed.most_common())
        yield "calls not recorded", missed
    more = f"; {work.matched:,} more matched in their one run" if work.matched else ""
    yield (
        "judged",
        (
            f"{work.screened:,} screened; {work.confirmed:,} of them matched and were run "
            f"again, in fresh processes{more}"
        ),
    )
    pace = work.screened / max(seconds - work.oracle_s / plan.jobs, 1e-9)
    yield (
        "pace",
        (
            f"{pace:,.0f} judged proposals a second, asking included; the oracle took "
            f"{work.oracle_s:.0f} s more"
        ),
    )
    if fixed:
        yield "fixed corpus", _corpus_text(rates(fixed, plan.seed))


def _silent(counts: Counts) -> str:
    if not counts.silent:
        return ""
    each = ", ".join(f"{name} {number:,}" for name, number in sorted(counts.silent.items()))
    return f"; without an answer that claims a state: {each}"


def _corpus_text(found: Rates) -> str:
    raw, residual = found.raw, found.residual
    share = "-" if raw.share is None else f"{100 * raw.share:.1f} %"
    return (
        f"raw rate {share} ({raw.hits:,} of {raw.n:,}), residual {residual.hits:,} of "
        f"{residual.n:,}, about {found.programs} programs that never change"
    )


def _versions(setting: _Setting, hypothesis: str) -> Iterator[tuple[str, str]]:
    yield "nsdbg", nsdbg.__version__
    yield "Python", setting.bench.runner.python_version
    yield "Hypothesis", hypothesis
    if any(isinstance(one, Network) for one in setting.run.askers):
        yield "model", setting.bench.model.name.removeprefix("neural:")


def _check_names(askers: Sequence[Asker]) -> None:
    names = [one.name for one in askers]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise UsageError(f"two proposers are called {twice[0]!r}: their rates would be one")


def _source(plan: Plan, folder: Path) -> Source:
    if plan.programs is None:
        return Generated(folder)
    return Functions(find_place(plan.programs, plan.python), plan.programs)


def _bench(plan: Plan, folder: Path, source: Source) -> Workbench:
    roots = (folder, *({Path(one.ref.root) for one in source.subjects}
                       if isinstance(source, Functions) else ()))  # fmt: skip
    return Workbench(
        Options(
            roots, python=plan.python, allow=plan.allow, weak_ok=plan.weak_ok, rules=plan.rules,
            model=plan.model, provider=plan.provider,
        )
    )  # fmt: skip


def _asker(asked: Asked, bench: Workbench, plan: Plan) -> Asker:
    if isinstance(asked, str):
        [proposer] = make_proposers([asked], bench.rulebook, bench.model)
        if asked != "neural":
            return Inverse(proposer, plan.answers)
        bench.model.opened()  # now, before anything is asked of others
        return Network(bench.model, proposer, plan.answers)
    if callable(asked):
        return Text(str(getattr(asked, "__name__", type(asked).__name__)), asked)
    return Inverse(asked, plan.answers)
