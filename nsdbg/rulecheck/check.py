"""All rules on trial, on every interpreter: what holds, what fails, and why.

Says nothing of rules that do not load: those are a RuleError.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import Queue
from threading import Event

from nsdbg.errors import RuleError
from nsdbg.rulebook import Rulebook, RuleKind
from nsdbg.rulebook.rules import AnyRule, EffectRule, ExceptionRule, SuspectRule
from nsdbg.rulecheck.effects import try_effect_rule
from nsdbg.rulecheck.exceptions import try_exception_rule
from nsdbg.rulecheck.inverse import try_inverse_rule
from nsdbg.rulecheck.suspects import try_suspect_rule
from nsdbg.rulecheck.trial import Case, Outcome, Standing, Trial, read_cases
from nsdbg.verify.interpreters import Interpreter
from nsdbg.verify.runner import Runner, RunnerConfig

_AT_ONCE = min(4, os.cpu_count() or 1)  # each keeps two interpreters busy, one at a time
_LIMIT_S = 5.0  # for one run of a function of a program; they are small


@dataclass(frozen=True, slots=True)
class RuleReport:
    """One rule on one interpreter: an outcome for each function of its program."""

    rule: str
    kind: str
    python: str
    outcomes: tuple[Outcome, ...]

    @property
    def failures(self) -> tuple[Outcome, ...]:
        """The functions with which the rule does not hold."""
        return tuple(each for each in self.outcomes if each.standing is Standing.FAILS)


def check_rules(
    rules: Sequence[AnyRule], book: Rulebook, interpreter: Interpreter, weak_ok: bool = False
) -> Iterator[RuleReport]:
    """Try rules on one interpreter, one after the other; raises RuleError for a broken program.

    `weak_ok`: run programs that import extension modules also where the guard is weak.
    """
    programs = [(rule, read_cases(rule)) for rule in rules]
    folders = tuple(dict.fromkeys(rule.path.parent for rule in rules))
    config = RunnerConfig(
        interpreter.path, roots=folders, limit_s=_LIMIT_S, batch_limit_s=_LIMIT_S, weak_ok=weak_ok
    )
    with Runner(config) as runner:
        trial = Trial(book, runner)
        for rule, cases in programs:
            outcomes = tuple(_tried(rule, case, trial) for case in cases)
            version = ".".join(map(str, trial.version))
            yield RuleReport(rule.id, rule.path.parent.name, version, outcomes)


def check_everywhere(
    rules: Sequence[AnyRule],
    book: Rulebook,
    interpreters: Sequence[Interpreter],
    weak_ok: bool = False,
) -> Generator[RuleReport]:
    """Try rules on several interpreters at the same time; the reports come as they are ready.

    Closing the iterator stops the work after the rules at hand.  Raises what `check_rules` does.
    """
    ready: Queue[RuleReport | Exception | None] = Queue()
    stopped = Event()
    book.rules()  # read once, before several threads ask

    def work(interpreter: Interpreter) -> None:
        try:
            for report in check_rules(rules, book, interpreter, weak_ok):
                ready.put(report)
                if stopped.is_set():
                    break
        except Exception as error:  # whatever it is, the caller's thread raises it
            ready.put(error)
        ready.put(None)

    with ThreadPoolExecutor(_AT_ONCE) as pool:
        for interpreter in interpreters:
            pool.submit(work, interpreter)
        try:
            yield from _until_done(ready, len(interpreters))
        finally:
            stopped.set()
            pool.shutdown(cancel_futures=True)


def _until_done(ready: Queue[RuleReport | Exception | None], workers: int) -> Iterator[RuleReport]:
    while workers:
        found = ready.get()
        if found is None:
            workers -= 1
        elif isinstance(found, Exception):
            raise found
        else:
            yield found


def _tried(rule: AnyRule, case: Case, trial: Trial) -> Outcome:
    if trial.version not in case.versions:
        return Outcome(case.name, Standing.SKIPPED, f"for {case.versions} only")
    if past := trial.reaches_past(case):
        return Outcome(
            case.name, Standing.SKIPPED, f"the guard is weak here, and {past} may pass it"
        )
    if isinstance(rule, ExceptionRule):
        return try_exception_rule(rule, case, trial)
    if isinstance(rule, EffectRule):
        return try_effect_rule(rule, case, trial)
    if isinstance(rule, SuspectRule):
        return try_suspect_rule(rule, case, trial)
    return try_inverse_rule(rule, case, trial)


def refuse_strays(folder: Path) -> None:
    """Raise RuleError for a folder that is no kind of rule, and a program without its rule."""
    kinds = {kind.value for kind in RuleKind}
    for path in sorted(folder.glob("*/*.toml")):
        if path.parent.name not in kinds:
            raise RuleError(f"{path}: {path.parent.name} is none of {', '.join(sorted(kinds))}")
    for path in sorted(folder.glob("*/*.py")):
        if path.parent.name in kinds and not path.with_suffix(".toml").is_file():
            raise RuleError(f"{path}: has no rule file: add {path.stem}.toml beside it")
